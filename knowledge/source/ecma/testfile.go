package ecma

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

type testKind uint8

const (
	notTest testKind = iota
	oneTest
	testGroup
)

func testFunction(name []byte) testKind {
	switch string(name) {
	case "it", "test", "specify":
		return oneTest
	case "describe", "suite", "context":
		return testGroup
	}
	return notTest
}

var testFrameworks = lazy.Set(`vitest @jest/globals jest mocha node:test bun:test ava tap tape jasmine uvu qunit @playwright/test
	@japa/runner @std/testing/bdd @web/test-runner zora tap-only`)

// namedTest recognises test files by the file name or directory conventions of common test runners.
func namedTest(name string) (byName, byDirectory bool) {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	dirs := strings.Split(path.Dir(name), "/")
	byName = strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec")
	return byName, dirs[0] == "test" || dirs[0] == "tests" || slices.Contains(dirs, "__tests__")
}

// onlyTests reports whether the file exists only for tests. The name alone does not suffice if the file exports
// something, runs no test and imports no framework; top-level tests always do.
func (x *extractor) onlyTests() bool {
	byName, byDirectory := namedTest(x.path)
	if byDirectory || len(x.tests) > 0 && byName {
		return true
	}
	framework := slices.ContainsFunc(x.imports, func(imp source.Import) bool { return testFrameworks[imp.Path] })
	if !byName {
		return slices.ContainsFunc(x.topCalls, func(name string) bool { return x.declaresTests(name, framework) })
	}
	return framework || len(x.topCalls) > 0 || !slices.ContainsFunc(x.symbols, func(s symbol) bool { return s.Exported })
}

// declaresTests reports whether a function called at top level declares tests: a global that the file neither declares
// nor imports from elsewhere, or a framework function.
func (x *extractor) declaresTests(name string, framework bool) bool {
	if _, declared := x.index[name]; declared {
		return framework
	}
	if l, ok := x.boundTo(name); ok {
		return testFrameworks[l.from]
	}
	return testFunction([]byte(name)) == oneTest || name == "describe" || name == "QUnit" || framework
}

// topCall records the statement at i if it may declare tests: describe("name", …), test.only("name", …),
// t.test("name", …).
func (x *extractor) topCall(i int) {
	if t := x.at(i); t.isKeyword(kAwait) || t.isKeyword(kVoid) {
		i++
	}
	head := i
	if x.testFunction(i) == notTest && x.at(i+1).isPunct('.') {
		head = i + 2
	}
	if x.at(i).kind == tIdent && x.testCall(head) > 0 {
		x.topCalls = append(x.topCalls, x.text(i))
	}
}

func (x *extractor) testFunction(i int) testKind {
	t := x.at(i)
	if t.kind != tIdent {
		return notTest
	}
	return testFunction(x.src[t.off:t.end])
}

// testCall reads it("name", …), test.only("name", …) or test.each(table)("name", …) and returns the token of the
// test's name, or 0; i is at the function.
func (x *extractor) testCall(i int) (name int) {
	if x.testFunction(i) == notTest {
		return 0
	}
	for i++; x.at(i).isPunct('.') && x.at(i+1).kind == tIdent; i += 2 {
		if x.textIs(i+1, "each") {
			i = x.skip(i+2) - 2
		}
	}
	if k := x.at(i + 1).kind; x.at(i).isPunct('(') && (k == tString || k == tTemplate) {
		return i + 1
	}
	return 0
}

// Objects whose methods declare tests.
var testReceivers = map[string]bool{"Deno": true, "QUnit": true, "t": true, "tap": true}

// testName records the name of the test declared by the call at i.
func (x *extractor) testName(i int) {
	switch name := x.testCall(i); {
	case name == 0, x.afterDot(i) && !testReceivers[x.text(i-2)]:
	case x.at(i+1).isPunct('.') && x.testFunction(i+2) == testGroup: // test.describe
	default:
		if text := unquote([]byte(x.text(name))); text != "" {
			x.tests = append(x.tests, text)
		}
	}
}
