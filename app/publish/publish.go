// Package publish is what is done with what a run has written: one commit on the branch, the one pull request that
// follows the branch, or nothing but telling. The server and the Action publish here.
//
// Three things hold for all of them. What was made for a commit goes on top of exactly that commit: when the branch has
// moved it is github.ErrHeadMoved, and nothing of anybody else's is lost. The branch is never moved by force. And a push
// is answered with four writes to GitHub at most, a check run of the caller's included, unless a commit is too large for
// one, which takes no more than a bound of the github package and is refused above it: nothing is written that is as it has to be, and where GitHub refused a commit first there is no room for a check run.
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

// GitHub is what publishing needs of it for one repository. *github.Client is one.
type GitHub interface {
	Branch(ctx context.Context, name string) (github.Branch, error)
	Publish(ctx context.Context, commit github.Commit) (string, error)
	Propose(ctx context.Context, p github.Proposal) (github.Pull, error)
	Withdraw(ctx context.Context, base, branch string) error
}

// Update is what a run has made, and how it is to be published.
type Update struct {
	Report  *report.Update
	Files   Files
	Branch  string // that it is for
	Head    string // the commit of it that was described
	Mode    config.Mode
	Subject func(string) string // of a commit on the branch; nil for the headline as it is
	// Protected: the branch is known to take no commits.
	Protected bool
	// Rolls: the rolling pull request is the branch's. A commit that the branch does not take is proposed in it, and it is
	// withdrawn when nothing is left to propose.
	Rolls bool
	// Contended: other runs may publish for the branch at the same time. One that comes late must not put back what a newer
	// one has proposed, so that it is asked where the branch is.
	Contended bool
}

// What becomes of an update.
const (
	Fresh    = "fresh"    // there is nothing to publish
	Stale    = "stale"    // there is, and the mode is to tell
	Updated  = "updated"  // a commit was made on the branch
	Proposed = "proposed" // the pull request has it
)

// Outcome is what became of an update.
type Outcome struct {
	Conclusion string
	Title      string      // in one line
	Files      []string    // that are otherwise, or would be, sorted
	Commit     string      // that was made
	Pull       github.Pull // that has it
	Refused    string      // GitHub's words, when the update is proposed because GitHub took no commit
}

// Publish publishes an update. Errors are those of GitHub: github.ErrHeadMoved when everything has to begin again from the
// new head, github.ErrProtected when the branch takes no commit and there is no pull request to put it in, and
// github.ErrForeign when somebody else has committed to the branch of the pull request.
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

// publication is an update on its way.
type publication struct {
	Update

	to     GitHub
	files  []string
	commit github.Commit
}

func (p publication) outcome(conclusion string) Outcome {
	return Outcome{Conclusion: conclusion, Title: summary.Title(p.Report, len(p.files), conclusion), Files: p.files}
}

// withdraw takes back what was proposed, if anything was: nothing is left of it. What somebody else has added stays.
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

// propose keeps the one pull request with what may not be committed. refused are GitHub's words when that was tried.
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

// late is github.ErrHeadMoved when a newer run has the say.
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
