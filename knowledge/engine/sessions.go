package engine

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

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
