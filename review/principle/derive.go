package principle

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/record"
)

// Policy sets when a pattern becomes a principle. Zero disables a requirement.
type Policy struct {
	Changes  int  // changes with the pattern
	Authors  int  // of those changes
	Fixed    int  // changes in which it was fixed
	Monthly  int  // promotions per month, in commit time; more wait for the next month
	Approval bool // new principles are candidates until a user activates them
}

// Derived is the result of Derive.
type Derived struct {
	Files    map[string][]byte // contents to write, by path
	Promoted []string          // slugs of new principles, sorted
	Problems []Problem
}

// Problem is an unreadable file, which stays unchanged.
type Problem struct{ Path, Reason string }

// Derive counts patterns in the records of all closed changes, and updates the principles. The order of the records
// does not matter.
func Derive(records []*record.Record, files map[string][]byte, policy Policy) Derived {
	b := Open(records, files, policy)
	d := Derived{Files: map[string][]byte{}, Problems: b.Problems}
	for _, slug := range b.Slugs() {
		before, there := files[Path(slug)]
		text, p, err := b.Account(slug).Renew(slug, before)
		if err != nil || string(text) == string(before) {
			continue // unreadable files are among the problems
		}
		d.Files[Path(slug)] = text
		if !there && (p.Status == Active || p.Status == Candidate) {
			d.Promoted = append(d.Promoted, slug)
		}
	}
	return d
}

// Renew returns the updated text of a principle's file. text is the current one, or nil for a new file. Only derived
// keys change, and none if there are no records or a user ended the principle.
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

// promote creates a principle from a pattern. Its text is the same on all branches.
func (a *Account) promote(slug string) *Principle {
	p := Principle{Slug: slug, Rule: a.Rule, Why: fmt.Sprintf("Reviews found it in %d merged changes.", a.asked), Check: a.Check, Status: Active}
	if a.approval {
		p.Status = Candidate
	}
	return a.renew(p)
}

// longestRule limits the default text of a rule to two lines, in bytes.
const longestRule = 200

func (t *tally) rule() string {
	f := t.changes[0].finding
	message := strings.Join(strings.Fields(f.Message), " ")
	if len(message) > longestRule {
		message = strings.ToValidUTF8(message[:longestRule], "") + "…"
	}
	return strings.TrimSuffix(f.Rule+": "+message, ": ")
}

// fewestTokens is the minimum size of a shape that is checked without its linter. Valid code often has shorter ones.
const fewestTokens = 7

// check returns the check after a number of changes, with a shape only for a whole line with a call.
func (t *tally) check(changes int) *Check {
	c := &Check{Pattern: t.pattern, Severity: severity(t.changes[:changes])}
	var lines []string
	for _, o := range t.changes[:changes] {
		f := o.finding
		if !strings.Contains(f.Rule, "/") || strings.Contains(f.Quote, "\n") || match.Pattern(f.Rule, f.Path, f.Quote) != t.pattern {
			continue // the pattern is of a part of the line, or of a kind of change
		}
		if shape := match.Shape(f.Path, f.Quote); match.Calls(f.Path, shape) && strings.Count(shape, " ")+1 >= fewestTokens {
			lines = append(lines, f.Quote)
			c.Language, c.Shape = match.Language(f.Path), match.CommonShape(f.Path, lines)
		}
	}
	return c
}

// longestSlug leaves room in the file name for a number and the extension.
const longestSlug = 80

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
