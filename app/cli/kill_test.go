package cli_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// manyModules are Go packages of which each uses the one before.
func manyModules(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		before := "money"
		if i > 0 {
			before = fmt.Sprintf("p%03d", i-1)
		}
		files[fmt.Sprintf("p%03d/p.go", i)] = fmt.Sprintf("// Package p%03d is number %d.\npackage p%03d\n\nimport _ \"example.com/shop/%s\"\n\n"+
			"// Number is %d.\nconst Number = %d\n", i, i, i, before, i, i)
	}
	return files
}

// TestKilledRunLeavesWholeFiles kills first and later runs at random moments. Every file has its old or its new content, and the next run
// ends as usual.
func TestKilledRunLeavesWholeFiles(t *testing.T) {
	t.Parallel()
	first := newShop(t)
	first.writeAll(manyModules(20))
	first.commit("Grow")
	later := first.twin(t)
	later.update()
	for name := range manyModules(20) {
		later.replace(name, "// Number is", "// Number says")
	}
	later.commit("Speak otherwise")
	for _, start := range []struct {
		name string
		repo *repo
	}{{"first run", first}, {"later run", later}} {
		t.Run(start.name, func(t *testing.T) {
			t.Parallel()
			end := start.repo.twin(t)
			end.update()
			wanted := testmode.Of(2, 40)
			killed := 0
			for n := 0; killed < wanted && n < 20*wanted; n++ { // some runs end before they are killed
				if killOne(t, start.repo.twin(t), end, n) {
					killed++
				}
			}
			if killed < wanted {
				t.Errorf("%d runs were killed in time, want %d", killed, wanted)
			}
		})
	}
}

// twin is an equal repository elsewhere.
func (r *repo) twin(t *testing.T) *repo {
	t.Helper()
	to := *r
	to.t, to.dir = t, filepath.Join(t.TempDir(), "repo")
	if err := os.CopyFS(to.dir, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	return &to
}

// killOne kills a run after some files were written, and checks the rest. It returns true if the run was still active.
func killOne(t *testing.T, r, end *repo, seed int) bool {
	t.Helper()
	before, after := r.files(".causal", "docs"), end.files(".causal", "docs")
	moment := rand.New(rand.NewPCG(uint64(seed), 7)).IntN(len(after))
	killed := r.killAfter(moment)
	allowed := maps.Clone(after)
	for name, text := range r.files(".causal", "docs") {
		if text != allowed[name] && text != before[name] {
			t.Errorf("killed after %d files: %s is neither what it was nor what it was to be:\n%s", moment, name, differentLines(allowed[name], text))
		}
	}
	r.update()
	if diff := difference(end.content(), r.content()); diff != "" {
		t.Errorf("killed after %d files: the next run does not end as an undisturbed one does:\n%s", moment, diff)
	}
	r.causal(cli.ExitClean, "check")
	if left := r.leftovers(end); len(left) > 0 {
		t.Errorf("killed after %d files: left behind: %s", moment, strings.Join(left, ", "))
	}
	return killed
}

// killAfter starts an update in another process and kills it once n files are new or different; false when the
// process was faster.
func (r *repo) killAfter(n int) bool {
	r.t.Helper()
	began := r.stamps()
	cmd := exec.Command("causal", "update")
	cmd.Dir = r.dir
	if err := cmd.Start(); err != nil {
		r.t.Fatalf("%v", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return false
		default:
		}
		changed := 0
		for name, stamp := range r.stamps() {
			if began[name] != stamp {
				changed++
			}
		}
		if changed > n {
			break
		}
		time.Sleep(time.Millisecond) // a busy loop would take the processor from the run
	}
	_ = cmd.Process.Kill()
	<-ended
	return cmd.ProcessState.ExitCode() != cli.ExitClean
}

// stamps returns the modification times of causal's files.
func (r *repo) stamps() map[string]int64 {
	out := map[string]int64{}
	for _, top := range []string{".causal", "docs"} {
		_ = filepath.WalkDir(r.path(top), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // what goes away while it is looked at is counted the next time
			}
			if info, err := d.Info(); err == nil {
				out[name] = info.ModTime().UnixNano()
			}
			return nil
		})
	}
	return out
}

// leftovers are files that the repository holds and an equal one does not, except for call trees, which are named by
// what their session derived, and the traces of runs.
func (r *repo) leftovers(equal *repo) []string {
	r.t.Helper()
	var out []string
	there := equal.files(".")
	for name := range r.files(".") {
		if _, ok := there[name]; !ok && !strings.HasPrefix(name, ".causal/frames/") && !strings.HasPrefix(name, ".git/causal/traces/") {
			out = append(out, name)
		}
	}
	return out
}
