package principle

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
)

const (
	mostDismissed = 0.25 // of its last changes
	mostUnseen    = 180  // days
)

const (
	dismissedShare = "dismissed_share"
	unseenDays     = "unseen_days"
)

// Words are the condition words about principles. They are numeric, in commit time.
var Words = []condition.Word{
	{Name: dismissedShare, Params: []string{"principle"}, Numeric: true},
	{Name: unseenDays, Params: []string{"principle"}, Numeric: true},
}

var vocabulary = condition.NewVocabulary(Words...)

// Condition returns the condition under which a principle ends.
func Condition(slug string) string {
	s := strconv.Quote(slug)
	return fmt.Sprintf("%s(%s) > %g or %s(%s) > %d", dismissedShare, s, mostDismissed, unseenDays, s, mostUnseen)
}

// lately is the number of last changes that the share of dismissals covers.
const lately = 20

type share struct {
	dismissed, of int
	last          string // day of the last change
}

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

func wrong(slug string, s share, unseen int) string {
	c, err := vocabulary.Parse(Condition(slug))
	if err != nil {
		return "" // cannot happen: the slug is a file name, and quoting makes any text a valid argument
	}
	var why []string
	for _, t := range c.Evaluate(numbers{s, unseen}).Because {
		why = append(why, t.Cause.Detail)
	}
	return strings.Join(why, ", ")
}

func (a *Account) after(n int) share {
	s := share{last: a.Changes[n-1].At}
	for _, o := range a.Changes[max(n-lately, 0):n] {
		if s.of++; o.Dismissed {
			s.dismissed++
		}
	}
	return s
}

func (a *Account) neverDismissed() share { return share{of: 1, last: a.Changes[len(a.Changes)-1].At} }

// decay returns the status of an active principle and the changes that decide it. The first dismissal over the limit
// demotes it, even if later changes are known. Dismissals before its promotion do not count again, nor do known ones
// after users reactivated it.
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

// weighed returns the changes that were known when the principle's file was written. If it is active all the same, a
// user reactivated it. It returns nil after a merge, whose evidence does not match the counts.
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

// Because explains why a principle is not in force, or returns "" if a user decided it.
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
