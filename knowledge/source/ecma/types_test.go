package ecma

import (
	"context"
	"strings"
	"testing"
)

// TestArrowsOfTypes distinguishes the arrow of a function from the arrow of its result type, and the > of a type from an operator.
func TestArrowsOfTypes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ src, want string }{
		{"export const f = (): ((a: A) => B) => { return g }", "func f: const f = (): ((a: A) => B) => …"},
		{"export const f = (): (<T>(a: () => T) => T) => g", "func f: const f = (): (<T>(a: () => T) => T) => …"},
		{"export const f = (a: A): ((a: A) => void)[] => g", "func f: const f = (a: A): ((a: A) => void)[] => …"},
		{"export const f = (): (A | B) => g", "func f: const f = (): (A | B) => …"},
		{"export const f = async (): Promise<(a: A) => B> => g", "func f: const f = async (): Promise<(a: A) => B> => …"},
		{"export let f: () => (a: A) => B", "var f: let f: () => (a: A) => B"},
		{"export let f: ({ a, b }: A, [c]: C, ...rest: D[]) => B", "var f: let f: ({ a, b }: A, [c]: C, ...rest: D[]) => B"},
		{"export let f: (a) => B; export let g: (this: A) => B", "var f: let f: (a) => B|var g: let g: (this: A) => B"},
		{"export let f: (a?: A) => B = g", "var f: let f: (a?: A) => B = g"},
		{"export let f: ({ a }) => B, g: (readonly A[])", "var f: let f: ({ a }) => B|var g: let g: (readonly A[])"},
		{"class A {\n  a: F = (): R<F> => this.b as R<F>\n  b: G = (): R<G> => {\n  }\n}",
			"class A: class A|field A.a: a: F|field A.b: b: G"},
		{"class A {\n  a = b as Map<string, Set<B>>\n  c: C\n}", "class A: class A|field A.a: a = b as Map<string, Set<B>>|field A.c: c: C"},
		{"class A {\n  a = b as C<D>\n    || c\n  d: D\n}", "class A: class A|field A.a: a = b as C<D> || c|field A.d: d: D"},
		{"// JavaScript\nclass A {\n  a = b < c >\n    d\n}", "class A: class A|field A.a: a = b<c> d"},
	} {
		language := TypeScript
		if strings.HasPrefix(test.src, "// JavaScript") {
			language = JavaScript
		}
		f := language.Extract(context.Background(), "src/a", []byte(test.src))
		var got []string
		for _, s := range f.Symbols {
			got = append(got, string(s.Kind)+" "+s.Name+": "+strings.TrimPrefix(s.Signature, "export "))
		}
		if strings.Join(got, "|") != test.want || f.Problem != "" {
			t.Errorf("%s:\n got %s, problem %q\nwant %s", test.src, strings.Join(got, "|"), f.Problem, test.want)
		}
	}
}
