package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// workshop is where the pages are made.
type workshop struct{ dir, causal string }

// build builds the program that makes the pages, when none was given.
func (w *workshop) build(ctx context.Context) (err error) {
	if w.causal != "" {
		w.causal, err = filepath.Abs(w.causal) // it is run in other directories
		return err
	}
	w.causal = filepath.Join(w.dir, "causal")
	return command(ctx, "", "go", "build", "-o", w.causal, "github.com/causaldocs/causal")
}

// makePages makes the pages of a repository in a copy of its clone, and returns where they are.
func (w *workshop) makePages(ctx context.Context, r repository, clones string) (string, error) {
	name := path.Base(r.Name)
	from, err := filepath.Abs(filepath.Join(clones, name))
	if err != nil {
		return "", err
	}
	to := filepath.Join(w.dir, "clones", name)
	for _, c := range [][]string{
		{"git", "clone", "--quiet", "--no-checkout", from, to},
		{"git", "-C", to, "checkout", "--quiet", "--detach", r.Commit},
		{"git", "-C", to, "remote", "set-url", "origin", "https://github.com/" + r.Name},
	} {
		if err := command(ctx, "", c[0], c[1:]...); err != nil {
			return "", err
		}
	}
	return filepath.Join(to, "docs", "causal"), command(ctx, to, w.causal, "update")
}

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
