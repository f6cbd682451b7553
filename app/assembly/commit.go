package assembly

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/store"
)

// ConfigAt reads the configuration that a commit has.
func ConfigAt(ctx context.Context, repo *gitstore.Repo, commit string) (*config.Config, error) {
	list, err := repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	at, found := slices.BinarySearchFunc(list, store.Config, func(e gitstore.Entry, name string) int { return strings.Compare(e.Path, name) })
	if !found || list[at].Mode == gitstore.Symlink {
		return config.Parse(store.Config, nil)
	}
	data, err := repo.ReadBlob(ctx, list[at].ID)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return config.Parse(store.Config, data)
}

// Written sorts what a run changed into files to write and files to delete.
func Written(files *store.Dir) (write map[string][]byte, remove []string, err error) {
	write = map[string][]byte{}
	for name, before := range files.Changed() {
		now, err := files.Read(name)
		switch {
		case err == nil && string(now) != string(before):
			write[name] = now
		case errors.Is(err, fs.ErrNotExist) && before != nil:
			remove = append(remove, name)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, nil, err
		}
	}
	slices.Sort(remove)
	return write, remove, nil
}
