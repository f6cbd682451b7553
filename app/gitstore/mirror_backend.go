package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

type mirrored struct {
	refusing
	m *Mirror
}

func (b mirrored) cli() *cli { return &cli{git: b.m.content.git, objects: b.m.content.contents} }

// ask asks a question about fetched commits, and again after a repair if git lost one of them.
func ask[T any](ctx context.Context, b mirrored, question func(*cli) (T, error), names ...string) (out T, err error) {
	err = b.m.mending(ctx, b.m.content, func() error {
		out, err = question(b.cli())
		if (errors.Is(err, ErrUnknownObject) || errors.Is(err, ErrUnknownRevision)) && slices.ContainsFunc(names, b.m.isWanted) {
			return fmt.Errorf("%w: %w", errLost, err)
		}
		return err
	})
	return out, err
}

func (b mirrored) head(context.Context) (Commit, error) { return Commit{}, nil }

func (b mirrored) resolve(ctx context.Context, rev string) (Commit, error) {
	return ask(ctx, b, func(c *cli) (Commit, error) { return c.resolve(ctx, rev) }, rev)
}

func (b mirrored) tree(ctx context.Context, treeish string) ([]Entry, error) {
	return ask(ctx, b, func(c *cli) ([]Entry, error) { return c.tree(ctx, treeish) }, treeish)
}

func (b mirrored) diff(ctx context.Context, from, to string) ([]Change, error) {
	return ask(ctx, b, func(c *cli) ([]Change, error) { return c.diff(ctx, from, to) }, from, to)
}

// blobs continues at the current blob after a fetch or repair. It reads before looking for missing blobs, because nearly
// always all are cached.
func (b mirrored) blobs(ctx context.Context, ids []string, limit int64, yield func(Blob) error) error {
	var stopped error
	read := func() error {
		err := b.cli().blobs(ctx, ids, limit, func(found Blob) error {
			ids = ids[1:]
			stopped = yield(found)
			return stopped
		})
		if stopped != nil {
			return nil
		}
		return err
	}
	err := b.m.mending(ctx, b.m.content, func() error {
		err := read()
		if !errors.Is(err, ErrUnknownObject) {
			return err
		}
		if err := b.m.bringBlobs(ctx, ids); err != nil {
			return err
		}
		if err = read(); errors.Is(err, ErrUnknownObject) {
			if absent, look := b.m.content.absent(ctx, ids, ""); look == nil && len(absent) > 0 {
				return fmt.Errorf("%w: %w", errLost, err)
			}
		}
		return err
	})
	if stopped != nil {
		return stopped
	}
	return err
}

func (m *Mirror) bringBlobs(ctx context.Context, ids []string) error {
	if m.leader != nil && len(ids) <= fewNames { // the leader finds the missing ones
		return m.leader.FetchBlobs(ctx, ids...)
	}
	absent, err := m.content.absent(ctx, ids, "")
	if err != nil || len(absent) == 0 {
		return err
	}
	if m.leader != nil {
		return m.leader.FetchBlobs(ctx, absent...)
	}
	return m.locked(ctx, func() error {
		if absent, err = m.content.absent(ctx, absent, ""); err != nil || len(absent) == 0 {
			return err
		}
		return m.remote.fetch(ctx, m.content, absent, 0, m.content.filter)
	})
}

func (b mirrored) contains(ctx context.Context, ref, commit string) (bool, error) {
	if !sha1Format.isID(ref) || !sha1Format.isID(commit) {
		return false, nil
	}
	if b.m.leader != nil {
		return b.m.leader.Contains(ctx, ref, commit)
	}
	found, err := b.m.isAncestor(ctx, commit, ref)
	if errors.Is(err, ErrUnknownObject) {
		return false, nil
	}
	return found, err
}

func (b mirrored) mergeBase(ctx context.Context, x, y string) (string, error) {
	return b.m.MergeBase(ctx, x, y)
}

func (b mirrored) remoteURL(context.Context, string) (string, error) { return b.m.remote.url, nil }

func (mirrored) remoteHead(context.Context, string) (string, error) { return "", nil }

func (mirrored) hidden(context.Context) (map[string]bool, error) { return nil, nil }

func (mirrored) branch(context.Context) (string, error) { return "", nil }
