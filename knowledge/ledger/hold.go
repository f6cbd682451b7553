package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Outside is evidence about a log from outside of its files.
type Outside struct {
	// Copies are external copies of checkpoints. Without Keys, unsigned copies count too.
	Copies []File
	// Seen holds valid checkpoints of earlier runs, and SeenIn names their store.
	Seen   []File
	SeenIn string
	// Keys are the trusted keys. Without any, the keys in the log count, which an attacker may replace.
	Keys []note.Verifier
}

// Held describes how far checkpoints cover a log.
type Held struct {
	// Newest is the log's valid checkpoint with the most events, and Sees their number. It is empty if there is none.
	Newest string
	Sees   int
	// Covered is the number of events that checkpoints cover.
	Covered int
	// Best is a minimal list of checkpoints that cover these events.
	Best []File
}

// Hold verifies a log against its checkpoints and external evidence, and adds problems to the log.
func (w *Whole) Hold(files Files, outside Outside) (Held, error) {
	keys, checkpoints, problems, err := readNotes(files)
	if err != nil {
		return Held{}, err
	}
	h := holder{Whole: w, trusted: outside.Keys, only: len(outside.Keys) > 0, taken: w.takenBy(), problems: problems}
	for _, f := range keys {
		if v, problem := f.readKey(); problem != nil {
			h.problems = append(h.problems, *problem)
		} else if !h.only {
			h.trusted = append(h.trusted, v)
		}
	}
	here := slices.DeleteFunc(h.read(checkpoints, inLog), func(c claim) bool { return !c.signed })
	if h.only && len(here) == 0 {
		h.problems = append(h.problems, Problem{Kind: Truncated, File: checkpointsDir, Detail: "no checkpoint is there that is signed with a key that counts"})
	}
	seen := slices.DeleteFunc(h.read(outside.Seen, seenBefore), func(c claim) bool {
		return slices.ContainsFunc(here, func(same claim) bool { return same.file.Path == c.file.Path })
	})
	held := h.hold(here, seen, h.read(outside.Copies, keptElsewhere), outside.SeenIn)
	w.Problems = append(w.Problems, h.problems...)
	Sort(w.Problems)
	return held, nil
}

func (w *Whole) takenBy() (commit string) {
	for _, p := range w.Problems {
		switch {
		case p.Kind != Missing || !IsBatch(p.File):
		case commit != "" && commit != p.Commit:
			return ""
		default:
			commit = p.Commit
		}
	}
	return commit
}

type claim struct {
	Checkpoint
	file   File
	signed bool // by a trusted key
	from   whence
}

type whence int

const (
	inLog whence = iota
	seenBefore
	keptElsewhere
)

type holder struct {
	*Whole
	trusted  []note.Verifier
	only     bool // whether only given keys count
	taken    string
	problems []Problem
}

func (h *holder) read(files []File, from whence) []claim {
	keys := note.VerifierList(h.trusted...)
	found, wrong := make([]claim, len(files)), make([]*Problem, len(files))
	atOnce(len(files), func(i int) { found[i], wrong[i] = h.open(files[i], keys, from) })
	var out []claim
	for i, c := range found {
		if wrong[i] != nil {
			h.problems = append(h.problems, *wrong[i])
		} else {
			out = append(out, c)
		}
	}
	return out
}

func (h *holder) open(f File, keys note.Verifiers, from whence) (claim, *Problem) {
	report := func(kind Kind, detail string) (claim, *Problem) {
		return claim{}, &Problem{Kind: kind, File: f.Path, Detail: detail}
	}
	if !f.named() && from == inLog {
		return report(Edited, "its content does not match its name")
	}
	c, err := f.open(keys)
	switch {
	case errors.Is(err, errForged):
		return report(Rewritten, err.Error())
	case err != nil:
		return report(Unreadable, err.Error())
	case !c.signed && from == inLog && !h.only:
		return report(Unreadable, "it is signed with no key of the log")
	case !c.signed && from == keptElsewhere && h.only:
		return report(Unreadable, "it is signed with none of the keys that count")
	}
	c.from = from
	return c, nil
}

// hold compares checkpoints with the events that their heads have seen. It reports one problem per kind for the log.
func (h *holder) hold(here, seen, copies []claim, seenIn string) Held {
	all := slices.Concat(here, seen, copies)
	wrong := h.compare(all)
	h.tellNewest(here, wrong)
	for i := len(here); i < len(all); i++ {
		p := wrong[i]
		switch {
		case p == nil:
			continue
		case i < len(here)+len(seen):
			p.Detail += "; it was seen on this branch before, which " + seenIn + " remembers"
		}
		h.problems = append(h.problems, *p)
	}
	var held Held
	covered := map[ID]bool{}
	for _, i := range newestFirst(all[:len(here)+len(seen)]) {
		c := all[i]
		if wrong[i] != nil || !slices.ContainsFunc(c.Heads, func(id ID) bool { return !covered[id] }) {
			continue
		}
		if i < len(here) && held.Newest == "" {
			held.Newest, held.Sees = c.file.Path, c.Events
		}
		held.Best = append(held.Best, c.file)
		h.mark(c.Heads, covered)
	}
	held.Covered = len(covered)
	return held
}

func newestFirst(claims []claim) []int {
	order := make([]int, len(claims))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := claims[i], claims[j]
		return cmp.Or(cmp.Compare(b.Events, a.Events), strings.Compare(a.file.Path, b.file.Path))
	})
	return order
}

func (h *holder) compare(claims []claim) []*Problem {
	wrong := make([]*Problem, len(claims))
	var lists [][]ID
	var of []int // index of each list's checkpoint
	for i, c := range claims {
		if j := slices.IndexFunc(c.Heads, func(id ID) bool { _, ok := h.Find(id); return !ok }); j >= 0 {
			wrong[i] = h.without(c, c.Heads[j])
			continue
		}
		lists, of = append(lists, c.Heads), append(of, i)
	}
	compared := make([]bool, len(lists))
	err := h.seen(lists, func(list int, s *set) {
		compared[list], wrong[of[list]] = true, h.differing(claims[of[list]], s)
	})
	for list, i := range of {
		if err != nil && !compared[list] {
			wrong[i] = h.against(claims[i], Unreadable, "", fmt.Sprintf("the log cannot be held to it: %v", err))
		}
	}
	return wrong
}

func (h *holder) without(c claim, head ID) *Problem {
	p := h.against(c, Truncated, head, fmt.Sprintf("of the %d events that it has seen %s is not there", c.Events, head.Short()))
	if c.from != inLog && len(h.Events()) >= c.Events {
		p.Kind = Rewritten
		p.Detail += fmt.Sprintf(", and the log has %d others", len(h.Events()))
	}
	return p
}

func (h *holder) differing(c claim, s *set) *Problem {
	switch {
	case s.events < c.Events:
		return h.against(c, Truncated, "", fmt.Sprintf("of the %d events that it has seen %d are there", c.Events, s.events))
	case s.events > c.Events || s.hash != c.Root:
		return h.against(c, Rewritten, "", fmt.Sprintf("it has seen %d events, but its heads have seen others", c.Events))
	}
	return nil
}

func (h *holder) against(c claim, kind Kind, event ID, detail string) *Problem {
	return &Problem{Kind: kind, Event: event, File: c.file.Path, Commit: h.taken, Detail: detail}
}

// tellNewest reports one problem of each kind, because a missing early event contradicts all later checkpoints.
func (h *holder) tellNewest(claims []claim, wrong []*Problem) {
	told := map[Kind]*Problem{}
	others := map[Kind]int{}
	for _, i := range newestFirst(claims) {
		switch p := wrong[i]; {
		case p == nil:
		case told[p.Kind] == nil:
			told[p.Kind] = p
		default:
			others[p.Kind]++
		}
	}
	for kind, p := range told {
		if others[kind] > 0 {
			p.Detail += fmt.Sprintf("; %d more do not hold either", others[kind])
		}
		h.problems = append(h.problems, *p)
	}
}
