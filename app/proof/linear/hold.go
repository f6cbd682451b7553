package main

import (
	"context"
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
var counted = strings.Join([]string{
	"github.com/causaldocs/causal/...", "go.yaml.in/yaml/v4/...", "github.com/yuin/goldmark/...", "github.com/pelletier/go-toml/v2/...",
	"github.com/expr-lang/expr/...", "golang.org/x/mod/modfile", "go/parser", "go/scanner", "go/ast", "regexp", "regexp/syntax", "encoding/json",
}, ",")

// build makes the program that counts its steps.
func build(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "linear")
	c := exec.CommandContext(ctx, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, "github.com/causaldocs/causal/app/proof/linear")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return program, nil
}

// plan is which texts are read.
type plan struct {
	readers []string // all when empty
	pairs   int      // sample one of this many texts of two tokens; 0 for none
	offset  int
	size    int // of the shorter text

	everywhere bool // also texts within a wrap
}

// growth is how many times longer the longer text of a trial is.
const growth = 8

// longer are the text sizes of a repeated trial. Constant or bounded costs matter less there.
var longer = []int{4 << 10, 64 << 10}

// leastTimes is the smallest number of repetitions of a fragment, so that quadratic costs are visible.
const leastTimes = 64

// hold runs the trials and reports the readers that are not linear. It repeats suspicious trials with longer texts.
func (p plan) hold(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "linear-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program, err := build(ctx, dir)
	if err != nil {
		return err
	}
	trials := p.trials()
	fmt.Fprintln(out, len(trials), "texts")
	all := len(trials)
	found, err := makeTrials(ctx, program, trials)
	for _, size := range longer {
		if err != nil {
			return err
		}
		trials = again(trials, found, size)
		fmt.Fprintln(out, len(trials), "again, with", size>>10, "KiB")
		found, err = makeTrials(ctx, program, trials)
	}
	if err != nil {
		return err
	}
	bad := 0
	for i, o := range found {
		if why := o.wrong(); why != "" {
			fmt.Fprintf(out, "%s: %s\n", trials[i].Fragment, why)
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d texts need more than linear time or memory", bad, all)
	}
	return nil
}

// again returns the trials to repeat with longer texts.
func again(trials []trial, found []outcome, size int) []trial {
	var out []trial
	for i, o := range found {
		if o.suspicious() {
			out = append(out, trial{len(out), trials[i].Fragment, max(size, trials[i].Size), secondsAtMost})
		}
	}
	return out
}

// trials lists the trials of the plan.
func (p plan) trials() []trial {
	names := p.readers
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(readers))
	}
	var out []trial
	seen := 0
	for _, name := range names {
		for f := range readers[name].fragments(name) {
			if f.Wrap > 0 && !p.everywhere {
				continue
			}
			if f.B != "" && !slices.Contains(readers[name].product, [2]string{f.A, f.B}) {
				if seen++; p.pairs == 0 || seen%p.pairs != p.offset {
					continue
				}
			}
			out = append(out, trial{len(out), f, max(p.size, leastTimes*len(f.A+f.B)), secondsAtMost})
		}
	}
	return out
}

// Bounds of the cost of a text. The instrumented program is about five times slower.
const (
	secondsAtMost = 20 // processor time for half a megabyte; a backstop, as the steps decide
	stepsFree     = 2000
	stepsGrow     = 1.3 // times as much as the text: sorting takes more for a byte of a longer one
	stepsPerByte  = 3000
	memoryFree    = 64 << 10
	memoryGrow    = 2.5 // lists grow by doubling, and pools are filled by one text and used by the next
	memoryFew     = 500 // bytes for a byte of text that are not looked at
	memoryPerByte = 5000
	secondsFree   = 0.03
	secondsGrow   = 2
)

// suspicious reports whether a trial must be repeated. It also uses the time, because library code without counters shows only there.
func (o outcome) suspicious() bool {
	return o.wrong() != "" || o.Large.Seconds > secondsFree && o.Large.Seconds > secondsGrow*growth*o.Small.Seconds
}

// wrong returns the reason why the cost is too high, or "".
func (o outcome) wrong() string {
	grew := func(small, large, free uint64) float64 {
		return float64(large) / float64(small+free) * float64(o.Small.Bytes) / float64(max(o.Large.Bytes, 1))
	}
	steps, memory := grew(o.Small.Steps, o.Large.Steps, stepsFree), grew(o.Small.Memory, o.Large.Memory, memoryFree)
	stepsEach := float64(o.Large.Steps) / float64(max(o.Large.Bytes, 1))
	memoryEach := float64(o.Large.Memory) / float64(max(o.Large.Bytes, 1))
	switch {
	case o.Failed != "":
		return o.Failed
	case o.Slow:
		return fmt.Sprintf("timeout after %d s", secondsAtMost)
	case o.Large.Refused && !o.Small.Refused && stepsEach <= stepsPerByte && memoryEach <= memoryPerByte:
		return "" // it grew, and was stopped
	case steps > stepsGrow || stepsEach > stepsPerByte:
		return fmt.Sprintf("%.0f steps per byte, %.2f times as many as for a shorter text", stepsEach, steps)
	case memory > memoryGrow && memoryEach > memoryFew || memoryEach > memoryPerByte:
		return fmt.Sprintf("%.0f bytes per byte, %.2f times as many as for a shorter text", memoryEach, memory)
	}
	return ""
}

// makeTrials runs trials in one child process per processor.
func makeTrials(ctx context.Context, program string, trials []trial) ([]outcome, error) {
	found := make([]outcome, len(trials))
	todo := make(chan trial, len(trials))
	for _, t := range trials {
		todo <- t
	}
	close(todo)
	failed := make([]error, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range failed {
		group.Go(func() {
			c := &child{program: program}
			defer c.end()
			for t := range todo {
				if found[t.Number], failed[i] = c.try(ctx, t); failed[i] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
