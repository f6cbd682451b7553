package testrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
)

// pack is a package whose specs are run.
type pack struct {
	runner *Runner
	ctx    context.Context
	dir    string // from the root
	temp   string
	jobs   []*Job
	sum    Verified

	sources []golang.Source      // of the package
	woven   *golang.Instrumented // instrumented sources; nil if they are unchanged
	without map[string]bool      // mutants that do not build
	plain   bool                 // no instrumentation
	once    time.Duration        // duration of one run of all tests
}

// overlay maps files to replacements for the go command.
type overlay map[string]string

// place returns the path of a file of the package.
func (p *pack) place(name string) string {
	return filepath.Join(p.runner.Root, filepath.FromSlash(p.dir), name)
}

// layDir holds the replacements, below the temporary directory.
const layDir = "lay"

// lay replaces the content of a file of the package.
func (p *pack) lay(o overlay, name string, content []byte) error {
	file := filepath.Join(p.temp, layDir, name) // the go command prints this name
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return fmt.Errorf("prepare the tests: %w", err)
	}
	o[p.place(name)] = file
	return nil
}

// hidden is an overlay without some files of the package.
func (p *pack) hidden(gone func(name string) bool) (overlay, error) {
	list, err := os.ReadDir(filepath.Join(p.runner.Root, filepath.FromSlash(p.dir)))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", p.dir, err)
	}
	o := overlay{}
	for _, e := range list {
		if gone(e.Name()) {
			o[p.place(e.Name())] = ""
		}
	}
	return o, nil
}

// build builds the tests of the package with an overlay. Linking without debug information takes a third less time; flags
// for the linker in GOFLAGS are kept.
func (p *pack) build(o overlay, name string, flags ...string) (said string, err error) {
	data, err := json.Marshal(map[string]overlay{"Replace": o})
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.temp, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("prepare the tests: %w", err)
	}
	if !strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		flags = append(flags, "-ldflags=-s -w")
	}
	return p.command(slices.Concat([]string{"test", "-c", "-vet=off", "-overlay", file, "-o", filepath.Join(p.temp, name)}, flags, []string{"."})...)
}

// verify runs the specs of the package.
func (p *pack) verify() (map[string]*testgen.Recorded, *Verified, error) {
	if err := os.MkdirAll(filepath.Join(p.temp, layDir), 0o700); err != nil {
		return nil, &p.sum, fmt.Errorf("prepare the tests: %w", err)
	}
	list, err := p.record()
	if err != nil {
		return nil, &p.sum, fmt.Errorf("record results in %s: %w", testgen.ModuleName(p.dir), err)
	}
	out, err := prove(p.jobs, list, true, p.round)
	if err != nil {
		err = fmt.Errorf("run the tests of %s: %w", testgen.ModuleName(p.dir), err)
	}
	return out, &p.sum, err
}

func (p *pack) record() ([]*testgen.Call, error) {
	list := calls(p.jobs)
	if err := p.make(list); err != nil {
		return nil, err
	}
	more := p.more(list)
	p.sum.Candidates += len(list) + len(more)
	if len(more) == 0 {
		return list, nil
	}
	return append(list, more...), p.make(more)
}

// mostSaid bounds the texts that are tried as arguments of other functions of the package.
const mostSaid = 16

// more calls functions that refused all arguments with results of other functions of the package.
func (p *pack) more(list []*testgen.Call) (out []*testgen.Call) {
	tried := map[*testgen.Target][]testgen.Run{}
	said, seen := []golang.Said{}, map[string]bool{}
	for _, c := range list {
		if len(c.Runs) < runs {
			continue
		}
		tried[c.Target] = append(tried[c.Target], c.Runs[0])
		for _, one := range c.Runs[0].(*golang.Outcome).Said(c.Target.Spec.Symbol) {
			if key := one.Symbol; !seen[one.Text] && (!seen[key] || !seen[key+" again"]) { // at most two of each
				seen[key+" again"] = seen[key]
				seen[one.Text], seen[key] = true, true
				said = append(said, one)
			}
		}
	}
	for _, j := range p.jobs {
		plan := golang.PlanOf(j.Target)
		if !j.anew() || len(tried[j.Target]) == 0 || !golang.Thirsty(plan, tried[j.Target]) {
			continue
		}
		for _, c := range plan.More(golang.Nearest(plan.Spec.Symbol, said, mostSaid)) {
			out = append(out, &testgen.Call{Candidate: c, Target: j.Target})
		}
	}
	return out
}

// make builds a recorder for calls.
func (p *pack) make(list []*testgen.Call) error {
	recorder, err := p.recorder(list)
	if err != nil || recorder == nil {
		return err
	}
	for run := range runs {
		err := play(ordered(recorder.Calls, run), newGo, func(number int, order []*testgen.Call) (map[int]testgen.Run, string, error) {
			made, err := p.process(fmt.Sprintf("recorded-%d-%d", run, number), order, run)
			return made, crashed, err
		})
		if err != nil {
			return err
		}
	}
	return p.kill(recorder)
}

func newGo() testgen.Run { return &golang.Outcome{} }

// silence is how long a recorder may print nothing: longer than one call.
const silence = 20 * time.Second

// process runs a recorder once and reads its outcomes from a file.
func (p *pack) process(file string, order []*testgen.Call, run int, env ...string) (map[int]testgen.Run, error) {
	numbers := make([]string, len(order))
	for i, c := range order {
		numbers[i] = strconv.Itoa(c.Number)
	}
	out := filepath.Join(p.temp, file)
	defer func() { _ = os.Remove(out) }()
	var said bytes.Buffer
	err := confine.Program{
		Launcher: p.runner.Launcher, Dir: p.temp, Path: filepath.Join(p.temp, recordBinary), Args: []string{"-test.run=^" + golang.RecordTest + "$", "-test.timeout=0"},
		Env: append(env, "TZ="+zones[run], golang.RecordOut+"="+out,
			fmt.Sprintf("%s=%.0f", golang.RecordSeconds, p.runner.longestCall().Seconds()), golang.RecordCalls+"="+strings.Join(numbers, ",")),
		Time: silence + time.Duration(len(order))*time.Second, Out: &said,
	}.Run(p.ctx)
	var exit *exec.ExitError
	switch {
	case p.ctx.Err() != nil:
		return nil, p.ctx.Err()
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, confine.ErrTime):
		return nil, fmt.Errorf("%w: %s", err, said.String())
	}
	return outcomes(out, newGo)
}
