package queue_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// history is a queue with runs of three repositories: 1 is octo/shop, 2 Octo/tools, 3 other/shop. The newest of them is dead, and one
// job of repository 2 is queued.
func history(t *testing.T, b queuetest.Backend) *queue.Queue {
	t.Helper()
	q := b.Open(t, queue.Options{Attempts: 1})
	w := start(t, q)
	subject := func(id int64, owner, name, ref string) queue.Subject {
		return queue.Subject{Installation: 9, Repository: id, Owner: owner, Name: name, Ref: ref}
	}
	for i, s := range []queue.Subject{
		subject(1, "octo", "store", "refs/heads/a"), // as it was called then
		subject(1, "octo", "shop", "refs/heads/a"), subject(1, "octo", "shop", "HEAD"), subject(2, "Octo", "tools", "refs/heads/a"),
		subject(1, "octo", "shop", "refs/heads/b"), subject(3, "other", "shop", "refs/heads/a"),
	} {
		queuetest.Accept(t, q, fmt.Sprint("d", i), queue.New, s)
		run := w.Next(t)
		if s.Repository == 3 {
			run.Fail(queue.Fail(queue.Fatal, errBroken))
		} else {
			run.End(queue.Outcome{Conclusion: map[bool]string{true: "fresh", false: "updated"}[i == 1], Title: fmt.Sprint("run ", i), Detail: json.RawMessage(`{"much":1}`)})
		}
		queuetest.Idle(t, q)
	}
	return q
}

var errBroken = fmt.Errorf("broken")

// briefly are the repositories and branches of runs.
func briefly(runs []queue.RunRow) []string {
	var out []string
	for _, r := range runs {
		out = append(out, r.Subject.Key())
		if len(r.Detail) > 0 {
			out = append(out, "detail")
		}
	}
	return out
}

func TestLists(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := history(t, b)
		const a, bb, tools, other = "1:refs/heads/a", "1:refs/heads/b", "2:refs/heads/a", "3:refs/heads/a"
		for name, c := range map[string]struct {
			filter queue.Filter
			want   []string
		}{
			"all":                  {queue.Filter{}, []string{other, bb, tools, "1:HEAD", a, a}},
			"by name, also before": {queue.Filter{Name: "octo/shop"}, []string{bb, "1:HEAD", a, a}},
			"by the old name":      {queue.Filter{Name: "octo/store"}, nil},
			"by no name":           {queue.Filter{Name: "octo"}, nil},
			"by conclusion":        {queue.Filter{Conclusion: "fresh"}, []string{a}},
			"by state":             {queue.Filter{Conclusion: "dead"}, []string{other}},
			"an owner":             {queue.Filter{Scope: queue.Scope{Names: []string{"OCTO"}}}, []string{bb, tools, "1:HEAD", a, a}},
			"a repository":         {queue.Filter{Scope: queue.Scope{Names: []string{"other/Shop", "octo/TOOLS"}}}, []string{other, tools}},
			"by number":            {queue.Filter{Scope: queue.Scope{Repositories: []int64{2, 3}}}, []string{other, tools}},
			"by number and name":   {queue.Filter{Scope: queue.Scope{Names: []string{"octo"}, Repositories: []int64{2, 3}}}, []string{tools}},
			"of none":              {queue.Filter{Scope: queue.Scope{Repositories: []int64{}}}, nil},
			"the next page":        {queue.Filter{Limit: 2}, []string{other, bb}},
		} {
			c.filter.Brief = true
			runs, err := q.Runs(ctx, c.filter)
			if got := briefly(runs); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
			}
			for _, r := range runs {
				if !c.filter.Scope.Includes(r.Subject) {
					t.Errorf("%s: the scope does not include %+v", name, r.Subject)
				}
			}
		}
		first, err := q.Runs(ctx, queue.Filter{Limit: 2, Brief: true})
		if err != nil {
			t.Fatal(err)
		}
		second, err := q.Runs(ctx, queue.Filter{Before: first[1].ID, Limit: 2})
		if got := briefly(second); err != nil || !slices.Equal(got, []string{tools, "detail", "1:HEAD", "detail"}) {
			t.Errorf("the next page is %v, %v", got, err)
		}

		for most, want := range map[int][]string{20: {other, bb, a}, 1: {other, bb}} {
			last, err := q.Last(ctx, []int64{1, 3}, most)
			if got := briefly(last); err != nil || !slices.Equal(got, want) {
				t.Errorf("the last runs, at most %d: %v, %v", most, got, err)
			}
		}
		if last, err := q.Last(ctx, nil, 20); err != nil || len(last) != 0 {
			t.Errorf("of no repository: %v, %v", last, err)
		}
		jobs, err := q.Jobs(ctx, queue.Filter{Scope: queue.Scope{Names: []string{"octo"}}})
		if err != nil || len(jobs) != 0 {
			t.Errorf("jobs of others: %v, %v", jobs, err)
		}
		jobs, err = q.Jobs(ctx, queue.Filter{Scope: queue.Scope{Names: []string{"other"}}, Name: "other/shop"})
		if err != nil || len(jobs) != 1 || jobs[0].State != queue.Dead {
			t.Errorf("jobs: %v, %v", jobs, err)
		}
	})
}

func TestTotals(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		q := history(t, b)
		for name, c := range map[string]struct {
			scope queue.Scope
			want  queue.Totals
		}{
			"all":     {queue.Scope{}, queue.Totals{Stats: queue.Stats{Dead: 1}, Runs: 6, Repositories: 3}},
			"octo":    {queue.Scope{Names: []string{"octo"}}, queue.Totals{Runs: 5, Repositories: 2}},
			"two":     {queue.Scope{Names: []string{"other", "octo/tools"}}, queue.Totals{Stats: queue.Stats{Dead: 1}, Runs: 2, Repositories: 2}},
			"numbers": {queue.Scope{Repositories: []int64{3}}, queue.Totals{Stats: queue.Stats{Dead: 1}, Runs: 1, Repositories: 1}},
			"none":    {queue.Scope{Repositories: []int64{}}, queue.Totals{}},
		} {
			if got, err := q.Totals(ctx, c.scope); err != nil || got != c.want {
				t.Errorf("%s: %+v, %v, want %+v", name, got, err, c.want)
			}
		}
		kept, err := q.Repositories(ctx, queue.Scope{Names: []string{"octo"}})
		want := []queue.Subject{{Installation: 9, Repository: 1, Owner: "octo", Name: "shop"}, {Installation: 9, Repository: 2, Owner: "Octo", Name: "tools"}}
		if err != nil || !slices.Equal(kept, want) {
			t.Errorf("%+v, %v", kept, err)
		}
	})
}
