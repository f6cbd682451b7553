// Package ledger stores the discussion about a project as typed events in an append-only log. The ID of an event is
// the SHA-256 of its content, including the IDs of the newest events at its time, so tampering is detectable. Batches
// are files named by their content that never change, so git can merge them. Signed checkpoints record the log's
// state.
//
// The package reasoning derives the current positions from the events.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// ID is the ID of an event: the SHA-256 of its canonical form, as 64 lower-case hexadecimal digits.
type ID string

// Short returns the abbreviated ID for display.
func (id ID) Short() string { return string(id[:min(len(id), shortID)]) }

const (
	idLength = 2 * sha256.Size
	shortID  = 10
)

func (id ID) valid() bool {
	return len(id) == idLength && strings.Trim(string(id), "0123456789abcdef") == ""
}

// Type is the type of an event.
type Type string

// The types of events: four positions, four acts on positions, and an occurrence.
const (
	Proposition   Type = "proposition"
	Contradiction Type = "contradiction"
	Refinement    Type = "refinement"
	Synthesis     Type = "synthesis"
	Park          Type = "park"
	Resume        Type = "resume"
	Withdraw      Type = "withdraw"
	Confirm       Type = "confirm"
	Happening     Type = "effect"
)

// Types lists all types in display order.
var Types = []Type{Proposition, Contradiction, Refinement, Synthesis, Park, Resume, Withdraw, Confirm, Happening}

// Position reports whether events of the type state a position.
func (t Type) Position() bool {
	return t == Proposition || t == Contradiction || t == Refinement || t == Synthesis
}

// Tells reports whether events of the type have a text, instead of only acting on other events.
func (t Type) Tells() bool { return t.Position() || t == Happening }

// Effect is the effect of a contradiction on its target.
type Effect string

// A contradiction defeats its target by default.
const (
	Defeats    Effect = "defeats"
	Challenges Effect = "challenges"
)

// Event is one entry of the ledger. Empty fields are not written.
type Event struct {
	ID   ID
	Type Type
	// Text is the author's text.
	Text string
	// Targets lists the events that this one contradicts, refines, combines, parks, resumes, withdraws or confirms.
	Targets []ID
	// Resolves lists the contradictions that a refinement answers.
	Resolves []ID
	// Considers lists related events, which it does not affect.
	Considers []ID
	// Effect is set only for a contradiction; empty means Defeats.
	Effect Effect
	// Supersedes is set if a synthesis replaces its parts.
	Supersedes bool
	// Cause is the event that led to this one, and Relationship explains how.
	Cause        ID
	Relationship string
	// About is the unit of an occurrence, such as module/internal/auth.
	About string
	// Source is a URL, or a file with a line.
	Source string
	// Actor is the author, and At the local clock's time as RFC 3339 in UTC. Both are informational.
	Actor string
	At    string
	// Parents lists the newest events that were seen. Lamport is one more than their maximum.
	Parents []ID
	Lamport int64
}

// Limits of an event. A page shows thousands of them, which may be untrusted.
const (
	MostText  = 16 << 10 // bytes of a text: some pages
	mostWords = 1 << 10  // bytes of a source, an actor and a relationship: a line
	mostRefs  = 256      // events in one list of references
)

func (e *Event) check() error {
	if err := e.CheckForm(); err != nil {
		return err
	}
	switch {
	case e.Type == Synthesis && len(e.Targets) < 2:
		return errors.New("a synthesis draws on two events at least")
	case (e.Type == Happening || e.Type == Proposition) && len(e.Targets) > 0:
		return fmt.Errorf("a %s has no target; list related events in considers", e.Type)
	case len(e.Resolves) > 0 && e.Type != Refinement:
		return errors.New("only a refinement resolves contradictions")
	case (e.Cause == "") != (e.Relationship == ""):
		return errors.New("cause and relationship belong together: the event that led to this one, and the words of how it did")
	}
	return e.checkRefs()
}

// CheckForm validates an event without its references.
func (e *Event) CheckForm() error {
	switch {
	case !slices.Contains(Types, e.Type):
		return fmt.Errorf("unknown event type %q; the types are %s", e.Type, list(Types))
	case strings.TrimSpace(e.Text) == "" && e.Type.Tells():
		return errors.New("it says nothing")
	case e.Effect != "" && e.Type != Contradiction:
		return errors.New("only a contradiction has an effect")
	case e.Effect != "" && e.Effect != Defeats && e.Effect != Challenges:
		return fmt.Errorf("%q is no effect; a contradiction %s, or %s", e.Effect, Defeats, Challenges)
	case e.Supersedes && e.Type != Synthesis:
		return errors.New("only a synthesis says whether it supersedes: a refinement always does")
	case e.About != "" && e.Type != Happening:
		return errors.New("only an effect can be about a unit")
	}
	return e.checkTexts()
}

func (e *Event) checkTexts() error {
	for _, t := range []struct {
		name, text string
		most       int
	}{
		{"text", e.Text, MostText}, {"source", e.Source, mostWords}, {"actor", e.Actor, mostWords}, {"relationship", e.Relationship, mostWords}, {"unit", e.About, mostWords}, {"time", e.At, mostWords},
	} {
		if !utf8.ValidString(t.text) {
			return fmt.Errorf("its %s is not UTF-8", t.name)
		}
		if len(t.text) > t.most {
			return fmt.Errorf("its %s has %d bytes, and %d are the most", t.name, len(t.text), t.most)
		}
	}
	return nil
}

func (e *Event) checkRefs() error {
	for _, refs := range [][]ID{e.Targets, e.Resolves, e.Considers, e.Parents} {
		if len(refs) > mostRefs {
			return fmt.Errorf("it names %d events in one way, and %d are the most", len(refs), mostRefs)
		}
		if !slices.IsSorted(refs) || len(slices.Compact(slices.Clone(refs))) < len(refs) {
			return errors.New("it names events twice, or not in their order")
		}
		if i := slices.IndexFunc(refs, func(id ID) bool { return !id.valid() }); i >= 0 {
			return fmt.Errorf("%q is no id of an event", refs[i])
		}
	}
	if e.Cause != "" && !e.Cause.valid() {
		return fmt.Errorf("%q is no id of an event", e.Cause)
	}
	return nil
}

func (e *Event) refs() []ID {
	out := slices.Concat(e.Targets, e.Resolves, e.Considers)
	if e.Cause != "" {
		out = append(out, e.Cause)
	}
	return out
}

// Key identifies duplicates by source, type and text, or targets without a text. It is empty without a source.
func (e *Event) Key() string {
	if e.Source == "" {
		return ""
	}
	parts := []string{e.Source, string(e.Type), e.Text}
	if e.Text == "" {
		for _, id := range e.Targets {
			parts = append(parts, string(id))
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func list[T ~string](items []T) string {
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = string(item)
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
