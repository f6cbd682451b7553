package principle

import (
	"cmp"
	"slices"
	"strings"
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

// ripe is after how many of its changes a pattern fulfilled the policy first; 0 when it never did.
func (t *tally) ripe(policy Policy) int {
	if strings.HasPrefix(t.changes[0].finding.Rule, "principle/") {
		return 0 // a principle's own
	}
	names, fixed, dismissed := map[string]bool{}, 0, 0
	for i, o := range t.changes {
		switch names[o.change.Author] = true; {
		case o.finding.Status == life.Fixed:
			fixed++
		case o.dismissed:
			dismissed++
		}
		if i+1 >= policy.Changes && len(names) >= policy.Authors && fixed >= policy.Fixed && dismissed <= fixed {
			return i + 1
		}
	}
	return 0
}

// promoted are the patterns that came to be principles until the newest change, in the order in which they did. In a month there are
// so many and no more; the others wait for the next that has room. Who promotes them, and when, has no part in it.
func (b *book) promoted(policy Policy) []*tally {
	type candidate struct {
		*tally
		in *record.Record // the change that was the last one asked for
	}
	var ripe []candidate
	for _, t := range b.tallies {
		if n := t.ripe(policy); n > 0 {
			ripe = append(ripe, candidate{t, t.changes[n-1].change})
		}
	}
	slices.SortFunc(ripe, func(x, y candidate) int {
		return cmp.Or(x.in.At.Compare(y.in.At), cmp.Compare(x.in.Key, y.in.Key), cmp.Compare(x.pattern, y.pattern))
	})
	var promoted []*tally
	month, room, newest := 0, policy.Monthly, monthOf(b.newest)
	for _, c := range ripe {
		if m := monthOf(c.in.At); m > month {
			month, room = m, policy.Monthly
		}
		if policy.Monthly > 0 && room == 0 {
			month, room = month+1, policy.Monthly
		}
		if month > newest {
			break
		}
		room--
		promoted = append(promoted, c.tally)
	}
	return promoted
}

// monthOf numbers months.
func monthOf(t time.Time) int { return 12*t.UTC().Year() + int(t.UTC().Month()) }

// severity is the worst that a pattern was found with.
func severity(changes []occurrence) finding.Severity {
	worst := finding.Note
	for _, o := range changes {
		if o.finding.Severity.AtLeast(worst) {
			worst = o.finding.Severity
		}
	}
	return worst
}

// unseenDays is how long the pattern was not found, in the time of commits.
func (t *tally) unseenDays(newest time.Time) int {
	return int(newest.Sub(t.changes[len(t.changes)-1].change.At).Hours() / 24)
}

// patternOf is the pattern of a principle: where people took its check away, that of what it rests on.
func (b *book) patternOf(f *file) string {
	if all := b.patternsOf(f); len(all) > 0 {
		return all[0]
	}
	return ""
}

func (b *book) patternsOf(f *file) []string {
	if f.Check != nil {
		return []string{f.Check.Pattern}
	}
	var all []string
	for _, e := range f.Evidence {
		if p := b.pattern[[2]string{e.Key, e.Finding}]; p != "" && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}
