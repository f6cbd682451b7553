// Package spec defines test specs: YAML files that state why something is tested, with which cases, and what would
// invalidate them. Test code is generated from them.
package spec

import (
	"iter"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Schema identifies the format in each file.
const Schema = "causal.testspec/v1"

// Status is the state of a spec.
type Status string

// The statuses.
const (
	Pending     Status = "pending_record" // some case needs a value from a run
	Active      Status = "active"
	Invalidated Status = "invalidated" // its target changed since the values were recorded
	Quarantined Status = "quarantined" // nothing of it can be tested
)

// Law is the property that a case checks.
type Law string

// The laws.
const (
	RoundTrip  Law = "roundtrip"  // the inverse restores the input
	Idempotent Law = "idempotent" // applying it again changes nothing
	Order      Law = "order"      // comparison is a consistent order
	Error      Law = "error"      // the arguments are rejected
	Golden     Law = "golden"     // the result equals the recorded one
	NoPanic    Law = "no_panic"   // no input causes a panic
	Example    Law = "example"    // the result equals the documented one
	HTTP       Law = "http"       // the handler's response equals the recorded one
)

var laws = []Law{RoundTrip, Idempotent, Order, Error, Golden, NoPanic, Example, HTTP}

// Human is the value of Case.By for hand-written cases.
const Human = "human"

// Spec is the content of one file: the tests of one function or method.
type Spec struct {
	Target     Target
	FrameID    string // frame of the conclusion
	Status     Status
	Rationale  string
	Provenance Provenance
	DependsOn  Depends
	// Fell is why the spec is invalidated, or that its target is gone.
	Fell *Fell
	// Observed is the state of the target that Case.Became was seen with; zero if no case has one.
	Observed  Depends
	Condition string
	Cases     []Case
	Evidence  Evidence
}

// Target identifies the tested function.
type Target struct {
	Lang   string // go, python or typescript
	Pkg    string // import path
	Symbol string // Parse, Type.Method
}

// Provenance is the origin of the cases.
type Provenance struct {
	Generator string
	Seeds     []string // doc, literal, test, boundary
	LLM       string
	Wrote     []string // marks of generated texts; all others are hand-written
}

// Depends is the state that the values were recorded with: digests of the target's interface and transitive body, and
// the language version.
type Depends struct {
	Interface string
	Body      string
	Language  string // stored under the name of the language
}

// Fell is why a spec is invalidated.
type Fell struct {
	Because string
	File    string
	Session string
}

// Case is one check of the target. It has Args or Over.
type Case struct {
	ID      string
	Law     Law
	Why     string
	By      string   // Human or empty
	Args    []Typed  // one for each parameter, the receiver first
	Over    []string // IDs of the cases whose arguments are used
	Inverse string
	Want    *Want
	// Raises is the expected exception class, if known: ValueError, shop.errors.Refused.
	Raises string
	// Became is the result of a run that differs from Want and awaits a decision.
	Became      *Want
	Quarantined string
}

// Typed is a value with its type as written in the target's package.
type Typed struct {
	Type  string
	Value Value
}

// Value is nil, bool, int64, uint64, float64, string, []Value or map[string]Value. A map with the keys "call" and
// "args" represents the result of a constructor; args is a list of Typed.
type Value any

// Want is an expected result. Exactly one field is set.
type Want struct {
	Error    bool
	StringOf *string // the result's String
	Values   []Typed // all results except an error
}

// failure is the pseudo type of a Failure.
const failure = "failure"

// Failure returns the result of a case that fails, or whose law does not hold.
func Failure(why string) *Want { return &Want{Values: []Typed{{Type: failure, Value: why}}} }

// Failed reports whether the result is a Failure.
func (w *Want) Failed() bool { return len(w.Values) == 1 && w.Values[0].Type == failure }

// Evidence supports the cases.
type Evidence struct {
	Runs     int
	Coverage int      // statements covered by the cases
	Killed   []string // detected mutants
	// Verified is the Digest at the last run. A later edit triggers a new verification.
	Verified string
}

// Case returns a case by ID; nil when there is none.
func (s *Spec) Case(id string) *Case {
	if i := slices.IndexFunc(s.Cases, func(c Case) bool { return c.ID == id }); i >= 0 {
		return &s.Cases[i]
	}
	return nil
}

// Calls returns the cases that become a call with a result in the code.
func (s *Spec) Calls() iter.Seq[*Case] { return s.coded(true) }

// Laws returns the cases of the code that check a property.
func (s *Spec) Laws() iter.Seq[*Case] { return s.coded(false) }

func (s *Spec) coded(wanted bool) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for i := range s.Cases {
			if c := &s.Cases[i]; c.Coded() && (c.Want != nil) == wanted && !yield(c) {
				return
			}
		}
	}
}

// Kept returns the number of cases in the code; 0 for a spec that is quarantined or waits for its first run.
func (s *Spec) Kept() (n int) {
	if s.Status == Quarantined || s.Status == Pending {
		return 0
	}
	for i := range s.Cases {
		if s.Cases[i].Coded() {
			n++
		}
	}
	return n
}

// Coded reports whether a case is part of the code: it is not quarantined and its expected result is known.
func (c *Case) Coded() bool { return c.Quarantined == "" && (c.Want != nil || !c.Law.recorded()) }

func (l Law) recorded() bool { return l == Golden || l == Error || l == Example || l == HTTP }

// Waits reports whether a case needs a value from a run.
func (c *Case) Waits() bool { return c.Quarantined == "" && c.Want == nil && c.Law.recorded() }

// ID derives the ID of a case from its law and arguments, so equal cases have equal IDs.
func ID(law Law, args []Typed, over []string) string {
	parts := []string{string(law)}
	for _, a := range args {
		parts = append(parts, a.String())
	}
	parts = append(append(parts, "over"), over...)
	return "c-" + Short(parts...)
}

// Short returns a short digest that is a word.
func Short(parts ...string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return 'x'
		}
		return r
	}, strings.ToLower(fact.Digest(parts...)))[:6]
}

// Texts returns the rationale and the reasons of the cases.
func (s *Spec) Texts() []string {
	out := []string{s.Rationale}
	for i := range s.Cases {
		out = append(out, s.Cases[i].Why)
	}
	return out
}

// Sign marks texts of the spec as generated, in addition to those marked already.
func (s *Spec) Sign(texts ...string) {
	var wrote []string
	for _, text := range s.Texts() {
		if text != "" && (s.wrote(text) || slices.Contains(texts, text)) {
			wrote = append(wrote, mark(text))
		}
	}
	slices.Sort(wrote)
	s.Provenance.Wrote = slices.Compact(wrote)
}

func (s *Spec) wrote(text string) bool {
	return text == "" || slices.Contains(s.Provenance.Wrote, mark(text))
}

func mark(text string) string { return "t-" + Short(text) }

// HumanWhy reports whether the reason of a case is hand-written; false if the spec has no marks.
func (s *Spec) HumanWhy(c *Case) bool { return s.Provenance.Wrote != nil && !s.wrote(c.Why) }

// Human reports whether a spec has hand-written parts: a case, a text, or an edit since the last run.
func (s *Spec) Human() bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return c.By == Human }) ||
		slices.ContainsFunc(s.Texts(), func(text string) bool { return !s.wrote(text) }) ||
		s.Evidence.Verified != "" && s.Evidence.Verified != s.Digest()
}

// Digest covers everything of the cases that a run checks, but not their reasons or Became.
func (s *Spec) Digest() string {
	parts := []string{s.Target.Pkg, s.Target.Symbol}
	for i := range s.Cases {
		c := &s.Cases[i]
		parts = append(parts, c.ID, string(c.Law), c.Inverse, c.Want.String(), c.Raises, c.Quarantined, strings.Join(c.Over, ","))
		for _, a := range c.Args {
			parts = append(parts, a.String())
		}
	}
	return fact.Digest(parts...)
}

// Equal reports whether two results are the same.
func (w *Want) Equal(other *Want) bool { return w.String() == other.String() }

// Agrees reports whether a documented result is that of a run. The types need not be the same.
func (w *Want) Agrees(is *Want) bool {
	switch {
	case w.Error || is.Error:
		return w.Error == is.Error
	case w.StringOf != nil || is.StringOf != nil:
		return w.Text() == is.Text()
	}
	return slices.EqualFunc(w.Values, is.Values, func(a, b Typed) bool { return flow(a.Value) == flow(b.Value) })
}
