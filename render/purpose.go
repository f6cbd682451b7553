package render

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// purpose is the first sentence of a documentation. What only repeats that it is a package of this name is left off:
// "Package money holds amounts." says "Holds amounts."
func purpose(doc, language, name string) string {
	s := toSee.ReplaceAllString(strings.TrimRight(markdown.Purpose(doc, language), ": "), "")
	if rest, ok := strings.CutPrefix(upper(s), "Package "+name+" "); ok && language == "go" {
		verb, after, _ := strings.Cut(rest, " ")
		switch {
		case verb == "is" && hasArticle(after):
			s = upper(after)
		case strings.HasSuffix(verb, "s") && verb != "is":
			s = upper(rest)
		}
	}
	if nothing.MatchString(s) {
		return ""
	}
	return s
}

// toSee matches what leads to an address below the sentence: "Reads layouts, see:".
var toSee = lazyregexp.New(`[,;]? +\(?(?i:see|see also|cf\.?)$`)

// nothing matches a sentence that would be true of any module, "Various helpers and utilities.", "The shop package.", or that only tells
// where its code was before.
var nothing = lazyregexp.New(`^(?:This is the|The) \S+ (?:package|module|library)\W*$|^(?i:(?:provides|contains|holds|various|some|common|general|shared|miscellaneous|misc|other|internal|useful|and|or|of|an?|the|helpers?|utility|utilities|utils?|functions?|methods?|classes|class|code|stuff|things|tools?)\W*)+$|^(?i:adapted|borrowed|copied|derived|forked|ported|taken|vendored) (?:verbatim )?from\b`)

func hasArticle(s string) bool {
	return strings.HasPrefix(s, "a ") || strings.HasPrefix(s, "an ") || strings.HasPrefix(s, "the ")
}

func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// namesake is the documented type or function that a module is there for: the only thing that it offers, or the one that has its name.
// What is said of that is said of the module.
func namesake(k *survey.Module, typing survey.Typing) (*source.Declared, bool) {
	if kindOf(k) != "" {
		return nil, false
	}
	top, name := topLevel(k, typing), bare(nameOf(k))
	for _, d := range top {
		if holdsMembers[d.Kind] && !isMost(k, d) {
			continue
		}
		if d.Doc != "" && !(holdsMembers[d.Kind] && making.MatchString(d.Doc)) && (len(top) == 1 || (holdsMembers[d.Kind] || d.Kind == source.Func) && bare(d.Symbol.Name) == name) {
			return d, true
		}
	}
	return nil, false
}

// isMost reports whether a type is the only one of a module, or with its members at least half of it.
func isMost(k *survey.Module, d *source.Declared) bool {
	own, types := 0, 0
	for i := range k.Declared {
		one := &k.Declared[i]
		if one.Name == d.Name || strings.HasPrefix(one.Name, d.Name+".") {
			own++
		} else if holdsMembers[one.Kind] && !strings.Contains(one.Symbol.Name, ".") {
			types++
		}
	}
	return types == 0 || 2*own >= len(k.Declared)
}

// ofOneClass reports whether the documentation of a package of several files speaks of a class alone, that the others extend.
func ofOneClass(k *survey.Module, doc string) bool {
	return len(k.Module.Units) > 1 && baseClass.MatchString(doc)
}

var baseClass = lazyregexp.New(`^\s*(?i:(?:an? |the )?(?:abstract )?base class)\b`)

// making matches what is said of how a type is made, and not of what it is for.
var making = lazyregexp.New(`^(?i:creates?|constructs?|instantiates?|initiali[sz]es?|builds?|returns?)\b`)

// bare is a name without what languages write differently in names of modules and of what is in them.
func bare(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// languageTitles are the names of languages as people write them, where it is not the name with a capital.
var languageTitles = map[string]string{
	"typescript": "TypeScript", "javascript": "JavaScript", "c++": "C++", "c": "C", "c#": "C#", "f#": "F#", "php": "PHP",
	"sql": "SQL", "make": "Make", "cmake": "CMake", "graphql": "GraphQL", "ocaml": "OCaml", "powershell": "PowerShell",
	"coffeescript": "CoffeeScript", "objective-c": "Objective-C", "protobuf": "Protocol Buffers", "cuda": "CUDA", "vhdl": "VHDL",
}

// LanguageTitle is a language as people write it: TypeScript.
func LanguageTitle(name string) string { return cmp.Or(languageTitles[name], upper(name)) }

// packaged are the languages whose people call a directory of source a package.
var packaged = map[string]bool{"go": true, "python": true, "java": true, "kotlin": true, "scala": true}

func moduleNoun(language string) string {
	if packaged[language] {
		return "package"
	}
	return "module"
}
