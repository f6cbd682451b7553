package publish_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/publish/publishtest"
	"github.com/causaldocs/causal/app/report"
)

// files are those that a run wrote and removed.
type files struct {
	written map[string][]byte
	removed []string
}

func (f files) Touched() (written, removed []string, err error) {
	return slices.Sorted(maps.Keys(f.written)), f.removed, nil
}

func (f files) Read(name string) ([]byte, error) { return f.written[name], nil }

// ways are the suite's in the words of an Update.
var ways = map[publishtest.Way]publish.Update{
	publishtest.Commit:      {Mode: config.ModeCommit, Rolls: true},
	publishtest.CommitOnly:  {Mode: config.ModeCommit},
	publishtest.PullRequest: {Mode: config.ModePullRequest, Rolls: true, Contended: true},
	publishtest.Check:       {Mode: config.ModeCheck, Rolls: true},
}

func TestPublishing(t *testing.T) {
	t.Parallel()
	for way, u := range ways {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			publishtest.Run(t, way, func(t *testing.T) *publishtest.Party { return party(t, u) })
		})
	}
}

// party publishes a page that repeats its source.
func party(t *testing.T, u publish.Update) *publishtest.Party {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	repo, err := sim.CreateRepository("octo/shop", githubsim.FromFiles(publishtest.Shop))
	if err != nil {
		t.Fatal(err)
	}
	installation, err := sim.Install(repo)
	if err != nil {
		t.Fatal(err)
	}
	app, err := github.NewApp(github.Config{ID: sim.App().ID, PrivateKey: []byte(sim.App().PEM()), Options: github.Options{BaseURL: sim.URL()}})
	if err != nil {
		t.Fatal(err)
	}
	client, err := app.Installation(t.Context(), installation, repo.ID(), github.Permissions{"contents": "write", "metadata": "read", "pull_requests": "write"})
	if err != nil {
		t.Fatal(err)
	}
	return &publishtest.Party{Sim: sim, Repo: repo, Bring: func(between func()) (string, error) {
		once := sync.OnceFunc(between)
		var out publish.Outcome
		err := publish.Retry(func(int) error {
			head, err := client.Branch(t.Context(), "main")
			if err != nil {
				return err
			}
			source, _ := repo.Read(head.Head, publishtest.Source)
			page, there := repo.Read(head.Head, publishtest.Page)
			made := files{}
			if !there || page != source {
				made.written = map[string][]byte{publishtest.Page: []byte(source)}
			}
			once()
			mine := u
			mine.Report, mine.Files = &report.Update{Session: "s-1", PagesWritten: []string{publishtest.Page}}, made
			mine.Branch, mine.Head, mine.Protected = "main", head.Head, head.Protected
			out, err = publish.Publish(t.Context(), client, mine)
			return err
		})
		return out.Conclusion, err
	}}
}

// hub is a GitHub that notes what is asked of it.
type hub struct {
	publish.GitHub
	head      github.Branch
	asked     []string
	published github.Commit
	answers   []error // of Publish, one after the other
}

func (h *hub) Branch(_ context.Context, name string) (github.Branch, error) {
	h.asked = append(h.asked, "branch "+name)
	return h.head, nil
}

func (h *hub) Publish(_ context.Context, c github.Commit) (string, error) {
	h.asked = append(h.asked, "publish "+c.Branch+" on "+c.ExpectedHead)
	h.published = c
	if len(h.answers) == 0 {
		return "made", nil
	}
	err := h.answers[0]
	h.answers = h.answers[1:]
	return "", err
}

func TestWhatIsCommitted(t *testing.T) {
	t.Parallel()
	h := &hub{}
	made := files{written: map[string][]byte{"new": []byte("n"), "other": []byte("o")}, removed: []string{"gone"}}
	out, err := publish.Publish(t.Context(), h, publish.Update{
		Report: &report.Update{Session: "s-1"}, Files: made, Branch: "main", Head: "c0ffee", Mode: config.ModeCommit,
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"gone", "new", "other"}; !slices.Equal(out.Files, want) || out.Commit != "made" || out.Title != "3 files updated" {
		t.Errorf("the outcome is %+v", out)
	}
	c := h.published
	if len(c.Write) != 2 || !bytes.Equal(c.Write["new"], []byte("n")) || !bytes.Equal(c.Write["other"], []byte("o")) || !slices.Equal(c.Delete, []string{"gone"}) {
		t.Errorf("committed are %q and %v", c.Write, c.Delete)
	}
	if c.Headline != "Update docs" || c.Body != "Earlier updates.\n\nCausal-Session: s-1\nCausal-Head: c0ffee" {
		t.Errorf("the commit says\n%s\n\n%s", c.Headline, c.Body)
	}
}

// TestARunThatComesLate touches no pull request: what a newer run has proposed stays.
func TestARunThatComesLate(t *testing.T) {
	t.Parallel()
	something := files{written: map[string][]byte{"new": []byte("n")}}
	for name, made := range map[string]files{"something to propose": something, "nothing to propose": {}} {
		h := &hub{head: github.Branch{Head: "newer"}}
		_, err := publish.Publish(t.Context(), h, publish.Update{
			Report: &report.Update{}, Files: made, Branch: "main", Head: "older", Mode: config.ModePullRequest, Rolls: true, Contended: true,
		})
		if !errors.Is(err, github.ErrHeadMoved) || !slices.Equal(h.asked, []string{"branch main"}) {
			t.Errorf("%s: %v, asked for %v", name, err, h.asked)
		}
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	other := errors.New("other")
	for name, c := range map[string]struct {
		moves int // how often the branch moves
		then  error
		want  error
		calls int
	}{
		"at once":            {0, nil, nil, 1},
		"after a push":       {1, nil, nil, 2},
		"another error":      {2, other, other, 3},
		"it moves and moves": {100, nil, github.ErrHeadMoved, 5},
	} {
		calls := 0
		err := publish.Retry(func(attempt int) error {
			if calls++; calls != attempt {
				t.Errorf("%s: call %d is attempt %d", name, calls, attempt)
			}
			if calls <= c.moves {
				return github.ErrHeadMoved
			}
			return c.then
		})
		if !errors.Is(err, c.want) || calls != c.calls {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
}

func TestDirect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		head    github.Branch
		answers []error
		made    bool
		asked   []string
	}{
		"made": {github.Branch{Head: "a"}, nil, true, []string{"branch main", "publish main on a"}},
		"after a push": {
			github.Branch{Head: "a"}, []error{github.ErrHeadMoved, nil}, true,
			[]string{"branch main", "publish main on a", "branch main", "publish main on a"},
		},
		"known to take no commits": {github.Branch{Head: "a", Protected: true}, nil, false, []string{"branch main"}},
		"takes no commits":         {github.Branch{Head: "a"}, []error{github.ErrProtected}, false, []string{"branch main", "publish main on a"}},
	} {
		h := &hub{head: c.head, answers: c.answers}
		made, err := publish.Direct(t.Context(), h, github.Commit{Branch: "main"})
		if err != nil || made != c.made || !slices.Equal(h.asked, c.asked) {
			t.Errorf("%s: %v, %v, asked for %v", name, made, err, h.asked)
		}
	}
}
