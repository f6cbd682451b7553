package bot

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// classes maps errors to queue classes. The queue retries unlisted errors only a few times, because the engine fails
// the same way for the same commit.
var classes = []struct {
	kind  error
	class queue.Class
}{
	{github.ErrInstallation, queue.Parked},
	{github.ErrCredentials, queue.Denied},
	{github.ErrUnavailable, queue.Away},
	{gitstore.ErrUnavailable, queue.Away},
	{sandbox.ErrKilled, queue.Away},
	{gitstore.ErrUnknownObject, queue.Away}, // another replica of GitHub has it, or a force push just replaced it
	{github.ErrHeadMoved, queue.Away},
	{syscall.ENOSPC, queue.Away},
	{syscall.EDQUOT, queue.Away},
	{syscall.EMFILE, queue.Away},
	{syscall.EIO, queue.Away},
	{syscall.EROFS, queue.Away},
	{github.ErrForbidden, queue.Fatal},
	{github.ErrTooLarge, queue.Fatal},
	{gitstore.ErrTooLarge, queue.Fatal},
	{github.ErrArchived, queue.Fatal},
}

func settle(err error, now time.Time) (queue.Outcome, error) {
	if limited, ok := errors.AsType[github.RateLimited](err); ok {
		return queue.Outcome{}, queue.Later(err, max(limited.Until.Sub(now), time.Second))
	}
	if errors.Is(err, github.ErrGone) || errors.Is(err, gitstore.ErrGone) {
		return queue.Outcome{Conclusion: Skipped, Title: "gone: " + err.Error()}, nil
	}
	if _, classed := errors.AsType[*queue.ClassedError](err); classed {
		return queue.Outcome{}, err
	}
	for _, c := range classes {
		if errors.Is(err, c.kind) {
			return queue.Outcome{}, queue.Fail(c.class, err)
		}
	}
	return queue.Outcome{}, err
}

// outdated reports whether stale cached data may have caused an error: the repository was renamed, or its token
// revoked. The job is then retried once with fresh data.
func outdated(err error) bool {
	return errors.Is(err, github.ErrGone) || errors.Is(err, gitstore.ErrGone) || errors.Is(err, github.ErrCredentials)
}

// wanted reports whether a person requested the job.
func wanted(j queue.Job) bool {
	return slices.ContainsFunc(j.Causes, func(c queue.Cause) bool {
		return c.Event == "restart" || strings.HasPrefix(c.Event, "check_run.") || strings.HasPrefix(c.Event, "check_suite.")
	})
}

// telling are the permissions for a check run, which may be granted when others are missing.
var telling = github.Permissions{"checks": "write", "contents": "read", "metadata": "read"}

const lastWords = time.Minute

// tellFailure reports a dead job in a check run, because otherwise only the operator sees it. The next push retries it.
// It returns the head with the check run, which the sweeper can skip.
func (b *Bot) tellFailure(ctx context.Context, j queue.Job, problem error) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords) // the job may have hit its deadline
	defer cancel()
	permissions := maps.Clone(telling)
	if j.Pull != 0 {
		permissions["pull_requests"] = "read"
	}
	c, err := b.config.Open(ctx, j.Installation, j.Repository, permissions)
	if err != nil {
		return "", err
	}
	head, err := headOf(ctx, c, j)
	if err != nil {
		return "", err
	}
	title, text := words(j, problem)
	if _, err := c.Check(ctx, b.check(j, head, "failure", title, text)); err != nil {
		return "", err
	}
	return head, nil
}

func words(j queue.Job, problem error) (title, text string) {
	if errors.Is(problem, github.ErrForbidden) {
		return "a permission is missing", summary.Said(problem) + "\n\nAn owner of the installation can grant it: Settings → GitHub Apps → " +
			"Configure, which shows a request for new permissions if the App asked for them. causal continues with the next push."
	}
	return "could not update the docs", "It failed " + summary.Count(j.Attempt, "time") + "; causal tries again at the next push. The operator " +
		"of the server can see the reason on its status page and restart the job there."
}

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
