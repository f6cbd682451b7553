package engine

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

// metaSessions is the name in the index of what is known of the sessions that are kept: the frames that each has set
// aside. Session files never change, so each is read once.
const metaSessions = "sessions"

// concluded is where a session says of a unit what is there of it now.
type concluded struct {
	frame        string // "<session>/<frame>"
	commit, date string
}

// keptConclusions reads the sessions that are there, and gives for each unit and digest the first by id that concluded it
// so. A session that cannot be read concluded nothing.
func keptConclusions(dir *store.Dir, layout store.Layout) (map[[2]string]concluded, error) {
	names, err := dir.List(layout.FramesDir())
	if err != nil {
		return nil, fmt.Errorf("look for call trees: %w", err)
	}
	out := map[[2]string]concluded{}
	for _, name := range names {
		if !layout.IsFrames(name) {
			continue
		}
		data, err := dir.Read(name)
		if err != nil {
			return nil, fmt.Errorf("read session: %w", err)
		}
		r, err := session.Decode(data)
		if err != nil || r.SessionID != layout.SessionOf(name) {
			continue
		}
		for _, c := range r.Concluded {
			if key := [2]string{c.Unit, c.Digest}; out[key].frame == "" {
				out[key] = concluded{r.SessionID + "/" + c.Frame, r.Commit, r.Date}
			}
		}
	}
	return out, nil
}

// moduleUnit is how sessions call what is known of a module.
func moduleUnit(module string) string { return "module/" + module }

// identify finds the frame that concluded a node as it is, and takes over what its session says of it. A node that was edited
// by hand or merged from two sides has none.
func (w *world) identify(n *node.Node) error {
	kept, err := w.kept()
	if err != nil {
		return err
	}
	c := kept[[2]string{moduleUnit(n.Path), string(n.Digest)}]
	n.FrameID, n.Commit, n.LastVerified = c.frame, c.commit, c.date
	return nil
}

// findSuspended lists the frames that earlier sessions set aside, and compares those sessions with what is there now
// to tell which are worth taking up again.
func (e *Engine) findSuspended(ctx context.Context, report *Report) error {
	names, err := e.config.Dir.List(e.world.layout.FramesDir())
	if err != nil {
		return err
	}
	known, next := map[string][]string{}, map[string][]string{}
	e.world.index.Meta(metaSessions, &known)
	for _, name := range names {
		if !e.world.layout.IsFrames(name) {
			continue
		}
		id := e.world.layout.SessionOf(name)
		frames, seen := known[id]
		if !seen {
			if frames, seen = e.readSuspended(id); !seen {
				continue // a file that is no session has no frames
			}
		}
		next[id] = frames
		if len(frames) > 0 {
			if err := e.compareWith(ctx, id, report); err != nil {
				return err
			}
		}
	}
	e.sessions = next
	if maps.EqualFunc(known, next, slices.Equal[[]string]) {
		return nil
	}
	return e.world.batch.PutMeta(metaSessions, next)
}

// readSuspended lists the frames that a session set aside, and reports whether there is such a session. Most set none aside,
// and a call tree of thousands of frames is not taken apart to learn that: a file without the word has no such frame.
func (e *Engine) readSuspended(id string) ([]string, bool) {
	data, err := e.world.readOwn(e.world.layout.Frames(id))
	if err == nil && !bytes.Contains(data, []byte(frame.Suspended)) {
		return nil, true
	}
	r, err := e.Session(id)
	if err != nil {
		return nil, false
	}
	return suspendedIn(r), true
}

func suspendedIn(r session.Record) []string {
	var out []string
	for _, f := range r.Tree.Suspended() {
		out = append(out, f.ID)
	}
	return out
}

// compareWith adds what there is to say of an earlier session that set frames aside to a report.
func (e *Engine) compareWith(ctx context.Context, id string, report *Report) error {
	r, err := e.Session(id)
	if err != nil {
		return err
	}
	c, err := session.Compare(ctx, r, session.Artifacts{InitialPrompt: e.config.Prompt, Files: e.filesInScope()}, observer{e.world}, wrong)
	if err != nil {
		return err
	}
	for _, f := range c.Suspended {
		report.Suspended = append(report.Suspended, id+"/"+f)
	}
	for _, f := range c.Resumable {
		report.Resumable = append(report.Resumable, id+"/"+f)
	}
	report.Compared = append(report.Compared, c)
	return nil
}

// wrong evaluates the condition of a frame of which everything is as it was seen.
func wrong(text string) (holds bool, why string, err error) {
	c, err := Vocabulary.Parse(text)
	if err != nil {
		return false, "", err
	}
	result := c.Evaluate(&facts{record: &record{Node: &nodeRecord{}}})
	return result.Holds, text, nil
}

// filesInScope lists every source file with its blob id.
func (e *Engine) filesInScope() map[string]session.FileRecord {
	out := map[string]session.FileRecord{}
	for m := range e.world.summaries {
		for _, f := range e.world.record(m).Files {
			out[f.Path] = session.FileRecord{Path: f.Path, Hash: f.Hash, Role: session.Read}
		}
	}
	return out
}

// dropSessions removes the call trees that nothing rests on any more: no node in force was concluded in them, and no
// frame of theirs was set aside to be resumed. Git history keeps them.
func (e *Engine) dropSessions() error {
	names, err := e.config.Dir.List(e.world.layout.FramesDir())
	if err != nil {
		return err
	}
	live := map[string]bool{}
	for _, s := range e.world.summaries {
		id, _, _ := strings.Cut(s.Frame, "/")
		live[id] = true
	}
	for _, name := range names {
		if !e.world.layout.IsFrames(name) || live[e.world.layout.SessionOf(name)] {
			continue
		}
		data, err := e.config.Dir.Read(name)
		if err != nil {
			return err
		}
		r, err := session.Decode(data)
		if err != nil || len(r.Tree.Suspended()) > 0 {
			continue // not ours to judge, or worth keeping
		}
		if err := e.config.Dir.Remove(name, store.Top); err != nil {
			return err
		}
	}
	return nil
}
