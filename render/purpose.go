package render

import (
	"cmp"
	"fmt"
	"regexp"
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
	if rest, ok := strings.CutPrefix(upper(s), "Package "+name+" "); ok && language == "go" {
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

// composition says what a module does that nobody described, and what is in it: what it offers, or else what its files are called. It counts
// nothing: a number would change with every symbol.
func composition(k *survey.Module, implements []source.Implementation) string {
	hasTests := func(u source.Unit) bool { return len(u.File.Tests) > 0 }
	language := languageTitle(k.Module.Language())
	switch kind := kindOf(k); {
	case kind == kindTests && !slices.ContainsFunc(k.Module.Units, hasTests):
		return language + " code for tests" + aboutFiles(k, anyFile) + "."
	case kind == kindTests, mostlyTests(k):
		return language + " tests" + aboutFiles(k, hasTests) + "."
	case kind == kindCommand:
		files := aboutFiles(k, func(u source.Unit) bool { return u.File.Main })
		return language + " command" + cmp.Or(files, withInside(k)) + "."
	}
	noun := fmt.Sprintf("%s %s", language, moduleNoun(k.Module.Language()))
	s, told := language+" code", false
	done := does(k, implements)
	switch top := topLevel(k); {
	case done == "" && isExample(Summary{Path: k.Module.Path}) && len(k.Module.Units) > fewNames: // each shows something else
	case isExample(Summary{Path: k.Module.Path}) && len(top) < fewNames && withInside(k) != "":
		s, told = noun+withInside(k), true
	case len(top) > 0:
		s, told = noun+" with "+contents(k, top), slices.ContainsFunc(top, hasName)
	}
	switch {
	case done != "":
		return upper(done) + ": " + s + "."
	case !told:
		s += aboutFiles(k, anyFile)
	}
	return s + "."
}

// mostlyTests reports whether a module is tests with some helpers: below a directory for tests, there are more of them than other files.
func mostlyTests(k *survey.Module) bool {
	tests := 0
	for _, u := range k.Module.Units {
		if u.File.Test {
			tests++
		}
	}
	return 2*tests > len(k.Module.Units) && underTests.MatchString(k.Module.Path)
}

func anyFile(source.Unit) bool { return true }

func hasName(d *source.Declared) bool { return d.Symbol.Name != "default" }

// namesake is the documented type or function that a module is there for: the only thing that it offers, or the one that has its name.
// What is said of that is said of the module.
func namesake(k *survey.Module) (*source.Declared, bool) {
	if kindOf(k) != "" {
		return nil, false
	}
	top, name := topLevel(k), bare(nameOf(k))
	for _, d := range top {
		if d.Doc != "" && !(holdsMembers[d.Kind] && making.MatchString(d.Doc)) && (len(top) == 1 || (holdsMembers[d.Kind] || d.Kind == source.Func) && bare(d.Symbol.Name) == name) {
			return d, true
		}
	}
	return nil, false
}

// making matches what is said of how a type is made, and not of what it is for.
var making = regexp.MustCompile(`^(?i:creates?|constructs?|instantiates?|initiali[sz]es?|builds?|returns?)\b`)

// bare is a name without what languages write differently in names of modules and of what is in them.
func bare(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

// fewNames is how many names a sentence lists.
const fewNames = 3

// contents names what a module offers, by kind: of many the largest, and what is neither a type nor a function only where there is
// nothing else.
func contents(k *survey.Module, top []*source.Declared) string {
	size := sizes(k)
	var parts []string
	for rank, g := range composed {
		if rank > rankOfFunctions && len(parts) > 0 {
			break
		}
		of := slices.DeleteFunc(slices.Clone(top), func(d *source.Declared) bool { return !slices.Contains(g.kinds, d.Kind) })
		slices.SortStableFunc(of, func(a, b *source.Declared) int { return size[b.Name] - size[a.Name] })
		var names []string
		for _, d := range of {
			if n := d.Symbol.Name; n != "default" && !slices.Contains(names, n) && len(names) < fewNames { // which is no name
				names = append(names, n)
			}
		}
		switch {
		case len(of) == 0:
		case len(names) == 0:
			parts = append(parts, "a "+g.noun)
		case len(of) > len(names):
			parts = append(parts, g.noun+"s such as "+list(names))
		case len(of) == 1:
			parts = append(parts, "the "+g.noun+" "+names[0])
		default:
			slices.Sort(names)
			parts = append(parts, "the "+g.noun+"s "+list(names))
		}
	}
	return list(parts)
}

// sizes are how much there is to the declarations of a module: a type has its members, and code what it names.
func sizes(k *survey.Module) map[string]int {
	out := map[string]int{}
	for i := range k.Declared {
		d := &k.Declared[i]
		size := 1 + len(d.Body)
		out[d.Name] += size
		if dot := strings.LastIndexByte(d.Name, '.'); dot > 0 {
			out[d.Name[:dot]] += size
		}
	}
	return out
}

// rankOfFunctions is the place of functions among composed.
const rankOfFunctions = 1

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
	for _, d := range offered(k, survey.Typing{}, aliasesOf(k), nil) {
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
