package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/testgen"
)

func replaceOnce(t *testing.T, text, old, by string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q occurs %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, by, 1)
}

// parsed is a package without imports.
func parsed(t *testing.T, text string) *unit {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &unit{dir: ".", path: p.Path(), fset: fset, trees: []*ast.File{f}, types: p}
}

const forms = `package p

type T struct{}

type own struct{}

type list[E any] []E

type Box[E any] struct{}

func Parse(s string, b []byte, n uint8, f float64, ok bool, r rune) error { return nil }

func (T) Get(n int) int { return n }

func (*Box[E]) Put(e E) {}

func (own) Hidden() {}

func None() {}

func More(names ...string) {}

func Takes(t T) {}

func Of[E any](s string) {}

func inner(s string) {}
`

func TestExported(t *testing.T) {
	t.Parallel()
	got := exported(parsed(t, forms))
	want := []string{"_root Parse", "_root T.Get", "_root Box.Put", "_root None", "_root More", "_root Takes", "_root Of"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReasonKind(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"takes *http.Request, of which causal can make no value":                 "takes …, of which causal can make no value",
		"returns netip.Addr, which causal cannot compare":                        "returns …, which causal cannot compare",
		"reaches net, crypto/rand":                                               "reaches …",
		"changes the variable ifname of the package, which later calls see":      "changes the variable … of the package, which later calls see",
		"its package does not parse: p.go":                                       "its package does not parse: …",
		"is a method of a generic type":                                          "is a method of a generic type",
		"stands under the constraint linux: the other systems do not have it at": "stands under the constraint linux: …",
	} {
		if got := reasonKind(reason); got != want {
			t.Errorf("%q is %q, want %q", reason, got, want)
		}
	}
}

func TestStatements(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cover.out")
	const profile = "mode: set\np/a.go:1.1,2.2 3 1\np/a.go:3.1,4.2 2 0\np/a.go:1.1,2.2 3 0\np/b.go:1.1,1.9 5 0\n"
	if err := os.WriteFile(file, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	if reached, all, err := statements(file); reached != 3 || all != 10 || err != nil {
		t.Errorf("%d of %d, %v; want 3 of 10", reached, all, err)
	}
}

func TestFailed(t *testing.T) {
	t.Parallel()
	const said = "--- FAIL: TestB (0.00s)\n    --- FAIL: TestB/inner (0.00s)\n--- FAIL: TestA_causal (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n"
	if got := failing(said); got != "TestA_causal, TestB" {
		t.Errorf("%q", got)
	}
	if got := failing("panic: it is over"); got != "panic: it is over" {
		t.Errorf("%q", got)
	}
	const broken = "# p\nvet: ./zz_causal_parse_test.go:5:2: undefined: x\np/zz_causal_t_get_test.go:7: wrong\n./mine_test.go:1:1: wrong\n"
	if got := complaint.FindAllString(broken, -1); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// TestTables checks the counts of exported functions and of detected mutants.
func TestTables(t *testing.T) {
	t.Parallel()
	r := &result{library: library{repository: "a/p", commit: "0123456789abcdef", heldOut: true}, statements: 200, possible: 9, checked: checked{files: 3, repeated: 20}}
	r.reached[generated], r.reached[people] = 50, 199
	r.count([]*unit{parsed(t, forms)}, &testgen.Outcome{
		Specs: []testgen.Told{
			{Module: "_root", Symbol: "Parse", Kept: 4}, {Module: "_root", Symbol: "None", Kept: 0}, {Module: "_root", Symbol: "own.Hidden", Kept: 2}, {Module: "q", Symbol: "Parse", Kept: 1},
		},
		NotGeneratable: []testgen.NotGeneratable{{Module: "_root", Symbol: "More", Reason: "reaches os"}, {Module: "_root", Symbol: "Of", Reason: "reaches net, os"}, {Module: "_root", Symbol: "inner", Reason: "reaches os"}},
	})
	for i, killed := range [][suites]bool{{generated: true}, {generated: true, people: true}, {people: true}, {}} {
		r.verdicts = append(r.verdicts, verdict{numbered{mutant{"p.go", i + 1, logic, 0, 0, ""}, i + 1}, [suites]bool{generated: true, people: i != 3}, killed})
	}
	if !holdAll([]*result{r}) {
		t.Error("the result fails")
	}
	text := tables([]*result{r}, options{survivors: true}, 0)
	for _, want := range []string{
		"| a/p `0123456789` * | 7 | 2 | 1 | 4 | 5 | 3 | 0 | 0 in 20 runs |",
		"| a/p `0123456789` * | 200 | 25.0 % | 99.5 % | 4 of 9 | 50.0 % | 66.7 % |",
		"| reaches … | 2 |",
		"- p: survives: p.go:3 logic, killed by people's.\n- p: survives: p.go:4 logic.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	for _, spoil := range []func(c *checked){
		func(c *checked) { c.unbuilt = []string{"x"} }, func(c *checked) { c.unformatted = []string{"x"} }, func(c *checked) { c.flaky = []string{"x"} },
	} {
		bad := *r
		spoil(&bad.checked)
		if holdAll([]*result{r, &bad}) || !strings.Contains(tables([]*result{&bad}, options{}, 0), "FAULT: x") {
			t.Errorf("a fault is not reported: %+v", bad.checked)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"no directory": nil, "two": {"a", "b"}, "fewer than none": {"-mutants", "-1", "a"}} {
		var out, errs strings.Builder
		if code := proof.Run(t.Context(), args, &out, &errs); code != 2 || !strings.Contains(errs.String(), "usage: tests") {
			t.Errorf("%s: exit code %d, %s", name, code, errs.String())
		}
	}
}
