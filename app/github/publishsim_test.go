package github

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

func (w *world) docs() Commit {
	return Commit{
		Branch: "main", ExpectedHead: w.repo.Head("main"), Headline: "Update docs", Body: "Causal-Session: abc\n",
		Write: map[string][]byte{"docs/new.md": []byte("new\n"), "docs/picture.png": {0x89, 'P', 0, 0xff}}, Delete: []string{"docs/old.md"},
	}
}

// holds compares the files of a branch.
func (w *world) holds(branch string, want ...string) {
	w.t.Helper()
	got, err := w.repo.Files(branch)
	must(w.t, err)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		w.t.Errorf("%s has %v, want %v", branch, got, want)
	}
}

// effects are all ways in which an answer can be lost.
var effects = map[string]githubsim.Effect{
	"done, 502": githubsim.LostAnswer(), "done, cut": githubsim.Cut(), "not done, 502": githubsim.BadGateway(),
}

func TestPublish(t *testing.T) {
	for way, largest := range map[string]int{"mutation": largestCommit, "objects": 0} {
		t.Run(way, func(t *testing.T) {
			w := newWorld(t)
			w.largest = largest
			before := w.repo.Head("main")
			made, err := w.Publish(t.Context(), w.docs())
			must(t, err)
			w.holds("main", "docs/new.md", "docs/picture.png", "main.go")
			if content, _ := w.repo.Read("main", "docs/picture.png"); content != "\x89P\x00\xff" {
				t.Errorf("a picture became %q", content)
			}
			history, err := w.repo.Log("main")
			must(t, err)
			if made != w.repo.Head("main") || len(history) != 2 || strings.TrimSpace(history[0][1]) != "Update docs\n\nCausal-Session: abc" {
				t.Errorf("made %s, history %q", made, history)
			}
			stale := w.docs()
			stale.ExpectedHead, stale.Delete = before, nil
			if _, err := w.Publish(t.Context(), stale); !errors.Is(err, ErrHeadMoved) {
				t.Error(problem(err, ErrHeadMoved))
			}
		})
	}
}

// Whatever answer is lost, one commit is made, and it is found.
func TestPublishWithLostAnswers(t *testing.T) {
	operations := map[int][]string{
		largestCommit: {"graphql/createCommitOnBranch"},
		0:             {"git/create-blob", "git/create-tree", "git/create-commit", "git/update-ref"},
	}
	for largest, names := range operations {
		for _, operation := range names {
			for how, effect := range effects {
				t.Run(operation+" "+how, func(t *testing.T) {
					w := newWorld(t)
					w.largest = largest
					w.sim.Faults(githubsim.Fault{Operation: operation, Effect: effect})
					made, err := w.Publish(t.Context(), w.docs())
					must(t, err)
					if history, err := w.repo.Log("main"); err != nil || len(history) != 2 || history[0][0] != made {
						t.Errorf("made %s, history %q, %v", made, history, err)
					}
				})
			}
		}
	}
}

func TestPublishGoesAnotherWay(t *testing.T) {
	for name, fault := range map[string]githubsim.Fault{
		"too large":            {Effect: githubsim.Refuse(http.StatusRequestEntityTooLarge, "Payload too large")},
		"never answered":       {Times: -1, Effect: githubsim.BadGateway()},
		"no GraphQL":           {Effect: githubsim.Refuse(http.StatusNotFound, "Not Found")},
		"refused then allowed": {Effect: githubsim.Refuse(http.StatusMethodNotAllowed, "Method Not Allowed")},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			fault.Operation = "graphql/*"
			w.sim.Faults(fault)
			made, err := w.Publish(t.Context(), w.docs())
			must(t, err)
			if made != w.repo.Head("main") {
				t.Errorf("made %s, main is at %s", made, w.repo.Head("main"))
			}
		})
	}
}

func TestPublishManyFiles(t *testing.T) {
	w := newWorld(t)
	w.largest = 0
	commit := w.docs()
	for i := range 250 {
		commit.Write[fmt.Sprintf("docs/%03d.md", i)] = []byte(strings.Repeat("x", i*10))
	}
	for i := range 5 {
		commit.Write[fmt.Sprintf("more/%d.md", i)] = []byte(strings.Repeat("x", inlineBytes))
	}
	commit.Write["docs/nul.txt"] = []byte("a\x00b")
	commit.Write["docs/large.md"] = []byte(strings.Repeat("line\n", inlineBytes))
	w.wrote()
	_, err := w.Publish(t.Context(), commit)
	must(t, err)
	files, err := w.repo.Files("main")
	must(t, err)
	for name, content := range commit.Write {
		if got, _ := w.repo.Read("main", name); got != string(content) {
			t.Fatalf("%s has %d bytes, want %d", name, len(got), len(content))
		}
	}
	// Three blobs, three trees of up to 100 entries, one tree for files over 1 MB, a commit and a ref.
	if got := w.wrote(); len(files) != 260 || got != 9 {
		t.Errorf("%d files in %d writes", len(files), got)
	}
}

func TestPublishWhereItCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(*world) error
		want    error
	}{
		"protected": {func(w *world) error { w.repo.Protect("main"); return nil }, ErrProtected},
		"rule set":  {func(w *world) error { w.repo.ProtectByRuleset("main"); return nil }, ErrProtected},
		"archived":  {func(w *world) error { w.repo.Archive(true); return nil }, ErrArchived},
		"deleted":   {func(w *world) error { return w.sim.Delete(w.repo) }, ErrInstallation}, // it was the only one
		"no such branch": {func(w *world) error {
			if _, err := w.repo.Push("trunk", githubsim.Change{Message: "x", Write: map[string]string{"a": "b"}}); err != nil {
				return err
			}
			if err := w.repo.SetDefaultBranch("trunk"); err != nil {
				return err
			}
			return w.repo.DeleteBranch("main", "octo")
		}, ErrGone},
		"no permission": {func(w *world) error { w.Client = w.open(Permissions{"contents": "read"}); return nil }, ErrForbidden},
	} {
		for way, largest := range map[string]int{"mutation": largestCommit, "objects": 0} {
			t.Run(name+" "+way, func(t *testing.T) {
				w := newWorld(t)
				commit := w.docs()
				must(t, test.prepare(w))
				w.largest = largest
				_, err := w.Publish(t.Context(), commit)
				if !errors.Is(err, test.want) {
					t.Error(problem(err, test.want))
				}
			})
		}
	}
}

// TestWritesAreBounded: a commit that would keep all others waiting is refused before anything is written.
func TestWritesAreBounded(t *testing.T) {
	w := newWorld(t)
	w.largest = 0
	commit := Commit{Branch: "main", ExpectedHead: w.repo.Head("main"), Headline: "Update docs", Write: map[string][]byte{}}
	for i := range (mostWrites-2)*treeEntries + 1 {
		commit.Write[fmt.Sprintf("docs/%d.md", i)] = []byte("x")
	}
	w.wrote()
	if _, err := w.Publish(t.Context(), commit); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "251 requests") {
		t.Errorf("it ended with %v", err)
	}
	if n := w.wrote(); n != 0 {
		t.Errorf("%d writes", n)
	}
	parts, writes := commit.chunks()
	delete(commit.Write, "docs/0.md")
	if _, fits := commit.chunks(); len(parts) != mostWrites-1 || writes != mostWrites+1 || fits != mostWrites {
		t.Errorf("%d trees, %d writes, %d with one file less", len(parts), writes, fits)
	}
}
