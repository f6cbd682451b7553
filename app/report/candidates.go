package report

import (
	"slices"

	"github.com/causaldocs/causal/review/principle"
)

// Candidates are the principles that wait for approval, and what their pull request says of them.
type Candidates struct {
	List []Candidate `json:"list"`
	Left int         `json:"left,omitempty"` // how many more there are: so many are not told at once
	// Decided are those that the pull request says something about, by their slugs.
	Decided []string `json:"decided,omitempty"`
	// Same: the pull request approves those of the list, says nothing of other principles, and need not be written again.
	Same bool `json:"same,omitempty"`
}

// Candidate is one of them.
type Candidate struct {
	Slug string `json:"slug"`
	Rule string `json:"rule"`
	Why  string `json:"why"`
	// Changes are the last of those in which it was found; Found, Fixed and Dismissed count all of them.
	Changes   []Occurrence `json:"changes"`
	Found     int          `json:"found"`
	Fixed     int          `json:"fixed"`
	Dismissed int          `json:"dismissed"`
	File      []byte       `json:"file"` // once it is approved
}

// Occurrence is a change in which a principle was found.
type Occurrence struct {
	Key       string `json:"key"`
	At        string `json:"at"`
	FixedBy   string `json:"fixed_by,omitempty"`
	Dismissed bool   `json:"dismissed,omitempty"`
}

const (
	mostCandidates = 20 // a person decides about a few at a time, and the text of a pull request holds them
	mostChanges    = 10 // of each
)

// OfCandidates tells of candidates, as many as there is room for.
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
