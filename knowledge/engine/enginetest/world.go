package enginetest

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
)

type world struct {
	repository *Repository
	batch      *index.Batch

	memory memory // of the last run
	known  bool
	now    map[string]string // digests of sources, by path
	own    map[string]string // digests of generated files, by path
	// listed maps directories to their entries; directories end with a slash.
	listed func() map[string][]string
}

type memory struct {
	Sources map[string]string `json:"s"`
	Own     map[string]string `json:"o"`
	// Base holds the sources at the last run that completed its work.
	Base map[string]string `json:"b"`
}

const (
	bucket    = index.Bucket("enginetest")
	keyMemory = "memory"
)

func newWorld(r *Repository, b *index.Batch) *world {
	w := &world{repository: r, batch: b, now: map[string]string{}, own: map[string]string{}}
	w.known = r.index.Get(bucket, keyMemory, &w.memory)
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, e := range r.files {
		if r.Layout.Owns(name) {
			w.own[name] = e.digest
		} else {
			w.now[name] = e.digest
		}
	}
	w.listed = sync.OnceValue(func() map[string][]string { return listings(w.now) })
	return w
}

// answer returns the digest and the value of a family's fact, by path.
type answer func(w *world, name string) (digest string, value any)

// PathFact is the fact of the kind of a path: "file", "directory", or nothing.
func PathFact(name string) fact.Fact { return fact.New(pathFacts, name) }

const pathFacts fact.Family = "path"

var families = map[fact.Family]answer{
	fact.Files:    content,
	fact.Blobs:    content,
	fact.Absences: absence,
	fact.Listings: func(w *world, dir string) (string, any) {
		list := w.listed()[dir]
		if len(list) == 0 {
			return "", nil
		}
		return fact.Digest(list...), slices.Clone(list)
	},
	pathFacts: func(w *world, name string) (string, any) {
		switch {
		case w.now[name] != "":
			return "file", "file"
		case len(w.listed()[name]) > 0:
			return "directory", "directory"
		}
		return "", nil
	},
}

func content(w *world, name string) (string, any) {
	if w.now[name] == "" {
		return "", nil
	}
	text, _ := w.repository.Read(name)
	return w.now[name], []byte(text)
}

func absence(w *world, name string) (string, any) {
	if w.now[name] == "" {
		return "", nil
	}
	return "there", "there"
}

func (*world) Families() []fact.Family { return slices.Sorted(maps.Keys(families)) }

func (w *world) Digest(_ context.Context, f fact.Fact) (string, error) {
	digest, _ := families[f.Family](w, f.Name)
	return digest, nil
}

func (w *world) Value(_ context.Context, f fact.Fact) (any, error) {
	_, value := families[f.Family](w, f.Name)
	return value, nil
}

func (w *world) Changed() (facts []fact.Fact, all bool) {
	if !w.known {
		return nil, true
	}
	found := map[fact.Fact]bool{}
	for _, name := range differing(w.memory.Sources, w.now) {
		for _, family := range []fact.Family{fact.Files, fact.Blobs, fact.Absences, pathFacts} {
			found[fact.New(family, name)] = true
		}
		if w.memory.Sources[name] != "" && w.now[name] != "" {
			continue // unchanged
		}
		for dir := path.Dir(name); ; dir = path.Dir(dir) {
			found[fact.New(fact.Listings, dir)], found[PathFact(dir)] = true, true
			if dir == "." {
				break
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b fact.Fact) int { return strings.Compare(a.String(), b.String()) }), false
}

func listings(files map[string]string) map[string][]string {
	sets := map[string]map[string]bool{}
	for name := range files {
		for at := name; at != "."; at = path.Dir(at) {
			dir, base := path.Dir(at), path.Base(at)
			if at != name {
				base += "/"
			}
			if sets[dir] == nil {
				sets[dir] = map[string]bool{}
			}
			sets[dir][base] = true
		}
	}
	out := map[string][]string{}
	for dir, set := range sets {
		out[dir] = slices.Sorted(maps.Keys(set))
	}
	return out
}

func differing(before, now map[string]string) []string {
	var out []string
	for name, digest := range now {
		if before[name] != digest {
			out = append(out, name)
		}
	}
	for name := range before {
		if now[name] == "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) []condition.Cause {
	out := make([]condition.Cause, len(changes))
	for i, c := range changes {
		detail := "changed"
		switch {
		case c.After == "":
			detail = "is gone"
		case c.Before == "":
			detail = "is new"
		}
		out[i] = condition.Cause{Change: c, File: c.Fact.Name, Detail: detail}
	}
	slices.SortStableFunc(out, func(a, b condition.Cause) int { return cmp.Compare(a.Change.Fact.String(), b.Change.Fact.String()) })
	return out
}

func (w *world) Unchanged(context.Context) (bool, error) {
	return w.known && maps.Equal(w.memory.Sources, w.now) && maps.Equal(w.memory.Own, w.own), nil
}

func (*world) Observe(context.Context) error { return nil }

func (w *world) Own() []string {
	if !w.known {
		return nil
	}
	return differing(w.memory.Own, w.own)
}

func (w *world) Trigger() (changes []fact.Change, state string) {
	if w.memory.Base == nil {
		return nil, commit(w.now)
	}
	for _, name := range differing(w.memory.Base, w.now) {
		changes = append(changes, fact.Change{Fact: fact.New(fact.Blobs, name), Before: w.memory.Base[name], After: w.now[name]})
	}
	return changes, commit(w.now)
}

func (w *world) Base() string { return commit(w.memory.Sources) }

func (w *world) Commit() string { return commit(w.now) }

// commit derives a commit id from a state: every state is committed.
func commit(files map[string]string) string {
	if len(files) == 0 {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, name, files[name])
	}
	return fact.Digest(parts...)
}

func (*world) Origin(context.Context) (when time.Time, permanent bool, err error) {
	return time.Date(2026, 2, 18, 12, 0, 0, 0, time.UTC), true, nil
}

func (w *world) Clean(file string) bool { return w.now[file] != "" }

func (w *world) LastChange(_ context.Context, file string) (string, error) {
	if !w.Clean(file) {
		return "", nil
	}
	return w.Commit(), nil
}

func (w *world) Wrote(_ context.Context, before map[string][]byte) error {
	w.repository.mu.Lock()
	defer w.repository.mu.Unlock()
	for name := range before {
		if e, ok := w.repository.files[name]; ok {
			w.own[name] = e.digest
		} else {
			delete(w.own, name)
		}
	}
	return nil
}

func (w *world) Save(done bool) error {
	next := memory{Sources: w.now, Own: w.own, Base: w.memory.Base}
	if done {
		next.Base = w.now
	}
	return w.batch.Put(bucket, keyMemory, next)
}

func (*world) Release([]fact.Observation) {}

var _ engine.World = (*world)(nil)
