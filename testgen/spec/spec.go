// Package spec holds test specs: why something is tested, with which cases, and what would make that wrong. A spec is a page of YAML
// that people read and edit; the code of the tests is derived from it.
package spec

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Schema names the format, as each file does.
const Schema = "causal.testspec/v1"

// Status is how far a spec is from code.
type Status string

// The statuses.
const (
	Pending     Status = "pending_record" // some case waits for a value that only a run can give
	Active      Status = "active"
	Invalidated Status = "invalidated" // its target changed since the values were recorded
	Quarantined Status = "quarantined" // nothing of it can be tested, for the reasons that its cases tell
)

// Law is what a case holds its target to.
type Law string

// The laws.
const (
	RoundTrip  Law = "roundtrip"  // what the inverse makes of a result leads back to it
	Idempotent Law = "idempotent" // a second time changes nothing
	Order      Law = "order"      // values compare as an order does
	Error      Law = "error"      // the arguments are refused
	Golden     Law = "golden"     // the result is the one that was recorded
	NoPanic    Law = "no_panic"   // no input makes it panic
	Example    Law = "example"    // the result is the one that the documentation shows
	HTTP       Law = "http"       // the handler answers a request as it was recorded
)

var laws = []Law{RoundTrip, Idempotent, Order, Error, Golden, NoPanic, Example, HTTP}

// Human is who a case is by that a person wrote. Cases of others are by nobody in particular.
const Human = "human"

// Spec is what one file says: the tests of one function or method.
type Spec struct {
	Target     Target
	FrameID    string // where it was concluded
	Status     Status
	Rationale  string
	Provenance Provenance
	DependsOn  Depends
	// Fell is why an invalidated spec is, or one whose target is gone.
	Fell *Fell
	// Observed is what the target was when Case.Became was seen; zero where nothing is waiting.
	Observed  Depends
	Condition string
	Cases     []Case
	Evidence  Evidence
}

// Target is what is tested.
type Target struct {
	Lang   string // go, python or typescript
	Pkg    string // what the test imports
	Symbol string // Parse, Type.Method
}

// Provenance is where the cases come from.
type Provenance struct {
	Generator string
	Seeds     []string // doc, literal, test, boundary
	LLM       string
	Wrote     []string // marks of the texts that causal wrote: any other text is a person's
}

// Depends is what the values were recorded under: the digests of what callers see of the target and of all that it does, and the
// language's version.
type Depends struct {
	Interface string
	Body      string
	Language  string // a version, under the name of the language
}

// Fell is why a spec is invalidated.
type Fell struct {
	Because string // a term of the condition
	File    string // through which
	Session string // that found it
}

// Case is one thing that the target is held to. It has Args or Over.
type Case struct {
	ID   string
	Law  Law
	Why  string
	By   string   // Human or nobody
	Args []Typed  // one for each parameter, that of the receiver first
	Over []string // ids of the cases whose arguments are taken
	// Inverse is the symbol that leads back, of a round trip.
	Inverse string
	Want    *Want
	// Raises is the class of the exception that is wanted, where a language has such and it is known: ValueError, shop.errors.Refused.
	Raises string
	// Became is what a run gave in place of Want, and nobody has decided about.
	Became *Want
	// Quarantined is why the case is no part of the code.
	Quarantined string
}

// Typed is a value with its type as code of the target's package writes it.
type Typed struct {
	Type  string
	Value Value
}

// Value is a literal: nil, bool, int64, uint64, float64, string, []Value or map[string]Value. A map with the one key "call" stands
// for what a constructor makes of "args", a list of Typed.
type Value any

// Want is a result. It has one of its fields.
type Want struct {
	Error    bool
	StringOf *string // what String says of the result
	Values   []Typed // the results but an error; one where there is one
}

// failure is the type of what became of a case that gives no result any more.
const failure = "failure"

// Failure is what a case became that gives no result, or whose law does not hold.
func Failure(why string) *Want { return &Want{Values: []Typed{{Type: failure, Value: why}}} }

// Failed reports whether a case became a Failure.
func (w *Want) Failed() bool { return len(w.Values) == 1 && w.Values[0].Type == failure }

// Evidence is what speaks for the cases.
type Evidence struct {
	Runs     int      // that gave the same
	Coverage int      // statements that the cases reach
	Killed   []string // mutants that a case notices
	// Verified is the digest of the cases as they were run. What people change afterwards is run by the next verification.
	Verified string
}

// Case returns a case; nil when there is none of that id.
func (s *Spec) Case(id string) *Case {
	if i := slices.IndexFunc(s.Cases, func(c Case) bool { return c.ID == id }); i >= 0 {
		return &s.Cases[i]
	}
	return nil
}

// Kept counts the cases that are in the code: there is none of a quarantined spec.
func (s *Spec) Kept() (n int) {
	if s.Status == Quarantined {
		return 0
	}
	for i := range s.Cases {
		if s.Cases[i].Coded() {
			n++
		}
	}
	return n
}

// Coded reports whether a case is for code: it is not kept out, and what it asks for is known.
func (c *Case) Coded() bool { return c.Quarantined == "" && (c.Want != nil || !c.Law.recorded()) }

// recorded reports whether a law needs the value of a run.
func (l Law) recorded() bool { return l == Golden || l == Error || l == Example || l == HTTP }

// Waits reports whether a case waits for a value.
func (c *Case) Waits() bool { return c.Quarantined == "" && c.Want == nil && c.Law.recorded() }

// ID names a case after its law and its arguments, so that the same case has the same name wherever it is found.
func ID(law Law, args []Typed, over []string) string {
	parts := []string{string(law)}
	for _, a := range args {
		parts = append(parts, a.String())
	}
	parts = append(append(parts, "over"), over...)
	return "c-" + short(parts...)
}

func short(parts ...string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return 'x'
		}
		return r
	}, strings.ToLower(fact.Digest(parts...)))[:6]
}

// Texts are the rationale and the reasons of the cases.
func (s *Spec) Texts() []string {
	out := []string{s.Rationale}
	for i := range s.Cases {
		out = append(out, s.Cases[i].Why)
	}
	return out
}

// Sign notes which texts of a spec causal wrote, beside those that are noted already.
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

func mark(text string) string { return "t-" + short(text) }

// HumanWhy reports whether a person wrote the reason of a case. It is false where the spec has no marks.
func (s *Spec) HumanWhy(c *Case) bool { return s.Provenance.Wrote != nil && !s.wrote(c.Why) }

// Human reports whether a person wrote something in a spec: a case, a text, or a result that was not run since.
func (s *Spec) Human() bool {
	return slices.ContainsFunc(s.Cases, func(c Case) bool { return c.By == Human }) ||
		slices.ContainsFunc(s.Texts(), func(text string) bool { return !s.wrote(text) }) ||
		s.Evidence.Verified != "" && s.Evidence.Verified != s.Digest()
}

// Digest identifies the cases as a run sees them: not why they are there, and not what became of them.
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
