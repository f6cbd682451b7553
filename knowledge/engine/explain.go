package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

// Explanation is the causal chain of one unit.
type Explanation struct {
	// Conclusion is the stored conclusion; nil if it is missing or unreadable.
	Conclusion *Conclusion
	Fresh      bool
	Reasons    []Reason // why it is stale
	// Frame is the call that produced the conclusion, in the Session that notes Commit and Date. If it is
	// unavailable, Frame is nil and Lost gives the reason.
	Frame        *frame.Frame
	Session      string
	Commit, Date string
	Verdict      *frame.Verdict
	Lost         string
}

// Explain explains the conclusion of a unit, as Look found it. It returns false if there is no such unit.
func (e *Engine) Explain(ctx context.Context, u Unit) (*Explanation, bool, error) {
	l, kind := e.loop, e.kinds[u.Kind]
	if kind == nil || !e.units.has(u) {
		return nil, false, nil
	}
	x := &Explanation{Fresh: true}
	for _, f := range l.report.Fell {
		if f.Unit == u {
			x.Fresh, x.Reasons = false, f.Reasons
		}
	}
	c, err := kind.Load(reader{l, ctx}, u.Subject)
	if err != nil {
		return nil, false, fmt.Errorf("load %s: %w", u, err)
	}
	if c == nil || c.Body == nil {
		return x, true, nil
	}
	c.Unit, x.Conclusion = u, c
	if c.Kept != "" {
		x.Fresh = false
		x.Reasons = append(slices.Clip(x.Reasons), Reason{Because: "kept", Detail: c.Kept})
	}
	if c.Evidence == nil {
		c.Evidence = e.units.evidenceOf(u)
	}
	c.Generator = cmp.Or(c.Generator, e.units.get(u).Generator)
	return x, true, e.explainFrame(ctx, x)
}

const noProvenance = "unknown: no session in .causal/frames recorded this conclusion (merged or edited since, or the file is missing)"

func (e *Engine) explainFrame(ctx context.Context, x *Explanation) error {
	e.sessions.identify(x.Conclusion)
	id, frameID, ok := strings.Cut(x.Conclusion.Frame, "/")
	if !ok {
		if !e.kinds[x.Conclusion.Unit.Kind].Rendered {
			x.Lost = noProvenance
		}
		return nil
	}
	x.Session = id
	x.Commit, x.Date = e.sessions.heads[id].Commit, e.sessions.heads[id].Date
	r, err := e.Session(ctx, id)
	if err != nil {
		return err
	}
	f, ok := r.Tree.Frame(frameID)
	if !ok {
		return fmt.Errorf("session %s lost frame %s between two looks at it", id, frameID)
	}
	x.Frame = &f
	v, err := r.Tree.Verify(ctx, e.loop.observer(ctx))
	if err != nil {
		return err
	}
	for _, verdict := range v.Verdicts {
		if verdict.FrameID == frameID {
			x.Verdict = &verdict
		}
	}
	return nil
}

// Session reads the record of a session, or returns fs.ErrNotExist. The content of its frames is taken from their
// units. Call Look first.
func (e *Engine) Session(ctx context.Context, id string) (session.Record, error) {
	r, err := e.sessions.record(id)
	if err != nil || len(r.Concluded) == 0 {
		return r, err
	}
	r.Tree, err = e.assemble(ctx, r.Artifacts)
	return r, err
}

func (e *Engine) assemble(ctx context.Context, a session.Artifacts) (*frame.Tree, error) {
	root := frame.Frame{
		ID: a.RootFrameID, Query: a.InitialPrompt, Status: frame.Completed, Validity: frame.Valid, Confidence: 1,
		Conclusion: fmt.Sprintf("concluded %d", len(a.Concluded)), InvalidationCondition: evidenceChanged,
	}
	frames := []frame.Frame{}
	for _, c := range a.Concluded {
		f, err := e.frameOf(ctx, c)
		if err != nil {
			return nil, err
		}
		f.ParentID = root.ID
		root.Children = append(root.Children, f.ID)
		root.Evidence = append(root.Evidence, fact.Frame(f.ID).String())
		frames = append(frames, f)
	}
	return frame.Load(a.SessionID, append([]frame.Frame{root}, frames...))
}

func (e *Engine) frameOf(ctx context.Context, c session.Conclusion) (frame.Frame, error) {
	f := frame.Frame{
		ID: c.Frame, Depth: 1, Query: c.Unit, Status: frame.Completed, Validity: frame.Valid, Confidence: 1,
		Conclusion: "was re-evaluated since", InvalidationCondition: evidenceChanged,
	}
	stored, err := e.stored(ctx, c)
	if err != nil {
		return f, err
	}
	if stored == nil {
		f.Validity, f.ValidityReason = frame.Invalidated, "a later session re-evaluated it"
		return f, nil
	}
	f.Conclusion, f.InvalidationCondition, f.Confidence = cmp.Or(stored.Text, c.Unit), cmp.Or(stored.Condition, evidenceChanged), stored.Confidence
	for _, o := range stored.Evidence {
		f.Evidence = append(f.Evidence, o.String())
	}
	return f, nil
}

func (e *Engine) stored(ctx context.Context, c session.Conclusion) (*Conclusion, error) {
	u, err := ParseUnit(c.Unit)
	kind := e.kinds[u.Kind]
	if err != nil || kind == nil {
		return nil, nil
	}
	stored, err := kind.Load(reader{e.loop, ctx}, u.Subject)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", u, err)
	}
	if stored == nil || stored.Damaged != "" || stored.fileDigest() != c.Digest {
		return nil, nil
	}
	if st := e.units.get(u); stored.Evidence == nil && st.known && st.fileDigest() == c.Digest {
		stored.Evidence, stored.Text, stored.Condition, stored.Confidence = e.units.evidenceOf(u), st.Text, st.Condition, st.Confidence
	}
	if stored.Evidence == nil {
		stored.Evidence = c.Evidence
	}
	return stored, nil
}

// Verify re-checks every frame of a session against the present state. Call Look first.
func (e *Engine) Verify(ctx context.Context, r session.Record) (frame.Verification, error) {
	return r.Tree.Verify(ctx, e.loop.observer(ctx))
}

// Observe returns the present digest of a fact. Call Look first.
func (e *Engine) Observe(ctx context.Context, f fact.Fact) (string, error) {
	digest, _, err := e.loop.now(ctx, f)
	return digest, err
}

// Reader reads present facts without recording evidence. Call Look first.
func (e *Engine) Reader(ctx context.Context) Reader { return reader{e.loop, ctx} }

// Observer re-checks evidence against the present state. Call Look first.
func (e *Engine) Observer(ctx context.Context) frame.Observer { return e.loop.observer(ctx) }

// Excerpt returns a named part of a unit's conclusion; false if there is none.
func (e *Engine) Excerpt(u Unit, part string) (string, bool) {
	text, ok := e.units.get(u).Excerpts[part]
	return text, ok
}

// Evidence returns the evidence of a unit's conclusion, as the last run found it.
func (e *Engine) Evidence(u Unit) []fact.Observation { return e.units.evidenceOf(u) }

// Holds reports whether the conclusion of a unit is known to be up to date.
func (e *Engine) Holds(u Unit) bool {
	st := e.units.get(u)
	return st.known && st.Kept == "" && !e.loop.open[u] && !e.loop.undone[u]
}

// Subjects lists the units of a kind, as the last run found them.
func (e *Engine) Subjects(kind string) []string { return slices.Clone(e.units.subjects(kind)) }

// Words returns the condition vocabulary.
func (e *Engine) Words() *condition.Vocabulary { return e.vocabulary }
