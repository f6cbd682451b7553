package cfamily

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

const (
	head = `/** @file
 * Money of the shop.
 */
#include <stdlib.h>

/** Adds two amounts. */
long add(long a, long b)
{
	return a + b + (a ? 1 : 0) + sizeof("a  b");
}

const char *home(void)
{
	return getenv("SHOP_HOME");
}

`
	subtract = `/* Takes b from a. */
long subtract(long a, long b)
{
	return a - b;
}

`
	limit = `/* The most that fits. */
const int limit = 10;

`
	hiddenC   = "static int hidden(int x)\n{\n\treturn x;\n}\n"
	hiddenCPP = "namespace {\nint hidden(int x)\n{\n\treturn x;\n}\n}\n"
)

func fixture(language source.Language, path, hidden string) sourcetest.Fixture {
	return sourcetest.Fixture{
		Language: language, Path: path, Base: head + subtract + limit + hidden,
		Target: "add", Other: "subtract", Const: "limit", Hidden: "hidden",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "\treturn a + b", New: "\t/* both */\n\treturn a + b"},
			"comment between declarations": {Old: "/* Takes b", New: "/* a word */\n\n/* Takes b"},
			"comment at the top":           {Old: "/** @file", New: "/* Copyright somebody */\n/** @file"},
			"blank lines":                  {Old: "#include", New: "\n\n#include"},
			"formatting":                   {Old: "long add(long a, long b)\n{", New: "long\nadd( long a,\n  long b ) {"},
			"body":                         {Old: "return a + b", New: "return a * b"},
			"string literal":               {Old: `"a  b"`, New: `"a b"`},
			"doc comment":                  {Old: "Adds two amounts", New: "Adds both amounts"},
			"module doc":                   {Old: "Money of the shop", New: "Amounts of the shop"},
			"signature":                    {Old: "long add(long a, long b)", New: "long add(long a, int b)"},
			"result type":                  {Old: "long add(", New: "int add("},
			"decorator":                    {Old: "long add(", New: "__attribute__((cold)) long add("},
			"constant value":               {Old: "limit = 10", New: "limit = 11"},
			"hidden signature":             {Old: "hidden(int x)", New: "hidden(long x)"},
			"target hidden":                {Old: "long add(", New: "static long add("},
			"symbol added":                 {Old: "/* Takes b", New: "int more(void);\n\n/* Takes b"},
			"symbols swapped":              {Old: subtract + limit, New: limit + subtract},
			"import added":                 {Old: "#include", New: "#include \"shop.h\"\n#include"},
			"environment variable":         {Old: "SHOP_HOME", New: "SHOP_ROOT"},
			"syntax error":                 {Old: "return a + b + (a", New: "if (a) { return a + b + (a"},
		},
		Without: map[string]string{},
	}
}

func TestConformance(t *testing.T) {
	t.Run("c", func(t *testing.T) { sourcetest.Run(t, fixture(C, "money/money.c", hiddenC)) })
	t.Run("c++", func(t *testing.T) {
		f := fixture(CPP, "money/money.hpp", hiddenCPP)
		delete(f.Edits, "target hidden")
		f.Without["target hidden"] = "what is static in a header can be named by those who include it"
		sourcetest.Run(t, f)
	})
}

// TestSignatures holds one declaration a line against its name and signature.
func TestSignatures(t *testing.T) {
	for _, test := range []struct {
		path, src, name, signature string
	}{
		{"a.h", "int   f ( void ) ;", "f", "int f(void)"},
		{"a.h", "extern char*f(const char*s,...);", "f", "char *f(const char *s, ...)"},
		{"a.h", "void (*signal(int sig, void (*f)(int)))(int);", "signal", "void (*signal(int sig, void (*f)(int)))(int)"},
		{"a.h", "PyAPI_FUNC(PyObject*) PyFoo(int);", "PyFoo", "PyAPI_FUNC(PyObject *) PyFoo(int)"},
		{"a.h", "LUA_API int (lua_gettop) (lua_State *L);", "lua_gettop", "LUA_API int (lua_gettop)(lua_State *L)"},
		{"a.h", "typedef int (*cb)(void*);", "cb", "typedef int (*cb)(void *)"},
		{"a.h", "typedef EGLint (EGLAPIENTRYP P)(int);", "P", "typedef EGLint(EGLAPIENTRYP P)(int)"},
		{"a.h", "typedef struct{int a,b;}p,*q;", "p", "typedef struct {\n    int a, b;\n} p, *q"},
		{"a.h", "enum e{A=1<<2,B};", "e", "enum e {\n    A = 1 << 2,\n    B,\n}"},
		{"a.h", "enum{A=-1};", "A", "A = -1"},
		{"a.h", "#define SQ(x) ((x)*(x))", "SQ", "#define SQ(x) ((x) * (x))"},
		{"a.h", "#define NEG (-1)", "NEG", "#define NEG (-1)"},
		{"a.c", "const unsigned long m=2*K;", "m", "const unsigned long m = 2 * K"},
		{"a.c", "int a=1,*b=&a,c[2]={1,2};", "c", "int c[2]"},
		{"a.c", "int a=1,*b=&a,c[2]={1,2};", "b", "int *b"},
		{"a.c", "main(argc,argv)char**argv;{return 0;}", "main", "main(argc, argv) char **argv;"},
		{"a.cpp", "template<class T>T max(T a,T b){return a<b?b:a;}", "max", "template <class T> T max(T a, T b)"},
		{"a.cpp", "[[nodiscard]]int f();", "f", "[[nodiscard]]\nint f()"},
		{"a.cpp", "std::vector<std::pair<int,int>>f(const T&a,T&&b)noexcept;", "f",
			"std::vector<std::pair<int, int>> f(const T &a, T &&b) noexcept"},
		{"a.cpp", "bool operator==(const A&a,const A&b){return true;}", "operator==",
			"bool operator==(const A &a, const A &b)"},
		{"a.cpp", "S& operator>>(S&, int); long operator\"\"_km(long);", "operator>>", "S &operator>>(S &, int)"},
		{"a.cpp", "S& operator>>(S&, int); long operator\"\"_km(long);", `operator""_km`, `long operator""_km(long)`},
		{"a.cpp", "namespace a{inline namespace v1{int f();}}", "a.f", "int f()"},
		{"a.cpp", "A::A(int x):a(x),b{x}{}", "A.A", "A(int x)"},
		{"a.cpp", "auto f()->decltype(g()){}", "f", "auto f() -> decltype(g())"},
		{"a.cpp", "template<class...A>void f(A&&...a){}", "f", "template <class... A> void f(A &&... a)"},
		{"a.cpp", "namespace a::b{struct S{virtual void f()=0;};}", "a.b.S.f", "virtual void f() = 0"},
		{"a.cpp", "class K:public B<int>{int h;public:int x;protected:int y;};", "K",
			"class K : public B<int> {\npublic:\n    int x;\nprotected:\n    int y;\n}"},
	} {
		language := C
		if strings.HasSuffix(test.path, ".cpp") {
			language = CPP
		}
		f := language.Extract(context.Background(), test.path, []byte(test.src))
		found := false
		for _, s := range f.Symbols {
			if s.Name == test.name {
				found = true
				if s.Signature != test.signature {
					t.Errorf("%s:\n got %q\nwant %q", test.src, s.Signature, test.signature)
				}
			}
		}
		if !found || f.Problem != "" {
			t.Errorf("%s: %s found %v, problem %q", test.src, test.name, found, f.Problem)
		}
		sourcetest.CheckFile(t, f)
	}
}

func TestExported(t *testing.T) {
	for _, test := range []struct {
		path, src, name string
		want            bool
	}{
		{"a.h", "int f(void);", "f", true},
		{"a.c", "int f(void);", "f", false}, // another file's
		{"a.c", "int f(void) {}", "f", true},
		{"a.c", "static int f(void) {}", "f", false},
		{"a.h", "static inline int f(void) {}", "f", true},
		{"a.c", "extern int x;", "x", false},
		{"a.c", "int x;", "x", true},
		{"a.c", "struct s { int x; };", "s", false},
		{"a.cc", "const int x = 1;", "x", false},
		{"a.cc", "extern const int x = 1;", "x", true},
		{"a.hpp", "const int x = 1;", "x", true},
		{"a.hpp", "namespace { int f(); }", "f", false},
		{"a.hpp", "namespace n { int f(); }", "n.f", true},
		{"a.hpp", "class A { void f(); };", "A.f", false},
		{"a.hpp", "struct A { void f(); };", "A.f", true},
		{"a.hpp", "class A { void f(); }; void A::f() {}", "A.f", false},
		{"a.hpp", "class A { struct B { void f(); }; };", "A.B.f", false},
		{"a.hpp", "class A { protected: void f(); };", "A.f", true},
		{"a.h", "#define X 1", "X", true},
		{"a.c", "#define X 1", "X", false},
	} {
		language := C
		if !strings.HasSuffix(test.path, ".c") && !strings.HasSuffix(test.path, ".h") {
			language = CPP
		}
		found := false
		for _, s := range language.Extract(context.Background(), test.path, []byte(test.src)).Symbols {
			if s.Name == test.name {
				found = true
				if s.Exported != test.want {
					t.Errorf("%s: %s: exported %v, want %v", test.path, test.src, s.Exported, test.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no %s", test.src, test.name)
		}
	}
}

// TestForeign: a function that a source file declares extern is defined elsewhere, and is no symbol of the file.
func TestForeign(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{"a.c": {"g", "h"}, "a.h": {"malloc", "g", "h"}} {
		var got []string
		for _, s := range C.Extract(context.Background(), path, []byte("extern void *malloc(unsigned long size);\nextern int g(void) { return 0; }\nint h(void) { return 1; }\n")).Symbols {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	f := C.Extract(context.Background(), "tool/main.c", []byte(`
static struct option longs[] = {{"help", 0, 0, 'h'}, {"level", required_argument, 0, 'l'}, {0}};
DEFINE_string(name, "x", "doc");
int main(int argc, char **argv) {
  getenv("HOME"); getenv(x); x->exit(9); getopt(argc, argv, "ab:");
  if (argc) exit(EXIT_FAILURE);
  return 3;
}
int other(void) { return 4; }
`))
	var got []string
	for _, fact := range f.Facts {
		got = append(got, string(fact.Kind)+" "+fact.Name)
	}
	want := "flag --help,flag --level,flag --name,env HOME,flag -a,flag -b,exit 1,exit 3"
	if strings.Join(got, ",") != want || !f.Main {
		t.Errorf("got %v, main %v", got, f.Main)
	}
	f = CPP.Extract(context.Background(), "x/a_test.cc", []byte("TEST_F(Suite, Name) {}\nTEST_CASE(\"adds up\", \"[x]\") {}\n"+
		"void r() { svr.Get(\"/hi\", [](auto&) {}); cli.Get(\"/no\", x); }"))
	if strings.Join(f.Tests, ",") != "Suite.Name,adds up" || !f.Test {
		t.Errorf("tests %q, test %v", f.Tests, f.Test)
	}
	if len(f.Facts) != 1 || f.Facts[0].Name != "GET /hi" {
		t.Errorf("routes %v", f.Facts)
	}
}

func TestProblems(t *testing.T) {
	for _, test := range []struct{ src, problem string }{
		{"int f() {\n", "line 1: expected } for the one of line 1"},
		{"int x = (1;\n}\n", "line 2: expected ) for the one of line 1"},
		{"/* never", "line 1: expected */ at the end of the comment"},
		{"char *s = \"abc;\nint y;", `line 1: expected " at the end of the literal`},
		{"}\n", "line 1: expected no }"},
		{"#define OPEN {\n#error don't\n#if 0\n'\n#endif\nint a;", ""},
		{"#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\n", ""},
		{"int f() {\n#ifdef A\nif (1) {\n#endif\n#if defined(A)\n}\n#endif\n}\n", ""},
		{"int f() {\n#ifdef A\nx();\n#else\nif (1) {\n#endif\n#ifndef A\n}\n#endif\n}\n", ""},
		{"#if A\n#elif B\nint f() {\n#endif\n#if !A && B\n}\n#endif\n", ""},
		{"#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f();\n", "line 4: expected } for the one of line 2"},
	} {
		if f := C.Extract(context.Background(), "a.c", []byte(test.src)); f.Problem != test.problem {
			t.Errorf("%q: problem %q, want %q", test.src, f.Problem, test.problem)
		}
	}
}

// TestEndsBehindAnAttribute truncates files wherever a bracket could follow.
func TestEndsBehindAnAttribute(t *testing.T) {
	for _, src := range []string{"struct EXPORT", "class A {\n\tclass EXPORT", "struct __attribute__", "enum alignas"} {
		if f := CPP.Extract(context.Background(), "a.hpp", []byte(src)); f.Content == "" {
			t.Errorf("%q was not read", src)
		}
	}
}

func TestConditionIsInterface(t *testing.T) {
	digest := func(src string) source.Digest {
		return C.Extract(context.Background(), "a.h", []byte(src)).Symbols[0].Interface
	}
	a, b := digest("#ifdef A\nint f(void);\n#endif\n"), digest("#ifdef B\nint f(void);\n#endif\n")
	if a == b || a == digest("int f(void);") {
		t.Error("the condition that a declaration stands in does not show in its interface")
	}
	if digest("#ifndef A_H\n#define A_H\nint f(void);\n#endif\n") != digest("int f(void);") {
		t.Error("the include guard shows in the interface")
	}
}

func TestDeclarationAndDefinitionAreOne(t *testing.T) {
	f := C.Extract(context.Background(), "a.c", []byte("static int f(int, char *);\n\n/* It does. */\nstatic int f(int a, char *b) { return 1; }\n"))
	if len(f.Symbols) != 1 {
		t.Fatalf("symbols %+v", f.Symbols)
	}
	s := f.Symbols[0]
	if s.Signature != "static int f(int a, char *b)" || s.Doc != "It does." || s.Line != 4 {
		t.Errorf("got %+v", s)
	}
}

func TestResolve(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"src/net/a.c", "src/net/a.h", "src/util/b.h", "include/shop/api.h", "lib/x/only.h",
		"lib/x/twice.h", "lib/y/twice.h", "root.h", "p/include/c.h", "q/include/c.h", "p/src/m.c"} {
		files[name] = ""
	}
	r := C.Resolver(sourcetest.Project{Files: files, Languages: []source.Language{C, CPP}})
	for _, test := range []struct {
		from, path string
		system     bool
		want       string
	}{
		{"src/net/a.c", "a.h", false, "src/net/a.h"},
		{"src/net/a.c", "../util/b.h", false, "src/util/b.h"},
		{"src/net/a.c", "util/b.h", false, "src/util/b.h"},
		{"src/net/a.c", "shop/api.h", false, "include/shop/api.h"},
		{"src/net/a.c", "shop/api.h", true, "include/shop/api.h"},
		{"src/net/a.c", "root.h", true, "root.h"},
		{"src/net/a.c", "only.h", false, "lib/x/only.h"},
		{"src/net/a.c", "only.h", true, ""},
		{"src/net/a.c", "twice.h", false, ""},
		{"p/src/m.c", "c.h", false, "p/include/c.h"},
		{"src/net/a.c", "c.h", false, ""},
		{"src/net/a.c", "stdio.h", true, ""},
		{"src/net/a.c", "../../../etc/passwd", false, ""},
		{"src/net/a.c", "/src/net/a.h", false, ""},
	} {
		got := ""
		for _, target := range r.Resolve(test.from, source.Import{Path: test.path, System: test.system, All: true}) {
			got = strings.TrimPrefix(target.Dir+"/"+target.File, "./")
		}
		if got != test.want {
			t.Errorf("%s includes %s (system %v): %q, want %q", test.from, test.path, test.system, got, test.want)
		}
	}
}
