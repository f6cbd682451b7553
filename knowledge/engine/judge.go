package engine

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
)

// Reason is why a node does not hold: the term of its invalidation condition that became true, and through what.
type Reason struct {
	Because string `json:"because"`
	// Change is what was observed when the node was concluded and is observed now, where one fact made the term true.
	Change fact.Change `json:"change,omitzero"`
	File   string      `json:"file,omitempty"`   // through which it changed
	Commit string      `json:"commit,omitempty"` // that changed the file last; empty when it is not committed
	Detail string      `json:"detail,omitempty"`
}

// String is the reason in one line, for people.
func (r Reason) String() string {
	switch {
	case r.File != "" && strings.HasPrefix(r.Because, "modified("):
		return r.File + " " + r.Detail
	case r.File != "" && r.Detail != "":
		return r.File + ": " + r.Detail
	case r.Detail != "":
		return r.Detail
	}
	return cmp.Or(r.File, r.Because)
}

// judge evaluates the invalidation condition of a module's node over what is there now.
func (w *world) judge(m string) error {
	if err := w.readNode(m); err != nil {
		return err
	}
	return w.judgeNode(m)
}

// judgeAnew judges modules of which nothing is remembered. Their nodes are read on all processors, some at a time.
func (w *world) judgeAnew(modules []string) error {
	for some := range slices.Chunk(modules, 8*runtime.GOMAXPROCS(0)) {
		nodes := make([]loadedNode, len(some))
		inParallel(len(some), func(i int) { nodes[i] = w.loadNode(some[i]) })
		for i, m := range some {
			if err := w.adoptNode(m, nodes[i]); err != nil {
				return err
			}
			if err := w.judgeNode(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// judgeNode evaluates the invalidation condition of the node that a module's record holds.
func (w *world) judgeNode(m string) error {
	s, r := w.summaries[m], w.record(m)
	w.judged[m] = true
	if s.Stale = w.verdict(m, r); len(s.Stale) == 0 && r.Node.Frame == "" {
		s.Stale = []Reason{{Because: "damaged", File: w.layout.Node(m), Detail: unconcluded}}
	}
	if len(s.Stale) > 0 {
		w.repaint[m] = true
	}
	return nil
}

// unconcluded says what is wrong with a node that no session concluded as it is.
const unconcluded = "no session that is kept concluded it as it is: it was edited by hand, merged from two sides, or its call tree is gone"

// readNode takes over what the node of a module says, unless that is known already.
func (w *world) readNode(m string) error {
	if w.record(m).Node != nil && !w.reread[m] {
		return nil
	}
	if w.reread[m] {
		w.repaint[m] = true // its page may have been made from what the node said before
		delete(w.reread, m)
	}
	return w.adoptNode(m, w.loadNode(m))
}

// loadedNode is what was found where a module's node should be.
type loadedNode struct {
	node    *node.Node // nil when there is none that can be read
	problem string     // why it cannot be trusted
	err     error
}

// loadNode reads the node of a module. It may be called concurrently.
func (w *world) loadNode(m string) loadedNode {
	data, err := w.readOwn(w.layout.Node(m))
	if missing(err) {
		return loadedNode{}
	}
	if err != nil {
		return loadedNode{err: fmt.Errorf("read node: %w", err)}
	}
	n, err := node.Decode(data)
	switch {
	case err != nil:
		return loadedNode{problem: "cannot be read: " + err.Error()}
	case n.Path != m:
		return loadedNode{node: n, problem: fmt.Sprintf("is about %s", n.Path)}
	}
	if err := w.identify(n); err != nil {
		return loadedNode{err: err}
	}
	return loadedNode{node: n}
}

// adoptNode takes over what the node of a module says.
func (w *world) adoptNode(m string, l loadedNode) error {
	r := w.record(m)
	r.Node = nil
	if l.node != nil {
		r.Node = recordOf(l.node)
		w.describe(m, w.summaries[m], l.node)
	}
	if l.problem != "" {
		if r.Node == nil {
			r.Node = &nodeRecord{}
		}
		r.Node.Problem = l.problem
	}
	return l.err
}

func recordOf(n *node.Node) *nodeRecord {
	return &nodeRecord{
		Sources: n.Sources, Uses: n.Uses, Condition: n.InvalidationCondition, Generator: n.Generator, Stale: n.Stale, Frame: n.FrameID,
	}
}

// describe takes over the part of a summary that comes from the node.
func (w *world) describe(m string, s *summary, n *node.Node) {
	next := *s
	next.Title, next.Language, next.Kind, next.Purpose = n.Module, n.Language, n.Kind, n.Purpose
	next.Derived, next.Kept, next.Frame = n.PurposeFrom == node.FromDerived, n.Stale, n.FrameID
	if next.Title != s.Title || next.Language != s.Language || next.Kind != s.Kind || next.Purpose != s.Purpose || next.Derived != s.Derived {
		w.recount = true
	}
	if next.Title != s.Title {
		for _, d := range slices.Concat(s.Deps, s.TestDeps, w.dependants(m)) {
			w.repaint[d] = true
		}
	}
	*s = next
}

// verdict lists the reasons for which a node does not hold; none when it does.
func (w *world) verdict(m string, r *record) []Reason {
	n := r.Node
	if n == nil {
		return []Reason{{Because: "new", Detail: "no node yet"}}
	}
	if n.Problem != "" {
		return []Reason{{Because: "damaged", File: w.layout.Node(m), Detail: n.Problem}}
	}
	if want := w.generator(w.languageOf(m)); n.Generator != want {
		return []Reason{{Because: "generator_changed()", Detail: fmt.Sprintf("written by %s, now %s", n.Generator, want)}}
	}
	f := &facts{w: w, record: r, diffs: diffSources(n.Sources, r.Files)}
	for _, u := range r.Uses {
		t, _ := w.table(u.Module)
		f.uses = append(f.uses, node.Use{Module: u.Module, Name: u.Name, Interface: t.Digest(u.Name)})
	}
	slices.SortFunc(f.uses, compareUses)
	if len(f.diffs) == 0 && slices.Equal(f.uses, n.Uses) {
		return nil // nothing that it rests on is another: no condition over it can hold
	}
	f.diffs = w.nameSymbols(m, f.diffs)
	c, err := Vocabulary.Parse(n.Condition)
	if err != nil {
		return []Reason{{Because: "damaged", File: w.layout.Node(m), Detail: "has a condition that cannot be read: " + err.Error()}}
	}
	return f.reasons(c)
}

// languageOf is the module's language: from its files when they were read, otherwise as remembered.
func (w *world) languageOf(m string) string {
	if k := w.known[m]; k != nil {
		return k.Module.Language()
	}
	return w.summaries[m].Language
}

// diff is a source that is not what the node was derived from.
type diff struct {
	file          string
	detail        string
	before, after source.Digest
}

func (d diff) change() fact.Change {
	return fact.Change{Fact: fact.File(d.file, "").Fact, Before: string(d.before), After: string(d.after)}
}

const changedDetail = "changed"

func diffSources(was []node.Source, is []fileRecord) []diff {
	before := map[string]source.Digest{}
	for _, s := range was {
		before[s.Path] = s.Fingerprint
	}
	var out []diff
	for _, f := range is {
		old, ok := before[f.Path]
		switch {
		case !ok:
			out = append(out, diff{f.Path, "was added", "", f.Fingerprint})
		case old != f.Fingerprint:
			out = append(out, diff{f.Path, changedDetail, old, f.Fingerprint})
		}
		delete(before, f.Path)
	}
	for _, file := range slices.Sorted(maps.Keys(before)) {
		out = append(out, diff{file, "is gone", before[file], ""})
	}
	return out
}

// nodeOf reads the node of a module, nil when there is none that can be read. The last one is kept: mostly one module was
// edited, and its node is asked for to tell what changed and again to conclude anew. Nobody changes it.
func (w *world) nodeOf(m string) *node.Node {
	if w.lastNode.module == m {
		return w.lastNode.node
	}
	data, err := w.readOwn(w.layout.Node(m))
	if err != nil {
		return nil
	}
	n, err := node.Decode(data)
	if err != nil {
		return nil
	}
	w.lastNode = namedNode{m, n}
	return n
}

// namedNode is what a module's file held, whatever module the node says it is about.
type namedNode struct {
	module string
	node   *node.Node
}

// mostNamed is how many symbols a reason names.
const mostNamed = 3

// nameSymbols says of changed files which exported symbols differ from what the node says of them.
func (w *world) nameSymbols(m string, diffs []diff) []diff {
	k := w.known[m]
	if k == nil || len(diffs) == 0 {
		return diffs
	}
	n := w.nodeOf(m)
	if n == nil {
		return diffs
	}
	type symbol struct{ file, name string }
	before := map[symbol]source.Digest{}
	for _, s := range n.PublicAPI {
		before[symbol{s.File, s.Name}] = s.Content
	}
	names := map[string][]string{}
	for i := range k.Declared {
		d := &k.Declared[i]
		key := symbol{path.Base(d.Path), d.Name}
		switch old, was := before[key]; {
		case !d.Exported || was && old == d.Content:
		case was:
			names[key.file] = append(names[key.file], d.Name)
		default:
			names[key.file] = append(names[key.file], "new "+d.Name)
		}
		delete(before, key)
	}
	for key := range before {
		names[key.file] = append(names[key.file], "no more "+key.name)
	}
	for i, d := range diffs {
		list := names[path.Base(d.file)]
		if d.detail != changedDetail || len(list) == 0 {
			continue
		}
		slices.Sort(list)
		if len(list) > mostNamed {
			list = append(list[:mostNamed], fmt.Sprintf("%d more", len(list)-mostNamed))
		}
		diffs[i].detail += " (" + strings.Join(list, ", ") + ")"
	}
	return diffs
}
