package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/proof/githubsim"
	"github.com/causaldocs/causal/webhooks/queue"
)

// report stops the servers in order, and tells what happened.
func (s *soak) report(ctx context.Context) error {
	for _, r := range s.replicas {
		if err := r.stop(); err != nil {
			s.fault("%s: a server that is asked to stop ends with %v", s.title, err)
		}
	}
	for _, v := range s.sim.Violations() {
		s.fault("%s: outside of what GitHub's description allows: %s", s.title, v)
	}
	q, err := s.queue(ctx)
	if err != nil {
		return err
	}
	runs, err := s.runs(ctx, q)
	list := s.sim.Deliveries()
	if err = errors.Join(err, s.lost(ctx, q, list), q.Close()); err != nil {
		return err
	}
	failed, again, writes := 0, 0, 0
	for _, d := range list {
		if d.Code < 200 || d.Code >= 300 {
			failed++
		}
		if d.Redelivery {
			again++
		}
	}
	for _, p := range s.places {
		writes += len(s.sim.Writes(p.repo))
	}
	pushes := s.deeds["push"] + s.deeds["merge"] + s.deeds["extend"] + s.deeds["replace"] + s.deeds["open"]
	s.table(s.title,
		[]any{"kills", s.times, fmt.Sprintf("%d of them within %s of a commit of the server", s.struck, atWork)},
		[]any{"repositories", s.repositories, "people: " + counted(s.deeds)},
		[]any{"deliveries", len(list), fmt.Sprintf("%d did not arrive or were not answered, %d were asked for again", failed, again)},
		[]any{"runs", sum(runs), counted(runs)},
		[]any{"writes to GitHub", writes, fmt.Sprintf("%.1f a push", float64(writes)/float64(max(pushes, 1)))},
		[]any{"pushes untold", s.untold, "whose docs were committed, and whose check run was not made before the kill"},
		[]any{"settled after", s.settled.Round(time.Second / 10), ""},
		[]any{"does not hold", len(s.broken), ""},
	)
	return nil
}

// queue opens the queue of servers that have stopped.
func (s *soak) queue(ctx context.Context) (*queue.Queue, error) {
	address := s.replicas[0].database
	if address == "" {
		address = "sqlite://" + filepath.ToSlash(filepath.Join(s.replicas[0].data, "queue.db"))
	}
	return queue.Open(ctx, address, queue.Options{})
}

// lost looks for deliveries that the queue does not know, or has failed to do.
func (s *soak) lost(ctx context.Context, q *queue.Queue, list []githubsim.Delivery) error {
	lost := map[string]bool{}
	for _, d := range list {
		wanted, err := q.Wanted(ctx, d.GUID)
		if err != nil {
			return err
		}
		if wanted && !lost[d.GUID] {
			lost[d.GUID] = true
			s.fault("%s: delivery %s (%s %s) is lost", s.title, d.GUID, d.Event, d.Action)
		}
	}
	return nil
}

// runs counts how the runs of jobs ended.
func (s *soak) runs(ctx context.Context, q *queue.Queue) (map[string]int, error) {
	rows, err := q.Runs(ctx, queue.Filter{Limit: 1 << 20})
	runs := map[string]int{}
	for _, r := range rows {
		runs[strings.TrimSpace(string(r.State)+" "+r.Conclusion)]++
		if r.Error != "" {
			s.say("%s: run %d of %s %s: %s", s.title, r.ID, r.Subject.Key(), r.State, r.Error)
		}
	}
	return runs, err
}

func sum(counts map[string]int) int {
	n := 0
	for _, one := range counts {
		n += one
	}
	return n
}

func counted(counts map[string]int) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[what], what))
	}
	return strings.Join(parts, ", ")
}
