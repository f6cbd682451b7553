package survey

import (
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// was is what is remembered of a module. It is asked for before anything of that is replaced.
func (s *Survey) was(m string) *moduleState {
	if s.before[m] == nil {
		s.before[m] = &moduleState{record: s.record(m)}
		if sum := s.modules[m]; sum != nil {
			s.before[m].summary = *sum
		}
	}
	return s.before[m]
}

// What is noted has to cover everything that differs: a fact that differs and is not noted leaves a conclusion in force that is
// wrong, while one too many costs no more than asking for its digest.

// note notes that facts may be otherwise than what is remembered.
func (s *Survey) note(facts ...fact.Fact) {
	for _, f := range facts {
		s.changed[f] = true
	}
}

// differ takes facts down of which it is known that they differ from what is remembered.
func (s *Survey) differ(facts ...fact.Fact) {
	for _, f := range facts {
		s.changed[f], s.compared[f] = true, true
	}
}

// noteChanges notes the facts about modules and paths that may be otherwise than what is remembered. Those about edges are
// noted where the edges are made.
func (s *Survey) noteChanges(came arrivals) {
	for m := range s.touched {
		s.noteModule(m, *s.before[m])
	}
	for m, change := range s.reshaped {
		s.note(change.facts(m)...)
		if s.retyped(m, change) {
			s.noteImplements(m)
		}
		if s.typesMention(m, change.came) {
			s.note(ImplementsFact(m))
		}
	}
	for m, used := range s.relinked { // a body reaches what names lead to, also through other modules and back
		s.note(fact.Of(fact.Bodies, m, ""), FlowsFact(m))
		s.noteNames(m, used)
		s.note(ImplementsFact(m))
		s.noteCalls(m)
	}
	for _, p := range came.paths {
		s.differ(fact.New(fact.Absences, p))
		for ; p != "."; p = path.Dir(p) { // its directories may have come or gone with it
			if came.before.kind(p) != s.files().kind(p) {
				s.differ(PathFact(p))
			}
		}
	}
}

// noteModule notes what is otherwise of a module whose files changed. Files are compared by their fingerprints, which formatting
// does not change.
func (s *Survey) noteModule(m string, was moduleState) {
	before, now := was.record, s.records[m]
	if (before == nil) != (now == nil) { // who imports it and where its own imports lead come and go with it
		s.note(AllModules, ImportersFact(m), UsageFact(m), FlowsFact(m), ExamplesFact(m), ManualFact(m), ImplementsFact(m), Links(m))
	}
	if sum := s.modules[m]; sum == nil || sum.Language != was.summary.Language {
		s.note(LanguageFact(m))
	}
	if before == nil {
		before = &record{}
	}
	if now == nil {
		now = &record{}
	}
	if !slices.Equal(names(before.Files), names(now.Files)) {
		s.note(fact.New(fact.Listings, m))
	}
	named, shaped, called := false, false, false
	for _, pair := range [][2]*record{{before, now}, {now, before}} {
		for _, f := range pair[0].Files {
			other, there := pair[1].file(f.Path)
			if !there || other.Fingerprint != f.Fingerprint {
				s.note(fact.New(fact.Files, f.Path), fact.Of(fact.Bodies, m, ""), FlowsFact(m), ExamplesFact(m), ManualFact(m))
			}
			called = called || f.Hash != other.Hash && (f.Test || other.Test || source.IsExampleDir(m))
			named = named || !there || other.Names != f.Names
			shaped = shaped || !there || other.Shapes != f.Shapes
		}
	}
	if named {
		s.noteNames(m, before.Uses)
	}
	if shaped {
		s.note(ImplementsFact(m))
	}
	if called {
		s.noteCalls(m)
	}
}

// noteCalls notes what the examples and tests of a module may show otherwise of it, and of those that they call.
func (s *Survey) noteCalls(m string) {
	sum := s.modules[m]
	if sum == nil {
		return // and nothing imports another module from there any more
	}
	tests := source.IsExampleDir(m) || slices.ContainsFunc(s.records[m].Files, func(f fileRecord) bool { return f.Test }) || len(sum.TestDeps) > 0
	if !tests {
		return
	}
	s.note(ExamplesFact(m))
	for _, d := range slices.Concat(sum.Deps, sum.TestDeps) {
		s.note(ExamplesFact(d))
	}
}

// noteNames notes the facts about what code names, where that of a module is otherwise, or leads elsewhere: what its symbols
// name, and what may name, or implement, symbols of its own and of the modules that it used before or uses now. Nothing else is
// looked into for these.
func (s *Survey) noteNames(m string, before []source.Use) {
	s.note(fact.Of(fact.Callees, m, ""))
	around := []source.Use{{Module: m, Name: anything}}
	if now := s.records[m]; now != nil {
		around = append(around, now.Uses...)
	}
	for _, u := range append(around, before...) {
		if u.Name != "" { // an import by effect
			s.note(fact.Of(fact.Callers, u.Module, ""), fact.Of(fact.Implementers, u.Module, ""))
		}
	}
}

// noteUsage notes of modules that one of those that use them uses other names now.
func (s *Survey) noteUsage(uses ...[]source.Use) {
	for _, list := range uses {
		for _, u := range list {
			s.note(UsageFact(u.Module))
		}
	}
}

func names(files []fileRecord) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = f.Path
	}
	return out
}
