package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// purpose returns the first sentence of a documentation without the package name: "Package money holds amounts." gives
// "Holds amounts."
func purpose(doc, language, name string) string {
	s := signed.ReplaceAllString(markdown.Purpose(doc, language), "")
	s = toSee.ReplaceAllString(strings.TrimRight(leading.ReplaceAllString(s, ""), ": "), "")
	if !aside.MatchString(s) {
		s = licensed.ReplaceAllString(s, "$1$2")
	}
	rest, ok := strings.CutPrefix(upper(s), "Package "+name+" ")
	if !ok {
		rest, ok = strings.CutPrefix(upper(s), "Package main ")
	}
	if ok && source.TraitsOf(language).Prose {
		verb, after, _ := strings.Cut(rest, " ")
		switch {
		case verb == "is" && hasArticle(after):
			s = upper(after)
		case strings.HasSuffix(verb, "s") && verb != "is":
			s = upper(rest)
		}
	}
	if rest, _ := strings.CutPrefix(s, "Package "+name+" "); nothing.MatchString(s) || isLabel(s) || aside.MatchString(strings.TrimLeftFunc(rest, func(r rune) bool { return r > unicode.MaxLatin1 || unicode.IsSpace(r) })) {
		return ""
	}
	return s
}

// isLabel reports whether a text has less than a verb and its object, or is an exclamation or a motto: "shelf page", "ctx.go".
func isLabel(s string) bool {
	verb, rest, _ := strings.Cut(s, " ")
	if unspaced.MatchString(s) {
		return false
	}
	return rest == "" || !strings.Contains(rest, " ") && !strings.HasSuffix(verb, "s") || strings.HasSuffix(s, "!") && len(strings.Fields(s)) < fewestWords || strings.HasPrefix(s, "“")
}

// unspaced matches a few words of a language that is written without spaces.
var unspaced = lazyregexp.New(`[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]{4}`)

// fewestWords is the number of words from which an exclamation is a description.
const fewestWords = 6

// aside matches sentences that are not about the content of a module: of its origin, its authors, its template, its
// documentation, or of one file.
var aside = lazyregexp.New(`(?i)^(?:(?:adapted|borrowed|copied|derived|forked|ported|taken|vendored) (?:verbatim )?from|(?:(?:code|file) )?(?:created|generated|written|authored|maintained) by|important|warning|make sure|ensure that you|do not|don't|create an? .* in this (?:directory|folder)|copy (?:from|of)|classes in this package are|attention|caution|disclaimer|check out|welcome to|see also|click|thanks|(?:npm|npx|yarn|pnpm|pip) (?:run|install|start|i|add)|(?:bring|make) .*(?:namespace|available)|useful|(?:work|documentation) in progress|this template (?:should|provides)|a progressive \S+ framework|we (?:do not|don't)|when i|look at|this (?:guide|document|page) (?:explains|describes|shows)|this will eventually|cspell:|spell-checker:|in this (?:section|chapter|document|guide)|this website is built|this script|for how to)\b|^note:|^this (?:directory|folder) (?:is for|contains|holds) \S+$|\bthis (?:file|readme)\b|\bbootstrapped with\b|\bcopyright\b|\b(?:is|are) not (?:affiliated|associated|endorsed)\b|@generated|\b(?:is|are|being) (?:\w+ )?(?:licensed|released) under\b|^(?:[^\s,]+ ){0,3}(?:licensed|released) under\b|^(?:all|code|source|the|this)\b.* (?:licensed|released) under\b|^(?:generic )?single-database configuration|^\S+ is an? (?:struct|class|type|interface|enum)\b`)

// aboutProduct reports whether the README of a packaging directory describes the product instead of its packaging.
func aboutProduct(purpose, module string) bool {
	return packaging.MatchString(module) && !packages.MatchString(purpose)
}

var (
	packaging = lazyregexp.New(`(?i)(?:^|/)(?:docker|deploy(?:ment)?s?|helm|k8s|kubernetes|packaging|snap|debian|rpm|installers?)(?:/|$)`)
	packages  = lazyregexp.New(`(?i)docker|image|container|compose|chart|deploy|install|kubernetes|helm|packag`)
)

// shows reports whether the documentation of an example begins with the product that it shows: "Shop is a till." of
// examples/go.
func shows(purpose, module string) bool {
	about := product.FindStringSubmatch(purpose)
	return about != nil && source.IsExampleDir(module) && !itself.MatchString(purpose) && !slices.ContainsFunc(wordsOf(module), func(w string) bool { return related(w, strings.ToLower(about[1])) })
}

// product matches the definition of something by its name.
var product = lazyregexp.New(`^([A-Z][\w.-]*) is an? `)

// itself matches what documentation says of an example.
var itself = lazyregexp.New(`^(?:This|It|Here|There)\b|(?i)\b(?:examples?|samples?|demos?)\b`)

// toSee matches the introduction of a link below the sentence: "Reads layouts, see:".
var toSee = lazyregexp.New(`[,;]? +\(?(?i:see|see also|cf\.?)$`)

// signed matches the author and date behind a sentence.
var signed = lazyregexp.New(`\s+(?i:created by) \S+ on [\d/.-]+$`)

// leading matches the words that lead to the list below a sentence: "A server for calendars, that:".
var leading = lazyregexp.New(`,? +(?i:that|which|who)(?:: *|…)$|,? +(?i:with|including|such as|like|e\.g\.|as follows|(?:in )?the following): *$`)

// licensed matches the end of a sentence that names the licence.
var licensed = lazyregexp.New(`([^\s,;(]),?(?: and)? \(?(?i:licensed|released) under (?:[^.\n]|\.\S)*?(\.?)$`)

// nothing matches sentences that fit any module: "Various helpers and utilities.", "The shop package.", a note to
// authors, or a note about where its code was before.
var nothing = lazyregexp.New(`^(?:This is the|The) \S+ (?:package|module|library)\W*$|^(?i:(?:provides|contains|holds|various|some|common|general|shared|miscellaneous|misc|other|internal|useful|and|or|of|an?|the|helpers?|utility|utilities|utils?|functions?|methods?|classes|class|code|stuff|things|tools?)\W*)+$|^(?:TODO|FIXME|XXX|NOTE|HACK)\b|^(?i:if (?:changed|you (?:change|edit|modify))|do not edit|don't edit)\b`)

// generic are words of a purpose that say nothing about one module.
var generic = lazy.Words(`a about advanced all an and app application are as at available base basic by class classes code collection common contains
	core data default defines definition different directory feature features few files folder for from function functionality functions general helper helpers holds implementation
	implementations implements in information integration is it its layer library logic main management manager misc miscellaneous module modules needed of on one or other package
	part project provide provides related resolver resolves responsible service services set simple some specific struct structures subpackage support supports system that the these things this
	to tool tools type types used utilities utility utils various which with`)

// restates reports whether a purpose only repeats the words of the module's path, perhaps with the project's name:
// "Media service subpackage for Shop." of services/media.
func restates(purpose, module string) bool {
	path := wordsOf(module)
	for _, w := range wordsOf(forProject.ReplaceAllString(purpose, "")) {
		if !generic.Get()[w] && !slices.ContainsFunc(path, func(p string) bool { return related(p, w) }) {
			return false
		}
	}
	return true
}

// forProject matches the end of a purpose that names the project.
var forProject = lazyregexp.New(` (?:for|of|in) (?:the )?[A-Z]\w*\.?$`)

// related reports whether one word begins with the other: "invite" and "invites".
func related(a, b string) bool {
	const most = 3 // letters more
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, strings.TrimRight(a, "esy")) && len(b)-len(a) <= most && len(strings.TrimRight(a, "esy")) > 1
}

// wordsOf splits a text or path into lower-case words, also those of a name in camel case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(source.Separated(text, ' '), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func hasArticle(s string) bool {
	return strings.HasPrefix(s, "a ") || strings.HasPrefix(s, "an ") || strings.HasPrefix(s, "the ")
}

func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// namesake returns the documented type or function that describes a module: its name has the module's, and it is the
// only public symbol, the only type, or the main one.
func namesake(k *survey.Module, typing survey.Typing) (*source.Declared, bool) {
	if kindOf(k) != "" {
		return nil, false
	}
	top, name := topLevel(k, typing), bare(nameOf(k))
	for _, d := range top {
		if d.Doc == "" || !strings.Contains(bare(strings.TrimSuffix(d.Name, d.Symbol.Name)+lastElement(d.Name)), name) {
			continue
		}
		if holdsMembers[d.Kind] && isMost(k, d, name) && !making.MatchString(d.Doc) || !holdsMembers[d.Kind] && len(top) == 1 {
			return d, true
		}
	}
	return nil, false
}

// topLevel lists the API of a module without members: the symbols that callers of the project reach, or else the
// internal ones.
func topLevel(k *survey.Module, typing survey.Typing) []*source.Declared {
	owners := map[string]bool{}
	var out, reached []*source.Declared
	for _, d := range offered(k, typing, aliasesOf(k), nil) {
		if _, member := ownerOf(owners, d.Name); member {
			continue
		}
		out = append(out, d)
		if typed, inside := typing.Of(d); !inside && len(typed.As) > 0 {
			reached = append(reached, d)
		}
		if holdsMembers[d.Kind] || d.Kind == source.Const || d.Kind == source.Var {
			owners[d.Name] = true
		}
	}
	if len(reached) > 0 {
		return reached
	}
	return out
}

// isMost reports whether the purpose of a type is that of its module. Either the type has the module's name and is the only one,
// or it and its members are at least half of the declarations. In the second case, a type with another name must be the only one.
func isMost(k *survey.Module, d *source.Declared, name string) bool {
	own, types, named := 0, map[string]bool{}, bare(lastElement(d.Name)) == name
	for i := range k.Declared {
		switch one := &k.Declared[i]; {
		case one.Name == d.Name || strings.HasPrefix(one.Name, d.Name+"."):
			own++
		case holdsMembers[one.Kind]:
			if !named {
				return false
			}
			if _, inner := ownerOf(types, one.Name); !inner {
				types[one.Name] = true
			}
		}
	}
	return named && len(types) == 0 || 2*own >= len(k.Declared)
}

// ofOneClass reports whether a package documentation describes only one base class, or is that of another declaration.
func ofOneClass(k *survey.Module, doc string) bool {
	copied := func(d source.Declared) bool { return strings.HasPrefix(d.Doc, strings.TrimRight(doc, ".")) }
	return len(k.Module.Units) > 1 && baseClass.MatchString(doc) || len(k.Declared) > 1 && slices.ContainsFunc(k.Declared, copied)
}

var baseClass = lazyregexp.New(`^\s*(?i:(?:an? |the )?(?:abstract )?base class)\b`)

// making matches a sentence about the construction of a type, not its purpose.
var making = lazyregexp.New(`^(?i:creates?|constructs?|instantiates?|initiali[sz]es?|builds?|returns?)\b`)

// bare normalizes names for comparison across naming conventions.
func bare(name string) string {
	return strings.ToLower(separators.Replace(name))
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "")

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

// languageTitles are Traits.Title of languages without a reader.
var languageTitles = map[string]string{
	"c#": "C#", "f#": "F#", "php": "PHP",
	"sql": "SQL", "make": "Make", "cmake": "CMake", "graphql": "GraphQL", "ocaml": "OCaml", "powershell": "PowerShell",
	"coffeescript": "CoffeeScript", "objective-c": "Objective-C", "protobuf": "Protocol Buffers", "cuda": "CUDA", "vhdl": "VHDL",
}

// LanguageTitle returns the display name of a language: TypeScript.
func LanguageTitle(name string) string {
	return cmp.Or(source.TraitsOf(name).Title, languageTitles[name], upper(name))
}

// packaged are languages without a reader that call a source directory a package.
var packaged = map[string]bool{"kotlin": true, "scala": true}

func moduleNoun(language string) string {
	if packaged[language] || source.TraitsOf(language).Packages {
		return "package"
	}
	return "module"
}
