package action_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkOut does what actions/checkout does: one commit, detached for a pull request, and no credentials left behind. Jobs of the
// same commit get copies of one checkout.
func (h *hub) checkOut(j job, dir string) {
	h.Helper()
	ref := j.ref
	if j.pull != nil && ref == "" {
		ref = fmt.Sprintf("refs/pull/%d/merge", j.pull.Number)
	}
	id := strings.TrimSpace(string(must(h, func() ([]byte, error) { return os.ReadFile(filepath.Join(h.repo.Dir(), filepath.FromSlash(ref))) })))
	key := fmt.Sprint(j.fullClone, ref, id)
	if h.checkouts[key] == "" {
		h.checkouts[key] = h.fetched(ref, id, j.fullClone)
	}
	if err := os.CopyFS(dir, os.DirFS(h.checkouts[key])); err != nil {
		h.Fatal(err)
	}
}

// fetched makes a checkout with the objects that a fetch would bring. The simulator stores one object per file, so these are hard links.
func (h *hub) fetched(ref, id string, full bool) (dir string) {
	h.Helper()
	dir = filepath.Join(h.TempDir(), "checkout")
	depth := "--max-count=1"
	if full {
		depth = "--max-count=-1"
	}
	list := h.git(h.repo.Dir(), "rev-list", depth, "--parents", "--objects", "--no-object-names", id)
	commit, objects, _ := strings.Cut(list, "\n")
	files := map[string]string{
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tlogallrefupdates = true\n" +
			"[remote \"origin\"]\n\turl = " + h.repo.CloneURL() + "\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
		"HEAD": id + "\n", "FETCH_HEAD": id + "\t\t" + ref + "\n", "refs/remotes/" + strings.TrimPrefix(ref, "refs/"): id + "\n",
	}
	if !full && commit != id {
		files["shallow"] = id + "\n"
	}
	leave(h.T, files)(filepath.Join(dir, ".git"))
	for _, object := range append(strings.Fields(objects), id) {
		file := filepath.Join("objects", object[:2], object[2:])
		to := filepath.Join(dir, ".git", file)
		err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Link(filepath.Join(h.repo.Dir(), file), to))
		if err != nil && !errors.Is(err, os.ErrExist) {
			h.Fatal(err)
		}
	}
	h.git(dir, "reset", "-q", "--hard")
	return dir
}

func (h *hub) git(dir string, args ...string) string {
	h.Helper()
	command := exec.Command("git", args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		h.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}
