package review

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/review/finding"
)

// Found is the result of one review, before it is compared with earlier ones.
type Found struct {
	Session  string
	Findings []finding.Finding
	Dropped  []Dropped
	Skipped  []finding.Skipped
	Omitted  []Omission
	Coverage Coverage
}

// Collect gathers the conclusions of a run. nowhere lists linter results that match no file.
func (p *Plugin) Collect(session string, ran []engine.Unit, nowhere []Dropped) (*Found, error) {
	found := &Found{Session: session, Dropped: slices.Clone(nowhere)}
	for _, u := range ran {
		if u.Kind != fileKind && u.Kind != summaryKind {
			continue
		}
		c, err := p.Load(u)
		if err == nil && c == nil {
			err = fmt.Errorf("%s was concluded and is not there", u)
		}
		if err != nil {
			return nil, err
		}
		for _, f := range c.Findings {
			f.Frame = session + "/" + c.Frame
			found.Findings = append(found.Findings, f)
		}
		if c.Covered != nil {
			found.Coverage.add(c.Covered)
		}
		found.Dropped = append(found.Dropped, c.Dropped...)
		found.Skipped = append(found.Skipped, c.Skipped...)
		found.Omitted = append(found.Omitted, c.Omitted...)
	}
	SortDropped(found.Dropped)
	found.Skip()
	return found, nil
}

// Skip adds files that could not be examined.
func (f *Found) Skip(more ...finding.Skipped) {
	f.Skipped = append(f.Skipped, more...)
	slices.SortFunc(f.Skipped, func(a, b finding.Skipped) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	f.Skipped = slices.Compact(f.Skipped)
}

// Drop adds results that are not reported.
func (f *Found) Drop(list ...Dropped) {
	f.Dropped = append(f.Dropped, list...)
	SortDropped(f.Dropped)
}

// SortDropped sorts dropped results by location.
func SortDropped(list []Dropped) {
	slices.SortFunc(list, func(a, b Dropped) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Reason, b.Reason))
	})
}
