package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func all(string) bool { return true }

// kindsOf are the kinds of the mutants of the one function of a source, with how often.
func kindsOf(t *testing.T, body string) map[string]int {
	t.Helper()
	s, err := parseSource(Source{"p.go", []byte("package p\n\n" + body)})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, d := range s.tree.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			for _, m := range mutantsOf(s, functionName(d), d) {
				kinds[m.kind]++
			}
		}
	}
	return kinds
}

func TestMutants(t *testing.T) {
	tests := []struct {
		name, body string
		want       map[string]int
	}{
		{"an equality with a number", `func F(a int) bool { return a == 2 }`, map[string]int{"comparison": 1, "constant": 1}},
		{"an order of what can be looked at twice", `func F(a, b []int) bool { return len(a) < len(b)-1 }`, map[string]int{"comparison": 1, "boundary": 1, "arithmetic": 1}},
		{"an order of calls", `func F(a func() int) bool { return a() < 1 }`, map[string]int{"comparison": 1}},
		{"and and or", `func F(a, b, c bool) bool { return a && b || c }`, map[string]int{"logic": 2}},
		{"a condition that compares nothing", `func F(a bool) int { if a { return 1 }; return 0 }`, map[string]int{"condition": 1, "constant": 2}},
		{"an error", `func F(err error) (int, error) { return 0, err }`, map[string]int{"constant": 1, "error": 1}},
		{"an error in a function within", `func F(err error) func() error { return func() error { return err } }`, map[string]int{"error": 1}},
		{"no error", `func F() error { return nil }`, map[string]int{}},
		{"a result of a call that gives both", `func F(f func() (int, error)) (int, error) { return f() }`, map[string]int{}},
		{"sums of what may be text", `func F(a, b string) string { return a + b }`, map[string]int{}},
		{"sums of numbers", `func F(a int) int { return a + 1 }`, map[string]int{"arithmetic": 1}},
		{"a difference", `func F(a, b int) int { return a - b }`, map[string]int{"arithmetic": 1}},
		{"a negative number", `func F() int { return -1 }`, map[string]int{"arithmetic": 1}},
		{"an assignment", `func F(a int) int { x := a; x = a * 2; return x }`, map[string]int{"deletion": 1, "arithmetic": 1}},
		{"a number that a variable begins with", `func F() int { n := 3; n++; return n }`, map[string]int{"constant": 1, "deletion": 1}},
		{"a call", `func F(f func()) { f() }`, map[string]int{"deletion": 1}},
		{"calls that nothing goes on without", `func F(mu interface{ Lock(); Unlock() }) { mu.Lock(); mu.Unlock(); panic("x") }`, map[string]int{}},
		{"an assignment to nothing", `func F(a int) { _ = a }`, map[string]int{}},
		{"what waits for others", `func F(c chan bool) bool { c <- true; return 1 == 2 }`, map[string]int{}},
		{"a constant", `func F() bool { const x = 1 == 2; return x }`, map[string]int{}},
		{"texts", `func F(a bool) string { switch { case a: return "a" }; return "" }`, map[string]int{"constant": 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := kindsOf(t, tt.body); fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("%s has %v, want %v", tt.body, got, tt.want)
			}
		})
	}
}

func TestMutantsAreFew(t *testing.T) {
	body := "func F(a int) bool { " + strings.Repeat("if a == 1 { return true }; ", 50) + "return a < 3 }"
	got, total := kindsOf(t, body), 0
	for _, n := range got {
		total += n
	}
	if total != mostMutants || got["boundary"] != 1 {
		t.Errorf("there are %v, want %d with the one boundary among them", got, mostMutants)
	}
}

const instrumented = `package p

import "errors"

// Limit is not changed: it is no part of a function.
const Limit = 1 + 2

func init() { total = 1 }

var total int

// Sum adds what is small enough.
func Sum(list []int, most int) (sum int, err error) { // a comment stays where it is
	for _, n := range list {
		switch {
		case n < 0 && most > 0:
			return 0, errors.New("below 0, or 100 %d")
		case n <= most:
			sum += n
		}
	}
	if sum == 0 {
		return -1, nil
	}
	double := func(x int) int { return x * 2 }
	return double(sum) - sum, nil
}
`

func TestInstrumentGolden(t *testing.T) {
	out, err := Instrument([]Source{{"sum.go", []byte(instrumented)}}, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := string(out.Files[0].Data) + "\n---\n" + string(out.Support.Data)
	for i, m := range out.Mutants {
		text += fmt.Sprintf("// %d %s %s %s\n", i+1, m.ID, m.Func, out.lines[i])
	}
	golden(t, "instrument/sum.golden", text)
	if got, want := strings.Count(string(out.Files[0].Data), "\n"), strings.Count(instrumented, "\n"); got != want {
		t.Errorf("there are %d lines, want %d: what the compiler says is told by lines", got, want)
	}
}

// builds checks the types of instrumented source.
func builds(t *testing.T, out *Instrumented) error {
	t.Helper()
	set, list := token.NewFileSet(), []*ast.File{}
	for _, f := range append(slices.Clone(out.Files), out.Support) {
		tree, err := parser.ParseFile(set, f.Name, f.Data, 0)
		if err != nil {
			t.Fatalf("%s does not parse: %v\n%s", f.Name, err, f.Data)
		}
		list = append(list, tree)
	}
	_, err := (&types.Config{Importer: nothing{}}).Check("p", set, list, nil)
	return err
}

// nothing imports packages in which there is an error.
type nothing struct{}

func (nothing) Import(at string) (*types.Package, error) {
	p := types.NewPackage(at, at)
	p.MarkComplete()
	return p, fmt.Errorf("%s is not here", at)
}

func TestInstrumentedBuilds(t *testing.T) {
	source := regexp.MustCompile(`(?m)^import.*$|errors\.New\(.*\)`).ReplaceAllStringFunc(instrumented, func(s string) string {
		return map[bool]string{true: "", false: "error(nil)"}[strings.HasPrefix(s, "import")]
	})
	out, err := Instrument([]Source{{"sum.go", []byte(source)}}, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := builds(t, out); err != nil {
		t.Errorf("%v in\n%s", err, out.Files[0].Data)
	}
}

func TestInstrumentWithout(t *testing.T) {
	files := []Source{{"p.go", []byte("package p\n\nfunc F(a byte) byte {\n\treturn 255\n}\n\nfunc G() int { return 1 }\n")}}
	out, err := Instrument(files, func(name string) bool { return name == "F" }, nil)
	if err != nil || len(out.Mutants) != 1 || builds(t, out) == nil {
		t.Fatalf("F has %v, %v: want one that does not build, and none of G", out.Mutants, err)
	}
	ids := out.At("p.go", 4)
	if len(ids) != 1 || ids[0] != out.Mutants[0].ID || out.At("p.go", 5) != nil || out.At("q.go", 4) != nil {
		t.Fatalf("on line 4 there are %v", ids)
	}
	out, err = Instrument(files, func(name string) bool { return name == "F" }, map[string]bool{ids[0]: true})
	if err != nil || len(out.Mutants) != 0 || builds(t, out) != nil {
		t.Errorf("without it there are %v, %v", out.Mutants, err)
	}
}

// TestMutantNames: what a mutant is called depends on its function and its change alone.
func TestMutantNames(t *testing.T) {
	names := func(source string) (out []string) {
		i, err := Instrument([]Source{{"p.go", []byte(source)}}, all, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range i.Mutants {
			out = append(out, m.ID)
		}
		return out
	}
	first := names("package p\n\nfunc F(a int) bool { return a > 1 }\n")
	moved := names("package p\n\n// Moved.\nfunc G() int { return 1 }\n\nfunc F(a int) bool {\n\treturn a > 1\n}\n")
	if len(first) != 2 || !slices.Equal(first, moved[1:]) {
		t.Errorf("they are called %v, and after a move %v", first, moved)
	}
	twice := names("package p\n\nfunc F(a int) bool { if a > 1 { return a > 1 }; return a > 1 }\n")
	slices.Sort(twice)
	if len(twice) != 6 || len(slices.Compact(twice)) != 6 {
		t.Errorf("the same change in three places has the names %v", twice)
	}
}

func FuzzInstrument(f *testing.F) {
	f.Add(instrumented)
	f.Add("package p\nfunc (a *T[K]) F() { L: for i := 0; i < 3; i++ { if a, ok := b.(int); ok && !c { goto L } else if x { d = 1 } } }")
	f.Add("package p\nfunc F() { defer func() { recover() }(); switch x := y.(type) { case int: x++; fallthrough; default: } }")
	f.Add("package p\nfunc F(s ...string) (_ int, err error) { return len(s) - 1, nil }\nvar x = func() bool { return 1 < 2 }")
	f.Fuzz(func(t *testing.T, source string) {
		out, err := Instrument([]Source{{"p.go", []byte(source)}}, all, nil)
		if err != nil {
			return
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", out.Files[0].Data, 0); err != nil {
			t.Errorf("%v in\n%s", err, out.Files[0].Data)
		}
		if strings.ContainsRune(string(out.Files[0].Data), 0) {
			t.Error("a number was not put in")
		}
	})
}
