package rust

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// spelledBody writes references in one line: a call with (), a type with :, an open one with ?.
func spelledBody(list []source.Reference) string {
	marks := map[source.RefKind]string{source.RefCall: "()", source.RefType: ":", source.RefValue: ""}
	var out []string
	for _, r := range list {
		s := r.Name + marks[r.Kind]
		if r.Open {
			s = "?" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestBodies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, symbol, want string }{
		{"calls, types, values", "fn f(a: Amount) -> Total { g(a) + LIMIT }", "f", "Amount: LIMIT Total: g()"},
		{"paths", "fn f() { crate::a::b(); self::c(); super::d::E::new(); std::mem::drop(1); ::x::y() }", "f", "c() crate.a.b() std.mem.drop() super.d.E.new() x.y()"},
		{"predeclared", "fn f(a: Option<String>) -> Vec<u8> { Some(Vec::new()); drop(a); u8::max(1, 2); println!() }", "f", ""},
		{"predeclared and imported", "use crate::Result;\nfn f() -> Result { Ok(1) }", "f", "Result:"},
		{"a let holds from behind it", "fn f() { let a = a; a }", "f", "a"},
		{"shadowed in a block", "fn f() { { let a = 1; a } a }", "f", "a"},
		{"types and values have their own names", "fn f(a: u8) { a::b() }", "f", "a.b()"},
		{"patterns", "use m::{Some2, K, MAX};\nfn f(Some2(a): X, Y { b, c: K::V(d), .. }: Y) { match a { K::A | K::B => b, MAX => c, e @ 1..=LOW => e, (x, [y, .., z]) => x + y + z, w => w + d } }", "f", "K.A K.B K.V: LOW MAX Some2: X: Y: c"},
		{"if let chains", "fn f() { if let Some(a) = g() && let Ok(b) = h(a) { a + b } else { c } }", "f", "c g() h()"},
		{"while let of a block", "fn f() { while let Some(a) = { g() } { a } }", "f", "g()"},
		{"unequal", "fn f(a: u8) { if a != b { c } a as T != (d) }", "f", "T: b c d"},
		{"let else", "fn f() { let Some(a) = b else { return c(a) }; a }", "f", "a b c()"},
		{"for", "fn f() { for (i, x) in xs.iter().enumerate() { i + x } i }", "f", "?enumerate() i ?iter() xs"},
		{"labels", "fn f() { 'a: loop { break 'a b } }", "f", "b"},
		{"closures", "fn f() { let g = |a: A, (b, c)| -> B { a + b + c }; g(a); h(|| d) }", "f", "A: B: a d h()"},
		{"bars and shifts", "fn f(a: u8, b: u8) { a | b; a || b; 1 << a; a as u64 <= b as u64; x < y }", "f", "x y"},
		{"generics", "fn f<'a, T: Tr<X>, const N: usize>(a: &'a T) -> [T; N] where T::Item: Other { T::make(N); g::<Y<T>>() }", "f", "?Item: Other: Tr: X: Y: g() ?make()"},
		{"bounds ahead of parameters", "fn f<A: Into<B>, B>() {}", "f", ""},
		{"qualified paths", "fn f() { <T as Tr<X>>::make(); <[u8]>::len() }", "f", "T: Tr: X: ?len() ?make()"},
		{"function types", "fn f(a: fn(x: A) -> B, b: impl Fn(C) -> D + Send, c: Box<dyn E + 'static>, d: *const G) {}", "f", "A: B: C: D: E: G:"},
		{"fields are no names", "struct S { a: u8 }\nfn f(s: S) -> S { s.a; s.b.c; S { a: x, y, ..z } }", "f", "S: x y z"},
		{"methods of values", "fn f(s: &mut Server, b: &dyn Tr, c: Box<Server>) { s.flush(); b.flush(); c.close(); s.a.go::<u8>(); g().run() }", "f", "Server: Server.flush() Tr: ?close() ?flush() g() ?go() ?run()"},
		{"locals of known types", "fn f() { let s: Server = g(); s.a(); let t = Server { b: 1 }; t.c(); let u = Kind::A { d: 1 }; u.e(); let s = 1; s.h() }", "f", "Kind.A: Server: Server.a() Server.c() ?e() g() ?h()"},
		{"an alias is no certain type", "type A = Arc<S>;\nfn f(a: A) { a.b() }", "f", "A: ?b()"},
		{"methods", "struct S;\nimpl S { fn f(&self) { self.g(); Self::h(); self.x.i(); let s: Self = Self { x: 1 }; s.j() } }", "S.f", "S: S.g() S.h() S.j() ?i()"},
		{"methods of a foreign type", "impl super::S { fn f(&self) { self.g() } }", "S.f", "super.S.g()"},
		{"methods of a trait", "trait T { const C: u8; fn f(&self) -> Self { self.g(); Self::C } }", "T.f", "T.C T.g()"},
		{"a trait", "trait T: A + B<C> { fn f(&self) { g() } }", "T", "A: B: C:"},
		{"an impl of a trait", "impl<X> T<X> for S<X> { type O = P; fn f(&self) { self.g(); Self::h(); i() } }", "S.<T<X>>", "P: S: S.g() S.h() T: i()"},
		{"what an impl of a trait declares", "impl T for S { type O = P; fn f(&self) -> Self::O { self.g() } fn g(&self) { self.h() } }", "S.<T>", "P: S: S.h() T:"},
		{"an impl for all", "impl<X: A> T for X { fn f(&self) { self.g() } }", "X.<T>", "A: T: ?g()"},
		{"the head of an impl", "struct S<T>(T);\nimpl<T: A> S<T> where T: B { fn f() { c() } }", "S", "A: B:"},
		{"data", "#[derive(Clone, Serialize, d::E)]\n#[serde(with = \"x\")]\npub struct S<T: A> { #[arg(y)] a: Vec<T>, b: m::B }", "S", "A: Serialize() d.E() m.B:"},
		{"an enum", "enum E { A(B), C { d: D }, F = G as isize + h() }", "E", "B: D: G h()"},
		{"attribute macros", "use a::traced;\n#[tokio::main] #[traced] #[inline] #[rustfmt::skip] #[allow(clippy::all)] fn f() {}", "f", "tokio.main() traced()"},
		{"items in a body", "fn f() { const A: u8 = B; fn g(x: X) { a; h() } struct S { y: Y } impl S { fn k(&self) { self.l() } } g(A); S { y: 1 }; use m::n as o; o(); o::p() }", "f", "B X: Y: a h() ?l() m.n() m.n.p()"},
		{"wildcards in a body", "fn f() { use Kind::*; match a { A => b(), _ => g() } }\nfn g() {}", "f", "?A ?a ?b() g()"},
		{"variables of a function around", "fn f(a: u8) { fn g() { a } }", "f", "a"},
		{"standard macros", "fn f(a: u8) { println!(\"{a} {B:?} {:>w$} {n}\", c, n = 1); assert!(d(), \"{}\", e); vec![g(); N]; matches!(x, K::A(y) if y > z); stringify!(q) }", "f", "B K.A: N c d() e g() w x z"},
		{"other macros", "fn f(a: u8) { info!(\"{}\", b::c(a), d = e.h()); x::json!({ \"k\": v }) }", "f", "?c() ?d ?e ?h() info() ?v x.json()"},
		{"a macro of the file", "macro_rules! vec { ($a:expr) => { $crate::m::new($a, other) } }\nfn f() { vec![a] }", "f", "?a vec()"},
		{"the body of a macro", "macro_rules! vec { ($a:expr) => { $crate::m::new($a, other) } }", "vec", "crate.m.new() ?other"},
		{"inline modules", "mod m { pub fn a() {} pub fn f() { a(); self::a(); super::b(); crate::c() } }\nfn b() {}", "m.f", "b() crate.c() m.a()"},
		{"constants", "static S: Lazy<T> = Lazy::new(|| g(A));", "S", "A Lazy: Lazy.new() T: g()"},
		{"a re-export", "pub use self::m::Thing as Other;", "Other", "m.Thing:"},
		{"blocks that are values", "fn f() { let a = unsafe { b() } | c; match unsafe { d } { x => x, } if { g } {} async move { h }.await }", "f", "b() c d g h"},
		{"raw names and borrows", "fn f(r#type: u8) { r#type; &raw const x; r#fn() }", "f", "fn() x"},
		{"recursion", "fn f() { f() }", "f", "f()"},
	}
	for _, test := range tests {
		f := extract(test.src)
		if got := spelledBody(symbolOf(t, f, test.symbol).Body); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.name, got, test.want)
		}
		if f.Problem != "" {
			t.Errorf("%s: %s", test.name, f.Problem)
		}
	}
}

func TestLooseBodies(t *testing.T) {
	t.Parallel()
	f := extract("const _: () = check::<A>();\nthread_local! { static B: C = d(); }\nregister!(e);\nuse x::y;\nimpl Other { fn f() { g() } }\n#[cfg(test)]\nconst _: () = h();")
	if got, want := spelledBody(f.Body), "C: A: Other: check() d() ?e register()"; !sameWords(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return strings.Join(source.Unique(x), " ") == strings.Join(source.Unique(y), " ")
}

func TestGuards(t *testing.T) {
	t.Parallel()
	f := Language{}.Extract(context.Background(), "src/main.rs", []byte(`#![cfg(feature = "cli")]
#[cfg(windows)] fn a() {}
#[cfg(unix)] #[cfg(not(test))] pub mod m { pub fn b() {} #[cfg(c)] impl T { fn d() {} } }
#[cfg(unix)] fn e() {}
#[cfg(not(unix))] fn e() {}
#[cfg(unix)] fn g() {}
#[cfg(windows)] fn g() {}
fn h() {}
#[cfg_attr(unix, inline)] fn i() {}
cfg_if::cfg_if! { if #[cfg(unix)] { fn j() {} } else if #[cfg(windows)] { fn k() {} } else { fn l() {} } }
cfg_net! { fn n() {} }
#[cfg(any(test, feature = "x",))] trait U { fn o(); }
#[cfg(feature = "cli")] fn main() {}
`))
	want := map[string]string{
		"a": "windows", "m": "all(unix, not(test))", "m.b": "all(unix, not(test))", "m.T.d": "all(all(unix, not(test)), c)",
		"g": "any(unix, windows)", "j": "unix", "k": "all(windows, not(unix))", "n": "cfg_net!",
		"l": "all(not(unix), not(windows))", "U": `any(test, feature = "x")`, "U.o": `any(test, feature = "x")`, "main": `feature = "cli"`,
	}
	for _, s := range f.Symbols {
		if s.Guard != want[s.Name] {
			t.Errorf("%s: guard %s, want %s", s.Name, s.Guard, want[s.Name])
		}
	}
	if f.Guard != `feature = "cli"` || !f.Main || f.MainGuard != `feature = "cli"` || f.Problem != "" {
		t.Errorf("guard %s, main %v %s, problem %s", f.Guard, f.Main, f.MainGuard, f.Problem)
	}
}

func TestImportGuards(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ src, want string }{
		{"#[cfg(windows)] use crate::win::A;", "crate::win[windows]"},
		{"#[cfg(windows)] use crate::both::A;\nuse crate::both::B;", "crate::both[]"},
		{"#[cfg(windows)] use crate::both::A;\n#[cfg(unix)] use crate::both::A;", "crate::both[any(unix, windows)]"},
		{"#[cfg(windows)] use crate::both::A;\n#[cfg(not(windows))] use crate::both::A;", "crate::both[]"},
		{"#[cfg(windows)] mod win;\nuse win::A;", "self::win[windows]"},
		{"#[cfg(windows)] mod win;\n#[cfg(unix)] use self::win::A;", "self::win[all(unix, windows)]"},
		{"#[cfg(windows)] fn f() { crate::win::go() }\nfn g() { crate::all::go() }", "crate::all[] crate::win[windows]"},
		{"fn f() { #[cfg(windows)] { crate::win::go() } crate::all::go() }", "crate::all[] crate::win[windows]"},
		{"fn f() { #[cfg(windows)] let a = crate::win::S { b: 1 }; crate::all::go() }", "crate::all[] crate::win[windows]"},
		{"fn f() { match x { #[cfg(windows)] A => { crate::win::go() } B => crate::all::go() } }", "crate::all[] crate::win[windows]"},
		{"struct S { #[cfg(windows)] a: crate::win::A, b: crate::all::B }", "crate::all[] crate::win[windows]"},
		{"fn f() { crate::win::go(); #[cfg(windows)] crate::win::go(); }", "crate::win[]"},
		{"fn f() { #[cfg(windows)] crate::win::go(); crate::win::go(); }", "crate::win[]"},
		{"cfg_if! { if #[cfg(windows)] { use crate::win::A; } else { use crate::all::A; } }", "crate::all[not(windows)] crate::win[windows]"},
		{"#[rustfmt::skip] #[allow(clippy::all, clippy::a::b)] #[cfg_attr(x, rustfmt::skip)] fn f() {}\n#![warn(rustdoc::all)]", ""},
		{"#[tokio::main] fn f() {}\nmod clippy;\nfn g() { clippy::run() }", "self::clippy[] tokio[]"},
		{"#![cfg(windows)]\nuse crate::win::A;", "crate::win[]"},
	} {
		var got []string
		for _, imp := range extract(test.src).Imports {
			got = append(got, imp.Path+"["+imp.Guard+"]")
		}
		if list := strings.Join(got, " "); list != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.src, list, test.want)
		}
	}
}
