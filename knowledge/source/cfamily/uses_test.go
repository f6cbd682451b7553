package cfamily

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// written writes references on one line, by kind and name, an open one with a question mark.
func written(list []source.Reference) string {
	var parts []string
	for _, r := range list {
		name := r.Name
		if r.Open {
			name = "?" + name
		}
		parts = append(parts, string(r.Kind)+" "+name)
	}
	slices.SortFunc(parts, func(a, b string) int {
		return cmp.Compare(strings.Replace(a, "?", "", 1), strings.Replace(b, "?", "", 1))
	})
	return strings.Join(parts, ", ")
}

// TestBody reads the symbol f, or one that ends with .f.
func TestBody(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, src, want string }{
		"parameters":           {"a.c", "long f(size_t n, const char *s, item it) { return n + *s + it.n; }", "type item, value ?n"},
		"locals":               {"a.c", "int f(void) { int a = 1, *b = &a; item *c = make(); return a + *b + c->n; }", "call make, type item, value ?n"},
		"a local ends":         {"a.c", "int x; int f(void) { { int x = 1; x++; } return x; }", "value x"},
		"of a loop":            {"a.c", "int i; int f(void) { for (int i = 0; i < N; i++) g(i); return i; }", "call g, value N, value i"},
		"a global":             {"a.c", "static int total; void f(void) { total += LIMIT; }", "value LIMIT, value total"},
		"its initialiser":      {"a.c", "static table f = { .run = go, .n = sizeof(struct job), { 1 } };", "type job, type table, value go"},
		"a struct":             {"a.c", "struct f { struct f *next; handler run; int n : WIDTH; };", "type f, type handler, value WIDTH"},
		"an enum":              {"a.c", "enum f { A = BASE, B = A + 1 };", "value BASE"},
		"a macro":              {"a.c", "#define f(x, y) do { int z = x; g(z, LIMIT, x##_t, hidden); } while (0)", "call g, value LIMIT, value ?hidden"},
		"labels":               {"a.c", "int f(int x) { if (x) goto out; again: x--; out: return x; }", ""},
		"a switch":             {"a.c", "int f(int x) { switch (x) { case RED: return g(x); default: return 0; } }", "call g, value RED"},
		"casts":                {"a.c", "void *f(void *p) { return (item *)p + (int)sizeof(other_t) + ((node)p)->next; }", "type item, type node, value ?next, value other_t"},
		"a conditional":        {"a.c", "int f(int a) { int b = a ? x * y : z * a; return b; }", "value x, value y, value z"},
		"a function pointer":   {"a.c", "int f(int (*cb)(void *ctx, item *it), void *ctx) { int (*other)(void *ctx) = cb; return cb(ctx, 0); }", "type item"},
		"a local record":       {"a.c", "int f(void) { struct pair { int a, b; } p = { 1, N }; return p.a; }", "value N, value ?a"},
		"a local prototype":    {"a.c", "int f(void) { extern int g(int x); return g(1); }", "call g"},
		"before ANSI":          {"a.c", "int f(a, b) int a; item *b; { return a + b->n; }", "type item, value ?n"},
		"a macro that binds":   {"a.c", "#define HDR(s) header *h = get(s)\nint f(char *s) { HDR(s); return h->n; }", "call HDR, value ?h, value ?n"},
		"a loop of a macro":    {"a.c", "int f(list *l) { EACH(x, l) { go(x); } return 0; }", "call EACH, call go, type list, value ?x"},
		"a comparison":         {"a.cc", "int f(int a, int b) { bool c = a < b; return c > (g(a)); }", "call g"},
		"namespaces":           {"a.cc", "namespace n { int g(); int f() { return g() + ::h() + m::k(); } }", "call h, call m.k, call n.g"},
		"a member":             {"a.cc", "class A { int n_; int g(); int f() { return n_ + g() + this->m_; } };", "call A.g, value A.m_, value A.n_"},
		"a member elsewhere":   {"a.cc", "int A::f(B b) { return n_ + g() + b.h() + MAX; }", "call ?g, call ?h, type B, value MAX, value ?n_"},
		"an initialiser list":  {"a.cc", "struct A { int n; B b; void f(); A(int x) : n(x), b{LIMIT} {} }; void A::f() {}", ""},
		"a template":           {"a.cc", "template <typename T, int N = SIZE> T f(const std::vector<T> &v) { T best = v[N]; return best; }", "value SIZE"},
		"a lambda":             {"a.cc", "int f(int a) { auto g = [a](int b, const C &c) { int d = b; return a + d + c.n + h(); }; return g(1); }", "call h, type C, value ?n"},
		"range and conditions": {"a.cc", "int f(list l) { for (auto &x : l) { if (int y = x; y) return y; } return z; }", "type list, value z"},
		"a catch":              {"a.cc", "int f() { try { g(); } catch (const Bad &e) { return e.code(); } return e; }", "call ?code, call g, type Bad, value e"},
		"bindings":             {"a.cc", "int f() { auto [a, b] = g(); return a + b; }", "call g"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			language := C
			if strings.HasSuffix(tc.path, "cc") {
				language = CPP
			}
			f := language.Extract(context.Background(), tc.path, []byte(tc.src))
			var got string
			for _, s := range f.Symbols {
				if s.Name == "f" || strings.HasSuffix(s.Name, ".f") {
					got = written(s.Body)
				}
			}
			if got != tc.want || f.Problem != "" {
				t.Errorf("got  %s\nwant %s\nproblem %q", got, tc.want, f.Problem)
			}
		})
	}
}

// TestBodyOfFile reads what no declaration holds: tests, the definition of a static member.
func TestBodyOfFile(t *testing.T) {
	t.Parallel()
	f := CPP.Extract(context.Background(), "a.cc", []byte(`#include <gtest/gtest.h>
int A::count = start();
TEST(Money, Adds) { Money m(1); EXPECT_EQ(add(m), 2); }
int add(Money m) { return 1; }`))
	if got, want := written(f.Body), "call EXPECT_EQ, call TEST, call add, call start, type Money"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !f.Test {
		t.Error("a file with tests of a framework that it includes is no test")
	}
}

// TestGuards checks the constraints of declarations and includes.
func TestGuards(t *testing.T) {
	t.Parallel()
	f := C.Extract(context.Background(), "a.h", []byte(`#ifndef A_H
#define A_H
#ifdef __cplusplus
extern "C" {
#endif
int always(void);
#ifdef _WIN32
#include <windows.h>
int windows(void);
#  if LEVEL > 2 || defined(FULL)
int deep(void);
#  endif
int both(void);
#else
int both(void);
int others(void);
#endif
#ifndef LIMIT
#define LIMIT 1
#endif
#if 1
int one(void);
#endif
#endif
`))
	want := map[string]string{"always": "", "windows": "defined(_WIN32)", "both": "", "others": "!defined(_WIN32)", "LIMIT": "", "one": "",
		"deep": "defined(_WIN32) && (LEVEL > 2 || defined(FULL))"}
	for _, s := range f.Symbols {
		if guard, ok := want[s.Name]; !ok || s.Guard != guard {
			t.Errorf("%s: %q, want %q", s.Name, s.Guard, guard)
		}
		delete(want, s.Name)
	}
	if len(want) > 0 || f.Guard != "" || f.Imports[0].Guard != "defined(_WIN32)" {
		t.Errorf("missing %v, file %q, import %q", want, f.Guard, f.Imports[0].Guard)
	}
	f = C.Extract(context.Background(), "a.c", []byte("#include <a.h>\n#if defined(__linux__)\nint f(void) { return 1; }\n#ifdef X\nint g;\n#endif\n#endif\n"))
	if f.Guard != "defined(__linux__)" || f.Symbols[0].Guard != "" || f.Symbols[1].Guard != "defined(X)" {
		t.Errorf("file %q, symbols %q and %q", f.Guard, f.Symbols[0].Guard, f.Symbols[1].Guard)
	}
}

// TestMainGuard distinguishes a program from a library that contains its own test.
func TestMainGuard(t *testing.T) {
	t.Parallel()
	const library = "char *home(void) { return getenv(\"HOME\"); }\n"
	const selfTest = "int main(void) { if (getenv(\"SEED\")) exit(3); return 1; }\n"
	for name, tc := range map[string]struct {
		src, guard string
		facts      int
	}{
		"a program":        {library + selfTest, "", 4},
		"a self test":      {library + "#if defined(SDS_TEST_MAIN)\n" + selfTest + "#endif\n", "defined(SDS_TEST_MAIN)", 1},
		"by ifdef":         {library + "#ifdef SELF_TEST\nvoid seed(void) { getenv(\"S\"); }\n#endif\n#ifdef SELF_TEST\n" + selfTest + "#endif\n", "defined(SELF_TEST)", 1},
		"one per platform": {library + "#ifdef _WIN32\n" + selfTest + "#else\n" + selfTest + "#endif\n", "", 7},
	} {
		f := C.Extract(context.Background(), "a.c", []byte(tc.src))
		if !f.Main || f.MainGuard != tc.guard || len(f.Facts) != tc.facts {
			t.Errorf("%s: main %v, guard %q, %d facts: %v", name, f.Main, f.MainGuard, len(f.Facts), f.Facts)
		}
	}
}

// TestTestFiles checks that test files are recognised by their includes and declarations.
func TestTestFiles(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		path, src string
		want      bool
	}{
		"by its name":           {"a/test_money.c", "int f(void);", true},
		"by its directory":      {"tests/money.c", "int f(void);", true},
		"what a library offers": {"lib/include/gtest/gtest.h", "int f(void);", false},
		"a framework":           {"a/checks.cc", "#include \"gtest/gtest.h\"\nTEST(A, B) {}", true},
		"no framework":          {"a/checks.cc", "TEST(A, B) {}", false},
		"no tests":              {"a/main.cc", "#include <gtest/gtest.h>\nint f() { return 1; }", false},
	} {
		language := C
		if strings.HasSuffix(tc.path, "cc") {
			language = CPP
		}
		if got := language.Extract(context.Background(), tc.path, []byte(tc.src)).Test; got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// checkBodies checks the invariants of references.
func checkBodies(t testing.TB, f source.File, src []byte) {
	t.Helper()
	lines := 1 + strings.Count(string(src), "\n")
	check := func(list []source.Reference) {
		for _, r := range list {
			if r.Name == "" || r.Line < 1 || r.Line > lines || r.Open && strings.Contains(r.Name, ".") {
				t.Errorf("%+v in a file of %d lines", r, lines)
			}
		}
		if !slices.Equal(source.SortReferences(slices.Clone(list)), list) {
			t.Errorf("%v are not sorted, or not each once", list)
		}
	}
	check(f.Body)
	for _, s := range f.Symbols {
		check(s.Body)
	}
}
