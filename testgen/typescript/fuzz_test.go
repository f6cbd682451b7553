package typescript

import (
	"testing"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func FuzzOutline(f *testing.F) {
	for _, code := range []string{
		sources["src/slug-text.ts"], "export const a = async <T,>(x: T[]): Promise<T> => x[0], b = 2\nexport { a as c }", "class A { static async *f() {} static { } get x() { return 1 } }",
		"import d, { type T, x as y } from './a'\nimport * as n from \"n\"\nexport * from './b'", "enum E { A = 1, B }\ntype F<T> = { [K in keyof T]: T[K] }", "<<<<((([[{{${`",
		"interface I extends J<K>, L { (x: number): void; m?(): string }", "export function f(a: (b: string) => c extends d ? e : f, { g, h: [i] }: J = {}): asserts a is b {",
	} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		one := readFile("a.ts", []byte(code))
		pkg := &Package{files: map[string]*file{"a.ts": one}, names: one.decls}
		for _, d := range one.decls {
			for _, p := range one.Places[d.Name] {
				if p.From < 0 || p.From > p.Body || p.Body > p.To || p.To > len(one.Tokens) {
					t.Fatalf("%s is at %v of %d tokens", d.Name, p, len(one.Tokens))
				}
			}
			d.globals()
			if d.callable {
				plan := &Plan{Name: d.Name}
				pkg.signature(plan, d)
				calls := testgen.Pool{Most: mostCandidates, Longest: 399}
				(&seeds{}).tuples(plan.Params, &calls)
				for _, c := range calls.Calls {
					if _, err := plan.args(&spec.Case{Args: c.Args}); err != nil {
						t.Fatalf("%s is proposed for %s: %v", spec.KeyOf(c.Args), plan.Target.Signature, err)
					}
				}
			}
		}
	})
}

func FuzzLiteral(f *testing.F) {
	for _, code := range []string{`[1, "a\u{1f600}", { b: -2n }]`, `new Date("2020-01-01")`, "`a\\\nb`", `'\x41\ud800'`, "1_0.5e-3", "/a[/]b/gi", "[[[[[[[[[[[[[["} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if once, twice := written(t, code); once != twice && tagged(valueIn(t, code)) != regexpKey && !holdsPattern(valueIn(t, code)) {
			t.Errorf("%q is written as %s, and that as %s", code, once, twice)
		}
	})
}

func valueIn(t *testing.T, code string) spec.Value {
	t.Helper()
	v, _ := startOf(code)
	return v
}

// holdsPattern reports whether there is a regular expression in a value: it is written as a call that is no literal.
func holdsPattern(v spec.Value) bool {
	switch v := v.(type) {
	case []spec.Value:
		for _, e := range v {
			if holdsPattern(e) {
				return true
			}
		}
	case map[string]spec.Value:
		for key, e := range v {
			if key == regexpKey || holdsPattern(e) {
				return true
			}
		}
	}
	return false
}

func FuzzExamples(f *testing.F) {
	f.Add("@example\nf(\"a\", [1]) // => { b: 'c' }\n//=> 3\n```\nf(1)\n```")
	f.Fuzz(func(t *testing.T, doc string) {
		for _, e := range docExamples(doc, "f") {
			for _, a := range e.args {
				if _, err := code(a, 0); err != nil {
					t.Errorf("an argument that was read cannot be written: %v", err)
				}
			}
		}
	})
}
