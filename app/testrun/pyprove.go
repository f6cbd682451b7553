package testrun

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/python"
	"github.com/causaldocs/causal/testgen/spec"
)

// round runs the tests of all files, and reports whether it left out a case.
func (p *pyPack) round(recorded map[string]*testgen.Recorded) (again bool, err error) {
	list, err := trials(python.Language, p.jobs, recorded)
	if err != nil {
		return false, err
	}
	var files []string
	for _, t := range list {
		if data, err := os.ReadFile(filepath.Join(p.runner.Root, filepath.FromSlash(t.file))); err == nil && !python.Language.Ours(data) {
			again = t.giveUp("a file that was not generated is in the place of its tests: "+t.file, recorded) || again
			continue
		}
		to := filepath.Join(p.copy, filepath.FromSlash(t.file))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, t.code, 0o600)); err != nil {
			return false, fmt.Errorf("prepare the tests: %w", err)
		}
		files = append(files, to)
	}
	if again {
		return true, nil
	}
	reached := map[string]bool{}
	if len(files) > 0 {
		for run := range runs {
			ran, err := p.tests(p.project(), run, files...)
			if err != nil {
				return false, err
			}
			maps.Copy(reached, ran.lines)
			for _, t := range list {
				again = p.judge(t, ran, recorded) || again
			}
			if again {
				return true, nil
			}
		}
	}
	return false, p.coverage(reached)
}

// pyRan is the output of a pytest run.
type pyRan struct {
	failed map[string]string // by test name
	passed map[string]bool
	broken string // reason why tests could not be collected
	lines  map[string]bool
	said   string
}

// tests runs pytest.
func (p *pyPack) tests(work string, run int, args ...string) (*pyRan, error) {
	out, err := os.CreateTemp(p.temp, "tests-*.out")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(out.Name()) }()
	var said bytes.Buffer
	env := append(p.environment(hashSeeds+run), "CAUSAL_TESTS="+out.Name(), "CAUSAL_ROOT="+p.copy, "PYTEST_ADDOPTS=")
	args = append([]string{"-m", "pytest", "-q", "-p", "causal_plugin", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="}, args...)
	err = p.run(p.ctx, work, &said, env, longestTest, args...)
	if _, err := p.ended(p.ctx, err); err != nil && p.ctx.Err() != nil {
		return nil, err
	}
	data, err := os.ReadFile(out.Name())
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, err
	}
	ran := &pyRan{failed: map[string]string{}, passed: map[string]bool{}, lines: map[string]bool{}, said: said.String()}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		ran.take(lines.Bytes())
	}
	return ran, lines.Err()
}

// take reads one line of the plugin's output.
func (r *pyRan) take(line []byte) {
	var one struct {
		Node, Failed      string
		Passed, Collected bool
		Lines             []string
	}
	if json.Unmarshal(line, &one) != nil { // the last line may be incomplete
		return
	}
	for _, l := range one.Lines {
		r.lines[l] = true
	}
	switch {
	case one.Failed != "" && !one.Collected:
		r.broken = one.Failed
	case one.Failed != "":
		r.failed[one.Node] = one.Failed
	case one.Passed:
		r.passed[one.Node] = true
	}
}

// splitNode splits a pytest node ID into the file, the function, and the ID of the row's case.
func splitNode(node string) (file, function, id string) {
	file, rest, _ := strings.Cut(node, "::")
	function, row, _ := strings.Cut(rest, "[")
	id, _, _ = strings.Cut(strings.TrimSuffix(row, "]"), " ")
	return path.Base(file), function, id
}

// judge leaves out the cases of failed tests. If no test of a file ran, none of its cases can be trusted.
func (p *pyPack) judge(t *trial, ran *pyRan, recorded map[string]*testgen.Recorded) (again bool) {
	passed := false
	for node := range ran.passed {
		file, _, _ := splitNode(node)
		passed = passed || file == path.Base(t.file)
	}
	_, tests, _ := python.Tests(t.specs)
	for _, node := range slices.Sorted(maps.Keys(ran.failed)) {
		file, function, row := splitNode(node)
		at := slices.IndexFunc(tests, func(o python.Test) bool { return o.Name == function })
		if file != path.Base(t.file) || at < 0 {
			continue
		}
		of := slices.IndexFunc(t.specs, func(o testgen.Coded) bool { return o.File == tests[at].Spec })
		c := t.specs[of].Spec.Case(cmp.Or(tests[at].Case, row))
		if c == nil {
			continue
		}
		why := "it does not hold: "
		if in := t.specs[of].Spec.Case(row); in != nil && in != c { // a law with the input of another case
			why = "it does not hold for " + spec.ArgsText(in) + ": "
		}
		keepOut(recorded[t.jobs[of].Subject], c, why+whyFailed(ran.failed[node]))
		again, passed = true, true
	}
	if passed {
		return again
	}
	return t.giveUp("its tests cannot be run: "+whyFailed(cmp.Or(ran.broken, ran.said)), recorded) || again
}

// whyFailed returns the last error line of pytest's output.
func whyFailed(said string) string {
	why := ""
	for line := range strings.Lines(said) {
		text := strings.TrimSpace(line)
		if marked, ok := strings.CutPrefix(text, "E "); ok {
			if why == "" || strings.HasPrefix(why, "assert") && strings.Contains(marked, "Error") {
				why = strings.TrimSpace(marked)
			}
		}
	}
	if why == "" {
		lines := strings.Split(strings.TrimSpace(said), "\n")
		why = strings.TrimSpace(lines[len(lines)-1])
	}
	if len(why) > 200 {
		why = strings.ToValidUTF8(why[:200], "") + "…"
	}
	return why
}

// coverage counts the lines of the directory that handwritten and all tests reach.
func (p *pyPack) coverage(after map[string]bool) error {
	var files []string
	for _, j := range p.jobs {
		if f := filepath.FromSlash(j.Target.File); !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	slices.Sort(files)
	before, err := p.before()
	if err != nil {
		return err
	}
	lines, err := p.lines(p.ctx, p.copy, files)
	if err != nil {
		return err
	}
	for i, l := range lines {
		for _, n := range l.numbers {
			at := fmt.Sprintf("%s:%d", filepath.ToSlash(files[i]), n)
			p.sum.Statements++
			if before[at] {
				p.sum.Before++
			}
			if before[at] || after[at] {
				p.sum.After++
			}
		}
	}
	return nil
}

// before returns the lines that handwritten tests reach. They run once for each project, within a time limit.
func (p *pyPack) before() (map[string]bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	work := p.project()
	if lines, known := p.reached[work]; known {
		return lines, nil
	}
	ran, err := p.tests(work, 0, "--ignore-glob=*/test_causal_*", "--continue-on-collection-errors")
	if err != nil {
		return nil, err
	}
	p.reached[work] = ran.lines
	return ran.lines, nil
}
