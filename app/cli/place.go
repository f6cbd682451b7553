package cli

import (
	"context"
	"path/filepath"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
)

// place is the repository that a command works in.
type place struct {
	*workspace.Workspace
	world IO
}

// path is a path as it is typed, seen from where relative ones begin.
func (w IO) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.Dir, name)
}

// inPlace runs fn in the repository that holds a directory.
func inPlace(ctx context.Context, world IO, at string, fn func(*place) error) error {
	return openAt(ctx, world, workspace.WorkTree{Dir: at}, fn)
}

// openAt runs fn in the repository that holds a directory, with the sources that are asked for.
func openAt(ctx context.Context, world IO, from workspace.WorkTree, fn func(*place) error) error {
	from.Dir, from.Now = world.path(from.Dir), world.Now
	w, err := workspace.Open(ctx, from)
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	return fn(&place{w, world})
}

// looking runs fn with an engine that only looks at the work tree.
func looking(ctx context.Context, world IO, at string, fn func(*place, *workspace.Knowledge) error) error {
	return inPlace(ctx, world, at, func(p *place) error {
		e, err := p.Look()
		if err != nil {
			return err
		}
		return fn(p, e)
	})
}

// lock keeps a second run out while this one writes. The second one waits, and says for whom.
func (p *place) lock(ctx context.Context) error {
	return p.Lock(ctx, func(process string) {
		if process != "" {
			process = " (process " + process + ")"
		}
		_, _ = plain.Fprintf(p.world.Err, "waiting for another run%s\n", process)
	})
}
