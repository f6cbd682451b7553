// Package cause records the consequences of a push to the default branch as events of the log: the push, and each
// notable consequence with the push as its cause. The texts are a pure function of the commits and of the conclusions
// before and after, which makes recording idempotent.
package cause

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// Push is one update of a branch.
type Push struct {
	Commit   string   // the newest
	Subjects []string // first lines of the newest commit messages, newest first
	More     int      // number of further commits
	Author   string   // of the newest
	At       string   // commit time, RFC 3339 in UTC
}

// Name adds a commit message to the subjects, in order from the newest.
func (p *Push) Name(message string) {
	if len(p.Subjects) == MostSubjects {
		p.More++
		return
	}
	subject, _, _ := strings.Cut(message, "\n")
	p.Subjects = append(p.Subjects, plain.Line(subject, longestSubject))
}

// OnlyNewest drops all subjects but the first, if the other commits are unknown.
func (p *Push) OnlyNewest() { p.Subjects, p.More = p.Subjects[:min(len(p.Subjects), 1)], 0 }

// Consequence is one effect of a push.
type Consequence struct {
	About string // the affected unit, such as module/internal/auth
	Text  string
	How   string // how the push led to it
}

// Bounds of the events of one push, which is one file in the log.
const (
	MostSubjects   = 3
	longestSubject = 200 // bytes
	mostTold       = 50  // consequences
	longestName    = 200 // bytes of a name
)

// Record adds a push and its consequences to a log. It reports false if there are no consequences, or if they are
// recorded already.
func Record(log *ledger.Log, p Push, list []Consequence) (bool, error) {
	if len(list) == 0 {
		return false, nil
	}
	source := p.Commit
	push, _, err := add(log, ledger.Event{Text: p.text(), Source: source, Actor: plain.Line(p.Author, longestName), At: p.At})
	if err != nil {
		return false, err
	}
	recorded := false
	left := max(len(list)-mostTold, 0)
	told := list[:len(list)-left]
	if left > 0 {
		told = append(told[:len(told):len(told)], Consequence{Text: fmt.Sprintf("%d more consequences of this push are not listed", left), How: "it changed much at once"})
	}
	for _, c := range told {
		_, fresh, err := add(log, ledger.Event{
			Text: c.Text, About: c.About, Cause: push, Relationship: c.How, Source: source, Actor: plain.Line(p.Author, longestName), At: p.At,
		})
		switch {
		case errors.Is(err, ledger.ErrInvalid): // a path that no event can name
		case err != nil:
			return false, err
		default:
			recorded = recorded || fresh
		}
	}
	return recorded, nil
}

// add adds an event; fresh is false if it exists already.
func add(log *ledger.Log, e ledger.Event) (id ledger.ID, fresh bool, err error) {
	e.Type = ledger.Happening
	if first, twice := log.Recorded(e); twice {
		return first.ID, false, nil
	}
	added, err := log.Add(e)
	switch {
	case errors.Is(err, ledger.ErrDuplicate):
		return added.ID, false, nil
	case err != nil:
		return "", false, fmt.Errorf("record the consequences of a push: %w", err)
	}
	return added.ID, true, nil
}

const shortCommit = 10

// text describes the push by its commits.
func (p Push) text() string {
	var subjects []string
	for _, s := range p.Subjects[:min(len(p.Subjects), MostSubjects)] {
		subjects = append(subjects, plain.Line(s, longestSubject))
	}
	commit := p.Commit[:min(len(p.Commit), shortCommit)]
	text := "Pushed " + commit
	n := len(subjects) + p.More
	if n > 1 {
		text = fmt.Sprintf("Pushed %d commits up to %s", n, commit)
	}
	if p.More > 0 {
		subjects = append(subjects, fmt.Sprintf("and %d more", p.More))
	}
	if len(subjects) > 0 {
		text += ": " + strings.Join(subjects, "; ")
	}
	return text
}
