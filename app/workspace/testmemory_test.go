package workspace_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// specRepo is a repository of Go whose tests are generated again and again.
type specRepo struct {
	t   *testing.T
	dir string
}

func newSpecRepo(t *testing.T) specRepo {
	t.Helper()
	r := specRepo{t, t.TempDir()}
	r.write("go.mod", "module example.com/shop\n\ngo 1.22\n")
	if out, err := exec.Command("git", "-C", r.dir, "init", "--quiet", "--template=").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return r
}

func (r specRepo) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r specRepo) run(do func(w *workspace.Workspace) error) {
	r.t.Helper()
	w, err := workspace.Open(r.t.Context(), workspace.WorkTree{Dir: r.dir, Now: time.Now})
	if err == nil {
		err = do(w)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		r.t.Fatal(err)
	}
}

func (r specRepo) update() {
	r.t.Helper()
	r.run(func(w *workspace.Workspace) error {
		_, err := w.Update(r.t.Context(), workspace.SpecsRun{})
		return err
	})
}

// testgen runs test generation and formats the report.
func (r specRepo) testgen(want workspace.TestRun) (told string) {
	r.t.Helper()
	r.run(func(w *workspace.Workspace) error {
		o, err := w.Testgen(r.t.Context(), want)
		if err != nil {
			return err
		}
		data, err := json.Marshal(o)
		told = string(data)
		return err
	})
	return told
}

// compare compares the report of a run with a cache with that of a run without.
func (r specRepo) compare(want workspace.TestRun, after []string) {
	r.t.Helper()
	got := r.testgen(want)
	local, kept := filepath.Join(r.dir, ".git", "causal"), filepath.Join(r.dir, ".git", "kept")
	if err := os.Rename(local, kept); err != nil {
		r.t.Fatal(err)
	}
	fresh := r.testgen(want)
	if err := os.RemoveAll(local); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Rename(kept, local); err != nil {
		r.t.Fatal(err)
	}
	if got != fresh {
		r.t.Fatalf("after %s:\n%s\nwant\n%s", strings.Join(after, ", "), got, fresh)
	}
}

// TestWhatIsRememberedIsWhatIsFound checks that after any edits, test generation with a cache reports the same as in a fresh clone.
func TestWhatIsRememberedIsWhatIsFound(t *testing.T) {
	t.Parallel()
	r := newSpecRepo(t)
	sources := []string{
		"package shop\n\n// Twice doubles n.\nfunc Twice(n int) int { return 2 * n }\n",
		"package shop\n\n// Twice doubles n.\nfunc Twice(n int) int { return n + n }\n\n// Half halves n.\nfunc Half(n int) int { return n / 2 }\n",
	}
	r.write("shop.go", sources[0])
	spec := filepath.Join(r.dir, ".causal", "specs", "_root", "Twice.yml")
	steps := []struct {
		name string
		do   func()
	}{
		{"a run", func() { r.testgen(workspace.TestRun{}) }},
		{"a run for one function", func() { r.testgen(workspace.TestRun{Targets: []string{"Twice"}}) }},
		{"an update", r.update},
		{"an edit of the source", func() { r.write("shop.go", sources[1]) }},
		{"an edit back", func() { r.write("shop.go", sources[0]) }},
		{"an edited rationale", func() {
			if text, err := os.ReadFile(spec); err == nil {
				lines := strings.Split(string(text), "\n")
				for i, line := range lines {
					if strings.HasPrefix(line, "rationale:") {
						lines[i] = "rationale: People count on it."
					}
				}
				r.write(".causal/specs/_root/Twice.yml", strings.Join(lines, "\n"))
			}
		}},
		{"a lost spec", func() { _ = os.Remove(spec) }},
	}
	random := rand.New(rand.NewPCG(1, 2))
	var done []string
	for range testmode.Of(6, 24) {
		step := steps[random.IntN(len(steps))]
		step.do()
		done = append(done, step.name)
		r.testgen(workspace.TestRun{}) // fill the cache
		r.testgen(workspace.TestRun{})
		if random.IntN(2) == 0 {
			step = steps[random.IntN(len(steps))]
			step.do()
			done = append(done, "then "+step.name)
		}
		r.compare(workspace.TestRun{Check: true}, done)
	}
}

// TestModulesWithoutSpecsWait: an update looks at modules alone that have specs, and what became of others meanwhile is not lost.
func TestModulesWithoutSpecsWait(t *testing.T) {
	t.Parallel()
	r := newSpecRepo(t)
	// Each edit gives a module another function, and some make a function untestable that others call.
	source := func(name, imports, calls string) func(n int) {
		return func(n int) {
			text := "package " + name + "\n\nimport \"time\"\n" + imports + "\nvar _ time.Time\n\n// Do counts from n.\nfunc Do(n int) int { return step(n) }\n\n"
			body := calls
			if n%3 == 2 {
				body += " + time.Now().Second()"
			}
			r.write(name+"/a.go", text+fmt.Sprintf("func step(n int) int { return %s }\n\n// More%d is more.\nfunc More%[2]d(n int) int { return n + %[2]d }\n", body, n))
		}
	}
	edits := map[string]func(int){
		"low":  source("low", "", "n"),
		"mid":  source("mid", "import \"example.com/shop/low\"\n", "low.Do(n)"),
		"high": source("high", "import \"example.com/shop/mid\"\n", "mid.Do(n)"),
	}
	for _, edit := range edits {
		edit(0)
	}
	var done []string
	step := func(name string, do func()) {
		do()
		done = append(done, name)
		r.testgen(workspace.TestRun{Stored: true})
		r.compare(workspace.TestRun{Check: true, Stored: true}, done)
		r.compare(workspace.TestRun{Check: true}, done)
	}
	// The modules between an edited one and one with specs are already evicted from the cache.
	step("test all", func() { r.testgen(workspace.TestRun{}) })
	lose := func(name string) func() {
		return func() {
			if err := os.RemoveAll(filepath.Join(r.dir, ".causal", "specs", name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	step("lose the specs of low", lose("low"))
	step("lose the specs of mid", lose("mid"))
	step("edit mid", func() { edits["mid"](1) })
	step("edit low", func() { edits["low"](2) })
	names, random := []string{"low", "mid", "high"}, rand.New(rand.NewPCG(3, 4))
	for i := range testmode.Of(4, 30) {
		name := names[random.IntN(len(names))]
		switch random.IntN(6) {
		case 0:
			step("test "+name, func() { r.testgen(workspace.TestRun{Targets: []string{name}}) })
		case 1:
			step("lose the specs of "+name, lose(name))
		case 2, 3:
			step("update", r.update)
		default:
			step("edit "+name, func() { edits[name](i) })
		}
	}
}
