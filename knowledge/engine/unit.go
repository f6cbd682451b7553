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

// Unit identifies the subject of a conclusion, written "kind/subject".
type Unit struct {
	Kind    string
	Subject string
}

// String returns the name of the unit in frames, facts and sessions. The subject is escaped like a path.
func (u Unit) String() string { return u.Kind + "/" + canonical.Path(u.Subject) }

// ParseUnit parses the result of String.
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

// ConclusionOf is the fact of a unit's conclusion.
func ConclusionOf(u Unit) fact.Fact { return fact.New(fact.Conclusions, u.String()) }

// ExcerptOf is the fact of one named part of a unit's conclusion. A dependent on the part is unaffected by changes of
// the rest.
func ExcerptOf(u Unit, part string) fact.Fact { return fact.Of(fact.Excerpts, u.String(), part) }

// UnitsOf is the fact of the list of units of a kind.
func UnitsOf(kind string) fact.Fact { return fact.New(fact.Units, kind) }

// Reader reads facts. Facts read through the Reader of an Input are the evidence of the conclusion, which is complete
// because there is no other way to read.
//
// The value of a conclusion is its Body, that of an excerpt its text, that of the units of a kind their sorted
// subjects. Rooms define the values of all other facts. A missing subject has the value nil.
type Reader interface {
	Read(f fact.Fact) (value any, err error)
}

// Plugin evaluates the units of its kinds. It decides the model's input, how to interpret the answer, and where to
// store the result. It does not control causality: it receives copies, and the engine checks its results. It has no
// state between calls, and is called concurrently.
type Plugin interface {
	// Kinds describes the plugin's kinds of units.
	Kinds() []Kind
	// TransformInput returns the model's input for a unit: the context slice of the current frame.
	TransformInput(in Input, core CoreContext) (map[string]any, error)
	// Draft answers without a model, in a model's format, and ParseOutput handles both alike. The result depends only
	// on the slice.
	Draft(slice map[string]any) (string, error)
	// ParseOutput turns the answer into a conclusion. It treats the answer as untrusted.
	ParseOutput(raw string, in Input, f frame.Frame) (Conclusion, error)
	// Store writes the conclusion. It makes no decisions.
	Store(c Conclusion, f frame.Frame) error
}

// Unasked is the part of a Plugin that concludes without a model.
type Unasked struct{}

// TransformInput implements Plugin.
func (Unasked) TransformInput(in Input, _ CoreContext) (map[string]any, error) {
	return map[string]any{in.Unit.Kind: in.Unit.Subject}, nil
}

// Draft implements Plugin.
func (Unasked) Draft(map[string]any) (string, error) { return "{}", nil }

// Kind is one kind of units.
type Kind struct {
	// Name is the first part of the units' names, a lower-case word.
	Name string
	// Derived conclusions follow from the facts and from the stored conclusion: a unit is stale only if evaluating it
	// again gives another result. Other kinds are compared by the evidence that is stored with them.
	Derived bool
	// Hidden lists the families of facts that only the condition needs: they are evidence, but an evaluation reads no
	// value of them. A Derived conclusion therefore stands when no other fact changed.
	Hidden []fact.Family
	// Ask returns the request of an update to a model about a unit of a Derived kind, nil if nothing is open. slice
	// is the result of TransformInput. A nil Ask means that no model is asked.
	Ask func(in Input, slice map[string]any) (*prompt.Request, error)
	// Serial reports whether a unit asks a model while it is evaluated. Then the units of its kind are evaluated
	// sequentially, in order. It may be nil.
	Serial func(subject string) bool
	// Rendered marks a kind that only shows conclusions about other units: sessions keep no frame of it.
	Rendered bool
	// Subjects lists the units. It is called again when a fact that it read changed.
	Subjects func(r Reader) ([]string, error)
	// Generator names the versions that make the conclusion; the engine adds the model's name.
	Generator func(r Reader, subject string) (string, error)
	// Path returns the file of a unit, and Owner the subject stored in a file.
	Path  func(subject string) string
	Owner func(file string) (subject string, ok bool)
	// Load reads the stored conclusion; nil if there is none.
	Load func(r Reader, subject string) (*Conclusion, error)
	// Remove removes the stored conclusion of a unit that no longer exists and reports whether there was anything to
	// remove.
	Remove func(subject string) (Removal, error)
	// Gone explains why a unit no longer exists. It may be nil.
	Gone func(r Reader, subject string) Reason
	// Annotate adds details to causes that only the plugin knows. It may be nil.
	Annotate func(r Reader, stored *Conclusion, causes []condition.Cause)
	// Differing lists the files that account for the difference of two conclusions: no other file is a reason. ok is
	// false if they are unknown. It may be nil.
	Differing func(stored, now *Conclusion) (files map[string]bool, ok bool)
}

// Removal is the outcome of removing a unit that no longer exists.
type Removal struct {
	Done    bool // it was removed, or would be
	Written bool // it was replaced by something else
	Blocked []Problem
}

// Problem is an obstacle that only a person can remove.
type Problem struct {
	Because string
	Mend    string
}

// Conclusion is the conclusion of a unit, as a plugin makes it or as stored.
type Conclusion struct {
	Unit Unit
	// Text is the conclusion in a sentence, Body the whole in the plugin's own format. Readers share the Body, which
	// is immutable.
	Text string
	Body any
	// Digest identifies the content; an equal digest means an unchanged conclusion.
	Digest string
	// Stored is the digest of the unit's file, without provenance, if the file holds less than Digest covers. A unit
	// is stale when the Stored of its file differs from that of a new evaluation.
	Stored string
	// Outdated marks a conclusion whose file has an earlier format: an update writes it again.
	Outdated bool
	// Excerpts are named parts of the content that others may depend on separately.
	Excerpts   map[string]string
	Confidence float64
	// Condition is the invalidation condition, in the engine's vocabulary. It is required.
	Condition string
	// Kept is the reason why the content is an earlier one, if it is. Partial means that not all could be read.
	Kept    string
	Partial bool
	// Blocked lists problems of storing or of the content that only a person can fix. Damaged is the reason why the
	// stored file cannot be trusted.
	Blocked []Problem
	Damaged string
	// Open reports whether a model could add to the conclusion: Kind.Ask has a question about it. Dropped lists the
	// sentences of a model that the conclusion leaves out.
	Open    bool
	Dropped []prompt.Dropped
	// Cause is the reason why the stored text is out of date, if the plugin knows it better than the evidence.
	Cause string

	// Evidence and Generator are set by the engine for a new conclusion. For a stored one they are the stored values,
	// with evidence in reading order, because earlier reads determine later ones.
	Evidence  []fact.Observation
	Generator string

	// Frame is the frame that produced it, "<session>/<frame>"; empty if its provenance is unknown.
	Frame string
}

func (c *Conclusion) fileDigest() string { return cmp.Or(c.Stored, c.Digest) }

func (c *Conclusion) clone() *Conclusion {
	if c == nil {
		return nil
	}
	out := *c
	out.Excerpts, out.Blocked, out.Evidence = maps.Clone(c.Excerpts), slices.Clone(c.Blocked), slices.Clone(c.Evidence)
	return &out
}

// Input is the subject of one evaluation.
type Input struct {
	Reader
	Unit Unit
	// Previous is the stored conclusion, or nil, and Reasons why it is invalid.
	Previous  *Conclusion
	Reasons   []Reason
	Generator string
	Origin    Origin
	// Again requests a model's answer even if nothing is open (Config.Again).
	Again bool
}

// CoreContext is the context that the engine resolves before a plugin runs (seed 000). It holds and returns copies,
// made on demand because most plugins need few of them.
type CoreContext struct {
	// CurrentFrame has the query and the position in the tree; the plugin chooses the context slice, which determines
	// the id.
	CurrentFrame frame.Frame
	// Index reads the frames of this session that concluded before the wave.
	Index frame.View

	shown *shown
}

type shown struct {
	artifacts          session.Artifacts
	changed, suspended []string
	invalidated        func() []string
}

// Artifacts returns the session's metadata. Its conclusions are in Index.
func (c CoreContext) Artifacts() session.Artifacts {
	if c.shown == nil {
		return session.Artifacts{}
	}
	a := c.shown.artifacts
	a.Files = maps.Clone(a.Files)
	return a
}

// ChangedFiles lists the files that changed since the last run and those that caused an invalidation.
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

// InvalidatedFrames lists the frames of invalid conclusions, "<session>/<frame>".
func (c CoreContext) InvalidatedFrames() []string {
	return c.list(func(s *shown) []string { return s.invalidated() })
}

// SuspendedFrames lists the frames that earlier sessions suspended, "<session>/<frame>".
func (c CoreContext) SuspendedFrames() []string {
	return c.list(func(s *shown) []string { return s.suspended })
}

func (c CoreContext) list(of func(s *shown) []string) []string {
	if c.shown == nil {
		return nil
	}
	return slices.Clone(of(c.shown))
}
