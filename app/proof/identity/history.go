package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// pair is a file that a commit changed, with git's ids of its contents and what git's diff says.
type pair struct {
	was, now      string // paths
	before, after string // blobs
	hunks         []hunk
}

// hunk says that count lines from first were replaced by nowCount from now.
type hunk struct{ first, count, now, nowCount int }

// mostFiles is how many files a commit may change: larger ones move or reformat the tree.
const mostFiles = 100

// command is git in a repository, without anything of the user's configuration that changes what it prints.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=false", "-c", "diff.algorithm=myers", "-c", "diff.noprefix=false"}, args...)...)
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }), "LC_ALL=C", "GIT_CONFIG_GLOBAL="+os.DevNull)
	return c
}

// walk calls fn with the files that were edited or renamed in each of the last first-parent commits.
func walk(ctx context.Context, dir string, commits int, fn func(files []pair) error) error {
	c := command(ctx, dir, "log", "--first-parent", "--diff-merges=first-parent", "--max-count="+strconv.Itoa(commits), "--format=%x00", "--patch", "--unified=0",
		"--find-renames", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--diff-filter=MR")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return fmt.Errorf("git log: %w", err)
	}
	if err := parse(bufio.NewReaderSize(out, 1<<16), fn); err != nil {
		_ = c.Process.Kill()
		_ = c.Wait()
		return err
	}
	if err := c.Wait(); err != nil {
		return fmt.Errorf("git log: %w", err)
	}
	return nil
}

// parse reads the log.
func parse(in *bufio.Reader, fn func(files []pair) error) error {
	var files []pair
	flush := func() error {
		full := slices.DeleteFunc(files, func(p pair) bool { return p.was == "" || p.now == "" || p.before == "" })
		if files = nil; len(full) == 0 || len(full) > mostFiles {
			return nil
		}
		return fn(full)
	}
	skip := 0 // lines of the hunk
	for {
		line, err := in.ReadString('\n')
		if err != nil && line == "" {
			if errors.Is(err, io.EOF) {
				return flush()
			}
			return fmt.Errorf("read git log: %w", err)
		}
		switch {
		case skip > 0:
			if line[0] != '\\' {
				skip--
			}
		case line[0] == 0:
			if err := flush(); err != nil {
				return err
			}
		default:
			if skip, err = note(&files, strings.TrimSuffix(line, "\n")); err != nil {
				return err
			}
		}
	}
}

// note takes in a line of a diff's head, and returns how many lines of content follow.
func note(files *[]pair, line string) (int, error) {
	if strings.HasPrefix(line, "diff --git ") {
		*files = append(*files, pair{})
	}
	if len(*files) == 0 {
		return 0, nil
	}
	p := &(*files)[len(*files)-1]
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "index":
		ids, _, _ := strings.Cut(rest, " ")
		p.before, p.after, _ = strings.Cut(ids, "..")
	case word == "---":
		p.was = strings.TrimSuffix(strings.TrimPrefix(rest, "a/"), "\t")
	case word == "+++":
		p.now = strings.TrimSuffix(strings.TrimPrefix(rest, "b/"), "\t")
	case word == "@@":
		var h hunk
		was, now, _ := strings.Cut(rest, " ")
		now, _, _ = strings.Cut(now, " ")
		h.first, h.count = span(was)
		h.now, h.nowCount = span(now)
		if h.first < 0 || h.now < 0 {
			return 0, fmt.Errorf("git log: cannot read %q", line)
		}
		p.hunks = append(p.hunks, h)
		return h.count + h.nowCount, nil
	}
	return 0, nil
}

// span reads -12,3 or +12: of a count of 0 the line that the hunk would stand behind.
func span(text string) (first, count int) {
	line, number, many := strings.Cut(text[1:], ",")
	first, err := strconv.Atoi(line)
	count = 1
	if many && err == nil {
		count, err = strconv.Atoi(number)
	}
	if err != nil {
		return -1, 0
	}
	return first, count
}

// to maps a line of before, or returns the number of the hunk that it is in, from 1.
func (p *pair) to(line int) (now, in int) {
	shift := 0
	for i, h := range p.hunks {
		first := h.first
		if h.count == 0 {
			first++
		}
		if line < first {
			break
		}
		if line < first+h.count {
			return 0, i + 1
		}
		shift += h.nowCount - h.count
	}
	return line + shift, 0
}

// edited returns the number of the hunk that a line of after is in, from 1; 0 when it is in none.
func (p *pair) edited(line int) int {
	for i, h := range p.hunks {
		if h.nowCount > 0 && line >= h.now && line < h.now+h.nowCount {
			return i + 1
		}
	}
	return 0
}

// blobs reads contents by their ids.
type blobs struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

func openBlobs(ctx context.Context, dir string) (*blobs, error) {
	c := command(ctx, dir, "cat-file", "--batch")
	in, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	return &blobs{in, bufio.NewReaderSize(out, 1<<16), c}, nil
}

func (b *blobs) close() {
	_ = b.in.Close()
	_ = b.cmd.Wait()
}

// read returns a content; nil of one that is not there.
func (b *blobs) read(id string) ([]byte, error) {
	if _, err := fmt.Fprintln(b.in, id); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	return data[:size], nil
}
