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

	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
)

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
			w.records[m] = w.remember(m)
		}
	}
	read := map[string]session.FileRecord{}
	for _, m := range order {
		for _, u := range w.known[m].units() {
			read[u.Path] = session.FileRecord{Path: u.Path, Hash: u.Hash, Role: session.Read}
		}
	}
	artifacts := session.Artifacts{SessionID: session.ID(e.config.Prompt, read), InitialPrompt: e.config.Prompt}
	for _, c := range w.changes { // since the last run that is remembered; of a first run there is nothing to tell
		artifacts.Note(c.Path, c.Was, c.ID)
	}
	if e.head.ID != "" {
		artifacts.Date = e.head.When.UTC().Format("2006-01-02")
		if e.clean(slices.Collect(maps.Keys(read))) {
			artifacts.Commit = e.head.ID
		}
	}
	tree := frame.NewTree(artifacts.SessionID)
	root, err := tree.Start(e.config.Prompt, nil)
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
	if s.model = e.config.Model; s.model == nil {
		s.model = None{}
	}
	_, s.ahead = s.model.(None)
	defer s.work.Wait()
	if err := s.modules(ctx, order); err != nil {
		return err
	}
	return s.finish()
}

// modules runs the loop over modules in their order. Frames are opened and concluded one after the other; what a
// plugin drafts by itself needs no turn, and is drafted a little ahead.
func (s *loop) modules(ctx context.Context, order []string) error {
	ahead := 2 * runtime.GOMAXPROCS(0)
	var asked []*question
	for i := range len(order) + ahead {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i < len(order) {
			q, err := s.ask(ctx, order[i])
			if err != nil {
				return fmt.Errorf("document %s: %w", order[i], err)
			}
			asked = append(asked, q)
		}
		if done := i - ahead; done >= 0 && done < len(asked) {
			if s.engine.progress != nil {
				s.engine.progress("documenting", done+1, len(order))
			}
			if err := s.settle(asked[done]); err != nil {
				return fmt.Errorf("document %s: %w", order[done], err)
			}
			asked[done] = nil
		}
	}
	return nil
}

// loop is one session in progress.
type loop struct {
	engine    *Engine
	tree      *frame.Tree
	root      string
	artifacts session.Artifacts
	context   CoreContext // what plugins are told, copied once for all of them
	report    *Report

	model Model
	// ahead: questions are answered while others are asked. A model is asked one after the other, in one order, so that two
	// runs ask the same.
	ahead bool

	slots  chan struct{} // for as many stores as there are processors
	work   sync.WaitGroup
	failed atomic.Pointer[error]
}

// question is a frame that waits for its answer.
type question struct {
	module   string
	previous *node.Node
	frame    frame.Frame
	answered chan struct{}
	parsed   Parsed
	err      error
}

// ask opens the frame of a module and has the answer made: the steps transform, execute and parse.
func (s *loop) ask(ctx context.Context, m string) (*question, error) {
	e := s.engine
	in, ok := e.openInput(m)
	if !ok {
		return nil, errors.New("its source is not there")
	}
	query := moduleUnit(m)
	told := s.context
	told.CurrentFrame = frame.Frame{ParentID: s.root, Depth: 1, Query: query, Status: frame.Active, Validity: frame.Valid}
	slice, err := e.plugin.TransformInput(in, told)
	if err != nil {
		return nil, fmt.Errorf("prepare the input: %w", err)
	}
	id, err := s.tree.Spawn(s.root, query, slice)
	if err != nil {
		return nil, err
	}
	q := &question{module: m, previous: in.Previous, answered: make(chan struct{})}
	q.frame, _ = s.tree.Frame(id)
	s.work.Go(func() {
		defer close(q.answered)
		q.parsed, q.err = s.answer(ctx, q.frame)
	})
	if !s.ahead {
		<-q.answered
	}
	return q, nil
}

func (s *loop) answer(ctx context.Context, f frame.Frame) (Parsed, error) {
	raw, err := s.model.Answer(ctx, Question{Frame: f, Draft: func() (string, error) { return s.engine.plugin.Draft(f.ContextSlice) }})
	if err != nil {
		return Parsed{}, fmt.Errorf("answer: %w", err)
	}
	parsed, err := s.engine.plugin.ParseOutput(raw, f)
	if err != nil {
		return Parsed{}, err
	}
	if parsed.InvalidationCondition.IsZero() {
		return Parsed{}, ErrNoCondition
	}
	return parsed, nil
}

// settle waits for the answer, concludes the frame, and has the conclusion stored.
func (s *loop) settle(q *question) error {
	<-q.answered
	s.engine.closeInput(q.module)
	if q.err != nil {
		return q.err
	}
	id, parsed := q.frame.ID, q.parsed
	wrongWhen := parsed.InvalidationCondition.String()
	if err := s.tree.Conclude(id, parsed.Conclusion, parsed.Evidence, parsed.Confidence, wrongWhen); err != nil {
		return err
	}
	if err := s.tree.Complete(id); err != nil {
		return err
	}
	f, _ := s.tree.Frame(id)
	f.ID = s.artifacts.SessionID + "/" + id
	if parsed.Node == nil || parsed.Node.Path != q.module {
		return errors.New("the plugin made no node of it")
	}
	parsed.Node.FrameID = cmp.Or(parsed.Node.FrameID, f.ID)
	s.store(parsed, f)
	if parsed.Node.FrameID == f.ID {
		s.artifacts.Concluded = append(s.artifacts.Concluded, session.Conclusion{Unit: moduleUnit(q.module), Frame: id, Digest: parsed.Digest})
	}
	return s.conclude(q.module, q.previous, parsed)
}

// store has the plugin write a conclusion while the next one is drawn: everything about it is decided.
func (s *loop) store(parsed Parsed, f frame.Frame) {
	s.slots <- struct{}{}
	s.work.Go(func() {
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
	w.judged[m] = true
	sum.Stale = w.verdict(m, r)
	if len(sum.Stale) > 0 {
		return fmt.Errorf("still stale right after it was written: %s", sum.Stale[0])
	}
	delete(w.known, m) // its record has what others need of it, and large repositories need the room
	w.lastNode = namedNode{}
	return nil
}

// finish concludes the root and keeps the call tree, when a conclusion that is in force rests on it.
func (s *loop) finish() error {
	e := s.engine
	slices.Sort(s.report.Updated)
	s.work.Wait()
	if err := s.failed.Load(); err != nil {
		return *err
	}
	if len(s.artifacts.Concluded) == 0 {
		return nil
	}
	slices.SortFunc(s.artifacts.Concluded, func(a, b session.Conclusion) int { return strings.Compare(a.Unit, b.Unit) })
	// what the frames say lies with the nodes: the session refers to them
	record := session.Record{Artifacts: s.artifacts, Tree: frame.NewTree(s.artifacts.SessionID)}
	e.sessions[record.SessionID] = nil
	e.world.writing.Go(func() error {
		data, err := session.Encode(record)
		if err != nil {
			return fmt.Errorf("keep session: %w", err)
		}
		_, err = e.config.Dir.Write(e.world.layout.Frames(record.SessionID), data)
		return err
	})
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
