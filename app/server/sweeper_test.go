package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/githubsim"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// TestOneBrokenRepository does not keep the sweep from the others.
func TestOneBrokenRepository(t *testing.T) {
	t.Parallel()
	f := setup(t)
	other, err := f.sim.CreateRepository("octo/till", githubsim.FromFiles(shop))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.sim.Install(other); err != nil {
		t.Fatal(err)
	}
	has := func(r *githubsim.Repository, text string) bool {
		content, _ := r.Read("main", moneyPage)
		return strings.Contains(content, text)
	}
	f.eventually("both have docs", func() bool { return has(f.repo, "Holds amounts.") && has(other, "Holds amounts.") })
	f.quiet()
	f.stop()
	f.sim.Faults( // the first that is looked at, and everything that could bring in the other one in another way
		githubsim.Fault{Operation: "repos/get-branch", Effect: githubsim.Refuse(http.StatusForbidden, "Repository access blocked")},
		githubsim.Fault{Operation: "apps/redeliver-webhook-delivery", Times: -1, Effect: githubsim.Refuse(http.StatusForbidden, "not today")},
	)
	f.sim.LoseDeliveries(100)
	for _, r := range []*githubsim.Repository{f.repo, other} {
		if _, err := r.Push("main", githubsim.Change{Message: "Change it", Write: map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	f.start()
	f.eventually("the page of the other one follows", func() bool { return has(f.repo, "uint64") || has(other, "uint64") })
}

// quiet waits until everything that was delivered is done: what is left in the queue would look at the newest commit.
func (f *fixture) quiet() {
	f.Helper()
	if err := f.sim.Settle(f.Context()); err != nil {
		f.Fatal(err)
	}
	p := somebody(f.T)
	queuetest.Eventually(f.T, "the queue is empty", func() bool {
		_, body := p.read(p.Get("http://" + f.server.AdminAddr() + "/metrics"))
		return strings.Contains(body, `causal_queue_jobs{state="queued"} 0`) && strings.Contains(body, `causal_queue_jobs{state="running"} 0`)
	})
}
