package bot_test

import (
	"context"
	"maps"
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

// TestPublishing holds the bot to the suite, in each mode.
func TestPublishing(t *testing.T) {
	t.Parallel()
	for way, mode := range map[publishtest.Way]string{
		publishtest.Commit: "commit", publishtest.PullRequest: "pull_request", publishtest.Check: "check",
	} {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(publishtest.Shop)
			files[".causal/config.yml"] = "version: 1\nbot:\n  mode: " + mode + "\n"
			publishtest.Run(t, way, func(t *testing.T) *publishtest.Party {
				f := setup(t, files)
				return &publishtest.Party{Sim: f.sim, Repo: f.repo, Bring: func(between func()) (string, error) {
					then := sync.OnceFunc(between)
					f.through = func(c bot.Client) bot.Client { return disturbed{c, then} }
					out, err := f.branch()
					return out.Conclusion, err
				}}
			})
		})
	}
}
