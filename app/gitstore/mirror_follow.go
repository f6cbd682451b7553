package gitstore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
)

// Leader fetches for a mirror that another process follows. *Mirror is one.
type Leader interface {
	// Fetch is that of Mirror.
	Fetch(ctx context.Context, commits ...string) error
	// FetchBlobs makes blobs readable; those that are here cost no request.
	FetchBlobs(ctx context.Context, ids ...string) error
	// Mend makes the cache of what commits hold anew: git found it damaged.
	Mend(ctx context.Context) error
	// MergeBase and Contains are those of Mirror and of its Repo.
	MergeBase(ctx context.Context, a, b string) (string, error)
	Contains(ctx context.Context, ref, commit string) (bool, error)
	// Tag is that of Mirror.
	Tag(ctx context.Context, commit, name string) (Tag, error)
}

// FollowMirror reads the mirror in dir without a remote, a token or a lock of its own: what is missing there is asked of the Leader,
// who has the mirror open meanwhile.
func FollowMirror(dir, address string, leader Leader) (*Mirror, error) {
	m, err := newMirror(dir, address)
	if err != nil {
		return nil, err
	}
	m.leader = leader
	return m, nil
}

// followTo is Fetch of a mirror that follows: what the leader has brought once is not asked for again.
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

// FetchBlobs makes blobs readable, all that are missing in one request.
func (m *Mirror) FetchBlobs(ctx context.Context, ids ...string) error {
	for _, id := range ids {
		if !sha1Format.isID(id) {
			return fmt.Errorf("fetch %q: not a blob id: %w", id, ErrUnknownObject)
		}
	}
	return m.mending(ctx, m.content, func() error { return m.bringBlobs(ctx, ids) })
}

// Contains reports whether a commit is another one, or one of its ancestors; false when either is unknown.
func (m *Mirror) Contains(ctx context.Context, ref, commit string) (bool, error) {
	return m.repo.Contains(ctx, ref, commit)
}

// Has reports whether a commit that was fetched has a file. The file itself need not be here.
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

// Mend makes the cache of what commits hold anew, with what was fetched through this Mirror.
func (m *Mirror) Mend(ctx context.Context) error {
	err := m.locked(ctx, func() error { return m.renew(ctx, m.content) })
	if err != nil {
		return fmt.Errorf("recreate a damaged mirror: %w", err)
	}
	return nil
}

// newMirror is a mirror that nobody has looked at yet.
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
		backend: mirrored{m}, counts: counts,
	}
	return m, nil
}

var _ Leader = (*Mirror)(nil)
