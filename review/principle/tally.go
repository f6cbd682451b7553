package principle

import (
	"cmp"
	"slices"
	"time"

	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
)

// tally is what the records say of a pattern: the changes in which it was found, in the order in which they were closed, each once.
type tally struct {
	pattern string
	changes []occurrence
}

type occurrence struct {
	change    *record.Record
	finding   *record.Finding // the one that stands for it: a fixed one where there is one
	dismissed bool            // and none was fixed
}

// book is what was counted.
type book struct {
	tallies map[string]*tally
	newest  time.Time            // of all merged changes
	pattern map[[2]string]string // by key and finding
}

// count goes over the records.
func count(records []*record.Record) *book {
	b := &book{map[string]*tally{}, time.Time{}, map[[2]string]string{}}
	sorted := slices.Clone(records)
	record.Sort(sorted)
	for _, r := range sorted {
		if r.Outcome != record.Merged {
			continue
		}
		b.newest = r.At
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Pattern != "" {
				b.pattern[[2]string{r.Key, f.ID}] = f.Pattern
				b.add(r, f)
			}
		}
	}
	return b
}

// rank orders the findings of one change: what was fixed tells most, what was dismissed least.
var rank = map[life.Status]int{life.Fixed: 2, life.Dismissed: -1}

func (b *book) add(r *record.Record, f *record.Finding) {
	t := b.tallies[f.Pattern]
	if t == nil {
		t = &tally{pattern: f.Pattern}
		b.tallies[f.Pattern] = t
	}
	o := occurrence{r, f, f.Status == life.Dismissed}
	last := len(t.changes) - 1
	switch {
	case last < 0 || t.changes[last].change != r:
		t.changes = append(t.changes, o)
	case rank[f.Status] > rank[t.changes[last].finding.Status]:
		t.changes[last] = o
	}
}

// counts are the numbers that promotion goes by.
func (t *tally) counts() (authors, fixed, dismissed int) {
	names := map[string]bool{}
	for _, o := range t.changes {
		if names[o.change.Author] = true; o.finding.Status == life.Fixed {
			fixed++
		} else if o.dismissed {
			dismissed++
		}
	}
	return len(names), fixed, dismissed
}

// evidence is an entry for each change.
func (t *tally) evidence() []Evidence {
	list := make([]Evidence, len(t.changes))
	for i, o := range t.changes {
		list[i] = Evidence{Key: o.change.Key, Finding: o.finding.ID, At: o.change.At.UTC().Format(time.DateOnly)}
		if o.finding.Status == life.Fixed { // in the work tree, before the head was committed
			list[i].FixedBy = cmp.Or(o.finding.FixedBy, o.change.Head)
		}
	}
	return list
}

// severity is the worst that it was found with.
func (t *tally) severity() finding.Severity {
	worst := finding.Note
	for _, o := range t.changes {
		if o.finding.Severity.AtLeast(worst) {
			worst = o.finding.Severity
		}
	}
	return worst
}

// lately is of how many changes, the last ones, the share is taken that dismissed a principle.
const lately = 20

// dismissedShare is the part of the last changes with the pattern in which it was dismissed; none when nobody did since it was
// promoted, by the change of a number: what came before was weighed then.
func (t *tally) dismissedShare(promotedAt int) float64 {
	if !slices.ContainsFunc(t.changes[min(promotedAt, len(t.changes)):], func(o occurrence) bool { return o.dismissed }) {
		return 0
	}
	last, dismissed := t.changes[max(len(t.changes)-lately, 0):], 0
	for _, o := range last {
		if o.dismissed {
			dismissed++
		}
	}
	return float64(dismissed) / float64(len(last))
}

// unseenDays is how long the pattern was not found, in the time of commits.
func (t *tally) unseenDays(newest time.Time) int {
	return int(newest.Sub(t.changes[len(t.changes)-1].change.At).Hours() / 24)
}
