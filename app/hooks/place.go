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

// largestHashed is how large a file may be of which the content is remembered by its hash.
const largestHashed = 32 << 20

// Place is the repository that an agent works in, and where its sessions are kept: inside the git directory, where nothing is ever
// committed, and apart for each work tree.
type Place struct {
	repo *gitstore.Repo
	root *os.Root
	dir  string // of the sessions
}

// At is the place of a repository that is open. Close it after use.
func At(repo *gitstore.Repo) (*Place, error) {
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return nil, fmt.Errorf("open the work tree: %w", err)
	}
	return &Place{repo, root, Dir(repo)}, nil
}

// find finds the place of the first of some directories that there is.
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

// Close releases the work tree.
func (p *Place) Close() error { return p.root.Close() }

// local is a path of the work tree as an agent names it, from the root; false for what lies elsewhere, and for git's own.
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

// look is what a file of the work tree is now. False for what is no regular file, or too large.
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

// Dir is where the sessions of a repository are kept. It need not exist.
func Dir(repo *gitstore.Repo) string { return filepath.Join(repo.PrivateDir(), "sessions") }
