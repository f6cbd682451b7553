package testgen

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/causaldocs/causal/knowledge/fact"
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
	see := c.Target.Look(c)
	switch {
	case see.Want == nil:
		return Result{Failed: see.Reason}
	// The documented class of a candidate may be another name of the same.
	case see.Want.Error && c.ID != "" && c.Raises != "" && see.Raises != c.Raises:
		return Result{Failed: "it raises " + Clip(see.Raises, 80)}
	}
	return Result{Want: see.Want}
}

// caseOf returns the case that a candidate becomes, with its result.
func (t *Target) caseOf(c *Candidate, want *spec.Want) spec.Case {
	law, refused := cmp.Or(t.Recorded, spec.Golden), want != nil && want.Error
	switch {
	case c.Want != nil:
		law = spec.Example
	case refused:
		law = spec.Error
	}
	one := spec.Case{ID: spec.ID(law, c.Args, nil), Law: law, Why: cmp.Or(c.Why, t.why(law, c)), Args: c.Args, Want: want}
	if refused {
		one.Raises = c.Raises
	}
	if one.Args == nil {
		one.Args = []spec.Typed{}
	}
	return one
}

var origins = map[string]string{
	FromDoc: "the documentation names it", FromLiteral: "the code contains it", FromModel: "a model proposed it", FromBoundary: "a value at the edge",
}

// why explains a case by its law and the origin of its arguments.
func (t *Target) why(law spec.Law, c *Candidate) string {
	text := origins[c.From]
	switch {
	case law == spec.Example:
		return "the documentation shows it"
	case law == spec.Golden && len(c.Args) == 0:
		return "it is given nothing"
	case c.From == FromTest:
		text = "a test of the " + t.Within + " uses it"
	}
	if law == spec.Error {
		text += ", and it is an error"
	}
	return text
}

// Propose returns the first cases, before any run: documented ones with their results, others without.
func (t *Target) Propose() (cases []spec.Case, seeds []string) {
	laws := t.Laws[:min(len(t.Laws), mostLaws)]
	from, documented := map[string]bool{}, false
	var ids []string
	for i := range t.Candidates[:min(len(t.Candidates), MostCases-len(laws))] {
		c := &t.Candidates[i]
		one := t.caseOf(c, c.Want)
		cases, ids, from[c.From], documented = append(cases, one), append(ids, one.ID), true, documented || c.Want != nil
	}
	if !documented { // documented cases become code at once, while laws are still unverified
		for _, l := range laws {
			cases = append(cases, l.over(ids))
		}
	}
	return cases, seen(t.Taste.Origins, from)
}

// digest covers everything that proposals and code are derived from.
func (t *Target) digest() string {
	data, err := json.Marshal(t.Plan)
	if err != nil {
		data = []byte(err.Error())
	}
	parts := []string{string(data), t.Spec.Pkg, t.Spec.Symbol, t.Language, t.File, t.CodeFile, t.Reason, t.Signature, t.Rationale}
	for _, l := range t.Laws {
		parts = append(parts, fmt.Sprintf("%+v", l))
	}
	for _, c := range t.Candidates {
		parts = append(parts, c.From, spec.KeyOf(c.Args), c.Want.String(), c.Raises)
	}
	for _, n := range t.Reaches {
		parts = append(parts, n.Dir, n.Name)
	}
	return fact.Digest(parts...)
}

// Rationale says why a function is tested. Laws have their reasons in their cases, because a run may refute them.
func Rationale(symbol, said string) string {
	if said == "" {
		return "Callers rely on what " + symbol + " gives."
	}
	return "The documentation says: " + said + "."
}
