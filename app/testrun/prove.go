package testrun

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
)

// round builds and runs the tests once, and reports whether it left out a case.
func (p *pack) round(recorded map[string]*testgen.Recorded) (again bool, err error) {
	layer, err := p.hidden(golang.Owns)
	if err != nil {
		return false, err
	}
	list, err := trials(golang.Language, p.jobs, recorded)
	if err != nil || len(list) == 0 {
		return false, err
	}
	for _, t := range list {
		if err := p.lay(layer, path.Base(t.file), t.code); err != nil {
			return false, err
		}
	}
	said, err := p.build(layer, "prove.test", "-cover", "-covermode=set")
	if err != nil {
		if p.ctx.Err() != nil {
			return false, err
		}
		return p.unbuilt(list, recorded, said)
	}
	for run := range runs {
		failed, err := p.failures(run)
		if err != nil {
			return false, err
		}
		if p.keepOut(list, recorded, failed) {
			return true, nil
		}
	}
	return false, p.coverage()
}

var (
	brokenLine = lazyregexp.New(`(zz_causal_[a-z0-9_]+_test\.go):\d+:\d+: (.*)`)
	failPlace  = lazyregexp.New(`^\s*zz_causal_[a-z0-9_]+_test\.go:\d+: `)
	runLine    = lazyregexp.New(`^=== (?:RUN|NAME) +(\S+)$`)
	endLine    = lazyregexp.New(`^\s*--- (PASS|FAIL|SKIP): ((?:Test|Fuzz)\S*_causal(?:/\S+)?)`)
)

// unbuilt gives up the specs whose tests do not build.
func (p *pack) unbuilt(trials []*trial, recorded map[string]*testgen.Recorded, said string) (bool, error) {
	some := false
	for _, m := range brokenLine.FindAllStringSubmatch(said, -1) {
		for _, t := range trials {
			if path.Base(t.file) == m[1] {
				some = t.giveUp("its test does not build: "+m[2], recorded) || some
			}
		}
	}
	if !some {
		return false, fmt.Errorf("the tests do not build: %s", said)
	}
	return true, nil
}

// failures returns the tests that fail in one run, by name. Later runs repeat each test, because an outcome that
// depends on map order is the same most of the time.
func (p *pack) failures(run int) (map[string]string, error) {
	count, start := 1, time.Now()
	if run > 0 {
		count = cmp.Or(p.runner.repeats, int(min(mostTimes, max(1, longestRun/max(p.once, time.Millisecond)))))
	}
	said, err := p.test("prove.test", run, "-test.v", "-test.run=_causal$", "-test.count="+strconv.Itoa(count), "-test.shuffle="+strconv.Itoa(run+1), "-test.coverprofile="+filepath.Join(p.temp, "after.out"))
	if run == 0 {
		p.once = time.Since(start)
	}
	if err != nil && !errors.Is(err, errFailed) && !errors.Is(err, confine.ErrTime) {
		return nil, err
	}
	out := failedIn(said, err != nil)
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("the tests end without saying which failed: %s", last(said))
	}
	if run > 0 {
		for name, why := range out {
			out[name] = "in another run, " + why
		}
	}
	return out, nil
}

// mostTimes bounds the repetitions of a test in later runs, and longestRun their duration.
const (
	mostTimes  = 32
	longestRun = 5 * time.Second
)

// failedIn reads the failed tests and their output. If the process ended without a result, the running test failed.
func failedIn(said string, failed bool) map[string]string {
	out, why := map[string]string{}, map[string]string{}
	running, panicked := "", ""
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\r\n")
		if m := runLine.FindStringSubmatch(line); m != nil {
			running = m[1]
		} else if m := endLine.FindStringSubmatch(line); m != nil {
			if running == m[2] {
				running = ""
			}
			if panicked = ""; m[1] == "FAIL" {
				out[m[2]] = cmp.Or(out[m[2]], why[m[2]], "it fails")
				panicked = m[2]
			}
		} else if at := failPlace.FindString(line); at != "" && why[running] == "" {
			why[running] = line[len(at):]
		} else if strings.HasPrefix(line, "panic: ") && panicked != "" {
			out[panicked], panicked = line, ""
		}
	}
	if failed && len(out) == 0 && running != "" {
		out[running] = "it ends the program, or never ends"
	}
	return out
}

// last returns the end of a program's output.
func last(said string) string {
	if len(said) > 2000 {
		said = "… " + said[len(said)-2000:]
	}
	return said
}

// keepOut leaves out the cases that failed.
func (p *pack) keepOut(trials []*trial, recorded map[string]*testgen.Recorded, failed map[string]string) (some bool) {
	for _, t := range trials {
		one := t.specs[0] // each file has the tests of one spec
		for i := range one.Spec.Cases {
			c := &one.Spec.Cases[i]
			why, ok := failing(failed, golang.TestOf(one.Target, c))
			if !ok || !c.Coded() {
				continue
			}
			some = true
			keepOut(recorded[t.jobs[0].Subject], c, "it does not hold: "+why)
		}
	}
	for name := range failed { // rows of a table
		if !strings.Contains(name, "/") && slices.ContainsFunc(slices.Collect(maps.Keys(failed)), func(other string) bool { return strings.HasPrefix(other, name+"/") }) {
			delete(failed, name)
		}
	}
	if !some && len(failed) > 0 { // the failed case is unknown, so no spec can be trusted
		for _, t := range trials {
			some = t.giveUp("a test of its package fails: "+strings.Join(slices.Sorted(maps.Keys(failed)), ", "), recorded) || some
		}
	}
	return some
}

// failing reports whether a test or a subtest failed; the name of a row ends with its reason.
func failing(failed map[string]string, test string) (why string, ok bool) {
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		row := strings.Contains(test, "/")
		if name == test || row && strings.HasPrefix(name, test+"_") || !row && strings.HasPrefix(name, test+"/") {
			why, ok = failed[name], true
		}
	}
	return why, ok
}

// errFailed is returned for tests that fail.
var errFailed = errors.New("tests fail")

// longestTest bounds the tests of one package.
const longestTest = 2 * time.Minute

// test runs a test binary in a copy of the package's directory.
func (p *pack) test(binary string, run int, args ...string) (string, error) {
	dir, err := p.copied()
	if err != nil {
		return "", err
	}
	var said bytes.Buffer
	err = confine.Program{
		Launcher: p.runner.Launcher, Dir: p.temp, Path: filepath.Join(p.temp, binary), Work: dir, Args: args, Env: []string{"TZ=" + zones[run]},
		Time: longestTest, Out: &said,
	}.Run(p.ctx)
	var exit *exec.ExitError
	switch {
	case p.ctx.Err() != nil:
		return "", p.ctx.Err()
	case errors.As(err, &exit):
		return said.String(), errFailed
	}
	return said.String(), err
}

// largestCopy bounds the bytes of a package's directory that are copied.
const largestCopy = 32 << 20

// copied copies the package's directory, including test data.
func (p *pack) copied() (string, error) {
	dir := filepath.Join(p.temp, "copy")
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	left := int64(largestCopy)
	return dir, copyTree(filepath.Join(p.runner.Root, filepath.FromSlash(p.dir)), dir, func(name string, d fs.DirEntry, size int64) error {
		if d.IsDir() && name != "." && name != "testdata" && !strings.HasPrefix(name, "testdata/") || d.Type().IsRegular() && size > left {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			left -= size
		}
		return nil
	})
}

// coverage counts the statements that handwritten and all tests reach.
func (p *pack) coverage() error {
	after, err := profile(filepath.Join(p.temp, "after.out"))
	if err != nil {
		return err
	}
	if _, err := p.test("prove.test", 0, "-test.skip=_causal$", "-test.coverprofile="+filepath.Join(p.temp, "before.out")); err != nil && p.ctx.Err() != nil {
		return err
	}
	before, err := profile(filepath.Join(p.temp, "before.out"))
	if err != nil && !errors.Is(err, os.ErrNotExist) { // handwritten tests may fail
		return err
	}
	for block, b := range after {
		p.sum.Statements += b.statements
		if before[block].reached {
			p.sum.Before += b.statements
		}
		if b.reached || before[block].reached {
			p.sum.After += b.statements
		}
	}
	return nil
}

// block is a basic block of a coverage profile.
type block struct {
	statements int
	reached    bool
}

func profile(file string) (map[string]block, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]block{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			continue
		}
		b := out[fields[0]]
		out[fields[0]] = block{n, b.reached || fields[2] != "0"}
	}
	return out, nil
}
