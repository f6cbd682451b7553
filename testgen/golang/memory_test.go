package golang

import (
	"flag"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/testgen"
)

var update = flag.Bool("update", false, "write what the golden files should be")

// files are a repository in memory. Each function reaches all that its package declares, and what it imports.
type files map[string]string

func (m files) Files(dir string) (out []string, err error) {
	for name := range m {
		if path.Dir(name) == dir {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (m files) Read(name string) ([]byte, error) {
	if text, ok := m[name]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

func (files) Dir(string, string) (string, bool) { return "", false }

func (m files) Open(dir string) (testgen.Module, error) { return Language.Open(m, dir) }

func (m files) Reach(dir, symbol string) (testgen.Reach, bool, error) {
	return testgen.Reach{Within: []string{symbol}}, true, nil
}

// plan is the plan of a function of the package p, whose source is given; tests and a README lie beside it.
func plan(t *testing.T, m files, symbol string) *Plan {
	t.Helper()
	if m["go.mod"] == "" {
		m["go.mod"] = "module example.com/m\n\ngo 1.22\n"
	}
	module, err := m.Open("p")
	if err != nil || module == nil {
		t.Fatalf("open the package: %v, %v", module, err)
	}
	target, err := module.Target(symbol)
	if err != nil || target == nil {
		t.Fatalf("find %s: %v, %v", symbol, target, err)
	}
	return PlanOf(target)
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs from\n%s", file, got)
	}
}
