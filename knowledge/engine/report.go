package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

// Fell is a unit whose conclusion is invalid, with the reasons.
type Fell struct {
	Unit    Unit
	Reasons []Reason
}

// Removed is a unit that no longer exists.
type Removed struct {
	Unit    Unit
	Reasons []Reason
	Removal Removal
}

// Blocked is a problem of a unit that only a person can fix.
type Blocked struct {
	Unit    Unit
	Because string
	Mend    string
}

// Dropped is a model's sentence that a conclusion omits.
type Dropped struct {
	Unit Unit
	prompt.Dropped
}

// Report holds the results and actions of a run. Lists of units are sorted.
type Report struct {
	Session      string
	Base         string // commit of the last remembered run
	Head         string // present commit
	ChangedFiles []string
	// Fell lists the invalid units. Ran lists the units evaluated since the last update, and units whose hidden facts
	// changed. Updated lists the units that an update writes.
	Fell    []Fell
	Ran     []Unit
	Updated []Unit
	Removed []Removed
	// Units counts the units, by kind.
	Units map[string]int
	// Kept holds the units that show earlier content, with the reason; those in Partial could not be read completely.
	Kept    map[Unit]string
	Partial []Unit
	Blocked []Blocked
	Dropped []Dropped
	// Suspended lists suspended frames as "<session>/<frame>", Resumable those with no present reason to be invalid.
	// Compared relates this run to the sessions with suspended frames.
	Suspended []string
	Resumable []string
	Compared  []session.Comparison
	// Differing lists the files that an update would write or remove; it is empty after an update.
	Differing []store.Difference
	// Judged is the number of examined units, Observed the number of facts.
	Judged   int
	Observed int
}

func newReport() *Report {
	return &Report{ChangedFiles: []string{}, Units: map[string]int{}, Kept: map[Unit]string{}, Suspended: []string{}, Resumable: []string{}, Compared: []session.Comparison{}}
}

func (r *Report) stale(u Unit, reasons []Reason) {
	r.Fell = append(r.Fell, Fell{u, reasons})
}

func (r *Report) ran(u Unit, updated bool) {
	r.Ran = append(r.Ran, u)
	if updated {
		r.Updated = append(r.Updated, u)
	}
}

// ranBefore adds the units that checks evaluated since the last update.
func (r *Report) ranBefore(last rest) {
	for _, name := range last.Ran {
		if u, err := ParseUnit(name); err == nil {
			r.Ran = append(r.Ran, u)
		}
	}
	slices.SortFunc(r.Ran, compareUnits)
	r.Ran = slices.Compact(r.Ran)
}

func (r *Report) keep(last rest) {
	for name, why := range last.Kept {
		if u, err := ParseUnit(name); err == nil {
			r.Kept[u] = why
		}
	}
	for name := range last.Partial {
		if u, err := ParseUnit(name); err == nil {
			r.Partial = append(r.Partial, u)
		}
	}
	slices.SortFunc(r.Partial, compareUnits)
}

func (l *loop) end(ctx context.Context) (*Report, error) {
	if err := l.keepSession(); err != nil {
		return nil, err
	}
	if l.report.Session != "" || l.write && len(l.report.Removed) > 0 {
		if err := l.Engine.sessions.drop(); err != nil {
			return nil, err
		}
	}
	if err := l.Engine.sessions.compareAll(ctx, l); err != nil {
		return nil, err
	}
	r := l.report
	r.ChangedFiles, r.Units, r.Judged, r.Observed = l.changedFiles(), l.counts(), len(l.done)+len(l.open), int(l.facts.Load())
	r.ranBefore(l.rest)
	slices.SortFunc(r.Updated, compareUnits)
	slices.SortStableFunc(r.Fell, func(a, b Fell) int { return compareUnits(a.Unit, b.Unit) })
	if l.write {
		if changed := l.config.Files.Changed(); len(changed) > 0 {
			if err := l.config.World.Wrote(ctx, changed); err != nil {
				return nil, err
			}
		}
	}
	l.state.Conclude(map[string]any{"evaluated": len(r.Ran), "updated": len(r.Updated), "removed": len(r.Removed), "kept": len(r.Kept), "blocked": len(r.Blocked)},
		"report", fmt.Sprintf("%d units evaluated, %d updated, %d removed", len(r.Ran), len(r.Updated), len(r.Removed)))
	return r, l.save()
}

func (l *loop) save() error {
	next := rest{Units: l.report.Units, Kept: maps.Clone(l.rest.Kept), Partial: maps.Clone(l.rest.Partial), Suspended: l.report.Suspended,
		Resumable: l.report.Resumable, Compared: l.report.Compared}
	if next.Kept == nil {
		next.Kept = map[string]string{}
	}
	if next.Partial == nil {
		next.Partial = map[string]bool{}
	}
	for u := range l.done {
		name, st := u.String(), l.units.get(u)
		delete(next.Kept, name)
		delete(next.Partial, name)
		if st.known && st.Kept != "" {
			next.Kept[name] = st.Kept
		}
		if st.known && st.Partial {
			next.Partial[name] = true
		}
	}
	if !l.write {
		for _, u := range l.report.Ran {
			next.Ran = append(next.Ran, u.String())
		}
	}
	maps.Copy(l.undone, l.open)
	again := l.undone
	if !l.write {
		again = l.unsaved()
	}
	for _, u := range sortedUnits(again) {
		next.Undone = append(next.Undone, u.String())
	}
	l.report.keep(next)
	settled := len(next.Undone) == 0
	next.Settled = settled && len(next.Kept) == 0
	b, unwritten := l.config.Batch, map[Unit]bool{}
	if !l.write {
		unwritten = again
	}
	err := errors.Join(l.units.save(b, unwritten), l.sessions.save(b), l.saveOpen(), b.Put(wholeBucket, keyRest, next), l.config.World.Save(settled), b.Commit())
	if err != nil {
		return fmt.Errorf("remember the run: %w", err)
	}
	return nil
}

// unsaved returns the units whose state a run that does not write cannot save: the undone ones, and those with
// evidence about a conclusion of such a unit that differs from the saved one.
func (l *loop) unsaved() map[Unit]bool {
	out := maps.Clone(l.undone)
	differ := map[fact.Fact]bool{}
	units := slices.SortedFunc(maps.Keys(l.done), func(a, b Unit) int {
		return cmp.Or(cmp.Compare(l.units.get(a).Height, l.units.get(b).Height), compareUnits(a, b))
	})
	for _, u := range units {
		rests := func(o fact.Observation) bool { return differ[o.Fact] || differ[fact.Of(o.Family, o.Of, "")] }
		if st := l.units.get(u); out[u] || st.changed && slices.ContainsFunc(st.evidence, rests) {
			out[u] = true
			for _, f := range changedFacts(u, l.units.saved(u), st.head) {
				differ[f] = true
			}
		}
	}
	return out
}
