package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/session"
)

// largestHashed is the largest file that is hashed, in bytes.
const largestHashed = 32 << 20

// Place is the repository of an agent with its sessions, which are inside the git directory, separate for each work
// tree.
type Place struct {
	repo *gitstore.Repo
	root *os.Root
	dir  string // directory of the sessions
}

// At returns the Place of an open repository. Close it after use.
func At(repo *gitstore.Repo) (*Place, error) {
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return nil, fmt.Errorf("open the work tree: %w", err)
	}
	return &Place{repo, root, Dir(repo)}, nil
}

// find returns the Place of the first directory in a repository.
func find(ctx context.Context, dirs ...string) (*Place, error) {
	err := errors.New("the event does not name the agent's directory")
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		var repo *gitstore.Repo
		if repo, err = gitstore.Open(ctx, dir); err == nil {
			return At(repo)
		}
	}
	return nil, err
}

// Close closes the work tree.
func (p *Place) Close() error { return errors.Join(p.repo.Close(), p.root.Close()) }

// local converts an agent's path to one relative to the root; false for paths outside the work tree or in the git
// directory.
func (p *Place) local(name, dir string) (string, bool) {
	if name == "" || strings.ContainsRune(name, 0) {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	name, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	if above, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(above, filepath.Base(name))
	}
	rel, err := filepath.Rel(p.repo.Root(), name)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	if first, _, _ := strings.Cut(rel, "/"); strings.EqualFold(first, ".git") {
		return "", false
	}
	return canonical.Path(rel), true
}

// look returns the current state of a file; false if it is not a regular file or too large.
func (p *Place) look(name string, role session.Role) (session.FileRecord, bool) {
	gone := session.FileRecord{Path: name, Role: session.Deleted}
	info, err := p.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return gone, true
	case err != nil || !info.Mode().IsRegular() || info.Size() > largestHashed:
		return session.FileRecord{}, false
	}
	f, err := p.root.Open(name)
	if err != nil {
		return session.FileRecord{}, false
	}
	defer func() { _ = f.Close() }()
	id, ok, err := p.repo.BlobID(f, info.Size())
	if err != nil || !ok {
		return session.FileRecord{}, false
	}
	return session.FileRecord{Path: name, Hash: id, Role: role}, true
}

// Dir returns the directory of a repository's sessions. It may not exist.
func Dir(repo *gitstore.Repo) string { return filepath.Join(repo.PrivateDir(), "sessions") }
