package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Query selects the commits of Log.
type Query struct {
	Since  string // exclude ancestors of this revision; optional
	After  time.Time
	Paths  []string // only commits that change these files or directories
	Except []string // directories whose changes do not count
	Most   int
	Naming string // only commits that change the number of occurrences of this text
	Lines  bool   // with Naming: commits that change a line with the text
}

// Logged is a commit with its changed files.
type Logged struct {
	Commit
	Files []string
}

// Log lists the non-merge ancestors of rev, newest first, with author names mapped by .mailmap. whole is false in a
// shallow clone, where commits may be missing.
func (r *Repo) Log(ctx context.Context, rev string, q Query) (list []Logged, whole bool, err error) {
	c, ok := r.backend.(*cli)
	if !ok {
		return nil, false, fmt.Errorf("git log: %w", ErrUnsupported)
	}
	whole = !r.IsShallow()
	args := []string{
		"--no-literal-pathspecs", "log", "--no-merges", "--date-order", "--no-show-signature", "--encoding=UTF-8", "--use-mailmap", "--no-renames", "--no-ext-diff", "--no-textconv",
		"-z", "--name-only", "--format=%x00%x01%H%x00%aN%x00%ct%x00%s%x00", "--max-count=" + strconv.Itoa(q.Most),
	}
	if !q.After.IsZero() {
		args = append(args, "--since="+q.After.UTC().Format(time.RFC3339))
	}
	if q.Naming != "" {
		how := "-S"
		if q.Lines {
			how = "-G"
		}
		args = append(args, how+q.Naming)
	}
	if err := checkRevisions(rev, cmp.Or(q.Since, rev)); err != nil {
		return nil, false, err
	}
	between, err := c.between(ctx, rev, q.Since)
	if err != nil {
		return nil, false, err
	}
	args = append(append(args, between...), "--")
	for _, p := range q.Paths {
		if err := checkPath(p); err != nil {
			return nil, false, err
		}
		args = append(args, ":(top,literal)"+p)
	}
	if len(q.Paths) == 0 {
		args = append(args, ":(top)")
	}
	for _, p := range q.Except {
		args = append(args, ":(top,exclude,literal)"+p)
	}
	out, err := c.git.run(ctx, nil, args...)
	if err != nil {
		return nil, false, err
	}
	list, err = parseLog(string(out))
	return list, whole, err
}

// IsShallow reports whether the clone lacks a part of the history.
func (r *Repo) IsShallow() bool {
	cut, _ := shallow(r.loc.commonDir)
	return len(cut) > 0
}

// parseLog parses commits: "\0\1id\0author\0seconds\0subject\0", then each file followed by a NUL.
func parseLog(out string) (list []Logged, err error) {
	for part := range strings.SplitSeq(out, "\x00\x01") {
		fields := strings.Split(part, "\x00")
		if len(fields) < 4 {
			continue
		}
		seconds, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return nil, errors.New("git log: a commit without a date")
		}
		one := Logged{Commit: Commit{ID: fields[0], Author: valid(fields[1]), When: time.Unix(seconds, 0).UTC(), Subject: valid(fields[3])}}
		for _, f := range fields[4:] {
			if f = strings.TrimPrefix(f, "\n"); f != "" {
				one.Files = append(one.Files, valid(f))
			}
		}
		list = append(list, one)
	}
	return list, nil
}
