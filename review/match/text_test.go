package match

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

func TestFill(t *testing.T) {
	t.Parallel()
	text := NewText("cart/gross.go", change.Split([]byte("package cart\n\nfunc Gross(net int64) int64 {\n\tsum := float64(net)  * 1.2\n\n\treturn int64(sum)\n}\n")), "b1")
	f := finding.Finding{Rule: "lint/no-float", Path: "cart/gross.go", Line: 4, EndLine: 4}
	text.Fill(&f)
	if f.Quote != "sum := float64(net)  * 1.2" || f.Anchor != "sum:=float64(net)*1.2" || f.Blob != "b1" || f.Scope != "funcGross(netint64)int64{" {
		t.Errorf("%+v", f)
	}
	narrowed := f
	narrowed.Flagged = "float64(net)"
	text.Fill(&narrowed)
	if narrowed.Anchor != "float64(net)" || narrowed.Quote != f.Quote || narrowed.Pattern == f.Pattern || narrowed.Context != f.Context {
		t.Errorf("with a part of the line: %+v", narrowed)
	}
	if narrowed.Pattern != Pattern(f.Rule, "other/file.go", "float64( total )") {
		t.Error("a pattern depends on names, spaces or the path")
	}
	named := f
	named.Symbol = "Gross"
	if text.Fill(&named); named.Scope != "" {
		t.Errorf("scope %q of what has a symbol", named.Scope)
	}
	if !text.Anchored(f.Anchor) || !text.Anchored(narrowed.Anchor) || text.Anchored("float32(net)") || !text.Scoped(f.Scope) || text.Scoped("funcNet()") {
		t.Error("what is in the text, and what is not, is not told")
	}
}

// TestPatternOfChange: of a rule that tells a kind of change the pattern is that, whatever the line.
func TestPatternOfChange(t *testing.T) {
	t.Parallel()
	a := finding.Finding{Rule: "api-break", Path: "a.go", Line: 1, EndLine: 1, Change: "parameter removed"}
	b := finding.Finding{Rule: "api-break", Path: "b.py", Line: 2, EndLine: 2, Change: "parameter removed"}
	NewText("a.go", []string{"func A()"}, "").Fill(&a)
	NewText("b.py", []string{"", "def b():"}, "").Fill(&b)
	if a.Pattern != b.Pattern || a.Pattern == "" {
		t.Errorf("%s and %s", a.Pattern, b.Pattern)
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, code, want string }{
		{"a.go", "\tsum := float64(net) * 1.2", "ID := float64 ( ID ) * LIT"},
		{"a.go", "y:=float64( x )*9.9e-3 // why", "ID := float64 ( ID ) * LIT"},
		{"a.go", `if err != nil { return fmt.Errorf("x: %w", err) }`, "if err != nil { return ID . Errorf ( LIT , err ) }"},
		{"a.go", "func Gross(net int64) int64 {", "func ID ( ID ID ) ID {"},
		{"a.go", "func (a Amount) String() string {", "func ( ID ID ) ID ( ) ID {"},
		{"a.go", "// TODO: mend this", "COMMENT"},
		{"a.py", "x = eval(f'{y}')  # noqa", "ID = eval ( LIT )"},
		{"a.py", "def f(a, b):", "def ID ( ID , ID ) :"},
		{"a.rs", "let x: &'a str = y.unwrap();", "let ID : & ' ID str = ID . unwrap ( ) ;"},
		{"a.rs", "println!(\"{}\", 'x')", "println ! ( LIT , LIT )"},
		{"a.java", "int total(int a) {", "int ID ( int ID ) {"},
		{"a.js", "return new Foo(`a ${b}`)", "return new Foo ( LIT )"},
		{"a.c", "#include <stdio.h>", "# include < ID . ID >"},
		{"a.txt", "it's so", "ID ' ID ID"},
		{"a.go", "", ""},
	} {
		if got := Shape(test.path, test.code); got != test.want {
			t.Errorf("%s in %s: %q, want %q", test.code, test.path, got, test.want)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"a = b": false, "if (a) { b }": false, "a = b(c)": true, "x": false, "return a.Close()": true} {
		if got := Calls("a.go", Shape("a.go", code)); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
	if !Calls("a.rs", Shape("a.rs", "panic!(1)")) {
		t.Error("a macro is called")
	}
}

// TestShapeKeepsNoNames: other names and literals give the same shape.
func TestShapeKeepsNoNames(t *testing.T) {
	t.Parallel()
	name, number := rapid.StringMatching("x[a-z0-9]{1,8}"), rapid.StringMatching("[1-9][0-9]{0,4}")
	rapid.Check(t, func(t *rapid.T) {
		line := name.Draw(t, "a") + "  =run( " + name.Draw(t, "b") + "," + number.Draw(t, "n") + ")"
		if got := Shape("a.go", line); got != "ID = run ( ID , LIT )" {
			t.Fatalf("%s: %s", line, got)
		}
	})
}

// FuzzFill: whatever a file holds and wherever a finding says that it is, it is filled.
func FuzzFill(f *testing.F) {
	f.Add("a.go", "a\n b!", 2, 2, "b")
	f.Add("a.rs", "'a \"", -1, 1<<40, "")
	f.Fuzz(func(t *testing.T, path, text string, line, end int, flagged string) {
		x := finding.Finding{Rule: "r", Path: path, Line: line, EndLine: end, Flagged: flagged}
		NewText(path, change.Split([]byte(text)), "").Fill(&x)
		if len(x.Anchor) > longestAnchor+64 || len(x.Quote) > longestText || len(x.Context) != 2*half || x.Pattern == "" {
			t.Errorf("%+v", x)
		}
		Calls(path, Shape(path, text))
	})
}

// TestFillOfLongLines: a file of one line that is flagged again and again, and one of blank lines, would take minutes were each
// gone over as a whole.
func TestFillOfLongLines(t *testing.T) {
	t.Parallel()
	for _, content := range []string{strings.Repeat("f(1);", 400_000), "a" + strings.Repeat("\n", 400_000) + "b"} {
		text := NewText("a.js", change.Split([]byte(content)), "")
		for i := range 5_000 {
			f := finding.Finding{Rule: "r", Path: "a.js", Line: i + 1, EndLine: 1 << 30}
			if text.Fill(&f); f.Pattern == "" {
				t.Fatal("not filled")
			}
		}
	}
}
