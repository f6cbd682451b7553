package testrun

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/typescript"
)

// tsRecorder is the recorder of one file with its remaining calls.
type tsRecorder struct {
	*typescript.Recorder
	file  string
	order []*testgen.Call
	ended map[*testgen.Target]int
}

func (s *suite) record() (list []*testgen.Call, err error) {
	if err := os.MkdirAll(s.records(), 0o700); err != nil {
		return nil, err
	}
	var recorders []*tsRecorder
	for _, file := range slices.Sorted(maps.Keys(s.files)) {
		of := calls(s.files[file])
		list = append(list, of...)
		r := &tsRecorder{file: file, Recorder: typescript.NewRecorder(of, keyOf(file), filepath.ToSlash(s.tester.root())+"/")}
		if len(r.Calls) == 0 {
			continue
		}
		recorders = append(recorders, r)
		if err := os.WriteFile(s.place(file), r.Code, 0o600); err != nil {
			return nil, err
		}
	}
	s.sum.Candidates += len(list)
	for run := range runs {
		for _, r := range recorders {
			r.order, r.ended = ordered(r.Calls, run), map[*testgen.Target]int{}
		}
		if recorders, err = s.play(recorders, run); err != nil {
			return nil, err
		}
	}
	for file := range s.files {
		if err := os.Remove(s.place(file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return list, nil
}

func (s *suite) records() string { return filepath.Join(s.tester.temp, "records") }

// play runs recorders until all calls of a run are made: first together, then the unfinished ones alone, since one of
// them may end the process of all. It returns the recorders that work.
func (s *suite) play(recorders []*tsRecorder, run int) ([]*tsRecorder, error) {
	todo := slices.DeleteFunc(slices.Clone(recorders), func(r *tsRecorder) bool { return len(r.order) == 0 })
	if len(todo) > 1 {
		if _, _, err := s.process(todo, run); err != nil {
			return nil, err
		}
		for _, r := range todo {
			if _, err := s.take(r, false); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range todo {
		for len(r.order) > 0 {
			said, report, err := s.process([]*tsRecorder{r}, run)
			if err != nil {
				return nil, err
			}
			started, err := s.take(r, true)
			if err != nil {
				return nil, err
			}
			if !started {
				s.giveUp(r, said, report)
				recorders = slices.DeleteFunc(slices.Clone(recorders), func(o *tsRecorder) bool { return o == r })
				break
			}
		}
	}
	return recorders, nil
}

// process runs recorders in one process.
func (s *suite) process(list []*tsRecorder, run int) (said, report string, err error) {
	var files []string
	for _, r := range list {
		if err := s.ask(r); err != nil {
			return "", "", err
		}
		files = append(files, r.file)
	}
	env := []string{typescript.RecordDir + "=" + s.records()}
	if run == 0 {
		env = append(env, typescript.RecordCover+"=1")
	}
	said, report, err = s.vitest(files, run, env)
	if err != nil {
		err = fmt.Errorf("%w: %s", err, last(said))
	}
	return said, report, err
}

// ask writes the next calls for a recorder.
func (s *suite) ask(r *tsRecorder) error {
	numbers := make([]int, len(r.order))
	for i, c := range r.order {
		numbers[i] = c.Number
	}
	data, err := json.Marshal(numbers)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.records(), keyOf(r.file)+".json"), data, 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.records(), keyOf(r.file)+".out"), nil, 0o600)
	}
	return err
}

// take reads the output of a recorder. If it ran alone, the call without an outcome ended the process.
func (s *suite) take(r *tsRecorder, alone bool) (started bool, err error) {
	made, err := outcomes(filepath.Join(s.records(), keyOf(r.file)+".out"), func() testgen.Run { return &typescript.Outcome{} })
	if err != nil || len(made) == 0 {
		return false, err
	}
	var lost testgen.Run
	if alone {
		lost = &typescript.Outcome{RunInfo: testgen.RunInfo{Made: true, Ended: crashed}}
	}
	r.order = take(r.order, made, lost, r.ended)
	return true, nil
}

// giveUp leaves the specs of a file unchanged: the project's configuration prevents vitest from running its tests.
func (s *suite) giveUp(r *tsRecorder, said, report string) {
	why := "vitest does not run " + r.file
	switch failure := suiteFailure(report, r.file); {
	case failure != "":
		why += ": " + failure
	case strings.Contains(said, "No test files found"):
		why += ": its configuration leaves the file out; see test.include and test.exclude"
	default:
		why += ": " + firstLine(said)
	}
	s.tester.runner.warn(&MissingError{"TypeScript", why})
	delete(s.files, r.file)
}

var escapeCodes = lazyregexp.New("\x1b\\[[0-9;]*m")

// firstLine returns the first line with an error, or else the first non-empty line.
func firstLine(said string) string {
	first := ""
	for line := range strings.Lines(escapeCodes.ReplaceAllString(said, "")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if line = strings.ToValidUTF8(line[:min(len(line), 300)], ""); strings.Contains(line, "Error: ") {
			return line
		}
		first = cmp.Or(first, line)
	}
	return cmp.Or(first, "it says nothing")
}
