package golang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// spell formats references, one word each: "f()" is a call, "T" a type, "v=" a value; "?." marks an open one.
func spell(body []source.Reference) []string {
	var out []string
	for _, r := range body {
		word := r.Name + map[source.RefKind]string{source.RefCall: "()", source.RefType: "", source.RefValue: "="}[r.Kind]
		if r.Open {
			word = "?." + word
		}
		out = append(out, word)
	}
	return out
}

func TestBody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, of, want string }{
		{"what is called, converted and passed on", `func F() { g(h); _ = Amount(x) }; type Amount int`, "F", "Amount g() h= x="},
		{"predeclared names", `func F(e error) any { return len(append([]int{}, 1)) + iota }`, "F", ""},
		{"predeclared names that the file declares", `func F() { print(len) }; func print(x any) {}; var len int`, "F", "len= print()"},
		{"names that were declared before they were predeclared", `func F() { min(1, max(2, 3)) }`, "F", "max() min()"},
		{"parameters, results, locals", `func F(a A, bs ...B) (c C) { d := a; var e = bs; return f(a, bs, c, d, e) }`, "F", "A B C f()"},
		{"a scope begins behind its declaration", `func F() { x := x; var y = y; use(x, y) }`, "F", "use() x= y="},
		{"a block ends", `func F() { { x := 1; _ = x }; _ = x }`, "F", "x="},
		{"headers of statements", `func F() { if a := f(); a { } else { use(a) }; for b := range c { use(b) }; _, _ = a, b }`, "F", "a= b= c= f() use()"},
		{"cases", `func F(x X) { switch y := x.(type) { case *A: y.M(); case B, C: y.N() }; select { case z := <-ch: z.M() } }`, "F",
			"?.M() A A.M() B C X X.N() ch="},
		{"labels", `func F() { loop: for { break loop; continue loop; goto loop } }`, "F", ""},
		{"function literals", `func F() { f := func(a A) B { return a.M() }; f(a) }`, "F", "A A.M() B a="},
		{"local types", `func F() { type T struct { a A; T *T }; var t T; t.a.M(); _ = T{a: b} }`, "F", "?.M() ?.a= A b="},
		{"type parameters", `func F[K comparable, V Num | ~int](k K) { var v V; v.M(); G[V](k) }`, "F", "?.M() G() Num"},
		{"packages", `func F() { strconv.Itoa(1); b.Buffer.Write(); var x io.Reader; x.Read(); io.EOF.Error() }`, "F",
			"?.Error() ?.Write() b.Buffer= io.EOF= io.Reader io.Reader.Read() strconv.Itoa()"},
		{"a package whose name is bound", `func F(strconv T) { strconv.Itoa(1) }`, "F", "T T.Itoa()"},
		{"receivers", `func (s *S) F() { s.flush(); s.mu.Lock(); g(s.flush); s = nil }`, "S.F", "S S.flush() S.flush= S.mu.Lock() S.mu= g()"},
		{"receivers with type parameters", `func (s *S[K]) F(k K) { s.flush(k) }`, "S.F", "S S.flush()"},
		{"fields whose types the file tells", `func (s *S) F() { s.b.M(); s.list[0].N(); for _, x := range s.list { x.O() } }; type S struct { b B; list []*p.C }`, "S.F",
			"B.M() S S.b= S.list= p.C.N() p.C.O()"},
		{"results of functions of the file", `func F() { a, err := g(); a.M(); err.Error(); h().N() }; func g() (*A, error) { }; func h() B { }`, "F",
			"?.Error() A.M() B.N() g() h()"},
		{"results of other functions", `func F() { a := g(); a.M() }`, "F", "g().M() g()"},
		{"a redeclared variable keeps its type", `func F(w W) { w, err := g(), 1; w.M(); { w, err := h(), 2; w.N() } }; func g() A { }; func h() B { }`, "F",
			"B.N() W W.M() g() h()"},
		{"method expressions", `func F() { g(T.M, (*T).N, u.O) }; type T int`, "F", "T T.M= T.N= g() u.O="},
		{"variables outside of functions", `func F() { a.M(); b.N(); c.O() }; var a A; var b, d = &B{}, 1`, "F", "A.M() B.N() a= b= c.O()"},
		{"aliases", `func F(a A) { a.M() }; type A = other.B`, "F", "A other.B.M()"},
		{"keys of structs", `func F() { _ = T{a: b}; _ = []T{{a: c}}; _ = map[K]*T{d: {a: e}} }; type T struct{ a int }`, "F", "K T b= c= d= e="},
		{"keys of maps and arrays", `func F() { _ = M{a: 1}; _ = [...]int{b: 2}; _ = map[K][]int{c: {d: 3}} }; type M map[string]int`, "F", "K M a= b= c= d="},
		{"keys of what is declared elsewhere", `func F() { _ = T{a: 1}; _ = p.T{B: 2, c: 3} }`, "F", "?.B= ?.a= T c= p.T"},
		{"the declarations of types", `type F struct { Base; *io.Reader; next *F; g func(A) B; m map[K][n]V; x interface{ M(C) } }`, "F",
			"A B Base C F K V io.Reader n="},
		{"constants that repeat", "const (\nF T = a << iota\nG\n)", "G", "T a="},
		{"variables", `var F, G = h(a), func() { b() }`, "G", "b()"},
		{"several results", `var F, G = h(a)`, "G", "a= h()"},
		{"code outside of declarations", `func init() { register(A{}) }; var _ I = (*T)(nil); func _() { f() }`, "", "A I T f() register()"},
	} {
		src := "package p\nimport (\"io\"; \"strconv\"; b \"x/bytes\"; \"x/p\"; \"other\")\n" + c.src
		f := extract(t, "a.go", src)
		sourcetest.CheckLines(t, f, []byte(src))
		body := f.Body
		for _, s := range f.Symbols {
			if s.Name == c.of {
				body = s.Body
			}
		}
		want := strings.Fields(c.want)
		got := spell(body)
		slices.Sort(got)
		slices.Sort(want)
		if f.Problem != "" || !slices.Equal(got, want) {
			t.Errorf("%s: %s\ngot  %q\nwant %q", c.name, f.Problem, got, want)
		}
	}
}

// TestBodyLines: a reference has the line where it is used first.
func TestBodyLines(t *testing.T) {
	t.Parallel()
	f := extract(t, "a.go", "package p\n\nfunc F(\n\ta A,\n) {\n\tf()\n\tvar x A = f()\n}\n")
	want := []source.Reference{{Name: "A", Kind: source.RefType, Line: 4, Order: 1}, {Name: "f", Kind: source.RefCall, Line: 6, Order: 2}}
	if !slices.Equal(f.Symbols[0].Body, want) {
		t.Errorf("got %v, want %v", f.Symbols[0].Body, want)
	}
}

// TestHiddenMethods: a method that is not exported is there for those who follow names, and changes nothing for dependants.
func TestHiddenMethods(t *testing.T) {
	t.Parallel()
	deep := func(src string) map[string]source.Digest {
		m := source.Module{Path: "m", Units: []source.Unit{{Path: "m/a.go", File: extract(t, "m/a.go", src)}}}
		out := map[string]source.Digest{}
		for _, d := range m.Declarations() {
			if !d.Hidden {
				out[d.Name] = d.Deep
			}
		}
		return out
	}
	const src = "package p\ntype options int\ntype server struct{}\nfunc New(o options) *server { return nil }\nfunc (s *server) Run() {}\n"
	for name, d := range deep(src) {
		for _, more := range []string{"func (s *server) hidden() {}", "func (s *server) options(x int) {}"} {
			if after := deep(src + more)[name]; after != d {
				t.Errorf("%q changes what dependants see of %s", more, name)
			}
		}
	}
}

// TestShapes: the same method has the same shape however it is spelled.
func TestShapes(t *testing.T) {
	t.Parallel()
	f := extract(t, "a.go", `package p
type I interface { io.Reader; error; comparable; M(a, b int, c ...T) (x []*db.Row, err error); N(func(byte) chan<- map[string]any); O() (T) }
type S struct { I; *Base[int]; p.Q; x int }
func (s *S) M(int, int, ...T) ([]*db.Row, error)
func (S) N(f func(x uint8) chan<- map[string]interface{}) {}
func (s S) O() (t T) { return }
func (g *G[K]) P(k K, l List[K, T], a [4]rune) {}
`)
	shapes := map[string]string{}
	for _, s := range f.Symbols {
		shapes[s.Name] = s.Shape
		switch {
		case s.Name == "I" && !slices.Equal(s.Bases, []string{"io.Reader"}), s.Name == "S" && !slices.Equal(s.Bases, []string{"I", "Base", "p.Q"}):
			t.Errorf("%s: bases %q", s.Name, s.Bases)
		}
		for _, m := range s.Requires {
			shapes[s.Name+"."+m.Name] = m.Shape
		}
	}
	for name, want := range map[string]string{
		"M": "(int, int, ...$T) ([]*$db.Row, error)", "N": "(func(uint8) chan<- map[string]any)", "O": "() $T",
	} {
		if shapes["S."+name] != want || shapes["I."+name] != want {
			t.Errorf("%s: %q and %q, want %q", name, shapes["S."+name], shapes["I."+name], want)
		}
	}
	if want := "(?, $List[?,$T], [4]int32)"; shapes["G.P"] != want || shapes["I.Error"] != "() string" {
		t.Errorf("%q, %q", shapes["G.P"], shapes["I.Error"])
	}
}

// TestBodyOfDeepSource: source that is nested deeply, or leads in circles, is read to its end.
func TestBodyOfDeepSource(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for _, c := range []struct{ name, src, want string }{
		{"pointers", "func F(a, b, c " + strings.Repeat("*", n) + "T) {" + strings.Repeat("a.M();", n) + "}", "?.M() T"},
		{"blocks", "func F(x T) {" + strings.Repeat("{x := x;", n) + "x.M()" + strings.Repeat("}", n) + "}", "T T.M()"},
		{"selections", "func F(x T) { x" + strings.Repeat(".a", n) + "() }", "?.a() ?.a= T T.a.a.a.a= T.a.a.a= T.a.a= T.a="},
		{"fields", "func (s S) F() {" + strings.Repeat("s.b = s.a;", n) + "}; type S struct {" + strings.Repeat("a, b int;", n) + "}", "S S.a= S.b="},
		{"aliases", "func F(a A) {" + strings.Repeat("a.M();", n) + "}; type A = B; type B = A", "?.M() A"},
	} {
		f := extract(t, "a.go", "package p\n"+c.src)
		got := spell(f.Symbols[0].Body)
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s\ngot  %q\nwant %s", c.name, f.Problem, got, c.want)
		}
	}
}
