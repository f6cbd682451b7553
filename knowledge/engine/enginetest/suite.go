package enginetest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/store"
)

// Run runs the suite. subject returns a new repository in its initial state.
func Run(t *testing.T, subject func(t testing.TB) Subject) {
	for name, test := range map[string]func(t *testing.T, subject func(t testing.TB) Subject){
		"edits": Edits, "edits that were looked at": looked, "the same bytes": deterministic, "a lost index": lost, "a lost file": missing,
		"a killed run": killed, "a plugin that meddles": meddled, "a plugin without conditions": unconditional, "a hostile model": hostile,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, subject)
		})
	}
}

// Edits checks that updates evaluate the minimum, change nothing else and equal runs from scratch. Run includes it;
// use it alone for a repository too large for Run.
func Edits(t *testing.T, subject func(t testing.TB) Subject) {
	s := subject(t)
	s.update(t)
	for i, edit := range s.Edits {
		s.apply(t, edit)
		r := s.update(t)
		if got := texts(r.Ran); !slices.Equal(got, sorted(edit.Ran)) {
			t.Errorf("%s: ran %q, want %q", edit.Name, got, sorted(edit.Ran))
		}
		var removed []engine.Unit
		for _, gone := range r.Removed {
			removed = append(removed, gone.Unit)
		}
		if got := texts(removed); !slices.Equal(got, sorted(edit.Removed)) {
			t.Errorf("%s: removed %q, want %q", edit.Name, got, sorted(edit.Removed))
		}
		s.quiet(t, edit.Name)
		s.fresh(t, edit.Name)
		clean := subject(t)
		clean.apply(t, s.Edits[:i+1]...)
		clean.update(t)
		same(t, edit.Name+": what is stored", s.knowledge(t), clean.knowledge(t))
	}
}

func (s Subject) quiet(t testing.TB, when string, options ...option) {
	t.Helper()
	before := s.Stored(t)
	if r := s.update(t, options...); len(r.Ran)+len(r.Removed)+len(r.Fell) > 0 {
		t.Errorf("%s: a second run ran %v, removed %v, and %v fell", when, r.Ran, r.Removed, r.Fell)
	}
	same(t, when+": a second run", s.Stored(t), before)
}

// looked checks that updates after a check are sound, minimal and explained.
func looked(t *testing.T, subject func(t testing.TB) Subject) {
	s := subject(t)
	s.update(t)
	edited := false // stored files were edited by hand, and no frame matches them
	for _, edit := range s.Edits {
		before := s.explain(t)
		s.apply(t, edit)
		for file := range edit.Files {
			edited = edited || strings.HasPrefix(file, store.Top+"/")
		}
		stale := s.differing(t, before, func(f fact.Fact) bool { return !aboutConclusions[f.Family] })
		found := s.check(t)
		if len(found.Fell)+len(found.Removed) > 0 && len(edit.Ran)+len(edit.Removed) == 0 {
			t.Errorf("%s: concerns nothing, and yet %v fell and %v are gone", edit.Name, found.Fell, found.Removed)
		}
		r := s.update(t)
		s.minimal(t, edit.Name, before, r)
		s.told(t, edit.Name, stale, found)
		s.reasoned(t, edit.Name, r)
		s.verified(t, edit.Name, edited)
	}
}

var aboutConclusions = map[fact.Family]bool{fact.Conclusions: true, fact.Excerpts: true, fact.Units: true}

// told checks that the check before an update reported the stale units.
func (s Subject) told(t testing.TB, when string, stale map[engine.Unit][]fact.Fact, found *engine.Report) {
	t.Helper()
	s.with(t, func(e *engine.Engine, c engine.Config) {
		check(t, e.Look(t.Context()))
		kinds := kinds(c)
		for u, facts := range stale {
			is := func(f engine.Fell) bool { return f.Unit == u }
			if slices.Contains(e.Subjects(u.Kind), u.Subject) && !kinds[u.Kind].Derived && !slices.ContainsFunc(found.Fell, is) {
				t.Errorf("%s: a check takes %s for fresh, though %v changed", when, u, facts)
			}
		}
	})
}

// minimal checks that a run evaluated exactly the units with changed evidence.
func (s Subject) minimal(t testing.TB, when string, before known, r *engine.Report) {
	t.Helper()
	differing := s.differing(t, before, func(fact.Fact) bool { return true })
	ran := map[engine.Unit]bool{}
	for _, u := range r.Ran {
		ran[u] = true
		if before[u] != nil && before[u].Conclusion != nil && differing[u] == nil {
			t.Errorf("%s: %s was run though nothing that it rests on differs", when, u)
		}
	}
	s.with(t, func(e *engine.Engine, c engine.Config) {
		check(t, e.Look(t.Context()))
		kinds := kinds(c)
		for u, facts := range differing {
			if slices.Contains(e.Subjects(u.Kind), u.Subject) && !kinds[u.Kind].Derived && !ran[u] {
				t.Errorf("%s: %s was not run though %v differ", when, u, facts)
			}
		}
	})
}

// reasoned checks that every evaluated unit has a reason: a condition term and its cause.
func (s Subject) reasoned(t testing.TB, when string, r *engine.Report) {
	t.Helper()
	s.with(t, func(e *engine.Engine, c engine.Config) {
		kinds := kinds(c)
		for _, u := range r.Ran {
			i := slices.IndexFunc(r.Fell, func(f engine.Fell) bool { return f.Unit == u })
			if i < 0 {
				if !kinds[u.Kind].Derived || slices.Contains(r.Updated, u) {
					t.Errorf("%s: %s ran and nothing says why", when, u)
				}
				continue
			}
			for _, reason := range r.Fell[i].Reasons {
				reasonable(t, when, e, u, reason)
			}
		}
	})
}

func reasonable(t testing.TB, when string, e *engine.Engine, u engine.Unit, r engine.Reason) {
	t.Helper()
	if r.String() == "" || r.Because == "" {
		t.Errorf("%s: %s fell for a reason that says nothing: %+v", when, u, r)
	}
	if r.Change.Fact == (fact.Fact{}) {
		return // it is new, damaged or lost
	}
	if r.Change.Before == r.Change.After {
		t.Errorf("%s: %s fell through something that did not change: %+v", when, u, r)
	}
	if _, err := e.Words().Parse(r.Because); err != nil && !strings.HasPrefix(r.Change.Fact.String(), r.Because) && strings.ContainsAny(r.Because, "()") {
		t.Errorf("%s: %s fell because of %q: %v", when, u, r.Because, err)
	}
}

// verified checks that every unit except pages has a frame that verifies.
func (s Subject) verified(t testing.TB, when string, edited bool, options ...option) {
	t.Helper()
	var rendered map[string]engine.Kind
	s.with(t, func(_ *engine.Engine, c engine.Config) { rendered = kinds(c) })
	for u, x := range s.explain(t, options...) {
		switch {
		case !x.Fresh:
			t.Errorf("%s: %s is not fresh: %v", when, u, x.Reasons)
		case x.Conclusion == nil || x.Conclusion.Condition == "":
			t.Errorf("%s: %s has no conclusion, or none that could be wrong", when, u)
		case (edited || rendered[u.Kind].Rendered) && x.Frame == nil:
		case x.Frame == nil || x.Verdict == nil:
			t.Errorf("%s: %s has no frame: %s", when, u, x.Lost)
		case x.Verdict.Outcome != frame.Holds:
			t.Errorf("%s: the frame of %s %s: %v", when, u, x.Verdict.Outcome, x.Verdict.Failures)
		}
	}
}

// deterministic checks that two runs give the same bytes, frames and session.
func deterministic(t *testing.T, subject func(t testing.TB) Subject) {
	a, b := subject(t), subject(t)
	first, second := a.update(t), b.update(t)
	same(t, "the first run", a.Stored(t), b.Stored(t))
	if first.Session != second.Session || fmt.Sprintf("%+v", *first) != fmt.Sprintf("%+v", *second) {
		t.Errorf("reports differ:\n%+v\n%+v", *first, *second)
	}
	one := func(c *engine.Config) { c.Workers = 1 }
	many := func(c *engine.Config) { c.Workers = 8 }
	for _, edit := range a.Edits {
		a.apply(t, edit)
		b.apply(t, edit)
		a.update(t, one)
		b.update(t, many)
		same(t, edit.Name, a.Stored(t), b.Stored(t))
	}
}

// lost checks that a lost index only costs time.
func lost(t *testing.T, subject func(t testing.TB) Subject) {
	s := subject(t)
	s.update(t)
	for _, edit := range s.Edits {
		s.Forget(t)
		s.quiet(t, "without an index, before: "+edit.Name)
		s.Forget(t)
		s.fresh(t, "without an index, before: "+edit.Name)
		s.apply(t, edit)
		s.Forget(t)
		s.update(t)
	}
	clean := subject(t)
	clean.apply(t, s.Edits...)
	clean.update(t)
	same(t, "what is stored", s.knowledge(t), clean.knowledge(t))
}

const most = 12

// missing checks that lost files are found and restored.
func missing(t *testing.T, subject func(t testing.TB) Subject) {
	s := subject(t)
	s.update(t)
	want := s.knowledge(t)
	for i, file := range slices.Sorted(maps.Keys(want)) {
		if i == most {
			break
		}
		s.Edit(t, file, nil)
		if r := s.check(t); len(r.Fell) == 0 {
			t.Errorf("a check does not miss %s", file)
		}
		s.update(t)
		same(t, "without "+file, s.knowledge(t), want)
		s.fresh(t, "without "+file)
	}
}

func same(t testing.TB, what string, got, want map[string][]byte) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if content, ok := got[name]; !ok {
			t.Errorf("%s: %s is missing", what, name)
		} else if !bytes.Equal(content, want[name]) {
			t.Errorf("%s: %s holds\n%s\nwant\n%s", what, name, content, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there:\n%s", what, name, got[name])
		}
	}
}

func texts(units []engine.Unit) []string {
	var out []string
	for _, u := range units {
		out = append(out, u.String())
	}
	return sorted(out)
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
