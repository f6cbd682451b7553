package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// commit writes the objects, moves the branch and brings the index up for the given paths. It holds git's own index
// lock meanwhile. What only git can do right is refused before anything is written.
func (g *inProcess) commit(ctx context.Context, changes []Change, message string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.refuseCommit(); err != nil {
		return err
	}
	author, err := g.identity("AUTHOR")
	if err != nil {
		return err
	}
	committer, err := g.identity("COMMITTER")
	if err != nil {
		return err
	}
	lock, err := lockIndex(filepath.Join(g.loc.gitDir, "index"))
	if err != nil {
		return err
	}
	defer lock.release()
	ref, head, err := g.headRef()
	if err != nil {
		return err
	}
	files, err := g.storeFiles(ctx, changes)
	if err != nil {
		return err
	}
	commit := &object.Commit{Author: author, Committer: committer, Message: message}
	base := ""
	if head != "" {
		parent, err := g.commitAt(head)
		if err != nil {
			return err
		}
		base = parent.Tree
		commit.ParentHashes = []plumbing.Hash{plumbing.NewHash(head)}
	}
	if commit.TreeHash, err = g.writeTree(base, files); err != nil {
		return err
	}
	id, err := g.write(commit)
	if err != nil {
		return err
	}
	if err := lock.fill(files); err != nil {
		return err
	}
	if err := g.move(ref, head, id); err != nil {
		return err
	}
	return lock.publish()
}

// hooks are those that `git commit` would run.
var hooks = []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"}

// refuseCommit names what stands against a commit without git.
func (g *inProcess) refuseCommit() error {
	if g.conf.is("commit.gpgsign", false) {
		return fmt.Errorf("commit: commit.gpgSign is set, and signing is %w", ErrUnsupported)
	}
	dir := g.conf.get("core.hookspath")
	if dir == "" {
		dir = filepath.Join(g.loc.commonDir, "hooks")
	}
	for _, hook := range hooks {
		info, err := os.Stat(filepath.Join(within(g.loc.root, dir), hook))
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return fmt.Errorf("commit: the hook %s is to run, which is %w", hook, ErrUnsupported)
		}
	}
	idx, err := readIndex(filepath.Join(g.loc.gitDir, "index"))
	if err != nil {
		return err
	}
	for _, e := range idx.entries {
		if e.assumeValid {
			return fmt.Errorf("commit: %s is marked as assume-unchanged; keeping that is %w", e.path, ErrUnsupported)
		}
	}
	return nil
}

// storeFiles writes the changed files as blobs; what is deleted has no mode.
func (g *inProcess) storeFiles(ctx context.Context, changes []Change) (map[string]Entry, error) {
	files := map[string]Entry{}
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		entry := Entry{Path: c.Path, Mode: c.Mode}
		if c.Mode == Submodule {
			return nil, fmt.Errorf("commit: %s is a submodule: %w", c.Path, ErrUnsupported)
		}
		if c.Mode != "" {
			content, err := g.content(c)
			if err != nil {
				return nil, fmt.Errorf("commit: %w", err)
			}
			if entry.ID, err = g.writeBlob(content); err != nil {
				return nil, err
			}
		}
		files[c.Path] = entry
	}
	return files, nil
}

// content reads what is to be committed of a file.
func (g *inProcess) content(c Change) ([]byte, error) {
	path := g.disk.abs(c.Path)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		return []byte(target), err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s", c.Path, typeName(info.Mode()))
	}
	content, err := os.ReadFile(path)
	if err == nil && g.disk.crlf && bytes.Contains(content, []byte("\r\n")) {
		return nil, fmt.Errorf("%s: turning its line ends is %w", c.Path, ErrUnsupported)
	}
	return content, err
}

func (g *inProcess) writeBlob(content []byte) (string, error) {
	blob := g.store.NewEncodedObject()
	blob.SetType(plumbing.BlobObject)
	w, err := blob.Writer()
	if err != nil {
		return "", fmt.Errorf("write blob: %w", err)
	}
	if _, err := w.Write(content); err != nil {
		return "", fmt.Errorf("write blob: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("write blob: %w", err)
	}
	id, err := g.store.SetEncodedObject(blob)
	if err != nil {
		return "", fmt.Errorf("write blob: %w", err)
	}
	return id.String(), nil
}

// write stores a commit or a tree.
func (g *inProcess) write(o interface {
	Encode(plumbing.EncodedObject) error
}) (plumbing.Hash, error) {
	encoded := g.store.NewEncodedObject()
	if err := o.Encode(encoded); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object: %w", err)
	}
	id, err := g.store.SetEncodedObject(encoded)
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object: %w", err)
	}
	return id, nil
}

// move sets the branch to a new commit, unless someone else has moved it since.
func (g *inProcess) move(ref plumbing.ReferenceName, head string, id plumbing.Hash) error {
	var old *plumbing.Reference
	if head != "" {
		old = plumbing.NewHashReference(ref, plumbing.NewHash(head))
	}
	if old == nil {
		if _, err := g.store.Reference(ref); !errors.Is(err, plumbing.ErrReferenceNotFound) {
			return fmt.Errorf("commit: %s has come into being meanwhile", ref)
		}
	}
	if err := g.store.CheckAndSetReference(plumbing.NewHashReference(ref, id), old); err != nil {
		return fmt.Errorf("commit: move %s: %w", ref, err)
	}
	return nil
}
