package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// churn counts the lines of the pages that each update adds and removes. The pages are noted in a git index of their
// own, beside the clone.
type churn struct {
	gitDir, pages string
}

func newChurn(ctx context.Context, scratch, pages string) (*churn, error) {
	c := &churn{gitDir: filepath.Join(scratch, "pages.git"), pages: pages}
	_, err := git(ctx, scratch, "init", "--quiet", "--bare", c.gitDir)
	return c, err
}

// since returns the lines added and removed since a noted state, and the state now. The empty state is that of no
// pages.
func (c *churn) since(ctx context.Context, state string) (lines int, now string, err error) {
	if err := os.MkdirAll(c.pages, 0o755); err != nil {
		return 0, "", fmt.Errorf("count lines: %w", err)
	}
	run := func(args ...string) (string, error) {
		return git(ctx, c.pages, append([]string{"--git-dir=" + c.gitDir, "--work-tree=" + c.pages}, args...)...)
	}
	if _, err := run("-c", "core.autocrlf=false", "add", "--all", "--force", "."); err != nil {
		return 0, "", err
	}
	now, err = run("write-tree")
	if err != nil {
		return 0, "", err
	}
	now = strings.TrimSpace(now)
	if state == "" || state == now {
		return 0, now, nil
	}
	out, err := run("diff-tree", "-r", "--numstat", "--text", "--no-renames", state, now)
	if err != nil {
		return 0, "", err
	}
	for line := range strings.Lines(out) {
		for _, field := range strings.SplitN(line, "\t", 3)[:2] {
			n, err := strconv.Atoi(field)
			if err != nil {
				return 0, "", fmt.Errorf("count lines: %q: %w", line, err)
			}
			lines += n
		}
	}
	return lines, now, nil
}
