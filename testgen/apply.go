package testgen

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/testgen/spec"
)

// Recorded is the outcome of running the tests of one function.
type Recorded struct {
	Now     spec.Depends
	Runs    int
	Results map[string]Result
	// Chosen are the cases that replace generated ones; nil to keep the cases.
	Chosen *Chosen
	// Problem is why none of the spec can become code; empty otherwise.
	Problem string
}

// Result is the outcome of a case.
type Result struct {
	Want   *spec.Want
	Failed string // why there is no result, or the law does not hold
}

// Chosen is a language's selection of cases.
type Chosen struct {
	Cases    []spec.Case
	Seeds    []string
	Coverage int
	Killed   []string // IDs of detected mutants
}

// Apply updates a spec with the outcome of a run. A result that differs from the expected one is stored in Became, for
// a person to decide.
func Apply(s *spec.Spec, r *Recorded) {
	none := r.Chosen != nil && len(r.Chosen.Cases) == 0 // the cases stay, with the reason
	if r.Chosen != nil && !none {
		replace(s, r.Chosen)
	}
	waiting := false
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.By != spec.Human {
			c.Quarantined = cmp.Or(c.Quarantined, r.Problem)
			if none {
				c.Quarantined = cmp.Or(c.Quarantined, r.Results[c.ID].Failed, "no call of it gave a result that a test can hold")
			}
		}
		if c.Became = nil; c.Quarantined != "" {
			continue
		}
		result, ran := r.Results[c.ID]
		if r.Problem != "" { // a hand-written case, which is never dropped
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
	if s.Observed = (spec.Depends{}); waiting { // it stays invalidated for the same reason
		s.Observed = r.Now
	} else {
		s.Fell, s.DependsOn = nil, r.Now
	}
	s.Evidence.Runs = r.Runs
	s.Evidence.Verified = s.Digest()
}

// replace replaces generated cases. Hand-written reasons of cases chosen again are kept.
func replace(s *spec.Spec, chosen *Chosen) {
	s.Cases = beside(s, chosen.Cases)
	s.Sign((&spec.Spec{Cases: chosen.Cases}).Texts()...)
	s.Provenance.Seeds, s.Evidence.Coverage, s.Evidence.Killed = chosen.Seeds, chosen.Coverage, chosen.Killed
}

// beside merges cases with the hand-written cases and reasons of a spec.
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

// Unverified reports whether a spec needs a run: it lacks values, is invalidated, or was edited.
func Unverified(s *spec.Spec) bool {
	switch s.Status {
	case spec.Pending, spec.Invalidated:
		return true
	case spec.Active:
		return s.Evidence.Verified != s.Digest()
	}
	return false
}

// Change is a recorded result that differs from the current one.
type Change struct {
	Spec string `json:"spec"`
	Case string `json:"case"`
	Call string `json:"call"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// String returns the change as one line.
func (c Change) String() string { return c.Call + " was " + c.Was + ", is " + c.Is }

// Accept makes the current result of a case the expected one.
func Accept(s *spec.Spec, id string) error {
	c := s.Case(id)
	if c == nil || c.Became == nil {
		return fmt.Errorf("case %s of %s has no behaviour change to accept", id, s.Target.Symbol)
	}
	if c.Became.Failed() {
		c.Quarantined, c.Became = c.Became.Text(), nil
	} else {
		if c.Law == spec.Example { // the example in the documentation is wrong
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

// Changes returns the results of a spec that changed.
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
