package bot

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// telling are the permissions that a check run takes, which may be there when one of the others is not.
var telling = github.Permissions{"checks": "write", "contents": "read", "metadata": "read"}

// lastWords is how long it may take to tell of a failure.
const lastWords = time.Minute

// tellFailure tells in a check run of a job that is dead now: nobody but who runs the server sees it otherwise. The next
// push tries again.
func (b *Bot) tellFailure(ctx context.Context, j queue.Job, problem error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords) // what failed may have run out of time
	defer cancel()
	permissions := maps.Clone(telling)
	if j.Pull != 0 {
		permissions["pull_requests"] = "read"
	}
	c, err := b.config.Open(ctx, j.Installation, j.Repository, permissions)
	if err != nil {
		return err
	}
	head, err := headOf(ctx, c, j)
	if err != nil {
		return err
	}
	title, text := words(j, problem)
	_, err = c.Check(ctx, b.check(j, head, "failure", title, text))
	return err
}

// words say what somebody can do. What went wrong inside of the server is for those who run it.
func words(j queue.Job, problem error) (title, text string) {
	if errors.Is(problem, github.ErrForbidden) {
		return "a permission is missing", summary.Said(problem) + "\n\nWhoever owns the installation grants it: Settings → GitHub Apps → " +
			"Configure, where a request for new permissions waits if the App has asked for them. The next push is taken up then."
	}
	return "the docs could not be brought up to date", "It failed " + summary.Count(j.Attempt, "time") + ", and is tried again at the next push. Whoever " +
		"runs the server finds the reason on its status page, and can start the job again there."
}

// headOf is the newest commit of what a job is about.
func headOf(ctx context.Context, c Client, j queue.Job) (string, error) {
	if j.Pull != 0 {
		p, err := c.Pull(ctx, j.Pull)
		return p.HeadSHA, err
	}
	if head, ok := strings.CutPrefix(j.Ref, webhooks.CommitPrefix); ok {
		return head, nil
	}
	name := strings.TrimPrefix(j.Ref, "refs/heads/")
	if j.Ref == webhooks.DefaultBranch {
		repo, err := c.Repository(ctx)
		if err != nil {
			return "", err
		}
		name = repo.DefaultBranch
	}
	branch, err := c.Branch(ctx, name)
	return branch.Head, err
}
