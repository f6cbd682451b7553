package workspace

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
)

// Knowledge is the engine over the workspace with its survey, in terms of modules and pages. A workspace creates it once,
// so results of a run can be queried afterwards.
type Knowledge struct {
	*engine.Engine
	*survey.Survey

	workspace *Workspace
	shown     *inspect.Files
	skills    *skills.Room
	skilled   *skills.Config
}

const docsPlugin = "docs"

// Update brings nodes and pages up to date.
func (k *Knowledge) Update(ctx context.Context) (*report.Update, error) {
	r, err := k.Engine.Update(ctx)
	if err != nil {
		k.workspace.traceEngine(docsPlugin, "", k.Engine)
		return nil, err
	}
	k.workspace.traceEngine(docsPlugin, r.Session, k.Engine)
	for _, d := range r.Dropped {
		k.workspace.Model.Drop(d.Unit.String(), d.Dropped)
	}
	return report.OfUpdate(r, k.pages(), k.Survey.FilesRead(), true), nil
}

// Plan reports the effects of Update. It writes only the index.
func (k *Knowledge) Plan(ctx context.Context) (*report.Update, error) {
	r, err := k.Engine.Check(ctx)
	k.workspace.traceEngine(docsPlugin, "", k.Engine)
	if err != nil {
		return nil, err
	}
	out := report.OfUpdate(r, k.pages(), k.Survey.FilesRead(), false)
	out.Differing = r.Differing
	return out, nil
}

// Check reports which units are out of date. It writes only the index.
func (k *Knowledge) Check(ctx context.Context) (*report.Check, error) {
	r, err := k.Engine.Check(ctx)
	k.workspace.traceEngine(docsPlugin, "", k.Engine)
	if err != nil {
		return nil, err
	}
	out := report.OfCheck(r, k.pages())
	out.Differing = r.Differing
	return out, nil
}

func (k *Knowledge) pages() report.Pages {
	return report.Pages{Layout: k.workspace.Layout, Bundle: k.Survey.Bundle}
}

// PageOf returns the page that documents a symbol of a module. file declares the symbol.
func (k *Knowledge) PageOf(module, file, symbol string) string {
	if page, ok := render.PartAbout(k.workspace.Layout, module, k.Survey.Parts(module), file, symbol); ok {
		return page
	}
	return k.pages().Module(module)
}

// Declared returns the file and the line range of a symbol, such as 12-30, and false if the source does not declare it.
func (k *Knowledge) Declared(ctx context.Context, module, symbol string) (file, lines string, ok bool) {
	value, err := k.Survey.Value(ctx, fact.New(fact.Listings, module))
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

// Current returns one of causal's files as an update would write it, nil if it would remove it, and whether it differs from the
// stored one. Call Look first.
func (k *Knowledge) Current(name string) (data []byte, differs bool, err error) {
	for _, d := range k.Engine.Differing() {
		if d.Name == name {
			return d.After, true, nil
		}
	}
	data, err = k.workspace.Files.Read(name)
	return data, false, err
}

// Explanation is the causal chain of a module's node.
type Explanation struct {
	*engine.Explanation
	Node *node.Node // nil if it is missing or invalid
	Page string
	// UsedBy lists the modules that are re-evaluated when its interface changes.
	UsedBy []string
}

// Explain returns the explanation of a module, and false if there is no such module.
func (k *Knowledge) Explain(ctx context.Context, module string) (*Explanation, bool, error) {
	x, ok, err := k.Engine.Explain(ctx, render.ModuleUnit(module))
	if err != nil || !ok {
		return nil, false, err
	}
	out := &Explanation{Explanation: x, Page: k.pages().Module(module), UsedBy: k.Survey.Dependants(module)}
	if x.Conclusion != nil {
		n := x.Conclusion.Body.(*render.Module).Node
		n.LastVerified, n.Commit, n.FrameID = x.Date, x.Commit, x.Conclusion.Frame
		out.Node = n
	}
	return out, true, nil
}

// PageAt explains the page in a file. It returns false if the file is not a page of the docs plugin.
func (k *Knowledge) PageAt(ctx context.Context, file string) (*engine.Explanation, bool, error) {
	for _, subject := range k.Engine.Subjects(render.PageKind) {
		if render.PathOfPage(k.workspace.Layout, subject) == file {
			return k.Engine.Explain(ctx, engine.Unit{Kind: render.PageKind, Subject: subject})
		}
	}
	return nil, false, nil
}

// Quoted returns the files whose content is evidence of pages about the repository, by page.
func (k *Knowledge) Quoted() map[string][]string {
	out := map[string][]string{}
	for _, subject := range k.Engine.Subjects(render.PageKind) {
		for _, o := range k.Engine.Evidence(engine.Unit{Kind: render.PageKind, Subject: subject}) {
			if page := render.PathOfPage(k.workspace.Layout, subject); o.Fact == survey.BlobFact(o.Fact.Name) && o.Digest != "" {
				out[page] = append(out[page], o.Fact.Name)
			}
		}
	}
	return out
}

// Evidence returns the evidence of a module's node.
func (k *Knowledge) Evidence(module string) []fact.Observation {
	return k.Engine.Evidence(render.ModuleUnit(module))
}

// Summary describes a module in one line.
type Summary struct {
	render.Summary
	Fresh bool
}

// Modules lists all modules by path.
func (k *Knowledge) Modules() []Summary {
	var out []Summary
	for _, m := range k.Survey.Modules() {
		s, ok := render.SummaryOf(k.Engine, m)
		s.Path = m
		out = append(out, Summary{s, ok && k.Engine.Holds(render.ModuleUnit(m))})
	}
	return out
}

// StalePages lists the pages that are out of date, except those of stale modules.
func (k *Knowledge) StalePages() []string {
	var out []string
	for _, subject := range k.Engine.Subjects(render.PageKind) {
		module, about := render.ModuleOfPage(subject)
		if !k.Engine.Holds(engine.Unit{Kind: render.PageKind, Subject: subject}) && (!about || k.Engine.Holds(render.ModuleUnit(module))) {
			out = append(out, render.PathOfPage(k.workspace.Layout, subject))
		}
	}
	return out
}

// ModuleName returns the display name of a module: its path, or the title of the root.
func (k *Knowledge) ModuleName(module string) string {
	if s, ok := render.SummaryOf(k.Engine, module); ok && module == "." {
		return s.Title
	}
	return module
}
