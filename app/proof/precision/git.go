package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// commit is one of a history, with how many files it changed.
type commit struct {
	id, parent, subject string
	files               int
}

// git runs git in a directory, without hooks or anything else of the user's.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
	c.Dir = dir
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }), "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}

// clone makes a work tree that borrows the objects of a repository, with nothing checked out.
func clone(ctx context.Context, dir, into string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("clone: %w", err)
	}
	_, err = git(ctx, ".", "clone", "--quiet", "--shared", "--no-checkout", dir, into)
	return err
}

// history lists the last first-parent commits that have a parent, oldest first.
func history(ctx context.Context, dir string, n int) ([]commit, error) {
	out, err := git(ctx, dir, "log", "--first-parent", "--diff-merges=first-parent", "--reverse", "--min-parents=1", "--max-count="+strconv.Itoa(n),
		"--no-renames", "--name-only", "-z", "--format=%x01%H %P%x02%s%x03")
	if err != nil {
		return nil, err
	}
	var list []commit
	for one := range strings.SplitSeq(out, "\x01") {
		head, files, ok := strings.Cut(one, "\x03")
		if !ok {
			continue
		}
		ids, subject, _ := strings.Cut(head, "\x02")
		names := strings.Fields(ids)
		if len(names) < 2 {
			return nil, errors.New("git log: a commit has no parent")
		}
		files = strings.Trim(files, "\x00\n")
		c := commit{id: names[0], parent: names[1], subject: subject}
		if files != "" {
			c.files = strings.Count(files, "\x00") + 1
		}
		list = append(list, c)
	}
	return list, nil
}
