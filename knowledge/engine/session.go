package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

// openSession is the session of a run that draws conclusions. What its frames say lies with the units: the session that is kept
// refers to them.
type openSession struct {
	tree      *frame.Tree
	root      string
	artifacts session.Artifacts
	origin    Origin
	shown     *shown // to the plugins of a wave
}

// openSession begins the session of the run with the first conclusion that is drawn.
func (l *loop) openSession(ctx context.Context) error {
	if l.session != nil {
		return nil
	}
	trigger, state := l.config.World.Trigger()
	scope := map[string]session.FileRecord{".": {Path: ".", Hash: state, Role: session.Read}}
	a := session.Artifacts{SessionID: session.ID(l.config.Prompt, scope), InitialPrompt: l.config.Prompt}
	for _, c := range trigger {
		a.Note(c.Fact.Name, c.Before, c.After)
	}
	s := &openSession{tree: frame.NewTree(a.SessionID), artifacts: a, origin: Origin{Commit: l.config.World.Commit(), Clean: l.config.World.Clean}}
	var err error
	if s.origin.When, s.origin.Permanent, err = l.config.World.Origin(ctx); err != nil {
		return err
	}
	if s.root, err = s.tree.Start(l.config.Prompt, nil); err != nil {
		return err
	}
	s.artifacts.RootFrameID = s.root
	l.session = s
	return nil
}

// show finds out what the plugins of a wave are told about the run.
func (s *openSession) show(l *loop) {
	artifacts := s.artifacts
	artifacts.Concluded = nil // the Index has them
	s.shown = &shown{artifacts, l.changedFiles(), l.invalidatedFrames(), l.report.Suspended}
}

// context is what a plugin is told when it is asked about a unit.
func (s *openSession) context(u Unit) CoreContext {
	return CoreContext{
		CurrentFrame: frame.Frame{ParentID: s.root, Depth: 1, Query: u.String(), Status: frame.Active, Validity: frame.Valid},
		Index:        s.tree.View, shown: s.shown,
	}
}

// changedFiles lists the files that changed, and those through which something fell.
func (l *loop) changedFiles() []string {
	set := map[string]bool{}
	changes, _ := l.config.World.Trigger()
	for _, c := range changes {
		set[c.Fact.Name] = true
	}
	for _, f := range l.report.Fell {
		for _, r := range f.Reasons {
			if r.Change.Fact.Family == fact.Files {
				set[r.File] = true
			}
		}
	}
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(set))))
}

// invalidatedFrames lists the frames whose conclusions fell.
func (l *loop) invalidatedFrames() []string {
	var out []string
	for _, f := range l.report.Fell {
		if f.frame != "" {
			out = append(out, f.frame)
		}
	}
	return out
}

// keepSession writes the session down, when a conclusion that is in force rests on it. A session of this id that is there was
// the same work: what it concluded and this run did not still holds.
func (l *loop) keepSession() error {
	if l.session == nil || !l.write || len(l.session.artifacts.Concluded) == 0 {
		return nil
	}
	a := l.session.artifacts
	if commit := l.session.origin; commit.Commit != "" {
		a.Date = commit.When.UTC().Format("2006-01-02")
		if l.readsClean() {
			a.Commit = commit.Commit
		}
	}
	name := l.config.Layout.Frames(a.SessionID)
	if data, err := l.config.Files.Read(name); err == nil {
		if earlier, err := session.Decode(data); err == nil && earlier.SessionID == a.SessionID {
			concluded := joined(a.Concluded, earlier.Concluded)
			a = earlier.Artifacts
			a.Concluded = concluded
		}
	}
	slices.SortFunc(a.Concluded, func(a, b session.Conclusion) int { return strings.Compare(a.Unit, b.Unit) })
	data, err := session.Encode(session.Record{Artifacts: a, Tree: frame.NewTree(a.SessionID)})
	if err != nil {
		return fmt.Errorf("keep session: %w", err)
	}
	l.report.Session = a.SessionID
	_, err = l.config.Files.Write(name, data)
	return err
}

// joined adds to conclusions those of an earlier list that are about other units.
func joined(now, earlier []session.Conclusion) []session.Conclusion {
	about := map[string]bool{}
	for _, c := range now {
		about[c.Unit] = true
	}
	for _, c := range earlier {
		if !about[c.Unit] {
			now = append(now, c)
		}
	}
	return now
}

// readsClean reports whether all files that the session's conclusions rest on are in the commit as they are here.
func (l *loop) readsClean() bool {
	for _, c := range l.session.artifacts.Concluded {
		u, err := ParseUnit(c.Unit)
		if err != nil {
			return false
		}
		for _, o := range l.units.evidenceOf(u) {
			if o.Family == fact.Files && !l.config.World.Clean(o.Name) {
				return false
			}
		}
	}
	return true
}

// sessions are those that are kept.
type sessions struct {
	engine *Engine
	mu     sync.Mutex
	kept   map[[2]string]frameOf // by unit and digest; nil when nobody asked
}

// frameOf is where a session says of a unit what is there of it now.
type frameOf struct {
	id           string // "<session>/<frame>"
	commit, date string
}

// identify finds the frame that drew a conclusion as it is stored. One that was edited by hand or merged from two sides has none.
// Of several it is the first by id.
func (s *sessions) identify(c *Conclusion) error {
	if err := s.read(); err != nil {
		return err
	}
	c.Frame = s.kept[[2]string{c.Unit.String(), c.Digest}].id
	return nil
}

// read reads the sessions that are there. One that cannot be read concluded nothing.
func (s *sessions) read() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil {
		return nil
	}
	ids, err := s.ids()
	if err != nil {
		return err
	}
	kept := map[[2]string]frameOf{}
	for _, id := range ids {
		r, err := s.decode(id)
		if err != nil || r.SessionID != id {
			continue
		}
		for _, c := range r.Concluded {
			if key := [2]string{c.Unit, c.Digest}; kept[key].id == "" {
				kept[key] = frameOf{r.SessionID + "/" + c.Frame, r.Commit, r.Date}
			}
		}
	}
	s.kept = kept
	return nil
}

// ids lists the sessions that are kept.
func (s *sessions) ids() ([]string, error) {
	layout := s.engine.config.Layout
	names, err := s.engine.config.Files.List(layout.FramesDir())
	if err != nil {
		return nil, fmt.Errorf("look for call trees: %w", err)
	}
	var out []string
	for _, name := range names {
		if layout.IsFrames(name) {
			out = append(out, layout.SessionOf(name))
		}
	}
	return out, nil
}

func (s *sessions) decode(id string) (session.Record, error) {
	name := s.engine.config.Layout.Frames(id)
	data, err := s.engine.config.Files.Read(name)
	if err != nil {
		return session.Record{}, fmt.Errorf("read session: %w", err)
	}
	r, err := session.Decode(data)
	if err != nil {
		return session.Record{}, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// drop removes the call trees that nothing rests on any more: no conclusion in force was drawn in them, and no frame of theirs was
// set aside to be resumed. Git history keeps them.
func (s *sessions) drop() error {
	ids, err := s.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if s.live(id) {
			continue
		}
		r, err := s.decode(id)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || r.Tree.Len() > 0 && len(r.Tree.Suspended()) > 0 {
			continue // not ours to judge, or worth keeping
		}
		if err := s.engine.config.Files.Remove(s.engine.config.Layout.Frames(id), store.Top); err != nil {
			return err
		}
	}
	return nil
}

// live reports whether a conclusion in force was drawn in a session.
func (s *sessions) live(id string) bool {
	in := func(u Unit) bool { return strings.HasPrefix(s.engine.units.get(u).Frame, id+"/") }
	for u := range s.engine.units.known {
		if in(u) {
			return true
		}
	}
	return slices.ContainsFunc(s.engine.units.holders(fact.New(sessionFacts, id)), in)
}
