package rust

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

func extract(src string) source.File {
	return Language{}.Extract(context.Background(), "src/x.rs", []byte(src))
}

func symbolOf(t *testing.T, f source.File, name string) source.Symbol {
	t.Helper()
	for _, s := range f.Symbols {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no symbol %s in %+v", name, f.Symbols)
	return source.Symbol{}
}

// TestEdits says for edits which of the digests of one symbol and of the file must change.
func TestEdits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, symbol, before, after     string
		interfaces, contents, wholeFile bool
	}{
		{"test module", "f", "pub fn f() {}\n#[cfg(test)]\nmod tests { #[test] fn a() { f(); } }", "pub fn f() {}\n#[cfg(test)]\nmod tests { use crate::x; #[test] fn a() { f(); f(); } }", false, false, false},
		{"test name", "f", "pub fn f() {}\n#[cfg(test)] mod tests { #[test] fn a() {} }", "pub fn f() {}\n#[cfg(test)] mod tests { #[test] fn b() {} }", false, false, true},
		{"test function", "f", "pub fn f() {}\n#[test] fn a() { f(); }", "pub fn f() {}\n#[test] fn a() { }", false, false, false},
		{"cfg that is not only for tests", "f", "pub fn f() {}\n#[cfg(not(test))] fn a() { f(); }", "pub fn f() {}\n#[cfg(not(test))] fn a() { }", false, false, true},
		{"test method", "S", "pub struct S;\nimpl S { #[cfg(test)] fn a() { 1 } }", "pub struct S;\nimpl S { #[cfg(test)] fn a() { 2 } }", false, false, false},
		{"trailing comma", "f", "pub fn f(a: u8, b: u8) { g(a, b) }", "pub fn f(a: u8, b: u8,) { g(a, b,) }", false, false, false},
		{"trailing comma of a tuple", "f", "pub fn f() { g((1)) }", "pub fn f() { g((1,)) }", false, true, true},
		{"trailing comma in a macro", "f", "pub fn f() { g!(a) }", "pub fn f() { g!(a,) }", false, true, true},
		{"trailing comma of bounds", "f", "pub fn f<T>() where T: A {}", "pub fn f<T>() where T: A, {}", false, false, false},
		{"operators apart", "f", "pub fn f() { a && b }", "pub fn f() { a & &b }", false, true, true},
		{"closing generics", "f", "pub fn f() -> A<B<u8>> {}", "pub fn f() -> A<B<u8> > {}", false, false, false},
		{"inline", "f", "pub fn f() {}", "#[inline] pub fn f() {}", false, true, true},
		{"private field", "S", "pub struct S { pub a: u8, b: u8 }", "pub struct S { pub a: u8, c: u16 }", false, true, true},
		{"first private field", "S", "pub struct S { pub a: u8 }", "pub struct S { pub a: u8, c: u16 }", true, true, true},
		{"public field", "S", "pub struct S { pub a: u8, b: u8 }", "pub struct S { pub a: u16, b: u8 }", true, true, true},
		{"private tuple field", "S", "pub struct S(pub u8, u8);", "pub struct S(pub u8, u16);", false, true, true},
		{"variant", "E", "pub enum E { A, B }", "pub enum E { A, B(u8) }", true, true, true},
		{"doc of a variant", "E", "pub enum E { /// a\nA, B }", "pub enum E { /// b\nA, B }", false, true, true},
		{"attribute of a field", "S", "pub struct S { pub a: u8 }", "pub struct S { #[cfg(x)] pub a: u8 }", true, true, true},
		{"default body", "T.f", "pub trait T { fn f() { 1 } }", "pub trait T { fn f() { 2 } }", false, true, true},
		{"default body taken away", "T.f", "pub trait T { fn f() {} }", "pub trait T { fn f(); }", true, true, true},
		{"bounds of the impl", "S.f", "impl<A> S<A> { pub fn f() {} }", "impl<A: B> S<A> { pub fn f() {} }", true, true, true},
		{"body in an impl of a trait", "S.<T>", "impl T for S { fn f() { 1 } }", "impl T for S { fn f() { 2 } }", false, true, true},
		{"associated type", "S.<T>", "impl T for S { type O = u8; }", "impl T for S { type O = u16; }", true, true, true},
		{"transcriber", "m", "macro_rules! m { ($a:expr) => { 1 } }", "macro_rules! m { ($a:expr) => { 2 } }", false, true, true},
		{"matcher", "m", "macro_rules! m { ($a:expr) => { 1 } }", "macro_rules! m { ($a:ident) => { 1 } }", true, true, true},
		{"call of a macro", "f", "pub fn f() {}\nm! { a }", "pub fn f() {}\nm! { b }", false, false, true},
		{"long constant", "C", "pub const C: &str = \"" + strings.Repeat("a", 99) + "\";", "pub const C: &str = \"" + strings.Repeat("a", 98) + "b\";", true, true, true},
		{"shebang", "f", "#!/bin/a\npub fn f() {}", "#!/bin/b\npub fn f() {}", false, false, true},
		{"manifest of a script", "f", "---\na = 1\n---\npub fn f() {}", "---\na = 2\n---\npub fn f() {}", false, false, true},
		{"constant block", "f", "pub fn f() {}\nconst { g() }", "pub fn f() {}\nconst { h() }", false, false, true},
		{"macro around it", "f", "cfg_net! { pub fn f() {} }", "cfg_file! { pub fn f() {} }", true, false, true},
		{"condition around it", "f", "cfg_if::cfg_if! { if #[cfg(unix)] { pub fn f() {} } }", "cfg_if::cfg_if! { if #[cfg(windows)] { pub fn f() {} } }", true, false, true},
		{"doc indentation", "f", "///  a\n///   b\npub fn f() {}", "/// a\n///  b\npub fn f() {}", false, false, false},
		{"re-export", "A", "pub use a::A;", "pub use b::A;", true, true, true},
	}
	for _, test := range tests {
		before, after := extract(test.before), extract(test.after)
		a, b := symbolOf(t, before, test.symbol), symbolOf(t, after, test.symbol)
		for what, changed := range map[string][2]bool{
			"interface": {a.Interface != b.Interface, test.interfaces},
			"content":   {a.Content != b.Content, test.contents},
			"file":      {before.Content != after.Content, test.wholeFile},
		} {
			if changed[0] != changed[1] {
				t.Errorf("%s: %s changed %v, want %v", test.name, what, changed[0], changed[1])
			}
		}
		if before.Problem+after.Problem != "" {
			t.Errorf("%s: problem %s %s", test.name, before.Problem, after.Problem)
		}
	}
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"pub fn f<'a, T: ?Sized + 'a>(x: &'a mut T, y: *const u8, z: [u8; 4]) -> Result<(), Box<dyn Error + 'a>>",
		"pub const unsafe extern \"C\" fn f(x: u8, ...) -> !",
		"pub async fn f(self: Pin<&mut Self>) -> <T as Iterator>::Item where T: Iterator, for<'a> &'a T: Copy",
		"fn f(x: impl Fn(u8) -> u8 + Send, y: fn() -> u8, z: (A,), w: ())",
		"pub(in crate::a) fn f() -> impl Sized + use<'_>",
		"pub const f: u8 = 1 << 2 | !0 & 3 - -4 * 5",
		"pub const f: usize = size_of::<Vec<u8>>() >> 1",
		"pub const f: &[&str] = &[\"a  b\", r#\"c\"#]",
		"static f: Mutex<Option<u8>> = Mutex::new(None)",
		"pub type f<T> = HashMap<String, Vec<T>>",
		"pub fn f<const N: usize>(a: [u8; N]) -> [u8; { N * 2 }]",
	} {
		end := ";"
		if strings.Contains(want, "fn f") {
			end = " {}"
		}
		for _, src := range []string{want + end, strings.NewReplacer(" ", "\n  ", "a  b", "a  b", "extern \"C\"", "extern  \"C\"").Replace(want) + end} {
			f := extract(src)
			if got := symbolOf(t, f, "f").Signature; got != want || f.Problem != "" {
				t.Errorf("got  %s\nwant %s %s", got, want, f.Problem)
			}
		}
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, want string }{
		{"use a::b::{c, d as e, f::*, self};", "a b; a::b c d=e; a::b::f *"},
		{"use crate::money;\nfn f() -> money::Amount { money::parse() }", "crate::money Amount parse"},
		{"use crate::parse;\nfn f() { parse() }", "crate parse"},
		{"use crate::parse;\nfn f() { parse::<u8>() }", "crate parse"},
		{"pub use crate::money;\nfn f() { money::parse() }", "crate money; crate::money parse"},
		{"use crate::kind::Kind::{self, A, B};", "crate::kind Kind Kind=A Kind=B"},
		{"use crate::kind::Kind::*;", "crate::kind Kind"},
		{"fn f() { crate::a::b(); super::c::D::new(); other::e::f(); u8::max(); std::mem::drop(); Vec::new(); ::g::h() }", "crate::a b; g h; other::e f; super::c D"},
		{"mod m;\nfn f() { m::g(); }", "self::m g"},
		{"mod m { pub fn g() {} }\nfn f() { m::g(); }", ""},
		{"mod m { use super::X; use super::super::Y; fn f() { self::g(); super::h(); crate::z::i() } }", "crate::z i; super Y"},
		{"fn f() { use crate::late::Thing; }", "crate::late Thing"},
		{"macro_rules! m { () => { $crate::deep::call() } }", "crate::deep call"},
		{"fn f() -> impl Sized + use<'_> { 1 }", ""},
		{"#[macro_use] extern crate log;\nextern crate foo as bar;\nfn f() { bar::x(); }", "foo x; log *"},
		{"#[cfg(test)] use crate::only::Tests;\n#[cfg(test)] mod tests { use crate::more; }", ""},
		{"use tokio;\nfn f() { tokio::spawn(); }", "tokio spawn"},
		{"pub use crate::a::*;\npub(crate) use crate::b::*;", "crate::a *+; crate::b *"},
		{"pub(in crate::hidden) fn f() {}", ""},
		{"wrap! { mod m; }\nuse m::X;", "self::m X"},
	}
	for _, test := range tests {
		f := extract(test.src)
		var got []string
		for _, imp := range f.Imports {
			s := imp.Path
			for _, n := range imp.Names {
				s += " " + n.Name
				if n.As != "" {
					s += "=" + n.As
				}
			}
			if imp.All {
				s += " *"
			}
			if imp.Reexport {
				s += "+"
			}
			got = append(got, s)
		}
		if list := strings.Join(got, "; "); list != test.want || f.Problem != "" {
			t.Errorf("%s\ngot  %s\nwant %s %s", test.src, list, test.want, f.Problem)
		}
	}
}

func TestVisibility(t *testing.T) {
	t.Parallel()
	f := extract(`
pub mod open { pub fn a() {} fn b() {} pub(crate) fn c() {} }
mod shut { pub fn d() {} }
struct Inner;
impl Inner { pub fn e() {} }
pub struct Outer;
impl Outer { pub fn g() {} fn h() {} }
impl elsewhere::Other { pub fn i() {} }
pub trait T { fn j(); }
trait U { fn k(); }
#[macro_export] macro_rules! l { () => {} }
macro_rules! m { () => {} }
`)
	want := map[string]bool{"open": true, "open.a": true, "Outer": true, "Outer.g": true, "Other.i": true, "T": true, "T.j": true, "l": true}
	for _, s := range f.Symbols {
		if s.Exported != want[s.Name] {
			t.Errorf("%s: exported %v", s.Name, s.Exported)
		}
	}
}

func TestFileKinds(t *testing.T) {
	t.Parallel()
	const src = "fn main() {}\n#[cfg(test)] mod t { #[test] fn one() {} }"
	tests := []struct {
		path       string
		test, main bool
	}{
		{"src/lib.rs", false, false},
		{"src/main.rs", false, true},
		{"a/src/bin/tool.rs", false, true},
		{"examples/show.rs", false, true},
		{"tests/all.rs", true, false},
		{"a/benches/fast.rs", true, false},
		{"src/parse/tests.rs", true, false},
		{"src/parse_test.rs", true, false},
	}
	for _, test := range tests {
		f := Language{}.Extract(context.Background(), test.path, []byte(src))
		if f.Test != test.test || f.Main != test.main || !reflect.DeepEqual(f.Tests, []string{"one"}) {
			t.Errorf("%s: test %v, main %v, tests %v", test.path, f.Test, f.Main, f.Tests)
		}
	}
	for _, c := range []struct {
		path, src string
		test      bool
	}{
		{"src/checks.rs", "use super::*;\nfn help() {}\n#[test] fn one() { help() }", true},
		{"src/checks.rs", "pub fn help() {}\n#[test] fn one() { help() }", false},
		{"src/checks.rs", "mod inner;\n#[test] fn one() {}", false},
		{"src/checks.rs", "use super::T;\nimpl Drop for T { fn drop(&mut self) {} }\n#[test] fn one() {}", false},
		{"src/checks.rs", "struct T;\nimpl Drop for T { fn drop(&mut self) {} }\n#[test] fn one() {}", true},
		{"src/checks.rs", "use super::T;\nimpl T { fn a() {} }\n#[test] fn one() {}", false},
		{"src/quick_test.rs", "pub fn run() {}\n#[cfg(test)] mod tests { #[test] fn one() {} }", false},
		{"src/quick_test.rs", "pub fn run() {}\n#[test] fn one() {}", true},
		{"src/quick_test.rs", "pub fn run() {}", false},
	} {
		if f := (Language{}).Extract(context.Background(), c.path, []byte(c.src)); f.Test != c.test {
			t.Errorf("%s: test %v\n%s", c.path, f.Test, c.src)
		}
	}
	if f := extract("#![cfg(test)]\nfn helper() {}"); !f.Test || len(f.Symbols) > 0 {
		t.Errorf("a file only for tests: %+v", f)
	}
	if !extract("// @generated by a tool\n").Generated || extract("fn f() { \"@generated\" }").Generated {
		t.Error("the note of a generator is not told from code")
	}
}

func TestRecovery(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, problem, symbols string }{
		{"pub fn a() {\npub fn b() {}\n", "line 1: expected '}' to close this '{'", "a b"},
		{"pub fn a() {} }\npub fn b() {}", "line 1: expected no \"}\"", "a b"},
		{"pub fn a() { (1] }\npub fn b() {}", "line 1: expected ')'", "a b"},
		{"pub fn a() { \"text }\npub fn b() {}\n", "line 1: expected the end of a string", "a b"},
		{"pub fn a() {}\n/* open\npub fn b() {}\n", "line 2: expected the end of a comment", "a b"},
		{"pub fn a() { r#\"text\" }\npub fn b() {}\n", "line 1: expected the end of a raw string", "a b"},
		{"pub fn a() {}\nlet x = 1;\npub fn b() {}\n", "line 2: expected a declaration", "a b"},
		{"pub fn a() {}\nstruct ;\npub fn b() {}\n", "line 2: expected a name", "a b"},
		{"macro a", "line 1: expected '{' or ';'", "a"},
		{"pub fn a()\n", "line 1: expected '{' or ';'", "a"},
		{"pub fn a() {}\npub use a::{b;\n", "line 2: expected '}' to close this '{'", "a b"},
	}
	for _, test := range tests {
		f := extract(test.src)
		var names []string
		for _, s := range f.Symbols {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); f.Problem != test.problem || got != test.symbols {
			t.Errorf("%q: %s, symbols %s", test.src, f.Problem, got)
		}
	}
}

// TestHostile reads inputs that would take a careless reader very long or to the end of its stack.
func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 30000
	repeat := strings.Repeat
	inputs := map[string]string{
		"parentheses":    repeat("(", n*10),
		"closers":        repeat("(]", n*5),
		"braces":         repeat("{)", n*5),
		"modules":        repeat("mod m {", n),
		"impls":          repeat("impl A {", n),
		"generics":       repeat("fn f< {}", n),
		"bounds":         "impl<" + repeat("A: B, ", n) + "> S {" + repeat("fn f() {}", n) + "}",
		"long name":      "mod " + repeat("a", n*10) + " {" + repeat("fn f() {}", n) + "}",
		"long type":      "impl " + repeat("a", n*10) + " {" + repeat("fn f() {}", n) + "}",
		"use trees":      "use " + repeat("a::{b, ", n),
		"use path":       "use " + repeat("a::", n) + "{" + repeat("b,", n) + "};",
		"paths":          "fn f() { " + repeat("a::", n*5) + "b }",
		"bindings":       repeat("use a::b;\n", n) + repeat("fn f() { b::c() }\n", n),
		"attributes":     repeat("#[test]", n) + repeat("#[arg(long)]", n),
		"attribute nest": repeat("#[cfg(any(", n),
		"predicates":     "#[cfg(" + repeat("all(test, ", n) + repeat(")", n) + ")] fn f() {}",
		"strings":        repeat("\"\\\n", n),
		"raw strings":    repeat("r#\"\n", n),
		"hashes":         "r" + repeat("#", n*10),
		"comments":       repeat("/*\n", n*3),
		"quotes":         repeat("'", n*5),
		"macros":         "macro_rules! m {" + repeat("() => {};", n) + "}",
		"rules":          repeat("macro_rules! m {", n),
		"same name":      repeat("fn f() {}\n", n),
		"docs":           repeat("/// a\n", n) + "fn f() {}",
		"variants":       "enum E {" + repeat("A = 1 < 2,", n) + "}",
		"generics open":  "struct S<" + repeat("A<", n*3) + ";",
		"qualifiers":     repeat("async unsafe ", n*3),
		"macro calls":    repeat("m! a ", n*3),
		"routes":         repeat(".route(\"/\", a.", n),
		"arguments":      repeat("Arg::new(", n),
		"wrappers":       repeat("cfg_a! {", n),
		"wrapped":        "cfg_" + repeat("a", n) + "! {" + repeat("fn f() {}", n) + "}",
		"extern":         repeat("extern \"C\" {", n),
		"traits":         repeat("impl A for B { fn f() ", n),
		"expressions":    "fn f() { " + repeat("if x { |a| match a { b => (", n),
		"lets":           "fn f() { " + repeat("let a = a;", n) + "}",
		"let in let":     "fn f() { " + repeat("let a = ", n),
		"closures":       "fn f() { " + repeat("|a| ", n) + "a }",
		"casts":          "fn f() { a " + repeat("as &", n) + "}",
		"deep types":     "fn f(a: " + repeat("A<(", n) + "b",
		"pointers":       "fn f(a: " + repeat("*const ", n) + "b) {}",
		"patterns":       "fn f() { let " + repeat("A(", n) + repeat(")", n) + " = b; }",
		"qualified":      "fn f() { " + repeat("<A as ", n) + "}",
		"modifiers":      "fn f() { " + repeat("async unsafe ", n) + "}",
		"formats":        "fn f() { println!(\"" + repeat("{a", n) + repeat("}", n) + "\") }",
		"conditions":     repeat("#[cfg(a)] mod m {", n),
		"conditional":    "fn f() { " + repeat("#[cfg(a)] a ", n) + "}",
		"guarded paths":  repeat("#[cfg(a)] use a::b;\n", n) + "fn f() {" + repeat("#[cfg(b)] a::c();", n) + "}",
		"globs":          "fn f() { " + repeat("{ use a::*;", n) + " b }",
		"cfg attributes": repeat("#[cfg_attr(a, ", n),
	}
	for _, src := range inputs {
		if f, ok := sourcetest.Hostile(t, Language{}, "src/x.rs", []byte(src)); ok {
			sourcetest.CheckFile(t, f)
			checkBodies(t, f, 1+strings.Count(src, "\n"))
		}
	}
}

// TestMutilated reads the sample files with pieces cut out, doubled and swapped.
func TestMutilated(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/*.rs")
	var sources [][]byte
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom(sources).Draw(t, "source")
		a := rapid.IntRange(0, len(src)).Draw(t, "a")
		b := rapid.IntRange(a, len(src)).Draw(t, "b")
		cut := append(append([]byte{}, src[:a]...), src[b:]...)
		insert := rapid.SampledFrom([]string{"", "{", "}", "\"", "'", "/*", "r#\"", "(", "]", "<", "pub fn x", "#[", "\x00\xff"}).Draw(t, "insert")
		cut = append(cut[:a:a], append([]byte(insert), cut[a:]...)...)
		f := Language{}.Extract(context.Background(), "src/x.rs", cut)
		sourcetest.CheckFile(outer, f)
		checkBodies(outer, f, 1+bytes.Count(cut, []byte("\n")))
		if again := (Language{}).Extract(context.Background(), "other/y.rs", cut); again.Content != f.Content {
			t.Error("the path or the run shows in the digest")
		}
	})
}

// TestFormatting spreads tokens over lines and puts comments between them: nothing may change but positions.
func TestFormatting(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/tricky.rs")
	if err != nil {
		t.Fatal(err)
	}
	want := Language{}.Extract(context.Background(), "src/x.rs", src)
	var p problem
	toks := lex(new(kernel.Meter), src, &p)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		last := uint32(0)
		for _, tok := range toks {
			gap := string(src[last:tok.start])
			if last > 0 && strings.TrimSpace(gap) == "" && gap != "" {
				gap += rapid.SampledFrom([]string{"", "\n", "/* x */", " // y\n", "\t"}).Draw(t, "gap")
			}
			b.WriteString(gap)
			b.Write(src[tok.start:tok.end])
			last = tok.end
		}
		b.Write(src[last:])
		got := Language{}.Extract(context.Background(), "src/x.rs", []byte(b.String()))
		if got.Content != want.Content || len(got.Symbols) != len(want.Symbols) {
			t.Fatalf("the file's digest changed with its formatting:\n%s", b.String())
		}
		for i, s := range got.Symbols {
			w := want.Symbols[i]
			s.Line, s.End = w.Line, w.End
			s.Body, w.Body = unplaced(s.Body), unplaced(w.Body)
			if !reflect.DeepEqual(s, w) {
				t.Fatalf("%s changed with the formatting", s.Name)
			}
		}
	})
}

// unplaced are references without their lines.
func unplaced(list []source.Reference) []source.Reference {
	out := slices.Clone(list)
	for i := range out {
		out[i].Line = 0
	}
	return out
}

// checkBodies fails t where references are empty, not sorted and unique, or outside of the file.
func checkBodies(t testing.TB, f source.File, lines int) {
	t.Helper()
	lists := [][]source.Reference{f.Body}
	for _, s := range f.Symbols {
		lists = append(lists, s.Body)
	}
	for _, list := range lists {
		for i, r := range list {
			if r.Name == "" || r.Line < 1 || r.Line > lines || r.Open && strings.Contains(r.Name, ".") {
				t.Errorf("a reference %+v in a file of %d lines", r, lines)
			}
			if i > 0 && ordered(list[i-1], r) >= 0 {
				t.Errorf("references not sorted and unique: %+v", list)
			}
		}
	}
}

func ordered(a, b source.Reference) int {
	open := map[bool]int{true: 1}
	return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), open[a.Open]-open[b.Open])
}

func FuzzExtract(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.rs")
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil {
			f.Add(src)
		}
	}
	f.Add([]byte("impl<T> A for B { fn f() } #[cfg(test)] use a::{b::{*}};"))
	f.Fuzz(func(t *testing.T, src []byte) {
		f, _ := sourcetest.Hostile(t, Language{}, "src/main.rs", src)
		sourcetest.CheckFile(t, f)
		checkBodies(t, f, 1+bytes.Count(src, []byte("\n")))
		f, _ = sourcetest.Hostile(t, Language{}, "tests/x.rs", src)
		sourcetest.CheckFile(t, f)
		costtest.Hold(t, src, func(src []byte) { sourcetest.Hostile(t, Language{}, "src/main.rs", src) })
	})
}
