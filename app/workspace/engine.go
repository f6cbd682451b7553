package workspace

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/render"
)

// Engine is the engine over the workspace, joined with the languages and the plugins that this program has. It is made
// once: what a run has found can be asked for afterwards.
func (w *Workspace) Engine() (*engine.Engine, error) { return w.prepare(false) }

// Look is Engine for a run that writes nothing to the repository.
func (w *Workspace) Look() (*engine.Engine, error) { return w.prepare(true) }

func (w *Workspace) prepare(looks bool) (*engine.Engine, error) {
	if w.engine != nil {
		return w.engine, nil
	}
	if err := w.openIndex(looks); err != nil {
		return nil, err
	}
	w.engine = w.join()
	return w.engine, nil
}

// Update brings causal's own files up to what is shown.
func (w *Workspace) Update(ctx context.Context) (*engine.Report, error) {
	e, err := w.Engine()
	if err != nil {
		return nil, err
	}
	return e.Update(ctx)
}

// PullPrompt is why pull requests are analysed: what was set aside with one is worth taking up by another that says the
// same.
const PullPrompt = "tell what a pull request makes stale"

func (w *Workspace) join() *engine.Engine {
	return engine.New(engine.Config{
		Tree: w.tree, Index: w.index, Dir: w.Files, Layout: w.Layout, Languages: languages.All(), Excluded: w.Config.Excluded,
		MaxBytes: w.Config.MaxFileBytes, Generator: generator(), Prompt: cmp.Or(w.prompt, "bring the documentation up to date"),
		Plugin: func(l engine.Library) engine.Plugin {
			return render.New(render.Config{
				Layout: w.Layout, Repository: strings.TrimSuffix(w.Config.Repository, "/"), Branch: w.Config.Branch,
				FrontMatter: w.Config.Docs.FrontMatter,
			}, l, w.Files)
		},
	})
}

// key identifies what an index was planned with.
func (w *Workspace) key() string {
	parts := []string{render.Version, "rules/" + strconv.Itoa(source.Rules), w.Config.Key(), string(w.view)}
	for _, l := range languages.All() {
		parts = append(parts, l.Name()+"/"+strconv.Itoa(l.Version()))
	}
	return strings.Join(parts, "\n")
}

// generator names the versions that take part in a conclusion: plugin, language, model.
func generator() func(string) string {
	versions := map[string]int{}
	for _, l := range languages.All() {
		versions[l.Name()] = l.Version()
	}
	return func(language string) string {
		return fmt.Sprintf("%s %s/%d %s", render.Version, strings.ReplaceAll(language, " ", "-"), versions[language], engine.NoModel)
	}
}

// ChangedSince lists the files, but for causal's own, that are otherwise in a commit than in what is shown.
func (w *Workspace) ChangedSince(ctx context.Context, commit string) ([]string, error) {
	now, err := w.tree.State(ctx, func() engine.State { return engine.State{} })
	if err != nil {
		return nil, err
	}
	changes, known, err := w.tree.Changes(ctx, engine.State{Commit: commit}, now)
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
