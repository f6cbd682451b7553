package ledger

import "slices"

// A run is a chain of events, each with the previous one as its only parent. There are as many runs as branches and
// merges, so ancestry queries search runs instead of events.
type run struct {
	parents []ID // parents of the first event
	last    ID
}

type spot struct{ run, at int }

// Limits of the search, per query and per log. Beyond them, an event counts as not seen, so positions stay contested.
const (
	mostRuns   = 1 << 16
	mostLooked = 1 << 24
)

// extend assigns an event to a run. Its parents must have theirs.
func (l *Log) extend(e *Event) {
	if len(e.Parents) == 1 {
		if s, ok := l.spots[e.Parents[0]]; ok && l.runs[s.run].last == e.Parents[0] {
			l.runs[s.run].last = e.ID
			l.spots[e.ID] = spot{s.run, s.at + 1}
			return
		}
	}
	l.spots[e.ID] = spot{len(l.runs), 0}
	seen := e.Parents
	if slices.ContainsFunc(seen, func(id ID) bool { _, ok := l.spots[id]; return !ok }) {
		seen = slices.Concat(seen, e.refs()) // a missing parent hides its ancestors, but an event has seen every event that it names
	}
	l.runs = append(l.runs, run{seen, e.ID})
}

// Saw reports whether the author of an event knew another one.
func (l *Log) Saw(id, other ID) bool {
	from, there := l.spots[id]
	to, ok := l.spots[other]
	if !there || !ok {
		return false
	}
	if from.run == to.run {
		return to.at < from.at
	}
	o, _ := l.Find(other)
	seen, queue := map[int]bool{from.run: true}, []int{from.run}
	for len(queue) > 0 && len(seen) < mostRuns && l.looked.Add(1) < mostLooked {
		r := queue[0]
		queue = queue[1:]
		for _, p := range l.runs[r].parents {
			s, ok := l.spots[p]
			if ok && s.run == to.run && s.at >= to.at {
				return true
			}
			if parent, known := l.Find(p); ok && known && parent.Lamport > o.Lamport && !seen[s.run] {
				seen[s.run] = true
				queue = append(queue, s.run)
			}
		}
	}
	return false
}
