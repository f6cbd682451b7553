package bot

import (
	"context"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
)

// former is what is known of the review of a pull request from the same branch that was closed without a merge.
type former struct {
	number int
	state  state
}

// formerOf finds it by two requests, when a pull request is looked at first. Who cannot open one again, because its branch was written
// anew meanwhile, opens another from it: what people said of the change then need not be said again.
func (b *Bot) formerOf(ctx context.Context, c Client, repository int64, p github.Pull) (*former, error) {
	last, found, err := c.Latest(ctx, "closed", p.Base, p.Head)
	if err != nil || !found || last.Merged {
		return nil, err
	}
	comment, found, err := c.Sticky(ctx, last.Number, summary.Marker)
	if err != nil || !found {
		return nil, err
	}
	known := b.read(repository, last.Number, comment.Body)
	if len(known.Review) == 0 {
		return nil, nil
	}
	return &former{last.Number, known}, nil
}
