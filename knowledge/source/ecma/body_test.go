package ecma

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// written is a list of references as a test wants to see it: `name` a value, `name()` a call, `:name` a type, a dot first
// for an open one.
func written(refs []source.Reference) string {
	words := make([]string, 0, len(refs))
	for _, r := range refs {
		word := r.Name
		switch r.Kind {
		case source.RefCall:
			word += "()"
		case source.RefType:
			word = ":" + word
		case source.RefValue:
		}
		if r.Open {
			word = "." + word
		}
		words = append(words, word)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// TestBodies checks the free names of each declaration. The symbol "" is the file.
func TestBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, path, src, symbol, want string }{
		{"parameters and locals", "a.ts", "function f(a, {b, c: d = x}, ...e) { let g = a + b + d + e; return g + c }", "f", "c x"},
		{"a name before its declaration", "a.ts", "function f() { h(); var v; function h() { v; w } }", "f", "w"},
		{"a block ends", "a.ts", "function f() { { let a; a } return a }", "f", "a"},
		{"var belongs to the function", "a.ts", "function f() { if (x) { var a = 1 } return a }", "f", "x"},
		{"a default value does not see the body", "a.ts", "function f(a = b) { var b; return a }", "f", "b"},
		{"the loop's variable", "a.ts", "function f() { for (const i of list) g(i); return i }", "f", "g() i list"},
		{"a loop without declaration", "a.ts", "function f() { for (i of list) g(i) }", "f", "g() i list"},
		{"catch", "a.ts", "function f() { try { g() } catch ({message: m}) { h(m) } finally { k() } return m }", "f", "g() h() k() m"},
		{"labels", "a.ts", "function f() { outer: for (;;) { if (a) break outer; continue outer } }", "f", "a"},
		{"switch", "a.ts", "function f(x) { switch (x) { case A: case (B): let a; return a; default: return C } }", "f", "A B C"},
		{"keys and shorthands", "a.ts", "function f() { return { key: v, short, [computed]: 1, get got() { return w }, m(p) { return p }, ...rest } }", "f", "computed rest short v w"},
		{"arrows", "a.ts", "const f = (a: A): B => b => async c => [a, b, c, d]", "f", ":A :B d"},
		{"an arrow within a condition", "a.ts", "const f = a ? (b) : c => d(c)", "f", "a b d()"},
		{"an arrow with a result within a condition", "a.ts", "const f = a ? (b: X): Y => b : (c)", "f", ":X :Y a c"},
		{"recursion", "a.ts", "function f() { return f() }", "f", "f()"},
		{"the own name of an expression", "a.ts", "const f = function g() { return g() }", "f", ""},
		{"paths", "a.ts", "function f() { return a.b.c(d.e)?.g.h[i].j() }", "f", ".g .h .j() a.b.c() d.e i"},
		{"a call with type arguments", "a.ts", "function f() { return g<T>(1) < h }", "f", ":T g() h"},
		{"comparisons", "a.ts", "function f() { const a = b < 2 ? c : d; const e = a >= g; return e }", "f", "b c d g"},
		{"a require of its own", "a.mjs", "function f(require) { return require('a').b }", "f", ""},
		{"construction", "a.ts", "function f() { return new a.B<C>(new D).e() }", "f", ".e() :C :D :a.B"},
		{"tags and templates", "a.ts", "const f = sql`a ${b} ${`${c}`}`", "f", "b c sql()"},
		{"casts", "a.ts", "const f = (<A>b as C satisfies D)!.e", "f", ".e :A :C :D b"},
		{"locals of a known type", "a.ts", "function f(b: Buf, s: string, l: A[], n: N | null) { b.flush(); s.trim(); l.map(g); n?.m; const d = new Dog(); d.bark() }", "f", ":A :Buf :Dog :N Buf.flush() Dog.bark() N.m g"},
		{"locals of unknown type", "a.ts", "function f(a, b: T | U) { a.x(); b.y.z }", "f", ".x() .y .z :T :U"},
		{"a type parameter is no type", "a.ts", "function f<T extends B>(a: T) { a.x() }", "f", ".x() :B"},
		{"a variable that cannot be called this", "a.js", "var this; let g = () => this.a.c()", "g", ".a .c()"},
		{"predeclared", "a.ts", "function f(): Promise<string> { return Promise.resolve(Math.max(1, undefined)) }", "f", ""},
		{"predeclared but imported", "a.ts", "import { URL } from 'u'; function f() { return new URL() }", "f", ":URL"},
		{"imports", "a.ts", "import d, * as n from 'm'; import { a as b } from 'm'; function f() { d(); n.x(); b }", "f", "b d() n.x()"},
		{"a hidden import", "a.ts", "import { a } from 'm'; function f(a) { return a }", "f", ""},
		{"a type beside a parameter of its name", "a.ts", "function f(node: node) { return node }", "f", ":node"},
		{"types", "a.ts", "type F<T> = { [K in keyof T as `${K & P}`]?: T[K] } | (<U>(a: U, b: Q) => a is R) | typeof v.w | N.M<S> | [x: X, y?: Y]", "F", ":N.M :P :Q :R :S :X :Y v.w"},
		{"infer", "a.ts", "type F<T> = T extends (a: infer A, ...b: any[]) => infer R ? [A, R] : E", "F", ":E"},
		{"assertions", "a.ts", "function f(x): asserts x is T { }", "f", ":T"},
		{"this in a class", "a.ts", "class C { m() { this.x; [1].map(() => this.y()); function g() { this.z } } }", "C.m", ".z C.x C.y()"},
		{"a private name", "a.ts", "class C { #p = 1; m(o) { return o.#p + this.#q() } }", "C.m", "C.#p C.#q()"},
		{"super", "a.ts", "class C extends a.B { constructor() { super(x); super.m() } }", "C.constructor", ":a.B a.B.m() x"},
		{"a class without its members", "a.ts", "@dec(a) class C<T> extends B<T> implements I { m() { x } static { y } [k]: K }", "C", ":B :I a dec() y"},
		{"a parameter property", "a.ts", "class C { constructor(private a: A) {} }", "C.constructor", ":A"},
		{"and its field", "a.ts", "class C { constructor(private a: A) {} }", "C.a", ":A"},
		{"a class that is a value", "a.ts", "const C = class D { m() { return this.x + D } }", "C.m", "C.x"},
		{"a local class", "a.ts", "function f() { class L extends B { m() { this.n() } } return new L() }", "f", ".n() :B"},
		{"an interface without its members", "a.ts", "interface I<T> extends A<T> { m(): B }", "I", ":A"},
		{"its member", "a.ts", "interface I<T> { m<U>(a: T, b: U): B }", "I.m", ":B"},
		{"an enumeration", "a.ts", "enum E { A = x, B = A, C = E.A }", "E", "E.A x"},
		{"a namespace", "a.ts", "namespace N { export function g() {} export function f() { g(); h() } } function h() {}", "N.f", "N.g() h()"},
		{"two parts of a namespace", "a.ts", "namespace N { export const a = 1 } namespace N { export const b = a + M.c } namespace M { export const c = 1 }", "N.b", "M.c N.a"},
		{"overloads", "a.ts", "function f(a: A): void; function f(a: B): void {}", "f", ":A :B"},
		{"several variables", "a.ts", "const a = x, f = y", "f", "y"},
		{"destructured variables", "a.ts", "const { a, b: f = x } = g()", "f", "g() x"},
		{"an exported name", "a.ts", "function g() {} export { g as f }", "f", "g"},
		{"a default name", "a.ts", "const g = 1; export default g", "default", "g"},
		{"the file's statements", "a.ts", "const a = 1; if (a) { let b; var c; run(b, c, d) }", "", "a d run()"},
		{"elements", "a.tsx", "const f = () => <Foo.Bar a={b} {...c}><div on:x='y'>{d} text</div><List<T> item /><></></Foo.Bar>", "f", ":T Foo.Bar() List() b c d"},
		{"javascript without type arguments", "a.js", "function f() { return a < b > (c) }", "f", "a b c"},
		{"prototypes", "a.js", "function C() { this.a }; C.prototype.f = function () { this.b(); C.prototype.g.call(this) }", "C.f", "C C.b() C.g() C.g.call()"},
		{"a function with a prototype", "a.js", "function C() { this.a }; C.prototype.f = function () {}", "C", "C.a"},
		{"functions that are properties", "a.js", "var app = module.exports = {}; app.f = function f() { this.g() }", "app.f", "app app.g()"},
		{"CommonJS", "a.cjs", "const p = require('p'); exports.f = function () { exports.g(); module.exports.g; p.join() }; exports.g = () => {}", "f", "g g() p.join()"},
		{"exported objects", "a.cjs", "module.exports = { f(a) { return a + b } }", "f", "b"},
		{"fields on lines of their own", "a.ts", "class C {\n a = x\n b: B = y\n static async *f() { z }\n get\n g() {} }", "C.a", "x"},
		{"unread modifiers", "a.ts", "function f(type, of, async, get) { async(type); of = get; let from = 1; return from }", "f", ""},
		{"meta properties", "a.ts", "function f() { return new.target && import.meta.url && import('x') }", "f", ".url"},
	} {
		f := languageOf(c.path).Extract(context.Background(), c.path, []byte(c.src))
		refs := f.Body
		if c.symbol != "" {
			s, ok := symbolsOf(f)[c.symbol]
			if !ok || f.Problem != "" {
				t.Errorf("%s: no %s; problem %q", c.what, c.symbol, f.Problem)
				continue
			}
			refs = s.Body
		}
		if got := written(refs); got != c.want {
			t.Errorf("%s: %s\nnames %s\nwant  %s", c.what, c.src, got, c.want)
		}
	}
}

// TestLinesOfReferences: the first line counts.
func TestLinesOfReferences(t *testing.T) {
	t.Parallel()
	f := TypeScript.Extract(context.Background(), "a.ts", []byte("function f() {\n\n  a;\n  a;\n  b.\n    c;\n}"))
	for i, want := range []int{3, 5} {
		if got := f.Symbols[0].Body[i]; got.Line != want {
			t.Errorf("%s: line %d, want %d", got.Name, got.Line, want)
		}
	}
}

// checkReferences fails t where references break a rule that holds for every input.
func checkReferences(t *testing.T, f source.File, src []byte) {
	t.Helper()
	lines := 1 + strings.Count(string(src), "\n")
	check := func(refs []source.Reference) {
		for _, r := range refs {
			if r.Name == "" || r.Line < 1 || r.Line > lines || r.Kind == "" {
				t.Errorf("reference %+v in a file of %d lines", r, lines)
			}
		}
		if !slices.Equal(source.SortReferences(slices.Clone(refs)), refs) {
			t.Errorf("references %+v are not in order, or not each once", refs)
		}
	}
	check(f.Body)
	for i := range f.Symbols {
		check(f.Symbols[i].Body)
	}
}

func TestReferencesOfTheCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.*s*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, corpus(t)...) {
		if src := readSource(t, name); languageOf(name) != nil {
			checkReferences(t, languageOf(name).Extract(context.Background(), filepath.Base(name), src), src)
		}
	}
}
