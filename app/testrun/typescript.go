package testrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
	"github.com/causaldocs/causal/testgen/typescript"
)

// tsTester runs tests of TypeScript: the project's own vitest runs them with Node.js, confined, in a copy of the work tree whose
// node_modules lead to the real ones.
type tsTester struct {
	runner *Runner
	temp   string
	node   string
}

func openTypeScript(r *Runner, temp string) (tester, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, &MissingError{"TypeScript", "node is not in the PATH"}
	}
	return tsTester{r, temp, node}, nil
}

// builds implements tester: nothing is built before it runs.
func (t tsTester) builds(context.Context, string) error { return nil }

// verify implements tester.
func (t tsTester) verify(ctx context.Context, _ string, jobs []*Job) (map[string]*testgen.Recorded, *Verified, error) {
	out, sum := map[string]*testgen.Recorded{}, &Verified{}
	projects := map[string][]*Job{}
	for _, j := range jobs {
		if root, ok := t.project(j); ok {
			projects[root] = append(projects[root], j)
		}
	}
	if len(projects) == 0 {
		return out, sum, nil
	}
	if err := t.copy(); err != nil {
		return out, sum, fmt.Errorf("copy the work tree for tests of TypeScript: %w", err)
	}
	for _, root := range slices.Sorted(keys(projects)) {
		s := &suite{tester: t, ctx: ctx, dir: root, sum: sum, files: map[string][]*Job{}}
		for _, j := range projects[root] {
			file := j.Target.CodeFile()
			s.files[file] = append(s.files[file], j)
		}
		if err := s.verify(out); err != nil {
			return out, sum, fmt.Errorf("run the tests of %s: %w", testgen.ModuleName(root), err)
		}
	}
	return out, sum, nil
}

func keys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// vitestMain is where vitest is started, below node_modules.
const vitestMain = "node_modules/vitest/vitest.mjs"

// project is the directory whose vitest runs the tests of a job: the nearest above them that has one installed.
func (t tsTester) project(j *Job) (string, bool) {
	if j.Target.CodeFile() == "" {
		t.runner.warn(&MissingError{"TypeScript", "no package.json above " + j.Target.File() + " has vitest; npm install --save-dev vitest, and run this again"})
		return "", false
	}
	for at := path.Dir(j.Target.File()); ; at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(t.runner.Root, filepath.FromSlash(at), filepath.FromSlash(vitestMain))); err == nil {
			return at, true
		}
		if at == "." {
			t.runner.warn(&MissingError{"TypeScript", "vitest is not installed for " + j.Target.File() + "; npm install, and run this again"})
			return "", false
		}
	}
}

// suite are the specs that one installed vitest runs.
type suite struct {
	tester tsTester
	ctx    context.Context
	dir    string            // of the project, from the root
	files  map[string][]*Job // by the file of their tests
	sum    *Verified
}

// root is the copy of the work tree.
func (t tsTester) root() string { return filepath.Join(t.temp, "copy") }

// place is where a file of the work tree is in the copy.
func (s *suite) place(name string) string {
	return filepath.Join(s.tester.root(), filepath.FromSlash(name))
}

// longestSuite is how long vitest may take for all files of a project.
const longestSuite = 15 * time.Minute

// vitest runs files with tests, and returns what it says of them and its report.
func (s *suite) vitest(files []string, run int, env []string, flags ...string) (said, report string, err error) {
	report = filepath.Join(s.tester.temp, "report.json")
	if err := os.Remove(report); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", err
	}
	args := []string{s.place(path.Join(s.dir, vitestMain)), "run", "--pool=forks", "--coverage.enabled=false", "--reporter=json", "--outputFile=" + report, "--retry=0"}
	for _, file := range files {
		name, err := filepath.Rel(filepath.FromSlash(s.dir), filepath.FromSlash(file))
		if err != nil {
			return "", "", err
		}
		flags = append(flags, filepath.ToSlash(name))
	}
	var out bytes.Buffer
	err = confine.Program{
		Launcher: s.tester.runner.Launcher, Dir: s.tester.temp, Path: s.tester.node, Work: s.place(s.dir), Args: append(args, flags...),
		Env: append(env, "TZ="+zones[run], "CI=1", "NO_COLOR=1", "NODE_ENV=test"), Time: longestSuite, Out: &out,
	}.Run(s.ctx)
	said = strings.ReplaceAll(out.String(), s.tester.root()+string(filepath.Separator), "")
	var exit *exec.ExitError
	switch {
	case s.ctx.Err() != nil:
		return said, report, s.ctx.Err()
	case errors.As(err, &exit):
		return said, report, nil // what failed stands in the report
	}
	return said, report, err
}

// verify records and proves the specs of a project.
func (s *suite) verify(out map[string]*testgen.Recorded) error {
	calls, err := s.record()
	if err != nil {
		return err
	}
	for file, jobs := range s.files {
		for _, j := range jobs {
			out[j.Subject] = s.recorded(j, calls)
		}
		_ = file
	}
	return prove(func() (bool, error) { return s.round(out) })
}

// tsCall is a call that is recorded, for a case of a spec or as a candidate.
type tsCall struct {
	*typescript.Call
	job   *Job
	id    string // of the case; empty of a candidate
	tried typescript.Candidate
	runs  []*typescript.Outcome
	fault string // why it cannot be made
}

// calls lists what is called of the functions of one file: the cases that there are and, where they are chosen anew, what could be.
func (s *suite) calls(jobs []*Job) (list []*tsCall) {
	for _, j := range jobs {
		plan := typescript.PlanOf(j.Target)
		again := anew(j)
		for i := range j.Spec.Cases {
			c := &j.Spec.Cases[i]
			if c.Quarantined != "" || len(c.Over) > 0 || again && c.By != spec.Human {
				continue
			}
			list = append(list, &tsCall{Call: &typescript.Call{Plan: plan, Args: c.Args}, job: j, id: c.ID})
		}
		if again {
			for _, c := range plan.Pool {
				list = append(list, &tsCall{Call: &typescript.Call{Plan: plan, Args: c.Args}, job: j, tried: c})
			}
			for _, args := range proposedBeside(j, plan.Pool, func(c typescript.Candidate) []spec.Typed { return c.Args }) {
				list = append(list, &tsCall{Call: &typescript.Call{Plan: plan, Args: args}, job: j, tried: typescript.Candidate{Args: args, From: testgen.FromModel}})
			}
		}
	}
	return list
}

// recorded is what the calls of a spec gave.
func (s *suite) recorded(j *Job, list []*tsCall) *testgen.Recorded {
	r := &testgen.Recorded{Now: j.Now, Runs: runs, Results: map[string]testgen.Result{}}
	plan := typescript.PlanOf(j.Target)
	var tried []typescript.Tried
	for _, c := range list {
		switch {
		case c.job != j:
		case c.id != "":
			r.Results[c.id] = c.result(plan)
		case c.fault == "" && len(c.runs) > 0:
			tried = append(tried, typescript.Tried{Candidate: c.tried, Runs: c.runs})
		}
	}
	if anew(j) {
		r.Chosen = plan.Choose(tried)
	}
	return r
}

// result is what the calls of a case gave.
func (c *tsCall) result(plan *typescript.Plan) testgen.Result {
	switch {
	case c.fault != "":
		return testgen.Result{Failed: c.fault}
	case len(c.runs) == 0:
		return testgen.Result{Failed: "it was not run: others of the function ended the process"}
	}
	want, failed := plan.Settled(c.runs)
	return testgen.Result{Want: want, Failed: failed}
}

// keyOf names the recorder of a file.
func keyOf(file string) string { return fact.Digest(file) }

// numbers are the calls of a list, by their places, in the order of a run.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// seedOf is the seed that has vitest run tests in another order in each run.
func seedOf(run int) string { return "--sequence.seed=" + strconv.Itoa(run+1) }
