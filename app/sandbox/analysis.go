package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/render"
)

type analysis struct {
	task      Task
	parent    *asker
	workspace *workspace.Workspace
	knowledge *workspace.Knowledge
	report    *report.Update
	changes   []gitstore.Change // of the pull request
	promoted  []string
	ended     []string
	heard     []report.Heard
	pending   bool            // there are proposed events that are not merged yet
	base      gitstore.Commit // the merge base of the pull request; zero if there is none
}

// ignored returns the result for an ignored pull request, nil for others. The parent checks the same rules.
func (a *analysis) ignored() *Result {
	w := a.workspace
	files := make([]string, 0, len(a.changes))
	for _, c := range a.changes {
		files = append(files, c.Path)
	}
	r := &Result{Bot: w.Config.Bot, Docs: w.Layout.Docs, Covered: w.Config.Bot.Ignore.Covers(files)}
	if by, _ := r.Ignored(a.task); by == "" {
		return nil
	}
	return r
}

func (a *analysis) candidates(ctx context.Context) (*Result, error) {
	w := a.workspace
	r := &Result{Bot: w.Config.Bot, Docs: w.Layout.Docs}
	if !w.Asks() {
		return r, nil
	}
	var err error
	r.Candidates, err = w.Candidates(ctx, a.task.Carry, a.task.Asking.Head, a.task.Asking.Open)
	return r, err
}

func (a *analysis) result(ctx context.Context) (*Result, error) {
	w := a.workspace
	write, remove, err := w.Files.Touched()
	if err != nil {
		return nil, err
	}
	id := w.Commit.ID
	r := &Result{
		Report: a.report, Bot: w.Config.Bot, Docs: w.Layout.Docs, Cause: id[:min(len(id), 10)] + " " + w.Commit.Subject,
		Write: write, Remove: remove, Frames: a.frames(ctx, a.report.Session), Unfit: w.Unfit(), Promoted: a.promoted, Ended: a.ended, Heard: a.heard,
	}
	if a.task.Group != "" {
		return r, a.pages(r)
	}
	if a.task.Pull == nil || a.task.Pull.Lands {
		if r.AsksAnew, err = w.AsksAnew(write); err != nil {
			return nil, err
		}
	}
	if a.task.Pull == nil {
		return r, nil
	}
	r.Files, r.Aside = len(a.changes), a.aside(a.report.Resumable)
	if a.task.Pull.SetAside {
		return r, a.setAside(ctx, a.changes, r)
	}
	if err := a.pages(r); err != nil || a.task.Pull.Review == nil {
		return r, err
	}
	r.Review, err = a.review(ctx)
	return r, err
}

func (a *analysis) pages(r *Result) error {
	differing, err := a.workspace.Files.Differing()
	r.Pages = summary.Pages(a.workspace.Layout, differing)
	return err
}

// mostFrames limits the bytes of a call tree that is stored with its run. The repository has all of them.
const mostFrames = 256 << 10

func (a *analysis) frames(ctx context.Context, id string) string {
	if id == "" {
		return ""
	}
	r, err := a.knowledge.Session(ctx, id)
	if err != nil {
		return ""
	}
	r.Concluded = nil
	data, err := session.Encode(r)
	if err != nil || len(data) > mostFrames {
		return ""
	}
	return string(data)
}

func (a *analysis) pullChanges(ctx context.Context) ([]gitstore.Change, error) {
	mirror, head := a.workspace.Mirror, a.task.Commit
	base, err := mirror.MergeBase(ctx, cmp.Or(a.task.Pull.From, a.task.Rules), head)
	if err != nil || base == "" {
		return nil, err
	}
	if err := mirror.Fetch(ctx, base); err != nil {
		return nil, err
	}
	if a.base, err = a.workspace.Repo.Resolve(ctx, base); err != nil {
		return nil, err
	}
	changes, err := a.workspace.Repo.DiffTrees(ctx, base, head)
	return slices.DeleteFunc(changes, func(c gitstore.Change) bool { return a.workspace.Layout.Owns(c.Path) }), err
}

func (a *analysis) aside(frames []string) map[string]string {
	w := a.workspace
	out := map[string]string{}
	for _, f := range frames {
		id, frameID, _ := strings.Cut(f, "/")
		data, err := w.Files.Read(w.Layout.Frames(id))
		if err != nil {
			continue
		}
		r, err := session.Decode(data)
		if err != nil {
			continue
		}
		if found, ok := r.Tree.Frame(frameID); ok {
			out[f] = found.Query
		}
	}
	return out
}

// setAside creates the session of a suspended analysis, if it invalidated anything.
func (a *analysis) setAside(ctx context.Context, changes []gitstore.Change, r *Result) error {
	if len(a.report.Invalidated) == 0 {
		return nil
	}
	record, err := a.asideRecord(ctx, changes)
	if err != nil {
		return err
	}
	r.Session = record.SessionID
	if r.Record, err = session.Encode(record); err != nil {
		return fmt.Errorf("set the analysis aside: %w", err)
	}
	return nil
}

// asideRecord returns the analysis as a suspended session, with a frame for each invalidated node and its new evidence.
func (a *analysis) asideRecord(ctx context.Context, changes []gitstore.Change) (session.Record, error) {
	artifacts := session.Artifacts{InitialPrompt: workspace.PullPrompt}
	terms := make([]condition.Condition, 0, len(changes))
	for _, change := range changes {
		artifacts.Note(change.Path, change.Old, change.New)
		glob, err := condition.PathGlob(change.Path)
		if err != nil {
			return session.Record{}, fmt.Errorf("condition of %s: %w", change.Path, err)
		}
		terms = append(terms, render.Vocabulary.Call("modified", glob.String()))
	}
	artifacts.SessionID = session.ID(workspace.PullPrompt, artifacts.Files)
	tree := frame.NewTree(artifacts.SessionID)
	pull := a.task.Pull
	root, err := tree.Start(fmt.Sprintf("pull request #%d: %s", pull.Number, pull.Title), map[string]any{"head": a.task.Commit})
	if err != nil {
		return session.Record{}, err
	}
	artifacts.RootFrameID = root
	seen, err := a.observed(ctx, changes)
	if err != nil {
		return session.Record{}, err
	}
	wrong := condition.Any(terms...).String()
	reasons := a.reasons()
	var cited []fact.Observation
	for _, node := range slices.Sorted(maps.Keys(reasons)) {
		id, err := tree.Spawn(root, "module/"+node, nil)
		if err == nil {
			err = errors.Join(tree.Conclude(id, "it goes stale: "+reasons[node], seen[node], 1, wrong), tree.Complete(id))
		}
		if err != nil {
			return session.Record{}, err
		}
		cited = append(cited, fact.Frame(id))
	}
	err = tree.Conclude(root, fmt.Sprintf("it makes %d modules stale", len(reasons)), cited, 1, wrong)
	if err == nil {
		err = tree.Suspend(root)
	}
	return session.Record{Artifacts: artifacts, Tree: tree}, err
}

// observed returns the evidence of each invalidated node in the pull request, or the absence of a removed module's
// files. A frame without evidence would be offered again after any change.
func (a *analysis) observed(ctx context.Context, changes []gitstore.Change) (map[string][]fact.Observation, error) {
	out := map[string][]fact.Observation{}
	for module := range a.reasons() {
		x, ok, err := a.knowledge.Explain(ctx, module)
		if err != nil {
			return nil, err
		}
		if ok && x.Conclusion != nil {
			out[module] = x.Conclusion.Evidence
		}
	}
	for _, c := range changes {
		if module := path.Dir(c.Path); c.New == "" && slices.Contains(a.report.Removed, module) {
			out[module] = append(out[module], fact.Absent(c.Path))
		}
	}
	return out, nil
}

func (a *analysis) reasons() map[string]string {
	out := map[string]string{}
	for _, i := range a.report.Invalidated {
		why := i.Because
		if i.Detail != "" {
			why = i.Detail
		}
		if out[i.Node] != "" {
			why = out[i.Node] + "; " + why
		}
		out[i.Node] = why
	}
	return out
}
