package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// purpose is the first sentence of a documentation. What only repeats that it is a package of this name is left off:
// "Package money holds amounts." says "Holds amounts."
func purpose(doc, language, name string) string {
	s := strings.TrimRight(markdown.Purpose(doc, language), ": ")
	if rest, ok := strings.CutPrefix(s, "Package "+name+" "); ok && language == "go" {
		verb, after, _ := strings.Cut(rest, " ")
		switch {
		case verb == "is" && hasArticle(after):
			s = upper(after)
		case strings.HasSuffix(verb, "s") && verb != "is":
			s = upper(rest)
		}
	}
	return s
}

func hasArticle(s string) bool {
	return strings.HasPrefix(s, "a ") || strings.HasPrefix(s, "an ") || strings.HasPrefix(s, "the ")
}

func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// composition says what is in a module nobody described. It counts nothing: a number would change with every symbol.
func composition(k *survey.Module) string {
	tests := slices.ContainsFunc(k.Module.Units, func(u source.Unit) bool { return len(u.File.Tests) > 0 })
	language := languageTitle(k.Module.Language())
	switch kindOf(k) {
	case kindTests:
		if tests {
			return language + " tests."
		}
		return language + " code for tests."
	case kindCommand:
		return language + " command."
	}
	top := topLevel(k)
	if len(top) == 0 {
		return language + " code."
	}
	s := fmt.Sprintf("%s %s with %s", language, moduleNoun(k.Module.Language()), contents(top))
	if len(top) == 1 {
		// what is said of the only thing in it is said of the module
		if about := markdown.Plain(top[0].Doc, k.Module.Language()); about != "" {
			return s + ": " + about
		}
	}
	return s + "."
}

// fewNames is how many names a sentence lists.
const fewNames = 3

// contents lists what a module offers, by kind, or only names the kinds.
func contents(top []*source.Declared) string {
	var parts []string
	listed := map[string]bool{"default": true} // is no name
	many := len(top) > fewNames
	for _, d := range top {
		many = many || listed[d.Symbol.Name]
		listed[d.Symbol.Name] = true
	}
	for _, g := range composed {
		var names []string
		for _, d := range top {
			if slices.Contains(g.kinds, d.Kind) {
				names = append(names, d.Symbol.Name)
			}
		}
		switch {
		case len(names) == 0:
		case many && len(names) > 1:
			parts = append(parts, g.noun+"s")
		case many:
			parts = append(parts, "a "+g.noun)
		case len(names) == 1:
			parts = append(parts, "the "+g.noun+" "+names[0])
		default:
			parts = append(parts, "the "+g.noun+"s "+list(names))
		}
	}
	return list(parts)
}

// composed are the kinds of symbols as sentences speak of them. Namespaces come last: what is in them counts first.
var composed = []group{
	{"type", []source.Kind{
		source.Type, source.Struct, source.Class, source.Interface, source.Trait, source.Enum, source.Record, source.Union,
	}},
	{"function", []source.Kind{source.Func, source.Method}},
	{"constant", []source.Kind{source.Const}},
	{"variable", []source.Kind{source.Var, source.Field}},
	{"macro", []source.Kind{source.Macro}},
	{"namespace", []source.Kind{source.Namespace}},
	{"re-export", []source.Kind{source.Reexport}},
}

// topLevel lists what a module offers without the members of its types.
func topLevel(k *survey.Module) []*source.Declared {
	owners := map[string]bool{}
	var out []*source.Declared
	for _, d := range offered(k, reached{}, aliasesOf(k)) {
		if _, member := ownerOf(owners, d.Name); member {
			continue
		}
		out = append(out, d)
		if holdsMembers[d.Kind] {
			owners[d.Name] = true
		}
	}
	return out
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

func languageTitle(name string) string { return cmp.Or(languageTitles[name], upper(name)) }

// packaged are the languages whose people call a directory of source a package.
var packaged = map[string]bool{"go": true, "python": true, "java": true, "kotlin": true, "scala": true}

func moduleNoun(language string) string {
	if packaged[language] {
		return "package"
	}
	return "module"
}
