package report

import (
	"slices"

	"github.com/causaldocs/causal/review/principle"
)

// Candidates are the principles that wait for approval, and the state of their pull request.
type Candidates struct {
	List []Candidate `json:"list"`
	Left int         `json:"left,omitempty"` // candidates beyond mostCandidates
	// Decided are the slugs of all principles that the pull request contains.
	Decided []string `json:"decided,omitempty"`
	// Same is set if the pull request already contains exactly the candidates of the list.
	Same bool `json:"same,omitempty"`
}

// Candidate is a principle that waits for approval.
type Candidate struct {
	Slug string `json:"slug"`
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Changes are the latest changes with the finding; Found, Fixed and Dismissed count all changes.
	Changes   []Occurrence `json:"changes"`
	Found     int          `json:"found"`
	Fixed     int          `json:"fixed"`
	Dismissed int          `json:"dismissed"`
	File      []byte       `json:"file"` // content after approval
}

// Occurrence is a change with a finding of the principle.
type Occurrence struct {
	Key       string `json:"key"`
	At        string `json:"at"`
	FixedBy   string `json:"fixed_by,omitempty"`
	Dismissed bool   `json:"dismissed,omitempty"`
}

const (
	mostCandidates = 20 // a reviewer decides about a few at a time, and they must fit in the text of a pull request
	mostChanges    = 10 // for each candidate
)

// OfCandidates returns the report of the first candidates.
func OfCandidates(waiting []principle.Waiting) *Candidates {
	c := &Candidates{List: []Candidate{}, Left: max(len(waiting)-mostCandidates, 0)}
	for _, w := range waiting[:len(waiting)-c.Left] {
		one := Candidate{Slug: w.Slug, Rule: w.Rule, Why: w.Why, Changes: []Occurrence{}, File: w.Approved}
		if a := w.Account; a != nil {
			one.Found = len(a.Changes)
			one.Fixed, one.Dismissed, _ = a.Counts()
			for _, o := range slices.Backward(a.Changes[max(one.Found-mostChanges, 0):]) {
				one.Changes = append(one.Changes, Occurrence{o.Key, o.At, o.FixedBy, o.Dismissed})
			}
		}
		c.List = append(c.List, one)
	}
	return c
}
