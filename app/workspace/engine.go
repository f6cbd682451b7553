package workspace

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/review/rules"
)

// Engine returns the engine over the workspace, with all languages and plugins.
func (w *Workspace) Engine() (*Knowledge, error) { return w.prepare(false) }

// Look is Engine for a run that writes nothing to the repository.
func (w *Workspace) Look() (*Knowledge, error) { return w.prepare(true) }

func (w *Workspace) prepare(looks bool) (*Knowledge, error) {
	if w.knowledge != nil {
		return w.knowledge, nil
	}
	dir := w.local
	if w.view == revision { // beside the index of the work tree, which it would replace
		if dir = filepath.Join(w.local, "revision"); !index.Exists(dir) {
			_ = index.Copy(w.local, dir)
		}
	}
	err := w.openIndex(dir)
	if err != nil && looks { // a read-only checkout
		if dir, err = w.tempIndex(); err == nil {
			err = w.openIndex(dir)
		}
	}
	if err != nil {
		return nil, err
	}
	w.knowledge = w.join()
	return w.knowledge, nil
}

// Update brings causal's own files up to date.
func (w *Workspace) Update(ctx context.Context, how SpecsRun) (*report.Update, error) {
	specs, err := w.TestsOrProblem(ctx, how)
	if err != nil {
		return nil, err
	}
	k, err := w.Engine()
	if err != nil {
		return nil, err
	}
	r, err := k.Update(ctx)
	if err == nil {
		specs.Tell(r)
	}
	return r, err
}

// Check reports which of causal's own files are out of date. It writes only the index.
func (w *Workspace) Check(ctx context.Context) (*report.Check, error) {
	specs, err := w.TestsOrProblem(ctx, SpecsRun{Looks: true})
	if err != nil {
		return nil, err
	}
	k, err := w.Look()
	if err != nil {
		return nil, err
	}
	c, err := k.Check(ctx)
	if err == nil {
		c.AddTests(specs.Tests, specs.Problem)
	}
	return c, err
}

// PullPrompt is the session prompt for pull requests. It is constant: a session can resume one that was set aside.
const PullPrompt = "list the docs that a pull request makes stale"

func (w *Workspace) join() *Knowledge {
	principles := rules.Config{Layout: w.Layout, Repository: strings.TrimSuffix(w.Config.Repository, "/"), FrontMatter: w.Config.Docs.FrontMatter}
	told := decisions.Pages(w.Layout)
	pages := render.Config{
		Layout: w.Layout, Repository: principles.Repository, FrontMatter: w.Config.Docs.FrontMatter,
		Others: []render.Other{{
			Kind: rules.PageKind, Path: rules.Page(w.Layout), Title: "Principles", About: "recurring findings of reviews",
		}, {
			Kind: decisions.Kind, Path: told[decisions.Kind], Title: "Decisions", About: "decisions about this project and their reasons",
		}, {
			Kind: decisions.LogKind, Path: told[decisions.LogKind], Title: "Log", About: "events of this project and their causes",
		}, {
			Kind: answers.PageKind, Path: answers.Page(w.Layout), Title: "Answers", About: "answers to questions about this project, with their sources",
		}},
		Tested: true, Happened: true, More: w.skillPages,
	}
	batch := w.index.NewBatch()
	s := w.survey(w.tree, w.index, batch, survey.Settings(pages.Repository, pages.FrontMatter))
	w.atClose(s.Wait)
	pages.Text = func(file string) ([]byte, error) {
		content, err := s.Value(context.Background(), survey.BlobFact(file))
		data, _ := content.([]byte)
		return data, err
	}
	pages.Hidden = func(file string) bool { return !w.Shows(file) }
	docs := render.New(pages, w.Files, languages.All(), s.LeftOut)
	world, looks := edited{s, w.Files, w}, w.newShown(s)
	rooms := []engine.Room{
		rules.NewRecords(w.Files, w.Config.Review.Policy(), world.Own), newTested(w.Files, w.Layout, world.Own), ledger.NewRoom(w.Files, world.Own),
		looks, answers.NewRoom(w.Files, world.Own),
	}
	plugins := []engine.Plugin{docs, rules.New(principles, w.Files), decisions.New(decisions.Config{Layout: w.Layout, FrontMatter: pages.FrontMatter}, w.Files), answers.New(w.answering(), w.Files)}
	skilled := w.skilled(plugins, (&skillHistory{Workspace: w, survey: s, batch: batch, tags: map[string]gitstore.Tag{}, apis: map[string]apiChanges{}}).ask)
	known := skills.NewRoom(skilled, world.Own)
	return &Knowledge{engine.New(engine.Config{
		World: world, Rooms: append(rooms, known), Plugins: append(plugins, skills.New(skilled, known, w.Files)), Words: vocabulary(),
		Model: w.asker(), Again: w.again, Index: w.index, Batch: batch, Files: w.Files, Layout: w.Layout, Prompt: cmp.Or(w.prompt, "bring the documentation up to date"),
	}), s, w, looks, known, skilled}
}

// edited is a survey for a run after causal's own files were written, such as the record of a closed change.
type edited struct {
	*survey.Survey
	files interface{ Changed() map[string][]byte }
	tags  *Workspace // checks the tags; nil if they do not matter
}

func (e edited) Unchanged(ctx context.Context) (bool, error) {
	if len(e.files.Changed()) > 0 {
		return false, nil
	}
	if e.tags != nil {
		if same, err := e.tags.sameTags(ctx); err != nil || !same {
			return false, err
		}
	}
	return e.Survey.Unchanged(ctx)
}

func (e edited) Own() []string {
	own := slices.AppendSeq(slices.Clone(e.Survey.Own()), maps.Keys(e.files.Changed()))
	slices.Sort(own)
	return slices.Compact(own)
}

// key identifies the inputs of an index besides the sources: versions, languages and configuration.
func (w *Workspace) key() string {
	parts := []string{render.Version, testedVersion, rules.Version, decisions.Version, answers.Version, skills.Version, ledger.HappenedVersion, "rules/" + strconv.Itoa(source.Rules), w.Config.Key(), string(w.view)}
	for _, l := range languages.All() {
		parts = append(parts, l.Name()+"/"+strconv.Itoa(l.Version()))
	}
	return strings.Join(parts, "\n")
}

// ChangedSince lists the files that differ from a commit, without causal's own.
func (w *Workspace) ChangedSince(ctx context.Context, commit string) ([]string, error) {
	now, err := w.tree.State(ctx, func() survey.State { return survey.State{} })
	if err != nil {
		return nil, err
	}
	changes, known, err := w.tree.Changes(ctx, survey.State{Commit: commit}, now)
	if err == nil && !known {
		err = gitstore.ErrUnknownObject
	}
	if err != nil {
		return nil, err
	}
	list := []string{}
	for _, change := range changes {
		if !w.Layout.Owns(change.Path) {
			list = append(list, change.Path)
		}
	}
	return list, nil
}
