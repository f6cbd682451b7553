package github

import (
	"errors"
	"slices"
	"strings"
	"testing"

	gh "github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

const docsBranch = "causal/docs"

func (w *world) proposal(content string) Proposal {
	return Proposal{
		Base: "main", Branch: docsBranch, Title: "Bring the docs up to date", Body: "What changed.",
		Commit: Commit{
			ExpectedHead: w.repo.Head("main"), Headline: "Update docs", Body: "Causal-Session: abc",
			Write: map[string][]byte{"docs/new.md": []byte(content)},
		},
	}
}

// rolled asserts that there is one open pull request, with one commit on top of main.
func (w *world) rolled(content string) {
	w.t.Helper()
	open := slices.DeleteFunc(w.repo.Pulls(), func(p githubsim.Pull) bool { return p.State != "open" })
	if len(open) != 1 || open[0].Head != docsBranch || open[0].Base != "main" || open[0].Author != "causal[bot]" {
		w.t.Errorf("open pull requests %+v", open)
	}
	history, err := w.repo.Log(docsBranch)
	must(w.t, err)
	if len(history) < 2 || history[1][0] != w.repo.Head("main") {
		w.t.Errorf("%s is not one commit on top of main: %q", docsBranch, history)
	}
	if got, _ := w.repo.Read(docsBranch, "docs/new.md"); got != content {
		w.t.Errorf("the file has %q, want %q", got, content)
	}
}

func (w *world) push(branch, login string) {
	w.t.Helper()
	_, err := w.repo.Push(branch, githubsim.Change{Message: "Work", Login: login, Write: map[string]string{"work.go": "package main // " + branch + w.repo.Head(branch) + "\n"}})
	must(w.t, err)
}

func TestRollingPullRequest(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	var number int
	steps := []struct {
		what    string
		prepare func()
		content string
		writes  int
		same    bool // the pull request of the step before
	}{
		{"opened", func() {}, "one\n", 3, false},
		{"as it was", func() {}, "one\n", 0, true},
		{"another content", func() {}, "two\n", 3, true},
		{"the base moved", func() { w.push("main", "mona") }, "two\n", 3, true},
		{"title edited by hand", func() { must(t, w.repo.EditPull(number, "main", "mona")) }, "two\n", 0, true},
		{"merged", func() { _, err := w.repo.MergePull(number, "mona"); must(t, err) }, "three\n", 3, false},
		{"closed by hand, another content", func() { must(t, w.repo.ClosePull(number, "mona")) }, "four\n", 3, false},
		{"branch deleted", func() { must(t, w.repo.DeleteBranch(docsBranch, "mona")) }, "four\n", 3, false},
		{"closed by hand", func() { must(t, w.repo.ClosePull(number, "mona")) }, "four\n", 1, false},
	}
	for _, step := range steps {
		step.prepare()
		w.wrote()
		pull, err := w.Propose(ctx, w.proposal(step.content))
		if err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		w.rolled(step.content)
		if got := w.wrote(); got > step.writes {
			t.Errorf("%s: %d writes, want %d", step.what, got, step.writes)
		}
		if same := pull.Number == number; same != step.same || pull.HeadSHA != w.repo.Head(docsBranch) {
			t.Errorf("%s: pull request %+v after %d", step.what, pull, number)
		}
		number = pull.Number
	}
	changed := w.proposal("four\n")
	changed.Title, changed.Body = "New title", "New text."
	_, err := w.Propose(ctx, changed)
	must(t, err)
	if last := w.repo.Pulls()[len(w.repo.Pulls())-1]; last.Title != "New title" || last.Body != "New text." || w.wrote() != 1 {
		t.Errorf("pull request %+v", last)
	}
}

func TestRollingWithLostAnswers(t *testing.T) {
	for _, operation := range []string{
		"git/create-ref", "graphql/createCommitOnBranch", "pulls/create", "git/create-commit", "graphql/updateRefs", "pulls/update",
	} {
		for how, effect := range map[string]githubsim.Effect{"done": githubsim.LostAnswer(), "not done": githubsim.BadGateway()} {
			t.Run(operation+" "+how, func(t *testing.T) {
				w := newWorld(t)
				w.sim.Faults(githubsim.Fault{Operation: operation, Effect: effect})
				_, err := w.Propose(t.Context(), w.proposal("one\n"))
				must(t, err)
				w.push("main", "mona")
				second := w.proposal("two\n")
				second.Title = "Again"
				_, err = w.Propose(t.Context(), second)
				must(t, err)
				w.rolled("two\n")
				if pulls := w.repo.Pulls(); len(pulls) != 1 || pulls[0].Title != "Again" {
					t.Errorf("pull requests %+v", pulls)
				}
			})
		}
	}
}

func TestForeignCommitsAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	_, err := w.Propose(ctx, w.proposal("one\n"))
	must(t, err)
	w.push(docsBranch, "mona")
	theirs := w.repo.Head(docsBranch)
	w.wrote()
	if _, err := w.Propose(ctx, w.proposal("two\n")); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), theirs+" is of mona") {
		t.Error(problem(err, ErrForeign))
	}
	if err := w.Withdraw(ctx, "main", docsBranch); !errors.Is(err, ErrForeign) {
		t.Error(problem(err, ErrForeign))
	}
	if w.repo.Head(docsBranch) != theirs || w.wrote() != 0 {
		t.Error("the branch of somebody else was changed")
	}
	must(t, w.repo.Point(docsBranch, w.repo.Head("main"), "mona"))
	_, err = w.Propose(ctx, w.proposal("two\n"))
	must(t, err)
	w.rolled("two\n")
	if n := w.wrote(); n != 1 {
		t.Errorf("%d writes for one commit on top of the base", n)
	}
}

func TestWithdraw(t *testing.T) {
	for _, operation := range []string{"", "graphql/updateRefs"} {
		for how, effect := range effects {
			t.Run(operation+" "+how, func(t *testing.T) {
				w := newWorld(t)
				ctx := t.Context()
				_, err := w.Propose(ctx, w.proposal("one\n"))
				must(t, err)
				if operation != "" {
					w.sim.Faults(githubsim.Fault{Operation: operation, Effect: effect})
				}
				w.wrote()
				must(t, w.Withdraw(ctx, "main", docsBranch))
				if n := w.wrote(); operation == "" && n != 1 {
					t.Errorf("%d writes to withdraw", n)
				}
				if pulls := w.repo.Pulls(); len(pulls) != 1 || pulls[0].State != "closed" || w.repo.Head(docsBranch) != "" {
					t.Errorf("pull requests %+v, branch at %q", pulls, w.repo.Head(docsBranch))
				}
				w.wrote()
				must(t, w.Withdraw(ctx, "main", docsBranch))
				if n := w.wrote(); n != 0 {
					t.Errorf("%d writes to withdraw what is not there", n)
				}
			})
		}
	}
}

// TestRollingAddsWhatIsMissing checks commits with the same message that need more files, or an unchanged file.
func TestRollingAddsWhatIsMissing(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	p := w.proposal("one\n")
	p.Commit.Write["main.go"] = []byte("package main\n")
	for _, writes := range []int{3, 0} {
		w.wrote()
		_, err := w.Propose(ctx, p)
		must(t, err)
		if n := w.wrote(); n != writes {
			t.Errorf("%d writes, want %d", n, writes)
		}
	}
	p.Commit.Write["docs/more.md"] = []byte("more\n")
	_, err := w.Propose(ctx, p)
	must(t, err)
	w.rolled("one\n")
	if got, _ := w.repo.Read(docsBranch, "docs/more.md"); got != "more\n" {
		t.Errorf("the new file has %q", got)
	}
}

func TestStrangers(t *testing.T) {
	commit := func(author, committer, email string) *gh.RepositoryCommit {
		return &gh.RepositoryCommit{
			Author: &gh.User{Login: &author}, Committer: &gh.User{Login: &committer},
			Commit: &gh.Commit{Author: &gh.CommitAuthor{Name: new("Mona")}, Committer: &gh.CommitAuthor{Email: &email}},
		}
	}
	c := newFake(t).client()
	for want, commits := range map[string][]*gh.RepositoryCommit{
		"": {
			commit("github-actions[bot]", "web-flow", "noreply@github.com"), commit("github-actions[bot]", "", "noreply@ghe.example"),
			commit("GitHub-Actions[bot]", "github-actions[bot]", "1+github-actions[bot]@users.noreply.github.com"),
		},
		"mona": {commit("mona", "web-flow", "noreply@github.com"), commit("github-actions[bot]", "mona", "mona@example.com")},
		"Mona": {commit("", "", "")},
	} {
		for _, one := range commits {
			if got := c.strangerOf(one); got != want {
				t.Errorf("%v: %q, want %q", one, got, want)
			}
		}
	}
}

func TestProposalOnItself(t *testing.T) {
	w := newWorld(t)
	p := w.proposal("one\n")
	p.Branch = "refs/heads/main"
	if _, err := w.Propose(t.Context(), p); !errors.Is(err, ErrRefused) {
		t.Error(problem(err, ErrRefused))
	}
}

func TestTooManyCommitsToLookAt(t *testing.T) {
	f := newFake(t)
	f.on(getCompare, says(200, object{"status": "ahead", "ahead_by": 300, "commits": []object{{"sha": child, "author": object{"login": "github-actions[bot]"}}}}))
	if err := f.client().own(t.Context(), docsBranch, parent, child); !errors.Is(err, ErrForeign) {
		t.Error(problem(err, ErrForeign))
	}
}
