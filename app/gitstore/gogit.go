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
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// goGit reads through go-git. It reads objects and references only, because go-git's status, ignore rules and index
// handling differ from git's. The mutex guards go-git's caches.
type goGit struct {
	refusing

	mu    sync.Mutex
	conf  settings
	store *objectStore
	repo  *git.Repository
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
			return nil, fmt.Errorf("open %s: repository with %s = %s: %w", loc.root, name, conf.get(name), ErrUnsupported)
		}
	}
	user, err := userSettings()
	if err != nil {
		return nil, err
	}
	if path := loc.foreign(); path != "" && !user.trusts(loc.root) {
		return nil, fmt.Errorf("open %s: %w: add it to safe.directory with `git config --global --add safe.directory %s`",
			path, ErrDubiousOwnership, loc.root)
	}
	store := &objectStore{filesystem.NewStorage(
		dotgit.NewRepositoryFilesystem(osfs.New(loc.gitDir), osfs.New(loc.commonDir)), cache.NewObjectLRUDefault())}
	repo, err := git.Open(store, osfs.New(loc.root))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", loc.root, err)
	}
	merged := user.merged(conf)
	tree := newWorkTree(loc, merged, counts)
	backend := &goGit{refusing: refusing{ErrUnsupported}, conf: merged, store: store, repo: repo}
	return &Repo{loc: loc, tree: tree, backend: backend, counts: counts}, nil
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

// Config returns the repository configuration without format extensions: openGoGit has checked them, and go-git refuses
// some that are safe.
func (s *objectStore) Config() (*config.Config, error) {
	conf, err := s.Storage.Config()
	if err == nil {
		conf.Raw.RemoveSection("extensions")
	}
	return conf, err
}

func (g *goGit) raw(kind plumbing.ObjectType, id string) ([]byte, error) {
	found, err := g.object(kind, id)
	if err != nil {
		return nil, err
	}
	return contentOf(found)
}

func (g *goGit) object(kind plumbing.ObjectType, id string) (plumbing.EncodedObject, error) {
	found, err := g.store.EncodedObject(kind, plumbing.NewHash(id))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, fmt.Errorf("%s: %w", id, ErrUnknownObject)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return found, nil
}

func contentOf(found plumbing.EncodedObject) ([]byte, error) {
	kind, id := found.Type(), found.Hash()
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
	content, err := g.raw(plumbing.CommitObject, id)
	if err != nil {
		return commitObject{}, err
	}
	return parseCommit(id, content)
}

func (g *goGit) head(ctx context.Context) (Commit, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ref, err := g.repo.Reference(plumbing.HEAD, true)
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

func (g *goGit) resolve(ctx context.Context, rev string) (Commit, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, err := g.commitOf(rev)
	if err == nil {
		err = ctx.Err()
	}
	return c.Commit, err
}

func (g *goGit) commitOf(rev string) (commitObject, error) {
	unknown := fmt.Errorf("%q: %w", rev, ErrUnknownRevision)
	id, ok := g.objectNamed(rev)
	if !ok {
		return commitObject{}, unknown
	}
	id, err := g.peel(id)
	if err != nil {
		return commitObject{}, err
	}
	c, err := g.commitAt(id)
	if errors.Is(err, ErrUnknownObject) {
		return commitObject{}, unknown
	}
	return c, err
}

// objectNamed resolves an id or a reference, then falls back on go-git's revision parser, which takes paths and trees
// for commits.
func (g *goGit) objectNamed(rev string) (string, bool) {
	if sha1Format.isID(rev) {
		return rev, true
	}
	for _, rule := range plumbing.RefRevParseRules {
		if ref, err := g.repo.Reference(plumbing.ReferenceName(fmt.Sprintf(rule, rev)), true); err == nil {
			return ref.Hash().String(), true
		}
	}
	if strings.Contains(rev, ":") || strings.Contains(rev, "^{tree}") || strings.Contains(rev, "^{blob}") {
		return "", false
	}
	hash, err := g.repo.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return "", false
	}
	return hash.String(), true
}

// maxTags bounds chains of tags of tags.
const maxTags = 16

func (g *goGit) peel(id string) (string, error) {
	for range maxTags {
		tag, err := object.GetTag(g.store, plumbing.NewHash(id))
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return id, nil
		}
		if err != nil {
			return "", fmt.Errorf("read tag %s: %w", id, err)
		}
		id = tag.Target.String()
	}
	return "", fmt.Errorf("tag %s leads nowhere", id)
}

func (g *goGit) blob(id string, limit int64) (Blob, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	found, err := g.object(plumbing.BlobObject, id)
	if err != nil {
		return Blob{}, err
	}
	if found.Size() > limit {
		return Blob{ID: id, Size: found.Size()}, nil
	}
	content, err := contentOf(found)
	return Blob{id, int64(len(content)), content}, err
}

func (g *goGit) blobs(ctx context.Context, ids []string, limit int64, yield func(Blob) error) error {
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := g.blob(id, limit)
		if err != nil {
			return err
		}
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// authorName uses git's order: environment, then configuration.
func (g *goGit) authorName(context.Context) (string, error) {
	name := cmp.Or(os.Getenv("GIT_AUTHOR_NAME"), g.conf.get("author.name"), g.conf.get("user.name"))
	if name == "" {
		return "", ErrNoIdentity
	}
	return name, nil
}
