package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Bounds of a remote's tag list. A repository with more is treated as having no tags.
const (
	mostTags    = 50_000
	longestList = 16 << 20 // bytes
)

type remoteTag struct {
	Tag

	object string // tag object of an annotated tag, else the commit
}

func (t remoteTag) annotated() bool { return t.object != t.Commit }

func (r *remote) tags(ctx context.Context, c *bareRepo) ([]remoteTag, error) {
	out, err := r.run(ctx, c, "", nil, "ls-remote", "--quiet", "--tags", "origin")
	if err != nil {
		return nil, err
	}
	return parseTags(string(out))
}

// parseTags parses "id\tref\n", followed by "id\tref^{}\n" for an annotated tag. It skips invalid reference names.
func parseTags(out string) (list []remoteTag, err error) {
	for line := range strings.Lines(out) {
		id, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		name, isTag := strings.CutPrefix(ref, tagPrefix)
		if !isTag || !sha1Format.isID(id) {
			continue
		}
		if peeled, ok := strings.CutSuffix(name, "^{}"); ok {
			if last := len(list) - 1; last >= 0 && list[last].Name == peeled {
				list[last].Commit = id
			}
			continue
		}
		if plumbing.ReferenceName(ref).Validate() == nil {
			list = append(list, remoteTag{Tag{name, id}, id})
		}
	}
	if len(list) > mostTags {
		return nil, fmt.Errorf("list tags: more than %d: %w", mostTags, ErrTooLarge)
	}
	return list, nil
}

// Tag returns a tag of the remote by name. Without a name it returns the newest tag reachable from a commit, as Repo.Tag
// does, and fetches as much history as needed. The tag's target need not be cached, nor be a commit.
func (m *Mirror) Tag(ctx context.Context, commit, name string) (Tag, error) {
	if name == "" && !sha1Format.isID(commit) {
		return Tag{}, fmt.Errorf("newest tag before %q: not a commit id: %w", commit, ErrUnknownObject)
	}
	if m.leader != nil {
		return m.leader.Tag(ctx, commit, name)
	}
	list, err := m.remote.tags(ctx, m.history)
	if err != nil || len(list) == 0 {
		return Tag{}, err
	}
	if name != "" {
		if i := slices.IndexFunc(list, func(t remoteTag) bool { return t.Name == name }); i >= 0 {
			return list[i].Tag, nil
		}
		return Tag{}, nil
	}
	var newest Tag
	err = m.deepening(ctx, []string{commit}, func() (settled []string, err error) {
		err = m.locked(ctx, func() error {
			newest, settled, err = m.newest(ctx, commit, list)
			return err
		})
		return settled, err
	})
	return newest, err
}

// newest finds the newest tag in the fetched history. settled is empty if more history may change the answer.
func (m *Mirror) newest(ctx context.Context, head string, list []remoteTag) (tag Tag, settled []string, err error) {
	tags, err := m.history.leading(ctx, list, head)
	if err != nil || len(tags) == 0 {
		return Tag{}, nil, err
	}
	plain := slices.Clone(tags)
	for i := range plain {
		plain[i].object = plain[i].Commit // finds the commit without tag objects
	}
	if tag, err = m.history.describe(ctx, head, plain); err != nil {
		return Tag{}, nil, err
	}
	same := slices.DeleteFunc(slices.Clone(tags), func(t remoteTag) bool { return t.Commit != tag.Commit || !t.annotated() })
	switch {
	case len(same) == 1:
		tag = same[0].Tag
	case len(same) > 1: // the dates in the tag objects decide
		if err := m.fetchTags(ctx, same); err != nil {
			return Tag{}, nil, err
		}
		if tag, err = m.history.describe(ctx, head, same); err != nil {
			return Tag{}, nil, err
		}
	}
	later, err := m.history.leading(ctx, tags, head, "^"+tag.Commit)
	if err == nil && len(later) == 0 {
		settled = []string{tag.Commit} // all other tags are its ancestors
	}
	return tag, settled, err
}

func (c *bareRepo) leading(ctx context.Context, list []remoteTag, revs ...string) ([]remoteTag, error) {
	out, err := c.git.run(ctx, nil, append([]string{"rev-list"}, revs...)...)
	if err != nil {
		return nil, err
	}
	of := map[string][]remoteTag{}
	for _, t := range list {
		of[t.Commit] = append(of[t.Commit], t)
	}
	var found []remoteTag
	for id := range strings.FieldsSeq(string(out)) {
		found = append(found, of[id]...)
	}
	return found, nil
}

// fetchTags fetches annotated tag objects. The caller has the lock.
func (m *Mirror) fetchTags(ctx context.Context, tags []remoteTag) error {
	ids := make([]string, len(tags))
	for i, t := range tags {
		ids[i] = t.object
	}
	absent, err := m.history.absent(ctx, ids, "")
	if err != nil || len(absent) == 0 {
		return err
	}
	depth := m.depths[0]
	if m.history.whole() {
		depth = everything // a smaller depth would truncate the history
	}
	return m.remote.fetch(ctx, m.history, specs(absent), depth, m.history.filter)
}

// describe returns the newest tag according to git describe. The tags are references only while git runs. The caller has
// the lock.
func (c *bareRepo) describe(ctx context.Context, head string, tags []remoteTag) (tag Tag, err error) {
	slices.SortFunc(tags, func(a, b remoteTag) int { return strings.Compare(a.Name, b.Name) })
	var refs bytes.Buffer
	for _, t := range tags {
		fmt.Fprintf(&refs, "%s %s%s\n", t.object, tagPrefix, t.Name)
	}
	packed := filepath.Join(c.dir, "packed-refs")
	if err := os.WriteFile(packed, refs.Bytes(), 0o644); err != nil {
		return Tag{}, fmt.Errorf("name tags in mirror: %w", err)
	}
	tag, err = (&cli{git: c.git, objects: c.contents}).newestTag(ctx, head)
	if err == nil && tag.Name == "" { // all tags are reachable from head
		err = errLost
	}
	return tag, errors.Join(err, os.Remove(packed))
}

func (b mirrored) newestTag(ctx context.Context, rev string) (Tag, error) {
	return b.m.Tag(ctx, rev, "")
}

func (b mirrored) tagNamed(ctx context.Context, rev, name string) (Tag, error) {
	return b.m.Tag(ctx, rev, name)
}

func (mirrored) tags(context.Context) ([]string, error) { return nil, nil }
