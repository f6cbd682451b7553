package java

import (
	"bytes"
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// spread writes each token on a separate line, followed by a comment, and keeps documentation.
func spread(src string) string {
	u := read(kernel.Meter{}, src)
	var b strings.Builder
	next := 0
	for i, t := range u.toks {
		for ; next < len(u.comments) && int(u.comments[next].before) == i; next++ {
			if c := u.comments[next]; c.doc || c.line <= 10 {
				b.WriteString(u.src[c.start:c.end] + "\n")
			}
		}
		b.WriteString(u.src[t.start:t.end])
		b.WriteString(" // and on\n")
	}
	return b.String()
}

func sameDigests(f, g source.File) bool {
	if f.Content != g.Content || len(f.Symbols) != len(g.Symbols) {
		return false
	}
	for i, s := range f.Symbols {
		o := g.Symbols[i]
		s.Line, s.End, o.Line, o.End = 0, 0, 0, 0
		s.Body, o.Body = unplaced(s.Body), unplaced(o.Body)
		if !reflect.DeepEqual(s, o) {
			return false
		}
	}
	return true
}

// unplaced are references without their lines.
func unplaced(list []source.Reference) []source.Reference {
	out := slices.Clone(list)
	for i := range out {
		out[i].Line = 0
	}
	return out
}

// checkBodies checks the invariants of references.
func checkBodies(t testing.TB, f source.File, src []byte) {
	t.Helper()
	lines := bytes.Count(src, []byte("\n")) + 1
	check := func(list []source.Reference) {
		for i, r := range list {
			if r.Name == "" || strings.HasPrefix(r.Name, ".") || strings.HasSuffix(r.Name, ".") || !utf8.ValidString(r.Name) {
				t.Errorf("a name is %q", r.Name)
			}
			if r.Line < 1 || r.Line > lines {
				t.Errorf("%s is in line %d of %d", r.Name, r.Line, lines)
			}
			if r.Open && strings.Contains(r.Name, ".") {
				t.Errorf("%s is open and dotted", r.Name)
			}
			if i > 0 && compareReferences(list[i-1], r) >= 0 {
				t.Errorf("%v stands before %v", list[i-1], r)
			}
		}
	}
	check(f.Body)
	for _, s := range f.Symbols {
		check(s.Body)
	}
}

func compareReferences(a, b source.Reference) int {
	open := func(r source.Reference) int {
		if r.Open {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), cmp.Compare(open(a), open(b)))
}

// Any sequence of fragments is read without a panic, twice the same, and by the rules of a File.
func TestAnyInput(t *testing.T) {
	t.Parallel()
	fragments := []string{
		"class ", "interface ", "enum ", "record ", "@interface ", "A", "B", "x", "public ", "private ", "static ", "final ",
		"int ", "void ", "{", "}", "(", ")", "[", "]", "<", ">", ",", ";", ".", "@", "=", "->", "::", "...", "?", "&", "\"", "'",
		"\"\"\"", "\\", "\\u0041", "\\u000a", "/*", "*/", "/**", "//", "///", "\n", " ", "default ", "throws ", "sealed ", "non-sealed ",
		"if ", "else ", "for ", "switch ", "case ", "try ", "catch ", "new ", "return ", "instanceof ", "this", "super", "var ", "yield ",
		"class A { void f() { ", "x.y(", "int x = ", ":", "x -> ", "import ", "package ", "1", ".5", "\x00", "\xff", "é", "@Path(\"/a\") ", "@GET ", "System.getenv(\"X\")", "extends ",
	}
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOf(rapid.SampledFrom(fragments)).Draw(t, "src"), "")
		f := Language{}.Extract(context.Background(), "src/A.java", []byte(src))
		if t, ok := any(t).(testing.TB); ok {
			sourcetest.CheckFile(t, f)
			checkBodies(t, f, []byte(src))
		}
		if again := (Language{}).Extract(context.Background(), "src/A.java", []byte(src)); !reflect.DeepEqual(f, again) {
			t.Fatal("two runs differ")
		}
	})
}

// Hostile input takes time in proportion to its size: each of these would take minutes otherwise.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	n := testmode.Of(20_000, 200_000)
	for name, src := range map[string]string{
		"braces":       strings.Repeat("{", n),
		"classes":      strings.Repeat("class A{", n),
		"angles":       "class A { int x = a" + strings.Repeat("<a", n),
		"parentheses":  "class A { int x = " + strings.Repeat("(", n),
		"closers":      strings.Repeat("}", n) + strings.Repeat(")", n),
		"annotations":  strings.Repeat("@A(", n),
		"comments":     strings.Repeat("/**/", n) + "class A {}",
		"docs":         "class A {" + strings.Repeat("/** x */ int a;", n/4) + "}",
		"doc lines":    strings.Repeat("/// x\n", n) + "class A {}",
		"variables":    "class A { int a" + strings.Repeat(", a", n) + "; }",
		"overloads":    "class A {" + strings.Repeat("void f() {}", n/8) + "}",
		"names":        "import a" + strings.Repeat(".a", n) + ";",
		"chains":       "class A { int x = a" + strings.Repeat(".a", n) + "; }",
		"quotes":       strings.Repeat("\"", n),
		"escapes":      strings.Repeat("\\u0061", n),
		"words":        strings.Repeat("x ", n),
		"modifiers":    strings.Repeat("public ", n),
		"header":       "class A extends " + strings.Repeat("a,", n),
		"deep members": strings.Repeat("class A { int a;", 2000),
		"mixed":        strings.Repeat("class A { void f(", n/8),
		"unclosed":     strings.Repeat("class A {\n  int f() {\n", n/8),
		"enum":         "enum A {" + strings.Repeat("@X(1) B(2){},", n/4) + "}",
		"lambdas":      "class A { Object o = " + strings.Repeat("a->", n),
		"ifs":          "class A { void f() { " + strings.Repeat("if(a)", n),
		"elses":        "class A { void f() { " + strings.Repeat("if(a);else ", n),
		"casts":        "class A { Object o = " + strings.Repeat("(A)", n),
		"closed casts": "class A { Object o = " + strings.Repeat("(A)(", n/2) + strings.Repeat(")", n/2) + "; }",
		"anonymous":    strings.Repeat("class A { Object o = new A() { ", 2000),
		"nested":       strings.Repeat("class A { void f() { new A() { ", n/16),
		"switches":     "class A { void f() { " + strings.Repeat("switch(a){case A->", n/8),
		"arguments":    "class A { List" + strings.Repeat("<A", n) + strings.Repeat(">", n) + " a; }",
		"locals":       "class A { void f() { " + strings.Repeat("int a;", n) + "} }",
		"types":        "class A { void f() { " + strings.Repeat("class A{}", n/4) + "} }",
		"uses":         "class A { void f() { " + strings.Repeat("a.b(c);", n/4) + "} }",
		"packages":     "class A { void f() { a" + strings.Repeat(".a", n) + ".Aa.b(); } }",
		"nested types": "class A { void f() { Aa" + strings.Repeat(".Aa", n) + ".b(); } }",
		"supers":       strings.Repeat("class A extends B { void f() { g(); } } class B extends A { } ", n/32),
		"patterns":     "class A { void f() { if (a instanceof " + strings.Repeat("A(", n),
		"labels":       "class A { void f() { " + strings.Repeat("a:", n),
		"conditions":   "class A { int a = " + strings.Repeat("a?", n) + strings.Repeat(":a", n) + "; }",
		"dimensions":   "class A { int" + strings.Repeat("[]", n) + " a; }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if f, ok := sourcetest.Hostile(t, Language{}, "A.java", []byte(src)); ok {
				sourcetest.CheckFile(t, f)
			}
		})
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("package a; /** A. */ public class A<T extends B> { int x = 1 << 2, y[]; @T void f(int... a) throws E {} }"))
	f.Add([]byte("enum E { A(1) { }, @X B; E() {} } record R(int a) { R { } } @interface I { int v() default 1; }"))
	f.Add([]byte("class A { String s = \"\"\"\n  a\n  \"\"\"; void f() { if (a < b) { } "))
	f.Add([]byte("/// doc\nsealed interface S permits A {}\nnon-sealed class A { \\u0061bc d; char c = '\\''; }"))
	f.Add([]byte("class A { int f(Object o) { for (var x : y) { a.b(c -> d, E::f); } return o instanceof P(Q q, var r) ? q.s : new T() { }.u(); } }"))
	f.Add([]byte("class A { { try (R r = s()) { switch (t) { case U u when v -> w(); case X: default: yield z; } } catch (B | C d) { } } }"))
	f.Fuzz(func(t *testing.T, src []byte) {
		read, _ := sourcetest.Hostile(t, Language{}, "A.java", src)
		costtest.Hold(t, src, func(src []byte) { sourcetest.Hostile(t, Language{}, "A.java", src) })
		sourcetest.CheckFile(t, read)
		checkBodies(t, read, src)
	})
}
