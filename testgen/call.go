package testgen

import (
	"cmp"

	"github.com/causaldocs/causal/testgen/spec"
)

// Candidate is a call that may become a case.
type Candidate struct {
	Args   []spec.Typed // the receiver first
	From   string       // the least informative origin of its arguments
	Why    string       // describes that origin; empty for the usual description
	Want   *spec.Want   // the documented result, if any
	Raises string       // the documented exception class, if any
}

// Call is a call that is run: of a case, or of a candidate.
type Call struct {
	Candidate

	Target *Target
	ID     string // of the case; empty for a candidate
	Number int    // in the recorder
	Fault  string // why it cannot be made
	Runs   []Run
}

// Run is the outcome of a call, as a recorder writes it.
type Run interface {
	Info() *RunInfo
	// Same returns the part that must be the same in all runs.
	Same() string
}

// RunInfo is the part of an outcome that all languages have.
type RunInfo struct {
	Made   bool   `json:"m,omitempty"` // the arguments were made
	Ended  string `json:"x,omitempty"` // why the process was killed
	Micros int64  `json:"u,omitempty"`
	Varies bool   `json:"w,omitempty"` // a repeated call in the process gave another result
}

// Info implements Run.
func (r *RunInfo) Info() *RunInfo { return r }

// unsettled returns the reason why the runs of a call have no common result, if any.
func unsettled(runs []Run) string {
	for _, r := range runs {
		if why := r.Info().Ended; why != "" {
			return why
		}
	}
	for _, r := range runs {
		if r.Info().Varies || r.Same() != runs[0].Same() {
			return Unstable
		}
	}
	return ""
}

// Settle returns the result on which all runs of a case agree, or why there is none.
func (c *Call) Settle() Result {
	if c.Fault != "" {
		return Result{Failed: c.Fault}
	}
	if len(c.Runs) == 0 {
		return Result{Failed: "it was not run: others of the function ended the process"}
	}
	if why := unsettled(c.Runs); why != "" {
		return Result{Failed: why}
	}
	raises := c.Raises
	if c.ID == "" { // the documented class may be another name of the same
		raises = ""
	}
	want, failed := c.Target.Expect(c.Runs[0], raises)
	return Result{Want: want, Failed: failed}
}

// CaseOf returns the case that a candidate becomes, with its result. recorded is the law of results that no documentation
// shows, and within is where tests use such arguments.
func CaseOf(c *Candidate, want *spec.Want, recorded spec.Law, within string) spec.Case {
	law, refused := recorded, want != nil && want.Error
	switch {
	case c.Want != nil:
		law = spec.Example
	case refused:
		law = spec.Error
	}
	one := spec.Case{ID: spec.ID(law, c.Args, nil), Law: law, Why: cmp.Or(c.Why, why(law, c, within)), Args: c.Args, Want: want}
	if refused {
		one.Raises = c.Raises
	}
	if one.Args == nil {
		one.Args = []spec.Typed{}
	}
	return one
}

var origins = map[string]string{
	FromDoc: "the documentation names it", FromLiteral: "the code decides by it", FromModel: "a model proposed it", FromBoundary: "a value at the edge",
}

// why explains a case by its law and the origin of its arguments.
func why(law spec.Law, c *Candidate, within string) string {
	text := origins[c.From]
	switch {
	case law == spec.Example:
		return "the documentation shows it"
	case law == spec.Golden && len(c.Args) == 0:
		return "it is given nothing"
	case c.From == FromTest:
		text = "a test of the " + within + " uses it"
	}
	if law == spec.Error {
		text += ", and it is refused"
	}
	return text
}
