package condition

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
)

func TestParseCanonical(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{`modified("a.go")`, `modified("a.go")`},
		{"  modified( 'a.go' )\n", `modified("a.go")`},
		{"modified(`a.go`)", `modified("a.go")`},
		{`generator_changed()`, `generator_changed()`},
		{`symbol_changed("money","Parse",)`, `symbol_changed("money", "Parse")`},
		{`resolved("a")||resolved("b")&&!resolved("c")`, `resolved("a") or resolved("b") and not resolved("c")`},
		{`(resolved("a") or resolved("b")) and resolved("c")`, `(resolved("a") or resolved("b")) and resolved("c")`},
		{`resolved("a") or (resolved("b") or resolved("c"))`, `resolved("a") or resolved("b") or resolved("c")`},
		{`((resolved("a") and resolved("b"))) or resolved("c")`, `resolved("a") and resolved("b") or resolved("c")`},
		{`not (resolved("a") and resolved("b"))`, `not (resolved("a") and resolved("b"))`},
		{`not not resolved("a")`, `not not resolved("a")`},
		{`dismissed_share("p")>0.250 or unseen_days("p") >= 1_000`, `dismissed_share("p") > 0.25 or unseen_days("p") >= 1000`},
		{`not (unseen_days("p") == 0x10)`, `not (unseen_days("p") == 16)`},
		{`unseen_days("p") != 2e1 and resolved("a")`, `unseen_days("p") != 20 and resolved("a")`},
		{`symbol_changed("a\"b\\c", "d\ne\tü\u00a0")`, `symbol_changed("a\"b\\c", "d\ne\tü\u00a0")`},
		{`interface_changed("")`, `interface_changed("")`},
		{`modified("pages/\\[id].tsx")`, `modified("pages/\\[id].tsx")`},
		{`modified("a//b") or modified("x")`, ``},
		{`modified("a/*") or modified("x/*")`, `modified("a/*") or modified("x/*")`},
	}
	for _, tt := range tests {
		c, err := Parse(tt.in)
		if tt.want == "" {
			if err == nil {
				t.Errorf("Parse(%q) succeeded", tt.in)
			}
			continue
		}
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.in, err)
			continue
		}
		if got := c.String(); got != tt.want {
			t.Errorf("Parse(%q) = %s, want %s", tt.in, got, tt.want)
		}
		again, err := Parse(c.String())
		if err != nil || !again.Equal(c) {
			t.Errorf("Parse(%q) is not stable: %v, %v", tt.in, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in           string
		line, column int
		message      string
	}{
		{``, 1, 1, "the condition is empty"},
		{" \n ", 1, 1, "the condition is empty"},
		{`// nothing`, 1, 1, "the condition is empty"},
		{`auth.py modified`, 1, 1, `unknown word "auth"`},
		{`modified("a") or changed("b")`, 1, 18, `unknown word "changed"`},
		{"modified(\"a\")\n  or changed(\"b\")", 2, 6, `unknown word "changed"`},
		{`modified`, 1, 1, "modified is not called: write modified(glob)"},
		{`modified()`, 1, 1, "modified takes 1 arguments, not 0: write modified(glob)"},
		{`symbol_changed("a")`, 1, 1, "symbol_changed takes 2 arguments, not 1: write symbol_changed(module, name)"},
		{`modified(1)`, 1, 10, "the arguments of modified must be string literals"},
		{`modified(resolved("a"))`, 1, 10, "the arguments of modified must be string literals"},
		{`modified("/etc/passwd")`, 1, 10, `glob "/etc/passwd": empty path segment`},
		{`modified("a/../b")`, 1, 10, `glob "a/../b": segment ".."`},
		{`modified("[")`, 1, 10, `segment "["`},
		{`modified("a**")`, 1, 10, "** must be alone"},
		{`modified("a"`, 1, 12, "unexpected end"},
		{`modified("a) or resolved("b")`, 1, 30, "literal not terminated"},
		{`modified("a") and`, 1, 17, "unexpected end"},
		{`modified("a") modified("b")`, 1, 15, "unexpected token"},
		{`(modified("a")`, 1, 14, "unexpected end"},
		{`modified("a") == true`, 1, 18, `unknown word "true"`},
		{`modified("a") > 1`, 1, 15, "modified is true or false: it cannot be compared"},
		{`dismissed_share("p")`, 1, 1, "dismissed_share is a number: compare it"},
		{`not dismissed_share("p") > 1`, 1, 1, "left of > there must be"},
		{`0.5 < dismissed_share("p")`, 1, 1, "left of < there must be"},
		{`0.1 < dismissed_share("p") < 0.5`, 1, 1, "left of < there must be"},
		{`dismissed_share("p") > unseen_days("p")`, 1, 24, "must be compared with a number literal"},
		{`dismissed_share("p") > -1`, 1, 24, `"-" has no place in a condition`},
		{`dismissed_share("p") > 1e999`, 1, 28, "float literal"},
		{`unseen_days("p") > 99999999999999999999`, 1, 39, "integer literal"},
		{`"a"`, 1, 1, "a literal alone is not a condition"},
		{`modified("a") ? 1 : 2`, 1, 15, `"?" has no place`},
		{`modified("a"); modified("b")`, 1, 14, `";" has no place`},
		{`modified("a").x`, 1, 14, `"." has no place`},
		{`modified("a")["x"]`, 1, 14, `"[" has no place`},
		{`modified("a") in resolved("b")`, 1, 15, `"in" has no place`},
		{`modified(b"a")`, 1, 10, `"a" has no place`},
		{`modified("a") // why`, 1, 15, "a comment has no place"},
		{`ü`, 1, 1, "unknown word"},
		{`resolved("ü") + resolved("b")`, 1, 15, `"+" has no place`},
		{"resolved(\"\xff\")", 1, 1, "not valid UTF-8"},
		{`resolved("\Uffffffff")`, 1, 10, "not valid UTF-8"},
		{strings.Repeat("(", 101) + `resolved("a")`, 1, 101, "nested deeper than 100"},
		{strings.Repeat("not ", 101) + `resolved("a")`, 1, 401, "nested deeper than 100"},
		{strings.Repeat("not (", 60) + `resolved("a")`, 1, 251, "nested deeper than 100"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.in)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Parse(%q) = %v, want a SyntaxError", tt.in, err)
			continue
		}
		if syntax.Line != tt.line || syntax.Column != tt.column || !strings.Contains(syntax.Message, tt.message) {
			t.Errorf("Parse(%q): %d:%d %s, want %d:%d %s", tt.in,
				syntax.Line, syntax.Column, syntax.Message, tt.line, tt.column, tt.message)
		}
		if !strings.Contains(err.Error(), "allowed: modified(glob), ") {
			t.Errorf("Parse(%q): %v does not say what is allowed", tt.in, err)
		}
	}
}

// TestHostileDepth feeds what would overflow the stack of a parser that recurses without a bound.
func TestHostileDepth(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"(", "not ", "!", "not(", "[", "{", "-", "modified(", `resolved("a") or (`, "if ", "a ? "} {
		if _, err := Parse(strings.Repeat(open, 20_000)); err == nil {
			t.Errorf("%q repeated is accepted", open)
		}
	}
}

func TestNestingIsGivenBack(t *testing.T) {
	t.Parallel()
	terms := make([]string, 300)
	for i := range terms {
		terms[i] = fmt.Sprintf(`not (not resolved("f-%d"))`, i)
	}
	if _, err := Parse(strings.Join(terms, " and ")); err != nil {
		t.Error(err)
	}
}

func TestThousandsOfTerms(t *testing.T) {
	t.Parallel()
	var terms []Condition
	for i := range 5_000 {
		terms = append(terms, SymbolChanged("internal/module", fmt.Sprintf("Symbol%05d", i)))
	}
	all := Any(terms...)
	parsed, err := Parse(all.String())
	if err != nil {
		t.Fatal(err)
	}
	if !parsed.Equal(all) {
		t.Fatal("the long condition does not read back")
	}
	facts := table{facts: map[string]bool{`symbol_changed("internal/module", "Symbol04999")`: true}}
	if got := parsed.Evaluate(facts); !got.Holds || len(got.Because) != 1 {
		t.Errorf("Evaluate = %v", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`modified("internal/auth/*.go") or interface_changed("db") or symbol_changed("money", "Parse")`,
		`not (resolved("f-1") and dismissed_share("p") > 0.25) or unseen_days("p") >= 180`,
		`modified('**/[a-z]?\\*.go')`, "modified(`a`) || !generator_changed()", `conclusion_changed("\u{1F600}\x41\101")`,
		`modified("a" /* x */)`, `((((`, `not in`, "resolved(\"a\r\nb\")", `1 < 2 < 3`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		costtest.Hold(t, []byte(text), func(text []byte) { _, _ = Parse(string(text)) })
		c, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			return
		}
		again, err := Parse(c.String())
		if err != nil {
			t.Fatalf("Parse(%q) gives %q, which does not parse: %v", text, c, err)
		}
		if !again.Equal(c) {
			t.Fatalf("Parse(%q) gives %q, then %q", text, c, again)
		}
		c.Evaluate(table{})
	})
}

const typical = `modified("internal/cart/*.go") or symbol_changed("money", "Parse") or symbol_changed("money", "Amount") ` +
	`or interface_changed("internal/db") or generator_changed()`

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(typical); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse5000Terms(b *testing.B) {
	var terms []Condition
	for i := range 5000 {
		terms = append(terms, SymbolChanged("internal/module", fmt.Sprint("Symbol", i)))
	}
	text := Any(terms...).String()
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	c, err := Parse(typical)
	if err != nil {
		b.Fatal(err)
	}
	for name, facts := range map[string]Facts{"none": constant(false), "all": constant(true)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Evaluate(facts)
			}
		})
	}
}
