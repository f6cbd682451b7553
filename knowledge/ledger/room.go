package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/store"
)

// Files reads the files of the log.
type Files interface {
	Read(name string) ([]byte, error)
	Below(dir string) ([]string, error)
}

// Whole is a log with the problems of its files.
type Whole struct {
	*Log
	Problems []Problem
}

// Open reads the log and its problems. If past is not nil, these include removed log files.
func Open(files Files, past Past) (*Whole, error) {
	names, err := below(files)
	if err != nil {
		return nil, err
	}
	read, problems, err := readAll(files, names, IsBatch)
	if err != nil {
		return nil, err
	}
	list := make([]Batch, len(read))
	for i, f := range read {
		list[i] = Batch{Path: f.Path, Data: f.Data}
	}
	log, wrong := New(list)
	w := &Whole{log, slices.Concat(wrong, problems, past.Missing(names))}
	Sort(w.Problems)
	return w, nil
}

func readNotes(files Files) (keys, checkpoints []File, problems []Problem, err error) {
	names, err := below(files)
	if err != nil {
		return nil, nil, nil, err
	}
	keys, problems, err = readAll(files, names, IsKey)
	if err != nil {
		return nil, nil, nil, err
	}
	checkpoints, more, err := readAll(files, names, IsCheckpoint)
	return keys, checkpoints, append(problems, more...), err
}

func below(files Files) ([]string, error) {
	names, err := files.Below(store.Log)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return names, nil
}

func readAll(files Files, names []string, want func(string) bool) (read []File, unread []Problem, err error) {
	for _, name := range names {
		if !want(name) {
			continue
		}
		data, err := files.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, store.ErrOccupied):
			unread = append(unread, Problem{Kind: Unreadable, File: name, Detail: err.Error()})
		case err != nil:
			return nil, nil, fmt.Errorf("read the log: %w", err)
		default:
			read = append(read, File{name, data})
		}
	}
	return read, unread, nil
}

// EventFacts are facts about the events of the log.
const EventFacts fact.Family = "events"

// AllEvents is the fact about all events, and Positions about all except occurrences. Their value is a *Whole.
var (
	AllEvents = fact.New(EventFacts, ".")
	Positions = fact.New(EventFacts, "positions")
)

// Room answers facts about events and units' occurrences. It implements engine.Room. It reads the log on first use.
type Room struct {
	own      func() []string
	read     func() (*Whole, error)
	happened func() (map[string]Happened, error)
}

// NewRoom returns the room over causal's own files. own lists the files changed since the last run.
func NewRoom(files Files, own func() []string) *Room {
	read := sync.OnceValues(func() (*Whole, error) { return Open(files, nil) })
	return &Room{own, read, sync.OnceValues(func() (map[string]Happened, error) {
		w, err := read()
		if err != nil {
			return nil, err
		}
		return w.happened(), nil
	})}
}

// Families implements engine.Room.
func (*Room) Families() []fact.Family { return []fact.Family{EventFacts, HappenedFacts} }

// Digest implements engine.Room. An ID covers the parents, so the digest of Positions covers their relations.
func (r *Room) Digest(_ context.Context, f fact.Fact) (string, error) {
	w, err := r.read()
	if err != nil {
		return "", err
	}
	if f == Causes {
		return w.history().digest(), nil
	}
	if f.Family == HappenedFacts {
		all, err := r.happened()
		return all[f.Name].digest(), err
	}
	var parts []string
	for i := range w.Events() {
		if e := &w.Events()[i]; f != Positions || e.Type != Happening {
			parts = append(parts, string(e.ID))
		}
	}
	if len(parts)+len(w.Problems) == 0 {
		return "", nil
	}
	for _, p := range w.Problems {
		parts = append(parts, string(p.Kind), string(p.Event), p.File)
	}
	return fact.Digest(parts...), nil
}

// Value implements engine.Room.
func (r *Room) Value(_ context.Context, f fact.Fact) (any, error) {
	w, err := r.read()
	switch {
	case err != nil:
		return nil, err
	case f == Causes:
		return w.history(), nil
	case f.Family == HappenedFacts:
		all, err := r.happened()
		return all[f.Name], err
	}
	return w, nil
}

// Changed implements engine.Room.
func (r *Room) Changed() (facts []fact.Fact, all bool) {
	if slices.ContainsFunc(r.own(), IsBatch) {
		return []fact.Fact{AllEvents, Positions, HappenedTo("")}, false
	}
	return nil, false
}

// Explain implements engine.Room.
func (r *Room) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	var causes []condition.Cause
	for _, c := range changes {
		cause := condition.Cause{Change: c, Detail: "the log has other events"}
		switch {
		case c.Fact == Causes:
			cause.Detail = "something else happened"
		case c.Fact.Family == HappenedFacts:
			cause.Detail = "something else happened to it"
		}
		if i := slices.IndexFunc(r.own(), IsBatch); i >= 0 {
			cause.File = r.own()[i]
		}
		causes = append(causes, cause)
	}
	return causes
}
