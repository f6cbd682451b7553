package reasoning

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Draft is an event before its references are resolved. It names other events by key, ID, quotation or words.
type Draft struct {
	Type         ledger.Type   `json:"type"`
	Text         string        `json:"text,omitempty"`
	Targets      []string      `json:"targets,omitempty"`
	Resolves     []string      `json:"resolves,omitempty"`
	Considers    []string      `json:"considers,omitempty"`
	After        []string      `json:"after,omitempty"` // keys of the events that this one has seen; nil means all
	Effect       ledger.Effect `json:"effect,omitempty"`
	Supersedes   bool          `json:"supersedes,omitempty"`
	Source       string        `json:"source,omitempty"`
	Cause        string        `json:"cause,omitempty"` // with Relationship explaining it
	Relationship string        `json:"relationship,omitempty"`
	Actor        string        `json:"actor,omitempty"`
	Key          string        `json:"key,omitempty"` // name for later drafts of the same batch
}

// Imported is a draft from a document, a history or a list, or the reason why there is none.
type Imported struct {
	Draft
	Line int    // in the document or list; 0 for the position among the drafts
	At   string // when it was said; empty means the time of the recording
	Err  error
}

// ParseDraft parses a draft from one line of JSON. An unknown field is an error, because it may be mistyped.
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

// Reasons to drop an event.
const (
	NoCandidate    Reason = "no_candidate"    // no event is similar to the reference
	BelowThreshold Reason = "below_threshold" // no event is similar enough
	Ambiguous      Reason = "ambiguous"       // two events are equally similar
	WrongStatus    Reason = "wrong_status"    // the target's status does not allow the event
	TooVague       Reason = "too_vague"       // the reference has too few words
	InvalidPayload Reason = "invalid_payload" // a field is missing, or not allowed
	Duplicate      Reason = "duplicate"       // already recorded
)

// Candidate is an event that the reference may mean.
type Candidate struct {
	ID    ledger.ID
	Score float64 // 1 if all words match
}

// DropError is the reason why an event was not recorded, with at most three candidates, the best first.
type DropError struct {
	Reason     Reason
	Detail     string
	Candidates []Candidate
}

// Error returns the detail.
func (d *DropError) Error() string { return d.Detail }

func drop(reason Reason, candidates []Candidate, format string, args ...any) *DropError {
	return &DropError{reason, fmt.Sprintf(format, args...), candidates[:min(len(candidates), mostCandidates)]}
}

const mostCandidates = 3
