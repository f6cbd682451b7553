package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
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

// TestRun is what is wanted of the tests.
type TestRun struct {
	Targets []string        // modules and symbols; all modules when there are none
	Accept  []string        // behaviour changes that are taken: a spec, # and the id of a case
	Check   bool            // writes nothing
	Stored  bool            // no function gets a spec that has none
	Runner  *testrun.Runner // verifies what waits for that; nil to run nothing
}

// TargetError says that a target, or a case, is not there.
type TargetError struct {
	Target string
	Case   bool // it was to be the behaviour change of a case
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

// testPrompt is why the sessions of test generation start.
const testPrompt = "bring the tests up to date"

// testsDir is where the index of test generation lies, and the directory of its sessions below that of all: its run knows nothing of
// pages, nor theirs of specs.
const testsDir = "tests"

var testLanguages = []testgen.Language{golang.Language{}, python.Language{}, typescript.Language{}}

// testLanguageOf is the language whose generated tests are called as a file is; nil when there is none.
func testLanguageOf(file string) testgen.Language {
	for _, l := range testLanguages {
		if l.Owns(file) {
			return l
		}
	}
	return nil
}

// Testgen brings specs and their tests up to what is shown.
func (w *Workspace) Testgen(ctx context.Context, want TestRun) (_ *testgen.Outcome, err error) {
	if err := w.closeIndex(); err != nil {
		return nil, err
	}
	t := &testUpdate{workspace: w, want: want, files: w.Files, local: filepath.Join(w.local, testsDir), layout: w.Layout}
	wants := want.wants()
	if wants != "" {
		var told *testgen.Outcome
		if err := w.atRest(ctx, func(m testMemory) error { told = m.recall(askedRun, wants); return nil }); err != nil || told != nil {
			return told, err
		}
	}
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
	if err != nil || wants == "" || want.Check {
		return o, err
	}
	return o, w.atRest(ctx, func(m testMemory) error { return m.remember(askedRun, wants, o) }) // not at rest, where it has written something
}

// testUpdate is one run of test generation.
type testUpdate struct {
	workspace *Workspace
	want      TestRun
	files     testFiles
	layout    store.Layout
	local     string
	temp      string

	targets targets
	outcome testgen.Outcome
	blocked map[string]string // files that something else is in the place of, with what is said of it
}

// testFiles are those that a run writes to.
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

// prepare has the first run begin with what other runs have read. A run that only looks gets an index that is thrown away.
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

// share has what the run has read serve other runs, where it was the first to read anything. Where that cannot be written they read it
// themselves: a run that only looks needs nowhere to write.
func (t *testUpdate) share() {
	if !index.Exists(t.workspace.local) {
		_ = index.Copy(t.local, t.workspace.local)
	}
}

// accept takes behaviour changes as what is wanted.
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

// round brings specs and tests up to date with nothing run, and lists what a verification would run. The first one finds the targets.
func (t *testUpdate) round(ctx context.Context, first bool) (jobs []*testrun.Job, err error) {
	w := t.workspace
	x, err := index.Open(t.local, w.testsKey())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	batch := x.NewBatch()
	s := w.testsSurvey(x, batch)
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

// look finds what fell, what no tests can be made of, and what a verification would run.
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
		if target != nil && target.Reason() == "" {
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

// verify runs what waits for that, and takes what came of it into the specs.
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
	_, err = t.round(ctx, false)
	return err
}

// share is per cent, with one digit behind the point.
func share(part, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(part*1000/of) / 10
}

// tell puts the outcome together.
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

// codeOf lists the files with the tests of a spec.
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

// targets are what a run is about.
type targets struct {
	modules map[string]bool
	symbols map[string]bool   // subjects
	code    map[string]string // files with tests, by subject
	any     bool
}

// has reports whether a function is one of the targets.
func (t targets) has(dir, symbol string) bool {
	return t.any || t.modules[dir] || t.symbols[testgen.Subject(dir, symbol)]
}

// places are the directories of the targets that have something to test, with its language.
func (t targets) places() []testrun.Place {
	places := map[testrun.Place]bool{}
	for subject, file := range t.code {
		dir, symbol := testgen.Split(subject)
		if l := testLanguageOf(file); l != nil && t.has(dir, symbol) {
			places[testrun.Place{Language: l.Name(), Dir: dir}] = true
		}
	}
	return slices.SortedFunc(maps.Keys(places), func(a, b testrun.Place) int {
		return cmp.Or(strings.Compare(a.Language, b.Language), strings.Compare(a.Dir, b.Dir))
	})
}

// resolve finds what the targets mean.
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
	names := map[string]string{} // subjects, and modules with a slash behind, by what is typed
	for _, dir := range modules {
		list, err := plans.Testables(ctx, dir)
		if err != nil {
			return out, err
		}
		names[testgen.ModuleName(dir)] = dir + "/"
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
	for subject := range stored { // also of what is no more
		dir, symbol := testgen.Split(subject)
		names[testgen.ModuleName(dir)+"."+symbol] = subject
	}
	for _, typed := range t.want.Targets {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(typed), "./"), "/")
		if name == "." || name == "" {
			name = testgen.ModuleName(".")
		}
		subject, ok := names[name]
		if !ok {
			return out, &TargetError{typed, false, nearestOf(name, slices.Collect(maps.Keys(names)), max(2, len(name)/3))}
		}
		if dir, whole := strings.CutSuffix(subject, "/"); whole {
			out.modules[dir] = true
		} else {
			out.symbols[subject] = true
		}
	}
	return out, nil
}

// nearestOf lists what is called most like a name.
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
