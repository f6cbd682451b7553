package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/causaldocs/causal/app/proof/trial"
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
	return b, trial.Build(ctx, b.causal)
}

// prepare makes a tree into a repository with one commit.
func (b *bench) prepare(t tree) (string, error) {
	dir, err := os.MkdirTemp(b.dir, "tree-")
	if err != nil {
		return "", err
	}
	if err := t.make(dir); err != nil {
		return "", fmt.Errorf("make %s: %w", t.name, err)
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "gc.auto", "0"}, {"config", "user.name", "bench"}, {"config", "user.email", "bench@example.com"},
	} {
		if _, err := b.command(dir, "git", args...); err != nil {
			return "", err
		}
	}
	return dir, b.commit(dir)
}

func (b *bench) commit(dir string) error {
	if _, err := b.command(dir, "git", "add", "-A"); err != nil {
		return err
	}
	_, err := b.command(dir, "git", "commit", "-q", "-m", "bench")
	return err
}

// cost is the cost of a command.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

// command runs a command in a directory.
func (b *bench) command(dir, name string, args ...string) (cost, error) {
	cmd := exec.CommandContext(b.ctx, name, args...)
	cmd.Dir = dir
	var errs strings.Builder
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Run()
	took := cost{wall: time.Since(start)}
	if s := cmd.ProcessState; s != nil {
		took.cpu = s.UserTime() + s.SystemTime()
		took.peak = s.SysUsage().(*syscall.Rusage).Maxrss << 10 // in kilobytes on Linux, where this runs
	}
	if err != nil {
		return took, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return took, nil
}

// race runs two commands in turn and fills in their medians. before prepares the first.
func (r *row) race(rounds int, before func(round int) error, one, other func() (cost, error)) error {
	var ones, others []cost
	for round := range rounds {
		if err := before(round); err != nil {
			return err
		}
		x, err := one()
		if err != nil {
			return err
		}
		y, err := other()
		if err != nil {
			return err
		}
		ones, others = append(ones, x), append(others, y)
		r.peak = max(r.peak, x.peak)
	}
	wall, cpu := func(c cost) time.Duration { return c.wall }, func(c cost) time.Duration { return c.cpu }
	r.wall, r.otherWall = median(ones, wall), median(others, wall)
	r.cpu, r.otherCPU = median(ones, cpu), median(others, cpu)
	return nil
}

// median is in milliseconds.
func median(list []cost, of func(cost) time.Duration) float64 {
	list = slices.SortedFunc(slices.Values(list), func(a, b cost) int { return cmp.Compare(of(a), of(b)) })
	return float64(of(list[len(list)/2]).Microseconds()) / 1000
}

// nothing prepares nothing.
func nothing(int) error { return nil }

// start compares the start-up time with that of an empty program.
func (b *bench) start() ([]row, error) {
	empty := filepath.Join(b.dir, "empty")
	if err := os.WriteFile(empty+".go", []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return nil, err
	}
	if _, err := b.command(b.dir, "go", "build", "-o", empty, empty+".go"); err != nil {
		return nil, err
	}
	r := row{what: "start", against: "an empty Go program", bound: bound{over: 15}}
	err := r.race(quick*b.rounds, nothing, b.runs(b.dir, b.causal, "version"), b.runs(b.dir, empty))
	r.peak = 0
	return []row{r}, err
}

// quick is how many times as often commands of milliseconds run.
const quick = 4

func (b *bench) runs(dir, name string, args ...string) func() (cost, error) {
	return func() (cost, error) { return b.command(dir, name, args...) }
}

// standardLibrary measures a first update, no-op runs, and edits.
func (b *bench) standardLibrary() ([]row, error) {
	name := standardLibrary.name
	dir, err := b.prepare(standardLibrary)
	if err != nil {
		return nil, err
	}
	rows, err := b.firstUpdate(name, dir, b.rounds, bound{ratio: 1.5, peak: 400e6})
	if err != nil {
		return rows, err
	}
	if err := b.commit(dir); err != nil {
		return rows, err
	}
	status := b.runs(dir, "git", "status", "--porcelain")
	for _, command := range []string{"update", "check"} {
		r := row{tree: name, what: command + " without a change", against: "git status", bound: bound{ratio: 1.2}}
		if _, err := b.command(dir, b.causal, command); err != nil {
			return rows, err
		}
		if err := r.race(quick*b.rounds, nothing, b.runs(dir, b.causal, command), status); err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	for _, e := range edits {
		r := row{tree: name, what: "update after " + e.name, against: "git status", bound: bound{ratio: 3}}
		if err := r.race(b.rounds, func(round int) error { return apply(dir, e, round) }, b.runs(dir, b.causal, "update"), status); err != nil {
			return rows, err
		}
		rows = append(rows, r)
		if err := b.commit(dir); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// apply makes an edit.
func apply(dir string, e edit, n int) error {
	name := filepath.Join(dir, filepath.FromSlash(editedFile))
	text, err := os.ReadFile(name) //nolint:gosec // the tree is temporary
	if err != nil {
		return err
	}
	changed := e.change(string(text), n)
	if changed == string(text) {
		return fmt.Errorf("%s does not change %s", e.name, editedFile)
	}
	return os.WriteFile(name, []byte(changed), 0o644)
}

// firstUpdate compares the first update of a tree with ctags.
func (b *bench) firstUpdate(name, dir string, rounds int, most bound) ([]row, error) {
	r := row{tree: name, what: "first update", against: "ctags -R", bound: most}
	tags := b.runs(dir, "ctags", "-R", "--exclude=.git", "--exclude=.causal", "--exclude=docs", "-f", filepath.Join(b.dir, "tags"), ".")
	err := r.race(rounds, func(int) error { return b.forget(dir) }, b.runs(dir, b.causal, "update"), tags)
	return []row{r}, err
}

// forget moves everything that causal wrote out of the tree. Nothing is deleted: some file systems are slow to make files soon after.
func (b *bench) forget(dir string) error {
	away, err := os.MkdirTemp(b.dir, "away-")
	if err != nil {
		return err
	}
	for i, own := range []string{".causal", "docs/causal", ".git/causal"} {
		err := os.Rename(filepath.Join(dir, filepath.FromSlash(own)), filepath.Join(away, strconv.Itoa(i)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
