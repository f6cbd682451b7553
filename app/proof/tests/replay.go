package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// walk is a replay that is under way.
type walk struct {
	subject *subject
	causal  string
	talk    io.Writer
	path    string // of the module, for commits that have no go.mod
	wrote   bool   // that go.mod
	known   map[string]map[spec.Depends]seen
	last    map[string]spec.Depends // the state that each specification was recorded for
	outcome outcome
}

// replay walks the last first-parent commits of a clone that touch Go, and prints the outcome.
func replay(ctx context.Context, w *clones.Workshop, clone string, n int, out, talk io.Writer) (holds bool, err error) {
	if clone, err = filepath.Abs(clone); err != nil {
		return false, err
	}
	list, err := commits(ctx, clone, n+1)
	if err != nil || len(list) < 2 {
		return false, fmt.Errorf("%w: %s has no two commits that touch Go: %w", trial.ErrUnfit, clone, err)
	}
	root, err := w.Checkout(ctx, "replay/"+filepath.Base(clone), list[0], filepath.Dir(clone))
	if err != nil {
		return false, fmt.Errorf("%w: %w", trial.ErrUnfit, err)
	}
	path, err := modulePath(ctx, clone)
	if err != nil {
		return false, fmt.Errorf("%w: %w", trial.ErrUnfit, err)
	}
	k := &walk{
		subject: &subject{dir: w.Dir(), root: root, launcher: w.Causal()}, causal: w.Causal(), talk: talk, path: path,
		known: map[string]map[spec.Depends]seen{}, last: map[string]spec.Depends{},
		outcome: outcome{repository: filepath.Base(clone), first: list[0]},
	}
	began := time.Now()
	for i, commit := range list {
		if err := k.step(ctx, commit); err != nil {
			if ctx.Err() != nil { // print the partial outcome
				_, _ = io.WriteString(out, k.outcome.text())
			}
			return false, fmt.Errorf("%s at %.10s: %w", filepath.Base(clone), commit, err)
		}
		k.outcome.commits, k.outcome.took, k.outcome.last = i, time.Since(began), commit
		_, _ = fmt.Fprintf(talk, "%4.0fs %d of %d %.10s\n", time.Since(began).Seconds(), i, len(list)-1, commit)
	}
	if err := k.run(ctx, k.outcome.last); err != nil { // with the tests that the last commit recorded
		return false, err
	}
	_, err = io.WriteString(out, k.outcome.text())
	return k.outcome.holds(), err
}

// commits lists the last first-parent commits that touch Go, oldest first.
func commits(ctx context.Context, dir string, n int) ([]string, error) {
	said, err := trial.Git(ctx, dir, nil, "log", "--first-parent", "--max-count="+strconv.Itoa(n), "--format=%H", "--", "*.go")
	list := strings.Fields(said)
	slices.Reverse(list)
	return list, err
}

// modulePath reads the module path from the last commit.
func modulePath(ctx context.Context, dir string) (string, error) {
	said, err := trial.Git(ctx, dir, nil, "show", "HEAD:go.mod")
	for line := range strings.Lines(said) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), err
		}
	}
	return "", errors.Join(err, errors.New("its last commit has no go.mod"))
}

// goMod is the file that commits before there were modules get.
const goMod = "go.mod"

// checkout checks out a commit. Files that causal wrote stay.
func (k *walk) checkout(ctx context.Context, commit string) error {
	if k.wrote {
		if err := os.Remove(k.subject.at(goMod)); err != nil {
			return err
		}
		k.wrote = false
	}
	if _, err := trial.Git(ctx, k.subject.root, nil, "checkout", "--quiet", "--force", "--detach", commit); err != nil {
		return err
	}
	_, err := os.Stat(k.subject.at(goMod))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	k.wrote = true
	return os.WriteFile(k.subject.at(goMod), []byte("module "+k.path+"\n\ngo 1.16\n"), 0o600)
}

// step does the work of a maintainer at a commit: find the invalidated specifications, verify them again, and accept changed results.
func (k *walk) step(ctx context.Context, commit string) error {
	if err := k.checkout(ctx, commit); err != nil {
		return err
	}
	now, err := targets(ctx, k.subject.root)
	if err != nil {
		return err
	}
	began := time.Now()
	o, err := testgenIn(ctx, k.causal, k.subject.root)
	if err != nil {
		return err
	}
	k.outcome.update += time.Since(began)
	if err := k.weigh(commit, o, now); err != nil {
		return err
	}
	if err := k.run(ctx, commit); err != nil {
		return err
	}
	if !slices.ContainsFunc(o.Specs, func(t testgen.Told) bool { return t.Status == spec.Invalidated || t.Status == spec.Pending }) {
		return nil
	}
	return k.record(ctx, commit, o, now)
}

// record verifies invalidated specifications and accepts changed results. Their tests run at the next commit.
func (k *walk) record(ctx context.Context, commit string, before *testgen.Outcome, now map[string]seen) error {
	o, err := testgenIn(ctx, k.causal, k.subject.root, "--verify")
	if err != nil {
		k.outcome.refused = append(k.outcome.refused, fmt.Sprintf("%.10s: %v", commit, err))
		return nil
	}
	for _, f := range before.Invalidated {
		if slices.ContainsFunc(o.Specs, func(t testgen.Told) bool { return t.Spec == f.Spec && t.Status == spec.Active }) {
			k.outcome.same++
		}
	}
	if changes := o.BehaviourChanges; len(changes) > 0 {
		var args []string
		specs := map[string]bool{}
		for _, c := range changes {
			args = append(args, "--accept", c.Spec+"#"+c.Case)
			specs[c.Spec] = true
			k.outcome.changes = append(k.outcome.changes, fmt.Sprintf("%.10s: %s was %s, is %s", commit, c.Call, c.Was, c.Is))
		}
		k.outcome.accepted += len(specs)
		if o, err = testgenIn(ctx, k.causal, k.subject.root, args...); err != nil {
			return err
		}
	}
	return k.remember(o, now)
}

// weigh compares the invalidated specifications with the functions that changed since they were recorded.
func (k *walk) weigh(commit string, o *testgen.Outcome, now map[string]seen) error {
	fell := map[string]bool{}
	for _, f := range o.Invalidated {
		fell[f.Spec] = true
	}
	k.outcome.invalidated += len(o.Invalidated)
	for _, t := range o.Specs {
		name := t.Module + " " + t.Symbol
		before, recorded := k.known[t.Spec][k.last[t.Spec]]
		if !recorded {
			continue
		}
		s, err := k.read(t.Spec)
		if err != nil {
			return err
		}
		after, there := now[name]
		switch stays := t.Status == spec.Active && s.DependsOn == k.last[t.Spec]; {
		case stays && there && before.signature != after.signature:
			k.outcome.missedSignatures = append(k.outcome.missedSignatures, fmt.Sprintf("%.10s: %s", commit, name))
		case stays && there && before.body != after.body:
			k.outcome.missedBodies = append(k.outcome.missedBodies, fmt.Sprintf("%.10s: %s", commit, name))
		case fell[t.Spec] && there && before == after:
			k.outcome.needless = append(k.outcome.needless, fmt.Sprintf("%.10s: %s", commit, name))
		}
		if there && before.signature != after.signature {
			k.outcome.signatures++
		}
	}
	return k.remember(o, now)
}

// remember stores the state of a function when its specification is recorded.
func (k *walk) remember(o *testgen.Outcome, now map[string]seen) error {
	for _, t := range o.Specs {
		if t.Status != spec.Active {
			continue
		}
		s, err := k.read(t.Spec)
		if err != nil {
			return err
		}
		k.last[t.Spec] = s.DependsOn
		of := k.known[t.Spec]
		if of == nil {
			of = map[spec.Depends]seen{}
			k.known[t.Spec] = of
		}
		if _, known := of[s.DependsOn]; !known {
			of[s.DependsOn] = now[t.Module+" "+t.Symbol]
		}
	}
	k.outcome.specs = len(o.Specs)
	return nil
}

func (k *walk) read(file string) (*spec.Spec, error) {
	data, err := os.ReadFile(k.subject.at(file))
	if err != nil {
		return nil, err
	}
	return spec.Decode(file, data)
}

// run runs the generated tests together with the library's own. If the library's tests do not build, the run is not counted.
func (k *walk) run(ctx context.Context, commit string) error {
	said, ok, err := k.subject.goCommand(ctx, ".", "test", "-vet=off", "-run=_causal$", "./...")
	if err != nil || ok {
		return err
	}
	broken := complaint.FindAllString(said, -1)
	names := failed(said)
	switch {
	case len(broken) > 0:
		k.outcome.unbuilt = append(k.outcome.unbuilt, fmt.Sprintf("%.10s: %s", commit, strings.Join(broken, "; ")))
	case len(names) > 0:
		k.outcome.failing = append(k.outcome.failing, fmt.Sprintf("%.10s: %s", commit, strings.Join(names, ", ")))
	default:
		k.outcome.others++
	}
	return nil
}
