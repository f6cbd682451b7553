package testrun

import (
	"slices"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// prove runs rounds of tests until none fails. It ends, because each round but the last takes at least one case out of the code.
func prove(round func() (again bool, err error)) error {
	for {
		if again, err := round(); err != nil || !again {
			return err
		}
	}
}

// passing is the spec of a job as its tests would pass: with what was recorded and, where the result changed, with the new one. A case
// that gives no result, or a law that does not hold, is left out.
func (j *Job) passing(r *testgen.Recorded) *spec.Spec {
	s := *j.Spec
	s.Cases = slices.Clone(j.Spec.Cases)
	testgen.Apply(&s, r)
	for i := range s.Cases {
		c := &s.Cases[i]
		if c.Became == nil {
			continue
		}
		if c.Became.Failed() {
			c.Quarantined = c.Became.Text()
		} else {
			c.Want = c.Became
		}
		c.Became = nil
	}
	s.Status = spec.Active
	return &s
}

// keepOut takes a case that failed out of the code.
func keepOut(r *testgen.Recorded, c *spec.Case, why string) {
	if r.Chosen != nil && c.By != spec.Human {
		if one := slices.IndexFunc(r.Chosen.Cases, func(o spec.Case) bool { return o.ID == c.ID }); one >= 0 {
			r.Chosen.Cases[one].Quarantined = why
			return
		}
	}
	r.Results[c.ID] = testgen.Result{Failed: why}
}
