package ecma

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestCourse checks the order of the references of a declaration, and which are only in nested functions.
func TestCourse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, path, src, symbol, want string }{
		{"arguments", "a.ts", "function f() { g(h(x), k) }", "f", "x h() k g()"},
		{"a method of a result", "a.ts", "function f() { g(h()).m(k()).n }", "f", "h() g() k() m() n"},
		{"a method of a name", "a.ts", "function f() { a.m(h()); b?.n?.(k()) }", "f", "h() a.m() k() b.n()"},
		{"with a this", "a.js", "function f() { g.call(this, h()); a.m.apply(k, l) }", "f", "h() g() g.call() k l a.m() a.m.apply()"},
		{"construction", "a.ts", "function f() { new A(g()); h() }", "f", "A g() h()"},
		{"type arguments", "a.ts", "function f() { g<T>(h()) }", "f", "T h() g()"},
		{"a template", "a.ts", "function f() { sql`${g()}`; tag`x` }", "f", "g() sql() tag()"},
		{"the first call counts", "a.ts", "function f() { g(g(h())); h() }", "f", "h() g()"},
		{"lines do not count", "a.ts", "function f() {\n g(\n h(),\n )\n .m()\n }", "f", "h() g() m()"},
		{"elements", "a.tsx", "const f = () => <Page a={g()}><Part b={h()} />{k()}</Page>", "f", "g() [Page()] h() [Part()] k()"},
		{"decorators", "a.ts", "class C { @d(g()) @e m() { h() } }", "C.m", "[g()] [d()] [e()] h()"},

		{"functions that are passed on", "a.ts", "function f() { list.map(x => g(x)); on(function () { h() }); on(async () => { await k() }) }", "f", "[g()] list.map() [h()] on() [k()]"},
		{"a function in it", "a.ts", "function f() { g(); function inner() { h() } return inner }", "f", "g() [h()]"},
		{"a function of a function", "a.ts", "const f = a => b => g(a, b)", "f", "[g()]"},
		{"a default value", "a.ts", "function f(a = g(), b = () => h()) { k() }", "f", "g() [h()] k()"},
		{"an object", "a.ts", "function f() { return { a: g(), m() { h() }, get p() { return k() }, q: () => l() } }", "f", "g() [h()] [k()] [l()]"},
		{"a class", "a.ts", "function f() { class L extends g(A) { p = h(); m() { k() } } return class { static s = l() } }", "f", "A g() [h()] [k()] [l()]"},
		{"throw", "a.ts", "function f() { if (g()) { h(); process.exit(k()) } throw l(m()) }", "f", "g() [h()] [k()] [m()] [l()]"},
		{"catch", "a.ts", "function f() { try { g() } catch (e) { h(e) } finally { k() } l() }", "f", "g() [h()] [k()] l()"},
		{"a branch that returns", "a.ts", "function f() { if (g()) { h(); return k() } else if (l()) return m(); else { n() } if (o()) { if (p()) return 1\n q() } return r() }", "f", "g() h() k() l() m() n() o() p() q() r()"},
		{"a branch that returns, by lines", "a.js", "function f() {\n if (g()) {\n h()\n if (x) y()\n throw k()\n }\n if (l()) {\n if (m())\n return\n n()\n }\n}", "f", "g() [h()] [x] [y()] [k()] l() m() n()"},
		{"a branch at the end of a function", "a.ts", "export const f = () => { if (g()) { return h() } }", "f", "g() h()"},
		{"catch without a name", "a.ts", "function f() { try { g() } catch { h() } }", "f", "g() [h()]"},
		{"a handler of errors", "a.ts", "function f() { g().catch(() => h()) }", "f", "g() [h()] catch()"},
		{"both", "a.ts", "function f() { on(() => g()); h(); g() }", "f", "on() h() g()"},
		{"the call of a function of somebody", "a.ts", "function f() { wrap(() => { g() })(h()) }", "f", "[g()] wrap() h()"},

		{"on the spot", "a.ts", "function f() { (() => { g() })(); (function () { h() })(); (function () { k() }()); !function () { l() }() }", "f", "g() h() k() l()"},
		{"on the spot, waited for", "a.ts", "async function f() { await (async () => { g(); on(() => h()) })(); return (async function () { k() })() }", "f", "g() [h()] on() k()"},
		{"on the spot, with a this", "a.js", "function f() { (function () { g() }).call(this); return ((() => h())).apply(null, k()) }", "f", "g() call() h() k() apply()"},
		{"bound for later", "a.js", "function f() { return (function () { g() }).bind(this) }", "f", "[g()] bind()"},
		{"an arrow", "a.ts", "export const f = async (a: A): Promise<B> => { g() };", "f", "A B g()"},
		{"an arrow between others", "a.ts", "const a = () => g(), f = () => h(), b = 1", "f", "h()"},
		{"a function expression", "a.ts", "const f = async function* named() { g() }\nfunction h() {}", "f", "g()"},
		{"a default", "a.ts", "export default async (a) => { g(a) };", "default", "g()"},
		{"an export", "a.cjs", "exports.f = function () { g() };", "f", "g()"},
		{"exported objects", "a.cjs", "module.exports = { e() { k() }, f(a) { g() }, h: () => l() }", "f", "g()"},
		{"a function of an exported object", "a.cjs", "module.exports = { f: () => g(), h() {} }", "f", "g()"},
		{"a prototype", "a.js", "function C() {}\nC.prototype.f = function f() { this.g(); on(() => h()) }", "C.f", "C C.g() [h()] on()"},
		{"a method", "a.ts", "export class C { @dec(() => g()) async m() { h() } }", "C.m", "[g()] [dec()] h()"},
		{"a getter", "a.ts", "class C { get a() { return g() } }", "C.a", "g()"},
		{"a field", "a.ts", "class C { a = (x) => { g() };\n b = h(() => k()) }", "C.a", "g()"},
		{"a field that is no function", "a.ts", "class C { a = () => g()\n b = h(() => k()) }", "C.b", "k() h()"},
		{"a parameter property", "a.ts", "class C { constructor(private a = g()) { h() } }", "C.constructor", "g() h()"},
		{"and its field", "a.ts", "class C { constructor(private a = g()) { h() } }", "C.a", "g()"},
		{"a class that is a value", "a.ts", "const C = class { m() { g() } }", "C.m", "g()"},
		{"in a namespace", "a.ts", "namespace N { export function f() { g() } }", "N.f", "g()"},
		{"a value that is made", "a.ts", "const f = memo(() => { g() })", "f", "g() memo()"},
		{"the file", "a.ts", "(() => { g() })(); on(() => h()); function f() { k() }", "", "g() [h()] on()"},
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
		if got := sourcetest.Course(refs); got != c.want {
			t.Errorf("%s: %s\nis   %s\nwant %s", c.what, c.src, got, c.want)
		}
	}
}
