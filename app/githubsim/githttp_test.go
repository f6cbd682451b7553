package githubsim_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

// TestManyFiles fetches more than git sends in one piece, which is little here: a list of all the blobs that are wanted.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	const files = 1_500
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	repo, err := sim.CreateRepository("octo/large", githubsim.Empty())
	if err != nil {
		t.Fatal(err)
	}
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	git := func(input []byte, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "http.postBuffer=65536"}, args...)...)
		cmd.Stdin = bytes.NewReader(input)
		var out, told bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &told
		if err := cmd.Run(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, told.String())
		}
		return out.String()
	}
	url := strings.Replace(repo.CloneURL(), "://", "://octo:"+sim.Token("octo")+"@", 1)
	git(nil, "init", "-q", "--bare", from)
	git(manyFiles(files), "-C", from, "fast-import", "--quiet")
	git(nil, "-C", from, "push", "-q", repo.Dir(), "main")
	if list, err := repo.Files("main"); err != nil || len(list) != files {
		t.Fatalf("%d files arrived: %v", len(list), err)
	}

	git(nil, "clone", "-q", "--bare", "--filter=blob:none", url, to)
	var wanted bytes.Buffer
	for line := range strings.Lines(git(nil, "-C", to, "ls-tree", "-r", "main")) {
		wanted.WriteString(strings.Fields(line)[2] + "\n")
	}
	git(wanted.Bytes(), "-C", to, "-c", "fetch.negotiationAlgorithm=noop", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", "--stdin", "origin")
	if got := git(nil, "-C", to, "-c", "remote.origin.promisor=false", "cat-file", "blob", "main:d1/f499.go"); got != "package f1499\n" {
		t.Errorf("the last file holds %q", got)
	}
	for _, r := range sim.Requests() {
		if r.Status == http.StatusBadRequest {
			t.Errorf("refused: %+v", r)
		}
	}
}

// manyFiles is a stream of fast-import with one commit.
func manyFiles(files int) []byte {
	var b bytes.Buffer
	b.WriteString("commit refs/heads/main\ncommitter A <a@example.com> 0 +0000\ndata 5\nBegin\n")
	for i := range files {
		text := fmt.Sprintf("package f%d\n", i)
		fmt.Fprintf(&b, "M 100644 inline d%d/f%d.go\ndata %d\n%s\n", i/1000, i%1000, len(text), text)
	}
	return b.Bytes()
}
