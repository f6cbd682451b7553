// Package reverts finds reverts in a git history. A commit that reverts another one is an objection to it; a revert
// of the revert withdraws the objection.
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
	At      string // author date, as RFC 3339 in UTC
	Message string
}

// Limits for one history.
const (
	mostReverts = 10_000 // the newest reverts
	mostNamed   = 100    // commits that one commit reverts
)

// History collects the reverts and reverted commits of a history.
type History struct {
	kept    []kept         // the newest first
	place   map[string]int // index in kept, by ID
	wanted  map[string]string
	lengths map[int]bool // of the keys of wanted
	open    int          // number of wanted commits that were not found
	reverts int
	more    bool
}

type kept struct {
	Commit
	names []string // reverted commits, as in the message
}

// New returns an empty History.
func New() *History {
	return &History{place: map[string]int{}, wanted: map[string]string{}, lengths: map[int]bool{}}
}

// twice marks an abbreviated ID that matches two commits.
const twice = "-"

// Take adds a commit; the newest comes first. A commit that is not asked for only counts if a later one reverts it.
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

// meet reports whether an earlier commit says that it reverts this one.
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

// Complete reports whether all reverted commits were found.
func (h *History) Complete() bool { return h.open == 0 }

// Lost counts the reverts whose reverted commits were not found.
func (h *History) Lost() (n int) {
	for _, k := range h.kept {
		if len(k.names) > 0 && len(h.targets(k)) == 0 {
			n++
		}
	}
	return n
}

// More reports whether the history exceeds the limit of reverts.
func (h *History) More() bool { return h.more }

// targets returns the commits that one reverts, without duplicates.
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

// act is an effect of a revert: it undoes the change of a commit, or restores it.
type act struct {
	commit string
	away   bool
}

// state is the effect of all reverts so far.
type state struct {
	did    map[string][]act  // acts, by commit
	by     map[string]string // last objection to a commit
	stands map[string]bool   // whether an objection is in effect
}

// Drafts returns the events of the history, the oldest first: a reverted commit is a proposition, its revert a
// contradiction, the revert of that a withdrawal, and so on. A second revert of a reverted commit, such as a cherry-
// pick on another branch, adds nothing.
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
			continue // the reverted commit is not in this history
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

// revert applies a revert, and returns the keys of the events that it acts on, by type of act.
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
			case s.stands[objection] == a.away: // such as a cherry-picked revert
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

// reverted reports whether another commit reverts this one.
func (h *History) reverted(id string) bool {
	for n := range h.lengths {
		if n <= len(id) && h.wanted[id[:n]] == id {
			return true
		}
	}
	return false
}

// reason returns the reason for a revert from its body, or else its title.
func reason(k kept, targets []kept) string {
	head, why := title(k.Message), because(k.Message)
	switch {
	case why == "":
		return head
	case len(targets) == 1 && len(strings.Fields(why)) >= leastWords && head == `Revert "`+title(targets[0].Message)+`"`:
		return why // the title only repeats the other one
	}
	return head + "\n\n" + why
}

// leastWords is the minimum number of words of a reason without the title.
const leastWords = 3
