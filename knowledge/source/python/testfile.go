package python

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

var testFrameworks = lazy.Set(`
unittest unittest2 pytest nose nose2 testtools twisted.trial django.test rest_framework.test absl.testing asynctest
aiounittest hypothesis
`)

// namedAsTest follows the conventions of pytest and unittest.
func namedAsTest(name string) bool {
	return stemOfTest(name) || source.InFolder(path.Dir(name), "test", "tests")
}

func stemOfTest(name string) bool {
	stem := moduleName(path.Base(name))
	return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || stem == "conftest"
}

// importsTestFramework reports whether the file imports a test framework or a test case class.
func (x *reader) importsTestFramework() bool {
	for i := range x.imports {
		for _, n := range x.imports[i].Names {
			if strings.HasSuffix(n.Name, "TestCase") {
				return true
			}
		}
		module := x.imports[i].Path
		if testFrameworks[module] {
			return true
		}
		for j := range len(module) {
			if module[j] == '.' && testFrameworks[module[:j]] {
				return true
			}
		}
	}
	return false
}

// isTest reports whether the file only tests, judged by its imports and declarations, and by its name if these are
// inconclusive.
func (x *reader) isTest(name string, symbols []source.Symbol, framework bool) bool {
	switch {
	case !namedAsTest(name):
		return framework && len(x.tests) > 0 && len(x.tests) >= x.offers(symbols, false)
	case framework || len(x.tests) > 0 || source.InFolder(path.Dir(name), "test", "tests") || moduleName(path.Base(name)) == "conftest":
		return true
	}
	return x.offers(symbols, true) == 0 || x.asserts()
}

// offers counts the non-test functions and classes that other modules may use; with documented, only those with
// documentation.
func (x *reader) offers(symbols []source.Symbol, documented bool) int {
	tests := map[string]bool{}
	for _, t := range x.tests {
		top, _, _ := strings.Cut(t, ".")
		tests[top] = true
	}
	n := 0
	for i := range symbols {
		s := &symbols[i]
		if s.Exported && (s.Kind == source.Func || s.Kind == source.Class) && !tests[s.Name] && (s.Doc != "" || !documented) &&
			strings.IndexByte(s.Name, '.') < 0 {
			n++
		}
	}
	return n
}

func (x *reader) asserts() bool {
	for _, l := range x.lines {
		if x.is(int(l.first), int(l.end), "assert") {
			return true
		}
	}
	return false
}
