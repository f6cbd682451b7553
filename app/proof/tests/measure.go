package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/testgen"
)

// measurement is the measuring of one library.
type measurement struct {
	workshop *clones.Workshop
	options  options
	talk     io.Writer

	subject *subject
	result  *result
	began   time.Time
}

// run measures a library, whose clone lies in a directory.
func (m *measurement) run(ctx context.Context, from string) (err error) {
	m.began = time.Now()
	defer func() { m.result.took = time.Since(m.began) }()
	root, err := m.workshop.Checkout(ctx, m.result.repository, m.result.commit, from)
	if err != nil {
		return err
	}
	dir := filepath.Join(m.workshop.Dir(), "subjects", m.result.name())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.Rename(root, filepath.Join(dir, "tree")); err != nil {
		return err
	}
	var files [suites]map[string][]byte
	if m.subject, files[people], err = newSubject(ctx, dir, filepath.Join(dir, "tree"), m.workshop.Causal()); err != nil {
		return err
	}
	m.say("generating")
	if files[generated], err = m.generate(ctx); err != nil {
		return err
	}
	m.say("running the generated tests %d times", m.options.repeat)
	complaints := m.result.checked.unbuilt
	if m.result.checked, err = m.subject.check(ctx, files[generated], m.options.repeat); err != nil {
		return err
	}
	m.result.checked.unbuilt = append(m.result.checked.unbuilt, complaints...)
	if !m.result.checked.holds() {
		return nil // broken files cannot be compared
	}
	m.say("running all tests")
	benches, err := m.arrange(ctx, files)
	if err != nil {
		return err
	}
	m.say("having %d mutants judged", m.options.mutants)
	return m.score(ctx, benches, m.options.mutants)
}

func (m *measurement) say(format string, args ...any) {
	_, _ = fmt.Fprintf(m.talk, "%s %4.0fs: %s\n", m.result.name(), time.Since(m.began).Seconds(), fmt.Sprintf(format, args...))
}

// generate has causal generate tests, and takes them out of the tree.
func (m *measurement) generate(ctx context.Context) (files map[string][]byte, err error) {
	began := time.Now()
	o, err := testgenIn(ctx, m.workshop.Causal(), m.subject.root, "--verify")
	if err != nil {
		return nil, err
	}
	m.result.generation = time.Since(began)
	m.result.count(m.subject.units, o)
	if m.result.checked.unbuilt, err = m.subject.vetted(ctx); err != nil {
		return nil, err
	}
	return m.subject.take(o.FilesWritten)
}

// take takes files of tests out of the tree.
func (s *subject) take(names []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(s.at(name))
		if err == nil {
			err = os.Remove(s.at(name))
		}
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	return files, nil
}

// testgenIn runs `causal testgen` in a repository. That something is left to do is no failure.
func testgenIn(ctx context.Context, causal, root string, args ...string) (*testgen.Outcome, error) {
	c := exec.CommandContext(ctx, causal, append([]string{"testgen", "--json"}, args...)...)
	c.Dir, c.Env = root, environment()
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil, fmt.Errorf("causal testgen %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	var o testgen.Outcome
	if err := json.Unmarshal(out, &o); err != nil {
		return nil, fmt.Errorf("causal testgen %s: read the report: %w", strings.Join(args, " "), err)
	}
	return &o, nil
}
