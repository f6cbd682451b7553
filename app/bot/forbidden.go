package bot

import (
	"context"
	"maps"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// telling are the permissions that a check run takes, which may be there when one of the others is not.
var telling = github.Permissions{"checks": "write", "contents": "read", "metadata": "read"}

// tellForbidden tells in a check run which permission is missing. The job is dead for now; the next push tries again.
func (b *Bot) tellForbidden(ctx context.Context, j queue.Job, problem error) error {
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
	_, err = c.Check(ctx, b.check(j, head, "failure", "a permission is missing", "```\n"+problem.Error()+"\n```\n\n"+
		"Whoever owns the installation grants it: Settings → GitHub Apps → Configure, where a request for new permissions waits if the "+
		"App has asked for them. The next push is taken up then."))
	return err
}

// headOf is the newest commit of what a job is about.
func headOf(ctx context.Context, c Client, j queue.Job) (string, error) {
	if j.Pull != 0 {
		p, err := c.Pull(ctx, j.Pull)
		return p.HeadSHA, err
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
