package testrun

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
	"github.com/causaldocs/causal/testgen/spec"
)

// onDisk is a repository of one package of Go, in which each function reaches all others.
type onDisk map[string]string

func (m onDisk) Files(dir string) (out []string, err error) {
	for name := range m {
		if path.Dir(name) == dir {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (m onDisk) Read(name string) ([]byte, error) {
	if text, ok := m[name]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

func (onDisk) Dir(string, string) (string, bool) { return "", false }

func (m onDisk) Open(dir string) (testgen.Module, error) { return golang.Language.Open(m, dir) }

func (m onDisk) Reach(string, string) (testgen.Reach, bool, error) {
	return testgen.Reach{Within: strings.Fields(m["reach"])}, true, nil
}

// verified runs what is proposed for functions of the package.
func (m onDisk) verified(t *testing.T, symbols ...string) (map[string]*testgen.Recorded, *Verified) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	root := t.TempDir()
	for name, text := range m {
		if err := os.MkdirAll(filepath.Join(root, path.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	module, err := m.Open("p")
	if err != nil {
		t.Fatal(err)
	}
	var jobs []*Job
	for _, symbol := range symbols {
		target, err := module.Target(symbol)
		if err != nil || target == nil || target.Reason != "" {
			t.Fatalf("%s: %v, %v", symbol, target, err)
		}
		cases, _ := target.Propose()
		jobs = append(jobs, &Job{Subject: testgen.Subject("p", symbol), Target: target, Spec: &spec.Spec{Target: target.Spec, Cases: cases, Status: spec.Pending}})
	}
	out, sum, err := (&Runner{Root: root}).Run(t.Context(), jobs)
	if err != nil {
		t.Fatal(err)
	}
	return out, sum
}

// mutated has a mutant that does not build, and some that go round for ever.
const mutated = `// Package p counts.
package p

import "errors"

// Top is the largest byte.
func Top(n int) byte {
	if n > 3 {
		return 255
	}
	return 1
}

// Count counts down from n, which is below 100.
func Count(n int) (steps int, err error) {
	if n < 0 || n >= 100 {
		return 0, errors.New("out of range")
	}
	for n > 0 {
		n--
		steps++
	}
	return steps, nil
}

// ID is a number in brackets.
type ID struct{ n string }

// String writes it.
func (id ID) String() string { return "[" + id.n + "]" }

// New makes one.
func New(n string) ID { return ID{n} }

// Parse reads what String writes.
func Parse(s string) (ID, error) {
	if len(s) < 3 || s[0] != '[' || s[len(s)-1] != ']' {
		return ID{}, errors.New("no id")
	}
	return ID{s[1 : len(s)-1]}, nil
}
`

func TestMutantsSay(t *testing.T) {
	m := onDisk{"go.mod": "module example.com/m\n\ngo 1.22\n", "p/p.go": mutated, "reach": "Top Count ID.String New Parse"}
	symbols := []string{"Top", "Count", "ID.String", "New", "Parse"}
	first, sum := m.verified(t, symbols...)
	for _, symbol := range []string{"Top", "Count", "Parse"} {
		r := first["p/"+symbol]
		if r.Problem != "" || r.Chosen == nil || len(r.Chosen.Killed) < 2 {
			t.Errorf("%s: %q, chosen are %+v", symbol, r.Problem, r.Chosen)
		}
	}
	read := slices.ContainsFunc(first["p/Parse"].Chosen.Cases, func(c spec.Case) bool {
		return c.Want != nil && c.Want.StringOf != nil && strings.HasPrefix(*c.Want.StringOf, "[") && (strings.HasPrefix(c.Why, "what ID.String gives") || strings.HasPrefix(c.Why, `"[`))
	})
	if !read {
		t.Errorf("Parse is given nothing that String writes: %v", first["p/Parse"].Chosen.Cases)
	}
	if !testmode.Long() {
		return
	}
	if again, other := m.verified(t, symbols...); *sum != *other {
		t.Errorf("a second run tells %+v, the first %+v", other, sum)
	} else {
		for subject, r := range again {
			if want := first[subject].Chosen; !slices.Equal(r.Chosen.Killed, want.Killed) || r.Chosen.Coverage != want.Coverage || len(r.Chosen.Cases) != len(want.Cases) {
				t.Errorf("%s: a second run chooses %+v, the first %+v", subject, r.Chosen, want)
			}
		}
	}
}

// TestPlain: what cannot be instrumented is run as it is.
func TestPlain(t *testing.T) {
	p := &pack{without: map[string]bool{}, woven: &golang.Instrumented{}}
	r := &golang.Recorder{}
	if left := p.mend(r, "p.go:3:1: something else"); len(left) != 0 || !p.plain || p.woven != nil {
		t.Errorf("plain is %t after an error that no mutant made", p.plain)
	}
}
