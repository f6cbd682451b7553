package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
)

// Explanation is the causal chain of one module's knowledge.
type Explanation struct {
	Node    *node.Node
	Page    string
	Fresh   bool
	Reasons []Reason // why it is not fresh
	// UsedBy lists the modules that would be looked at when its interface changes.
	UsedBy []string
	// Frame is the call in which it was concluded. When it cannot be shown, it is nil and Lost says why.
	Frame   *frame.Frame
	Session string
	Verdict *frame.Verdict
	Lost    string
}

// Explain tells how a module is known. False when there is no such module.
func (e *Engine) Explain(ctx context.Context, module string) (*Explanation, bool, error) {
	w := e.world
	if err := w.observe(ctx); err != nil {
		return nil, false, err
	}
	defer w.leaveUndone()
	s := w.summaries[module]
	if s == nil {
		return nil, false, nil
	}
	x := &Explanation{Page: w.layout.Page(module), Reasons: s.Stale, Fresh: len(s.Stale) == 0 && s.Kept == "", UsedBy: w.dependants(module)}
	if s.Kept != "" {
		x.Reasons = append(slices.Clip(x.Reasons), Reason{Because: "kept", Detail: s.Kept})
	}
	data, err := w.readOwn(w.layout.Node(module))
	if missing(err) {
		return x, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read node: %w", err)
	}
	if x.Node, err = node.Decode(data); err != nil {
		return x, true, nil
	}
	if err := w.identify(x.Node); err != nil {
		return nil, false, err
	}
	return x, true, e.explainFrame(ctx, x)
}

// explainFrame finds the frame in which a node was concluded and verifies it.
func (e *Engine) explainFrame(ctx context.Context, x *Explanation) error {
	id, frameID, ok := strings.Cut(x.Node.FrameID, "/")
	if !ok {
		x.Lost = unconcluded + "; to mend it: causal update"
		return nil
	}
	x.Session = id
	r, err := e.Session(id)
	if err != nil {
		return err
	}
	f, ok := r.Tree.Frame(frameID)
	if !ok {
		return fmt.Errorf("session %s lost frame %s between two looks at it", id, frameID)
	}
	x.Frame = &f
	v, err := r.Tree.Verify(ctx, observer{e.world})
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

// Session reads the record of a session; fs.ErrNotExist when it is not kept. What its frames say of nodes is taken from
// those.
func (e *Engine) Session(id string) (session.Record, error) {
	name := e.world.layout.Frames(id)
	data, err := e.world.readOwn(name)
	if err != nil {
		return session.Record{}, fmt.Errorf("read session: %w", err)
	}
	r, err := session.Decode(data)
	if err != nil {
		return session.Record{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(r.Concluded) == 0 {
		return r, nil
	}
	r.Tree, err = e.assemble(r.Artifacts)
	return r, err
}

// assemble builds the call tree of a session from the nodes that its frames concluded.
func (e *Engine) assemble(a session.Artifacts) (*frame.Tree, error) {
	root := frame.Frame{
		ID: a.RootFrameID, Query: a.InitialPrompt, Status: frame.Completed, Validity: frame.Valid, Confidence: 1,
		Conclusion: fmt.Sprintf("concluded %d", len(a.Concluded)), InvalidationCondition: condition.GeneratorChanged().String(),
	}
	frames := []frame.Frame{}
	for _, c := range a.Concluded {
		f := frame.Frame{ID: c.Frame, Depth: 1, ParentID: root.ID, Query: c.Unit, Status: frame.Completed, Validity: frame.Valid, Confidence: 1}
		module := strings.TrimPrefix(c.Unit, moduleUnit(""))
		if n := e.world.nodeOf(module); n != nil && string(n.Digest) == c.Digest {
			f.Conclusion, f.InvalidationCondition = n.Purpose, n.InvalidationCondition
			for _, o := range evidenceOf(n) {
				f.Evidence = append(f.Evidence, o.String())
			}
		} else {
			f.Conclusion, f.InvalidationCondition = "was concluded anew since", condition.GeneratorChanged().String()
			f.Validity, f.ValidityReason = frame.Invalidated, "a later session concluded it anew"
		}
		root.Children = append(root.Children, f.ID)
		root.Evidence = append(root.Evidence, frame.Of(f.ID).String())
		frames = append(frames, f)
	}
	return frame.Load(a.SessionID, append([]frame.Frame{root}, frames...))
}

// evidenceOf lists what a node rests on.
func evidenceOf(n *node.Node) []frame.Evidence {
	out := make([]frame.Evidence, 0, len(n.Sources)+len(n.Uses))
	for _, s := range n.Sources {
		out = append(out, frame.File(s.Path, string(s.Fingerprint)))
	}
	for _, u := range n.Uses {
		if u.Name != "" {
			out = append(out, frame.Symbol(u.Module, u.Name, string(u.Interface)))
		}
	}
	return out
}

// Verify re-checks every frame of a session against what is there now.
func (e *Engine) Verify(ctx context.Context, r session.Record) (frame.Verification, error) {
	if err := e.world.observe(ctx); err != nil {
		return frame.Verification{}, err
	}
	return r.Tree.Verify(ctx, observer{e.world})
}

// ModuleName is what people call a module.
func (e *Engine) ModuleName(module string) string { return e.world.moduleName(module) }

// Modules lists all modules by path.
func (e *Engine) Modules() []Summary { return graphOf(e.world.summaries).Modules() }

// observer re-checks raw observations against the world. It implements frame.Observer.
type observer struct{ w *world }

// Holds implements frame.Observer.
func (o observer) Holds(e frame.Evidence) (bool, string, error) {
	switch e.Kind {
	case frame.FileKind:
		if o.w.summaries[moduleOf(e.Name)] != nil {
			for _, f := range o.w.record(moduleOf(e.Name)).Files {
				if f.Path == e.Name {
					return string(f.Fingerprint) == e.Digest, e.Name + " changed", nil
				}
			}
		}
		return false, e.Name + " is gone", nil
	case frame.SymbolKind:
		t, ok := o.w.table(e.Module)
		if !ok {
			return false, "module " + e.Module + " is gone", nil
		}
		return string(t.Digest(e.Name)) == e.Digest, o.w.symbolName(e.Module, e.Name) + " changed", nil
	case frame.TextKind:
		return true, "", nil
	}
	return false, "nobody can check this: " + e.String(), nil
}

var _ frame.Observer = observer{}
