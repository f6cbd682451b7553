package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// churn counts the lines that each update adds and removes in some directories of a clone. Their state is in a separate git index.
type churn struct {
	gitDir, clone string
	dirs          []string
	state         string // the last tree; empty before the first
}

func newChurn(ctx context.Context, scratch, clone, name string, dirs ...string) (*churn, error) {
	c := &churn{gitDir: filepath.Join(scratch, name+".git"), clone: clone, dirs: dirs}
	_, err := git(ctx, scratch, "init", "--quiet", "--bare", c.gitDir)
	return c, err
}

// next returns the lines added and removed since the last call; none at the first.
func (c *churn) next(ctx context.Context) (lines int, err error) {
	run := func(args ...string) (string, error) {
		return git(ctx, c.clone, append([]string{"--git-dir=" + c.gitDir, "--work-tree=" + c.clone}, args...)...)
	}
	add := []string{"-c", "core.autocrlf=false", "add", "--all", "--force", "--"}
	for _, dir := range c.dirs {
		if _, err := os.Stat(filepath.Join(c.clone, filepath.FromSlash(dir))); err == nil {
			add = append(add, dir)
		}
	}
	if _, err := run(add...); err != nil {
		return 0, err
	}
	now, err := run("write-tree")
	if err != nil {
		return 0, err
	}
	before := c.state
	if c.state = strings.TrimSpace(now); before == "" || before == c.state {
		return 0, nil
	}
	out, err := run("diff-tree", "-r", "--numstat", "--text", "--no-renames", before, c.state)
	if err != nil {
		return 0, err
	}
	return numstat(out)
}

// numstat sums up the lines added and removed. Binary files have none.
func numstat(out string) (lines int, err error) {
	for line := range strings.Lines(out) {
		for _, field := range strings.SplitN(line, "\t", 3)[:2] {
			if field == "-" {
				continue
			}
			n, err := strconv.Atoi(field)
			if err != nil {
				return 0, fmt.Errorf("count lines: %q: %w", line, err)
			}
			lines += n
		}
	}
	return lines, nil
}
