package principle

import (
	"fmt"
	"strconv"
	"strings"

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
	b := Open(records, files, policy)
	d := Derived{Files: map[string][]byte{}, Problems: b.Problems}
	for _, slug := range b.Slugs() {
		before, there := files[Path(slug)]
		text, p, err := b.Account(slug).Renew(slug, before)
		if err != nil || string(text) == string(before) {
			continue // what cannot be read is among the problems
		}
		d.Files[Path(slug)] = text
		if !there && (p.Status == Active || p.Status == Candidate) {
			d.Promoted = append(d.Promoted, slug)
		}
	}
	return d
}

// Renew is the text of a principle's file as the records have it now, given the one that there is: nil where there is none. Nothing
// else of it changes than what is derived, and nothing where the records say nothing of it, or people have ended it.
func (a *Account) Renew(slug string, text []byte) ([]byte, *Principle, error) {
	if text == nil {
		p := a.promote(slug)
		return p.encode(), p, nil
	}
	f, err := read(Path(slug), text)
	if err != nil {
		return nil, nil, err
	}
	if a == nil || f.Status.closed() {
		return text, &f.Principle, nil
	}
	p := a.renew(f.Principle)
	return f.edit(p), p, nil
}

// renew is a principle with what the records say of it now.
func (a *Account) renew(p Principle) *Principle {
	counted := a.Changes
	if p.Status == Active || p.Status == Expired {
		p.Status, counted = a.decay(p.Slug, a.weighed(&p))
	}
	p.Evidence = evidence(counted)
	p.Authors, _, p.Dismissed = countsOf(counted)
	if p.Check != nil {
		p.Check = a.check(len(counted))
	}
	p.Condition = Condition(p.Slug)
	return &p
}

// promote makes a principle of a pattern. What it says of itself is made of the first change, so that branches that promote it say
// the same.
func (a *Account) promote(slug string) *Principle {
	p := Principle{Slug: slug, Rule: a.Rule, Why: fmt.Sprintf("Reviews found it in %d merged changes.", a.asked), Check: a.Check, Status: Active}
	if a.approval {
		p.Status = Candidate
	}
	return a.renew(p)
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

// fewestTokens is how much a line has to say besides names to be told without its linter: of a shorter shape, others that are
// fine have the same.
const fewestTokens = 7

// check is the pattern as so many changes tell it, with the shape where that tells enough: it is of whole lines, and names what is
// called.
func (t *tally) check(changes int) *Check {
	c := &Check{Pattern: t.pattern, Severity: severity(t.changes[:changes])}
	for _, o := range t.changes[:changes] {
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
