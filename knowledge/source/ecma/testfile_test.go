package ecma

import (
	"context"
	"slices"
	"testing"
)

// TestWhatIsATestFile checks that test files are recognised by imports and declarations, and by name only without them.
func TestWhatIsATestFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, path, src string
		test            bool
		tests           []string
	}{
		{"vitest under any name", "src/a.ts", "import { describe, it as t, it } from 'vitest'\ndescribe('a', () => { it('b', f) })", true, []string{"b"}},
		{"globals of jest", "src/check.js", "describe('a', () => { it('b', f); test.each(x)('c', f) })", true, []string{"b", "c"}},
		{"mocha", "check.cjs", "const { it } = require('mocha')\nit('a', f)", true, []string{"a"}},
		{"node:test", "check.mjs", "import test from 'node:test'\nawait test('a', async t => { await t.test('b', f) })", true, []string{"a", "b"}},
		{"ava", "check.js", "import test from 'ava'\ntest.serial('a', f)", true, []string{"a"}},
		{"tap", "check.js", "const t = require('tap')\nt.test('a', f)", true, []string{"a"}},
		{"tape", "test.js", "var test = require('tape')\ntest('a', function (t) {})", true, []string{"a"}},
		{"QUnit", "check.js", "QUnit.test('a', f)", true, []string{"a"}},
		{"a framework's function under its own name", "a.ts", "import { suite } from 'uvu'\nconst test = suite('s')\ntest('a', f)", true, []string{"a"}},
		{"groups are no tests", "a.test.ts", "describe('a', () => { test.describe('b', () => {}); context('c', f); suite('d', f) })", true, nil},
		{"a name and nothing else", "a.test.ts", "run()", true, nil},
		{"a name with exports", "api.spec.ts", "export const spec = { openapi: '3.1' }", false, nil},
		{"a name, exports and tests", "a.spec.ts", "export const spec = 1\nit('a', f)", true, []string{"a"}},
		{"a name, exports and a framework", "a.spec.ts", "import { expect } from 'vitest'\nexport const check = () => expect(1)", true, nil},
		{"a directory of tests", "test/helper.ts", "export const a = 1", true, nil},
		{"a suite for others", "suite.ts", "import { describe, it } from 'vitest'\nexport function run() { describe('a', () => { it('b', f) }) }", false, nil},
		{"tests beside the code", "a.ts", "export const a = 1\nif (import.meta.vitest) { const { it } = import.meta.vitest; it('a', f) }", false, nil},
		{"a method", "a.js", "pattern.test('a')\nrouter.it('a')", false, nil},
		{"a function of the file", "a.js", "function test(name) {}\ntest('a')", false, nil},
		{"a function from elsewhere", "a.js", "import { test, it as describe } from './own.js'\ntest('a')\ndescribe('b')", false, nil},
		{"no text", "a.js", "it(f)", false, nil},
	} {
		f := languageOf(c.path).Extract(context.Background(), c.path, []byte(c.src))
		if f.Test != c.test || !slices.Equal(f.Tests, c.tests) {
			t.Errorf("%s: %v with %q, want %v with %q", c.what, f.Test, f.Tests, c.test, c.tests)
		}
	}
}

// TestFactsOfTests checks that the setup of a test is not behaviour of the program.
func TestFactsOfTests(t *testing.T) {
	t.Parallel()
	const src = "process.exit(1)\nit('a', f)"
	if f := JavaScript.Extract(context.Background(), "a.js", []byte(src)); !f.Test || len(f.Facts) != 0 {
		t.Errorf("test %v with facts %v", f.Test, f.Facts)
	}
}
