package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	if err := trial.Build(ctx, b.causal); err != nil {
		return nil, err
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

// cost is what a command took. Processor time is shown beside the time that passed: a busy machine stretches only that.
type cost struct {
	wall, cpu time.Duration
	peak      int64
}

// command runs a command and returns what it took and what it printed.
func (b *bench) command(dir, name string, args ...string) (cost, string, error) {
	cmd := exec.CommandContext(b.ctx, name, args...)
	cmd.Dir = dir
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	took := cost{wall: time.Since(start)}
	if cmd.ProcessState != nil {
		took.cpu, took.peak = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), peak(cmd.ProcessState)
	}
	if err != nil {
		return took, out.String(), fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return took, out.String(), nil
}

// race runs two things in turns and fills in their medians.
func (r *row) race(rounds int, one, other func() (cost, error)) error {
	var a, z []cost
	for range rounds {
		x, err := one()
		if err != nil {
			return err
		}
		y, err := other()
		if err != nil {
			return err
		}
		a, z = append(a, x), append(z, y)
	}
	wall, cpu := func(c cost) time.Duration { return c.wall }, func(c cost) time.Duration { return c.cpu }
	r.took, r.limit = median(a, wall), median(z, wall)
	r.cpu, r.cpuLimit = median(a, cpu), median(z, cpu)
	return nil
}

// median is in milliseconds.
func median(list []cost, of func(cost) time.Duration) float64 {
	slices.SortFunc(list, func(a, b cost) int { return cmp.Compare(of(a), of(b)) })
	return float64(of(list[len(list)/2]).Microseconds()) / 1000
}

// measure takes all figures of one tree.
func (b *bench) measure(c corpus) ([]row, error) {
	dir, err := b.prepare(c)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	rows, err := b.first(c, dir)
	if err != nil {
		return nil, err
	}
	// Of a directory that is untracked as a whole, git status says its name and does not look into it. Whether the pages in
	// there still are what was written takes a look at each of them, which git gives with -uall.
	before, err := b.nothing(row{where: c.name, against: "git status -uall", note: "docs not committed"}, dir, b.status(dir, "-uall"))
	if err != nil {
		return nil, err
	}
	if err := b.commit(dir); err != nil {
		return nil, err
	}
	after, err := b.nothing(row{where: c.name, against: "git status"}, dir, b.status(dir))
	if err != nil {
		return nil, err
	}
	edited, err := b.edits(c, dir)
	rows = slices.Concat(rows, before, after, edited)
	for i := range rows {
		if !c.real { // shown side by side, for how cost grows
			rows[i].most, rows[i].broken = 0, false
		}
	}
	return rows, err
}

// status runs git status in a tree.
func (b *bench) status(dir string, options ...string) func() (cost, error) {
	return func() (cost, error) {
		took, _, err := b.command(dir, "git", append([]string{"status", "--porcelain"}, options...)...)
		return took, err
	}
}

// quick is how many times as often runs of milliseconds are measured: what else the machine does weighs more there.
const quick = 4

// nothing measures an update and a check that find nothing to do, as rows like r.
func (b *bench) nothing(r row, dir string, status func() (cost, error)) ([]row, error) {
	var rows []row
	for _, what := range []string{"update", "check"} {
		again := func() (cost, error) {
			took, _, err := b.command(dir, b.causal, what)
			return took, err
		}
		if _, err := again(); err != nil {
			return nil, err
		}
		r.what, r.most, r.slack = "no-op "+what, 1.5, 15
		if err := r.race(quick*b.rounds, again, status); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// first measures the first update of a tree.
func (b *bench) first(c corpus, dir string) ([]row, error) {
	rss := int64(0)
	update := func() (cost, error) {
		if err := b.forget(dir); err != nil {
			return cost{}, err
		}
		took, _, err := b.command(dir, b.causal, "update")
		rss = max(rss, took.peak)
		return took, err
	}
	r := row{where: c.name, what: "first update", most: 2.5}
	tags := func() (cost, error) { return cost{}, nil }
	if c.real && b.universalCtags() {
		r.against = "ctags -R"
		tags = func() (cost, error) {
			if err := b.forget(dir); err != nil { // or the pages would be tagged, too
				return cost{}, err
			}
			took, _, err := b.command(dir, "ctags", "-R", "--exclude=.git", "--exclude=.causal", "-f", filepath.Join(b.dir, "tags"), ".")
			return took, err
		}
	} else {
		r.most = 0
		if c.real {
			r.note = "universal-ctags is not installed; "
		}
	}
	if err := r.race(min(b.rounds, 5), update, tags); err != nil {
		return nil, err
	}
	if r.limit > 0 && r.limit < large {
		r.most = 0
		r.note = "small: what every page costs counts; "
	}
	if rss > 0 {
		r.note += fmt.Sprintf("peak memory %d MB", rss/1e6)
		r.broken = rss > mostMemory
	}
	return []row{r}, nil
}

// large is from how many milliseconds of a tag generator's time on a first update is held against it.
const large = 500

// mostMemory is how much a first update may take.
const mostMemory = 400e6

// forget puts everything that the program made out of the way. Nothing is deleted: some file systems take long to
// make a file soon after.
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

func (b *bench) universalCtags() bool {
	_, version, err := b.command(b.dir, "ctags", "--version")
	return err == nil && strings.HasPrefix(version, "Universal Ctags")
}

// usual is up to how many bytes of source a package is of usual size.
const usual = 100e3

// edits measures updates after an edit of one file: in a package of usual size and, shown beside it because a module is
// what is concluded as a whole, in the largest.
func (b *bench) edits(c corpus, dir string) ([]row, error) {
	packages := goPackages(dir)
	for _, p := range packages {
		if c.real && p.bytes <= usual {
			c.edited = p.file
		}
	}
	rows := make([]row, 0, 2)
	one, err := b.oneFile(c, dir, b.status(dir))
	if rows = append(rows, one); err != nil || !c.real || len(packages) == 0 {
		return rows, err
	}
	largest := packages[len(packages)-1]
	c.edited = largest.file
	most, err := b.oneFile(c, dir, b.status(dir))
	most.what, most.most = fmt.Sprintf("the same in %.1f MB of one package", float64(largest.bytes)/1e6), 0
	return append(rows, most), err
}

// oneFile measures an update after an edit of one file.
func (b *bench) oneFile(c corpus, dir string, status func() (cost, error)) (row, error) {
	name := filepath.Join(dir, filepath.FromSlash(c.edited))
	read, n := 0, 0
	edit := func() (cost, error) {
		n++
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return cost{}, err
		}
		_, err = fmt.Fprintf(f, c.declaration, n)
		if err = errors.Join(err, f.Close()); err != nil {
			return cost{}, err
		}
		took, out, err := b.command(dir, b.causal, "update", "--json")
		if err != nil {
			return cost{}, err
		}
		var report struct {
			FilesRead int `json:"files_read"`
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			return cost{}, err
		}
		read = max(read, report.FilesRead)
		return took, nil
	}
	r := row{where: c.name, what: "update after one edit", against: "git status", most: 3}
	err := r.race(b.rounds, edit, status)
	r.note, r.broken = fmt.Sprintf("source files read: %d", read), read != 1
	return r, err
}
