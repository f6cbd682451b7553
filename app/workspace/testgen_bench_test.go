package workspace_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/workspace"
)

// manyFunctions is a repository with a thousand functions that tests can be made of, in fifty packages.
func manyFunctions(b *testing.B) (dir string) {
	b.Helper()
	dir = b.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	write("go.mod", "module example.com/many\n\ngo 1.22\n")
	for p := range 50 {
		var text strings.Builder
		fmt.Fprintf(&text, "// Package p%02d counts.\npackage p%02[1]d\n\nimport \"strings\"\n\nfunc helper(s string) string { return strings.ToLower(s) }\n", p)
		for f := range 20 {
			fmt.Fprintf(&text, "\n// F%d works on \"a%[1]d\".\nfunc F%[1]d(s string, n int) string {\n\tif n > %[1]d {\n\t\treturn helper(s)\n\t}\n\treturn strings.Repeat(s, %[1]d)\n}\n", f)
		}
		write(fmt.Sprintf("p%02d/p.go", p), text.String())
	}
	for _, args := range [][]string{{"init", "--quiet", "--template="}, {"add", "--all"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message=Begin"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			b.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// BenchmarkThousandSpecs sets a run of test generation, with nothing run, beside an update of the same repository.
func BenchmarkThousandSpecs(b *testing.B) {
	dir := manyFunctions(b)
	with := func(b *testing.B, do func(w *workspace.Workspace) error) {
		b.Helper()
		w, err := workspace.Open(b.Context(), workspace.WorkTree{Dir: dir, Now: time.Now})
		if err == nil {
			err = do(w)
		}
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	testgen := func(b *testing.B) {
		b.Helper()
		with(b, func(w *workspace.Workspace) error {
			o, err := w.Testgen(b.Context(), workspace.TestRun{})
			if err == nil && len(o.Specs) != 1000 {
				b.Fatalf("%d specs", len(o.Specs))
			}
			return err
		})
	}
	update := func(b *testing.B) {
		b.Helper()
		with(b, func(w *workspace.Workspace) error { _, err := w.Update(b.Context(), workspace.SpecsRun{}); return err })
	}
	source := filepath.Join(dir, "p07", "p.go")
	text, err := os.ReadFile(source)
	if err != nil {
		b.Fatal(err)
	}
	edit := func(n int) {
		if err := os.WriteFile(source, []byte(strings.Replace(string(text), "return helper(s)", fmt.Sprintf("return helper(s[min(%d, len(s)):])", n), 1)), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	update(b)
	testgen(b)
	testgen(b) // the first that has nothing to do remembers that
	b.Run("testgen with nothing to do", func(b *testing.B) {
		for b.Loop() {
			testgen(b)
		}
	})
	edited := 0
	b.Run("testgen after an edit", func(b *testing.B) {
		for b.Loop() {
			edited++
			edit(edited)
			testgen(b)
		}
	})
	b.Run("update with nothing to do", func(b *testing.B) {
		for b.Loop() {
			update(b)
		}
	})
	b.Run("update from nothing", func(b *testing.B) {
		for b.Loop() {
			for _, lost := range []string{".git/causal", ".causal", "docs"} {
				if err := os.RemoveAll(filepath.Join(dir, lost)); err != nil {
					b.Fatal(err)
				}
			}
			update(b)
		}
	})
}
