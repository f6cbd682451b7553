package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/review/change/changetest"
	"github.com/causaldocs/causal/review/finding"
)

// chain is a package in which each declaration names the one before, as often as the pattern does.
func chain(n int, first, pattern string) string {
	var s strings.Builder
	s.WriteString("package p\n" + first + "\n")
	for i := 1; i <= n; i++ {
		s.WriteString(strings.NewReplacer("%d", fmt.Sprint(i), "%p", fmt.Sprint(i-1)).Replace(pattern) + "\n")
	}
	return s.String()
}

// slowest is how long no source of 2 MiB takes, whatever is in it.
const slowest = 20 * time.Second

// TestHostileGo: what stands for more than it says is refused, and what is merely long is compared.
func TestHostileGo(t *testing.T) {
	t.Parallel()
	const many = 20_000
	for name, test := range map[string]struct {
		text    string
		refused string // why; empty where it is compared
	}{
		"aliases that double":           {chain(64, "type A0 = struct{ X int }", "type A%d = struct{ X, Y A%p }\ntype B%d = struct{ X A%p; Y A%d }"), "too large"},
		"constants that double":         {chain(64, "const A0 = \"aaaaaaaa\"", "const A%d = A%p + A%p"), "too large"},
		"a constant's length":           {chain(64, "const A0 = \"aaaaaaaa\"", "const A%d = A%p + A%p\nconst N%d = len(A%d)"), "too large"},
		"type arguments that double":    {chain(64, "type A0[P any] struct{ X P }", "type A%d[P any] struct{ X A%p[P]; Y A%p[*P] }"), "too large"},
		"interfaces within interfaces":  {chain(many, "type A0 interface{ M0() }", "type A%d interface{ A%p; M%d() }"), "too large"},
		"structs within structs":        {chain(many, "type A0 struct{ F0 int }", "type A%d struct{ A%p; F%d int }"), "too large"},
		"a long chain of types":         {chain(many, "type A0 int", "type A%d *A%p"), ""},
		"a long chain, last first":      {"package p\n" + reversed(chain(many, "type A0 int", "type A%d []A%p")), "too deep"},
		"a long chain of variables":     {"package p\n" + reversed(chain(many, "var A0 = 1", "var A%d = A%p")), "too deep"},
		"brackets":                      {"package p\ntype A0 " + strings.Repeat("[]", 90_000) + "int\n", "too deep"},
		"arrays of structs":             {chain(64, "type A0 struct{ X int }", "type A%d struct{ X [2]A%p; Y ([3]A%p) }"), "too large"},
		"pointers to structs":           {chain(64, "type A0 struct{ X int }", "type A%d struct{ X, Y *A%p; Z []A%p }"), ""},
		"many fields":                   {"package p\ntype A0 struct {\n" + lines(many, "F%d int") + "}\n", ""},
		"many functions":                {"package p\n" + lines(many, "func A%d(a, b int) error { return nil }"), ""},
		"many counted constants":        {"package p\nconst (\nA0 = iota\n" + lines(many, "A1%d") + ")\n", ""},
		"sizes of structs in structs":   {chain(64, "import \"unsafe\"\ntype A0 struct{ X int }", "type A%d struct{ X, Y A%p }\nconst S%d = unsafe.Sizeof(A%d{})"), "too large"},
		"a type of itself":              {"package p\ntype A0 A0\ntype B [len(C)]int\nvar C B\nconst D = D\n", ""},
		"a method of nothing":           {"package p\nfunc (a *) M() {}\ntype i = interface{ M() }\ntype S struct{ i }\n", "line "},
		"a method of an alias embedded": {"package p\ntype i = interface{ M() }\ntype A0 struct{ i }\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was := files{"go.mod": "module example.com/p\n", "p/p.go": test.text}
			found, skipped := inTime(t, "p", was, files{"go.mod": was["go.mod"], "p/p.go": test.text + "func Added() {}\n"})
			switch {
			case len(found) > 0:
				t.Errorf("found %s", brief(found[0]))
			case test.refused == "" && len(skipped) > 0 || test.refused != "" && (len(skipped) != 1 || !strings.Contains(skipped[0].Reason, test.refused)):
				t.Errorf("skipped %v, expected %q", skipped, test.refused)
			}
		})
	}
}

func lines(n int, pattern string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(strings.ReplaceAll(pattern, "%d", fmt.Sprint(i)) + "\n")
	}
	return s.String()
}

// reversed is a package with its declarations the other way round, without its clause.
func reversed(text string) string {
	list := strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "package p\n")), "\n")
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return strings.Join(list, "\n") + "\n"
}

// TestEverythingRemoved: a large package that changes as a whole is told in time that is in proportion to it.
func TestEverythingRemoved(t *testing.T) {
	t.Parallel()
	const many = 4_000
	for name, text := range map[string][2]string{
		"p/p.go":        {"package p\ntype A struct {\n" + lines(many, "F%d int") + "}\n", "package p\ntype A struct {\n" + lines(many, "G%d int") + "}\n"},
		"p/__init__.py": {lines(many, "def f%d(a, b): pass"), lines(many, "def f%d(a): pass")},
		"p/index.ts":    {lines(many, "export function f%d(a: string, b: string): void {}"), lines(many, "export function f%d(a: string): void {}")},
	} {
		if found, skipped := inTime(t, "p", files{name: text[0]}, files{name: text[1]}); len(found) != many || len(skipped) > 0 {
			t.Errorf("%s: %d found, %v", name, len(found), skipped)
		}
	}
}

// inTime are the breaks of a module, found in time.
func inTime(t *testing.T, module string, was, now files) ([]finding.Finding, []finding.Skipped) {
	t.Helper()
	r := changetest.Between(t, was, now)
	start := time.Now()
	found, skipped, err := Breaks(r, module, &Parsed{})
	if took := time.Since(start); err != nil || took > slowest {
		t.Errorf("%v, in %s", err, took)
	}
	t.Logf("in %s", time.Since(start))
	return found, skipped
}
