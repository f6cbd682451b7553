package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/testmode"
)

// long leaves a test that loads and builds programs to the long run.
func long(t *testing.T) {
	t.Helper()
	if !testmode.Long() {
		t.Skip("loads and builds programs; CAUSAL_LONG=1 runs it")
	}
}

// TestSubject removes the tests from a tree with a nested module, and adds others with an overlay.
func TestSubject(t *testing.T) {
	long(t)
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "tree")
	for name, text := range map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n\nfunc Yes() bool { return true }\n", "p_test.go": "package p\n",
		"in/in.go": "package in\n", "in/in_test.go": "package in\n", "cmd/main.go": "package main\n\nfunc main() {}\n",
		"tools/go.mod": "module example.com/p/tools\n\ngo 1.24\n", "tools/t_test.go": "package tools\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, people, err := newSubject(t.Context(), dir, root, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(people)); !slices.Equal(got, []string{"in/in_test.go", "p_test.go"}) {
		t.Errorf("the removed tests are %q", got)
	}
	if _, err := os.Stat(filepath.Join(root, "tools")); !os.IsNotExist(err) {
		t.Errorf("the nested module still exists: %v", err)
	}
	if len(s.units) != 2 || s.units[0].dir != "." || s.units[1].dir != "in" {
		t.Fatalf("the packages are %+v", s.units)
	}
	over, err := s.lay(map[string][]byte{
		"zz_test.go":    []byte("package p\n\nimport \"testing\"\n\nfunc TestYes(t *testing.T) {\n\tif !Yes() {\n\t\tt.Fail()\n\t}\n}\n"),
		"in/zz_test.go": []byte("package in\n\nnothing\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "p.test")
	if err := s.mustBuild(t.Context(), s.units[0], s.of(s.units[0], over), binary); err != nil {
		t.Fatal(err)
	}
	for _, how := range []int{limited, free} {
		if said, ok, err := s.test(t.Context(), s.units[0], how, binary, time.Minute); err != nil || !ok {
			t.Errorf("%v, %v: %s", ok, err, said)
		}
	}
	wrong, err := s.lay(map[string][]byte{"p.go": []byte("package p\n\nfunc Yes() bool { return false }\n")})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.mustBuild(t.Context(), s.units[0], join(s.of(s.units[0], over), wrong), binary); err != nil {
		t.Fatal(err)
	}
	if said, ok, err := s.test(t.Context(), s.units[0], free, binary, time.Minute); err != nil || ok || failing(said) != "TestYes" {
		t.Errorf("%v, %v: %s", ok, err, said)
	}
	if err := s.mustBuild(t.Context(), s.units[1], s.of(s.units[1], over), binary); err == nil {
		t.Error("a file that does not parse builds")
	}
}
