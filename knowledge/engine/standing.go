package engine

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/index"
)

// Index buckets of unit state, which let a run examine only the affected units.
const (
	headBucket     index.Bucket = "units"    // unit → head
	evidenceBucket index.Bucket = "evidence" // unit → evidence
	holderBucket   index.Bucket = "holders"  // fact, a zero byte, dependent unit → nothing
	listBucket     index.Bucket = "kinds"    // kind → subjects
	wholeBucket    index.Bucket = "engine"
	sessionBucket  index.Bucket = "sessions" // id → sessionHead
)

type head struct {
	Digest     string            `json:"d"`
	Stored     string            `json:"w,omitempty"` // of the file, if it contains less
	Generator  string            `json:"g,omitempty"`
	Condition  string            `json:"c,omitempty"`
	Text       string            `json:"t,omitempty"`
	Confidence float64           `json:"s,omitempty"`
	Height     int               `json:"h,omitempty"` // exceeds the height of every conclusion it depends on
	Excerpts   map[string]string `json:"e,omitempty"`
	Kept       string            `json:"k,omitempty"`
	Partial    bool              `json:"p,omitempty"`
}

func (h head) fileDigest() string { return cmp.Or(h.Stored, h.Digest) }

// unitState is the state of a unit in this run. It changes only between waves.
type unitState struct {
	head
	known    bool // there is a conclusion, or was at the end of the last run
	evidence []fact.Observation
	loaded   bool        // evidence is loaded
	stored   *Conclusion // as loaded or stored by this run; nil if not loaded
	changed  bool        // must be saved
}

// units holds the state of all units. It is safe for concurrent use.
type units struct {
	index *index.Index
	mu    sync.Mutex
	known map[Unit]*unitState
	lists map[string][]string // subjects by kind
	// seen holds the old evidence of units invalidated in this run.
	seen map[Unit][]fact.Observation
	// sights holds the observations of this run by family, sorted by name; nil when out of date.
	sights map[fact.Family][]fact.Observation
}

func newUnits(x *index.Index) *units {
	return &units{index: x, known: map[Unit]*unitState{}, lists: map[string][]string{}, seen: map[Unit][]fact.Observation{}}
}

// get returns the state of a unit, or an empty state.
func (s *units) get(u Unit) *unitState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.known[u]; st != nil {
		return st
	}
	st := &unitState{}
	st.known = s.index.Get(headBucket, u.String(), &st.head)
	s.known[u] = st
	return st
}

func (s *units) evidenceOf(u Unit) []fact.Observation {
	st := s.get(u)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !st.loaded && st.known {
		var flat []string
		s.index.Get(evidenceBucket, u.String(), &flat)
		st.evidence = unflatten(flat)
	}
	st.loaded = true
	return st.evidence
}

// Evidence is saved flat, with four strings per observation.
func flatten(evidence []fact.Observation) []string {
	out := make([]string, 0, 4*len(evidence))
	for _, o := range evidence {
		out = append(out, string(o.Family), o.Of, o.Name, o.Digest)
	}
	return out
}

func unflatten(flat []string) []fact.Observation {
	out := make([]fact.Observation, 0, len(flat)/4)
	for f := range slices.Chunk(flat, 4) {
		if len(f) == 4 {
			out = append(out, fact.Of(fact.Family(f[0]), f[1], f[2]).As(f[3]))
		}
	}
	return out
}

func (s *units) subjects(kind string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, ok := s.lists[kind]
	if !ok {
		s.index.Get(listBucket, kind, &list)
		s.lists[kind] = list
	}
	return list
}

func (s *units) has(u Unit) bool {
	_, found := slices.BinarySearch(s.subjects(u.Kind), u.Subject)
	return found
}

// holders lists the units that depend on a fact; a fact without a name covers all facts of its family with the same
// Of. The list may contain units that no longer depend on it.
func (s *units) holders(f fact.Fact) []Unit {
	return s.remembered(holderPrefix(f))
}

func (s *units) holdersOfKind(kind string) []Unit {
	var prefixes []string
	for _, family := range []fact.Family{fact.Conclusions, fact.Excerpts} {
		prefixes = append(prefixes, spellings(family, kind+"/")...)
	}
	return s.remembered(prefixes...)
}

func (s *units) remembered(prefixes ...string) []Unit {
	var out []Unit
	for _, prefix := range prefixes {
		for _, key := range s.index.Keys(holderBucket, prefix) {
			if u, err := ParseUnit(key[strings.LastIndexByte(key, 0)+1:]); err == nil {
				out = append(out, u)
			}
		}
	}
	slices.SortFunc(out, compareUnits)
	return slices.Compact(out)
}

// spellings returns the key prefixes of facts whose names have a prefix: plain, and quoted for names with special
// characters.
func spellings(family fact.Family, name string) []string {
	quoted := strings.TrimSuffix(strconv.Quote(name), `"`)
	return slices.Compact([]string{string(family) + " " + name, string(family) + " " + quoted})
}

func compareUnits(a, b Unit) int {
	if a.Kind != b.Kind {
		return strings.Compare(a.Kind, b.Kind)
	}
	return strings.Compare(a.Subject, b.Subject)
}

func holderKey(f fact.Fact, u Unit) string { return f.String() + "\x00" + u.String() }

func holderPrefix(f fact.Fact) string {
	if f.Name != "" {
		return f.String() + "\x00"
	}
	return strings.TrimSuffix(f.String(), `""`)
}

// observed lists the observations of a family with a name prefix, from the index and from this run.
func (s *units) observed(family fact.Family, prefix string) []fact.Observation {
	seen := map[fact.Fact]string{}
	for _, u := range s.remembered(spellings(family, prefix)...) {
		for _, o := range s.evidenceOf(u) {
			if o.Family == family && strings.HasPrefix(o.Name, prefix) {
				seen[o.Fact] = o.Digest
			}
		}
	}
	list := s.inSight(family)
	first, _ := slices.BinarySearchFunc(list, prefix, func(o fact.Observation, prefix string) int { return strings.Compare(o.Name, prefix) })
	for _, o := range list[first:] {
		if !strings.HasPrefix(o.Name, prefix) {
			break
		}
		seen[o.Fact] = o.Digest
	}
	var out []fact.Observation
	for f, digest := range seen {
		out = append(out, f.As(digest))
	}
	return out
}

// inSight lists this run's observations of a family, sorted by name; for one fact, the decisive one is last. The
// result is cached because many reasons need it between two state changes.
func (s *units) inSight(family fact.Family) []fact.Observation {
	if list, ok := s.sights[family]; ok {
		return list
	}
	var out []fact.Observation
	note := func(evidence []fact.Observation) {
		for _, o := range evidence {
			if o.Family == family {
				out = append(out, o)
			}
		}
	}
	for _, u := range slices.SortedFunc(maps.Keys(s.known), compareUnits) {
		note(s.known[u].evidence)
	}
	for _, u := range slices.SortedFunc(maps.Keys(s.seen), compareUnits) { // invalidated units are explained by their old evidence
		note(s.seen[u])
	}
	slices.SortStableFunc(out, func(a, b fact.Observation) int { return strings.Compare(a.Name, b.Name) })
	if s.sights == nil {
		s.sights = map[fact.Family][]fact.Observation{}
	}
	s.sights[family] = out
	return out
}

func (s *units) saw(u Unit, evidence []fact.Observation) {
	s.seen[u], s.sights = evidence, nil
}

func onConclusions(evidence []fact.Observation) []Unit {
	var out []Unit
	for _, o := range evidence {
		if u, ok := concluded(o.Fact); ok {
			out = append(out, u)
		}
	}
	slices.SortFunc(out, compareUnits)
	return slices.Compact(out)
}

func concluded(f fact.Fact) (Unit, bool) {
	name := f.Name
	switch f.Family {
	case fact.Excerpts:
		name = f.Of
	case fact.Units:
		return enumeration(f.Name), true
	case fact.Conclusions:
	default:
		return Unit{}, false
	}
	u, err := ParseUnit(name)
	return u, err == nil
}

// save adds the changed states to the batch. Units whose files were not written keep their old state, for the next
// run to explain why they are stale.
func (s *units) save(b *index.Batch, unwritten map[Unit]bool) error {
	var err error
	for _, u := range slices.SortedFunc(maps.Keys(s.known), compareUnits) {
		st := s.known[u]
		if !st.changed || unwritten[u] {
			continue
		}
		if st.known && !st.loaded { // only its height changed
			err = errors.Join(err, b.Put(headBucket, u.String(), st.head))
			continue
		}
		var before []string
		s.index.Get(evidenceBucket, u.String(), &before)
		s.saveHolders(b, u, unflatten(before), st)
		if !st.known {
			err = errors.Join(err, b.Put(headBucket, u.String(), nil), b.Put(evidenceBucket, u.String(), nil))
			continue
		}
		err = errors.Join(err, b.Put(headBucket, u.String(), st.head), b.Put(evidenceBucket, u.String(), flatten(st.evidence)))
	}
	return err
}

// saved returns the head of a unit as of the last run.
func (s *units) saved(u Unit) (h head) {
	s.index.Get(headBucket, u.String(), &h)
	return h
}

func (s *units) saveHolders(b *index.Batch, u Unit, evidence []fact.Observation, st *unitState) {
	old := s.saved(u)
	before, now := map[string]bool{}, map[string]bool{}
	if old.Digest != "" {
		before = holderKeys(u, evidence)
	}
	if st.known {
		now = holderKeys(u, st.evidence)
	}
	for key := range before {
		if !now[key] {
			b.Mark(holderBucket, key, false)
		}
	}
	for key := range now {
		if !before[key] {
			b.Mark(holderBucket, key, true)
		}
	}
}

func holderKeys(u Unit, evidence []fact.Observation) map[string]bool {
	out := make(map[string]bool, len(evidence))
	for _, o := range evidence {
		out[holderKey(o.Fact, u)] = true
	}
	return out
}
