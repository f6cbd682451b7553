package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/store"
)

// Checkout is a commit that a CI job has checked out. Sources are read from git's objects, and causal's own files from
// a scratch directory, so files that other steps left in the checkout do not matter.
type Checkout struct {
	Dir    string
	Temp   string // for temporary files of the run
	Base   string // the commit whose configuration applies; empty for the one that is checked out
	Ref    string // the ref that is checked out; permanent links point to the head of one branch only
	Remote func(ctx context.Context) (Remote, error)
}

func (s Checkout) open(ctx context.Context, w *Workspace) error {
	repo, err := gitstore.Open(ctx, s.Dir)
	if err != nil {
		return &PlaceError{err}
	}
	w.atClose(repo.Close)
	w.Repo, w.disk = repo, repo
	head, err := repo.Head(ctx)
	if err != nil {
		return err
	}
	found, skills, err := s.rules(ctx, repo, head.ID)
	if err != nil {
		return err
	}
	w.follow(found)
	w.skillFiles = skills
	temp, err := os.MkdirTemp(s.Temp, "causal-")
	if err != nil {
		return fmt.Errorf("make a directory for the run: %w", err)
	}
	w.atClose(func() error { return os.RemoveAll(temp) })
	w.local = filepath.Join(temp, "index")
	permanent := ""
	if w.Config.Repository != "" && s.Ref == "refs/heads/"+w.Config.Branch {
		permanent = head.ID
	}
	return w.openScratch(ctx, filepath.Join(temp, "tree"), nil, head.ID, permanent)
}

func configIn(files *store.Dir, root string) (*config.Config, error) {
	data, err := files.Read(store.Config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	c, err := config.Parse(store.Config, data)
	if err != nil {
		return c, err
	}
	placePages(c, files.Has, func(name string) string {
		target, _ := os.Readlink(filepath.Join(root, filepath.FromSlash(name))) // fails for other files
		return filepath.ToSlash(target)
	})
	if c.Docs.Line == 0 {
		return c, nil
	}
	names, err := files.Below(c.Docs.Dir)
	if err != nil { // reported when pages are written
		return c, nil //nolint:nilerr // the same
	}
	return c, refuseSources(c, names)
}

func configAt(ctx context.Context, repo *gitstore.Repo, commit string) (*config.Config, error) {
	list, err := repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	find := func(name string) (int, bool) {
		return slices.BinarySearchFunc(list, name, func(e gitstore.Entry, name string) int { return strings.Compare(e.Path, name) })
	}
	placed := func(c *config.Config, err error) (*config.Config, error) {
		if err != nil {
			return c, err
		}
		placePages(c, func(name string) bool { _, found := find(name); return found }, func(name string) string {
			at, found := find(name)
			if !found || list[at].Mode != gitstore.Symlink {
				return ""
			}
			target, _ := repo.ReadBlob(ctx, list[at].ID, config.LargestFile) // the path stays if it is damaged
			return string(target)
		})
		var names []string
		for _, e := range list {
			if c.Docs.Line > 0 {
				names = append(names, e.Path)
			}
		}
		return c, refuseSources(c, names)
	}
	at, found := find(store.Config)
	if !found {
		return placed(config.Parse(store.Config, nil))
	}
	if list[at].Mode == gitstore.Symlink {
		return nil, fmt.Errorf("read configuration: %s is a symbolic link: %w", store.Config, store.ErrOccupied)
	}
	data, err := repo.ReadBlob(ctx, list[at].ID, config.LargestFile)
	if errors.Is(err, gitstore.ErrTooLarge) {
		return nil, config.TooLarge(store.Config)
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return placed(config.Parse(store.Config, data))
}

// Remote is the remote of a repository.
type Remote struct {
	URL   string
	Token func(ctx context.Context) (string, error)
}

// rules returns the configuration that applies to a commit. If it is the one of another commit, such as the base of a
// pull request, and a shallow checkout lacks that commit, rules fetches it. If that fails the run fails: a proposal
// must not choose the rules for its own review.
func (s Checkout) rules(ctx context.Context, repo *gitstore.Repo, head string) (*config.Config, skillFiles, error) {
	if s.Base == "" {
		found, err := configAt(ctx, repo, head)
		return found, skillsAt(ctx, repo, head), err
	}
	if base, err := repo.Resolve(ctx, s.Base); err == nil {
		found, err := configAt(ctx, repo, base.ID)
		if !errors.Is(err, gitstore.ErrUnknownObject) {
			return found, skillsAt(ctx, repo, base.ID), err
		}
	}
	found, skills, err := s.fetchRules(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read the configuration of the base, %s, which is not in this checkout: %w; "+
			"let the token read it with `permissions: contents: read`, or give actions/checkout `fetch-depth: 0`", s.Base, err)
	}
	return found, skills, nil
}

func (s Checkout) fetchRules(ctx context.Context) (found *config.Config, skills skillFiles, err error) {
	remote, err := s.Remote(ctx)
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp(s.Temp, "causal-base-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a directory for the base: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	mirror, err := gitstore.OpenMirror(ctx, filepath.Join(dir, "mirror"), remote.URL, remote.Token)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, mirror.Close()) }()
	if err := mirror.Fetch(ctx, s.Base); err != nil {
		return nil, nil, err
	}
	files, err := skillsAt(ctx, mirror.Repo(), s.Base)()
	if err != nil {
		return nil, nil, err
	}
	found, err = configAt(ctx, mirror.Repo(), s.Base)
	return found, func() ([]skill.File, error) { return files, nil }, err
}
