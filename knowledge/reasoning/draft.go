package reasoning

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Draft is an event as somebody writes it: it names others by a key, by an id, by a quotation or in words.
type Draft struct {
	Type         ledger.Type   `json:"type"`
	Text         string        `json:"text,omitempty"`
	Targets      []string      `json:"targets,omitempty"`
	Resolves     []string      `json:"resolves,omitempty"`
	Considers    []string      `json:"considers,omitempty"`
	After        []string      `json:"after,omitempty"` // keys of the events that this one has seen; nil is all
	Effect       ledger.Effect `json:"effect,omitempty"`
	Supersedes   bool          `json:"supersedes,omitempty"`
	Source       string        `json:"source,omitempty"`
	Because      string        `json:"because,omitempty"` // what led to it, and Relationship how
	Relationship string        `json:"relationship,omitempty"`
	Actor        string        `json:"actor,omitempty"`
	Key          string        `json:"key,omitempty"` // by which later drafts of the same batch name it
}

// ParseDraft reads a draft from one line of JSON. A field that nobody knows is an error: it may be one that was mistyped.
func ParseDraft(line []byte) (Draft, error) {
	var d Draft
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return d, fmt.Errorf("read the event: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return d, errors.New("read the event: there is more behind it on its line")
	}
	return d, nil
}

// Reason is why an event was not recorded. A gap is better than a wrong record.
type Reason string

// The reasons for which an event is dropped.
const (
	NoCandidate    Reason = "no_candidate"    // nothing is like what it is about
	BelowThreshold Reason = "below_threshold" // nothing is enough like it
	Ambiguous      Reason = "ambiguous"       // two are alike
	WrongStatus    Reason = "wrong_status"    // what it is about cannot be treated so any more
	TooVague       Reason = "too_vague"       // it is named by too few words
	InvalidPayload Reason = "invalid_payload" // it lacks something, or has what it should not have
	Duplicate      Reason = "duplicate"       // it is recorded already
)

// Candidate is an event that may have been meant.
type Candidate struct {
	ID    ledger.ID
	Score float64 // 1 where all of the words fit
}

// DropError is why an event was not recorded, and what may have been meant instead: three at most, the nearest first.
type DropError struct {
	Reason     Reason
	Detail     string
	Candidates []Candidate
}

// Error says why.
func (d *DropError) Error() string { return d.Detail }

func drop(reason Reason, candidates []Candidate, format string, args ...any) *DropError {
	return &DropError{reason, fmt.Sprintf(format, args...), candidates[:min(len(candidates), mostCandidates)]}
}

const mostCandidates = 3
