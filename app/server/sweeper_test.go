package server_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/webhooks/queue"
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
	f.sim.Faults( // the first repository, and all other ways to find the second
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

// quiet waits until all deliveries are handled, including those that result from them: a remaining job would use the newest commit.
func (f *fixture) quiet() {
	f.Helper()
	p := somebody(f.TB)
	for before := -1; before != len(f.sim.Deliveries()); {
		before = len(f.sim.Deliveries())
		if err := f.sim.Settle(f.Context()); err != nil {
			f.Fatal(err)
		}
		queuetest.Eventually(f.TB, "the queue is empty", func() bool {
			_, body := p.read(p.Get("http://" + f.server.AdminAddr() + "/metrics"))
			return strings.Contains(body, `causal_queue_jobs{state="queued"} 0`) && strings.Contains(body, `causal_queue_jobs{state="running"} 0`)
		})
	}
}

// TestLostPullRequests checks that a pull request without a delivery is found, with its head.
func TestLostPullRequests(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.eventually("main has docs", f.has(moneyPage, "Holds amounts."))
	f.quiet()
	f.stop()
	f.sim.Faults(githubsim.Fault{Operation: "apps/redeliver-webhook-delivery", Times: -1, Effect: githubsim.Refuse(http.StatusForbidden, "not today")})
	f.sim.LoseDeliveries(100)
	if _, err := f.repo.Push("wider", githubsim.Change{Message: "Change it", Write: map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "int64", "uint64", 1)}}); err != nil {
		t.Fatal(err)
	}
	n, err := f.repo.OpenPull("wider", "main", "Wider", "octo")
	if err != nil {
		t.Fatal(err)
	}
	f.start()
	f.eventually("the pull request is told", func() bool { return len(f.repo.CheckRuns(f.repo.Head("wider"))) == 1 && len(f.repo.Comments(n)) == 1 })
}

// many is a simulated GitHub with so many repositories, of which the first holds something.
func many(t *testing.T, repositories int) *githubsim.Server {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir(), App: &githubsim.App{ID: 7, Slug: "causal", Name: "causal", Owner: "octo", Secret: "s3cret-s3cret"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	var all []*githubsim.Repository
	for i := range repositories {
		content := githubsim.Empty()
		if i == 0 {
			content = githubsim.FromFiles(shop)
		}
		repo, err := sim.CreateRepository(fmt.Sprint("octo/r", i), content)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, repo)
	}
	if _, err := sim.Install(all...); err != nil {
		t.Fatal(err)
	}
	return sim
}

// TestSweepBeforeALimit checks that findings before GitHub's rate limit are queued. The next sweep may get no further.
func TestSweepBeforeALimit(t *testing.T) {
	t.Parallel()
	sim, dir := many(t, 101), t.TempDir()
	sim.Faults(githubsim.Fault{Operation: "graphql/nodes", Skip: 1, Times: -1, Effect: githubsim.SecondaryLimit(time.Hour)})
	if err := server.SweepOnce(t.Context(), dir, sim.URL(), sim.App().ID, sim.App().PEM()); !errors.As(err, new(github.RateLimited)) {
		t.Fatalf("the sweep came to %v", err)
	}
	q := queuetest.Backend{URL: "sqlite://" + filepath.Join(dir, "causal.db")}.Open(t, queue.Options{})
	if jobs, err := q.Jobs(t.Context(), queue.Filter{}); err != nil || len(jobs) != 1 {
		t.Errorf("asked for are %+v, %v", jobs, err)
	}
}

// TestSweepIsCheap: a thousand repositories cost 200 requests at most, and these as many fewer as they are.
func TestSweepIsCheap(t *testing.T) {
	t.Parallel()
	const repositories, most = 150, 30
	sim := many(t, repositories)
	before := len(sim.Requests())
	if err := server.SweepOnce(t.Context(), t.TempDir(), sim.URL(), sim.App().ID, sim.App().PEM()); err != nil {
		t.Fatal(err)
	}
	if n := len(sim.Requests()) - before; n > most || n < repositories/100 {
		t.Errorf("%d requests for %d repositories", n, repositories)
	} else {
		t.Logf("%d requests", n)
	}
	for _, v := range sim.Violations() {
		t.Error(v)
	}
}
