package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTry(t *testing.T) {
	dir := os.Getenv("TRY")
	out := os.Getenv("TRYOUT")
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var src []Source
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") || strings.HasSuffix(n, "_js.go") {
			continue
		}
		d, _ := os.ReadFile(n)
		src = append(src, Source{filepath.Base(n), d})
	}
	i, err := Instrument(src, func(string) bool { return true }, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(i.Mutants))
	for _, f := range append(i.Files, i.Support) {
		os.WriteFile(filepath.Join(out, f.Name), f.Data, 0o600)
	}
	c := exec.Command("go", "vet", ".")
	c = exec.Command("go", "build", "-gcflags=-e", ".")
	c.Dir = out
	b, err := c.CombinedOutput()
	t.Log(string(b), err)
}
