package principle

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
)

// When a principle ends.
const (
	mostDismissed = 0.25 // of the last changes with its pattern
	mostUnseen    = 180  // days
)

// The words of principles' conditions.
const (
	dismissedShare = "dismissed_share"
	unseenDays     = "unseen_days"
)

// Words are what conditions can say of principles, in the time of commits. They give numbers: no one change makes them true.
var Words = []condition.Word{
	{Name: dismissedShare, Params: []string{"principle"}, Numeric: true},
	{Name: unseenDays, Params: []string{"principle"}, Numeric: true},
}

var vocabulary = condition.NewVocabulary(Words...)

// Condition is what would end a principle.
func Condition(slug string) string {
	s := strconv.Quote(slug)
	return fmt.Sprintf("%s(%s) > %g or %s(%s) > %d", dismissedShare, s, mostDismissed, unseenDays, s, mostUnseen)
}

// lately is of how many changes, the last ones, the share is taken that dismissed a principle.
const lately = 20

// share is in how many of some changes a principle was dismissed.
type share struct {
	dismissed, of int
	last          string // day of the last one
}

// numbers answers what a condition asks of one principle. It implements condition.Facts.
type numbers struct {
	share
	unseen int
}

// Answer implements condition.Facts.
func (n numbers) Answer(q condition.Question) condition.Answer {
	if q.Word == unseenDays {
		return condition.Answer{Number: float64(n.unseen), Cause: condition.Cause{Detail: "not found since " + n.last}}
	}
	return condition.Answer{
		Number: float64(n.dismissed) / float64(n.of), Cause: condition.Cause{Detail: fmt.Sprintf("dismissed in %d of its last %d changes", n.dismissed, n.of)},
	}
}

// wrong says why a principle does not hold any more by its condition; empty while it does.
func wrong(slug string, s share, unseen int) string {
	c, err := vocabulary.Parse(Condition(slug))
	if err != nil {
		return "" // the slug is the name of a file, and any text in quotes is an argument
	}
	var why []string
	for _, t := range c.Evaluate(numbers{s, unseen}).Because {
		why = append(why, t.Cause.Detail)
	}
	return strings.Join(why, ", ")
}

// after is the share after so many of the changes.
func (a *Account) after(n int) share {
	s := share{last: a.Changes[n-1].At}
	for _, o := range a.Changes[max(n-lately, 0):n] {
		if s.of++; o.Dismissed {
			s.dismissed++
		}
	}
	return s
}

// neverDismissed is the share where dismissals do not count.
func (a *Account) neverDismissed() share { return share{of: 1, last: a.Changes[len(a.Changes)-1].At} }

// decay is what became of a principle that was active, and the changes that tell. It ends with the dismissal that is one too many,
// also where later changes are known already; one that people knew who made it active again does not count, and those before it
// was promoted were weighed then.
func (a *Account) decay(slug string, known map[string]bool) (Status, []Occurrence) {
	for i := a.promoted; i < len(a.Changes); i++ {
		if o := a.Changes[i]; o.Dismissed && !known[o.Key] && wrong(slug, a.after(i+1), 0) != "" {
			return Demoted, a.Changes[:i+1]
		}
	}
	if a.Late {
		return Expired, a.Changes
	}
	return Active, a.Changes
}

// weighed are the changes that were known when a principle was written as it is: where it is active all the same, people made it so.
// In one that was merged from two sides they are not what was counted.
func (a *Account) weighed(p *Principle) map[string]bool {
	known, dismissed := map[string]bool{}, 0
	for _, e := range p.Evidence {
		known[e.Key] = true
	}
	for _, o := range a.Changes {
		if known[o.Key] && o.Dismissed {
			dismissed++
		}
	}
	if dismissed != p.Dismissed {
		return nil
	}
	return known
}

// Because says why a principle is not in force, as far as the records tell; empty where people said so.
func (a *Account) Because(p *Principle) string {
	switch n := len(p.Evidence); {
	case a == nil:
	case p.Status == Expired && a.Late:
		return wrong(p.Slug, a.neverDismissed(), a.unseen)
	case p.Status == Demoted && n > 0 && n <= len(a.Changes) && a.Changes[n-1].Key == p.Evidence[n-1].Key && a.Changes[n-1].Dismissed:
		return wrong(p.Slug, a.after(n), 0)
	}
	return ""
}
