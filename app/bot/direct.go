package bot

import (
	"context"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks/queue"
)

// mostDirect is how many commits of a push are looked up: whether a pull request brought a commit takes one request each.
const mostDirect = 20

// direct is the change that was pushed to the branch since the last run, as far as it came by no pull request: the newest commits down
// to the first that did. It is nil when there is none, or when nobody knows where the last run ended. A server that is killed after it
// has committed knows of an earlier run; its docs are the last one's word all the same, or the same change would be recorded twice.
func (b *Bot) direct(ctx context.Context, c Client, j queue.Job, head github.Branch) (*sandbox.Direct, error) {
	last, err := b.config.Last(ctx, j.Key())
	if err != nil || last == "" || last == head.Head {
		return nil, err
	}
	list, err := c.Ancestors(ctx, head.Head)
	if err != nil {
		return nil, err
	}
	byID := map[string]github.Ancestor{}
	for _, a := range list {
		byID[a.ID] = a
	}
	newest, at, looked := "", head.Head, 0
	for at != last {
		a, found := byID[at]
		if !found || len(a.Parents) == 0 || looked == mostDirect {
			return nil, nil // the branch was set back, or this is no push that people would call one change
		}
		if a.Own && describes(a.Message, a.Parents) != "" {
			break
		}
		if !a.Own {
			looked++
			merged, err := c.CameByPull(ctx, at)
			if err != nil {
				return nil, err
			}
			if merged {
				break
			}
			if newest == "" {
				newest = at
			}
		}
		at = a.Parents[0]
	}
	if newest == "" {
		return nil, nil
	}
	return &sandbox.Direct{From: at, Key: "push-" + newest[:10], Head: newest}, nil
}
