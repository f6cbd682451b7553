package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/govet"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/sarif"
)

// Change is the input of a review: the change from Base to the shown state, without the files that Without excludes.
type Change struct {
	Base    gitstore.Commit
	Head    string // the shown commit; empty for the work tree
	Given   *review.Given
	Outside []sarif.Result    // as in Logs
	Nowhere []review.Dropped  // linter results that match no file of the repository
	Unread  []finding.Skipped // files for Given that could not be read
	Without func(path string) bool
	Ran     map[string]bool // as life.Run has it
	Failed  []review.Failure
	Tests   *report.Tests // the affected specs; nil without specs
	State   *life.State   // of earlier reviews; the review updates it
	Begins  bool          // as life.Run has it
	// Model may be asked about the change. It may be nil.
	Model *model.Run
	// Vet looks up environment variables for go vet; nil disables it. go vet compiles the imports of the change, so it
	// is for local work trees and never for a server.
	Vet func(string) string
}

// detach lets the review add results without a change of the caller's maps.
func (c *Change) detach() {
	given, ran := *c.Given, map[string]bool{}
	given.Faults = map[string][]sarif.Result{}
	maps.Copy(given.Faults, c.Given.Faults)
	maps.Copy(ran, c.Ran)
	c.Given, c.Ran = &given, ran
}

// Reviewed is the result of a review, with the outcome of earlier findings.
type Reviewed struct {
	*review.Found
	life.Outcome
	// Shown has the ids of findings on lines of the diff that are certain enough for inline comments.
	Shown map[string]bool
	// Unsure has the ids of findings that belong in a list and not in inline comments.
	Unsure map[string]bool
	// Earlier lists findings of the last reviews in the same files.
	Earlier []review.Earlier
	// Overview is a model's summary of the change, nil without a model.
	Overview []grounding.Sentence
	// Absent names checks that did not run, with the reason.
	Absent []string
}

// ReportOf returns the report of a review and of the principles that it promoted.
func (w *Workspace) ReportOf(c Change, found *Reviewed, promoted []string) *report.Review {
	r := report.OfReview(c.Base.ID, c.Head, found.Found, found.Outcome, found.Earlier, promoted)
	r.Overview = found.Overview
	r.Keep(w.Config.Review.Tells, muted)
	return r
}

// Review reviews a change. It writes only indexes, and an earlier Knowledge of the workspace becomes invalid.
func (w *Workspace) Review(ctx context.Context, c Change) (found *Reviewed, err error) {
	c.detach()
	if err := w.addSkills(ctx, &c); err != nil {
		return nil, err
	}
	w.knowledge = nil // it uses the index
	if err := w.closeIndex(); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "causal-review-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the review: %w", err)
	}
	r := &reviewing{workspace: w, Change: c, temp: temp}
	r.atClose(func() error { return os.RemoveAll(temp) })
	defer func() { err = errors.Join(err, r.close()) }()
	return r.run(ctx)
}

type reviewing struct {
	Change
	workspace *Workspace
	temp      string
	closing   []func() error
	unplaced  int // results that match no file of the repository
	asked     []askedStep
}

func (r *reviewing) atClose(fn func() error) { r.closing = append(r.closing, fn) }

func (r *reviewing) close() (err error) {
	for i := len(r.closing) - 1; i >= 0; i-- {
		err = errors.Join(err, r.closing[i]())
	}
	return err
}

func (r *reviewing) run(ctx context.Context) (*Reviewed, error) {
	w := r.workspace
	baseTree, headTree := w.versions(r.Base)
	if err := r.prepare(ctx, baseTree); err != nil {
		return nil, err
	}
	base, err := r.survey(ctx, baseTree, baseDir)
	if err != nil {
		return nil, fmt.Errorf("look at the base: %w", err)
	}
	head, err := r.survey(ctx, headTree, headDir)
	if err != nil {
		return nil, fmt.Errorf("look at the change: %w", err)
	}
	state, err := headTree.State(ctx, func() survey.State { return survey.State{} })
	if err != nil {
		return nil, err
	}
	changes, known, err := headTree.Changes(ctx, survey.State{Commit: r.Base.ID}, state)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, fmt.Errorf("compare with %s: %w", r.Base.ID, gitstore.ErrUnknownObject)
	}
	room, err := change.NewRoom(ctx, change.Config{
		Base: base, Now: head, BaseTree: baseTree, Head: headTree, Changes: changes, MaxBytes: w.Config.MaxFileBytes,
		Ignored: func(name string) bool { return w.Layout.Owns(name) || r.Without(name) },
	})
	if err != nil {
		return nil, fmt.Errorf("read the change: %w", err)
	}
	unplaced, err := r.place(ctx, baseTree, headTree)
	if err != nil {
		return nil, err
	}
	skipped, absent, err := r.vet(ctx, head, room)
	if err != nil {
		return nil, err
	}
	overview, err := r.ask(ctx, head, room)
	if err != nil {
		return nil, err
	}
	r.Given.Claims = claimsOf(r.Tests)
	found, err := r.conclude(ctx, newChanged(head, r.Base.ID, changes), room)
	if err != nil {
		return nil, err
	}
	if err := r.unreleased(ctx, base, head, found); err != nil {
		return nil, err
	}
	r.mute(found)
	reviewed := &Reviewed{Found: found, Overview: overview}
	if absent != "" {
		reviewed.Absent = append(reviewed.Absent, govet.Tool+" did not run: "+absent)
	}
	reviewed.Absent = append(reviewed.Absent, unplaced...)
	if reviewed.Outcome, err = (&meeting{reviewing: r, facts: facts{ctx, head}, room: room}).reconcile(found); err != nil {
		return nil, err
	}
	found.Coverage.Unplaced, found.Coverage.Failed = r.unplaced, r.Failed
	if len(found.Coverage.Examined) > 0 {
		found.Coverage.Checks = r.checks()
	}
	found.Skip(r.Unread...)
	found.Skip(skipped...) // skipped by linters; causal's own checks may have read them
	reviewed.Earlier = r.Given.Memory.Earlier(room.Present(), mostEarlier)
	reviewed.Unsure = unsure(reviewed.Outcome.Findings)
	reviewed.Shown = shown(room, reviewed.Outcome.Findings)
	return reviewed, nil
}

func (r *reviewing) checks() (names []string) {
	for _, rule := range review.Checks {
		if !r.workspace.Config.Review.Ignores(rule) {
			names = append(names, rule)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(r.Ran)) {
		if r.Ran[tool] {
			names = append(names, tool)
		}
	}
	return names
}

const mostEarlier = 20

func (w *Workspace) versions(base gitstore.Commit) (baseTree, headTree *worktree.Still) {
	files := worktree.NewKept()
	baseTree = worktree.NewStill(worktree.AtCommit(w.Repo, base), files)
	if w.view == onDisk { // files on disk may differ from git's checkout
		files = worktree.NewKept()
	}
	return baseTree, worktree.NewStill(w.tree, files)
}

func unsure(told []life.Told) map[string]bool {
	out := map[string]bool{}
	for _, t := range told {
		if t.Unsure {
			out[t.ID] = true
		}
	}
	return out
}

func shown(room *change.Room, told []life.Told) map[string]bool {
	shown := map[string]bool{}
	for _, t := range told {
		f := room.File(t.Path)
		if f == nil || t.Unsure {
			continue
		}
		shown[t.ID] = slices.ContainsFunc(f.Lines.Hunks(), func(h change.Hunk) bool {
			s := t.Suggestion
			return h.Shows(t.Line, t.EndLine, t.Side == finding.Left) && (s == nil || s.Path == t.Path && h.Shows(s.Line, s.EndLine, false))
		})
	}
	return shown
}

// The indexes of a review, one per version, so the next review reads only the differences.
const (
	reviewDir = "review"
	baseDir   = "base"
	headDir   = "head"
	// the release that both are compared with
	releaseDir = "release"
)

func (r *reviewing) local(name string) string {
	return filepath.Join(r.workspace.local, reviewDir, name)
}

// prepare starts the first review from the index of other runs, and reads the base once for both versions.
func (r *reviewing) prepare(ctx context.Context, base survey.Tree) error {
	if _, err := os.Stat(r.local(headDir)); err == nil {
		return nil
	}
	if err := index.Copy(r.workspace.local, r.local(baseDir)); isReadOnly(err) {
		return nil // each version gets a temporary index
	} else if err != nil {
		return fmt.Errorf("prepare the review: %w", err)
	}
	first := &reviewing{workspace: r.workspace, temp: r.temp}
	_, err := first.survey(ctx, base, baseDir)
	if err = errors.Join(err, first.close()); err != nil {
		return fmt.Errorf("look at the base: %w", err)
	}
	return index.Copy(r.local(baseDir), r.local(headDir))
}

// survey surveys one version. Its index is saved when the review ends.
func (r *reviewing) survey(ctx context.Context, tree survey.Tree, name string) (*survey.Survey, error) {
	// the first is locked by another review, or read-only
	s, done, err := r.workspace.surveyed(ctx, tree, r.local(name), filepath.Join(r.temp, name))
	if err == nil {
		r.atClose(done)
	}
	return s, err
}

func (r *reviewing) conclude(ctx context.Context, world engine.World, room *change.Room) (*review.Found, error) {
	files, err := store.OpenDir(r.temp)
	if err != nil {
		return nil, err
	}
	r.atClose(files.Close)
	x, err := index.Open(filepath.Join(r.temp, "units"), r.workspace.key())
	if err != nil {
		return nil, err
	}
	r.atClose(x.Close)
	plugin := review.New(files)
	e := engine.New(engine.Config{
		World: world, Rooms: []engine.Room{room, r.Given}, Plugins: []engine.Plugin{plugin}, Words: survey.Words,
		Index: x, Batch: x.NewBatch(), Files: files, Layout: r.workspace.Layout, Prompt: "review a change",
	})
	report, err := e.Update(ctx)
	r.traced(e)
	if err != nil {
		return nil, err
	}
	return plugin.Collect(report.Session, report.Ran, r.Nowhere)
}

func (r *reviewing) traced(e *engine.Engine) {
	s := e.State()
	for _, step := range r.asked {
		s.Note(step.TraceStep, nil, step.Usage)
	}
	r.workspace.Trace("review", r.Base.ID, s)
}

// changed is the world of a review. Its trigger is the change, regardless of earlier runs.
type changed struct {
	*survey.Survey
	base    string
	changes []fact.Change
	state   string
}

func newChanged(head *survey.Survey, base string, list []survey.Change) *changed {
	c := &changed{Survey: head, base: base}
	parts := []string{base}
	for _, one := range list {
		c.changes = append(c.changes, fact.Change{Fact: survey.BlobFact(one.Path), Before: one.Was, After: one.ID})
		parts = append(parts, one.Path, one.Was, one.ID)
	}
	c.state = fact.Digest(parts...)
	return c
}

func (*changed) Unchanged(context.Context) (bool, error) { return false, nil }

// Observe implements engine.World. The survey is complete already.
func (*changed) Observe(context.Context) error { return nil }

func (*changed) Own() []string { return nil }

func (c *changed) Trigger() ([]fact.Change, string) { return c.changes, c.state }

func (c *changed) Base() string { return c.base }

// Wrote implements engine.World. The run writes to a temporary directory.
func (*changed) Wrote(context.Context, map[string][]byte) error { return nil }

// Save implements engine.World. The survey saves its own index.
func (*changed) Save(bool) error { return nil }

// CloseChange records a closed change and derives the principles. It returns the new ones.
func (w *Workspace) CloseChange(r *record.Record, m *review.Memory) (promoted []string, err error) {
	return m.Close(w.Files, r, w.Config.Review.Policy())
}
