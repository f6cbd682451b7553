package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
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

func vocabulary() []condition.Word {
	return slices.Concat(survey.Words, principle.Words, inspect.Words)
}

func (w *Workspace) newShown(s *survey.Survey) *inspect.Files {
	return inspect.New(inspect.Config{
		Tree: w.tree, Entries: s.Entries, Owned: w.owns, Shows: w.Shows, History: w.history,
		Events: func() ([]ledger.Event, error) {
			log, err := ledger.Open(w.Files, nil)
			if err != nil {
				return nil, err
			}
			return log.Events(), nil
		},
	})
}

// history lists the commits that changed a file, the newest first; none if the history cannot be read.
func (w *Workspace) history(ctx context.Context, file string, most int) ([]string, error) {
	var out []string
	for rev := "HEAD"; len(out) < most; {
		c, ok, err := w.Repo.LastCommit(ctx, rev, file)
		if errors.Is(err, gitstore.ErrUnknownRevision) || err == nil && !ok {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c.When.Format("2006-01-02")+" "+c.ID[:10]+" "+c.Subject)
		rev = c.ID + "^"
	}
	return out, nil
}

func (w *Workspace) answering() answers.Config {
	all := engine.Vocabulary(vocabulary())
	return answers.Config{
		Layout: w.Layout, FrontMatter: w.Config.Docs.FrontMatter, Check: inspect.Check, Because: inspect.Because,
		Condition: func(facts []fact.Fact) string { return inspect.Condition(all, facts) },
		Lines:     answers.Lines{Locate: inspect.Locate, Move: inspect.Move},
	}
}

// Shown returns the files of the workspace that a model may see. It needs Look.
func (k *Knowledge) Shown() *inspect.Files { return k.shown }

// Observe returns the current digest of a fact. It needs Look.
func (k *Knowledge) Observe(ctx context.Context, f fact.Fact) (string, error) {
	return k.Engine.Observe(ctx, f)
}

// Condition returns the condition that invalidates an answer based on these facts.
func (k *Knowledge) Condition(facts []fact.Fact) string {
	return inspect.Condition(k.Engine.Words(), facts)
}

// Private returns the directory of local files that are not committed.
func (w *Workspace) Private() string { return w.local }

// Conceals reports whether a module has files that no model may see. Its node quotes them, so it is hidden too.
func (k *Knowledge) Conceals(module string) bool {
	return slices.ContainsFunc(k.Evidence(module), func(o fact.Observation) bool {
		return o.Family == fact.Files && !k.workspace.Shows(o.Name)
	})
}

// FactOf returns the fact behind a resolved target.
func FactOf(m Meant) fact.Fact {
	switch {
	case m.Module != "":
		return engine.ConclusionOf(render.ModuleUnit(m.Module))
	case m.Meaning == MeansPrinciple:
		return engine.ConclusionOf(engine.Unit{Kind: rules.PrincipleKind, Subject: m.Name})
	}
	return engine.UnitsOf(render.ModuleKind)
}

func (a *askable) atAnswer(name string) (Meant, bool) {
	if name == answers.Page(a.layout) {
		return Meant{Meaning: MeansAnswers, File: name}, true
	}
	slug, ok := answers.SlugOf(name)
	return Meant{Meaning: MeansAnswer, Name: slug, File: name}, ok
}

// WriteProse updates the workspace with an answer to a request of Requests, or to an earlier one. The report lists
// dropped sentences.
func (w *Workspace) WriteProse(ctx context.Context, unit string, answer json.RawMessage) (*report.Update, error) {
	u, err := engine.ParseUnit(unit)
	if err != nil {
		return nil, err
	}
	given := &givenAnswer{unit: unit, answer: answer}
	w.asks, w.again = given, []engine.Unit{u}
	k, err := w.Engine()
	if err != nil {
		return nil, err
	}
	r, err := k.Update(ctx)
	if err == nil && !given.asked {
		return nil, fmt.Errorf("%s has no slot for prose: a person wrote its documentation, or there is no such unit", unit)
	}
	return r, err
}

func (w *Workspace) asker() engine.Model {
	switch {
	case w.asks != nil:
		return w.asks
	case w.Model == nil || !w.Config.Model.Allows(prompt.Docs):
		return nil
	}
	return modelAnswers{w.Model, w.Spent}
}

// modelAnswers asks a model. If it fails, pages stay as they are without a model.
type modelAnswers struct {
	model prompt.Model
	spent func() state.Usage
}

// Spent returns the usage of the run so far.
func (m modelAnswers) Spent() state.Usage { return m.spent() }

func (m modelAnswers) Answer(ctx context.Context, q engine.Question) (string, error) {
	if q.Request == nil {
		return q.Draft()
	}
	r, err := m.model.Complete(ctx, *q.Request)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil: // the model's report has the error
		return q.Draft()
	}
	return string(r.Answer), nil
}

type givenAnswer struct {
	unit   string
	answer json.RawMessage
	asked  bool
}

func (g *givenAnswer) Answer(_ context.Context, q engine.Question) (string, error) {
	if q.Request == nil || q.Request.Unit != g.unit {
		return q.Draft()
	}
	g.asked = true
	return string(g.answer), nil
}
