package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// counted are the packages whose steps count: the project's own and the libraries that read for it.
const counted = "github.com/causaldocs/causal/...,go.yaml.in/yaml/v4/...,github.com/yuin/goldmark/...,github.com/pelletier/go-toml/v2/...,github.com/expr-lang/expr/...," +
	"golang.org/x/mod/modfile,go/parser,go/scanner,go/ast,regexp,regexp/syntax,encoding/json"

// build makes the program that counts its steps.
func build(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "linear")
	c := exec.CommandContext(ctx, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "github.com/causaldocs/causal/app/proof/linear")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return program, nil
}

// hold makes the trials and tells of those that take too much.
func hold(ctx context.Context, out io.Writer, names []string, full bool, small, factor int) error {
	dir, err := os.MkdirTemp("", "linear-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program, err := build(ctx, dir)
	if err != nil {
		return err
	}
	all := readers
	if names == nil {
		names = slices.Sorted(maps.Keys(all))
	}
	var trials []trial
	for _, name := range names {
		for _, f := range all[name].fragments(name, full) {
			trials = append(trials, trial{len(trials), f, small, small * factor, 0.6})
		}
	}
	fmt.Fprintln(out, len(trials), "trials")
	found, err := run2(ctx, program, trials)
	if err != nil {
		return err
	}
	bad := 0
	type row struct {
		text string
		rank float64
	}
	var rows []row
	for i, o := range found {
		if why, rank := verdict(o, factor); why != "" {
			rows = append(rows, row{trials[i].Fragment.String() + ": " + why, rank})
			bad++
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.rank, a.rank) })
	for _, r := range rows {
		fmt.Fprintln(out, r.text)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d texts take more than in proportion", bad, len(trials))
	}
	return nil
}

// verdict says what is wrong with the cost of a text.
func verdict(o outcome, factor int) (string, float64) {
	ratio := func(a, b, free uint64) float64 { return float64(b) / float64(a+free) / float64(factor) }
	st, me := ratio(o.Small.Steps, o.Large.Steps, 20_000), ratio(o.Small.Memory, o.Large.Memory, 64<<10)
	perByte := float64(o.Large.Steps) / float64(max(o.Large.Bytes, 1))
	memByte := float64(o.Large.Memory) / float64(max(o.Large.Bytes, 1))
	sec := o.Large.Seconds / float64(max(o.Large.Bytes, 1)) * 1e6
	tell := fmt.Sprintf("steps x%.2f, memory x%.2f, %.0f steps and %.0f bytes a byte, %.2f s/MB", st, me, perByte, memByte, sec)
	switch {
	case o.Failed != "":
		return o.Failed, 1e9
	case o.Slow:
		return "given up", 1e8
	case st > 1.3, me > 2.5 && memByte > 500, perByte > 3000, memByte > 5000, sec > 5:
		return tell, perByte
	}
	return "", 0
}

// run2 makes trials in as many programs as there are processors.
func run2(ctx context.Context, program string, trials []trial) ([]outcome, error) {
	found := make([]outcome, len(trials))
	todo := make(chan trial)
	go func() {
		defer close(todo)
		for _, t := range trials {
			todo <- t
		}
	}()
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			var c *child
			for t := range todo {
				if c == nil {
					var err error
					if c, err = begin(ctx, program); err != nil {
						mu.Lock()
						failed = errors.Join(failed, err)
						mu.Unlock()
						continue
					}
				}
				o, alive := c.try(t)
				found[t.Number] = o
				if why, _ := verdict(o, 8); why != "" {
					fmt.Println(t.Fragment.String() + ": " + why)
				}
				if !alive {
					c.end()
					c = nil
				}
			}
			if c != nil {
				c.end()
			}
		})
	}
	group.Wait()
	return found, failed
}

type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors strings.Builder
}

func begin(ctx context.Context, program string) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, program, "-measure")}
	c.cmd.Env = append(os.Environ(), "GOMAXPROCS=2", "GOCOVERDIR="+filepath.Dir(program))
	c.cmd.Stderr = &c.errors
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	return c, c.cmd.Start()
}

func (c *child) try(t trial) (outcome, bool) {
	line, _ := json.Marshal(t)
	_, _ = c.in.Write(append(line, '\n'))
	answer, err := c.out.ReadBytes('\n')
	if err != nil {
		_ = c.cmd.Wait()
		return outcome{Number: t.Number, Failed: firstLine(c.errors.String())}, false
	}
	var o outcome
	if err := json.Unmarshal(answer, &o); err != nil {
		o.Failed = err.Error()
	}
	return o, !o.Slow
}

func (c *child) end() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return cmp.Or(s, "it ended")
}
