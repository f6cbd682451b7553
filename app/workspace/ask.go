package workspace

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

// IsRoot reports whether a directory is the repository's root.
func (w *Workspace) IsRoot(dir string) bool { return Seen(dir) == w.Repo.Root() }

// Configured reports whether there is a configuration file. Without one the defaults apply.
func (w *Workspace) Configured() bool {
	_, err := w.Files.Read(store.Config)
	return err == nil
}

// Node reads the node of a module. It returns nil if the node is missing or invalid.
func (w *Workspace) Node(module string) *node.Node {
	data, err := w.Files.Read(w.Layout.Node(module))
	if err != nil {
		return nil
	}
	n, err := node.Decode(data)
	if err != nil {
		return nil
	}
	return n
}

// Sessions lists the ids of the stored sessions.
func (w *Workspace) Sessions() ([]string, error) {
	names, err := w.Files.List(w.Layout.FramesDir())
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range names {
		if w.Layout.IsFrames(n) {
			out = append(out, w.Layout.SessionOf(n))
		}
	}
	slices.Sort(out)
	return out, nil
}

// LastChange returns the newest commit in the history of HEAD that changed one of the files, and false if there is
// none.
func (w *Workspace) LastChange(ctx context.Context, files ...string) (gitstore.Commit, bool, error) {
	head, err := w.Repo.Head(ctx)
	if err != nil || head.ID == "" || len(files) == 0 {
		return gitstore.Commit{}, false, err
	}
	return w.Repo.LastCommit(ctx, head.ID, files...)
}
