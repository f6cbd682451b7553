package workspace_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/workspace"
)

// TestWhatIsRememberedIsWhatIsFound: whatever was done between two runs of test generation, one that may remember the last tells what
// one tells that has never seen the repository.
func TestWhatIsRememberedIsWhatIsFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sources := []string{
		"package shop\n\n// Twice doubles n.\nfunc Twice(n int) int { return 2 * n }\n",
		"package shop\n\n// Twice doubles n.\nfunc Twice(n int) int { return n + n }\n\n// Half halves n.\nfunc Half(n int) int { return n / 2 }\n",
	}
	write("go.mod", "module example.com/shop\n\ngo 1.22\n")
	write("shop.go", sources[0])
	if out, err := exec.Command("git", "-C", dir, "init", "--quiet", "--template=").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	run := func(do func(w *workspace.Workspace) error) {
		t.Helper()
		w, err := workspace.Open(t.Context(), workspace.WorkTree{Dir: dir, Now: time.Now})
		if err == nil {
			err = do(w)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	testgen := func(want workspace.TestRun) (told string) {
		run(func(w *workspace.Workspace) error {
			o, err := w.Testgen(t.Context(), want)
			if err != nil {
				return err
			}
			data, err := json.Marshal(o)
			told = string(data)
			return err
		})
		return told
	}
	spec := filepath.Join(dir, ".causal", "specs", "_root", "Twice.yml")
	steps := []struct {
		name string
		do   func()
	}{
		{"a run", func() { testgen(workspace.TestRun{}) }},
		{"a run for one function", func() { testgen(workspace.TestRun{Targets: []string{"Twice"}}) }},
		{"an update", func() {
			run(func(w *workspace.Workspace) error {
				_, err := w.Update(t.Context(), workspace.SpecsRun{})
				return err
			})
		}},
		{"an edit of the source", func() { write("shop.go", sources[1]) }},
		{"an edit back", func() { write("shop.go", sources[0]) }},
		{"an edited rationale", func() {
			if text, err := os.ReadFile(spec); err == nil {
				lines := strings.Split(string(text), "\n")
				for i, line := range lines {
					if strings.HasPrefix(line, "rationale:") {
						lines[i] = "rationale: People count on it."
					}
				}
				write(".causal/specs/_root/Twice.yml", strings.Join(lines, "\n"))
			}
		}},
		{"a lost spec", func() { _ = os.Remove(spec) }},
	}
	random := rand.New(rand.NewPCG(1, 2))
	var done []string
	for range 24 {
		step := steps[random.IntN(len(steps))]
		step.do()
		done = append(done, step.name)
		testgen(workspace.TestRun{}) // so that there is something to remember
		testgen(workspace.TestRun{})
		if random.IntN(2) == 0 {
			step = steps[random.IntN(len(steps))]
			step.do()
			done = append(done, "then "+step.name)
		}
		got := testgen(workspace.TestRun{Check: true})
		kept := filepath.Join(dir, ".git", "kept")
		if err := os.Rename(filepath.Join(dir, ".git", "causal"), kept); err != nil {
			t.Fatal(err)
		}
		want := testgen(workspace.TestRun{Check: true})
		if err := os.RemoveAll(filepath.Join(dir, ".git", "causal")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(kept, filepath.Join(dir, ".git", "causal")); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("after %s:\n%s\nwant\n%s", strings.Join(done, ", "), got, want)
		}
	}
}
