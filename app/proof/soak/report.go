package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/webhooks/queue"
)

// report stops the servers gracefully, and prints the figures.
func (s *soak) report(ctx context.Context) error {
	for _, r := range s.replicas {
		if err := r.stop(); err != nil {
			s.fault("%s: a server stopped with %v", s.title, err)
		}
	}
	for _, v := range s.sim.Violations() {
		s.violations++
		s.fault("%s: request violates GitHub's description: %s", s.title, v)
	}
	q, err := s.queue(ctx)
	if err != nil {
		return err
	}
	list := s.sim.Deliveries()
	s.addDeliveries(list)
	if err := errors.Join(s.countRuns(ctx, q), s.countLost(ctx, q, list), q.Close()); err != nil {
		return err
	}
	for _, p := range s.places {
		s.writes += len(s.sim.Writes(p.repo))
	}
	s.addChildKills(s.childKiller)
	s.show(s.title, s.figures())
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

// countLost looks for deliveries that the queue does not know, or has failed to do.
func (s *soak) countLost(ctx context.Context, q *queue.Queue, list []githubsim.Delivery) error {
	seen := map[string]bool{}
	for _, d := range list {
		wanted, err := q.Wanted(ctx, d.GUID)
		if err != nil {
			return err
		}
		if wanted && !seen[d.GUID] {
			seen[d.GUID] = true
			s.lost++
			s.fault("%s: delivery %s (%s %s) is lost", s.title, d.GUID, d.Event, d.Action)
		}
	}
	return nil
}

// countRuns counts how the runs of jobs ended.
func (s *soak) countRuns(ctx context.Context, q *queue.Queue) error {
	rows, err := q.Runs(ctx, queue.Filter{Limit: 1 << 20})
	for _, r := range s.addRuns(rows) {
		s.fault("%s: run %d of %s, attempt %d, %s: %s", s.title, r.ID, r.Subject.Key(), r.Attempt, r.State, r.Error)
	}
	return err
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
