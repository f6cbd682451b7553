package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
	"github.com/causaldocs/causal/testgen/python"
	"github.com/causaldocs/causal/testgen/spec"
	"github.com/causaldocs/causal/testgen/typescript"
)

// TestRun selects what test generation does.
type TestRun struct {
	Dir     string          // where the targets were typed
	Targets []string        // modules and symbols; empty for all modules
	Accept  []string        // behaviour changes to accept, as SPEC#CASE
	Check   bool            // write nothing
	Stored  bool            // add no specs
	Runner  *testrun.Runner // verifies pending cases; nil to run nothing
}

// TargetError reports an unknown target or case.
type TargetError struct {
	Target string
	Case   bool // Target is the behaviour change of a case
	Near   []string
}

func (e *TargetError) Error() string {
	text := "no module or function is named " + e.Target
	if e.Case {
		text = "no behaviour change " + e.Target + " to accept: name it as SPEC#CASE"
	}
	if len(e.Near) > 0 {
		text += "; the nearest names are " + strings.Join(e.Near, ", ")
	}
	return text
}

const testPrompt = "bring the tests up to date"

// testsDir is the directory of test generation's index, and of its sessions. Its runs are independent of pages.
const testsDir = "tests"

var testLanguages = []*testgen.Language{golang.Language, python.Language, typescript.Language}

func testLanguageOf(file string) *testgen.Language { return testgen.LanguageOf(testLanguages, file) }

// Testgen updates specs and their tests.
func (w *Workspace) Testgen(ctx context.Context, want TestRun) (_ *testgen.Outcome, err error) {
	if err := w.closeIndex(); err != nil {
		return nil, err
	}
	t := &testUpdate{workspace: w, want: want, files: w.Files, local: filepath.Join(w.local, testsDir), layout: w.Layout}
	t.layout.Apart = testsDir
	if want.Check {
		drop := w.Files.Hold()
		defer drop()
	}
	t.files = newShelf(t.files)
	defer func() { err = errors.Join(err, t.close()) }()
	o, err := t.run(ctx)
	if err == nil {
		t.share()
	}
	return o, err
}

type testUpdate struct {
	workspace *Workspace
	want      TestRun
	files     testFiles
	layout    store.Layout
	local     string
	temp      string

	targets targets
	outcome testgen.Outcome
	blocked map[string]string // occupied files, with the problem
}

type testFiles interface {
	engine.Files
	Touched() (written, removed []string, err error)
}

func (t *testUpdate) close() error {
	if t.temp == "" {
		return nil
	}
	return os.RemoveAll(t.temp)
}

func (t *testUpdate) run(ctx context.Context) (*testgen.Outcome, error) {
	specs, err := testgen.Subjects(t.files)
	if err != nil {
		return nil, err
	}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if err := t.accept(specs); err != nil {
		return nil, err
	}
	jobs, err := t.round(ctx, true)
	if err != nil {
		return nil, err
	}
	if t.want.Runner != nil && !t.want.Check {
		if err := t.verify(ctx, jobs); err != nil {
			return nil, err
		}
	}
	return t.tell(ctx)
}

// prepare starts the first run from the index of other runs. A run that only checks gets a temporary index.
func (t *testUpdate) prepare() error {
	from := t.local
	if !index.Exists(from) {
		from = t.workspace.local
	}
	if t.want.Check {
		var err error
		if t.temp, err = os.MkdirTemp("", "causal-tests-"); err != nil {
			return fmt.Errorf("make a temporary index: %w", err)
		}
		t.local = t.temp
	}
	if from == t.local {
		return nil
	}
	return index.Copy(from, t.local)
}

// share copies a new index to other runs. A failed copy is ignored: they read the files again.
func (t *testUpdate) share() {
	if !index.Exists(t.workspace.local) {
		_ = index.Copy(t.local, t.workspace.local)
	}
}

func (t *testUpdate) accept(specs map[string]*spec.Spec) error {
	changed := map[string]bool{}
	for _, name := range t.want.Accept {
		file, id, _ := strings.Cut(name, "#")
		dir, symbol, ok := t.layout.SpecOf(file)
		s := specs[testgen.Subject(dir, symbol)]
		if !ok || s == nil || testgen.Accept(s, id) != nil {
			var near []string
			for subject, s := range specs {
				dir, symbol := testgen.Split(subject)
				for _, c := range testgen.Changes(t.layout.Spec(dir, symbol), s) {
					near = append(near, c.Spec+"#"+c.Case)
				}
			}
			return &TargetError{name, true, nearestOf(name, near, len(name))}
		}
		changed[testgen.Subject(dir, symbol)] = true
	}
	for _, subject := range slices.Sorted(maps.Keys(changed)) {
		dir, symbol := testgen.Split(subject)
		if _, err := t.files.Write(t.layout.Spec(dir, symbol), specs[subject].Encode()); err != nil {
			return err
		}
	}
	return nil
}

// round updates specs and tests without running anything, and lists the verification jobs. The first round resolves the
// targets.
func (t *testUpdate) round(ctx context.Context, first bool) (jobs []*testrun.Job, err error) {
	w := t.workspace
	x, err := index.Open(t.local, w.testsKey())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	batch := x.NewBatch()
	s := w.survey(w.tree, x, batch, nil)
	defer func() { err = errors.Join(err, s.Wait()) }()
	if err := s.Observe(ctx); err != nil {
		return nil, err
	}
	wanted := &wantedTests{targets: &t.targets, all: t.want.Targets, stored: t.want.Stored}
	plans := testgen.NewPlans(s, testLanguages, remembered{x, batch}, t.files, wanted)
	if first {
		if t.targets, err = t.resolve(ctx, s, plans); err != nil {
			return nil, err
		}
		if t.want.Runner != nil && !t.want.Check {
			if err := t.want.Runner.Builds(ctx, t.targets.places()); err != nil {
				return nil, err
			}
		}
	}
	e := engine.New(engine.Config{
		World: observed{edited{s, t.files, nil}, t.want.Check}, Rooms: []engine.Room{plans},
		Plugins: []engine.Plugin{testgen.New(t.files, testLanguages)},
		Words:   survey.Words, Index: x, Batch: batch, Files: t.files, Layout: t.layout, Prompt: testPrompt,
	})
	report, err := e.Update(ctx)
	w.traceEngine("testgen", "", e)
	if err != nil {
		return nil, err
	}
	t.blocked = map[string]string{}
	for _, b := range report.Blocked {
		t.blocked[b.Unit.Subject] = b.Because
	}
	_, state := s.Trigger()
	t.outcome.Session = session.ID(testPrompt, map[string]session.FileRecord{".": {Path: ".", Hash: state, Role: session.Read}})
	return t.look(ctx, s, plans)
}

func (t *testUpdate) look(ctx context.Context, s *survey.Survey, plans *testgen.Plans) (jobs []*testrun.Job, err error) {
	specs, err := testgen.Subjects(t.files)
	if err != nil {
		return nil, err
	}
	for _, subject := range slices.Sorted(maps.Keys(specs)) {
		one := specs[subject]
		dir, symbol := testgen.Split(subject)
		if !t.targets.has(dir, symbol) {
			continue
		}
		if one.Status == spec.Invalidated && one.Fell != nil {
			t.outcome.Fell(subject, one.Fell)
		}
		if !testgen.Unverified(one) || t.want.Runner == nil {
			continue
		}
		target, now, err := plans.Target(ctx, subject)
		if err != nil {
			return nil, err
		}
		if target != nil && target.Reason == "" {
			jobs = append(jobs, &testrun.Job{Subject: subject, File: t.layout.Spec(dir, symbol), Spec: one, Target: target, Now: now})
		}
	}
	if t.outcome.NotGeneratable = nil; t.want.Stored {
		return jobs, nil
	}
	for _, dir := range s.Modules() {
		list, err := plans.Testables(ctx, dir)
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			if one.Reason != "" && t.targets.has(dir, one.Name) {
				t.outcome.NotGeneratable = append(t.outcome.NotGeneratable, testgen.NotGeneratable{Module: testgen.ModuleName(dir), Symbol: one.Name, Reason: one.Reason})
			}
		}
	}
	return jobs, nil
}

func (t *testUpdate) verify(ctx context.Context, jobs []*testrun.Job) error {
	recorded, sum, err := t.want.Runner.Run(ctx, jobs)
	if err != nil {
		return err
	}
	kept := 0
	for _, j := range jobs {
		r := recorded[j.Subject]
		if r == nil {
			continue
		}
		testgen.Apply(j.Spec, r)
		if _, err := t.files.Write(j.File, j.Spec.Encode()); err != nil {
			return err
		}
		kept += j.Spec.Kept()
	}
	t.outcome.Verified = &testgen.Verified{Candidates: sum.Candidates, Kept: kept, Coverage: testgen.Coverage{Before: share(sum.Before, sum.Statements), After: share(sum.After, sum.Statements)}}
	if len(jobs) == 0 {
		return nil
	}
	t.workspace.begin(ctx) // running tests takes long enough for edits
	_, err = t.round(ctx, false)
	return err
}

// share returns a percentage with one decimal.
func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part*1000/of) / 10
}

func (t *testUpdate) tell(context.Context) (*testgen.Outcome, error) {
	o := &t.outcome
	written, removed, err := t.files.Touched()
	if err != nil {
		return nil, err
	}
	sessions := func(file string) bool { return t.layout.IsFrames(file) }
	o.FilesWritten, o.FilesRemoved = slices.DeleteFunc(written, sessions), slices.DeleteFunc(removed, sessions)
	touched := map[string]bool{}
	for _, file := range slices.Concat(o.FilesWritten, o.FilesRemoved) {
		touched[file] = true
	}
	specs, err := testgen.Subjects(t.files)
	if err != nil {
		return nil, err
	}
	for subject, s := range specs {
		dir, symbol := testgen.Split(subject)
		if !t.targets.has(dir, symbol) {
			continue
		}
		files, changed := []string{}, touched[t.layout.Spec(dir, symbol)]
		for _, file := range t.codeOf(subject, s) {
			if why := t.blocked[file]; why != "" {
				o.Quarantined = append(o.Quarantined, testgen.KeptOut{Spec: t.layout.Spec(dir, symbol), Reason: why})
				continue
			}
			files, changed = append(files, file), changed || touched[file]
		}
		o.Tell(subject, s, files)
		if !changed {
			o.Unchanged++
		}
	}
	o.Finish()
	return o, nil
}

func (t *testUpdate) codeOf(subject string, s *spec.Spec) []string {
	dir, symbol := testgen.Split(subject)
	file := t.targets.code[testgen.Subject(dir, symbol)]
	if file == "" {
		return nil
	}
	if _, blocked := t.blocked[file]; blocked {
		return []string{file}
	}
	if data, err := t.files.Read(file); err != nil || s.Status != spec.Active && s.Status != spec.Invalidated || !testLanguageOf(file).Ours(data) {
		return nil
	}
	return []string{file}
}

type targets struct {
	modules map[string]bool
	symbols map[string]bool   // subjects
	code    map[string]string // test files, by subject
	any     bool
}

func (t targets) has(dir, symbol string) bool {
	return t.any || t.modules[dir] || t.symbols[testgen.Subject(dir, symbol)]
}

// places returns the directories of the targets with testable code, with its language.
func (t targets) places() []testrun.Place {
	places := map[testrun.Place]bool{}
	for subject, file := range t.code {
		dir, symbol := testgen.Split(subject)
		if l := testLanguageOf(file); l != nil && t.has(dir, symbol) {
			places[testrun.Place{Language: l.Name, Dir: dir}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(places), func(a, b testrun.Place) int {
		return cmp.Or(strings.Compare(a.Language, b.Language), strings.Compare(a.Dir, b.Dir))
	})
}

func (t *testUpdate) resolve(ctx context.Context, s *survey.Survey, plans *testgen.Plans) (targets, error) {
	out := targets{modules: map[string]bool{}, symbols: map[string]bool{}, code: map[string]string{}, any: len(t.want.Targets) == 0}
	stored, err := testgen.Subjects(t.files)
	if err != nil {
		return out, err
	}
	modules := s.Modules()
	if t.want.Stored {
		modules = slices.DeleteFunc(slices.Clone(modules), func(dir string) bool {
			for subject := range stored {
				if of, _ := testgen.Split(subject); of == dir {
					return false
				}
			}
			return true
		})
	}
	names := map[string]string{} // subjects, and modules with a trailing slash, by typed name
	for _, dir := range modules {
		list, err := plans.Testables(ctx, dir)
		if err != nil {
			return out, err
		}
		names[testgen.ModuleName(dir)], names[dir] = dir+"/", dir+"/"
		for _, one := range list {
			subject := testgen.Subject(dir, one.Name)
			names[testgen.ModuleName(dir)+"."+one.Name] = subject
			if dir == "." {
				names[one.Name] = subject
			}
			if one.Reason == "" {
				out.code[subject] = one.CodeFile
			}
		}
	}
	if t.want.Stored {
		maps.DeleteFunc(out.code, func(subject, _ string) bool { return stored[subject] == nil })
	}
	for subject := range stored { // including removed functions
		dir, symbol := testgen.Split(subject)
		names[testgen.ModuleName(dir)+"."+symbol] = subject
	}
	for _, typed := range t.want.Targets {
		subject, near := t.named(names, s, typed)
		if subject == "" {
			return out, &TargetError{typed, false, near}
		}
		if dir, whole := strings.CutSuffix(subject, "/"); whole {
			out.modules[dir] = true
		} else {
			out.symbols[subject] = true
		}
	}
	return out, nil
}

// named returns the subject of a target: a name, a path from the directory or the root, where a file means its module, or
// the end of exactly one name. Otherwise it returns the nearest names.
func (t *testUpdate) named(names map[string]string, s *survey.Survey, typed string) (subject string, near []string) {
	target := ParseTarget(t.workspace.Root(), Seen(t.want.Dir), strings.TrimSuffix(filepath.ToSlash(typed), "/"))
	for _, name := range append([]string{target.Text}, target.Paths...) {
		if file, _ := s.Has(name); file {
			name = path.Dir(name)
		}
		if subject, ok := names[name]; ok {
			return subject, nil
		}
	}
	all := slices.Sorted(maps.Keys(names))
	near = slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.HasSuffix(strings.ReplaceAll(name, "/", "."), "."+target.Name) })
	switch len(near) {
	case 0:
		near = nearestOf(target.Text, all, max(2, len(target.Text)/3))
	case 1:
		return names[near[0]], nil
	}
	return "", near[:min(len(near), mostNearest)]
}

func nearestOf(typed string, names []string, most int) []string {
	slices.Sort(names)
	distance := map[string]int{}
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		distance[name] = levenshtein.ComputeDistance(strings.ToLower(typed), strings.ToLower(name))
		return distance[name] > most
	})
	slices.SortStableFunc(names, func(a, b string) int { return distance[a] - distance[b] })
	return names[:min(len(names), mostNearest)]
}
