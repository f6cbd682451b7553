package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/session"
)

// Unit names what a conclusion is about. In text it is "kind/subject".
type Unit struct {
	Kind    string
	Subject string
}

// String is how frames, facts and sessions name the unit. A subject may be a path, and is written as one.
func (u Unit) String() string { return u.Kind + "/" + canonical.Path(u.Subject) }

// ParseUnit reads what String wrote.
func ParseUnit(s string) (Unit, error) {
	kind, text, _ := strings.Cut(s, "/")
	subject, err := canonical.ParsePath(text)
	if err != nil {
		return Unit{}, fmt.Errorf("unit %q: %w", s, err)
	}
	if kind == "" || subject == "" {
		return Unit{}, fmt.Errorf("unit %q: write it as kind/subject", s)
	}
	return Unit{kind, subject}, nil
}

// ConclusionOf is the fact of what is concluded about a unit.
func ConclusionOf(u Unit) fact.Fact { return fact.New(fact.Conclusions, u.String()) }

// ExcerptOf is the fact of one named part of what is concluded about a unit. Whoever rests on no more than that is not
// concerned when the rest changes.
func ExcerptOf(u Unit, part string) fact.Fact { return fact.Of(fact.Excerpts, u.String(), part) }

// UnitsOf is the fact of which units of a kind there are.
func UnitsOf(kind string) fact.Fact { return fact.New(fact.Units, kind) }

// Reader reads facts. What is read through the Reader of an Input is the evidence of the conclusion: complete, because there
// is no other way to read.
//
// The value of a conclusion is its Body, that of an excerpt its text, that of the units of a kind their subjects, sorted.
// All other facts have the values that their rooms give them. What is not there has no value: nil.
type Reader interface {
	Read(f fact.Fact) (value any, err error)
}

// Plugin concludes something about the units of its kinds. It owns what a model sees, what is kept of the answer and where it
// goes. It owns no causality: it gets values, what it returns is checked, and nothing that it does to what it was given has an
// effect. It has no state between calls, and is called concurrently.
type Plugin interface {
	// Kinds describes what it concludes about.
	Kinds() []Kind
	// TransformInput decides what the model sees of a unit: the context slice of the current frame.
	TransformInput(in Input, core CoreContext) (map[string]any, error)
	// Draft answers without a model, in the form that a model would use, so that ParseOutput has one way in. Nothing but the
	// slice decides what it says.
	Draft(slice map[string]any) (string, error)
	// ParseOutput turns the answer into structured knowledge. It trusts nothing in the answer.
	ParseOutput(raw string, in Input, f frame.Frame) (Conclusion, error)
	// Store puts the conclusion where it belongs. A side effect only: everything was decided before.
	Store(c Conclusion, f frame.Frame) error
}

// Kind is one kind of units.
type Kind struct {
	// Name is the first part of the units' names: a word in lower-case letters.
	Name string
	// Derived conclusions follow from the facts and from the stored conclusion: a unit is stale only if evaluating it again gives another
	// result. Other kinds are compared by the evidence that is stored with them.
	Derived bool
	// Ask returns the request of an update to a model about a unit of a Derived kind, nil if nothing is open. slice is what TransformInput
	// returned. A nil Ask means that no model is asked.
	Ask func(in Input, slice map[string]any) (*prompt.Request, error)
	// Serial reports whether a unit asks a model while it is evaluated. Then the units of its kind are evaluated one after the other, in
	// their order. It may be nil.
	Serial func(subject string) bool
	// Rendered marks a kind that only shows conclusions about other units: sessions keep no frame of it.
	Rendered bool
	// Subjects lists what there is to conclude about. It is asked again when something that it read changed.
	Subjects func(r Reader) ([]string, error)
	// Generator names the versions that make the conclusion; the engine adds the model's name.
	Generator func(r Reader, subject string) (string, error)
	// Path is the file that a unit is stored in, and Owner the subject whose conclusion a file holds.
	Path  func(subject string) string
	Owner func(file string) (subject string, ok bool)
	// Load reads what is stored; nil when nothing is.
	Load func(r Reader, subject string) (*Conclusion, error)
	// Remove removes what is stored of a unit that no longer exists and reports whether there was anything to remove.
	Remove func(subject string) (Removal, error)
	// Gone says why a unit is no more; nil where there is nothing to say.
	Gone func(r Reader, subject string) Reason
	// Annotate adds to the causes for which a conclusion fell what only the plugin knows; nil where that is nothing.
	Annotate func(r Reader, stored *Conclusion, causes []condition.Cause)
	// Differing lists the files that account for the difference of two conclusions: no other file is a reason. ok is false if they are
	// unknown. It may be nil.
	Differing func(stored, now *Conclusion) (files map[string]bool, ok bool)
}

// Removal is what became of a unit that is no more.
type Removal struct {
	Done    bool // it was removed, or would be
	Written bool // something else was put in its place
	Blocked []Problem
}

// Problem is something that no run can mend: a person has to.
type Problem struct {
	Because string
	Mend    string
}

// Conclusion is what is concluded about a unit, as a plugin makes it or as it is stored.
type Conclusion struct {
	Unit Unit
	// Text is the conclusion in a sentence, Body all of it in the plugin's own form. Whoever reads the conclusion gets the same
	// Body: nobody changes it.
	Text string
	Body any
	// Digest identifies the content; an equal one means that nothing new was concluded.
	Digest string
	// Stored is the digest of what the unit's file says, without provenance, where the file holds less than Digest covers. A unit
	// is stale when the Stored of its file differs from that of a new evaluation.
	Stored string
	// Outdated marks a conclusion whose file has an earlier format: an update writes it again.
	Outdated bool
	// Excerpts are parts of the content that others may rest on alone, by name.
	Excerpts   map[string]string
	Confidence float64
	// Condition says what would make it wrong, in the engine's vocabulary. Without one it is refused: it would be a cache and no
	// knowledge.
	Condition string
	// Kept says why this is an earlier content and not what would be concluded now; empty when it is not. Partial says that not
	// all could be read.
	Kept    string
	Partial bool
	// Blocked is what stands in the way of storing it, or is wrong with it and can be mended only by a person. Damaged says why
	// what is stored cannot be trusted.
	Blocked []Problem
	Damaged string
	// Open reports whether a model could add to the conclusion: Kind.Ask has a question about it. Dropped lists the sentences of a model
	// that the conclusion leaves out.
	Open    bool
	Dropped []prompt.Dropped
	// Cause says why the stored text is out of date, if the plugin knows it better than the evidence.
	Cause string

	// Evidence and Generator are the engine's to fill in when a conclusion is made. Of one that is stored they are what was
	// stored with it, the evidence in the order in which it was read: what was read first decided what was read then.
	Evidence  []fact.Observation
	Generator string

	// Frame is where it was concluded, "<session>/<frame>"; empty when its provenance is unknown.
	Frame string
}

// fileDigest is the digest of what the unit's file says.
func (c *Conclusion) fileDigest() string { return cmp.Or(c.Stored, c.Digest) }

// clone returns a copy; the Body is the plugin's own, and shared.
func (c *Conclusion) clone() *Conclusion {
	if c == nil {
		return nil
	}
	out := *c
	out.Excerpts, out.Blocked, out.Evidence = maps.Clone(c.Excerpts), slices.Clone(c.Blocked), slices.Clone(c.Evidence)
	return &out
}

// Input is what a plugin is asked about.
type Input struct {
	Reader
	Unit Unit
	// Previous is what is stored, nil when nothing is, and Reasons why that does not hold.
	Previous  *Conclusion
	Reasons   []Reason
	Generator string
	Origin    Origin
	// Again: a model is asked although nothing is open (Config.Again).
	Again bool
}

// CoreContext is what the core has resolved before a plugin runs, as seed 000 has it. What it holds and returns is copied: changing
// it changes nothing that the core goes by. Lists are copied when they are asked for, since most plugins need none of them.
type CoreContext struct {
	// CurrentFrame has its question and its place in the tree; the context slice is the plugin's to choose, and the id follows
	// from it.
	CurrentFrame frame.Frame
	// Index reads the frames of this session that concluded before the wave.
	Index frame.View

	shown *shown
}

// shown is what all plugins of a wave are told.
type shown struct {
	artifacts          session.Artifacts
	changed, suspended []string
	invalidated        func() []string
}

// Artifacts is what the session is about; what it concludes is in the Index.
func (c CoreContext) Artifacts() session.Artifacts {
	if c.shown == nil {
		return session.Artifacts{}
	}
	a := c.shown.artifacts
	a.Files = maps.Clone(a.Files)
	return a
}

// ChangedFiles are the files that changed since the last run, and those through which something fell.
func (c CoreContext) ChangedFiles() []string {
	return c.list(func(s *shown) []string { return s.changed })
}

// Changed reports whether a file is one of the ChangedFiles.
func (c CoreContext) Changed(file string) bool {
	if c.shown == nil {
		return false
	}
	_, found := slices.BinarySearch(c.shown.changed, file)
	return found
}

// InvalidatedFrames are those whose conclusions fell, "<session>/<frame>".
func (c CoreContext) InvalidatedFrames() []string {
	return c.list(func(s *shown) []string { return s.invalidated() })
}

// SuspendedFrames are those that earlier sessions set aside, "<session>/<frame>".
func (c CoreContext) SuspendedFrames() []string {
	return c.list(func(s *shown) []string { return s.suspended })
}

func (c CoreContext) list(of func(s *shown) []string) []string {
	if c.shown == nil {
		return nil
	}
	return slices.Clone(of(c.shown))
}
