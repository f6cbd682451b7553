package bot_test

import (
	"context"
	"sync"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/publish/publishtest"
)

// disturbed is a client behind whose back something happens once a branch was looked up.
type disturbed struct {
	bot.Client
	then func()
}

func (d disturbed) Branch(ctx context.Context, name string) (github.Branch, error) {
	b, err := d.Client.Branch(ctx, name)
	d.then()
	return b, err
}

// TestPublishing holds the bot to the suite. It passes all modes to publish in the same way, which passes the suite in each.
func TestPublishing(t *testing.T) {
	t.Parallel()
	publishtest.Run(t, publishtest.Commit, func(t *testing.T) *publishtest.Party {
		f := setup(t, publishtest.Shop)
		return &publishtest.Party{Sim: f.sim, Repo: f.repo, Bring: func(between func()) (string, error) {
			then := sync.OnceFunc(between)
			f.through = func(c bot.Client) bot.Client { return disturbed{c, then} }
			out, err := f.branch()
			return out.Conclusion, err
		}}
	})
}
