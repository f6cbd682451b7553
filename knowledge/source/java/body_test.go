package java_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// bodyOf writes the references of a symbol on one line, by kind and name, an open one with a question mark.
func bodyOf(list []source.Reference) string {
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

// TestBody reads one method of class A, or what else is called f there.
func TestBody(t *testing.T) {
	t.Parallel()
	const head = "import a.b.Money; import static a.b.Util.parse;\n"
	for name, tc := range map[string]struct{ src, want string }{
		"a local hides a field":     {"class A { int x; int f() { int x = 1; return x; } }", ""},
		"a field":                   {"class A { int x; int f() { return x + this.x; } }", "value A.x"},
		"a second local":            {"class A { int b; int f() { int a = 1, b = a; return b; } }", ""},
		"behind the block":          {"class A { int x; int f() { { int x; } return x; } }", "value A.x"},
		"a private method":          {"class A { void f() { g(); } private void g() {} }", "call A.g"},
		"an inherited method":       {"class A extends B { void f() { g(); } }", "call ?g"},
		"inherited in the file":     {"class B { void g() {} } class A extends B { void f() { g(); super.g(); } }", "call B.g"},
		"of the outer class":        {"class O { void g() {} class A { void f() { g(); } } }", "call O.g"},
		"of every object":           {"class A { void f() { getClass(); } }", ""},
		"a static import":           {head + "class A { void f() { parse(); } }", "call parse"},
		"a type":                    {head + "class A { void f() { Money.parse(Money.ZERO); } }", "call Money.parse, value Money.ZERO"},
		"a constructor":             {head + "class A { Object f() { return new Money(1); } }", "type Money"},
		"in full":                   {"class A { void f() { a.b.Money.parse(); } }", "call a.b.Money.parse"},
		"of a parameter":            {head + "class A { void f(Money m) { m.add(m.cents); } }", "call Money.add, type Money, value Money.cents"},
		"of a field":                {head + "class A { Money m; void f() { m.add(); this.m.add(); } }", "call Money.add, value A.m"},
		"of a result":               {head + "class A { void f(Money m) { m.add().sub(); } }", "call Money.add, call ?sub, type Money"},
		"of an array":               {"class A { void f(Money[] m) { int n = m.length; m[0].add(); } }", "call ?add, type Money"},
		"of a string":               {"class A { void f(String s) { s.trim(); } }", ""},
		"of a cast":                 {"class A { void f(Object o) { ((Money) o).add(); } }", "call Money.add, type Money"},
		"a cast in parentheses":     {"class A { int f(int x) { return (x) + (int) x; } }", ""},
		"a lambda":                  {"class A { void f() { run(x -> x.go(y)); } }", "call ?go, call ?run, value ?y"},
		"typed lambda":              {"class A { void f() { run((Money m, int n) -> m.add(n)); } }", "call Money.add, call ?run, type Money"},
		"block lambda":              {"class A { int y; void f() { run((a, b) -> { int y = a; return y; }); y++; } }", "call ?run, value A.y"},
		"a method reference":        {"class A { void f(Money m) { run(Money::add, m::sub, this::f, Money::new, int[]::new); } }", "call ?run, type Money, value A.f, value Money.add, value Money.sub"},
		"a pattern":                 {"class A { void f(Object o) { if (o instanceof Money m && m.ok()) m.add(); } }", "call Money.add, call Money.ok, type Money"},
		"a pattern that stays":      {"class A { void f(Object o) { if (!(o instanceof Money m)) return; m.add(); } }", "call Money.add, type Money"},
		"a pattern that goes":       {"class A { int m; void f(Object o) { if (o instanceof Money m) { } m++; } }", "type Money, value A.m"},
		"a record pattern":          {"class A { void f(Object o) { if (o instanceof Pair(Money m, var n)) { m.add(n); } } }", "call Money.add, type Money, type Pair"},
		"a switch":                  {"class A { int f(Object o) { return switch (o) { case Money m when m.ok() -> m.n(); case Pair(var a, var b) -> a; default -> 0; }; } }", "call Money.n, call Money.ok, type Money, type Pair"},
		"constants of a switch":     {"class A { static int RED; void f(Color c) { switch (c) { case RED: case GREEN: go(); } } }", "call ?go, type Color, value ?GREEN, value ?RED"},
		"loops and labels":          {"class A { void f(List<Money> l) { out: for (Money m : l) { for (int i = 0; i < n; i++) { m.add(i); continue out; } } } }", "call Money.add, type List, type Money, value ?n"},
		"a resource":                {"class A { void f() { try (In in = open(); other) { in.read(); } catch (Bad | Worse e) { e.log(); } finally { done(); } } }", "call In.read, call ?done, call ?log, call ?open, type Bad, type In, type Worse, value ?other"},
		"annotations":               {"class A { @Get(path = Paths.A, of = {B.class}) void f(@Arg(x = 1) int a) { @Local int q; } }", "type Arg, type B, type Get, type Local, value Paths.A"},
		"type parameters":           {"class A<T extends Money> { <U extends Comparable<T>> U f(T t, Map<? super U, T> m) throws Bad { return t.u(); } }", "call ?u, type Bad, type Map"},
		"a nested type":             {"class A { static class Node { } Node f() { return new Node(); } }", "type A.Node"},
		"a class of the body":       {"class A { void f() { class L { int n; void g() { n++; h(); } } new L().g(); } void h() {} }", "call A.h, call ?g"},
		"an anonymous class":        {"class A { int x; void f() { new Base() { int y; void g() { y = x; g(); h(); } }; } void h() {} }", "call ?h, type Base, value A.x"},
		"another constructor":       {"class A extends B { A() { this(1); } A(int f) { super(f); } Object f() { return A.super.g(); } }", "call B.g"},
		"var":                       {"class A { void f() { var m = new Money(); m.add(); var n = other(); n.add(); } }", "call Money.add, call ?add, call ?other, type Money"},
		"generic calls":             {"class A { void f() { Money.<Item>of().get(); List<Item> l = new ArrayList<>(); } }", "call Money.of, call ?get, type ArrayList, type Item, type List"},
		"comparisons":               {"class A { int a, b, c, d; void f() { g(a < b, c > d); } void g(boolean x, boolean y) {} }", "call A.g, value A.a, value A.b, value A.c, value A.d"},
		"conditionals":              {"class A { int f(boolean b) { return b ? x : b ? y : z; } }", "value ?x, value ?y, value ?z"},
		"a nested constant":         {"class A { int f() { return Outer.Inner.MAX + Outer.MAX.n(); } }", "call ?n, value Outer.Inner.MAX, value Outer.MAX"},
		"a yield":                   {"class A { int f(int k) { return switch (k) { case 1: yield g(); default: { yield (h()); } }; } }", "call ?g, call ?h"},
		"a default of an attribute": {"@interface A { Class<?> f() default Money.class; }", "type Money"},
		"a field with its value":    {"class A { static final int f = Limits.MAX * 2; }", "value Limits.MAX"},
		"the second of two":         {"class A { Money e, f = make(); }", "call ?make, type Money"},
		"a component":               {"record A(Money m) { int f() { return m.n() + m().n(); } }", "call A.m, call Money.n, call ?n, value A.m"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := extract(tc.src)
			if f.Problem != "" {
				t.Fatal(f.Problem)
			}
			var got string
			for _, s := range f.Symbols {
				if s.Name == "A.f" || s.Name == "O.A.f" {
					got = bodyOf(s.Body)
				}
			}
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// TestBodyOfTypes checks which names belong to a type: those of members that are not symbols.
func TestBodyOfTypes(t *testing.T) {
	t.Parallel()
	f := extract(`@Mark class A<T extends Low> extends Base<T> implements Can {
	static { setup(Names.X); }
	private Money hidden = Money.parse("1");
	private int helper() { return Limits.MAX; }
	public int seen() { return Other.N; }
}
enum E { ONE(Money.ZERO) { int n() { return Rates.R; } }; E(Money m) {} }
record R(Money m) { R { Check.ok(m); } }`)
	for name, want := range map[string]string{
		"A":        "call Money.parse, call ?setup, type Base, type Can, type Low, type Mark, type Money, value Names.X",
		"A.helper": "value Limits.MAX",
		"E":        "value Money.ZERO, value Rates.R", "E.E": "type Money", "R": "type Money", "R.R": "call Check.ok",
	} {
		if got := bodyOf(symbol(t, f, name).Body); got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
	if got := bodyOf(extract("void main() { go(); } void go() { a.b.C.d(); }").Symbols[0].Body); got != "call go" {
		t.Errorf("main of a file without a class: %s", got)
	}
}
