package testrun

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen/typescript"
)

// tsRecorder is the recorder of one file with what it still has to do in a run.
type tsRecorder struct {
	*typescript.Recorder
	file  string
	of    []*tsCall // by the numbers of its calls
	order []int
	ended map[*Job]int
}

// record makes all calls, and keeps what each gave.
func (s *suite) record() (list []*tsCall, err error) {
	if err := os.MkdirAll(s.records(), 0o700); err != nil {
		return nil, err
	}
	var recorders []*tsRecorder
	for _, file := range slices.Sorted(keys(s.files)) {
		calls := s.calls(s.files[file])
		list = append(list, calls...)
		r, err := s.recorder(file, calls)
		if err != nil {
			return nil, err
		}
		if r != nil {
			recorders = append(recorders, r)
		}
	}
	s.sum.Candidates += len(list)
	for run := range runs {
		for _, r := range recorders {
			r.arrange(run)
		}
		if recorders, err = s.play(recorders, run); err != nil {
			return nil, err
		}
	}
	for _, file := range slices.Sorted(keys(s.files)) {
		if err := os.Remove(s.place(file)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return list, nil
}

func (s *suite) records() string { return filepath.Join(s.tester.temp, "records") }

// recorder lays the recorder of a file into the copy; nil when there is nothing to record.
func (s *suite) recorder(file string, calls []*tsCall) (*tsRecorder, error) {
	r := &tsRecorder{file: file, ended: map[*Job]int{}}
	plain, of := []*typescript.Call{}, map[*typescript.Call]*tsCall{}
	for _, c := range calls {
		plain, of[c.Call] = append(plain, c.Call), c
	}
	r.Recorder = typescript.NewRecorder(plain, keyOf(file), filepath.ToSlash(s.tester.root())+"/")
	for c, why := range r.Misfits {
		of[c].fault = why
	}
	for _, c := range r.Calls {
		r.of = append(r.of, of[c])
	}
	if len(r.Calls) == 0 {
		return nil, nil
	}
	return r, os.WriteFile(s.place(file), r.Code, 0o600)
}

// arrange puts the calls of a run in its order: those of which each run before gave something.
func (r *tsRecorder) arrange(run int) {
	r.order = slices.DeleteFunc(numbers(len(r.of)), func(i int) bool {
		return len(r.of[i].runs) != run || run > 0 && r.of[i].runs[run-1].Ended != ""
	})
	if run > 0 {
		//nolint:gosec // the order has to be the same each time
		rand.New(rand.NewPCG(uint64(run), 1)).Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	}
	clear(r.ended)
}

// play has recorders make the calls of a run: all at once, and then those alone that were not done, since the end of one process may be that
// of others. It returns the recorders that can be run at all.
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

// process runs recorders once.
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

// ask writes down what a recorder is to do.
func (s *suite) ask(r *tsRecorder) error {
	data, err := json.Marshal(r.order)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.records(), keyOf(r.file)+".json"), data, 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.records(), keyOf(r.file)+".out"), nil, 0o600)
	}
	return err
}

// take takes what a recorder wrote, and leaves in its order what it has not done. Where it was alone, its first call that is not done is
// the one that ended the process.
func (s *suite) take(r *tsRecorder, alone bool) (started bool, err error) {
	data, err := os.ReadFile(filepath.Join(s.records(), keyOf(r.file)+".out"))
	if err != nil {
		return false, err
	}
	made := map[int]*typescript.Outcome{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var one struct {
			I int
			O *typescript.Outcome
		}
		if json.Unmarshal(lines.Bytes(), &one) == nil && one.O != nil { // the last line may be cut
			made[one.I] = one.O
			started = true
		}
	}
	if err := lines.Err(); err != nil || !started {
		return started, err
	}
	n := 0
	for ; n < len(r.order) && made[r.order[n]] != nil; n++ {
		c := r.of[r.order[n]]
		c.runs = append(c.runs, made[r.order[n]])
		if made[r.order[n]].Ended != "" {
			r.ended[c.job]++
		}
	}
	if alone && n < len(r.order) && (n == 0 || made[r.order[n-1]].Ended == "") { // the next one ended the process without a word
		c := r.of[r.order[n]]
		c.runs = append(c.runs, &typescript.Outcome{Made: true, Ended: "it ends the process, or the process was killed"})
		r.ended[c.job]++
		n++
	}
	r.order = slices.DeleteFunc(slices.Clone(r.order[n:]), func(i int) bool { return r.ended[r.of[i].job] >= mostEnded })
	return true, nil
}

// giveUp leaves the specs of a file as they are: vitest does not run its tests, for a reason that lies with the project.
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

// firstLine is the first line that names an error, or else the first that says something.
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
