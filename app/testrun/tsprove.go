package testrun

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
	"github.com/causaldocs/causal/testgen/typescript"
)

// vitestReport is what vitest writes of a run, as far as it is looked at.
type vitestReport struct {
	TestResults []struct {
		Name             string
		Status           string
		Message          string
		AssertionResults []struct {
			AncestorTitles  []string
			Title           string
			Status          string
			FailureMessages []string
		}
	}
}

func readReport(name string) (*vitestReport, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := &vitestReport{}
	return r, json.Unmarshal(data, r)
}

// suiteFailure is why a file with tests failed as a whole; empty where it did not.
func suiteFailure(report, file string) string {
	r, err := readReport(report)
	if err != nil {
		return ""
	}
	for _, one := range r.TestResults {
		if strings.HasSuffix(filepath.ToSlash(one.Name), "/"+file) && one.Message != "" {
			return firstLine(one.Message)
		}
	}
	return ""
}

// tsTrial is a spec as it would be, in a file with tests.
type tsTrial struct {
	*Job
	spec *spec.Spec
}

// round runs the tests in each way once; again when something was kept out.
func (s *suite) round(recorded map[string]*testgen.Recorded) (again bool, err error) {
	trials := map[string][]*tsTrial{}
	for _, file := range slices.Sorted(keys(s.files)) {
		if trials[file], err = s.lay(file, recorded); err != nil {
			return false, err
		}
		if trials[file] == nil {
			delete(trials, file)
		}
	}
	for run := range runs {
		files := slices.Sorted(keys(trials))
		if len(files) == 0 {
			return false, nil
		}
		said, report, err := s.vitest(files, run, nil, "--sequence.shuffle", seedOf(run))
		if err != nil {
			return false, fmt.Errorf("%w: %s", err, last(said))
		}
		r, err := readReport(report)
		if err != nil {
			return false, fmt.Errorf("vitest says nothing of its tests: %s", last(said))
		}
		if s.keepOut(r, trials, recorded) {
			return true, nil
		}
	}
	return false, nil
}

// lay writes the tests of a file into the copy; nil when there are none.
func (s *suite) lay(file string, recorded map[string]*testgen.Recorded) (trials []*tsTrial, err error) {
	var specs []testgen.Coded
	for _, j := range s.files[file] {
		p := j.passing(recorded[j.Subject])
		trials = append(trials, &tsTrial{j, p})
		specs = append(specs, testgen.Coded{File: store.Layout{}.Spec(testgen.Split(j.Subject)), Spec: p, Target: j.Target})
	}
	code, misfits, err := (typescript.Language{}).Code(file, specs)
	if err != nil {
		return nil, err
	}
	for i, t := range trials {
		r := recorded[t.Subject]
		for id, why := range misfits[specs[i].File] {
			if _, known := r.Results[id]; !known || r.Results[id].Want != nil {
				r.Results[id] = testgen.Result{Failed: why}
			}
		}
	}
	if code == nil {
		return nil, nil
	}
	return trials, os.WriteFile(s.place(file), code, 0o600)
}

// keepOut has what failed be no part of the code.
func (s *suite) keepOut(r *vitestReport, trials map[string][]*tsTrial, recorded map[string]*testgen.Recorded) (some bool) {
	for file, list := range trials {
		ran := false
		for _, one := range r.TestResults {
			if !strings.HasSuffix(filepath.ToSlash(one.Name), "/"+file) {
				continue
			}
			ran = len(one.AssertionResults) > 0
			for _, a := range one.AssertionResults {
				if a.Status == "failed" {
					some = s.fail(list, a.AncestorTitles, a.Title, strings.Join(a.FailureMessages, "\n"), recorded) || some
				}
			}
			if !ran {
				some = giveUpAll(list, "its tests cannot be run: "+firstLine(one.Message), recorded) || some
			}
		}
		if !ran && !some {
			some = giveUpAll(list, "vitest does not run "+file, recorded)
		}
	}
	return some
}

// fail keeps out the case of a test that failed; the specs of its file where that is not known.
func (s *suite) fail(list []*tsTrial, above []string, title, said string, recorded map[string]*testgen.Recorded) bool {
	id, _, _ := strings.Cut(title, " ")
	for _, t := range list {
		if len(above) == 0 || above[len(above)-1] != typescript.PlanOf(t.Target).Name {
			continue
		}
		if c := t.spec.Case(id); c != nil && c.Coded() {
			keepOut(recorded[t.Subject], c, "it does not hold: "+firstLine(said))
			return true
		}
	}
	return giveUpAll(list, "a test of its file fails: "+firstLine(title), recorded)
}

// giveUpAll gives up the specs of a file.
func giveUpAll(list []*tsTrial, why string, recorded map[string]*testgen.Recorded) (some bool) {
	for _, t := range list {
		if r := recorded[t.Subject]; r.Problem == "" {
			r.Problem, some = why, true
		}
	}
	return some
}
