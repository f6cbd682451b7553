package bot

import (
	"context"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
)

// former is the review of an earlier pull request from the same branch, closed without a merge.
type former struct {
	number int
	state  state
}

// formerOf finds it when a pull request is first analyzed. A pull request whose branch was force-pushed cannot be
// reopened, so its author opens a new one and should not have to repeat earlier answers.
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
