package golang

import (
	"testing"

	"github.com/causaldocs/causal/testgen/spec"
)

// TestExamplesTellResults: what an example prints is known without a run, where there is no doubt which call it comes from.
func TestExamplesTellResults(t *testing.T) {
	t.Parallel()
	const source = `package p

import ("errors"; "fmt"; "strconv")

type Amount int64

func (a Amount) String() string { return fmt.Sprint(int64(a)) }

func Parse(s string) (Amount, error) {
	n, err := strconv.Atoi(s)
	return Amount(n), err
}

func Word(s string) string { return s + s }

func Count(n int) int { return n }

func Check(s string) error { if s == "" { return errors.New("empty") }; return nil }

func Pair(n int) (int, int) { return n, n }
`
	for name, test := range map[string]struct {
		symbol, example string
		want            string // the cases with results
	}{
		"a number":               {"Count", "fmt.Println(p.Count(7))\n\t// Output: 7", `{int: 7} 7`},
		"below the word":         {"Count", "fmt.Println(p.Count(7))\n\t// Output:\n\t// 7\n", `{int: 7} 7`},
		"of the tests":           {"Count", "fmt.Println(Count(7))\n\t// output: 7", ""},
		"text":                   {"Word", "fmt.Println(p.Word(\"a b\"))\n\t// Output: a ba b", `{string: "a b"} a ba b`},
		"what String says":       {"Parse", "fmt.Println(p.Parse(\"7\"))\n\t// Output: 7 <nil>", `{string: "7"} 7`},
		"an error":               {"Parse", "fmt.Println(p.Parse(\"x\"))\n\t// Output: 0 invalid syntax", `{string: "x"} error`},
		"two":                    {"Count", "fmt.Println(p.Count(7))\n\tfmt.Println(p.Count(8))\n\t// Output:\n\t// 7\n\t// 8", `{int: 7} 7 {int: 8} 8`},
		"something is done":      {"Count", "x := 7\n\tfmt.Println(p.Count(x))\n\t// Output: 7", ""},
		"more lines than calls":  {"Word", "fmt.Println(p.Word(\"a\\nb\"))\n\t// Output:\n\t// a\n\t// ba\n\t// b", ""},
		"no order":               {"Count", "fmt.Println(p.Count(7))\n\t// Unordered output: 7", ""},
		"no output":              {"Count", "fmt.Println(p.Count(7))", ""},
		"formatted":              {"Count", "fmt.Printf(\"%d\\n\", p.Count(7))\n\t// Output: 7", ""},
		"beside others":          {"Count", "fmt.Println(\"n\", p.Count(7))\n\t// Output: n 7", ""},
		"of another package":     {"Count", "fmt.Println(q.Count(7))\n\t// Output: 7", ""},
		"another type":           {"Count", "fmt.Println(p.Count(7))\n\t// Output: seven", ""},
		"several results":        {"Pair", "fmt.Println(p.Pair(7))\n\t// Output: 7 7", ""},
		"an error alone":         {"Check", "fmt.Println(p.Check(\"a\"))\n\t// Output: <nil>", ""},
		"comment before the end": {"Count", "// Output: 7\n\tfmt.Println(p.Count(7))", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plan(t, files{"p/p.go": source, "p/example_test.go": "package p_test\n\nimport \"fmt\"\n\nfunc Example() {\n\t" + test.example + "\n}\n"}, test.symbol)
			cases, _ := p.Propose()
			got := ""
			for _, c := range cases {
				if c.Want == nil {
					continue
				}
				if got != "" {
					got += " "
				}
				got += c.Args[0].String() + " " + c.Want.Text()
				if c.Law != spec.Example || c.ID != spec.ID(spec.Example, c.Args, nil) {
					t.Errorf("%s is %s", c.ID, c.Law)
				}
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestExamplesInThePackage: in a package itself a plain name is its own.
func TestExamplesInThePackage(t *testing.T) {
	t.Parallel()
	p := plan(t, files{
		"p/p.go":            "package p\n\nfunc Count(n int) int { return n }\n",
		"p/example_test.go": "package p\n\nimport \"fmt\"\n\nfunc ExampleCount() {\n\tfmt.Println(Count(7))\n\t// Output: 7\n}\n",
	}, "Count")
	if cases, _ := p.Propose(); cases[0].Law != spec.Example || cases[0].Want.Text() != "7" {
		t.Errorf("the cases are %v", cases)
	}
}
