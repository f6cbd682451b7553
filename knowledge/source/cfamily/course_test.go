package cfamily

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestCourse checks the order of the calls of f, without calls in nested functions.
func TestCourse(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, src, want string }{
		"arguments":                {"a.c", "void f(void) { a(b(c()), d()); }", "c b d a"},
		"the same within itself":   {"a.c", "void f(void) { a(b(), a(c())); }", "b c a"},
		"of a pointer":             {"a.c", "void f(int *p) { p->a(b(1)); if (c(d())) e(); }", "b a d c e"},
		"of a result":              {"a.cc", "void f() { a(b()).c(d())->e(); }", "b a d c e"},
		"qualified":                {"a.cc", "void f() { x::a(y::b()); this->c(d()); }", "y.b x.a d c"},
		"an initialiser list":      {"a.cc", "struct f { f(int n) : a(b(n)), d([] { e(); }) { c(); } };", "b a d c / e"},
		"a lambda":                 {"a.cc", "void f(int x) { a([x](int n) { return b(n); }); auto g = [&] { c(); }; d([=]() mutable -> p<q<int>, int> { e(h()); }); }", "a d / b c h e"},
		"of type parameters":       {"a.cc", "void f() { a([]<class T, class U>(T t) noexcept { b(t); }); }", "a / b"},
		"captures":                 {"a.cc", "void f() { a([x = b()] { c(); }); }", "b a / c"},
		"on the spot":              {"a.cc", "void f() { int x = [&] { return a(b()); }(); c(); }", "b a c"},
		"inside and outside":       {"a.cc", "void f() { a([] { b(); }); c(); b(); }", "a c b"},
		"no lambda":                {"a.cc", "void f(int x) { int y[2]{a()}; y[b()] = c(); if (x) {} else [[likely]] { d(); } delete[] e(); }", "a b c d e"},
		"a catch":                  {"a.cc", "void f() { try { a(); } catch (const B &e) { b(c()); } catch (...) { d(); } e(); }", "a e / c b d"},
		"a function that catches":  {"a.cc", "void f() try { a(); } catch (...) { b(); }", "a / b"},
		"a class of the body":      {"a.cc", "void f() { struct L final : M { int n = a(); void r() { b(); } }; struct M m{c()}; d(); }", "c d / a b"},
		"returns in branches":      {"a.c", "int f(void) { if (a()) { b(); return c(); } else if (d()) return e(); else { g(); } if (h()) { if (i()) return 1; j(); } return k(); }", "a d g h i j k / b c e"},
		"ends in branches":         {"a.c", "int f(void) { if (a()) { b(); goto fail; } if (c()) { d(); exit(1); } e();\nfail:\ng(); return 0; }", "a c e g / b d exit"},
		"throws in branches":       {"a.cc", "void f() { if constexpr (a()) { b(); throw c(); } d([] { if (e()) { return g(); } h(); }); }", "a d / b c e g h"},
		"two branches":             {"a.c", "void f(void) {\n#ifdef A\na();\n#elif B\nb();\n#else\n#ifdef C\nc();\n#endif\n#endif\nd();\n}", "a d / b c"},
		"both branches":            {"a.c", "void f(void) {\n#ifdef A\na(); b();\n#else\nb(); c();\n#endif\n}", "a b / c"},
		"one branch":               {"a.c", "void f(void) {\n#ifdef A\n#else\na();\n#endif\n#if 0\nb();\n#else\nc();\n#endif\n}", "a c"},
		"around the function":      {"a.c", "#ifdef A\nint g(void);\n#else\nvoid f(void) {\na();\n#ifdef B\nb();\n#else\nc();\n#endif\n}\n#endif", "a b / c"},
		"branches of its own head": {"a.c", "#ifdef A\nvoid f(int a) {\n#else\nvoid f(long a) {\n#endif\nb();\n}", "b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			language := C
			if strings.HasSuffix(tc.path, "cc") {
				language = CPP
			}
			f := language.Extract(context.Background(), tc.path, []byte(tc.src))
			got, found := "", false
			for _, s := range f.Symbols {
				if s.Name == "f" || strings.HasSuffix(s.Name, ".f") {
					got, found = sourcetest.Calls(s.Body), true
				}
			}
			if !found || got != tc.want {
				t.Errorf("got  %s\nwant %s\nproblem %q", got, tc.want, f.Problem)
			}
		})
	}
}
