// Package clones makes the pages of real repositories at the commits at which somebody judged them.
package clones

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/proof/trial"
)

// Workshop is a directory in which pages are made.
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

// Close removes the workshop with all that was made in it.
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
		if err := command(ctx, c.dir, "git", c.args...); err != nil {
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
		if err := command(ctx, root, w.causal, args...); err != nil {
			return "", fmt.Errorf("make the pages of %s: %w", repository, err)
		}
	}
	return root, nil
}

// Causal is the program.
func (w *Workshop) Causal() string { return w.causal }

// Dir is a directory that is there as long as the workshop is.
func (w *Workshop) Dir() string { return w.dir }

// command runs a program, and tells what it said when it fails.
func command(ctx context.Context, dir, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "NO_COLOR=1")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}
