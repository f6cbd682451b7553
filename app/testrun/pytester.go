package testrun

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/python"
)

// pyTester runs Python tests with pytest in a copy of the work tree.
type pyTester struct {
	runner     *Runner
	temp       string
	python     string
	hypothesis bool // hypothesis is installed

	once   sync.Once
	failed error // error of copying

	mu      sync.Mutex
	reached map[string]map[string]bool // lines that handwritten tests reach, by project directory
}

//go:embed python/*.py
var pythonPrograms embed.FS

// Directories below that of a tester: its programs, and the copy of the work tree.
const (
	programsDir = "programs"
	copyDir     = "copy"
)

func openPython(r *Runner, temp string) (tester, error) {
	t := &pyTester{runner: r, temp: temp, reached: map[string]map[string]bool{}}
	programs, err := fs.Sub(pythonPrograms, "python")
	if err == nil {
		err = os.CopyFS(filepath.Join(temp, programsDir), programs)
	}
	if err != nil {
		return nil, fmt.Errorf("prepare the tests: %w", err)
	}
	if err := t.find(); err != nil {
		return nil, err
	}
	return t, nil
}

// interpreters lists possible Python interpreters, the project's own first.
func (r *Runner) interpreters() (list []string) {
	bin, name := "bin", "python3"
	if runtime.GOOS == "windows" {
		bin, name = "Scripts", "python.exe"
	}
	for _, venv := range []string{filepath.Join(r.Root, ".venv"), filepath.Join(r.Root, "venv"), os.Getenv("VIRTUAL_ENV")} {
		if venv != "" {
			list = append(list, filepath.Join(venv, bin, name))
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		list = append(list, filepath.Join(dir, name))
	}
	return list
}

// aboutPython prints the path of the interpreter and whether hypothesis is installed; it fails without pytest.
const aboutPython = `import sys, importlib.util, pytest
assert sys.version_info >= (3, 8)
print(sys.executable)
print(importlib.util.find_spec("hypothesis") is not None)`

// find finds an interpreter with pytest.
func (t *pyTester) find() error {
	some := false
	for _, name := range t.runner.interpreters() {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			continue
		}
		some = true
		var said bytes.Buffer
		t.python = name
		if err := t.run(context.Background(), t.temp, &said, nil, 30*time.Second, "-c", aboutPython); err != nil {
			continue
		}
		if lines := strings.Fields(said.String()); len(lines) == 2 {
			t.python, t.hypothesis = lines[0], lines[1] == "True"
			return nil
		}
	}
	if some {
		return &MissingError{"Python", "no python3 here has pytest; install it (pip install pytest), in .venv for one"}
	}
	return &MissingError{"Python", "there is no python3"}
}

// run runs a Python program, confined.
func (t *pyTester) run(ctx context.Context, work string, out *bytes.Buffer, env []string, limit time.Duration, args ...string) error {
	return confine.Program{
		Launcher: t.runner.Launcher, Dir: t.temp, Work: work, Path: t.python, Args: args, Time: limit, Out: out,
		Env: append([]string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8"}, env...),
	}.Run(ctx)
}

// builds implements tester: handwritten tests must parse.
func (t *pyTester) builds(ctx context.Context, dir string) error {
	var files []string
	for at := dir; ; at = path.Dir(at) {
		list, _ := filepath.Glob(filepath.Join(t.runner.Root, filepath.FromSlash(at), "tests", "*.py"))
		for _, f := range list {
			if name, err := filepath.Rel(t.runner.Root, f); err == nil && !python.Owns(filepath.ToSlash(name)) {
				files = append(files, name)
			}
		}
		if at == "." || len(files) > 0 {
			break
		}
	}
	if len(files) == 0 {
		return nil
	}
	lines, err := t.lines(ctx, t.runner.Root, files)
	if err != nil {
		return err
	}
	for i, l := range lines {
		if l.problem != "" {
			return &BuildError{testgen.ModuleName(dir), fmt.Sprintf("%s:%d: %s", filepath.ToSlash(files[i]), l.line, l.problem)}
		}
	}
	return nil
}

// fileLines holds the executable lines of a file, or its syntax error.
type fileLines struct {
	numbers []int
	problem string
	line    int
}

// lines returns the executable lines of files.
func (t *pyTester) lines(ctx context.Context, work string, files []string) ([]fileLines, error) {
	var said bytes.Buffer
	args := append([]string{filepath.Join(t.temp, programsDir, "causal_lines.py")}, files...)
	if err := t.run(ctx, work, &said, nil, longestTest, args...); err != nil {
		return nil, fmt.Errorf("read %d files of Python: %w: %s", len(files), err, last(said.String()))
	}
	out := make([]fileLines, len(files))
	d := json.NewDecoder(&said)
	for i := range out {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, fmt.Errorf("read %s: %w", files[i], err)
		}
		if json.Unmarshal(raw, &out[i].numbers) != nil {
			var bad struct {
				Problem string
				Line    int
			}
			if err := json.Unmarshal(raw, &bad); err != nil {
				return nil, err
			}
			out[i].problem, out[i].line = bad.Problem, bad.Line
		}
	}
	return out, nil
}

// mostCopied bounds the bytes of a work tree that are copied; Python tests may import any of it.
const mostCopied = 256 << 20

// notCopied are directories that tests do not need.
var notCopied = []string{".git", ".causal", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}

// copied copies the work tree.
func (t *pyTester) copied() (string, error) {
	to := filepath.Join(t.temp, copyDir)
	left := int64(mostCopied)
	t.once.Do(func() {
		t.failed = copyTree(t.runner.Root, to, func(name string, d fs.DirEntry, size int64) error {
			if d.IsDir() && slices.Contains(notCopied, d.Name()) || !d.IsDir() && python.Owns(name) {
				return fs.SkipDir
			}
			if d.Type().IsRegular() {
				left -= size
			}
			if left < 0 {
				return fmt.Errorf("copy the repository: it has more than %d MiB, and tests of Python run in a copy", mostCopied>>20)
			}
			return nil
		})
	})
	return to, t.failed
}

// verify implements tester.
func (t *pyTester) verify(ctx context.Context, dir string, jobs []*Job) (map[string]*testgen.Recorded, *Verified, error) {
	p := &pyPack{pyTester: t, ctx: ctx, dir: dir, jobs: jobs}
	at, err := t.copied()
	if err != nil {
		return nil, &p.sum, err
	}
	p.copy = at
	calls, err := p.record()
	if err != nil {
		return nil, &p.sum, fmt.Errorf("record results in %s: %w", testgen.ModuleName(dir), err)
	}
	if p.importable(calls); len(p.jobs) == 0 {
		return nil, &p.sum, nil
	}
	out, err := prove(p.jobs, calls, t.hypothesis, p.round)
	if err != nil {
		return nil, &p.sum, fmt.Errorf("run the tests of %s: %w", testgen.ModuleName(dir), err)
	}
	return out, &p.sum, nil
}

// ended describes an abnormal end of a process. The error is not the program's fault.
func (t *pyTester) ended(ctx context.Context, err error) (string, error) {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, confine.ErrTime):
		return "it takes more than its time limit", nil
	case errors.As(err, &exit):
		if strings.Contains(exit.String(), "alarm") {
			return fmt.Sprintf("it takes more than the time limit of %v", t.runner.longestCall()), nil
		}
		return crashed, nil
	}
	return "it ends the process", err
}
