package principle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/record"
)

// Policy is when a pattern becomes a principle. Numbers that are zero ask for nothing.
type Policy struct {
	Changes  int  // in which it was found
	Authors  int  // of those changes
	Fixed    int  // of those changes, in which it was fixed
	Monthly  int  // promotions in a month, in the time of commits; more wait for the next
	Approval bool // it is a candidate until people make it active
}

// Standard is what holds where nothing else is configured.
var Standard = Policy{Changes: 3}

// When a principle ends.
const (
	mostDismissed = 0.25 // of the last changes with its pattern
	mostUnseen    = 180  // days
)

// Derived is what follows from the records.
type Derived struct {
	Files    map[string][]byte // what is to be written, by path
	Promoted []string          // slugs of principles that are new, sorted
	Problems []Problem
}

// Problem is a file that cannot be read, and stays as it is.
type Problem struct{ Path, Reason string }

// Derive counts patterns in the records of all closed changes, and brings the principles that there are up to that. The order of
// the records does not matter.
func Derive(records []*record.Record, files map[string][]byte, policy Policy) Derived {
	b, d := count(records), Derived{Files: map[string][]byte{}}
	owned, slugs, month := map[string]bool{}, map[string]bool{}, 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		slugs[slugOf(name)] = true
		f, err := read(name, files[name])
		if err != nil {
			d.Problems = append(d.Problems, Problem{name, strings.TrimPrefix(err.Error(), name+": ")})
			continue
		}
		for _, pattern := range b.patternsOf(f) {
			owned[pattern] = true
		}
		t := b.tallies[b.patternOf(f)]
		if t == nil {
			continue // its records are not here
		}
		if sameMonth(t.promoted(policy), b.newest) {
			month++
		}
		if text := f.edit(b.renew(f, t, policy)); !f.Status.closed() && string(text) != string(files[name]) {
			d.Files[name] = text
		}
	}
	for _, t := range b.ripe(policy) {
		if owned[t.pattern] || policy.Monthly > 0 && month >= policy.Monthly {
			continue
		}
		month++
		p := t.promote(slug(t, slugs), policy)
		slugs[p.Slug] = true
		d.Files[Path(p.Slug)] = p.encode()
		d.Promoted = append(d.Promoted, p.Slug)
	}
	slices.Sort(d.Promoted)
	return d
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

// promoted is when a pattern was found often enough.
func (t *tally) promoted(policy Policy) time.Time {
	return t.changes[min(max(policy.Changes, 1), len(t.changes))-1].change.At
}

func sameMonth(a, b time.Time) bool {
	a, b = a.UTC(), b.UTC()
	return a.Year() == b.Year() && a.Month() == b.Month()
}

// ripe are the patterns that fulfil the policy, in the order in which they came to.
func (b *book) ripe(policy Policy) []*tally {
	var ripe []*tally
	for _, t := range b.tallies {
		authors, fixed, dismissed := t.counts()
		if strings.HasPrefix(t.changes[0].finding.Rule, "principle/") {
			continue // a principle's own
		}
		if len(t.changes) >= max(policy.Changes, 1) && authors >= policy.Authors && fixed >= policy.Fixed && dismissed <= fixed {
			ripe = append(ripe, t)
		}
	}
	slices.SortFunc(ripe, func(x, y *tally) int {
		return cmp.Or(x.promoted(policy).Compare(y.promoted(policy)), cmp.Compare(x.pattern, y.pattern))
	})
	return ripe
}

// renew is a principle with what the records say of it now.
func (b *book) renew(f *file, t *tally, policy Policy) *Principle {
	p := f.Principle
	p.Evidence = t.evidence()
	p.Authors, _, p.Dismissed = t.counts()
	if p.Check != nil {
		p.Check = t.check()
	}
	p.Condition = condition(p.Slug)
	switch late := t.unseenDays(b.newest) > mostUnseen; {
	case p.Status == Active && t.dismissedShare(policy.Changes) > mostDismissed:
		p.Status = Demoted
	case p.Status == Active && late:
		p.Status = Expired
	case p.Status == Expired && !late:
		p.Status = Active
	}
	return &p
}

// promote makes a principle of a pattern. What it says of itself is made of the first change, so that branches that promote it say
// the same.
func (t *tally) promote(slug string, policy Policy) *Principle {
	p := &Principle{
		Slug: slug, Rule: t.rule(), Why: fmt.Sprintf("Reviews found it in %d merged changes.", max(policy.Changes, 1)), Check: t.check(),
		Evidence: t.evidence(), Status: Active, Condition: condition(slug),
	}
	if p.Authors, _, p.Dismissed = t.counts(); policy.Approval {
		p.Status = Candidate
	}
	return p
}

// longestRule is how many bytes of a linter's message make a rule until people word it: two lines.
const longestRule = 200

// rule is what the rule says, until people say it better.
func (t *tally) rule() string {
	f := t.changes[0].finding
	message := strings.Join(strings.Fields(f.Message), " ")
	if len(message) > longestRule {
		message = strings.ToValidUTF8(message[:longestRule], "") + "…"
	}
	return strings.TrimSuffix(f.Rule+": "+message, ": ")
}

func condition(slug string) string {
	s := strconv.Quote(slug)
	return fmt.Sprintf("dismissed_share(%s) > %g or unseen_days(%s) > %d", s, mostDismissed, s, mostUnseen)
}

// fewestTokens is how much a line has to say besides names to be told without its linter: of a shorter shape, others that are
// fine have the same.
const fewestTokens = 7

// check is the pattern, with the shape where that tells enough: it is of whole lines, and names what is called.
func (t *tally) check() *Check {
	c := &Check{Pattern: t.pattern, Severity: t.severity()}
	for _, o := range t.changes {
		f := o.finding
		if !strings.Contains(f.Rule, "/") || strings.Contains(f.Quote, "\n") || match.Pattern(f.Rule, f.Path, f.Quote) != t.pattern {
			continue // of a part of the line, or of a kind of change
		}
		if shape := match.Shape(f.Path, f.Quote); match.Calls(f.Path, shape) && strings.Count(shape, " ")+1 >= fewestTokens {
			c.Language, c.Shape = match.Language(f.Path), shape
			break
		}
	}
	return c
}

// longestSlug leaves room in the name of a file for a number and the ending.
const longestSlug = 80

// slug is what a principle is called: after its rule, with a number when another is called so.
func slug(t *tally, taken map[string]bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(t.changes[0].finding.Rule) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if text := b.String(); text != "" && !strings.HasSuffix(text, "-") {
			b.WriteByte('-')
		}
		if b.Len() == longestSlug {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if record.CheckKey(name) != nil {
		name = "rule-" + name
	}
	name = strings.Trim(name, "-")
	for n, first := 2, name; taken[name]; n++ {
		name = first + "-" + strconv.Itoa(n)
	}
	return name
}
