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

// childKiller kills children of servers: the processes that analyse repositories, each at a random moment while it works.
type childKiller struct {
	random     *rand.Rand
	replicas   []*replica
	wanted     int
	known      map[int]*observed
	life       time.Duration // of children that ended by themselves, lately
	childKills []childKill
}

// observed is a child that was seen.
type observed struct {
	of        *life
	born, due time.Time // due is zero for a child that is not killed
}

// childKill is the kill of a child.
type childKill struct {
	of  *life         // the server that it was a child of
	age time.Duration // of the child
}

func newChildKiller(random *rand.Rand, replicas []*replica, wanted int) *childKiller {
	return &childKiller{random: random, replicas: replicas, wanted: wanted, known: map[int]*observed{}, life: firstLife}
}

// killChildren kills until there were enough, or the context ends.
func (h *childKiller) killChildren(ctx context.Context) error {
	for len(h.childKills) < h.wanted && ctx.Err() == nil {
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
func (h *childKiller) meet(pid int, of *life) {
	if h.known[pid] != nil {
		return
	}
	p := &observed{of: of, born: time.Now()}
	if h.random.IntN(spared) > 0 {
		p.due = p.born.Add(time.Duration(h.random.Int64N(int64(h.life))))
	}
	h.known[pid] = p
}

// look kills a child that is due, and learns from one that has ended how long they live.
func (h *childKiller) look(pid int, p *observed, here bool) {
	now := time.Now()
	switch {
	case !here:
		delete(h.known, pid)
		select {
		case <-p.of.ended: // which has ended the child, too
		default:
			h.life = max((3*h.life+now.Sub(p.born))/4, time.Millisecond)
		}
	case p.due.IsZero() || now.Before(p.due) || len(h.childKills) == h.wanted:
	case killRunning(pid):
		p.due = time.Time{}
		h.childKills = append(h.childKills, childKill{of: p.of, age: now.Sub(p.born)})
	}
}

// certain is how many kills a server must have written down: those of servers that were not killed after them.
func (h *childKiller) certain() int {
	n := 0
	for _, s := range h.childKills {
		if s.of.killed.IsZero() {
			n++
		}
	}
	return n
}
