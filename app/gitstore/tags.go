package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Tag is a tag with its commit. The zero Tag means no tag.
type Tag struct {
	Name   string `json:"name,omitempty"`
	Commit string `json:"commit,omitempty"`
}

// Tag returns the tag with a name. Without a name it returns the newest tag reachable from a revision: the one with the
// fewest commits in between. Tags of trees and blobs are not found.
func (r *Repo) Tag(ctx context.Context, rev, name string) (Tag, error) {
	if name != "" {
		if plumbing.ReferenceName(tagPrefix+name).Validate() != nil {
			return Tag{}, nil
		}
		return r.backend.tagNamed(ctx, rev, name)
	}
	if err := checkRevisions(rev); err != nil {
		return Tag{}, err
	}
	return r.backend.newestTag(ctx, rev)
}

// Tags lists all tag names, sorted. A mirror has none.
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

// tagNamed looks up the reference itself: as a revision, a name such as v1-2-gabcdef means a commit.
func (c *cli) tagNamed(ctx context.Context, _, name string) (Tag, error) {
	id, err := c.git.line(ctx, "show-ref", "--verify", "--hash", tagPrefix+name)
	if exitCode(err) > 0 {
		return Tag{}, nil
	}
	if err != nil {
		return Tag{}, err
	}
	return tagOf(name)(c.resolve(ctx, id))
}

func tagOf(name string) func(at Commit, err error) (Tag, error) {
	return func(at Commit, err error) (Tag, error) {
		if errors.Is(err, ErrUnknownRevision) {
			return Tag{}, nil
		}
		if err != nil {
			return Tag{}, err
		}
		return Tag{name, at.ID}, nil
	}
}

func (c *cli) newestTag(ctx context.Context, rev string) (Tag, error) {
	at, err := c.resolve(ctx, rev)
	if err != nil {
		return Tag{}, err
	}
	name, err := c.git.line(ctx, "describe", "--tags", "--abbrev=0", at.ID)
	if exitCode(err) == 128 { // no tag
		return Tag{}, nil
	}
	if err != nil {
		return Tag{}, err
	}
	tag, err := c.tagNamed(ctx, rev, name)
	if err != nil || tag.Name != "" {
		return tag, err
	}
	return c.renamed(ctx, at.ID, name)
}

// distance matches the suffix that git describe adds if the name in a tag object differs from its reference.
var distance = lazyregexp.New(`-\d+-g[0-9a-f]+$`)

// renamed finds a tag by the name in its object, which git describe prints instead of the reference.
func (c *cli) renamed(ctx context.Context, at, name string) (Tag, error) {
	name = distance.ReplaceAllString(name, "")
	out, err := c.git.run(ctx, nil, "for-each-ref", "--merged="+at, "--format=%(refname) %(tag)", tagPrefix)
	if err != nil {
		return Tag{}, err
	}
	for line := range strings.Lines(string(out)) {
		ref, inside, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if inside == name {
			return c.tagNamed(ctx, at, strings.TrimPrefix(ref, tagPrefix))
		}
	}
	return Tag{}, fmt.Errorf("git describe: no tag is called %q", name)
}
