package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/source"
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

// Look brings what is known of the modules up to the state of the tree, as far as that can be told without running
// anything.
func (e *Engine) Look(ctx context.Context) error {
	if err := e.world.observe(ctx); err != nil {
		return err
	}
	e.world.leaveUndone()
	return nil
}

// Explain tells how a module is known, as the last Look saw it. False when there is no such module.
func (e *Engine) Explain(ctx context.Context, module string) (*Explanation, bool, error) {
	w := e.world
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
		Conclusion: fmt.Sprintf("concluded %d", len(a.Concluded)), InvalidationCondition: Vocabulary.Call("generator_changed").String(),
	}
	frames := []frame.Frame{}
	for _, c := range a.Concluded {
		f := frame.Frame{ID: c.Frame, Depth: 1, ParentID: root.ID, Query: c.Unit, Status: frame.Completed, Validity: frame.Valid, Confidence: 1}
		module := strings.TrimPrefix(c.Unit, moduleUnit(""))
		if n := e.world.nodeOf(module); n != nil && string(n.Digest) == c.Digest {
			f.Conclusion, f.InvalidationCondition = n.Purpose, n.InvalidationCondition
			for _, o := range EvidenceOf(n) {
				f.Evidence = append(f.Evidence, o.String())
			}
		} else {
			f.Conclusion, f.InvalidationCondition = "was concluded anew since", Vocabulary.Call("generator_changed").String()
			f.Validity, f.ValidityReason = frame.Invalidated, "a later session concluded it anew"
		}
		root.Children = append(root.Children, f.ID)
		root.Evidence = append(root.Evidence, fact.Frame(f.ID).String())
		frames = append(frames, f)
	}
	return frame.Load(a.SessionID, append([]frame.Frame{root}, frames...))
}

// EvidenceOf lists what a node rests on.
func EvidenceOf(n *node.Node) []fact.Observation {
	out := make([]fact.Observation, 1, 1+len(n.Sources)+len(n.Uses))
	names := make([]string, 0, len(n.Sources))
	for _, s := range n.Sources {
		out = append(out, fact.File(s.Path, string(s.Fingerprint)))
		names = append(names, s.Path)
	}
	out[0] = fact.Listing(n.Path, listingDigest(names))
	for _, u := range n.Uses {
		if u.Name != "" {
			out = append(out, fact.Symbol(u.Module, u.Name, string(u.Interface)))
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

// Has reports whether the repository has such a file, or a directory with files in it.
func (e *Engine) Has(name string) (file, dir bool) {
	files := e.world.files()
	return files.Has(name), files.HasDir(name)
}

// Introducers are the files of the root that the entry page has the repository's name and introduction from: the README,
// empty when there is none, and the manifests, which also say where imports lead.
func (e *Engine) Introducers() (readme string, manifests []string) {
	w := e.world
	w.files() // brings the lists of paths along
	for _, p := range slices.Sorted(maps.Keys(w.paths.Manifests)) {
		if moduleOf(p) == "." {
			manifests = append(manifests, p)
		}
	}
	return w.rootReadmeName(), manifests
}

// observer re-checks raw observations against the world. It implements frame.Observer.
type observer struct{ w *world }

// Holds implements frame.Observer.
func (o observer) Holds(e fact.Observation) (bool, string, error) {
	w := o.w
	switch e.Family {
	case fact.Files:
		for _, f := range w.filesKnown(moduleOf(e.Name)) {
			if f.Path == e.Name {
				return string(f.Fingerprint) == e.Digest, e.Name + " changed", nil
			}
		}
		return false, e.Name + " is gone", nil
	case fact.Absences:
		return !w.files().Has(e.Name), e.Name + " is there", nil
	case fact.Listings:
		var names []string
		for _, f := range w.filesKnown(e.Name) {
			names = append(names, f.Path)
		}
		return listingDigest(names) == e.Digest, "the files of " + w.moduleName(e.Name) + " are others", nil
	case fact.Symbols:
		t, ok := w.table(e.Module)
		if !ok {
			return false, "module " + e.Module + " is gone", nil
		}
		return string(t.Digest(e.Name)) == e.Digest, w.symbolName(e.Module, e.Name) + " changed", nil
	case fact.Texts:
		return true, "", nil
	}
	return false, "nobody can check this: " + e.String(), nil
}

// filesKnown lists the sources of a module; none when there is no such module.
func (w *world) filesKnown(module string) []fileRecord {
	if w.summaries[module] == nil {
		return nil
	}
	return w.record(module).Files
}

// listingDigest is the digest of the names of a module's sources.
func listingDigest(names []string) string {
	slices.Sort(names)
	return string(source.DigestOf(names...))
}

var _ frame.Observer = observer{}
