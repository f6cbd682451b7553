package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Log holds the valid events of a repository in order. It is not safe for concurrent use during Add.
type Log struct {
	events []Event
	place  map[ID]int // index in events
	heads  []ID       // sorted
	keys   map[string]ID
	added  []ID
	runs   []run
	spots  map[ID]spot
	looked atomic.Int64 // search steps so far; see mostLooked
}

// Events returns all events in the order of (Lamport, ID). They must not be modified.
func (l *Log) Events() []Event { return l.events }

// Heads returns the events that no other event has seen, sorted.
func (l *Log) Heads() []ID { return l.heads }

// Find returns an event and whether the log has it. A missing event (see Gaps) has only its ID set.
func (l *Log) Find(id ID) (*Event, bool) {
	i, ok := l.place[id]
	if !ok {
		return &Event{ID: id}, false
	}
	return &l.events[i], true
}

// Gaps lists missing events that other events name, sorted. A cherry-pick or a partial merge leaves such gaps.
func (l *Log) Gaps() []ID {
	var out []ID
	for i := range l.events {
		for _, id := range slices.Concat(l.events[i].Parents, l.events[i].refs()) {
			if _, ok := l.place[id]; !ok {
				out = append(out, id)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Compare orders two events by their place in the log. Missing events come first, by ID.
func (l *Log) Compare(a, b ID) int {
	return cmp.Or(cmp.Compare(l.at(a), l.at(b)), strings.Compare(string(a), string(b)))
}

func (l *Log) at(id ID) int {
	if i, ok := l.place[id]; ok {
		return i
	}
	return -1
}

// Beginning lists the events whose IDs begin with a prefix, in log order.
func (l *Log) Beginning(prefix string) []ID {
	var out []ID
	if _, whole := l.place[ID(prefix)]; whole {
		return []ID{ID(prefix)}
	}
	for i := range l.events {
		if strings.HasPrefix(string(l.events[i].ID), prefix) {
			out = append(out, l.events[i].ID)
		}
	}
	return out
}

// New builds a Log from batches, and returns their problems. It omits invalid events.
func New(batches []Batch) (*Log, []Problem) {
	type read struct {
		events   []Event
		problems []Problem
	}
	found := make([]read, len(batches))
	atOnce(len(batches), func(i int) { found[i].events, found[i].problems = batches[i].read() })
	all := 0
	for _, r := range found {
		all += len(r.events)
	}
	events := make([]*Event, 0, all)
	file := make(map[ID]string, all)
	var problems []Problem
	for i, r := range found {
		problems = append(problems, r.problems...)
		for at := range r.events {
			e := &r.events[at]
			if _, twice := file[e.ID]; !twice {
				file[e.ID] = batches[i].Path
				events = append(events, e)
			}
		}
	}
	l, more := order(events, file)
	for i := range more {
		more[i].File = file[more[i].Event]
	}
	return l, append(problems, more...)
}

// atOnce calls fn with each number below n, from several goroutines.
func atOnce(n int, fn func(i int)) {
	var group errgroup.Group
	group.SetLimit(readers)
	for i := range n {
		group.Go(func() error {
			fn(i)
			return nil
		})
	}
	_ = group.Wait() // fn returns no error
}

const readers = 8

func order(events []*Event, file map[ID]string) (*Log, []Problem) {
	slices.SortFunc(events, compare)
	l := &Log{events: make([]Event, 0, len(events)), place: make(map[ID]int, len(events)), keys: map[string]ID{}, spots: make(map[ID]spot, len(events))}
	there := func(id ID) bool {
		_, ok := file[id]
		return ok
	}
	var problems []Problem
	for _, e := range events {
		lamport, missing := l.behind(e.Parents)
		for _, id := range missing {
			if there(id) {
				lamport = 0 // the parent is not before this event
			}
		}
		switch {
		case lamport == 0, len(missing) == 0 && e.Lamport != lamport, e.Lamport < lamport, e.Lamport > mostLamport:
			problems = append(problems, Problem{Kind: Unreadable, Event: e.ID, Detail: fmt.Sprintf("its number %d in the order is not after the events that it has seen", e.Lamport)})
			continue
		}
		l.insert(*e, len(l.events))
		for _, id := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(missing, e.refs())))) {
			if !there(id) {
				problems = append(problems, Problem{Kind: Dangling, Event: e.ID, Detail: fmt.Sprintf("event %s names %s, which is not in the log", e.ID.Short(), id.Short())})
			}
		}
	}
	l.findHeads()
	return l, problems
}

// mostLamport is the largest integer that every JSON reader represents exactly.
const mostLamport = 1<<53 - 1

func compare(a, b *Event) int {
	return cmp.Or(cmp.Compare(a.Lamport, b.Lamport), strings.Compare(string(a.ID), string(b.ID)))
}

func (l *Log) behind(parents []ID) (lamport int64, missing []ID) {
	lamport = 1
	for _, id := range parents {
		if p, ok := l.Find(id); ok {
			lamport = max(lamport, p.Lamport+1)
		} else {
			missing = append(missing, id)
		}
	}
	return lamport, missing
}

func (l *Log) insert(e Event, at int) {
	l.events = slices.Insert(l.events, at, e)
	for i := at; i < len(l.events); i++ {
		l.place[l.events[i].ID] = i
	}
	if key := e.Key(); key != "" {
		l.keys[key] = e.ID
	}
	l.extend(&e)
}

func (l *Log) findHeads() {
	seen := map[ID]bool{}
	for i := range l.events {
		for _, p := range l.events[i].Parents {
			seen[p] = true
		}
	}
	l.heads = nil
	for i := range l.events {
		if id := l.events[i].ID; !seen[id] {
			l.heads = append(l.heads, id)
		}
	}
	slices.Sort(l.heads)
}

// ErrDuplicate is returned for an event with the type, text and source of a recorded one.
var ErrDuplicate = errors.New("it is recorded already")

// ErrInvalid is returned for an invalid event.
var ErrInvalid = errors.New("it is no valid event")

// Add adds an event with an ID and a Lamport number. Parents default to all heads. A duplicate is returned with the
// error.
func (l *Log) Add(e Event) (*Event, error) {
	if e.Parents == nil {
		e.Parents = l.newest()
	}
	for _, refs := range []*[]ID{&e.Targets, &e.Resolves, &e.Considers, &e.Parents} {
		*refs = slices.Compact(slices.Sorted(slices.Values(*refs)))
	}
	lamport, missing := l.behind(e.Parents)
	for _, id := range append(missing, e.refs()...) {
		if _, ok := l.place[id]; !ok {
			return nil, fmt.Errorf("%w: it names %s, which is not there", ErrInvalid, id.Short())
		}
	}
	e.Lamport = lamport
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	e.ID = e.identify()
	if first, twice := l.Recorded(e); twice {
		return first, ErrDuplicate
	}
	if first, twice := l.Find(e.ID); twice {
		return first, ErrDuplicate
	}
	at, _ := slices.BinarySearchFunc(l.events, &e, func(a Event, b *Event) int { return compare(&a, b) })
	l.insert(e, at)
	l.heads = slices.DeleteFunc(l.heads, func(id ID) bool { return slices.Contains(e.Parents, id) })
	i, _ := slices.BinarySearch(l.heads, e.ID)
	l.heads = slices.Insert(l.heads, i, e.ID)
	l.added = append(l.added, e.ID)
	return &l.events[at], nil
}

// Recorded returns the recorded event with the same key.
func (l *Log) Recorded(e Event) (*Event, bool) {
	id, ok := l.keys[e.Key()]
	if !ok || e.Source == "" {
		return nil, false
	}
	return l.Find(id)
}

// newest returns the default parents: the newest heads. Later events name the others.
func (l *Log) newest() []ID {
	heads := slices.Clone(l.heads)
	if len(heads) > mostRefs {
		slices.SortFunc(heads, func(a, b ID) int { return cmp.Compare(l.place[b], l.place[a]) })
		heads = heads[:mostRefs]
	}
	return heads
}

// Added returns batches with the added events.
func (l *Log) Added() []Batch {
	events := make([]Event, 0, len(l.added))
	for _, id := range l.added {
		e, _ := l.Find(id)
		events = append(events, *e)
	}
	return batches(events)
}
