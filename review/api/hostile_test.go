package api

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/review/change/changetest"
	"github.com/causaldocs/causal/review/finding"
)

// chain is a package in which each declaration names the one before, as often as the pattern does.
func chain(n int, first, pattern string) string {
	var s strings.Builder
	s.WriteString("package p\n" + first + "\n")
	for i := 1; i <= n; i++ {
		s.WriteString(strings.NewReplacer("%d", fmt.Sprint(i), "%p", fmt.Sprint(i-1)).Replace(pattern) + "\n")
	}
	return s.String()
}

// TestHostileGo: what stands for more than it says is refused, and what is merely long is compared. Without that, most of these texts
// take until the end of days: how much less than in proportion the others take is for the harness that counts steps.
func TestHostileGo(t *testing.T) {
	t.Parallel()
	const deep = 19_000 // deeper than the type checker may nest, and fewer declarations than a file may have
	many := testmode.Of(2_000, deep)
	for name, test := range map[string]struct {
		text    string
		refused string // why; empty where it is compared
	}{
		"aliases that double":           {chain(64, "type A0 = struct{ X int }", "type A%d = struct{ X, Y A%p }\ntype B%d = struct{ X A%p; Y A%d }"), "too large"},
		"constants that double":         {chain(64, "const A0 = \"aaaaaaaa\"", "const A%d = A%p + A%p"), "too large"},
		"a constant's length":           {chain(64, "const A0 = \"aaaaaaaa\"", "const A%d = A%p + A%p\nconst N%d = len(A%d)"), "too large"},
		"type arguments that double":    {chain(64, "type A0[P any] struct{ X P }", "type A%d[P any] struct{ X A%p[P]; Y A%p[*P] }"), "too large"},
		"interfaces within interfaces":  {chain(many, "type A0 interface{ M0() }", "type A%d interface{ A%p; M%d() }"), "too large"},
		"structs within structs":        {chain(many, "type A0 struct{ F0 int }", "type A%d struct{ A%p; F%d int }"), "too large"},
		"a long chain of types":         {chain(many, "type A0 int", "type A%d *A%p"), ""},
		"a long chain, last first":      {"package p\n" + reversed(chain(deep, "type A0 int", "type A%d []A%p")), "too deep"},
		"a long chain of variables":     {"package p\n" + reversed(chain(deep, "var A0 = 1", "var A%d = A%p")), "too deep"},
		"brackets":                      {"package p\ntype A0 " + strings.Repeat("[]", 90_000) + "int\n", "too deep"},
		"arrays of structs":             {chain(64, "type A0 struct{ X int }", "type A%d struct{ X [2]A%p; Y ([3]A%p) }"), "too large"},
		"pointers to structs":           {chain(64, "type A0 struct{ X int }", "type A%d struct{ X, Y *A%p; Z []A%p }"), ""},
		"many fields":                   {"package p\ntype A0 struct {\n" + lines(many, "F%d int") + "}\n", ""},
		"many functions":                {"package p\n" + lines(many, "func A%d(a, b int) error { return nil }"), ""},
		"many counted constants":        {"package p\nconst (\nA0 = iota\n" + lines(many, "A1%d") + ")\n", ""},
		"sizes of structs in structs":   {chain(64, "import \"unsafe\"\ntype A0 struct{ X int }", "type A%d struct{ X, Y A%p }\nconst S%d = unsafe.Sizeof(A%d{})"), "too large"},
		"a type of itself":              {"package p\ntype A0 A0\ntype B [len(C)]int\nvar C B\nconst D = D\n", ""},
		"a method of nothing":           {"package p\nfunc (a *) M() {}\ntype i = interface{ M() }\ntype S struct{ i }\n", "line "},
		"a method of an alias embedded": {"package p\ntype i = interface{ M() }\ntype A0 struct{ i }\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was := files{"go.mod": "module example.com/p\n", "p/p.go": test.text}
			found, skipped := looked(t, "p", was, files{"go.mod": was["go.mod"], "p/p.go": test.text + "func Added() {}\n"})
			switch {
			case len(found) > 0:
				t.Errorf("found %s", brief(found[0]))
			case test.refused == "" && len(skipped) > 0 || test.refused != "" && (len(skipped) != 1 || !strings.Contains(skipped[0].Reason, test.refused)):
				t.Errorf("skipped %v, expected %q", skipped, test.refused)
			}
		})
	}
}

func lines(n int, pattern string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(strings.ReplaceAll(pattern, "%d", fmt.Sprint(i)) + "\n")
	}
	return s.String()
}

// reversed is a package with its declarations the other way round, without its clause.
func reversed(text string) string {
	list := strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "package p\n")), "\n")
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return strings.Join(list, "\n") + "\n"
}

// TestEverythingRemoved: a large package that changes as a whole is told in full.
func TestEverythingRemoved(t *testing.T) {
	t.Parallel()
	many := testmode.Of(1_000, 4_000)
	for name, text := range map[string][2]string{
		"p/p.go":        {"package p\ntype A struct {\n" + lines(many, "F%d int") + "}\n", "package p\ntype A struct {\n" + lines(many, "G%d int") + "}\n"},
		"p/__init__.py": {lines(many, "def f%d(a, b): pass"), lines(many, "def f%d(a): pass")},
		"p/P.java":      {"package p;\npublic class P {\n" + lines(many, "public void f%d(int a, int b) {}") + "}\n", "package p;\npublic class P {\n" + lines(many, "public void f%d(int a) {}") + "}\n"},
		"p/E.java":      {"package p;\npublic enum E {\n" + lines(many, "F%d,") + "}\n", "package p;\npublic enum E {\n" + lines(many, "G%d,") + "}\n"},
		"p/lib.rs":      {lines(many, "pub fn f%d(a: u8, b: u8) {}"), lines(many, "pub fn f%d(a: u8) {}")},
		"p/src/lib.rs":  {"pub struct S {\n" + lines(many, "pub f%d: u8,") + "pub z: u8 }\n", "pub struct S {\n" + lines(many, "pub g%d: u8,") + "pub z: u8, own: u8 }\n"},
		"p/include/a.h": {lines(many, "int f%d(int a, int b);"), lines(many, "int f%d(int a);")},
		"p/include/b.h": {"struct s {\n" + lines(many, "int f%d;") + "};\n", "struct s {\n" + lines(many, "int g%d;") + "};\n"},
		"p/include/c.h": {"class c {\npublic:\n" + lines(many, "int f%d(int a, int b);") + "};\n", "class c {\npublic:\n" + lines(many, "int f%d(int a);") + "};\n"},
		"p/index.ts":    {lines(many, "export function f%d(a: string, b: string): void {}"), lines(many, "export function f%d(a: string): void {}")},
	} {
		if found, skipped := looked(t, path.Dir(name), files{name: text[0]}, files{name: text[1]}); len(found) < many || len(found) > many+1 || len(skipped) > 0 {
			t.Errorf("%s: %d found, %v", name, len(found), skipped)
		}
	}
}

// TestHostileOutlines: what is deep or long in a language whose declarations are compared by their texts is compared, or not.
func TestHostileOutlines(t *testing.T) {
	t.Parallel()
	many, much := testmode.Of(2_000, 20_000), testmode.Of(10_000, 100_000)
	for name, text := range map[string][2]string{
		"generics/P.java":     {"package p;\npublic class P {\n public void f(" + strings.Repeat("List<", much) + "T" + strings.Repeat(">", much) + " a) {}\n}\n", "f(int b, "},
		"parameters/P.java":   {"package p;\npublic class P {\n public void f(" + lines(many, "int a%d,") + "int a) {}\n}\n", "f(int b, "},
		"overloads/P.java":    {"package p;\npublic class P {\n public void f() {}\n" + lines(2000, "public void f(A%d a) {}") + "}\n", "f(int b"},
		"bases/P.java":        {"package p;\npublic class P extends A0 { public void f() {} }\n" + lines(many, "public class A%d extends A1%d {}"), "f(int b"},
		"nested/P.java":       {"package p;\npublic class P { public void f() {}\n" + strings.Repeat("public static class A {\n", 400) + strings.Repeat("}", 401) + "\n", "f(int b"},
		"generics/lib.rs":     {"pub fn f(a: " + strings.Repeat("Vec<", much) + "u8" + strings.Repeat(">", much) + ") {}\n", "f(b: u8, "},
		"reexports/lib.rs":    {"pub fn f(a: u8) {}\npub use f as a00;\n" + lines(many, "pub use a0%d as a01%d;"), "f(b: u8, "},
		"modules/lib.rs":      {"pub fn f(a: u8) {}\n" + lines(4000, "pub mod m%d { pub use super::*; pub fn g() {} }"), "f(b: u8, "},
		"globs/lib.rs":        {"pub fn f(a: u8) {}\n" + lines(2000, "pub mod m%d { }\npub use m%d::*;"), "f(b: u8, "},
		"traits/lib.rs":       {"pub fn f(a: u8) {}\n" + lines(4000, "pub trait T%d: Bound { fn g(&self); }"), "f(b: u8, "},
		"include/pointers.h":  {"int f(int " + strings.Repeat("*", much) + "a);\n", "f(int b, "},
		"include/functions.h": {"int f(" + strings.Repeat("int (*a)(", many) + "int" + strings.Repeat(")", many) + ");\n", "f(int b, "},
		"include/macros.h":    {"int f(int a);\n" + lines(many, "#define M%d(a) a"), "f(int b, "},
		"include/classes.hpp": {lines(4000, "class C%d { public: virtual int g(int a) = 0; int h; };") + "int f(int a);\n", "f(int b, "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was := files{name: text[0]}
			if found, _ := looked(t, path.Dir(name), was, was.edited(t, edit{name, "f(", text[1]})); len(found) > 1 {
				t.Errorf("found %d, %s", len(found), brief(found[0]))
			}
		})
	}
}

// looked are the breaks of a module, whatever is in it.
func looked(t *testing.T, module string, was, now files) ([]finding.Finding, []finding.Skipped) {
	t.Helper()
	for _, side := range []files{was, now} {
		for name := range side {
			if path.Ext(name) == ".rs" {
				side["Cargo.toml"] = fmt.Sprintf("[package]\nname = \"p\"\n[lib]\npath = %q\n", name)
			}
		}
	}
	found, skipped, err := Breaks(changetest.Between(t, was, now), module, &Parsed{})
	if err != nil {
		t.Error(err)
	}
	return found, skipped
}
