package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// shown are candidates with where they come from.
func shown(list []testgen.Candidate) (out []string) {
	for _, c := range list {
		parts := make([]string, len(c.Args))
		for i, a := range c.Args {
			parts[i] = a.String()
		}
		out = append(out, strings.Join(parts, " ")+" "+c.Why)
	}
	return out
}

func TestPoolHasCallsThatPeopleWrote(t *testing.T) {
	m := files{
		"p/p.go": `// Package p reads versions, as in p.Parse("1.2.3-beta.1+b345").
package p

import "errors"

// First is the first version.
var First = Parse("0.0.1")

// Parse reads a version, e.g. Parse("v1.2.3"), or Parse(text, "x").
func Parse(s string) string { if len(s) == 36 { return s }; if s == "" { panic(errors.New("no version")) }; return s }

// Join joins, e.g. Join(",", "a", "b").
func Join(sep string, parts ...string) string { return sep }

// Repeat repeats a number of times.
func Repeat(s string, count int) string { if count > 1000 { return "" }; return s }
`,
		"p/README.md": "```go\nv := p.Parse(\"2.0\")\nother.Parse(\"3.0\")\nq.p.Parse(`4)`)\n```\n",
		"p/p_test.go": "package p\n\nfunc TestParse() { Parse(\"5.0\") }\n\nfunc ExampleParse() { p.Parse(\"6.0\") }\n",
	}
	got := shown(plan(t, m, "Parse").Candidates)
	for _, want := range []string{
		`{string: "v1.2.3"} the documentation calls it so`,
		`{string: "1.2.3-beta.1+b345"} the documentation of the package calls it so`,
		`{string: "2.0"} the README calls it so`,
		`{string: "4)"} the README calls it so`,
		`{string: "5.0"} a test of the package calls it so`,
		`{string: "6.0"} an example of the package calls it so`,
		`{string: "0.0.1"} the package calls it so for First`,
		`{string: "0123456789abcdef0123456789abcdef0123"} 36 bytes, a length that the code knows`,
		`{string: ""} Parse contains it`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not tried, of\n%s", want, strings.Join(got, "\n"))
		}
	}
	for _, c := range got {
		if strings.Contains(c, "3.0") || strings.Contains(c, "no version") {
			t.Errorf("%s is tried: it is a call of another function, or a message", c)
		}
	}
	if got := shown(plan(t, m, "Join").Candidates); got[0] != `{string: ","} {"[]string": ["a", "b"]} the documentation calls it so` {
		t.Errorf("the first call of Join is %s", got[0])
	}
	for _, c := range plan(t, m, "Repeat").Candidates {
		if n, ok := c.Args[1].Value.(int64); ok && n > 64 {
			t.Errorf("a count is %d", n)
		}
	}
}

func TestSeedsOfForms(t *testing.T) {
	m := files{"p/p.go": `package p

// ID is one of 16 bytes.
type ID [16]byte

// Zero has nothing in it, Home is a place.
var Home = Must("x")

// Must makes an ID.
func Must(s string) ID { return ID{} }

// Parse reads xxxxxxxx-xxxx or 2024-02-29, also {"a": 1}; see RFC 4122.
func Parse(s string) (ID, error) { return ID{}, nil }

// Read reads an ID.
func Read(data []byte) (ID, error) { return ID{}, nil }

// Kind tells.
func (id ID) Kind() int { if id[8] == 0x80 { return 1 }; return 0 }
`}
	got := shown(plan(t, m, "Parse").Candidates)
	for _, want := range []string{
		`{string: "01234567-89ab"} the documentation names the form xxxxxxxx-xxxx`, `{string: "2024-02-29"} the documentation names it`, `{string: "{\"a\": 1}"} the documentation names it`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not tried, of\n%s", want, strings.Join(got, "\n"))
		}
	}
	if got := shown(plan(t, m, "Read").Candidates); !slices.Contains(got, `{"[]byte": "0123456789abcdef"} 16 bytes, a length that the code knows`) {
		t.Errorf("no bytes as many as are read are tried, of\n%s", strings.Join(got, "\n"))
	}
	got = shown(plan(t, m, "ID.Kind").Candidates)
	for _, want := range []string{`{ID: {const: Home}} the package exports Home`, "{ID: [0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0]} byte 8 is 128"} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.ReplaceAll(s, `"`, "") == want }) {
			t.Errorf("%s is not tried, of\n%s", want, strings.Join(got, "\n"))
		}
	}
}

func TestVariants(t *testing.T) {
	var got []string
	for _, s := range variants("1.2.3-beta") {
		got = append(got, fmt.Sprintf("%v: %s", s.Value, s.Why))
	}
	for _, want := range []string{
		`1.2.3: "1.2.3-beta" up to its third separator`, `1.2: "1.2.3-beta" up to its second separator`, `1..2.3-beta: "1.2.3-beta" with its first separator twice`,
		`01.2.3-beta: "1.2.3-beta" with a zero before its number`, `99999999999999999999.2.3-beta: "1.2.3-beta" with a number that is too large`, `1.2.3-BETA: "1.2.3-beta" in capitals`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among\n%s", want, strings.Join(got, "\n"))
		}
	}
	if got := variants(""); got != nil {
		t.Errorf("of nothing there are %v", got)
	}
}

func TestMore(t *testing.T) {
	m := files{"p/p.go": "package p\n\n// ID is one.\ntype ID struct{ N int }\n\n// Parse reads.\nfunc Parse(s string) (ID, error) { return ID{}, nil }\n"}
	p := plan(t, m, "Parse")
	got := shown(p.More([]Said{{"ID.String", "id-7"}, {"ID.String", "a"}}))
	if !slices.Contains(got, `{string: "id-7"} what ID.String gives`) || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, `{string: "a"}`) }) {
		t.Errorf("more calls are\n%s\nwant what ID.String gives, but nothing that was tried", strings.Join(got, "\n"))
	}
}

func TestNearest(t *testing.T) {
	said := []Said{{"Other.String", "x"}, {"V.String", "1"}, {"W.MarshalJSON", `"2"`}, {"V.MarshalJSON", `"1"`}}
	got := Nearest("V.UnmarshalJSON", said, 3)
	if want := []Said{said[3], said[2], said[1]}; !slices.Equal(got, want) {
		t.Errorf("nearest are %v, want %v", got, want)
	}
}

func TestCallsIn(t *testing.T) {
	tests := []struct {
		text string
		want string
	}{
		{`see F("a", 1)`, `["a" 1]`},
		{`xF("a") and F ("b")`, ""},
		{`F("a)(", '\'', ` + "`)`" + `)`, "[\"a)(\" '\\'' `)`]"},
		{`F(g(1), "b") then F(2)`, `[g(1) "b"][2]`},
		{`F("open`, ""},
		{`F(`, ""},
		{`F()`, "[]"},
		{`F(a b)`, ""},
	}
	for _, tt := range tests {
		got := ""
		for _, call := range callsIn(tt.text, "F") {
			parts := []string{}
			for _, x := range call.Args {
				parts = append(parts, source(x))
			}
			got += fmt.Sprint(parts)
		}
		if got != tt.want {
			t.Errorf("in %s there are %s, want %s", tt.text, got, tt.want)
		}
	}
}

func source(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Value
	case *ast.CallExpr:
		return source(x.Fun) + "(" + source(x.Args[0]) + ")"
	case *ast.Ident:
		return x.Name
	}
	return "?"
}

func TestLiteralsForPeopleAreNoSeeds(t *testing.T) {
	x, err := parser.ParseExpr(`func() { errors.New("message"); fmt.Errorf("other %s", "x"); t.Fatal("bad"); r.Header.Get("Accept"); use("input"); regexp.MustCompile("^a$") }`)
	if err != nil {
		t.Fatal(err)
	}
	s := &seeds{Seeds: testgen.Seeds{Longest: longestSeed, Most: mostSeeds}}
	s.literals(x, testgen.FromTest, "it is used")
	if len(s.Texts) != 1 || s.Texts[0].Value != "input" {
		t.Errorf("the texts are %v, want the input alone", s.Texts)
	}
}

// FuzzDocumented: what strangers write in comments gives texts that a spec can hold, and no more of them than are tried.
func FuzzDocumented(f *testing.F) {
	f.Add(`Parse reads "12.50", xxxx-xxxx, {"a": 1}, 10.0.0.0/8 and F("a\"", 'b').`, "F")
	f.Add("F(F(F(F(\"", "F")
	f.Fuzz(func(t *testing.T, doc, name string) {
		s := &seeds{Seeds: testgen.Seeds{Longest: longestSeed, Most: mostSeeds}}
		s.documented(doc, whyDoc)
		if len(s.Texts) > mostSeeds || len(s.Numbers) > mostSeeds {
			t.Errorf("there are %d texts and %d numbers", len(s.Texts), len(s.Numbers))
		}
		for _, x := range append(s.strings(), s.bytes()...) {
			if text := x.Value.(string); len(text) > longestSeed || !utf8.ValidString(text) {
				t.Errorf("%q is tried", text)
			}
			if _, err := spec.DecodeCase(`{id: a, law: golden, why: "b", args: [` + (spec.Typed{Type: "string", Value: x.Value}).String() + `]}`); err != nil {
				t.Errorf("%q cannot be read back: %v", x.Value, err)
			}
		}
		if name != "" {
			if got := callsIn(doc, name); len(got) > mostCalls {
				t.Errorf("there are %d calls", len(got))
			}
		}
	})
}
