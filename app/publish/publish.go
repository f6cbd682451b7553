// Package publish publishes the result of a run: as one commit on the branch, in the branch's rolling pull request, or
// not at all. The server and the Action use it.
//
// A commit goes on top of exactly the commit that was described; if the branch has moved, publishing fails with
// github.ErrHeadMoved. The branch is never force-pushed. A push costs at most four writes to GitHub, including a check
// run by the caller, unless a commit is too large for one request; package github bounds those. If GitHub refuses a
// commit first, no write is left for a check run.
package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
)

// GitHub is the part of *github.Client that publishing needs.
type GitHub interface {
	Branch(ctx context.Context, name string) (github.Branch, error)
	Publish(ctx context.Context, commit github.Commit) (string, error)
	Propose(ctx context.Context, p github.Proposal) (github.Pull, error)
	Withdraw(ctx context.Context, base, branch string) error
}

// Update is the result of a run, and how to publish it.
type Update struct {
	Report  *report.Update
	Files   Files
	Branch  string
	Head    string // the described commit
	Mode    config.Mode
	Subject func(string) string // headline of a commit on the branch; nil: the default
	// Protected is set if the branch is known to take no commits.
	Protected bool
	// Rolls is set if the rolling pull request belongs to this branch. It receives commits that the branch does not take,
	// and is withdrawn when there is nothing left to propose.
	Rolls bool
	// Contended is set if other runs may publish for the branch concurrently. Publish then checks the head first so a late
	// run does not overwrite a newer proposal.
	Contended bool
}

// Conclusions of an update.
const (
	Fresh    = "fresh"
	Stale    = "stale" // something to publish, but the mode only reports
	Updated  = "updated"
	Proposed = "proposed"
)

// Outcome is the result of publishing an update.
type Outcome struct {
	Conclusion string
	Title      string
	Files      []string // changed files, sorted, even if not published
	Commit     string
	Pull       github.Pull
	Refused    string // GitHub's message if the update is proposed because the commit was refused
}

// Publish publishes an update. It fails with github.ErrHeadMoved if the caller has to start again from the new head,
// github.ErrProtected if the branch takes no commit and there is no pull request to use, and github.ErrForeign if the
// pull request's branch has another author's commits.
func Publish(ctx context.Context, to GitHub, u Update) (Outcome, error) {
	written, removed, err := u.Files.Touched()
	if err != nil {
		return Outcome{}, err
	}
	content, err := read(u.Files, written)
	if err != nil {
		return Outcome{}, err
	}
	p := publication{Update: u, to: to, files: slices.Sorted(slices.Values(slices.Concat(written, removed))), commit: github.Commit{
		Branch: u.Branch, ExpectedHead: u.Head, Headline: summary.Headline, Body: summary.Message(u.Report, u.Head),
		Write: content, Delete: removed,
	}}
	switch {
	case len(p.files) == 0:
		return p.withdraw(ctx)
	case u.Mode == config.ModeCheck:
		return p.outcome(Stale), nil
	case u.Mode == config.ModePullRequest, u.Protected && u.Rolls:
		return p.propose(ctx, "")
	}
	return p.commitOrPropose(ctx)
}

type publication struct {
	Update

	to     GitHub
	files  []string
	commit github.Commit
}

func (p publication) outcome(conclusion string) Outcome {
	return Outcome{Conclusion: conclusion, Title: summary.Title(p.Report, len(p.files), conclusion), Files: p.files}
}

// withdraw deletes the proposal, unless another author has committed to it.
func (p publication) withdraw(ctx context.Context) (Outcome, error) {
	fresh := Outcome{Conclusion: Fresh, Title: "everything is up to date"}
	if !p.Rolls {
		return fresh, nil
	}
	if err := p.late(ctx); err != nil {
		return Outcome{}, err
	}
	if err := p.to.Withdraw(ctx, p.Branch, summary.Rolling); err != nil && !errors.Is(err, github.ErrForeign) {
		return Outcome{}, err
	}
	return fresh, nil
}

func (p publication) commitOrPropose(ctx context.Context) (Outcome, error) {
	commit := p.commit
	if p.Subject != nil {
		commit.Headline = p.Subject(commit.Headline)
	}
	id, err := p.to.Publish(ctx, commit)
	if errors.Is(err, github.ErrProtected) && p.Rolls {
		return p.propose(ctx, err.Error())
	}
	if err != nil {
		return Outcome{}, err
	}
	out := p.outcome(Updated)
	out.Commit = id
	return out, nil
}

// propose updates the rolling pull request. refused is GitHub's message if it refused a commit.
func (p publication) propose(ctx context.Context, refused string) (Outcome, error) {
	if err := p.late(ctx); err != nil {
		return Outcome{}, err
	}
	pull, err := p.to.Propose(ctx, github.Proposal{
		Base: p.Branch, Branch: summary.Rolling, Title: summary.Headline, Body: summary.Proposal(p.Branch, refused), Commit: p.commit,
	})
	if err != nil {
		return Outcome{}, err
	}
	out := p.outcome(Proposed)
	out.Title = fmt.Sprintf("%s in #%d", out.Title, pull.Number)
	out.Commit, out.Pull, out.Refused = pull.HeadSHA, pull, refused
	return out, nil
}

func (p publication) late(ctx context.Context) error {
	if !p.Contended {
		return nil
	}
	now, err := p.to.Branch(ctx, p.Branch)
	if err == nil && now.Head != p.Head {
		err = github.ErrHeadMoved
	}
	return err
}
