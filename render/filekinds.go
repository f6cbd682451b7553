package render

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// testsAbove returns the name of the nearest specific test directory: in "test_loader/spiders", the loader.
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

var testDirAffix = lazyregexp.New(`^[Tt]ests?[_-]|[_-][Tt]ests?$`)

// testData reports whether a directory below a test directory holds test data, and names its subject.
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

// configured names the tools of a module that has only configuration files: "vite.config.ts".
func configured(k *survey.Module) string {
	var names []string
	for _, u := range k.Module.Units {
		if u.Opaque != "" {
			continue
		}
		if !forTools(u.Path) {
			return ""
		}
		tool, _, _ := strings.Cut(path.Base(u.Path), ".")
		names = append(names, canonical.Path(tool))
	}
	return list(slices.Compact(names))
}

// forTools reports whether a file is named after the tool that it configures.
func forTools(file string) bool {
	_, rest, _ := strings.Cut(path.Base(file), ".")
	return strings.Contains("."+rest, ".config.")
}

// buildsOnly reports whether a module has only build files.
func buildsOnly(k *survey.Module) bool {
	return !slices.ContainsFunc(k.Module.Units, func(u source.Unit) bool { return u.Opaque == "" || !forBuilds[u.File.Language] })
}

var forBuilds = map[string]bool{"cmake": true, "make": true, "starlark": true, "bazel": true}

// mostlyScripts reports whether a module has more files in unsupported languages than programs in supported ones.
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

func fileLanguages(k *survey.Module) []string {
	count := map[string]int{}
	for _, u := range k.Module.Units {
		if !forBuilds[u.File.Language] {
			count[LanguageTitle(u.File.Language)]++
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	return names[:min(len(names), fewNames)]
}
