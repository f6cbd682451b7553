// Package clones renders the pages of real repositories at fixed commits.
package clones

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/causaldocs/causal/app/proof/trial"
)

// Workshop is a temporary directory for clones and their pages.
type Workshop struct{ dir, causal string }

// Open makes a workshop for the program causal, which is built from this source where its path is empty.
func Open(ctx context.Context, causal string) (w *Workshop, err error) {
	w = &Workshop{}
	if w.dir, err = os.MkdirTemp("", "causal-clones-"); err != nil {
		return nil, fmt.Errorf("make a directory for the pages: %w", err)
	}
	if causal != "" {
		w.causal, err = filepath.Abs(causal) // it is run in other directories
	} else {
		w.causal = filepath.Join(w.dir, "causal")
		err = trial.Build(ctx, w.causal)
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close removes the workshop.
func (w *Workshop) Close() { _ = os.RemoveAll(w.dir) }

// Checkout checks out a commit of the repository OWNER/NAME, and returns the root of the work tree. The clone at from/NAME is not
// touched.
func (w *Workshop) Checkout(ctx context.Context, repository, commit, from string) (root string, err error) {
	name := path.Base(repository)
	if from, err = filepath.Abs(filepath.Join(from, name)); err != nil {
		return "", err
	}
	root = filepath.Join(w.dir, "clones", name)
	for _, c := range []struct {
		dir  string
		args []string
	}{
		{"", []string{"clone", "--quiet", "--no-checkout", from, root}},
		{root, []string{"checkout", "--quiet", "--detach", commit}},
		{root, []string{"remote", "set-url", "origin", "https://github.com/" + repository}}, // as if it were cloned from there
	} {
		if _, err := trial.Output(ctx, c.dir, "git", c.args...); err != nil {
			return "", fmt.Errorf("check out %s: %w", repository, err)
		}
	}
	return root, nil
}

// Make makes the pages of a commit of the repository OWNER/NAME, and returns the root of the work tree that they are in. The clone
// at from/NAME is not touched.
func (w *Workshop) Make(ctx context.Context, repository, commit, from string) (root string, err error) {
	if root, err = w.Checkout(ctx, repository, commit, from); err != nil {
		return "", err
	}
	for _, args := range [][]string{{"init", "--yes"}, {"update"}} {
		if _, err := trial.Output(ctx, root, w.causal, args...); err != nil {
			return "", fmt.Errorf("make the pages of %s: %w", repository, err)
		}
	}
	return root, nil
}

// Causal is the program.
func (w *Workshop) Causal() string { return w.causal }

// Dir is a directory that is there as long as the workshop is.
func (w *Workshop) Dir() string { return w.dir }

// errNoPages is returned if no known directory has the generated pages.
var errNoPages = errors.New("no pages")

// Pages returns the directory of the generated pages in a work tree. It is outside docs if the repository has a
// documentation site.
func Pages(root string) (dir string, err error) {
	for _, dir := range []string{"docs/causal", ".causal-docs"} {
		if _, err := fs.Stat(os.DirFS(root), path.Join(dir, "llms.txt")); err == nil {
			return dir, nil
		}
	}
	return "", errNoPages
}
