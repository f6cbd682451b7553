// Package ledger keeps what was thought about a project as typed events: a log that is only added to. An event is named by the
// SHA-256 of what it says and names the events that were the newest when it was written, so that it cannot be changed, moved or
// taken out of the middle without a trace; two branches that both wrote are two ends of one graph, which the next event joins.
// Events lie in batches, files that are named by their content and never written again: git merges them, whoever wrote what. Checkpoints
// beside them say, signed, what the log was at a time: every later one has all of that.
//
// What became of what was thought is not kept here: the package reasoning derives it from the events.
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

// ID names an event: the SHA-256 of its canonical form, as 64 hexadecimal digits in lower case.
type ID string

// Short is the beginning of an id that people are shown.
func (id ID) Short() string { return string(id[:min(len(id), shortID)]) }

const (
	idLength = 2 * sha256.Size
	shortID  = 10
)

func (id ID) valid() bool {
	return len(id) == idLength && strings.Trim(string(id), "0123456789abcdef") == ""
}

// Type says what an event does to what was thought before.
type Type string

// The types of events. The first four say something new, the next four do something to what was said, and the last tells
// what happened.
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

// Types are all types, in the order in which people are told of them.
var Types = []Type{Proposition, Contradiction, Refinement, Synthesis, Park, Resume, Withdraw, Confirm, Happening}

// Position reports whether events of the type say something that may hold or not.
func (t Type) Position() bool {
	return t == Proposition || t == Contradiction || t == Refinement || t == Synthesis
}

// Tells reports whether events of the type say something by themselves, and not only do something to what others say.
func (t Type) Tells() bool { return t.Position() || t == Happening }

// Effect is what a contradiction does to what it contradicts.
type Effect string

// A contradiction defeats what it contradicts where it does not say that it merely challenges it.
const (
	Defeats    Effect = "defeats"
	Challenges Effect = "challenges"
)

// Event is one entry of the ledger. What is empty is not written.
type Event struct {
	ID   ID
	Type Type
	// Text is what was said, in somebody's words.
	Text string
	// Targets are what the event is about: what is contradicted, refined, put together, parked, resumed, taken back or confirmed.
	Targets []ID
	// Resolves are the contradictions that a refinement is an answer to.
	Resolves []ID
	// Considers are the events in the light of which something is said that changes nothing about them.
	Considers []ID
	// Effect is of a contradiction; empty is Defeats.
	Effect Effect
	// Supersedes says of a synthesis that it stands in the place of its parts.
	Supersedes bool
	// Cause is the event that led to this one, Relationship how.
	Cause        ID
	Relationship string
	// About is the unit that something happened to, such as module/internal/auth.
	About string
	// Source is where it was said: a URL, or a file with a line.
	Source string
	// Actor is who said it, At when by the clock of the machine, as RFC 3339 in UTC. Nothing follows from either.
	Actor string
	At    string
	// Parents are the newest events that were seen, Lamport is one more than the greatest of theirs.
	Parents []ID
	Lamport int64
}

// Limits of what one event holds. A page shows thousands of them, whoever wrote them.
const (
	MostText  = 16 << 10 // bytes of a text: some pages
	mostWords = 1 << 10  // bytes of a source, an actor and a relationship: a line
	mostRefs  = 256      // events that one names in one way
)

// check says what an event lacks that its type needs, and what it has that it should not have.
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
		return errors.New("a cause needs the words of how it led here, and those a cause")
	}
	return e.checkRefs()
}

// CheckForm says what an event lacks, or has too much of, whichever others it is about.
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

// refs are the events that one names, whether it saw them or not.
func (e *Event) refs() []ID {
	out := slices.Concat(e.Targets, e.Resolves, e.Considers)
	if e.Cause != "" {
		out = append(out, e.Cause)
	}
	return out
}

// Key is what makes two records one: the same words of the same type from the same place or, without words, of the same events. Empty where no
// place is named.
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
