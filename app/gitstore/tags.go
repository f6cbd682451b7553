package gitstore

import (
	"context"
	"slices"
	"strings"
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

func (mirrored) tags(context.Context) ([]string, error) { return nil, nil }
