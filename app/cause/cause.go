// Package cause tells what a push to the default branch caused, as events of the log: the push itself, and each consequence that people may
// want to know of later, with the push as its cause. It decides what is worth telling, and how it reads. Its words follow from the commits and
// from what causal knew before and knows now, so that the same push is told in the same words whoever looks.
package cause

import (
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// Push is what came to a branch at once.
type Push struct {
	Commit   string   // its newest commit
	Subjects []string // first lines of the messages of its newest commits, the newest first
	More     int      // how many commits there are besides
	Author   string   // of the newest
	At       string   // when that was made, as RFC 3339 in UTC
}

// Name adds a commit to those that the push is named by, from the newest on.
func (p *Push) Name(message string) {
	if len(p.Subjects) == MostSubjects {
		p.More++
		return
	}
	subject, _, _ := strings.Cut(message, "\n")
	p.Subjects = append(p.Subjects, plain.Line(subject, longestSubject))
}

// OnlyNewest has the push named by its newest commit alone, where nobody knows which others there are.
func (p *Push) OnlyNewest() { p.Subjects, p.More = p.Subjects[:min(len(p.Subjects), 1)], 0 }

// Consequence is one thing that a push caused.
type Consequence struct {
	About string // the unit that it happened to, such as module/internal/auth
	Text  string
	How   string // the push led to it
}

// Bounds of what is told of one push: it is one file in the log, which people read in a list.
const (
	MostSubjects   = 3
	longestSubject = 200 // bytes
	mostTold       = 50  // consequences
	longestName    = 200 // bytes of a name
)

// Record adds a push and its consequences to a log, and reports whether there was anything to add: nothing is where it caused nothing that
// is worth telling, or is told of already.
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

// add adds an event that tells what happened; fresh is false of one that is there.
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

// shortCommit is how many digits of a commit people are shown.
const shortCommit = 10

// text names the push by its commits.
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
