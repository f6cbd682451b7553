package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
)

// prompt is why a documentation session starts. It is part of its identity: the same work on the same files is the
// same session, whoever does it and when.
const prompt = "bring the documentation up to date"

// ErrNoCondition is returned for a plugin that lost what would make its conclusion wrong.
var ErrNoCondition = errors.New("the plugin returned a conclusion without an invalidation condition: it would be a cache, not knowledge")

// run executes the cognitive loop over every conclusion that fell: one session, one frame for each module.
func (e *Engine) run(ctx context.Context, report *Report) error {
	if len(report.Rerun) == 0 {
		return nil
	}
	w := e.world
	order := w.postOrder(report.Rerun)
	for _, m := range order {
		if _, err := w.know(ctx, m); err != nil {
			return err
		}
		if w.known[m].Uses == nil {
			w.remember(m)
		}
	}
	artifacts := session.Artifacts{InitialPrompt: prompt, Files: map[string]session.FileRecord{}}
	for _, m := range order {
		for _, u := range w.known[m].units() {
			artifacts.Files[u.Path] = session.FileRecord{Path: u.Path, Hash: u.Hash, Role: session.Read}
		}
	}
	artifacts.SessionID = session.ID(prompt, artifacts.Files)
	tree := frame.NewTree(artifacts.SessionID)
	root, err := tree.Start(prompt, nil)
	if err != nil {
		return err
	}
	artifacts.RootFrameID = root
	report.Session = artifacts.SessionID
	shown := artifacts
	shown.Files = maps.Clone(artifacts.Files)
	s := &loop{
		engine: e, tree: tree, root: root, artifacts: artifacts, report: report, slots: make(chan struct{}, runtime.GOMAXPROCS(0)),
		context: CoreContext{
			Index: tree.View, Artifacts: shown, ChangedFiles: slices.Clone(report.ChangedFiles),
			InvalidatedFrames: e.invalidatedFrames(), SuspendedFrames: slices.Clone(report.Suspended),
		},
	}
	defer s.stores.Wait()
	for i, m := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.progress != nil {
			e.progress("documenting", i+1, len(order))
		}
		if err := s.module(m); err != nil {
			return fmt.Errorf("document %s: %w", m, err)
		}
	}
	return s.finish()
}

// loop is one session in progress.
type loop struct {
	engine    *Engine
	tree      *frame.Tree
	root      string
	artifacts session.Artifacts
	context   CoreContext // what plugins are told, copied once for all of them
	report    *Report
	evidence  []frame.Evidence
	used      bool // a stored conclusion refers to a frame of this session

	slots  chan struct{}
	stores sync.WaitGroup
	failed atomic.Pointer[error]
}

// module runs the steps of the loop that belong to one frame: transform, execute, parse, store, and the check
// whether the conclusion changed.
func (s *loop) module(m string) error {
	e := s.engine
	in, ok := e.Input(m)
	if !ok {
		return errors.New("its source is not there")
	}
	query := "document module " + m
	told := s.context
	told.CurrentFrame = frame.Frame{ParentID: s.root, Depth: 1, Query: query, Status: frame.Active, Validity: frame.Valid}
	slice, err := e.plugin.TransformInput(in, told)
	if err != nil {
		return fmt.Errorf("prepare the input: %w", err)
	}
	id, err := s.tree.Spawn(s.root, query, slice)
	if err != nil {
		return err
	}
	f, _ := s.tree.Frame(id)
	drafter, ok := e.plugin.(Drafter)
	if !ok {
		return errors.New("the plugin needs a model, and none is configured")
	}
	raw, err := drafter.Draft(f.ContextSlice)
	if err != nil {
		return fmt.Errorf("draft: %w", err)
	}
	parsed, err := e.plugin.ParseOutput(raw, f)
	if err != nil {
		return err
	}
	if strings.TrimSpace(parsed.InvalidationCondition) == "" {
		return ErrNoCondition
	}
	if _, err := condition.Parse(parsed.InvalidationCondition); err != nil {
		return fmt.Errorf("invalidation condition: %w", err)
	}
	if err := s.tree.Conclude(id, parsed.Conclusion, parsed.Evidence, parsed.Confidence, parsed.InvalidationCondition); err != nil {
		return err
	}
	if err := s.tree.Complete(id); err != nil {
		return err
	}
	f, _ = s.tree.Frame(id)
	f.ID = s.artifacts.SessionID + "/" + id
	if parsed.Node == nil || parsed.Node.Path != m {
		return errors.New("the plugin made no node of it")
	}
	parsed.Node.FrameID = cmp.Or(parsed.Node.FrameID, f.ID)
	s.store(parsed, f)
	s.evidence = append(s.evidence, frame.Of(id))
	return s.conclude(m, in.Previous, parsed)
}

// store has the plugin write a conclusion while the next one is drawn: everything about it is decided.
func (s *loop) store(parsed Parsed, f frame.Frame) {
	s.slots <- struct{}{}
	s.stores.Go(func() {
		defer func() { <-s.slots }()
		if err := s.engine.plugin.Store(parsed, f); err != nil {
			s.failed.CompareAndSwap(nil, &err)
		}
	})
}

// conclude takes the stored conclusion over, and notes whether it is another than before.
func (s *loop) conclude(m string, previous *node.Node, parsed Parsed) error {
	w := s.engine.world
	if previous == nil || string(previous.Digest) != parsed.Digest {
		s.report.Updated = append(s.report.Updated, m)
	}
	sum, r := w.summaries[m], w.record(m)
	r.Node = recordOf(parsed.Node)
	w.describe(m, sum, parsed.Node)
	if strings.HasPrefix(r.Node.Frame, s.artifacts.SessionID+"/") {
		s.used = true
	}
	w.judged[m] = true
	sum.Stale = w.verdict(m, r)
	if len(sum.Stale) > 0 {
		return fmt.Errorf("still stale right after it was written: %s", sum.Stale[0])
	}
	delete(w.known, m) // its record has what others need of it, and large repositories need the room
	return nil
}

// finish concludes the root and keeps the call tree, when a conclusion that is in force rests on it.
func (s *loop) finish() error {
	e := s.engine
	slices.Sort(s.report.Updated)
	s.stores.Wait()
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if !s.used {
		return nil
	}
	count := len(s.evidence)
	what := "modules"
	if count == 1 {
		what = "module"
	}
	err := s.tree.Conclude(s.root, fmt.Sprintf("documented %d %s", count, what), s.evidence, 1, "generator_changed()")
	if err != nil {
		return err
	}
	if err := s.tree.Complete(s.root); err != nil {
		return err
	}
	data, err := session.Encode(session.Record{Artifacts: s.artifacts, Tree: s.tree})
	if err != nil {
		return fmt.Errorf("keep session %s: %w", s.artifacts.SessionID, err)
	}
	name := e.world.layout.Frames(s.artifacts.SessionID)
	if _, err = e.config.Dir.Write(name, data); err != nil {
		return err
	}
	e.sessions[s.artifacts.SessionID] = suspendedIn(session.Record{Tree: s.tree})
	return e.world.batch.PutMeta(metaSessions, e.sessions)
}

// invalidatedFrames lists the frames whose conclusions fell.
func (e *Engine) invalidatedFrames() []string {
	var out []string
	for _, s := range e.world.summaries {
		if len(s.Stale) > 0 && s.Frame != "" {
			out = append(out, s.Frame)
		}
	}
	slices.Sort(out)
	return out
}

// postOrder lists modules so that each comes behind those it depends on; a circle is entered at its first module by
// path.
func (w *world) postOrder(modules []string) []string {
	wanted, done := map[string]bool{}, map[string]bool{}
	for _, m := range modules {
		wanted[m] = true
	}
	var out []string
	type call struct {
		module string
		next   int
	}
	for _, start := range modules {
		if done[start] {
			continue
		}
		done[start] = true
		stack := []call{{start, 0}}
		for len(stack) > 0 {
			c := &stack[len(stack)-1]
			deps := w.summaries[c.module].Deps
			if c.next == len(deps) {
				out = append(out, c.module)
				stack = stack[:len(stack)-1]
				continue
			}
			d := deps[c.next]
			c.next++
			if wanted[d] && !done[d] {
				done[d] = true
				stack = append(stack, call{d, 0})
			}
		}
	}
	return out
}
