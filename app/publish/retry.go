package publish

import (
	"context"
	"errors"

	"github.com/causaldocs/causal/app/github"
)

const attempts = 5

// Retry calls fn, with the attempt number from 1, while it fails with github.ErrHeadMoved, up to a limit. fn must start
// from the branch's current head.
func Retry(fn func(attempt int) error) error {
	for attempt := 1; ; attempt++ {
		if err := fn(attempt); !errors.Is(err, github.ErrHeadMoved) || attempt == attempts {
			return err
		}
	}
}

// Direct commits on top of a branch's current head and fills in the commit's ExpectedHead. It returns false and changes
// nothing if the branch takes no commits.
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
