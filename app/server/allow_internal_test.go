package server

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/webhooks/queue"
)

// TestJobsFromBefore checks that jobs of a repository that was removed from the list do not run.
func TestJobsFromBefore(t *testing.T) {
	t.Parallel()
	handler := queue.HandlerFunc(func(context.Context, queue.Job) (queue.Outcome, error) {
		return queue.Outcome{Conclusion: bot.Updated}, nil
	})
	for owner, want := range map[string]string{"octo": bot.Updated, "Octo": bot.Updated, "octopus": bot.Skipped} {
		out, err := allowList{"octo"}.only(handler).Handle(t.Context(), queue.Job{Subject: queue.Subject{Owner: owner, Name: "shop"}})
		if err != nil || out.Conclusion != want {
			t.Errorf("%s: %+v, %v", owner, out, err)
		}
	}
	for _, list := range [][]string{{"octo"}, {"octo/shop", "octo_corp"}, nil} {
		if err := CheckAllow(list); err != nil {
			t.Errorf("%v: %v", list, err)
		}
	}
	for _, entry := range []string{"", "/shop", "octo/", "octo/shop/x", "https://github.com/octo", "octo *"} {
		if CheckAllow([]string{entry}) == nil {
			t.Errorf("%q passes", entry)
		}
	}
}
