package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/webhooks/queue"
)

// carryOut applies commands to the default branch: it ends principles, records statements about decisions, and replies.
func (b *Bot) carryOut(ctx context.Context, c Client, j queue.Job, repo github.Repository, number int, o *orders) error {
	if len(o.ends)+len(o.says) == 0 {
		return nil
	}
	made, err := b.land(ctx, c, j, repo, sandbox.Task{End: o.ends, Say: o.says, Pull: &sandbox.Pull{Number: number}})
	foreign := errors.Is(err, github.ErrForeign)
	if err != nil && !foreign {
		return err
	}
	for i, q := range o.questions {
		answer := &o.questions[i].answer
		switch {
		case q.said == 0 && q.verb != "demote" && q.verb != "decline":
		case foreign:
			*answer = "Nothing was done: there are other commits on " + summary.Code(summary.Rolling) + ". Repeat the command when that branch is merged or deleted."
		case q.said == 0:
			*answer = made.endOf(q.id, o.ends[q.id])
		case len(made.heard) > 0:
			*answer = summary.Heard(made.heard[q.said-1], where(made, o.says[q.said-1]))
		}
	}
	return nil
}

func (made *landed) endOf(id string, status principle.Status) string {
	slug := summary.Code(cmp.Or(id, "without a name"))
	switch {
	case !slices.Contains(made.ended, id):
		return "There is no principle " + slug + " in `" + principle.Dir + "`."
	case made.Conclusion == publish.Stale:
		return "causal commits nothing here: write `status: " + string(status) + "` into " + summary.Code(principle.Path(id)) + "."
	case made.Conclusion == publish.Proposed:
		return slug + " is " + string(status) + " when " + made.Pull.URL + " is merged."
	}
	return slug + " is " + string(status) + "."
}

func where(made *landed, s workspace.Saying) summary.Where {
	switch {
	case s.Asks != "":
		return summary.Where{Asked: true}
	case made.Conclusion == publish.Stale:
		return summary.Where{Nowhere: true}
	case made.Conclusion == publish.Proposed:
		return summary.Where{Pull: made.Pull.URL}
	}
	return summary.Where{}
}
