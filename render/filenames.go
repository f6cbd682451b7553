package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// testSubjects returns the specific names of files with tests, those with most tests first; none if most files have no
// tests. One that has no specific name is among the others.
func testSubjects(k *survey.Module) []string {
	read := slices.DeleteFunc(slices.Clone(k.Module.Units), func(u source.Unit) bool { return u.Opaque != "" })
	units := slices.DeleteFunc(slices.Clone(read), func(u source.Unit) bool { return len(u.File.Tests) == 0 })
	if 2*len(units) < len(read) {
		return nil
	}
	slices.SortStableFunc(units, func(a, b source.Unit) int {
		return cmp.Or(len(b.File.Tests)-len(a.File.Tests), strings.Compare(a.Path, b.Path))
	})
	var names []string
	unnamed := false
	for _, u := range units {
		name := fileSubject(u.Path)
		if unnamed = unnamed || name == ""; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 1 && bare(names[0]) == bare(nameOf(k)) {
		return nil
	}
	if unnamed && len(names) > 0 && len(names) <= fewNames {
		names = append(names, "others")
	}
	return names
}

// fileSubject returns the subject of a file by its name, without test affixes; empty for customary names.
func fileSubject(file string) string {
	stem, _, _ := strings.Cut(strings.TrimLeft(path.Base(file), "."), ".")
	name := testAffix.ReplaceAllString(stem, "$1")
	if lower := strings.ToLower(name); released.MatchString(lower) || customary[lower] || source.IsConventional(lower) {
		return ""
	}
	return canonical.Path(name)
}

// released matches names that begin with a version.
var released = lazyregexp.New(`^v?\d+$`)

// testAffix matches the affixes of test files: "test_cart", "cart_test", "cart-spec", "CartTest", "TestCart".
var testAffix = lazyregexp.New(`^(?:[Tt]ests?[_-]|Test([A-Z]))|[_-](?:tests?|spec)$|(?:Unit|Int|Integration)?(?:Tests?|TestCase|IT)$`)

// customary are file names that are not specific.
var customary = map[string]bool{
	"": true, "main": true, "app": true, "test": true, "tests": true,
	"conftest": true, "setup": true, "build": true, "cmakelists": true, "makefile": true, "dockerfile": true, "package-info": true, "doc": true,
	"all": true,
}
