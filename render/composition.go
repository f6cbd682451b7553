package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// composition describes an undocumented module by its API, or else by its file names. It contains no numbers, which
// would change with every symbol.
func composition(k *survey.Module, typing survey.Typing, implements []source.Implementation) string {
	hasTests := func(u source.Unit) bool { return len(u.File.Tests) > 0 }
	language := LanguageTitle(k.Module.Language())
	switch kind := kindOf(k); {
	case configured(k) != "":
		return "Configuration of " + configured(k) + "."
	case buildsOnly(k):
		return language + " build rules" + aboutFiles(k, anyFile) + "."
	case kind == kindTests && !slices.ContainsFunc(k.Module.Units, hasTests):
		if about, data := testData(k.Module.Path); data {
			return language + " data for tests" + cmp.Or(about, aboutFiles(k, anyFile)) + "."
		}
		return language + " code for tests" + testsAbove(k.Module.Path) + cmp.Or(aboutFiles(k, anyFile), withInside(k)) + "."
	case kind == kindTests, mostlyTests(k):
		return language + " tests" + cmp.Or(aboutFiles(k, hasTests), aboutTests(k)) + "."
	case kind == kindCommand && mostlyScripts(k):
		return "Code in " + list(fileLanguages(k)) + aboutFiles(k, anyFile) + "."
	case kind == kindCommand:
		files := aboutFiles(k, func(u source.Unit) bool { return u.File.Main })
		return language + " command" + cmp.Or(files, withInside(k)) + "."
	}
	noun := fmt.Sprintf("%s %s", language, moduleNoun(k.Module.Language()))
	s, told := language+" code", false
	done := does(k, implements)
	switch top := topLevel(k, typing); {
	case done == "" && isExample(Summary{Path: k.Module.Path}) && len(k.Module.Units) > fewNames: // examples: each file shows something else
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

// mostlyTests reports whether a module below a test directory has more tests than other files.
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

const fewNames = 3

// contents names the API of a module by kind, the largest symbols first. Kinds other than types and functions count
// only if there is nothing else.
func contents(k *survey.Module, top []*source.Declared) string {
	size := sizes(k)
	var parts []string
	passed := slices.DeleteFunc(slices.Clone(top), func(d *source.Declared) bool { return d.Kind != source.Reexport })
	if 2*len(passed) > len(top) {
		top = passed
	}
	for rank, g := range composed {
		if rank > rankOfFunctions && len(parts) > 0 {
			break
		}
		of := slices.DeleteFunc(slices.Clone(top), func(d *source.Declared) bool { return !slices.Contains(g.kinds, d.Kind) })
		slices.SortStableFunc(of, func(a, b *source.Declared) int { return size[b.Name] - size[a.Name] })
		var names []string
		for _, d := range of {
			if n := d.Symbol.Name; n != "default" && !slices.Contains(names, n) && len(names) < fewNames {
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

// sizes estimates the size of declarations: members of a type, names that code refers to.
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

const rankOfFunctions = 1

// composed are the kinds as sentences name them. Namespaces are last: their contents matter more.
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

// inside lists the top-level types and functions of a module, exported or not, except entry points.
func inside(k *survey.Module) []*source.Declared {
	var out []*source.Declared
	for i := range k.Declared {
		d := &k.Declared[i]
		if (holdsMembers[d.Kind] || d.Kind == source.Func) && !strings.Contains(d.Symbol.Name, ".") && !beginnings[d.Symbol.Name] {
			out = append(out, d)
		}
	}
	return out
}

// beginnings are names that every program has.
var beginnings = map[string]bool{"main": true, "default": true, "App": true, "init": true}

// withInside describes a program or an example, which has hardly any API.
func withInside(k *survey.Module) string {
	if list := inside(k); len(list) > 0 {
		return " with " + contents(k, list)
	}
	return ""
}
