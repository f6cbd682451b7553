package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// bench runs commands on trees below one directory.
type bench struct {
	ctx    context.Context
	dir    string
	rounds int
	causal string
}

// newBench builds the program that is measured.
func newBench(ctx context.Context, dir string, rounds int) (*bench, error) {
	b := &bench{ctx: ctx, dir: dir, rounds: rounds, causal: filepath.Join(dir, "causal")}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, fmt.Errorf("find the module: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.causal, ".")
	build.Dir = strings.TrimSpace(string(root))
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w\n%s", err, out)
	}
	return b, nil
}

// prepare makes a tree into a repository with one commit.
func (b *bench) prepare(c corpus) (string, error) {
	dir, err := os.MkdirTemp(b.dir, "tree-")
	if err != nil {
		return "", err
	}
	if err := c.make(dir); err != nil {
		return "", err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "gc.auto", "0"}, {"config", "user.name", "bench"}, {"config", "user.email", "bench@example.com"}} {
		if _, _, err := b.command(dir, "git", args...); err != nil {
			return "", err
		}
	}
	return dir, b.commit(dir)
}

func (b *bench) commit(dir string) error {
	if _, _, err := b.command(dir, "git", "add", "-A"); err != nil {
		return err
	}
	_, _, err := b.command(dir, "git", "commit", "-q", "--allow-empty", "-m", "bench")
	return err
}

// command runs a command and returns how long it took and what it printed.
func (b *bench) command(dir, name string, args ...string) (time.Duration, string, error) {
	cmd := exec.CommandContext(b.ctx, name, args...)
	cmd.Dir = dir
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return took, out.String(), fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return took, out.String(), nil
}

// race runs two things in turns and returns their medians in milliseconds.
func (b *bench) race(rounds int, one, other func() (time.Duration, error)) (float64, float64, error) {
	var a, z []time.Duration
	for range rounds {
		x, err := one()
		if err != nil {
			return 0, 0, err
		}
		y, err := other()
		if err != nil {
			return 0, 0, err
		}
		a, z = append(a, x), append(z, y)
	}
	return median(a), median(z), nil
}

func median(list []time.Duration) float64 {
	slices.Sort(list)
	return float64(list[len(list)/2].Microseconds()) / 1000
}

// measure takes all figures of one tree.
func (b *bench) measure(c corpus) ([]row, error) {
	dir, err := b.prepare(c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if c.edited == "" {
		c.edited = anyGoFile(dir)
	}
	rows, err := b.first(c, dir)
	if err != nil {
		return nil, err
	}
	if err := b.commit(dir); err != nil {
		return nil, err
	}
	status := func() (time.Duration, error) {
		took, _, err := b.command(dir, "git", "status", "--porcelain")
		return took, err
	}
	for _, what := range []string{"update", "check"} {
		again := func() (time.Duration, error) {
			took, _, err := b.command(dir, b.causal, what)
			return took, err
		}
		if _, err := again(); err != nil {
			return nil, err
		}
		took, limit, err := b.race(b.rounds, again, status)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{c.name, "no-op " + what, "git status", took, limit, 1.5, ""})
	}
	edited, err := b.oneFile(c, dir, status)
	return append(rows, edited), err
}

// first measures the first update of a tree.
func (b *bench) first(c corpus, dir string) ([]row, error) {
	rss := int64(0)
	update := func() (time.Duration, error) {
		for _, own := range []string{".causal", "docs/causal", ".git/causal"} {
			if err := os.RemoveAll(filepath.Join(dir, own)); err != nil {
				return 0, err
			}
		}
		cmd := exec.CommandContext(b.ctx, b.causal, "update")
		cmd.Dir = dir
		start := time.Now()
		out, err := cmd.CombinedOutput()
		took := time.Since(start)
		if err != nil {
			return 0, fmt.Errorf("update: %w\n%s", err, out)
		}
		rss = max(rss, peak(cmd.ProcessState))
		return took, nil
	}
	r := row{where: c.name, what: "first update", most: 1.5}
	tags := func() (time.Duration, error) { return 0, nil }
	if _, err := exec.LookPath("ctags"); err == nil && c.ctags {
		r.against = "ctags -R"
		tags = func() (time.Duration, error) {
			took, _, err := b.command(dir, "ctags", "-R", "--exclude=.git", "--exclude=.causal", "-f", filepath.Join(b.dir, "tags"), ".")
			return took, err
		}
	} else {
		r.most = 0
		if c.ctags {
			r.note = "ctags is not installed; "
		}
	}
	rounds := min(b.rounds, 3)
	var err error
	r.took, r.limit, err = b.race(rounds, update, tags)
	if rss > 0 {
		r.note += fmt.Sprintf("peak memory %d MB", rss>>20)
	}
	return []row{r}, err
}

// oneFile measures an update after an edit of one file.
func (b *bench) oneFile(c corpus, dir string, status func() (time.Duration, error)) (row, error) {
	name := filepath.Join(dir, filepath.FromSlash(c.edited))
	read, n := 0, 0
	edit := func() (time.Duration, error) {
		n++
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return 0, err
		}
		_, err = fmt.Fprintf(f, c.declaration, n)
		if err = errors.Join(err, f.Close()); err != nil {
			return 0, err
		}
		took, out, err := b.command(dir, b.causal, "update", "--json")
		if err != nil {
			return 0, err
		}
		var report struct {
			FilesRead int `json:"files_read"`
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			return 0, err
		}
		read = max(read, report.FilesRead)
		return took, nil
	}
	took, limit, err := b.race(b.rounds, edit, status)
	return row{c.name, "update after one edit", "git status", took, limit, 3, fmt.Sprintf("source files read: %d", read)}, err
}
