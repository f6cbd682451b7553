// Package reverts reads the history of a repository for what was taken back: a commit that says which one it reverts is an objection to
// that, and one that reverts the revert takes the objection back.
package reverts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Commit is one commit of a history.
type Commit struct {
	ID      string
	Author  string
	At      string // when it was written, as RFC 3339 in UTC
	Message string
}

// Limits of what is taken of one history.
const (
	mostReverts = 10_000 // reverts, the newest
	mostNamed   = 100    // commits that one reverts
)

// History is what is found in a history whose commits are told with Take, the newest first.
type History struct {
	kept    []kept         // the newest first
	place   map[string]int // in kept, by id
	wanted  map[string]string
	lengths map[int]bool // of what is wanted
	open    int          // how many of the wanted were not met
	reverts int
	more    bool
}

type kept struct {
	Commit
	names []string // what it reverts, as it says
}

// New returns a History of which nothing was told.
func New() *History {
	return &History{place: map[string]int{}, wanted: map[string]string{}, lengths: map[int]bool{}}
}

// twice is what a name means that two commits begin with.
const twice = "-"

// Take looks at a commit. One that is not asked for counts only where a later one says that it reverts it.
func (h *History) Take(c Commit, asked bool) {
	wanted := h.meet(c.ID)
	if !asked && !wanted {
		return
	}
	names := named(c.Message)
	if asked && !wanted && len(names) > 0 && h.reverts == mostReverts {
		h.more = true
		return
	}
	if len(names) == 0 && !wanted {
		return
	}
	if len(names) > 0 {
		h.reverts++
	}
	for _, name := range names {
		if _, there := h.wanted[name]; !there {
			h.wanted[name] = ""
			h.lengths[len(name)] = true
			h.open++
		}
	}
	h.place[c.ID] = len(h.kept)
	h.kept = append(h.kept, kept{c, names})
}

// meet reports whether a commit is one that others say they revert.
func (h *History) meet(id string) (wanted bool) {
	for n := range h.lengths {
		if n > len(id) {
			continue
		}
		was, there := h.wanted[id[:n]]
		if !there {
			continue
		}
		if was == "" {
			h.wanted[id[:n]] = id
			h.open--
		} else {
			h.wanted[id[:n]] = twice
		}
		wanted = true
	}
	return wanted
}

// Complete reports whether all commits were met that others say they revert.
func (h *History) Complete() bool { return h.open == 0 }

// Lost is how many reverts there are of which no commit was met that they revert.
func (h *History) Lost() (n int) {
	for _, k := range h.kept {
		if len(k.names) > 0 && len(h.targets(k)) == 0 {
			n++
		}
	}
	return n
}

// More reports whether there are older reverts than are taken.
func (h *History) More() bool { return h.more }

// targets are the commits that one reverts, each once.
func (h *History) targets(k kept) (out []kept) {
	own := h.place[k.ID]
	for _, name := range k.names {
		at, there := h.place[h.wanted[name]]
		if there && at > own && !slices.ContainsFunc(out, func(o kept) bool { return o.ID == h.kept[at].ID }) {
			out = append(out, h.kept[at])
		}
	}
	return out
}

// act is what a revert does to what a commit did: it takes it back, or brings it back.
type act struct {
	commit string
	away   bool
}

// state is what stands after some commits.
type state struct {
	did    map[string][]act  // by commit
	by     map[string]string // the objection that a commit fell to at last
	stands map[string]bool   // by objection
}

// Drafts are the events that follow, the oldest first: what a commit did that was reverted, as a proposition; the revert, as a contradiction;
// the revert of that, as taking it back; and of that, as taking it up again. A second revert of what is reverted, as one that was picked to
// another branch, adds nothing. The same history gives the same events.
func (h *History) Drafts() []reasoning.Imported {
	var out []reasoning.Imported
	s := state{map[string][]act{}, map[string]string{}, map[string]bool{}}
	for i := len(h.kept) - 1; i >= 0; i-- {
		k := h.kept[i]
		add := func(d reasoning.Draft) {
			d.Source, d.Actor = k.ID, k.Author
			out = append(out, reasoning.Imported{Draft: d, At: k.At})
		}
		targets := h.targets(k)
		switch {
		case len(targets) == 0 && !h.reverted(k.ID):
			continue // what it reverts is not of this history
		case len(targets) == 0:
			add(reasoning.Draft{Key: k.ID, Type: ledger.Proposition, Text: cmp.Or(title(k.Message), "commit "+k.ID)})
			continue
		}
		done := s.revert(k.ID, targets)
		for _, kind := range []ledger.Type{ledger.Contradiction, ledger.Withdraw, ledger.Resume} {
			if len(done[kind]) == 0 {
				continue
			}
			d := reasoning.Draft{Type: kind, Text: reason(k, targets), Targets: done[kind]}
			if kind == ledger.Contradiction {
				d.Key = k.ID
			}
			add(d)
		}
	}
	return out
}

// revert has a commit undo what others did, and returns the keys of the events that it is about, by what it does to them.
func (s *state) revert(id string, targets []kept) map[ledger.Type][]string {
	done := map[ledger.Type][]string{}
	do := func(kind ledger.Type, key string) {
		done[kind] = append(done[kind], key)
	}
	for _, t := range targets {
		acts := []act{{t.ID, true}}
		if undone := s.did[t.ID]; len(undone) > 0 {
			acts = nil
			for _, a := range undone {
				acts = append(acts, act{a.commit, !a.away})
			}
		}
		s.did[id] = append(s.did[id], acts...)
		for _, a := range acts {
			switch objection := s.by[a.commit]; {
			case s.stands[objection] == a.away: // as after a revert that was picked to another branch
			case !a.away:
				s.stands[objection] = false
				do(ledger.Withdraw, objection)
			case a.commit == t.ID:
				s.by[a.commit], s.stands[id] = id, true
				do(ledger.Contradiction, a.commit)
			default:
				s.stands[objection] = true
				do(ledger.Resume, objection)
			}
		}
	}
	return done
}

// reverted reports whether a commit is one that another reverts.
func (h *History) reverted(id string) bool {
	for n := range h.lengths {
		if n <= len(id) && h.wanted[id[:n]] == id {
			return true
		}
	}
	return false
}

// reason is why a commit reverts others, in its words. Where it gives none, its title has to do.
func reason(k kept, targets []kept) string {
	head, why := title(k.Message), because(k.Message)
	switch {
	case why == "":
		return head
	case len(targets) == 1 && len(strings.Fields(why)) >= leastWords && head == `Revert "`+title(targets[0].Message)+`"`:
		return why // the title says nothing that is not known
	}
	return head + "\n\n" + why
}

// leastWords is how many words a reason has that can stand alone.
const leastWords = 3
