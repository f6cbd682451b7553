package rust

import (
	"context"
	"slices"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestCourse checks the order of the references of a declaration, and which are only in nested functions.
func TestCourse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, src, symbol, want string }{
		{"arguments", "fn f() { g(h(X), K) }", "f", "X h() K g()"},
		{"a method of a result", "fn f() { g(h()).m(k())?.n(l()) }", "f", "h() g() k() m() l() n()"},
		{"a path", "fn f() { a::g::<T>(h()); B::make(k()) }", "f", "T h() a.g() k() B.make()"},
		{"the own methods", "struct S; impl S { fn m(&self) { self.n(self.o()); Self::p(self.q()) } }", "S.m", "S.o() S.n() S.q() S.p()"},
		{"a local", "fn f(s: S) { s.m(g()) }", "f", "S g() S.m()"},
		{"a constructor", "fn f() { Some(g()) }", "f", "g()"},
		{"a constructor of the program", "fn f() { A(g()) }", "f", "A g()"},
		{"macros", "fn f() { println!(\"{}\", g()); m!(h()) }", "f", "g() h() m()"},
		{"the first call counts", "fn f() { g(g(h())); h() }", "f", "h() g()"},
		{"lines do not count", "fn f() {\n g(\n h(),\n )\n .m()\n }", "f", "h() g() m()"},
		{"match and if", "fn f() { match g(h()) { K::A if k() => l(), _ => m() } if n() { o() } }", "f", "h() g() K.A k() l() m() n() o()"},

		{"branches that return", "fn f() { if g() { h(); return k(); } else { l(); } let Some(x) = m() else { return n() }; if o() { if p() { return } q() } r() }", "f", "g() h() k() l() m() [n()] o() p() q() r()"},
		{"a branch that panics", "fn f() { if g() { h(); panic!() } k() }", "f", "g() [h()] k()"},
		{"closures", "fn f() { list.map(|x| g(x)); on(move || { h() }); on(async || k()) }", "f", "list [g()] map() [h()] on() [k()]"},
		{"a closure of closures", "fn f() { let c = |a| move |b| g(a, b); h() }", "f", "[g()] h()"},
		{"a failure", "fn f() { if g() { return Err(h()) } k().ok_or(l())?; if m() { std::process::exit(n()) } Err(p()) }", "f", "g() [h()] k() [l()] ok_or() m() [n()] [std.process.exit()] [p()]"},
		{"an argument behind a closure", "fn f() { on(|| g(), h()) }", "f", "[g()] h() on()"},
		{"a function in it", "fn f() { fn inner() { h() } g(); inner() }", "f", "[h()] g()"},
		{"items in it", "fn f() { struct L; impl L { fn m(&self) { g() } } impl D for L { fn d(&self) { h() } } const C: u8 = k(); l() }", "f", "[g()] [D] [h()] [k()] l()"},
		{"both", "fn f() { on(|| g()); h(); g() }", "f", "on() h() g()"},
		{"blocks", "async fn f() { unsafe { g() } async move { h() }.await; loop { k() } }", "f", "g() h() k()"},
		{"closures, even on the spot", "fn f() { let a = (|| -> R { g() })(h()); return (move || k())(); }", "f", "[R] [g()] h() [k()]"},
		{"the call of a function of somebody", "fn f() { wrap(|| g())(h()) }", "f", "[g()] wrap() h()"},
		{"in a macro", "fn f() { vec![g(), call(|| h())] }", "f", "g() [h()] call()"},
		{"a method", "struct S; impl S { pub async fn m(&self) { g(); on(|| h()) } }", "S.m", "g() [h()] on()"},
		{"a method of a trait", "pub trait T { fn m(&self) { g(); fn i() { h() } } }", "T.m", "g() [h()]"},
		{"in a module", "mod a { pub fn f() { g() } }", "a.f", "g()"},
		{"a constant", "pub const C: fn() = g(|| h());", "C", "[h()] g()"},
	} {
		f := Language{}.Extract(context.Background(), "src/lib.rs", []byte(c.src))
		n := slices.IndexFunc(f.Symbols, func(s source.Symbol) bool { return s.Name == c.symbol })
		if n < 0 || f.Problem != "" {
			t.Errorf("%s: no %s; problem %q", c.what, c.symbol, f.Problem)
			continue
		}
		if got := sourcetest.Course(f.Symbols[n].Body); got != c.want {
			t.Errorf("%s: %s\nis   %s\nwant %s", c.what, c.src, got, c.want)
		}
	}
}
