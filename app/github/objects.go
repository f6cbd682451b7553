package github

import (
	"bytes"
	"context"
	"encoding/base64"
	"unicode/utf8"

	gh "github.com/google/go-github/v66/github"
)

// Bounds of what is put into one tree. GitHub times out on larger ones.
const (
	treeEntries = 100
	treeBytes   = 1 << 20
	inlineBytes = 256 << 10 // larger files become blobs of their own
)

// publishObjects makes the commit out of git objects and then moves the branch: for what a mutation cannot take.
func (c *Client) publishObjects(ctx context.Context, commit Commit) (string, error) {
	if err := c.expect(ctx, commit.Branch, commit.ExpectedHead); err != nil {
		return "", err
	}
	made, err := c.store(ctx, commit)
	if err != nil {
		return "", err
	}
	return made, c.move(ctx, commit.Branch, commit.ExpectedHead, made, false)
}

// store makes the objects of a commit that no branch points to yet. Each of them may be stored twice: a blob and a
// tree are then the same one, and a second commit is left behind for GitHub to collect.
func (c *Client) store(ctx context.Context, commit Commit) (string, error) {
	doing := "store a commit for " + commit.Branch
	parent, _, err := c.api.Git.GetCommit(ctx, c.owner, c.name, commit.ExpectedHead)
	if err != nil {
		return "", c.explain(ctx, doing, "contents=read", err)
	}
	ctx = repeatable(ctx)
	tree := parent.GetTree().GetSHA()
	chunk, size := []*gh.TreeEntry(nil), 0
	flush := func() error {
		if len(chunk) == 0 {
			return nil
		}
		made, _, err := c.api.Git.CreateTree(ctx, c.owner, c.name, tree, chunk)
		tree, chunk, size = made.GetSHA(), nil, 0
		return c.explain(ctx, doing, "contents=write", err)
	}
	for _, name := range commit.paths() {
		entry, err := c.entry(ctx, commit, name)
		if err != nil {
			return "", c.explain(ctx, doing, "contents=write", err)
		}
		if len(chunk) == treeEntries || size+len(entry.GetContent()) > treeBytes {
			if err := flush(); err != nil {
				return "", err
			}
		}
		chunk, size = append(chunk, entry), size+len(entry.GetContent())
	}
	if err := flush(); err != nil {
		return "", err
	}
	// Without author and committer GitHub fills in the App and signs.
	made, _, err := c.api.Git.CreateCommit(ctx, c.owner, c.name, &gh.Commit{
		Message: new(commit.message()), Tree: &gh.Tree{SHA: new(tree)},
		Parents: []*gh.Commit{{SHA: new(commit.ExpectedHead)}},
	}, nil)
	return made.GetSHA(), c.explain(ctx, doing, "contents=write", err)
}

// entry is one file of a tree. Text goes along with the tree; the rest is stored first.
func (c *Client) entry(ctx context.Context, commit Commit, name string) (*gh.TreeEntry, error) {
	out := &gh.TreeEntry{Path: new(name), Mode: new("100644"), Type: new("blob")}
	content, written := commit.Write[name]
	switch {
	case !written: // without content and hash the library deletes the path
		return out, nil
	case len(content) <= inlineBytes && utf8.Valid(content) && !bytes.ContainsRune(content, 0):
		out.Content = new(string(content))
		return out, nil
	}
	blob, _, err := c.api.Git.CreateBlob(ctx, c.owner, c.name, &gh.Blob{
		Content: new(base64.StdEncoding.EncodeToString(content)), Encoding: new("base64"),
	})
	out.SHA = new(blob.GetSHA())
	return out, err
}
