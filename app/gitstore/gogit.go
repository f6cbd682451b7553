package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// goGit reads references and the history through go-git. The mutex guards go-git's caches.
type goGit struct {
	refusing

	mu    sync.Mutex
	conf  settings
	store *objectStore
}

// extensions are the supported repository format extensions with their allowed values; nil allows all.
var extensions = map[string][]string{
	"extensions.objectformat":    {sha1Format.name},
	"extensions.refstorage":      {"files"},
	"extensions.worktreeconfig":  nil,
	"extensions.noop":            nil,
	"extensions.partialclone":    nil,
	"extensions.preciousobjects": nil,
}

func openGoGit(loc location, conf settings, counts *counters) (*Repo, error) {
	for name := range conf {
		if !strings.HasPrefix(name, "extensions.") {
			continue
		}
		if values, known := extensions[name]; !known || values != nil && !slices.Contains(values, conf.get(name)) {
			return nil, fmt.Errorf("open %s: repository with %s = %s: %w", loc.root, name, conf.get(name), errWithoutGit())
		}
	}
	if path := loc.foreign(); path != "" {
		return nil, fmt.Errorf("open %s: %w, and only git reads safe.directory: %w", path, ErrDubiousOwnership, errWithoutGit())
	}
	store := &objectStore{filesystem.NewStorage(
		dotgit.NewRepositoryFilesystem(osfs.New(loc.gitDir), osfs.New(loc.commonDir)), cache.NewObjectLRUDefault())}
	backend := &goGit{refusing: refusing{errWithoutGit()}, conf: conf, store: store}
	return &Repo{loc: loc, tree: newWorkTree(loc, conf, counts), backend: backend, counts: counts}, nil
}

// objectStore retries a failed lookup after reindexing, because another process may have packed the object.
type objectStore struct{ *filesystem.Storage }

// EncodedObject returns an object by kind and id.
func (s *objectStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	found, err := s.Storage.EncodedObject(kind, id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		s.Reindex()
		return s.Storage.EncodedObject(kind, id)
	}
	return found, err
}

func (g *goGit) object(kind plumbing.ObjectType, id string) ([]byte, error) {
	found, err := g.store.EncodedObject(kind, plumbing.NewHash(id))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, fmt.Errorf("%s: %w", id, ErrUnknownObject)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	reader, err := found.Reader()
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	defer reader.Close()
	content, err := io.ReadAll(reader)
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return content, nil
}

func (g *goGit) commitAt(id string) (commitObject, error) {
	content, err := g.object(plumbing.CommitObject, id)
	if err != nil {
		return commitObject{}, err
	}
	return parseCommit(id, content)
}

func (g *goGit) head(ctx context.Context) (Commit, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ref, err := storer.ResolveReference(g.store, plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return Commit{}, nil
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return Commit{}, fmt.Errorf("read HEAD: %w", err)
	}
	c, err := g.commitAt(ref.Hash().String())
	return c.Commit, err
}

func (g *goGit) branch(context.Context) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ref, err := g.store.Reference(plumbing.HEAD)
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	return strings.TrimPrefix(ref.Target().String(), "refs/heads/"), nil
}

// commitOf returns the commit of a full id or a reference.
func (g *goGit) commitOf(rev string) (commitObject, error) {
	id, err := g.objectNamed(rev)
	if err != nil {
		return commitObject{}, err
	}
	c, err := g.commitAt(id)
	if errors.Is(err, ErrUnknownObject) {
		return commitObject{}, fmt.Errorf("%q: %w", rev, ErrUnknownRevision)
	}
	return c, err
}

func (g *goGit) objectNamed(rev string) (string, error) {
	if sha1Format.isID(rev) {
		return rev, nil
	}
	for _, rule := range plumbing.RefRevParseRules {
		if ref, err := storer.ResolveReference(g.store, plumbing.ReferenceName(fmt.Sprintf(rule, rev))); err == nil {
			return ref.Hash().String(), nil
		}
	}
	return "", fmt.Errorf("%q: %w: without git, only full commit ids and references are known", rev, ErrUnknownRevision)
}

// authorName uses git's order: environment, then the configuration of the repository and of the user.
func (g *goGit) authorName(context.Context) (string, error) {
	name := cmp.Or(os.Getenv("GIT_AUTHOR_NAME"), g.conf.get("author.name"), g.conf.get("user.name"))
	if user, err := config.LoadConfig(config.GlobalScope); err == nil {
		name = cmp.Or(name, user.Author.Name, user.User.Name)
	}
	if name == "" {
		return "", ErrNoIdentity
	}
	return name, nil
}
