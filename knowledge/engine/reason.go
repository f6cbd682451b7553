package engine

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
)

// Reason explains why a conclusion is invalid: the term of its condition that became true, and the change behind it.
type Reason struct {
	Because string `json:"because"`
	// Change holds the digests at the time of the conclusion and now, if one fact made the term true.
	Change fact.Change `json:"change,omitzero"`
	File   string      `json:"file,omitempty"`   // that changed
	Commit string      `json:"commit,omitempty"` // last commit that changed the file; empty if uncommitted
	Detail string      `json:"detail,omitempty"`
}

// String returns the reason in one line.
func (r Reason) String() string {
	switch {
	case r.File != "" && r.File == r.Change.Fact.Name:
		return r.File + " " + r.Detail // the file itself changed
	case r.File != "" && r.Detail != "":
		return r.File + ": " + r.Detail
	case r.Detail != "":
		return r.Detail
	}
	return cmp.Or(r.File, r.Because)
}

// Values of Because that are not condition terms.
const (
	BecauseNew     = "new" // no conclusion yet
	becauseDamaged = "damaged"
	BecauseStored  = "stored" // the stored text differs from the conclusion
)

// Details of BecauseStored.
const (
	OutOfDate = "out of date" // the cause is unknown
	Edited    = "the file was changed since the last update: only keep blocks stay"
)

// causes describes the changes in the words of the rooms that answer them.
func (l *loop) causes(v *verdict) []condition.Cause {
	byRoom := map[Room][]fact.Change{}
	var rooms []Room
	var out []condition.Cause
	for _, c := range v.changes {
		r := l.rooms[c.Fact.Family]
		if r == nil {
			out = append(out, condition.Cause{Change: c, Detail: inWords(c)})
			continue
		}
		if byRoom[r] == nil {
			rooms = append(rooms, r)
		}
		byRoom[r] = append(byRoom[r], c)
	}
	for _, r := range rooms {
		out = append(out, r.Explain(v.evidence, byRoom[r], l.units.observed)...)
	}
	return out
}

func inWords(c fact.Change) string {
	of := c.Fact.Name
	switch c.Fact.Family {
	case fact.Generators:
		return fmt.Sprintf("written by %s, now %s", c.Before, c.After)
	case fact.Units:
		return "which units of the kind " + of + " there are changed"
	case fact.Excerpts:
		of = c.Fact.Of
	}
	switch {
	case c.Before == "":
		return of + " is there now"
	case c.After == "":
		return of + " is gone"
	}
	return of + " was re-evaluated"
}

// reasonsOf matches causes with the terms of a condition. A change that no term covers is a reason too: a condition
// that omits an input must not make a stale conclusion look fresh.
func (e *Engine) reasonsOf(c condition.Condition, causes []condition.Cause) []Reason {
	terms := c.Evaluate(answers{e.vocabulary, causes}).Because
	out := make([]Reason, len(causes))
	for i, cause := range causes {
		because := forgotten(cause.Change.Fact.Family)
		for _, t := range terms {
			if t.Word.Matches == nil || !t.Word.Matches(t.Question, cause.Change) {
				continue
			}
			because = t.Expression
			if t.Word.Narrow != nil {
				word, args := t.Word.Narrow(cause.Change)
				because = word + quoted(args)
			}
			break
		}
		out[i] = Reason{Because: because, Change: cause.Change, File: cause.File, Detail: cause.Detail}
	}
	return out
}

func quoted(args []string) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = fmt.Sprintf("%q", a)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func forgotten(f fact.Family) string {
	switch f {
	case fact.Files, fact.Listings:
		return "sources"
	case fact.Symbols:
		return "uses"
	case fact.Generators:
		return generatorChanged + "()"
	}
	return string(f)
}

type answers struct {
	words  *condition.Vocabulary
	causes []condition.Cause
}

func (a answers) Answer(q condition.Question) condition.Answer {
	w, _ := a.words.Word(q.Word)
	for _, c := range a.causes {
		if w.Matches != nil && w.Matches(q, c.Change) {
			return condition.Answer{Holds: true, Cause: c}
		}
	}
	return condition.Answer{}
}
