package bot

import (
	"cmp"
	"context"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/sandbox"
)

// mostDirect limits the commits of a push that are looked up: each takes one request.
const mostDirect = 20

// history has the commits of a branch since its last run, from one page of GitHub's list.
type history struct {
	head, last string // last is the head of the last run; empty if unknown
	commits    map[string]github.Ancestor
}

// since returns the commits of a branch since its last run. lane is the lane of the branch.
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

// push returns the commits by people since the last run or the last docs commit, whichever is later. It is nil if there
// are none. If the history shows neither, only the newest commit is named.
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

// direct returns the range of commits pushed since the last run without a pull request: from the newest back to the
// first from a pull request. It is nil if there is none or the last run is unknown. It also stops at a docs commit,
// because a server killed after its commit still knows only the earlier run, and would record the same change
// twice.
func (b *Bot) direct(ctx context.Context, c Client, h history) (*sandbox.Direct, error) {
	if h.last == "" {
		return nil, nil
	}
	newest, at, looked := "", h.head, 0
	for at != h.last {
		a, found := h.commits[at]
		if !found || len(a.Parents) == 0 || looked == mostDirect {
			return nil, nil // a force push, or too large for one change
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
