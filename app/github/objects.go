package github

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	gh "github.com/google/go-github/v66/github"
)

// Limits for one tree request. GitHub times out on larger ones.
const (
	treeEntries = 100
	treeBytes   = 1 << 20
	inlineBytes = 256 << 10 // larger files become separate blobs
)

// publishObjects creates a commit from git objects and then moves the branch. It handles commits that a mutation
// cannot.
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

// mostWrites bounds the write requests for one commit: half of GitHub's 500 an hour, because other repositories of the
// installation need the rest.
const mostWrites = 250

func inline(content []byte) bool {
	return len(content) <= inlineBytes && utf8.Valid(content) && !bytes.ContainsRune(content, 0)
}

func (c Commit) chunks() (parts [][]string, writes int) {
	size := 0
	for _, name := range c.paths() {
		content, blob := c.Write[name], 0
		if !inline(content) {
			content, blob = nil, 1
		}
		if n := len(parts); n == 0 || len(parts[n-1]) == treeEntries || size+len(content) > treeBytes {
			parts, size = append(parts, nil), 0
		}
		last := len(parts) - 1
		parts[last], size, writes = append(parts[last], name), size+len(content), writes+blob
	}
	return parts, writes + len(parts) + 2
}

// store creates the objects of a commit without moving a branch. It is safe to repeat: blobs and trees are
// content-addressed, and GitHub collects an unused commit.
func (c *Client) store(ctx context.Context, commit Commit) (string, error) {
	doing := "store a commit for " + commit.Branch
	parts, writes := commit.chunks()
	if writes > mostWrites {
		return "", &Error{Kind: ErrTooLarge, Doing: doing, Said: fmt.Sprintf(
			"%d files take %d requests, and more than %d for one commit would keep all other repositories waiting", len(commit.paths()), writes, mostWrites)}
	}
	parent, _, err := c.api.Git.GetCommit(ctx, c.owner, c.name, commit.ExpectedHead)
	if err != nil {
		return "", c.explain(ctx, doing, "contents=read", err)
	}
	ctx = repeatable(ctx)
	tree := parent.GetTree().GetSHA()
	for _, names := range parts {
		if tree, err = c.storeTree(ctx, commit, tree, names); err != nil {
			return "", c.explain(ctx, doing, "contents=write", err)
		}
	}
	// Without author and committer GitHub fills in the App and signs.
	made, _, err := c.api.Git.CreateCommit(ctx, c.owner, c.name, &gh.Commit{
		Message: new(commit.message()), Tree: &gh.Tree{SHA: new(tree)},
		Parents: []*gh.Commit{{SHA: new(commit.ExpectedHead)}},
	}, nil)
	return made.GetSHA(), c.explain(ctx, doing, "contents=write", err)
}

func (c *Client) storeTree(ctx context.Context, commit Commit, base string, names []string) (string, error) {
	entries := make([]*gh.TreeEntry, 0, len(names))
	for _, name := range names {
		entry, err := c.entry(ctx, commit, name)
		if err != nil {
			return "", err
		}
		entries = append(entries, entry)
	}
	made, _, err := c.api.Git.CreateTree(ctx, c.owner, c.name, base, entries)
	return made.GetSHA(), err
}

func (c *Client) entry(ctx context.Context, commit Commit, name string) (*gh.TreeEntry, error) {
	out := &gh.TreeEntry{Path: new(name), Mode: new("100644"), Type: new("blob")}
	content, written := commit.Write[name]
	switch {
	case !written: // without content and hash go-github deletes the path
		return out, nil
	case inline(content):
		out.Content = new(string(content))
		return out, nil
	}
	blob, _, err := c.api.Git.CreateBlob(ctx, c.owner, c.name, &gh.Blob{
		Content: new(base64.StdEncoding.EncodeToString(content)), Encoding: new("base64"),
	})
	out.SHA = new(blob.GetSHA())
	return out, err
}
