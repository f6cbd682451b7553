package testrun

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
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
	"github.com/causaldocs/causal/testgen/spec"
)

// pack is one package whose specs are run.
type pack struct {
	runner *Runner
	ctx    context.Context
	dir    string // from the root
	temp   string
	jobs   []*Job
	sum    Verified

	sources []golang.Source      // of the package
	woven   *golang.Instrumented // what was built of them; nil where they are as they were
	without map[string]bool      // mutants that do not build
	plain   bool                 // the sources stay as they are
	once    time.Duration        // that making all tests once takes
}

// overlay says what the go command is to see in the place of files.
type overlay map[string]string

// place is where a file of the package is.
func (p *pack) place(name string) string {
	return filepath.Join(p.runner.Root, filepath.FromSlash(p.dir), name)
}

// layDir is where the files are that are laid over others, below the temporary directory.
const layDir = "lay"

// lay puts content in the place of a file of the package.
func (p *pack) lay(o overlay, name string, content []byte) error {
	file := filepath.Join(p.temp, layDir, name) // what the go command says of it has this name
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return fmt.Errorf("prepare the tests: %w", err)
	}
	o[p.place(name)] = file
	return nil
}

// hidden is an overlay in which files of the package are not there.
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

// build builds the tests of the package as an overlay has it.
func (p *pack) build(o overlay, name string, flags ...string) (said string, err error) {
	data, err := json.Marshal(map[string]overlay{"Replace": o})
	if err != nil {
		return "", err
	}
	file := filepath.Join(p.temp, "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("prepare the tests: %w", err)
	}
	return p.command(slices.Concat([]string{"test", "-c", "-overlay", file, "-o", filepath.Join(p.temp, name)}, flags, []string{"."})...)
}

// verify runs the specs of the package.
func (p *pack) verify() (map[string]*testgen.Recorded, *Verified, error) {
	out := map[string]*testgen.Recorded{}
	if err := os.MkdirAll(filepath.Join(p.temp, layDir), 0o700); err != nil {
		return out, &p.sum, fmt.Errorf("prepare the tests: %w", err)
	}
	calls, err := p.record()
	if err != nil {
		return out, &p.sum, fmt.Errorf("record results in %s: %w", testgen.ModuleName(p.dir), err)
	}
	for _, j := range p.jobs {
		out[j.Subject] = p.recorded(j, calls)
	}
	if err := prove(func() (bool, error) { return p.round(out) }); err != nil {
		return out, &p.sum, fmt.Errorf("run the tests of %s: %w", testgen.ModuleName(p.dir), err)
	}
	return out, &p.sum, nil
}

// call is one call that is recorded, for a case of a spec or as a candidate.
type call struct {
	*golang.Call
	job   *Job
	id    string // of the case; empty of a candidate
	tried golang.Candidate
	runs  []*golang.Outcome
	kills []golang.Mutant // the mutants that show in it
	fault string          // why it cannot be made
}

// anew reports whether the cases of a spec are chosen anew: nothing was recorded for it by a run, or what was fits its target no more.
func anew(j *Job) bool {
	recorded := false
	if j.Spec.Evidence.Runs == 0 {
		return true
	}
	for i := range j.Spec.Cases {
		c := &j.Spec.Cases[i]
		if c.By == spec.Human || c.Quarantined != "" {
			continue
		}
		if j.Target.Fits(j.Spec, c) != nil {
			return true
		}
		recorded = recorded || c.Want != nil
	}
	return !recorded
}

// calls lists what is called: the cases that there are and, where they are chosen anew, what could be.
func (p *pack) calls() (list []*call) {
	for _, j := range p.jobs {
		plan := golang.PlanOf(j.Target)
		again := anew(j)
		for i := range j.Spec.Cases {
			c := &j.Spec.Cases[i]
			if c.Quarantined != "" || len(c.Over) > 0 || again && c.By != spec.Human {
				continue
			}
			list = append(list, &call{Call: &golang.Call{Plan: plan, Args: c.Args}, job: j, id: c.ID})
		}
		if again {
			for _, c := range plan.Pool {
				list = append(list, &call{Call: &golang.Call{Plan: plan, Args: c.Args}, job: j, tried: c})
			}
			for _, args := range proposedBeside(j, plan.Pool, func(c golang.Candidate) []spec.Typed { return c.Args }) {
				one := golang.Candidate{Args: args, From: testgen.FromModel, Why: "a model proposed it"}
				list = append(list, &call{Call: &golang.Call{Plan: plan, Args: args}, job: j, tried: one})
			}
		}
	}
	return list
}

// runs is how many times each call is made, each in a process of its own.
const runs = 3

// zones are the time zones of the runs: what depends on where it runs shows.
var zones = []string{"UTC", "Asia/Tokyo", "America/New_York"}

// record makes all calls, and keeps what each gave.
func (p *pack) record() ([]*call, error) {
	list := p.calls()
	p.sum.Candidates += len(list)
	if err := p.make(list); err != nil {
		return nil, err
	}
	more := p.more(list)
	if len(more) == 0 {
		return list, nil
	}
	p.sum.Candidates += len(more)
	return append(list, more...), p.make(more)
}

// mostSaid is how many texts that functions of a package gave are tried elsewhere.
const mostSaid = 16

// more are calls of functions that refused all they were given, with what others of the package gave.
func (p *pack) more(list []*call) (out []*call) {
	tried := map[*Job][]*golang.Outcome{}
	said, seen := []golang.Said{}, map[string]bool{}
	for _, c := range list {
		if len(c.runs) < runs {
			continue
		}
		tried[c.job] = append(tried[c.job], c.runs[0])
		for _, one := range c.runs[0].Said(c.Plan.Symbol) {
			if key := one.Symbol; !seen[one.Text] && (!seen[key] || !seen[key+" again"]) { // two of each, at most
				seen[key+" again"] = seen[key]
				seen[one.Text], seen[key] = true, true
				said = append(said, one)
			}
		}
	}
	for _, j := range p.jobs {
		plan := golang.PlanOf(j.Target)
		if !anew(j) || len(tried[j]) == 0 || !golang.Thirsty(plan, tried[j]) {
			continue
		}
		for _, c := range plan.More(golang.Nearest(plan.Symbol, said, mostSaid)) {
			out = append(out, &call{Call: &golang.Call{Plan: plan, Args: c.Args}, job: j, tried: c})
		}
	}
	return out
}

// make builds what makes calls, and has it make them.
func (p *pack) make(list []*call) error {
	recorder, err := p.recorder(list)
	if err != nil || recorder == nil {
		return err
	}
	of := map[*golang.Call]*call{}
	for _, c := range list {
		of[c.Call] = c
	}
	for run := range runs {
		order := make([]int, 0, len(recorder.Calls))
		for i, c := range recorder.Calls {
			if len(of[c].runs) == run && (run == 0 || of[c].runs[run-1].Ended == "") {
				order = append(order, i)
			}
		}
		if run > 0 {
			//nolint:gosec // the order has to be the same each time
			rand.New(rand.NewPCG(uint64(run), 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		if err := p.play(recorder, of, order, run); err != nil {
			return err
		}
	}
	return p.kill(recorder, of)
}

// silence is how long a recorder may say nothing: longer than a call may take.
const silence = 20 * time.Second

// mostEnded is how many calls of one function may end a process before the others are given up.
const mostEnded = 2

// play has a recorder make calls, in an order. A call that ends the process is the last of it; the next process goes on behind it.
func (p *pack) play(r *golang.Recorder, of map[*golang.Call]*call, order []int, run int) error {
	ended := map[*Job]int{}
	for process := 0; len(order) > 0; process++ {
		out := filepath.Join(p.temp, fmt.Sprintf("recorded-%d-%d", run, process))
		if err := p.process(out, order, run); err != nil {
			return err
		}
		made, err := outcomes[golang.Outcome](out)
		if err != nil {
			return err
		}
		n := 0
		for ; n < len(order) && made[order[n]] != nil; n++ {
			c := of[r.Calls[order[n]]]
			c.runs = append(c.runs, made[order[n]])
			if made[order[n]].Ended != "" {
				ended[c.job]++
			}
		}
		if n < len(order) && (n == 0 || made[order[n-1]].Ended == "") { // the next one ended the process without a word
			c := of[r.Calls[order[n]]]
			c.runs = append(c.runs, &golang.Outcome{Made: true, Ended: "it ends the process, or the process was killed"})
			ended[c.job]++
			n++
		}
		order = slices.DeleteFunc(slices.Clone(order[n:]), func(i int) bool { return ended[of[r.Calls[i]].job] >= mostEnded })
	}
	return nil
}

// process runs a recorder once.
func (p *pack) process(out string, order []int, run int, env ...string) error {
	numbers := make([]string, len(order))
	for i, n := range order {
		numbers[i] = strconv.Itoa(n)
	}
	var said bytes.Buffer
	err := confine.Program{
		Launcher: p.runner.Launcher, Dir: p.temp, Path: filepath.Join(p.temp, recordBinary), Args: []string{"-test.run=^" + golang.RecordTest + "$", "-test.timeout=0"},
		Env: append(env, "TZ="+zones[run], golang.RecordOut+"="+out,
			fmt.Sprintf("%s=%.0f", golang.RecordSeconds, p.runner.longestCall().Seconds()), golang.RecordCalls+"="+strings.Join(numbers, ",")),
		Time: silence + time.Duration(len(order))*time.Second, Out: &said,
	}.Run(p.ctx)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, confine.ErrTime) {
		return fmt.Errorf("%w: %s", err, said.String())
	}
	return p.ctx.Err()
}

// recorded is what the calls of a spec gave.
func (p *pack) recorded(j *Job, list []*call) *testgen.Recorded {
	r := &testgen.Recorded{Now: j.Now, Runs: runs, Results: map[string]testgen.Result{}}
	plan := golang.PlanOf(j.Target)
	var tried []golang.Tried
	human := 0
	for _, c := range list {
		switch {
		case c.job != j:
		case c.id != "":
			r.Results[c.id] = result(plan, c)
			human++
		case c.fault == "" && len(c.runs) > 0:
			if c.tried.Want != nil { // a case of an example is held to what the example says
				r.Results[spec.ID(spec.Example, c.Args, nil)] = result(plan, c)
			}
			tried = append(tried, golang.Tried{Candidate: c.tried, Runs: c.runs, Kills: c.kills})
		}
	}
	if anew(j) {
		r.Chosen = golang.Choose(plan, tried, 0)
	}
	return r
}

// result is what the calls of a case gave.
func result(plan *golang.Plan, c *call) testgen.Result {
	if c.fault != "" {
		return testgen.Result{Failed: c.fault}
	}
	if len(c.runs) == 0 {
		return testgen.Result{Failed: "it was not run: others of the function ended the process"}
	}
	want, failed := golang.Settled(plan, c.runs)
	return testgen.Result{Want: want, Failed: failed}
}
