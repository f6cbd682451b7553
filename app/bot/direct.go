package bot

import (
	"cmp"
	"context"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
)

// mostDirect is how many commits of a push are looked up: whether a pull request brought a commit takes one request each.
const mostDirect = 20

// history is what came to a branch since its last run, as far as GitHub lists it in one request.
type history struct {
	head, last string // last is where the last run ended; empty when nobody knows
	commits    map[string]github.Ancestor
}

// since looks up what came to a branch since its last run. lane is that of the branch, whoever asks.
func (b *Bot) since(ctx context.Context, c Client, lane string, head github.Branch) (history, error) {
	h := history{head: head.Head, commits: map[string]github.Ancestor{}}
	var err error
	if h.last, err = b.config.Last(ctx, lane); err != nil || h.last == h.head {
		return h, err
	}
	list, err := c.Ancestors(ctx, head.Head)
	for _, a := range list {
		h.commits[a.ID] = a
	}
	return h, err
}

// push is what people brought to the branch since the last run, or since the bot last wrote of a commit: it tells what that caused, and of
// commits before that it was told. It is nil where nobody brought anything. Of a history of which neither end is known, only the newest commit
// is named.
func (h history) push() *sandbox.Push {
	var p cause.Push
	at, ends := h.head, false
	for !ends {
		a, found := h.commits[at]
		if ends = at == h.last || found && a.Own && describes(a.Message, a.Parents) != ""; ends || !found {
			break
		}
		if !a.Own {
			p.Commit = cmp.Or(p.Commit, a.ID)
			p.Name(a.Message)
		}
		if len(a.Parents) == 0 {
			break
		}
		at = a.Parents[0]
	}
	if p.Commit == "" {
		return nil
	}
	if !ends {
		p.OnlyNewest()
	}
	return &sandbox.Push{Head: p.Commit, Subjects: p.Subjects, More: p.More}
}

// direct is the change that was pushed to the branch since the last run, as far as it came by no pull request: the newest commits down
// to the first that did. It is nil when there is none, or when nobody knows where the last run ended. A server that is killed after it
// has committed knows of an earlier run; its docs are the last one's word all the same, or the same change would be recorded twice.
func (b *Bot) direct(ctx context.Context, c Client, h history) (*sandbox.Direct, error) {
	if h.last == "" {
		return nil, nil
	}
	newest, at, looked := "", h.head, 0
	for at != h.last {
		a, found := h.commits[at]
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
