package main

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	spared    = 3                     // one child in this number is not killed, so every job can finish
	firstLife = 50 * time.Millisecond // the assumed lifetime before a child was observed
)

// hunter kills children of servers: the processes that analyse repositories, each at a random moment while it works.
type hunter struct {
	random   *rand.Rand
	replicas []*replica
	wanted   int
	known    map[int]*prey
	life     time.Duration // of children that ended by themselves, lately
	strikes  []strike
}

// prey is a child that was seen.
type prey struct {
	of        *life
	born, due time.Time // due is zero for a child that is not killed
}

// strike is the kill of a child.
type strike struct {
	of  *life         // the server that it was a child of
	age time.Duration // of the child
}

func newHunter(random *rand.Rand, replicas []*replica, wanted int) *hunter {
	return &hunter{random: random, replicas: replicas, wanted: wanted, known: map[int]*prey{}, life: firstLife}
}

// hunt kills until there were enough, or the context ends.
func (h *hunter) hunt(ctx context.Context) error {
	for len(h.strikes) < h.wanted && ctx.Err() == nil {
		here := map[int]bool{}
		for _, r := range h.replicas {
			of := r.seen.Load()
			pids, err := analysesOf(of.cmd.Process.Pid)
			if err != nil {
				return err
			}
			for _, pid := range pids {
				here[pid] = true
				h.meet(pid, of)
			}
		}
		for pid, p := range h.known {
			h.look(pid, p, here[pid])
		}
		sleep(ctx, 2*time.Millisecond)
	}
	return nil
}

// meet decides when a child that was not seen before is to die.
func (h *hunter) meet(pid int, of *life) {
	if h.known[pid] != nil {
		return
	}
	p := &prey{of: of, born: time.Now()}
	if h.random.IntN(spared) > 0 {
		p.due = p.born.Add(time.Duration(h.random.Int64N(int64(h.life))))
	}
	h.known[pid] = p
}

// look kills a child that is due, and learns from one that has ended how long they live.
func (h *hunter) look(pid int, p *prey, here bool) {
	now := time.Now()
	switch {
	case !here:
		delete(h.known, pid)
		select {
		case <-p.of.ended: // which has ended the child, too
		default:
			h.life = max((3*h.life+now.Sub(p.born))/4, time.Millisecond)
		}
	case p.due.IsZero() || now.Before(p.due) || len(h.strikes) == h.wanted:
	case strikeDown(pid):
		p.due = time.Time{}
		h.strikes = append(h.strikes, strike{of: p.of, age: now.Sub(p.born)})
	}
}

// certain is how many kills a server must have written down: those of servers that were not killed after them.
func (h *hunter) certain() int {
	n := 0
	for _, s := range h.strikes {
		if s.of.killed.IsZero() {
			n++
		}
	}
	return n
}
