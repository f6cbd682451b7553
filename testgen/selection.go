package testgen

import (
	"slices"

	"github.com/causaldocs/causal/testgen/spec"
)

// MostCases limits the cases of a spec.
const MostCases = 6

// slow is the longest accepted call, in microseconds.
const slow = 1_000_000

// Unstable is the reason for a candidate whose runs differ.
const Unstable = "it gives another result in another run"

// Selection chooses among options, and collects the cases that are kept out.
type Selection[O any] struct {
	Options, Taken []O
	// Want returns the recorded result of an option.
	Want func(*O) *spec.Want
	// Gain scores the information that an option adds to the taken ones. Took receives each taken option.
	Gain func(*O) (gain int, adds bool)
	Took func(*O)
	// Out are the quarantined cases, and Contradicted those whose result differs from the documentation.
	Out, Contradicted []spec.Case
	unstable          bool
}

// Settles reports whether the runs of a call agree on an outcome that a test may wait for. If not, it quarantines one.
func (s *Selection[O]) Settles(c *Call, one spec.Case, most int) bool {
	reason := unsettled(c.Runs)
	if s.unstable = s.unstable || reason == Unstable; reason == "" && c.Runs[0].Info().Micros > slow {
		reason = "it takes more than a second"
	}
	if reason != "" {
		s.KeepOut(one, reason, most)
	}
	return reason == ""
}

// Agree reports whether there are options, all of which are dropped if any call of the function is unstable.
func (s *Selection[O]) Agree() bool {
	if s.unstable {
		s.Options = nil
	}
	return len(s.Options) > 0
}

// LawCase returns the case of a law that holds for other cases.
func LawCase(law spec.Law, why, inverse string, over []string) spec.Case {
	return spec.Case{ID: spec.ID(law, nil, over), Law: law, Why: why, Over: over, Inverse: inverse}
}

// Take takes the option that adds most until most are taken or none adds anything.
func (s *Selection[O]) Take(most int) {
	for len(s.Taken) < most {
		best, bestGain := -1, 0
		for i := range s.Options {
			if gain, adds := s.Gain(&s.Options[i]); adds && (best < 0 || gain > bestGain) {
				best, bestGain = i, gain
			}
		}
		if best < 0 {
			return
		}
		s.Add(best)
	}
}

// Others takes fitting options with a result unlike those taken, until most are taken.
func (s *Selection[O]) Others(most int, fit func(*O) bool) {
	for i := 0; len(s.Taken) < most && i < len(s.Options); i++ {
		if o := &s.Options[i]; fit(o) && s.Differs(o) {
			s.Add(i)
			i--
		}
	}
}

// Differs reports whether no option with the same result is taken.
func (s *Selection[O]) Differs(o *O) bool {
	return !slices.ContainsFunc(s.Taken, func(t O) bool { return s.Want(&t).Equal(s.Want(o)) })
}

// Add takes an option.
func (s *Selection[O]) Add(i int) {
	o := s.Options[i]
	s.Took(&o)
	s.Taken = append(s.Taken, o)
	s.Options = slices.Delete(s.Options, i, i+1)
}

// KeepOut quarantines a case unless there are most, or one with the same reason.
func (s *Selection[O]) KeepOut(one spec.Case, reason string, most int) {
	if len(s.Out) < most && !slices.ContainsFunc(s.Out, func(o spec.Case) bool { return o.Quarantined == reason }) {
		one.Quarantined = reason
		s.Out = append(s.Out, one)
	}
}

// Contradict quarantines a case whose result contradicts the documentation.
func (s *Selection[O]) Contradict(one spec.Case, said, gives string) {
	if len(s.Contradicted) < MostCases {
		one.Want, one.Quarantined = nil, "the documentation says "+said+", and it gives "+gives
		s.Contradicted = append(s.Contradicted, one)
	}
}

// Tally records the covered code, result classes and argument origins of the selected options.
type Tally struct{ reached, classes, seeds map[string]bool }

// NewTally returns an empty Tally.
func NewTally() Tally { return Tally{map[string]bool{}, map[string]bool{}, map[string]bool{}} }

// News scores the code and the class of an option that no taken one shows.
func (t Tally) News(code []string, class string) (gain int) {
	for _, c := range code {
		if !t.reached[c] {
			gain += 4
		}
	}
	if !t.classes[class] {
		gain += 3
	}
	return gain
}

// Note notes a taken option.
func (t Tally) Note(code []string, class, from string) {
	for _, c := range code {
		t.reached[c] = true
	}
	t.classes[class], t.seeds[from] = true, true
}

// Chosen returns the result of a selection, without its cases.
func (t Tally) Chosen(origins []string) *Chosen {
	return &Chosen{Coverage: len(t.reached), Seeds: Seen(origins, t.seeds)}
}

// TextClass returns a coarse class of a text.
func TextClass(s string) string {
	switch {
	case s == "":
		return "empty"
	case s[0] == '-':
		return "minus"
	}
	return "text"
}
