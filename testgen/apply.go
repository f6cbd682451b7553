package testgen

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/testgen/spec"
)

// Recorded is what running the tests of one function gave.
type Recorded struct {
	// Now is what the function was.
	Now  spec.Depends
	Runs int
	// Results are those of the cases that the spec had, by id.
	Results map[string]Result
	// Chosen are the cases that take the place of those that nobody wrote; nil where the cases stay.
	Chosen *Chosen
	// Problem is why nothing of the spec is for code; empty when something is.
	Problem string
}

// Result is what became of a case.
type Result struct {
	Want   *spec.Want // what it gave
	Failed string     // why it gave nothing, or why its law does not hold
}

// Chosen are cases that a language chose from what was tried.
type Chosen struct {
	Cases    []spec.Case
	Seeds    []string
	Coverage int
	Killed   []string // mutants that one of the cases notices
}

// Apply takes what a run gave into a spec. A result that is another than the one that is wanted is kept beside it: a person decides.
func Apply(s *spec.Spec, r *Recorded) {
	if r.Chosen != nil {
		replace(s, r.Chosen)
	}
	if r.Problem != "" {
		for i := range s.Cases {
			if c := &s.Cases[i]; c.By != spec.Human && c.Quarantined == "" {
				c.Quarantined = r.Problem
			}
		}
	}
	waiting := false
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Became = nil; c.Quarantined != "" {
			continue
		}
		result, ran := r.Results[c.ID]
		if r.Problem != "" { // a person wrote the case: it is never dropped
			result, ran = Result{Failed: r.Problem}, true
		}
		if !ran {
			continue
		}
		became := result.Want
		if result.Failed != "" {
			became = spec.Failure(result.Failed)
		}
		switch {
		case c.Want == nil && result.Failed == "":
			if c.Waits() {
				c.Want = result.Want
			}
			if c.Law == spec.Golden && c.Want != nil && c.Want.Error {
				c.Law = spec.Error
			}
		case c.Want == nil && c.Waits() && c.By != spec.Human:
			c.Quarantined = result.Failed
		case !c.Want.Equal(became):
			c.Became, waiting = became, true
		}
	}
	if s.Observed = (spec.Depends{}); waiting { // it is invalidated still, for the same reason
		s.Observed = r.Now
	} else {
		s.Fell, s.DependsOn = nil, r.Now
	}
	s.Evidence.Runs = r.Runs
	s.Evidence.Verified = s.Digest()
}

// replace puts the cases that were chosen in the place of those that nobody wrote. What people said of one that is chosen again stays.
func replace(s *spec.Spec, chosen *Chosen) {
	s.Cases = beside(s, chosen.Cases)
	s.Sign((&spec.Spec{Cases: chosen.Cases}).Texts()...)
	s.Provenance.Seeds, s.Evidence.Coverage, s.Evidence.Killed = chosen.Seeds, chosen.Coverage, chosen.Killed
}

// beside are other cases for a spec with what people wrote: a case, and the reason of one.
func beside(s *spec.Spec, others []spec.Case) []spec.Case {
	out := slices.Clone(others)
	for _, c := range s.Cases {
		at := slices.IndexFunc(out, func(o spec.Case) bool { return o.ID == c.ID })
		switch {
		case at >= 0 && c.By == spec.Human:
			out[at] = c
		case at >= 0:
			out[at].Why = c.Why
		case c.By == spec.Human:
			out = append(out, c)
		case s.HumanWhy(&c):
			c.Quarantined = cmp.Or(c.Quarantined, "other cases were chosen; it is kept because a person wrote why it is there")
			out = append(out, c)
		}
	}
	return out
}

// Unverified reports whether a run would tell something about a spec: it waits for values, fell, or people changed its cases.
func Unverified(s *spec.Spec) bool {
	switch s.Status {
	case spec.Pending, spec.Invalidated:
		return true
	case spec.Active:
		return s.Evidence.Verified != s.Digest()
	}
	return false
}

// Change is a recorded result that is another now.
type Change struct {
	Spec string `json:"spec"`
	Case string `json:"case"`
	Call string `json:"call"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// String says it in one line.
func (c Change) String() string { return c.Call + " was " + c.Was + ", is " + c.Is }

// Accept takes what a case became as what is wanted.
func Accept(s *spec.Spec, id string) error {
	c := s.Case(id)
	if c == nil || c.Became == nil {
		return fmt.Errorf("case %s of %s has no behaviour change to accept", id, s.Target.Symbol)
	}
	if c.Became.Failed() {
		c.Quarantined, c.Became = c.Became.Text(), nil
	} else {
		if c.Law == spec.Example { // the documentation is no witness of what it contradicts
			c.Law = spec.Golden
			if !s.HumanWhy(c) {
				c.Why = "accepted; the documentation says " + c.Want.Text()
				s.Sign(c.Why)
			}
		}
		c.Want, c.Became = c.Became, nil
		if c.Want.Error && c.Law == spec.Golden {
			c.Law = spec.Error
		} else if !c.Want.Error && c.Law == spec.Error {
			c.Law = spec.Golden
		}
	}
	s.Evidence.Verified = s.Digest()
	return nil
}

// Changes lists the results of a spec that are others now.
func Changes(file string, s *spec.Spec) []Change {
	out := []Change{}
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Became == nil {
			continue
		}
		was := c.Want.Text()
		if c.Want == nil {
			was = "holds"
		}
		out = append(out, Change{file, c.ID, spec.CallText(s.Target.Symbol, c), was, c.Became.Text()})
	}
	return out
}
