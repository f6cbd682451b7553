package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// inProcess is the adapter over go-git: go-git reads and writes objects and references; status, ignore rules and the
// index are done here, where go-git's differ from git's. A lock keeps its caches whole.
type inProcess struct {
	mu    sync.Mutex
	loc   location
	conf  settings // of the user and the repository
	disk  *workTree
	store *objectStore
	repo  *git.Repository
}

// extensions are the changes to the repository format that this adapter can live with.
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
	backend := &inProcess{loc: loc, conf: merged, disk: tree, store: store, repo: repo}
	return &Repo{loc: loc, tree: tree, backend: backend, counts: counts}, nil
}

// objectStore looks a second time for an object that it does not find: another program may have packed it since.
type objectStore struct{ *filesystem.Storage }

// EncodedObject returns an object.
func (s *objectStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	found, err := s.Storage.EncodedObject(kind, id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		s.Reindex()
		return s.Storage.EncodedObject(kind, id)
	}
	return found, err
}

// Config returns the repository's configuration less its format extensions: which of those are safe is decided when
// the repository is opened, and go-git refuses some that are.
func (s *objectStore) Config() (*config.Config, error) {
	conf, err := s.Storage.Config()
	if err == nil {
		conf.Raw.RemoveSection("extensions")
	}
	return conf, err
}

// raw reads an object's content.
func (g *inProcess) raw(kind plumbing.ObjectType, id string) ([]byte, error) {
	found, err := g.object(kind, id)
	if err != nil {
		return nil, err
	}
	return contentOf(found)
}

func (g *inProcess) object(kind plumbing.ObjectType, id string) (plumbing.EncodedObject, error) {
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

func (g *inProcess) commitAt(id string) (commitObject, error) {
	content, err := g.raw(plumbing.CommitObject, id)
	if err != nil {
		return commitObject{}, err
	}
	return parseCommit(id, content)
}

func (g *inProcess) head(ctx context.Context) (Commit, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, id, err := g.headRef()
	if err != nil || id == "" {
		return Commit{}, err
	}
	if err := ctx.Err(); err != nil {
		return Commit{}, err
	}
	c, err := g.commitAt(id)
	return c.Commit, err
}

func (g *inProcess) branch(context.Context) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ref, err := g.store.Reference(plumbing.HEAD)
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	return strings.TrimPrefix(ref.Target().String(), "refs/heads/"), nil
}

// headRef returns the reference that HEAD stands for (HEAD itself when detached) and its commit, empty when unborn.
func (g *inProcess) headRef() (plumbing.ReferenceName, string, error) {
	ref, err := g.store.Reference(plumbing.HEAD)
	if err != nil {
		return "", "", fmt.Errorf("read HEAD: %w", err)
	}
	if ref.Type() == plumbing.HashReference {
		return plumbing.HEAD, ref.Hash().String(), nil
	}
	name := ref.Target()
	branch, err := g.repo.Reference(name, true)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return name, "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", name, err)
	}
	return name, branch.Hash().String(), nil
}

func (g *inProcess) resolve(ctx context.Context, rev string) (Commit, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, err := g.commitOf(rev)
	if err == nil {
		err = ctx.Err()
	}
	return c.Commit, err
}

// commitOf resolves a revision; annotated tags lead to their commit.
func (g *inProcess) commitOf(rev string) (commitObject, error) {
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

// objectNamed finds the object of a revision: by id, by reference, and then by go-git's reading of git's syntax, which
// takes paths and trees for commits.
func (g *inProcess) objectNamed(rev string) (string, bool) {
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

// maxTags is how many tags of tags are followed.
const maxTags = 16

// peel follows annotated tags.
func (g *inProcess) peel(id string) (string, error) {
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

func (g *inProcess) blob(id string, limit int64) (Blob, error) {
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

func (g *inProcess) blobs(ctx context.Context, ids []string, limit int64, yield func(Blob) error) error {
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

// remoteURL applies the insteadOf rule with the longest prefix, as git does.
func (g *inProcess) remoteURL(_ context.Context, name string) (string, error) {
	urls := g.conf["remote."+name+".url"]
	if len(urls) == 0 {
		return "", nil
	}
	url, longest, base := urls[0], "", ""
	for key, prefixes := range g.conf {
		rest, isURL := strings.CutPrefix(key, "url.")
		to, isRule := strings.CutSuffix(rest, ".insteadof")
		for _, prefix := range prefixes {
			if isURL && isRule && len(prefix) > len(longest) && strings.HasPrefix(url, prefix) {
				longest, base = prefix, to
			}
		}
	}
	return base + url[len(longest):], nil
}

func (g *inProcess) remoteHead(_ context.Context, name string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ref, err := g.store.Reference(plumbing.NewRemoteHEADReferenceName(name))
	if errors.Is(err, plumbing.ErrReferenceNotFound) || err == nil && ref.Type() != plumbing.SymbolicReference {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the default branch of %s: %w", name, err)
	}
	return strings.TrimPrefix(ref.Target().String(), "refs/remotes/"), nil
}
