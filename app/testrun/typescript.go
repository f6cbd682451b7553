package testrun

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/typescript"
)

// tsTester runs TypeScript tests with the project's own vitest, confined, in a copy of the work tree whose
// node_modules link to the real packages.
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

// builds implements tester: TypeScript tests need no build.
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
	for _, root := range slices.Sorted(maps.Keys(projects)) {
		s := &suite{tester: t, ctx: ctx, dir: root, sum: sum, files: map[string][]*Job{}}
		for _, j := range projects[root] {
			file := j.Target.CodeFile
			s.files[file] = append(s.files[file], j)
		}
		if err := s.verify(out); err != nil {
			return out, sum, fmt.Errorf("run the tests of %s: %w", testgen.ModuleName(root), err)
		}
	}
	return out, sum, nil
}

// vitestMain is the entry point of vitest.
const vitestMain = "node_modules/vitest/vitest.mjs"

// project returns the nearest directory above the tests of a job that has vitest installed.
func (t tsTester) project(j *Job) (string, bool) {
	if j.Target.CodeFile == "" {
		t.runner.warn(&MissingError{"TypeScript", "no package.json above " + j.Target.File + " has vitest; npm install --save-dev vitest, and run this again"})
		return "", false
	}
	for at := path.Dir(j.Target.File); ; at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(t.runner.Root, filepath.FromSlash(at), filepath.FromSlash(vitestMain))); err == nil {
			return at, true
		}
		if at == "." {
			t.runner.warn(&MissingError{"TypeScript", "vitest is not installed for " + j.Target.File + "; npm install, and run this again"})
			return "", false
		}
	}
}

// suite is the specs of one project.
type suite struct {
	tester tsTester
	ctx    context.Context
	dir    string            // of the project
	files  map[string][]*Job // by test file
	sum    *Verified
}

// root is the copy of the work tree.
func (t tsTester) root() string { return filepath.Join(t.temp, "copy") }

// place returns the path of a file in the copy.
func (s *suite) place(name string) string {
	return filepath.Join(s.tester.root(), filepath.FromSlash(name))
}

// longestSuite bounds vitest for all files of a project.
const longestSuite = 15 * time.Minute

// vitest runs test files, and returns its output and report.
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
		return said, report, nil // the report has the failures
	}
	return said, report, err
}

// verify records and proves the specs of a project.
func (s *suite) verify(out map[string]*testgen.Recorded) error {
	list, err := s.record()
	if err != nil {
		return err
	}
	recorded, err := prove(s.jobs(), list, true, s.round)
	maps.Copy(out, recorded)
	return err
}

// jobs returns the jobs of the suite.
func (s *suite) jobs() []*Job { return slices.Concat(slices.Collect(maps.Values(s.files))...) }

func keyOf(file string) string { return fact.Digest(file) }

// Limits of the copy of a work tree. Tests do not need larger files.
const (
	largestTree = 256 << 20
	mostFiles   = 60_000
	largestFile = 8 << 20
)

// leftOut are directories with generated files, which tests do not need.
var leftOut = map[string]bool{".git": true, ".causal": true, ".nuxt": true, ".next": true, ".turbo": true, "coverage": true}

// copy copies the work tree without generated tests. Its node_modules link to the real packages.
func (t tsTester) copy() error {
	left, files := int64(largestTree), mostFiles
	return copyTree(t.runner.Root, t.root(), func(name string, d fs.DirEntry, size int64) error {
		switch regular := d.Type().IsRegular(); {
		case d.Name() == "node_modules": // a directory, or a link to one
			return cmp.Or(t.link(name), fs.SkipDir)
		case d.IsDir() && leftOut[d.Name()], regular && (size > largestFile || typescript.Owns(name)):
			return fs.SkipDir
		case regular:
			if files--; files < 0 || size > left {
				return errors.New("it is larger than 256 MiB, or has more than 60000 files")
			}
			left -= size
		}
		return nil
	})
}

// link makes a node_modules whose entries link to those of the work tree. Files that tools write there stay in the
// copy.
func (t tsTester) link(name string) error {
	real := filepath.Join(t.runner.Root, filepath.FromSlash(name))
	to := filepath.Join(t.root(), filepath.FromSlash(name))
	list, err := os.ReadDir(real)
	if err != nil {
		return nil //nolint:nilerr // a dangling link
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, e := range list {
		if base := path.Base(e.Name()); base == ".vite" || base == ".vitest" || base == ".vite-temp" || base == ".cache" {
			continue
		}
		if err := os.Symlink(filepath.Join(real, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
