package testrun

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/typescript"
)

// vitestReport is the used part of vitest's report.
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

// suiteFailure returns the error of a test file that failed to load; otherwise it is empty.
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

// round runs all tests, and reports whether it left out a case.
func (s *suite) round(recorded map[string]*testgen.Recorded) (again bool, err error) {
	list, err := trials(typescript.Language, s.jobs(), recorded)
	if err != nil || len(list) == 0 {
		return false, err
	}
	var files []string
	for _, t := range list {
		files = append(files, t.file)
		if err := os.WriteFile(s.place(t.file), t.code, 0o600); err != nil {
			return false, err
		}
	}
	for run := range runs {
		said, report, err := s.vitest(files, run, nil, "--sequence.shuffle", "--sequence.seed="+strconv.Itoa(run+1))
		if err != nil {
			return false, fmt.Errorf("%w: %s", err, last(said))
		}
		r, err := readReport(report)
		if err != nil {
			return false, fmt.Errorf("vitest says nothing of its tests: %s", last(said))
		}
		if keepOutTS(r, list, recorded) {
			return true, nil
		}
	}
	return false, nil
}

// keepOutTS leaves out the cases that failed.
func keepOutTS(r *vitestReport, list []*trial, recorded map[string]*testgen.Recorded) (some bool) {
	for _, t := range list {
		ran := false
		for _, one := range r.TestResults {
			if !strings.HasSuffix(filepath.ToSlash(one.Name), "/"+t.file) {
				continue
			}
			ran = len(one.AssertionResults) > 0
			for _, a := range one.AssertionResults {
				if a.Status == "failed" {
					some = t.fail(a.AncestorTitles, a.Title, strings.Join(a.FailureMessages, "\n"), recorded) || some
				}
			}
			if !ran {
				some = t.giveUp("its tests cannot be run: "+firstLine(one.Message), recorded) || some
			}
		}
		if !ran && !some {
			some = t.giveUp("vitest does not run "+t.file, recorded)
		}
	}
	return some
}

// fail leaves out the case of a failed test, or if it is unknown, the specs of the file.
func (t *trial) fail(above []string, title, said string, recorded map[string]*testgen.Recorded) bool {
	id, _, _ := strings.Cut(title, " ")
	for i, one := range t.specs {
		if len(above) == 0 || above[len(above)-1] != typescript.PlanOf(one.Target).Name {
			continue
		}
		if c := one.Spec.Case(id); c != nil && c.Coded() {
			keepOut(recorded[t.jobs[i].Subject], c, "it does not hold: "+firstLine(said))
			return true
		}
	}
	return t.giveUp("a test of its file fails: "+firstLine(title), recorded)
}
