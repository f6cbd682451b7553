package publish

import (
	"context"
	"errors"

	"github.com/causaldocs/causal/app/github"
)

// attempts is how often everything begins again because the branch moved under it.
const attempts = 5

// Retry calls fn, with the number of the attempt from 1, until its error is not github.ErrHeadMoved or it was called often
// enough. fn begins from the head that the branch has then.
func Retry(fn func(attempt int) error) error {
	for attempt := 1; ; attempt++ {
		if err := fn(attempt); !errors.Is(err, github.ErrHeadMoved) || attempt == attempts {
			return err
		}
	}
}

// Direct makes a commit that goes on top of whatever head a branch has, and reports whether it did: a branch that takes no
// commits is left as it is. The commit's ExpectedHead is filled in.
func Direct(ctx context.Context, to GitHub, commit github.Commit) (made bool, err error) {
	err = Retry(func(int) error {
		head, err := to.Branch(ctx, commit.Branch)
		if err != nil || head.Protected {
			return err
		}
		commit.ExpectedHead = head.Head
		_, err = to.Publish(ctx, commit)
		if errors.Is(err, github.ErrProtected) {
			return nil
		}
		made = err == nil
		return err
	})
	return made, err
}
