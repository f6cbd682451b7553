package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/app/proof/hostile/checkout"
)

// atOnce is how many attacks are checked out at one time.
const atOnce = 2

// mostLeft is the greatest number of attacks that git cannot check out, because a name is too long for the file system. The server still
// gets them.
const mostLeft = 6

// balance is the result of the checked-out attacks.
type balance struct {
	*stage

	mu    sync.Mutex
	codes map[string]map[int]int // how often a command ended with a code
	most  map[string]int64       // memory of a command
	of    map[string]string      // the attack that took it
	left  int
	tried int
	err   error
}

// checkOut runs the command line and the step of the Action over each attack.
func checkOut(ctx context.Context, t *stage) (err error) {
	dir := filepath.Join(t.dir, "checkouts")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	yard, err := checkout.Open(ctx, checkout.Executable(t.causal), dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, yard.Close()) }()
	sum := &balance{stage: t, codes: map[string]map[int]int{}, most: map[string]int64{}, of: map[string]string{}}
	began := time.Now()
	attacks := make(chan hostile.Attack)
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for a := range attacks {
				out, err := yard.Try(ctx, a)
				sum.add(a, out, err)
			}
		})
	}
	for _, a := range hostile.Attacks() {
		attacks <- a
	}
	close(attacks)
	group.Wait()
	sum.show(time.Since(began))
	return sum.err
}

func (s *balance) add(a hostile.Attack, out checkout.Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.err = errors.Join(s.err, fmt.Errorf("%s: %w", a.Label, err))
	}
	if out.Left != "" {
		s.left++
		s.say("hostile: left out: %s: %.300s", a.Label, out.Left)
	}
	for _, fault := range out.Faults {
		s.fault("%s: %s", a.Label, fault)
		s.say("hostile: %s: %.500s", a.Label, fault)
	}
	for _, r := range out.Runs {
		name := r.String()
		if s.codes[name] == nil {
			s.codes[name] = map[int]int{}
		}
		s.codes[name][r.Code]++
		if r.Peak > s.most[name] {
			s.most[name], s.of[name] = r.Peak, a.Label
		}
	}
	if s.tried++; s.tried%50 == 0 {
		s.say("hostile: %d attacks are checked out", s.tried)
	}
}

func (s *balance) show(took time.Duration) {
	if s.left > mostLeft {
		s.fault("%d attacks are left out", s.left)
	}
	rows := [][]any{{"attacks", s.tried}, {"left out", s.left}, {"time", took.Round(time.Second)}}
	for _, name := range slices.Sorted(maps.Keys(s.codes)) {
		rows = append(rows, []any{name, fmt.Sprintf("exit codes %v, at most %d MB: %s", s.codes[name], s.most[name]>>20, s.of[name])})
		if s.most[name] > mostChild {
			s.fault("%s took %d MB of memory for %s", name, s.most[name]>>20, s.of[name])
		}
	}
	s.table("attacks that are checked out", rows...)
}
