package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

func (g *goGit) treeID(treeish string) (string, error) {
	treeish = strings.TrimSuffix(treeish, rootTree)
	if sha1Format.isID(treeish) {
		if _, err := g.object(plumbing.TreeObject, treeish); err == nil {
			return treeish, nil
		}
	}
	c, err := g.commitOf(treeish)
	if errors.Is(err, ErrUnknownRevision) {
		return "", fmt.Errorf("%q: %w", treeish, ErrUnknownObject)
	}
	return c.Tree, err
}

// leavesOf reads trees.
func (g *goGit) leavesOf(ctx context.Context, ids []string) (map[string]map[string]leaf, error) {
	trees := map[string]map[string]leaf{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		content, err := g.raw(plumbing.TreeObject, id)
		if err != nil {
			return nil, err
		}
		if trees[id], err = parseTreeObject(Blob{ID: id, Content: content}); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

func (g *goGit) tree(ctx context.Context, treeish string) ([]Entry, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	root, err := g.treeID(treeish)
	if err != nil {
		return nil, err
	}
	changes, err := compareTrees(ctx, g.leavesOf, "", root)
	return entriesOf(changes), err
}

func (g *goGit) diff(ctx context.Context, from, to string) ([]Change, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	fromTree, err := g.treeID(from)
	if err != nil {
		return nil, err
	}
	toTree, err := g.treeID(to)
	if err != nil {
		return nil, err
	}
	return compareTrees(ctx, g.leavesOf, fromTree, toTree)
}
