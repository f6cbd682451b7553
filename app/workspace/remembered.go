package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
)

// RememberedAt is what the repository remembers at a commit: a change must not choose what is remembered of such.
func (w *Workspace) RememberedAt(ctx context.Context, commit string) (*review.Memory, error) {
	list, err := w.Repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	return review.Remember(&kept{ctx, w.Repo, list})
}

// kept are the files of a commit. It implements review.Kept.
type kept struct {
	ctx  context.Context
	repo *gitstore.Repo
	list []gitstore.Entry // sorted by path
}

// List implements review.Kept.
func (k *kept) List(dir string) (names []string, err error) {
	for _, e := range k.list {
		if path.Dir(e.Path) == dir && (e.Mode == gitstore.Regular || e.Mode == gitstore.Executable) {
			names = append(names, e.Path)
		}
	}
	return names, nil
}

// Read implements review.Kept.
func (k *kept) Read(name string) ([]byte, error) {
	for _, e := range k.list {
		if e.Path == name {
			return k.repo.ReadBlob(k.ctx, e.ID, store.LargestFile)
		}
	}
	return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
}
