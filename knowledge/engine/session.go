package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

type openSession struct {
	tree      *frame.Tree
	root      string
	artifacts session.Artifacts
	origin    Origin
	shown     *shown               // to the plugins of a wave
	orphans   []session.Conclusion // unchanged conclusions of unknown provenance: a session that is written anyway restores it
}

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

func (s *openSession) show(l *loop) {
	artifacts := s.artifacts
	artifacts.Concluded = nil // available through Index
	doubted := slices.Clone(l.doubted)
	s.shown = &shown{artifacts: artifacts, changed: l.changedFiles(), suspended: l.report.Suspended, invalidated: func() []string {
		return l.sessions.framesOf(doubted)
	}}
}

func (s *openSession) context(u Unit) CoreContext {
	return CoreContext{
		CurrentFrame: frame.Frame{ParentID: s.root, Depth: 1, Query: u.String(), Status: frame.Active, Validity: frame.Valid},
		Index:        s.tree.View, shown: s.shown,
	}
}

func (l *loop) changedFiles() []string {
	set := map[string]bool{}
	changes, _ := l.config.World.Trigger()
	for _, c := range changes {
		set[c.Fact.Name] = true
	}
	for _, f := range l.doubted {
		for _, r := range f.Reasons {
			if r.Change.Fact.Family == fact.Files {
				set[r.File] = true
			}
		}
	}
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(set))))
}

// keepSession saves the session if a conclusion depends on it. An existing session with this id was the same work:
// its other conclusions still hold.
func (l *loop) keepSession() error {
	if l.session == nil || !l.write || len(l.session.artifacts.Concluded) == 0 {
		return nil
	}
	a := l.session.artifacts
	a.Concluded = append(a.Concluded, l.session.orphans...)
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
	data, err := encode(a)
	if err == nil && len(data) > store.LargestFile { // the first run of a very large repository: the cache has the evidence
		a.Concluded = slices.Clone(a.Concluded)
		for i := range a.Concluded {
			a.Concluded[i].Evidence = nil
		}
		data, err = encode(a)
	}
	if err != nil {
		return fmt.Errorf("keep session: %w", err)
	}
	l.report.Session = a.SessionID
	l.sessions.heads[a.SessionID], l.sessions.fresh[a.SessionID] = headOfSession(session.Record{Artifacts: a, Tree: frame.NewTree(a.SessionID)}), true
	_, err = l.config.Files.Write(name, data)
	return err
}

func encode(a session.Artifacts) ([]byte, error) {
	return session.Encode(session.Record{Artifacts: a, Tree: frame.NewTree(a.SessionID)})
}

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

// mostOutlived limits the sessions kept without a current conclusion, as provenance of earlier conclusions. Git
// history keeps the others.
const mostOutlived = 50

// sessions holds the stored sessions. They are provenance and do not affect staleness.
type sessions struct {
	engine *Engine
	heads  map[string]*sessionHead // by id
	frames map[frameKey]string     // "<session>/<frame>" of the first session, by id, with that conclusion
	fresh  map[string]bool         // read in this run

	mu      sync.Mutex
	records map[string]session.Record
}

type frameKey struct{ unit, digest string }

// sessionHead is the remembered part of a session file, which does not change.
type sessionHead struct {
	Commit    string               `json:"c,omitempty"`
	Date      string               `json:"d,omitempty"`
	Concluded []session.Conclusion `json:"u,omitempty"` // without evidence
	Suspended []string             `json:"s,omitempty"` // frames
}

// read loads the stored sessions. changed lists the generated files that changed since the last run. A file that is
// not a session is treated as empty.
func (s *sessions) read(changed []string) error {
	layout := s.engine.config.Layout
	names, err := s.engine.config.Files.List(layout.FramesDir())
	if err != nil {
		return fmt.Errorf("look for call trees: %w", err)
	}
	s.heads, s.frames, s.fresh = map[string]*sessionHead{}, map[frameKey]string{}, map[string]bool{}
	for _, name := range names {
		if !layout.IsFrames(name) {
			continue
		}
		id := layout.SessionOf(name)
		head := &sessionHead{}
		if slices.Contains(changed, name) || !s.engine.config.Index.Get(sessionBucket, id, head) {
			r, err := s.decode(id)
			if err != nil || r.SessionID != id {
				continue
			}
			head, s.fresh[id] = headOfSession(r), true
		}
		s.heads[id] = head
		for _, c := range head.Concluded {
			if key := (frameKey{c.Unit, c.Digest}); s.frames[key] == "" {
				s.frames[key] = id + "/" + c.Frame
			}
		}
	}
	return nil
}

func headOfSession(r session.Record) *sessionHead {
	h := &sessionHead{Commit: r.Commit, Date: r.Date}
	for _, c := range r.Concluded {
		h.Concluded = append(h.Concluded, session.Conclusion{Unit: c.Unit, Frame: c.Frame, Digest: c.Digest})
	}
	for _, f := range r.Tree.Suspended() {
		h.Suspended = append(h.Suspended, f.ID)
	}
	return h
}

func (s *sessions) save(b *index.Batch) error {
	var err error
	for id := range s.fresh {
		err = errors.Join(err, b.Put(sessionBucket, id, s.heads[id]))
	}
	for _, id := range s.engine.config.Index.Keys(sessionBucket, "") {
		if s.heads[id] == nil {
			err = errors.Join(err, b.Put(sessionBucket, id, nil))
		}
	}
	return err
}

func (s *sessions) identify(c *Conclusion) {
	c.Frame = s.frames[frameKey{c.Unit.String(), c.fileDigest()}]
}

func (s *sessions) framesOf(list []Fell) []string {
	var out []string
	for _, f := range list {
		if frame := s.frames[frameKey{f.Unit.String(), s.engine.units.get(f.Unit).fileDigest()}]; frame != "" {
			out = append(out, frame)
		}
	}
	return out
}

// evidence returns the evidence of a stored conclusion from its frame, without unobservable facts. It is nil without
// a session.
func (s *sessions) evidence(c *Conclusion) []fact.Observation {
	id, _, ok := strings.Cut(c.Frame, "/")
	if !ok {
		return nil
	}
	r, err := s.record(id)
	if err != nil {
		return nil
	}
	unit := c.Unit.String()
	i, found := slices.BinarySearchFunc(r.Concluded, unit, func(c session.Conclusion, unit string) int { return strings.Compare(c.Unit, unit) })
	if !found {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Concluded[i].Evidence), func(o fact.Observation) bool {
		_, about := concluded(o.Fact)
		return !about && s.engine.rooms[o.Family] == nil
	})
}

func (s *sessions) record(id string) (session.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.records[id]; ok {
		return r, nil
	}
	r, err := s.decode(id)
	if err == nil {
		if s.records == nil {
			s.records = map[string]session.Record{}
		}
		s.records[id] = r
	}
	return r, err
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

// drop removes the oldest sessions that no current conclusion and no suspended frame refers to.
func (s *sessions) drop() error {
	var outlived []string
	for id, head := range s.heads {
		if len(head.Concluded) > 0 && len(head.Suspended) == 0 && !slices.ContainsFunc(head.Concluded, s.inForce) {
			outlived = append(outlived, id)
		}
	}
	if len(outlived) <= mostOutlived {
		return nil
	}
	slices.SortFunc(outlived, func(a, b string) int {
		return cmp.Or(strings.Compare(s.heads[b].Date, s.heads[a].Date), strings.Compare(a, b))
	})
	for _, id := range outlived[mostOutlived:] {
		if err := s.engine.config.Files.Remove(s.engine.config.Layout.Frames(id), store.Top); err != nil {
			return err
		}
		delete(s.heads, id)
	}
	return nil
}

// inForce reports whether a conclusion is the one stored for its unit.
func (s *sessions) inForce(c session.Conclusion) bool {
	u, err := ParseUnit(c.Unit)
	if err != nil {
		return false
	}
	st := s.engine.units.get(u)
	return st.known && st.fileDigest() == c.Digest
}
