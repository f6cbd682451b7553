package testrun

import (
	"slices"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// passing is the spec of a job as its tests would pass: with what was recorded and, where that is another result than the one that is
// wanted, with what it gives now.
func (j *Job) passing(r *testgen.Recorded) *spec.Spec {
	s := *j.Spec
	s.Cases = slices.Clone(j.Spec.Cases)
	testgen.Apply(&s, r)
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Became != nil && c.Want != nil {
			c.Want, c.Became = c.Became, nil
			if c.Want.Text() != "" && len(c.Want.Values) == 1 && c.Want.Values[0].Type == testgen.Failure {
				c.Quarantined = c.Want.Text()
			}
		}
	}
	s.Status = spec.Active
	return &s
}

// keepOut has a case that failed be no part of the code.
func keepOut(r *testgen.Recorded, c *spec.Case, why string) {
	if r.Chosen != nil && c.By != spec.Human {
		if one := slices.IndexFunc(r.Chosen.Cases, func(o spec.Case) bool { return o.ID == c.ID }); one >= 0 {
			r.Chosen.Cases[one].Quarantined = why
			return
		}
	}
	r.Results[c.ID] = testgen.Result{Failed: why}
}
