package api

import "testing"

const (
	rustLib   = "money/src/lib.rs"
	rustParse = "money/src/reader.rs"
	rustShow  = "money/src/show/mod.rs"
)

var rustShop = files{
	"money/Cargo.toml": "[package]\nname = \"money\"\nversion = \"1.0.0\"\n",
	"cart/Cargo.toml":  "[package]\nname = \"cart\"\nversion = \"1.0.0\"\n\n[dependencies]\nmoney = { path = \"../money\" }\n",
	rustLib: `//! Amounts.
mod reader;
pub mod show;
mod own;
#[doc(hidden)]
pub mod __macros;

pub use reader::{parse, Amount as Money, Source};
pub use crate::own::*;

pub const SCALE: u32 = 100;

#[macro_export]
macro_rules! money {
    ($x:expr) => { $x };
}

pub mod kinds {
    pub enum Kind { Coin, Note(u8), Card { name: String } }

    #[non_exhaustive]
    pub enum Open { A }

    pub struct Rate { pub of: u32, pub name: String }

    pub struct Held { pub of: u32, own: u8 }
}
`,
	rustParse: `pub struct Amount(u32);

impl Amount {
    pub const fn new(units: u32) -> Self { Amount(units) }
    pub fn units(&self) -> u32 { self.0 }
    pub(crate) fn own(&self) {}
}

pub fn parse(text: &str, strict: bool) -> Option<u32> { None }

pub fn hidden_by_its_module(a: u8) {}

pub trait Source {
    type Item;
    fn next(&mut self) -> u8;
    fn rest(&mut self, n: usize) -> u8 {
        0
    }
}

pub trait Closed: crate::own::Sealed {
    fn only(&self);
}
`,
	rustShow:                    "pub fn show<T: AsRef<str>>(of: T, width: usize) -> String { String::new() }\n\n#[cfg(feature = \"wide\")]\npub fn wide(a: u8) {}\n",
	"money/src/own.rs":          "pub trait Sealed {}\n\npub use crate::reader::Closed;\n\npub fn mine(a: u8) {}\n",
	"money/src/__macros.rs":     "pub fn helper(a: u8) {}\n",
	"money/benches/speed.rs":    "pub fn speed(a: u8) {}\n",
	"cart/src/lib.rs":           "use money::{parse, Source};\n\npub struct Purse;\n\nimpl Source for Purse {\n    type Item = u8;\n    fn next(&mut self) -> u8 { 0 }\n}\n\npub fn total() -> u32 {\n    parse(\"1\", true).unwrap_or(0)\n}\n",
	"tool/src/main.rs":          "mod util;\nfn main() {}\n",
	"tool/src/util.rs":          "pub fn util(a: u8) {}\n",
	"money/src/bin/convert.rs":  "pub fn convert(a: u8) {}\nfn main() {}\n",
	"money/tests/it.rs":         "pub fn it(a: u8) {}\n",
	"money/src/show/columns.rs": "pub fn columns(a: u8) {}\n",
}

func TestRust(t *testing.T) {
	t.Parallel()
	const parse, units = "pub fn parse(text: &str, strict: bool) -> Option<u32>", "pub fn units(&self) -> u32"
	one := func(rest string) []string { return []string{rest} }
	for name, test := range map[string]struct {
		edits []edit
		want  []string
	}{
		"function removed":        {[]edit{{rustParse, parse + " { None }\n", ""}, {rustLib, "reader::{parse, ", "reader::{"}}, one("reader.parse func removed error " + rustParse + ":9 left -> cart/src/lib.rs:11")},
		"parameter removed":       {[]edit{{rustParse, parse, "pub fn parse(text: &str) -> Option<u32>"}}, one("reader.parse parameter removed error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"parameter added":         {[]edit{{rustParse, parse, "pub fn parse(text: &str, strict: bool, base: u8) -> Option<u32>"}}, one("reader.parse parameter added error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"parameter retyped":       {[]edit{{rustParse, parse, "pub fn parse(text: &str, strict: u8) -> Option<u32>"}}, one("reader.parse parameter retyped error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"result retyped":          {[]edit{{rustParse, parse, "pub fn parse(text: &str, strict: bool) -> Option<u64>"}}, one("reader.parse result retyped error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"result removed":          {[]edit{{rustParse, parse + " { None }", "pub fn parse(text: &str, strict: bool) {}"}}, one("reader.parse result removed error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"made async":              {[]edit{{rustParse, parse, "pub async fn parse(text: &str, strict: bool) -> Option<u32>"}}, one("reader.parse async changed error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"made unsafe":             {[]edit{{rustParse, parse, "pub unsafe fn parse(text: &str, strict: bool) -> Option<u32>"}}, one("reader.parse unsafe added error " + rustParse + ":9 -> cart/src/lib.rs:11")},
		"no longer const":         {[]edit{{rustParse, "pub const fn new", "pub fn new"}}, one("reader.Amount.new const removed error " + rustParse + ":4")},
		"method removed":          {[]edit{{rustParse, "    " + units + " { self.0 }\n", ""}}, one("reader.Amount.units method removed error " + rustParse + ":5 left")},
		"method made private":     {[]edit{{rustParse, units, "fn units(&self) -> u32"}}, one("reader.Amount.units visibility narrowed error " + rustParse + ":5")},
		"self made mutable":       {[]edit{{rustParse, units, "pub fn units(&mut self) -> u32"}}, one("reader.Amount.units self made mutable error " + rustParse + ":5")},
		"no longer passed on":     {[]edit{{rustLib, "reader::{parse, ", "reader::{"}}, one("parse reexport removed error " + rustLib + ":8 left -> cart/src/lib.rs:11")},
		"module made private":     {[]edit{{rustLib, "pub mod show;", "mod show;"}}, one("show visibility narrowed error " + rustLib + ":3")},
		"inline module removed":   {[]edit{{rustLib, "pub mod kinds", "mod kinds"}}, one("kinds visibility narrowed error " + rustLib + ":18")},
		"macro removed":           {[]edit{{rustLib, "#[macro_export]\nmacro_rules! money {\n    ($x:expr) => { $x };\n}\n", ""}}, one("money macro removed error " + rustLib + ":14 left")},
		"constant's value":        {[]edit{{rustLib, "u32 = 100", "u32 = 1000"}}, one("SCALE constant's value changed error " + rustLib + ":11")},
		"variant removed":         {[]edit{{rustLib, "Coin, Note(u8)", "Note(u8)"}}, one("kinds.Kind.Coin variant removed error " + rustLib + ":19")},
		"variant added":           {[]edit{{rustLib, "Coin, Note(u8)", "Coin, Gold, Note(u8)"}}, one("kinds.Kind.Gold variant added error " + rustLib + ":19")},
		"enum made open":          {[]edit{{rustLib, "    pub enum Kind", "    #[non_exhaustive]\n    pub enum Kind"}}, one("kinds.Kind non_exhaustive added error " + rustLib + ":20")},
		"field removed":           {[]edit{{rustLib, "pub of: u32, pub name", "pub name"}}, one("kinds.Rate.of field removed error " + rustLib + ":24")},
		"field retyped":           {[]edit{{rustLib, "pub of: u32, pub name", "pub of: u64, pub name"}}, one("kinds.Rate.of field retyped error " + rustLib + ":24")},
		"field added":             {[]edit{{rustLib, "pub of: u32, pub name", "pub of: u32, pub at: u8, pub name"}}, one("kinds.Rate.at field added error " + rustLib + ":24")},
		"private field added":     {[]edit{{rustLib, "pub of: u32, pub name", "pub of: u32, at: u8, pub name"}}, one("kinds.Rate private field added error " + rustLib + ":24")},
		"required method added":   {[]edit{{rustParse, "    fn next(&mut self) -> u8;\n", "    fn next(&mut self) -> u8;\n    fn peek(&self) -> u8;\n"}}, one("reader.Source.peek method added error " + rustParse + ":16 -> cart/src/lib.rs:3")},
		"default removed":         {[]edit{{rustParse, " -> u8 {\n        0\n    }", " -> u8;"}}, one("reader.Source.rest default removed error " + rustParse + ":16 -> cart/src/lib.rs:3")},
		"trait's method removed":  {[]edit{{rustParse, "    fn rest(&mut self, n: usize) -> u8 {\n        0\n    }\n", ""}}, one("reader.Source.rest method removed error " + rustParse + ":16 left")},
		"moved and passed on":     {[]edit{{rustParse, parse + " { None }\n", ""}, {"money/src/own.rs", "pub fn mine", parse + " { None }\npub fn mine"}, {rustLib, "reader::{parse, ", "reader::{"}}, nil},
		"renamed and passed on":   {[]edit{{rustParse, "pub fn parse(", "pub fn read("}, {rustLib, "reader::{parse, ", "reader::{read as parse, "}}, nil},
		"private module":          {[]edit{{rustParse, "hidden_by_its_module(a: u8)", "hidden_by_its_module()"}}, nil},
		"file of no module":       {[]edit{{"money/src/show/columns.rs", "(a: u8)", "()"}}, nil},
		"hidden":                  {[]edit{{"money/src/__macros.rs", "helper(a: u8)", "helper()"}}, nil},
		"conditional":             {[]edit{{rustShow, "wide(a: u8)", "wide()"}}, nil},
		"program":                 {[]edit{{"tool/src/util.rs", "util(a: u8)", "util()"}}, nil},
		"another program":         {[]edit{{"money/src/bin/convert.rs", "convert(a: u8)", "convert()"}}, nil},
		"generic":                 {[]edit{{rustShow, "<T: AsRef<str>>(of: T, width", "<U: AsRef<str>>(of: U, width"}, {rustParse, "text: &str", "text: impl AsRef<str>"}}, nil},
		"lifetimes":               {[]edit{{rustParse, "parse(text: &str", "parse<'a>(words: &'a str"}}, nil},
		"sealed":                  {[]edit{{rustParse, "    fn only(&self);\n", "    fn only(&self);\n    fn more(&self);\n"}}, nil},
		"method with a default":   {[]edit{{rustParse, "    fn next(&mut self) -> u8;\n", "    fn next(&mut self) -> u8;\n    fn peek(&self) -> u8 {\n        0\n    }\n"}}, nil},
		"field of what has own":   {[]edit{{rustLib, "pub of: u32, own: u8", "pub of: u32, pub at: u8, own: u8"}}, nil},
		"variant of what is open": {[]edit{{rustLib, "Open { A }", "Open { A, B }"}}, nil},
		"method of a macro":       {[]edit{{rustParse, "    " + units + " { self.0 }\n", "    made!();\n"}, {rustParse, "pub struct Amount", "macro_rules! made {\n    () => {\n        " + units + " { self.0 }\n    };\n}\n\npub struct Amount"}}, nil},
		"method of a trait":       {[]edit{{rustParse, "    " + units + " { self.0 }\n", ""}, {rustParse, "pub trait Source", "impl Deref for Amount {\n    type Target = u32;\n}\n\npub trait Source"}}, nil},
		"name for another type":   {[]edit{{rustParse, "pub struct Amount(u32);\n\nimpl Amount", "pub struct Generic<T>(T);\npub type Amount = Generic<u32>;\n\nimpl Generic<u32>"}}, nil},
		"self for its name":       {[]edit{{rustParse, "-> Self", "-> Amount"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, rustShop, rustShop.edited(t, test.edits...), test.want...)
		})
	}
}

// TestRustNamesake: a module that nobody else can name may be called as what it declares and the crate passes on.
func TestRustNamesake(t *testing.T) {
	t.Parallel()
	was := files{
		"Cargo.toml":   "[package]\nname = \"p\"\n",
		"src/lib.rs":   "mod sum;\npub use self::sum::sum;\n",
		"src/sum.rs":   "pub fn sum(a: u8) {}\npub fn own(a: u8) {}\n",
		"src/other.rs": "pub fn other() {}\n",
	}
	expect(t, was, was.edited(t, edit{"src/sum.rs", "own(a: u8)", "own()"}))
	expect(t, was, was.edited(t, edit{"src/sum.rs", "sum(a: u8)", "sum()"}), "sum.sum parameter removed error src/sum.rs:1")
}

// TestRustInline: what a module within a file passes on is there by its name, and not by that of the file.
func TestRustInline(t *testing.T) {
	t.Parallel()
	was := files{
		"Cargo.toml": "[package]\nname = \"p\"\n",
		"src/lib.rs": `mod own;
pub mod all {
    pub use crate::sum::*;
    pub mod deep {
        pub use super::super::sum::*;
    }
}
mod sum;
#[doc(hidden)]
pub mod __private {
    pub use crate::own::*;
}
`,
		"src/own.rs": "pub trait Own {}\n",
		"src/sum.rs": "pub fn sum(a: u8) {}\n",
	}
	expect(t, was, was.edited(t, edit{"src/own.rs", "pub trait Own {}\n", ""}))
	expect(t, was, was.edited(t, edit{"src/sum.rs", "sum(a: u8)", "sum()"}), "sum.sum parameter removed error src/sum.rs:1")
	expect(t, was, was.edited(t, edit{"src/sum.rs", "pub fn sum(a: u8) {}\n", ""}), "sum.sum func removed error src/sum.rs:1 left")
}

// TestRustEarly: of a crate before 1.0 nothing is promised, whichever manifest says so.
func TestRustEarly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ crate, workspace, severity string }{
		{"[package]\nname = \"p\"\nversion = \"0.5.0\"\n", "[workspace]\n", "note"},
		{"[package]\nname = \"p\"\nversion = \"1.0.0\"\n", "[workspace]\n", "error"},
		{"[package]\nname = \"p\"\nversion = \"2.0.0-beta.1\"\n", "[workspace]\n", "note"},
		{"[package]\nname = \"p\"\nversion.workspace = true\n", "[workspace.package]\nversion = \"0.1.0\"\n", "note"},
		{"[package]\nname = \"p\"\nversion.workspace = true\n", "[workspace.package]\nversion = \"1.1.0\"\n", "error"},
		{"[package]\nname = \"p\"\n", "[workspace]\n", "error"},
	} {
		was := files{"p/src/lib.rs": "pub fn sum(a: u8) {}\n", "p/Cargo.toml": test.crate, "Cargo.toml": test.workspace}
		expect(t, was, was.edited(t, edit{"p/src/lib.rs", "sum(a: u8)", "sum()"}), "sum parameter removed "+test.severity+" p/src/lib.rs:1")
	}
}

// TestRustCircles: modules that pass each other on as wholes lead nowhere.
func TestRustCircles(t *testing.T) {
	t.Parallel()
	was := files{
		"Cargo.toml": "[package]\nname = \"p\"\n",
		"src/lib.rs": "pub mod a;\npub mod b;\npub use a::*;\npub use c::*;\npub use missing::x as y;\npub use y as z;\npub use z as y2;\n",
		"src/a.rs":   "pub use super::b::*;\npub use super::*;\npub fn f(a: u8) {}\n",
		"src/b.rs":   "pub use super::a::*;\npub fn g(a: u8) {}\n",
	}
	expect(t, was, was.edited(t, edit{"src/b.rs", "g(a: u8)", "g()"}), "b.g parameter removed error src/b.rs:2")
	expect(t, was, was.edited(t, edit{"src/b.rs", "pub fn g(a: u8) {}\n", ""}))
}

// TestRustTraits: derived traits, types of constants, and traits on one line.
func TestRustTraits(t *testing.T) {
	t.Parallel()
	const lib = "src/lib.rs"
	was := files{"Cargo.toml": "[package]\nname = \"lib\"\nversion = \"1.0.0\"\n", lib: `#[derive(Clone, Debug)]
pub struct Opt { pub a: u32 }

pub const N: u32 = 3;

pub const NAME: &'static str = "n";

pub trait Run { fn a(&self); fn b(&self) {} }

impl Opt {
    // Both.
    pub fn get(&self) {}
    pub fn set(&mut self) {}
}

#[derive(Clone, Copy)]
pub struct Small(u8);

impl Small { pub fn copy(&self) {} }
`}
	for _, test := range []struct{ old, now, want string }{
		{"Clone, Debug", "Debug", "Opt trait removed error src/lib.rs:2"},
		{"N: u32", "N: u64", "N constant retyped error src/lib.rs:4"},
		{"fn b(&self) {} }", "fn b(&self) {} fn c(&self) -> u8; }", "Run.c method added error src/lib.rs:8"},
		{"fn b(&self) {} }", "fn b(&self); }", "Run.b default removed error src/lib.rs:8"},
		{"fn b(&self) {} }", "fn b(&self) {} fn c(&self) -> u8 { 1 } }", ""},
		{"NAME: &'static str", "NAME: &str", ""},
		{"N: u32", "N: Size", ""},
		{"fn get(&self)", "fn get(self)", "Opt.get self taken by value error src/lib.rs:12"},
		{"fn set(&mut self)", "fn set(mut self)", "Opt.set self taken by value error src/lib.rs:13"},
		{"fn copy(&self)", "fn copy(self)", ""},
		{"fn get(&self)", "fn get(&'static self)", ""},
		{"Clone, Debug", "Debug, Clone", ""},
		{"#[derive(Clone, Debug)]", "#[derive(Debug)]\n#[cfg_attr(feature = \"x\", derive(Clone))]", ""},
		{"pub const N", "impl Clone for Opt { fn clone(&self) -> Opt { Opt { a: 1 } } }\n\npub const N", ""},
	} {
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		now := was.edited(t, edit{lib, test.old, test.now})
		if test.old == "pub const N" {
			now = now.edited(t, edit{lib, "Clone, Debug", "Debug"})
		}
		expect(t, was, now, want...)
	}
}
