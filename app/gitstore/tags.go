package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Tags lists the names of all tags, sorted. A mirror has none.
func (r *Repo) Tags(ctx context.Context) ([]string, error) { return r.backend.tags(ctx) }

func (c *cli) tags(ctx context.Context) ([]string, error) {
	out, err := c.git.run(ctx, nil, "for-each-ref", "--format=%(refname)", tagPrefix)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		names = append(names, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), tagPrefix))
	}
	slices.Sort(names)
	return names, nil
}

const tagPrefix = "refs/tags/"

func (g *inProcess) tags(context.Context) ([]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	refs, err := g.store.IterReferences()
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	var names []string
	err = refs.ForEach(func(ref *plumbing.Reference) error {
		if name, ok := strings.CutPrefix(ref.Name().String(), tagPrefix); ok {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	slices.Sort(names)
	return names, nil
}

func (mirrored) tags(context.Context) ([]string, error) { return nil, nil }
