package ledger

import "slices"

// A run is a line of events each of which saw the one before and nothing else anew. What one event has seen of others is
// answered by runs: there are as many as there were branches and merges.
type run struct {
	parents []ID // what the first one saw
	last    ID
}

// spot is the place of an event in its run.
type spot struct{ run, at int }

// Limits of how many runs are looked through, for one answer and for all that are asked of a log. A history made to be slow is taken for
// one that saw nothing, which makes contested and never superseded.
const (
	mostRuns   = 1 << 16
	mostLooked = 1 << 24
)

// extend gives an event its place in a run. Its parents have theirs.
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

// Saw reports whether an event was recorded in the knowledge of another.
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
