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

// tally lists the changes in which a pattern was found, in the order of closing, each once.
type tally struct {
	pattern string
	changes []occurrence
}

type occurrence struct {
	change    *record.Record
	finding   *record.Finding // a fixed one if any
	dismissed bool            // and none was fixed
}

type book struct {
	tallies map[string]*tally
	newest  time.Time            // time of the newest merged change
	pattern map[[2]string]string // by key and finding
}

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

// ripe returns the number of changes after which a pattern first met the policy, or 0.
func (t *tally) ripe(policy Policy) int {
	if strings.HasPrefix(t.changes[0].finding.Rule, "principle/") {
		return 0 // a finding of a principle itself
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

// promoted lists the patterns that became principles, in order. Each month allows policy.Monthly promotions, and the
// others wait for a month with room. The result does not depend on when runs happen.
func (b *book) promoted(policy Policy) []*tally {
	type candidate struct {
		*tally
		in *record.Record // the change that met the policy
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

func monthOf(t time.Time) int { return 12*t.UTC().Year() + int(t.UTC().Month()) }

func severity(changes []occurrence) finding.Severity {
	worst := finding.Note
	for _, o := range changes {
		if o.finding.Severity.AtLeast(worst) {
			worst = o.finding.Severity
		}
	}
	return worst
}

func (t *tally) unseenDays(newest time.Time) int {
	return int(newest.Sub(t.changes[len(t.changes)-1].change.At).Hours() / 24)
}

// patternOf returns the pattern of a principle, or that of its evidence if a user deleted its check.
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
