package java_test

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestCourse checks the order of the calls of the method A.f, without calls in nested functions.
func TestCourse(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ src, want string }{
		"arguments":               {"void f() { a(b(c()), d()); }", "c b d a"},
		"a call of a result":      {"void f() { a(b()).c(d()).e(); }", "b a d c e"},
		"in brackets":             {"void f() { x[a()] = (b(c())); }", "a c b"},
		"the same within itself":  {"void f() { a(b(), a(c())); }", "b c a"},
		"arguments of creations":  {"void f() { a(new B(c())).d(); }", "c a d"},
		"a resource":              {"void f() { try (R r = a(b())) { c(); } finally { d(); } }", "b a c / d"},
		"a switch":                {"int f(int k) { return switch (k) { case 1 -> a(b()); default -> { yield c(); } }; }", "b a c"},
		"a lambda":                {"void f() { a(x -> b(x)); c((x, y) -> { d(); }); e((T) () -> g()); }", "a c e / b d g"},
		"a lambda in a lambda":    {"void f() { a(() -> b(() -> c(), d())); e(); }", "a e / c d b"},
		"inside and outside":      {"void f() { a(() -> b()); c(); b(); }", "a c b"},
		"outside and inside":      {"void f() { b(); c(); a(() -> b()); }", "b c a"},
		"a catch":                 {"void f() { try { a(); } catch (B e) { b(c()); } catch (D e) { d(); } finally { e(); } g(); }", "a g / c b d e"},
		"a return in a branch":    {"int f() { if (a()) { b(); return c(); } else if (d()) return e(); else { g(); } if (h()) { if (i()) return 1; j(); } return k(); }", "a b c d e g h i j k"},
		"a switch that returns":   {"int f(int k) { switch (a()) { case 1: return b(); default: return c(); } }", "a b c"},
		"a throw":                 {"void f() { if (a()) { throw b(c()); } d(); }", "a d / c b"},
		"an anonymous class":      {"void f() { a(new B(c()) { int n = d(); { e(); } void r() { g(); } class C { int m = h(); } }); }", "c d e a / g h"},
		"a class of the body":     {"void f() { class L { int n = a(); L() { b(); } void r() { c(); } } new L().d(); }", "d / a b c"},
		"a record of the body":    {"void f() { record L(int n) { L { a(n); } } b(); }", "b / a"},
		"a field":                 {"int f = a(b());", "b a"},
		"a field with a lambda":   {"Run f = () -> { a(b()); c(() -> d()); };", "b a c / d"},
		"a field that applies it": {"Run f = a(x -> b());", "a / b"},
		"a field of an anonymous": {"Run f = new Run() { Run g = () -> a(); public void run() { b(); } };", "/ a b"},
		"several of a name":       {"void f(int x) { b(() -> a()); } int y; void f() { c(d()); a(); }", "b d c a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := extract("class A extends Z { " + tc.src + " }")
			if f.Problem != "" {
				t.Fatal(f.Problem)
			}
			if got := sourcetest.Calls(symbol(t, f, "A.f").Body); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// TestCourseOfConstructor reads a constructor that leaves its work to another one.
func TestCourseOfConstructor(t *testing.T) {
	t.Parallel()
	f := extract("class A extends Z { A(int n, int m) {} public A(int n) { this(a(b()), 1); c(); } }")
	if got, want := sourcetest.Calls(symbol(t, f, "A.A").Body), "b a A.A c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
