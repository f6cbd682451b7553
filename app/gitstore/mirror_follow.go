package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// Leader fetches for a following mirror in another process. *Mirror implements it.
type Leader interface {
	Fetch(ctx context.Context, commits ...string) error
	// FetchBlobs makes blobs readable; cached blobs cost no request.
	FetchBlobs(ctx context.Context, ids ...string) error
	// Mend recreates the content cache, which git found damaged.
	Mend(ctx context.Context) error
	MergeBase(ctx context.Context, a, b string) (string, error)
	Contains(ctx context.Context, ref, commit string) (bool, error)
	Tag(ctx context.Context, commit, name string) (Tag, error)
}

// FollowMirror reads the mirror in dir without a remote, token or lock. It requests missing objects from leader, which
// keeps the mirror open.
func FollowMirror(dir, address string, leader Leader) (*Mirror, error) {
	m, err := newMirror(dir, address)
	if err != nil {
		return nil, err
	}
	m.leader = leader
	return m, nil
}

// followTo asks the leader only for commits that it has not fetched before.
func (m *Mirror) followTo(ctx context.Context, commits []string) error {
	fresh := slices.DeleteFunc(slices.Clone(commits), m.isWanted)
	if len(fresh) > 0 {
		if err := m.leader.Fetch(ctx, fresh...); err != nil {
			return err
		}
	}
	m.want(commits)
	return nil
}

// FetchBlobs makes blobs readable, and fetches all missing ones in one request.
func (m *Mirror) FetchBlobs(ctx context.Context, ids ...string) error {
	for _, id := range ids {
		if !sha1Format.isID(id) {
			return fmt.Errorf("fetch %q: not a blob id: %w", id, ErrUnknownObject)
		}
	}
	return m.mending(ctx, m.content, func() error { return m.bringBlobs(ctx, ids) })
}

// Contains reports whether commit is ref or one of its ancestors; false if either is unknown.
func (m *Mirror) Contains(ctx context.Context, ref, commit string) (bool, error) {
	return m.repo.Contains(ctx, ref, commit)
}

// Has reports whether a fetched commit has a file, without fetching the file.
func (m *Mirror) Has(ctx context.Context, commit, path string) (found bool, err error) {
	if !sha1Format.isID(commit) {
		return false, fmt.Errorf("look into %q: not a commit id: %w", commit, ErrUnknownObject)
	}
	if err := checkPath(path); err != nil {
		return false, err
	}
	err = m.mending(ctx, m.content, func() error {
		out, err := m.content.git.run(ctx, nil, "--literal-pathspecs", "ls-tree", "--name-only", "-z", commit, "--", path)
		found = len(out) > 0
		return err
	})
	return found, err
}

// Mend recreates the content cache with the commits fetched through this Mirror.
func (m *Mirror) Mend(ctx context.Context) error {
	err := m.locked(ctx, func() error { return m.renew(ctx, m.content) })
	if err != nil {
		return fmt.Errorf("recreate a damaged mirror: %w", err)
	}
	return nil
}

func newMirror(dir, address string) (*Mirror, error) {
	host, err := hostOf(address)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	counts := &counters{}
	git, err := newRunner(counts)
	if err != nil {
		return nil, err
	}
	m := &Mirror{
		dir: abs, counts: counts, writing: make(chan struct{}, 1),
		remote:  &remote{url: address, host: host, traces: abs, most: mostFetched},
		content: newCache(git, abs, "content.git", "blob:none"),
		history: newCache(git, abs, "history.git", "tree:0"), depths: usualDepths, packs: mostPacks, names: mostNames,
	}
	m.repo = &Repo{
		loc:     location{root: abs, gitDir: abs, commonDir: abs},
		tree:    &workTree{root: filepath.Join(abs, "none"), format: sha1Format, counts: counts},
		backend: mirrored{refusing{ErrMirror}, m}, counts: counts,
	}
	return m, nil
}

var _ Leader = (*Mirror)(nil)
