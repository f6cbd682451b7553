package rust

import (
	"context"
	"strings"
	"testing"
)

// TestMacrosOfTheFile: a macro call in a file declares public symbols.
func TestMacrosOfTheFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"functions", "macro_rules! make { ($t:ident, $d:expr) => { #[doc = $d] pub fn $t(n: $t) -> Vec<$t> { todo!() } } }\nmake!(u8, \"A byte.\");", "u8: pub fn u8(n: u8) -> Vec<u8>: A byte."},
		{"methods", "macro_rules! get { ($($t:ident),* $(,)?) => { $(pub fn $t(&self) -> $t { 0 })* } }\npub struct S;\nimpl S { get!(u8, i8,); }", "S: pub struct S: ; S.u8: pub fn u8(&self) -> u8: ; S.i8: pub fn i8(&self) -> i8: "},
		{"comments and visibility", "macro_rules! new { ($(#[$m:meta])* $v:vis struct $n:ident;) => { $(#[$m])* $v struct $n; } }\nnew! {\n/// Is one.\npub struct One;\n}\nnew!(struct Own;);", "One: pub struct One: Is one."},
		{"the second rule", "macro_rules! f { (a $x:ident) => { pub fn $x() {} }; (b $x:ident, $t:ty) => { pub fn $x(_: $t) {} } }\nf!(b g, Vec<(u8, u8)>);", "g: pub fn g(_: Vec<(u8, u8)>): "},
		{"of another file, in a body, and within itself", "macro_rules! r { ($x:ident) => { r!($x); } }\nother!(f);\nr!(g);\nfn own() { r!(h); }", ""},
	} {
		var got []string
		for _, s := range (Language{}).Extract(context.Background(), "lib.rs", []byte(c.text)).Symbols {
			if s.Exported {
				got = append(got, s.Name+": "+s.Signature+": "+s.Doc)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "; "), c.want)
		}
	}
}
