package render

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// aboutFiles names the files of a module that are wanted, behind a colon: what they are called tells what a module is about that offers
// nothing by name. Those with most tests come first. Empty where no name says anything.
func aboutFiles(k *survey.Module, wanted func(source.Unit) bool) string {
	units := slices.DeleteFunc(slices.Clone(k.Module.Units), func(u source.Unit) bool { return !wanted(u) })
	slices.SortStableFunc(units, func(a, b source.Unit) int {
		return cmp.Or(len(b.File.Tests)-len(a.File.Tests), strings.Compare(a.Path, b.Path))
	})
	var names []string
	for _, u := range units {
		if name := fileSubject(u.Path); name != "" && bare(name) != bare(nameOf(k)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + someNames(names)
}

// fileSubject is what a file is about by its name, without what only says that it is a test; empty where that is what files of many
// projects are called.
func fileSubject(file string) string {
	stem, _, _ := strings.Cut(strings.TrimLeft(path.Base(file), "."), ".")
	name := testAffix.ReplaceAllString(stem, "$1")
	if customary[strings.ToLower(name)] {
		return ""
	}
	return canonical.Path(name)
}

// testAffix matches what marks the name of a test: "test_cart", "cart_test", "cart-spec", "CartTest", "TestCart".
var testAffix = regexp.MustCompile(`^(?:[Tt]ests?[_-]|Test([A-Z]))|[_-](?:tests?|spec)$|Tests?$`)

// aboutTests quotes the first tests of a module whose files are called like any.
func aboutTests(k *survey.Module) string {
	var names []string
	for _, u := range k.Module.Units {
		for _, t := range u.File.Tests {
			if name := canonical.Path(t); len(names) <= fewNames && !slices.Contains(names, name) { // one more says that there are others
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + someNames(names)
}

// testsAbove names the directory for tests of one thing that code for tests lies below: "test_loader/spiders" is there for those of the
// loader.
func testsAbove(dir string) string {
	at := underTests.FindStringIndex(dir)
	if at == nil {
		return ""
	}
	below, _, nested := strings.Cut(dir[at[1]:], "/")
	name := testDirAffix.ReplaceAllString(below, "")
	if !nested || name == below || name == "" {
		return ""
	}
	return " of " + canonical.Path(name)
}

var testDirAffix = regexp.MustCompile(`^[Tt]ests?[_-]|[_-][Tt]ests?$`)

// testData reports whether a directory below one for tests holds what they work on, and names what is said of it: the directory below
// the one that is called so.
func testData(dir string) (about string, data bool) {
	at := underTests.FindStringIndex(dir)
	if at == nil {
		return "", false
	}
	below := strings.Split(dir[at[1]:], "/")
	i := slices.IndexFunc(below, func(s string) bool { return dataDirs[s] })
	if i < 0 {
		return "", false
	}
	if i+1 < len(below) {
		about = ": " + canonical.Path(below[i+1])
	}
	return about, true
}

var dataDirs = map[string]bool{"data": true, "test_data": true, "test-data": true, "testdata": true}

// configured names the tools that a module of configuration files alone configures: "vite.config.ts".
func configured(k *survey.Module) string {
	var names []string
	for _, u := range k.Module.Units {
		tool, rest, _ := strings.Cut(path.Base(u.Path), ".")
		if !strings.HasPrefix(rest, "config.") {
			return ""
		}
		names = append(names, canonical.Path(tool))
	}
	return list(slices.Compact(names))
}

// buildsOnly reports whether there is nothing in a module but what says how to build it.
func buildsOnly(k *survey.Module) bool {
	return !slices.ContainsFunc(k.Module.Units, func(u source.Unit) bool { return u.Opaque == "" || !forBuilds[u.File.Language] })
}

var forBuilds = map[string]bool{"cmake": true, "make": true, "starlark": true, "bazel": true}

// mostlyScripts reports whether a module holds more files in languages that nobody reads here than programs in one that is read.
func mostlyScripts(k *survey.Module) bool {
	others := 0
	for _, u := range k.Module.Units {
		switch {
		case u.Opaque == "":
			others--
		case !forBuilds[u.File.Language]:
			others++
		}
	}
	return others > 0
}

// fileLanguages are the languages of most files of a module.
func fileLanguages(k *survey.Module) []string {
	count := map[string]int{}
	for _, u := range k.Module.Units {
		if !forBuilds[u.File.Language] {
			count[languageTitle(u.File.Language)]++
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	return names[:min(len(names), fewNames)]
}

// customary are names of files that say nothing of what is in them.
var customary = map[string]bool{
	"": true, "__init__": true, "__main__": true, "main": true, "index": true, "mod": true, "lib": true, "app": true, "test": true, "tests": true,
	"conftest": true, "setup": true, "build": true, "cmakelists": true, "makefile": true, "dockerfile": true, "package-info": true, "doc": true,
	"all": true,
}

// inside lists what a module declares that has no members and is no member, whether others reach it or not, but for where it begins.
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

// beginnings are names of what every program has.
var beginnings = map[string]bool{"main": true, "default": true, "App": true, "init": true}

// withInside says what is in a program or an example, which offers hardly anything to others.
func withInside(k *survey.Module) string {
	if list := inside(k); len(list) > 0 {
		return " with " + contents(k, list)
	}
	return ""
}
