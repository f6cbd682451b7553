package testrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/python"
)

// pyPack is a directory whose specs are run.
type pyPack struct {
	*pyTester
	ctx  context.Context
	dir  string
	copy string
	jobs []*Job
	sum  Verified
}

// hashSeeds is the number of processes with different hash seeds for each call: half of them order two texts in a set
// differently. A call slower than quick, in microseconds, is only made once per run.
const (
	hashSeeds = 10
	quick     = 20_000
)

// record makes all calls, each in several processes.
func (p *pyPack) record() ([]*testgen.Call, error) {
	list := calls(p.jobs)
	p.sum.Candidates += len(list)
	code := make([]string, len(list))
	for i, c := range list {
		var err error
		c.Number = i
		if code[i], err = python.PlanOf(c.Target).Expression(c.Args); err != nil {
			c.Fault = err.Error()
		}
	}
	for run := range hashSeeds {
		order := slices.DeleteFunc(ordered(list, run), func(c *testgen.Call) bool { return run >= runs && c.Runs[0].Info().Micros >= quick })
		err := play(order, newPython, func(number int, order []*testgen.Call) (map[int]testgen.Run, string, error) {
			return p.process(order, code, run, number)
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func newPython() testgen.Run { return &python.Outcome{} }

// importable leaves out the specs of modules that cannot be imported here. That says nothing about their functions.
func (p *pyPack) importable(list []*testgen.Call) {
	out := map[*testgen.Target]bool{}
	for _, c := range list {
		if len(c.Runs) == 0 || out[c.Target] {
			continue
		}
		if why := c.Runs[0].(*python.Outcome).Unimported; why != "" {
			out[c.Target] = true
			p.runner.warn(&MissingError{"Python", c.Target.Spec.Pkg + " cannot be imported here: " + why})
		}
	}
	p.jobs = slices.DeleteFunc(slices.Clone(p.jobs), func(j *Job) bool { return out[j.Target] })
}

// process makes calls in one process and reads the outcomes.
func (p *pyPack) process(order []*testgen.Call, code []string, run, process int) (map[int]testgen.Run, string, error) {
	type asked struct {
		Number int    `json:"i"`
		Module string `json:"module"`
		Code   string `json:"code"`
	}
	list := make([]asked, len(order))
	for i, c := range order {
		list[i] = asked{c.Number, c.Target.Spec.Pkg, code[c.Number]}
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
	made, err := outcomes(stem+".out", newPython)
	return made, how, err
}

// environment is the environment of one run. It reveals results that depend on it or on the order of a set.
func (p *pyPack) environment(run int) []string {
	at := []string{filepath.Join(p.temp, programsDir)}
	for _, j := range p.jobs {
		if root := filepath.Join(p.copy, filepath.FromSlash(python.PlanOf(j.Target).Root())); !slices.Contains(at, root) {
			at = append(at, root)
		}
	}
	return []string{"PYTHONPATH=" + strings.Join(at, string(os.PathListSeparator)), "TZ=" + zones[run%len(zones)], "PYTHONHASHSEED=" + strconv.Itoa(17*run+1)}
}

// project is the directory of the copy in which the tests run.
func (p *pyPack) project() string {
	return filepath.Join(p.copy, filepath.FromSlash(python.PlanOf(p.jobs[0].Target).Project()))
}
