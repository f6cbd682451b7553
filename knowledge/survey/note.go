package survey

import (
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
)

// former is what is remembered of a module that files came to, changed in, or went from. The record is nil when there was no
// such module.
type former struct {
	record   *record
	language string
}

// formerly is what is remembered of a module.
func (w *Survey) formerly(module string) former {
	f := former{record: w.record(module)}
	if s := w.modules[module]; s != nil {
		f.language = s.Language
	}
	return f
}

// note notes that facts may be otherwise than what is remembered.
func (w *Survey) note(facts ...fact.Fact) {
	for _, f := range facts {
		w.changed[f] = true
	}
}

// noteChanges notes the facts about modules and paths that may be otherwise than what is remembered. Those about edges are
// noted where the edges are made.
func (w *Survey) noteChanges(came arrivals) {
	for m := range w.touched {
		w.noteModule(m, w.before[m])
	}
	for m, change := range w.reshaped {
		w.note(change.facts(m)...)
	}
	for m := range w.relinked { // a body reaches what names lead to, also through other modules and back
		w.note(fact.Of(fact.Bodies, m, ""))
	}
	for _, p := range came.paths {
		w.note(fact.New(fact.Absences, p))
		for ; p != "."; p = path.Dir(p) {
			if came.before.kind(p) != w.files().kind(p) {
				w.note(PathFact(p))
			}
		}
	}
}

// noteModule notes what is otherwise of a module whose files changed.
func (w *Survey) noteModule(m string, was former) {
	before, now := was.record, w.records[m]
	if (before == nil) != (now == nil) {
		w.note(AllModules, ImportersFact(m), Links(m))
	}
	if now := w.formerly(m); now.language != was.language {
		w.note(LanguageFact(m))
	}
	if before == nil {
		before = &record{}
	}
	if now == nil {
		now = &record{}
	}
	if !slices.Equal(names(before.Files), names(now.Files)) {
		w.note(fact.New(fact.Listings, m))
	}
	for _, pair := range [][2]*record{{before, now}, {now, before}} {
		for _, f := range pair[0].Files {
			if other, there := pair[1].file(f.Path); !there || other.Fingerprint != f.Fingerprint {
				w.note(fact.New(fact.Files, f.Path), fact.Of(fact.Bodies, m, ""))
			}
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
