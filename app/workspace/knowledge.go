package workspace

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
)

// Knowledge is what causal knows of the workspace: the engine over it, asked and told of in the terms of modules and pages. It is
// made once: what a run has found can be asked for afterwards.
type Knowledge struct {
	workspace *Workspace
	engine    *engine.Engine
	survey    *survey.Survey
	shown     *inspect.Files
	skills    *skills.Room
	skilled   *skills.Config
}

// docsPlugin names the runs of an update in traces.
const docsPlugin = "docs"

// OnProgress has fn told what is being done and how far it is.
func (k *Knowledge) OnProgress(fn func(what string, done, of int)) { k.engine.OnProgress(fn) }

// Update brings nodes and pages up to what is shown.
func (k *Knowledge) Update(ctx context.Context) (*report.Update, error) {
	r, err := k.engine.Update(ctx)
	if err != nil {
		k.workspace.traceEngine(docsPlugin, "", k.engine)
		return nil, err
	}
	k.workspace.traceEngine(docsPlugin, r.Session, k.engine)
	for _, d := range r.Dropped {
		k.workspace.Model.Drop(d.Unit.String(), d.Dropped)
	}
	return report.OfUpdate(r, k.pages(), k.survey.FilesRead(), true), nil
}

// Coverage says which files of the repository are read, and why the others are not.
func (k *Knowledge) Coverage() *survey.Coverage { return k.survey.Coverage() }

// Plan tells what Update would do, and writes nothing but the index.
func (k *Knowledge) Plan(ctx context.Context) (*report.Update, error) {
	r, err := k.engine.Check(ctx)
	k.workspace.traceEngine(docsPlugin, "", k.engine)
	if err != nil {
		return nil, err
	}
	out := report.OfUpdate(r, k.pages(), k.survey.FilesRead(), false)
	out.Differing = r.Differing
	return out, nil
}

// Check tells what does not hold, and writes nothing but the index.
func (k *Knowledge) Check(ctx context.Context) (*report.Check, error) {
	r, err := k.engine.Check(ctx)
	k.workspace.traceEngine(docsPlugin, "", k.engine)
	if err != nil {
		return nil, err
	}
	out := report.OfCheck(r, k.pages())
	out.Differing = r.Differing
	return out, nil
}

// pages finds the pages of what is known.
func (k *Knowledge) pages() report.Pages {
	return report.Pages{Layout: k.workspace.Layout, Bundle: k.survey.Bundle}
}

// PageOf is the page that tells of a symbol of a module, which a file declares.
func (k *Knowledge) PageOf(module, file, symbol string) string {
	if page, ok := render.PartAbout(k.workspace.Layout, module, k.survey.Parts(module), file, symbol); ok {
		return page
	}
	return k.pages().Module(module)
}

// Declared is the file of a symbol of a module and its lines, such as 12-30; false if the source does not declare it.
func (k *Knowledge) Declared(ctx context.Context, module, symbol string) (file, lines string, ok bool) {
	value, err := k.survey.Value(ctx, fact.New(fact.Listings, module))
	m, _ := value.(*survey.Module)
	if err != nil || m == nil {
		return "", "", false
	}
	for i := range m.Declared {
		if d := &m.Declared[i]; d.Name == symbol {
			return d.Path, fmt.Sprintf("%d-%d", d.Line, d.End), true
		}
	}
	return "", "", false
}

// Look finds out what holds, for whoever asks about modules. Everything below comes after it.
func (k *Knowledge) Look(ctx context.Context) error { return k.engine.Look(ctx) }

// Explanation is the causal chain of what is known of one module.
type Explanation struct {
	*engine.Explanation
	Node *node.Node // nil when there is none, or none that can be read
	Page string
	// UsedBy lists the modules that would be looked at when its interface changes.
	UsedBy []string
}

// Explain tells how a module is known. False when there is no such module.
func (k *Knowledge) Explain(ctx context.Context, module string) (*Explanation, bool, error) {
	x, ok, err := k.engine.Explain(ctx, render.ModuleUnit(module))
	if err != nil || !ok {
		return nil, false, err
	}
	out := &Explanation{Explanation: x, Page: k.pages().Module(module), UsedBy: k.survey.Dependants(module)}
	if x.Conclusion != nil {
		n := x.Conclusion.Body.(*render.Module).Node
		n.LastVerified, n.Commit, n.FrameID = x.Date, x.Commit, x.Conclusion.Frame
		out.Node = n
	}
	return out, true, nil
}

// Evidence is what the node of a module rests on.
func (k *Knowledge) Evidence(module string) []fact.Observation {
	return k.engine.Evidence(render.ModuleUnit(module))
}

// Session reads the record of a session; fs.ErrNotExist when it is not kept.
func (k *Knowledge) Session(ctx context.Context, id string) (session.Record, error) {
	return k.engine.Session(ctx, id)
}

// Verify re-checks every frame of a session against what is there now.
func (k *Knowledge) Verify(ctx context.Context, r session.Record) (frame.Verification, error) {
	return k.engine.Verify(ctx, r)
}

// Summary is what is known of a module in one line.
type Summary struct {
	render.Summary
	Fresh bool
}

// Modules lists all modules by path.
func (k *Knowledge) Modules() []Summary {
	var out []Summary
	for _, m := range k.survey.Modules() {
		s, ok := render.SummaryOf(k.engine, m)
		s.Path = m
		out = append(out, Summary{s, ok && k.engine.Holds(render.ModuleUnit(m))})
	}
	return out
}

// ModuleName is what people call a module.
func (k *Knowledge) ModuleName(module string) string {
	if s, ok := render.SummaryOf(k.engine, module); ok && module == "." {
		return s.Title
	}
	return module
}

// Has reports whether the repository has such a file, or a directory with files in it.
func (k *Knowledge) Has(name string) (file, dir bool) { return k.survey.Has(name) }

// Introducers are the files of the root that say what the repository is: the README, empty when there is none, and the manifests,
// which also say where imports lead.
func (k *Knowledge) Introducers() (readme string, manifests []string) { return k.survey.Introducers() }

// Reach follows the references of a symbol and those to it. False when the module has no such symbol.
func (k *Knowledge) Reach(ctx context.Context, module, symbol string) (survey.Reach, bool, error) {
	return k.survey.Reach(ctx, module, symbol)
}
