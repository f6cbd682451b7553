package testrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/python"
	"github.com/causaldocs/causal/testgen/spec"
)

// pyPack is one directory whose specs are run.
type pyPack struct {
	*pyTester
	ctx  context.Context
	dir  string
	copy string
	jobs []*Job
	sum  Verified
}

// pyCall is one call that is recorded, for a case of a spec or as a candidate.
type pyCall struct {
	python.Candidate
	job    *Job
	id     string // of the case; empty of a candidate
	raises string
	code   string
	runs   []*python.Outcome
	fault  string // why it cannot be made
}

// anewPy reports whether the cases of a spec are chosen anew: nothing of it was ever run, or what was fits its target no more.
func anewPy(j *Job) bool {
	for i := range j.Spec.Cases {
		c := &j.Spec.Cases[i]
		if c.By != spec.Human && c.Quarantined == "" && j.Target.Fits(j.Spec, c) != nil {
			return true
		}
	}
	return j.Spec.Evidence.Runs == 0 || !slices.ContainsFunc(j.Spec.Cases, func(c spec.Case) bool {
		return c.By != spec.Human && c.Quarantined == "" && c.Want != nil
	})
}

// calls lists what is called: the cases that there are and, where they are chosen anew, what could be.
func (p *pyPack) calls() (list []*pyCall) {
	for _, j := range p.jobs {
		plan, again := python.PlanOf(j.Target), anewPy(j)
		for i := range j.Spec.Cases {
			c := &j.Spec.Cases[i]
			if c.Quarantined != "" || len(c.Over) > 0 || again && c.By != spec.Human {
				continue
			}
			list = append(list, &pyCall{Candidate: python.Candidate{Args: c.Args}, job: j, id: c.ID, raises: c.Raises})
		}
		if again {
			for _, c := range plan.Pool {
				list = append(list, &pyCall{Candidate: c, job: j})
			}
			for _, args := range proposedBeside(j, plan.Pool, func(c python.Candidate) []spec.Typed { return c.Args }) {
				list = append(list, &pyCall{Candidate: python.Candidate{Args: args, From: testgen.FromModel}, job: j})
			}
		}
	}
	for _, c := range list {
		var err error
		if c.code, err = python.PlanOf(c.job.Target).Expression(c.Args); err != nil {
			c.fault = err.Error()
		}
	}
	return list
}

// hashSeeds is in how many processes a call is made, each with another seed for hashes: two texts in a set are in the same order in every
// second one. A call that takes longer than quick, in microseconds, is made in as many as there are runs.
const (
	hashSeeds = 10
	quick     = 20_000
)

// record makes all calls, each in several processes, and keeps what each gave.
func (p *pyPack) record() ([]*pyCall, error) {
	list := p.calls()
	p.sum.Candidates += len(list)
	for run := range hashSeeds {
		var order []*pyCall
		for _, c := range list {
			if c.fault == "" && len(c.runs) == run && (run == 0 || c.runs[run-1].Ended == "") && (run < runs || c.runs[0].Micros < quick) {
				order = append(order, c)
			}
		}
		if run > 0 {
			//nolint:gosec // the order has to be the same each time
			rand.New(rand.NewPCG(uint64(run), 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		if err := p.play(order, run); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// importable leaves out what is of modules that cannot be imported here, which says nothing of their functions: their specs stay as they are.
func (p *pyPack) importable(list []*pyCall) []*pyCall {
	why := map[*Job]string{}
	for _, c := range list {
		if len(c.runs) > 0 && c.runs[0].Unimported != "" {
			why[c.job] = c.runs[0].Unimported
			p.runner.warn(&MissingError{"Python", python.PlanOf(c.job.Target).Module + " cannot be imported here: " + c.runs[0].Unimported})
		}
	}
	p.jobs = slices.DeleteFunc(slices.Clone(p.jobs), func(j *Job) bool { return why[j] != "" })
	return slices.DeleteFunc(list, func(c *pyCall) bool { return why[c.job] != "" })
}

// play makes calls, in an order. A call that ends the process is the last of it; the next process goes on behind it.
func (p *pyPack) play(order []*pyCall, run int) error {
	stopped := map[*Job]int{}
	for process := 0; len(order) > 0; process++ {
		made, how, err := p.process(order, run, process)
		if err != nil {
			return err
		}
		n := 0
		for ; n < len(order) && made[n] != nil; n++ {
			order[n].runs = append(order[n].runs, made[n])
			if made[n].Ended != "" {
				stopped[order[n].job]++
			}
		}
		if n < len(order) && (n == 0 || made[n-1].Ended == "") { // the next one ended the process without a word
			order[n].runs = append(order[n].runs, &python.Outcome{Ended: how})
			stopped[order[n].job]++
			n++
		}
		order = slices.DeleteFunc(slices.Clone(order[n:]), func(c *pyCall) bool { return stopped[c.job] >= mostEnded })
	}
	return nil
}

// process has one process make calls, and reads what it wrote.
func (p *pyPack) process(order []*pyCall, run, process int) (map[int]*python.Outcome, string, error) {
	type asked struct {
		Number int    `json:"i"`
		Module string `json:"module"`
		Code   string `json:"code"`
	}
	list := make([]asked, len(order))
	for i, c := range order {
		list[i] = asked{i, python.PlanOf(c.job.Target).Module, c.code}
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil, "", err
	}
	stem := filepath.Join(p.temp, fmt.Sprintf("calls-%s-%d-%d", fact.Digest(p.dir), run, process))
	if err := os.WriteFile(stem+".json", data, 0o600); err != nil {
		return nil, "", fmt.Errorf("prepare the calls: %w", err)
	}
	var said bytes.Buffer
	err = p.run(p.ctx, p.project(), &said, p.environment(run), silence+time.Duration(len(order))*time.Second,
		filepath.Join(p.temp, programsDir, "causal_record.py"), stem+".json", stem+".out", p.copy, strconv.FormatFloat(p.runner.longestCall().Seconds(), 'f', -1, 64))
	how, err := p.ended(p.ctx, err)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %s", err, last(said.String()))
	}
	made, err := outcomes[python.Outcome](stem + ".out")
	return made, how, err
}

// environment is that of one run: what depends on where it runs, or on the order of a set, shows.
func (p *pyPack) environment(run int) []string {
	at := []string{filepath.Join(p.temp, programsDir)}
	for _, j := range p.jobs {
		if root := filepath.Join(p.copy, filepath.FromSlash(python.PlanOf(j.Target).Root())); !slices.Contains(at, root) {
			at = append(at, root)
		}
	}
	return []string{"PYTHONPATH=" + strings.Join(at, string(os.PathListSeparator)), "TZ=" + zones[run%len(zones)], "PYTHONHASHSEED=" + strconv.Itoa(17*run+1)}
}

// project is the directory of the copy that the tests run in.
func (p *pyPack) project() string {
	return filepath.Join(p.copy, filepath.FromSlash(python.PlanOf(p.jobs[0].Target).Project()))
}

// recorded is what the calls of a spec gave.
func (p *pyPack) recorded(j *Job, list []*pyCall) *testgen.Recorded {
	r := &testgen.Recorded{Now: j.Now, Runs: runs, Results: map[string]testgen.Result{}}
	var tried []python.Tried
	for _, c := range list {
		switch {
		case c.job != j:
		case c.id != "":
			r.Results[c.id] = pyResult(c)
		case c.fault == "" && len(c.runs) > 0:
			tried = append(tried, python.Tried{Candidate: c.Candidate, Runs: c.runs})
		}
	}
	if anewPy(j) {
		r.Chosen = python.Choose(python.PlanOf(j.Target), tried, p.hypothesis)
	}
	return r
}

// pyResult is what the calls of a case gave.
func pyResult(c *pyCall) testgen.Result {
	if c.fault != "" {
		return testgen.Result{Failed: c.fault}
	}
	if len(c.runs) == 0 {
		return testgen.Result{Failed: "it was not run: others of the function ended the process"}
	}
	want, failed := python.Settled(c.runs, c.raises)
	return testgen.Result{Want: want, Failed: failed}
}
