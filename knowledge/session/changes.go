package session

import (
	"math"
	"slices"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/frame"
)

// changes answers the words of one frame's condition from the files that differ for that frame.
type changes struct {
	files  []string
	differ bool // any file differs between the sessions, or the frame fell before
	known  condition.Facts
}

func newChanges(c *Comparison, f frame.Frame, now map[string]FileRecord, known condition.Facts) changes {
	since := slices.Concat(c.Changed, c.Added, c.Deleted)
	list := changes{differ: len(since) > 0 || f.Validity == frame.Invalidated, known: known}
	for _, p := range since {
		if !seenAs(f, p, now) {
			list.files = append(list.files, p)
		}
	}
	if f.Validity == frame.Invalidated {
		for _, e := range evidence(f) {
			if (e.Kind == frame.FileKind || e.Kind == frame.AbsentKind) && !holds(e, now) {
				list.files = append(list.files, e.Name)
			}
		}
	}
	slices.Sort(list.files)
	list.files = slices.Compact(list.files)
	return list
}

// Modified looks a plain path up and tries a pattern on every file.
func (c changes) Modified(glob condition.Glob) (condition.Cause, bool) {
	if p, ok := glob.Path(); ok {
		_, found := slices.BinarySearch(c.files, p)
		return condition.Cause{File: p}, found
	}
	for _, p := range c.files {
		if glob.Match(p) {
			return condition.Cause{File: p}, true
		}
	}
	return condition.Cause{}, false
}

func (c changes) SymbolChanged(module, name string) (condition.Cause, bool) {
	if c.known == nil {
		return c.unknown()
	}
	return c.known.SymbolChanged(module, name)
}

func (c changes) InterfaceChanged(module string) (condition.Cause, bool) {
	if c.known == nil {
		return c.unknown()
	}
	return c.known.InterfaceChanged(module)
}

func (c changes) ConclusionChanged(id string) (condition.Cause, bool) {
	if c.known == nil {
		return c.unknown()
	}
	return c.known.ConclusionChanged(id)
}

func (c changes) Resolved(finding string) (condition.Cause, bool) {
	if c.known == nil {
		return c.unknown()
	}
	return c.known.Resolved(finding)
}

func (c changes) GeneratorChanged() (condition.Cause, bool) {
	if c.known == nil {
		return c.unknown()
	}
	return c.known.GeneratorChanged()
}

func (c changes) DismissedShare(principle string) (float64, condition.Cause) {
	if c.known == nil {
		return math.Inf(1), condition.Cause{}
	}
	return c.known.DismissedShare(principle)
}

func (c changes) UnseenDays(principle string) (float64, condition.Cause) {
	if c.known == nil {
		return math.Inf(1), condition.Cause{}
	}
	return c.known.UnseenDays(principle)
}

// unknown is the answer to what files alone cannot tell.
func (c changes) unknown() (condition.Cause, bool) {
	return condition.Cause{Detail: "files changed, what in them is not known"}, c.differ
}
