package answer

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/node"
)

// because is one piece of evidence in the form that is printed.
type because struct {
	What  string `json:"what"`
	Level string `json:"level"`
	Hash  string `json:"hash"`
	How   string `json:"how"`

	of string // module of a symbol
}

// Why explains a target other than an event: the statement about it, the evidence, and the condition that would
// invalidate it.
type Why struct {
	Target    string            `json:"target"`
	Means     workspace.Meaning `json:"means"`
	Module    string            `json:"module"`
	Name      string            `json:"name"` // display name of the module
	Symbol    string            `json:"symbol,omitempty"`
	Element   string            `json:"element,omitempty"` // of the user interface
	File      string            `json:"file,omitempty"`
	Fresh     bool              `json:"fresh"`
	Stale     []engine.Reason   `json:"stale,omitempty"`
	Page      string            `json:"page"`
	Pages     []string          `json:"pages"` // pages that show it
	Says      string            `json:"says"`
	From      string            `json:"from"`
	Doc       string            `json:"doc,omitempty"` // first sentence about a symbol
	Because   []because         `json:"because"`
	Gives     []gives           `json:"gives,omitempty"` // exports of a file
	Condition string            `json:"invalidation_condition"`
	Generator string            `json:"generator"`
	UsedBy    []string          `json:"used_by"`
	// References to and from a symbol, and the types that implement it.
	NamedBy      []reference   `json:"named_by,omitempty"`
	Names        []reference   `json:"names,omitempty"`
	Implementers []string      `json:"implementers,omitempty"`
	Tests        *testsAnswer  `json:"tests,omitempty"` // of a symbol or a spec
	Changed      *changeAnswer `json:"last_changed,omitempty"`
	Frame        string        `json:"frame,omitempty"`
	Verified     string        `json:"verified,omitempty"`
	LastVerified string        `json:"last_verified,omitempty"` // day of the conclusion
	Commit       string        `json:"commit,omitempty"`        // commit of the conclusion
	FrameID      string        `json:"frame_id,omitempty"`      // frame of the conclusion, with its session
	Lost         string        `json:"lost,omitempty"`          // why there is no frame, and how to get one
	Also         []string      `json:"also,omitempty"`          // other targets with the same name

	quoted      bool // whether Says is a quotation
	missing     bool // whether there is no node
	purposeFile string
	evidence    []fact.Observation
	own         []string // terms of the condition that concern the target; nil for all
}

// gives is a symbol or an element of the user interface that a file declares.
type gives struct {
	Name string `json:"name"`
	Kind string `json:"kind"`

	depth int // nesting depth
}

type changeAnswer struct {
	Commit  string `json:"commit"`
	Date    string `json:"date"`
	Subject string `json:"subject"`
}

type place struct{ *workspace.Workspace }

// Explain resolves a target, relative to a directory, and explains the statement about it. The error is a
// *workspace.AmbiguousError or a *workspace.UnknownError if the target has several meanings or none.
func Explain(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, dir, target string) (*Why, error) {
	if err := e.Look(ctx); err != nil {
		return nil, err
	}
	meant, err := w.Resolve(e, dir, target)
	if err != nil {
		return nil, err
	}
	return place{w}.why(ctx, e, target, meant)
}

// explainers explain targets that belong to no module. The explanation that they get is nil without a conclusion.
var explainers = map[workspace.Meaning]func(place, context.Context, *Why, *workspace.Knowledge, workspace.Meant, *engine.Explanation) error{
	workspace.MeansPrinciple: place.explainPrinciple, workspace.MeansAnswer: place.explainAnswer, workspace.MeansSkill: place.explainSkill,
	workspace.MeansRules: place.explainKept, workspace.MeansDecisions: place.explainKept, workspace.MeansLog: place.explainKept,
	workspace.MeansAnswers: place.explainKept,
}

func (p place) why(ctx context.Context, e *workspace.Knowledge, target string, m workspace.Meant) (*Why, error) {
	a := &Why{
		Target: target, Means: m.Meaning, Module: m.Module, Name: e.ModuleName(m.Module), Also: m.Also,
		Because: []because{}, UsedBy: []string{}, Pages: []string{},
	}
	if explain := explainers[m.Meaning]; explain != nil {
		x, ok, err := e.About(ctx, m)
		if err != nil {
			return nil, err
		}
		if ok {
			a.explainConclusion(x)
		}
		return a, explain(p, ctx, a, e, m, x)
	}
	if m.Meaning == workspace.MeansSpec {
		a.Page = e.PageOf(m.Module, "", m.Name)
		return a, p.explainSpec(ctx, a, m)
	}
	x, ok, err := e.Explain(ctx, m.Module)
	switch {
	case err != nil:
		return nil, err
	case m.Meaning == workspace.MeansOverview:
		p.explainOverview(a, e, m.File)
		return a, a.explainPage(ctx, e, m.File)
	case !ok:
		p.explainOther(a, e, m.File)
		if err := a.explainPage(ctx, e, a.Page); err != nil {
			return nil, err
		}
		return a, p.lastChange(ctx, a, []string{m.File})
	}
	a.Fresh, a.Stale, a.Page, a.Pages = x.Fresh, x.Reasons, x.Page, []string{x.Page}
	a.UsedBy = append(a.UsedBy, x.UsedBy...)
	if m.Meaning == workspace.MeansFile {
		a.File = m.File
	}
	if x.Node == nil {
		a.missing = true
		return a, nil
	}
	a.explainFrame(x.Explanation)
	files := p.explain(a, e, x, m)
	if m.Meaning == workspace.MeansSymbol {
		if err := a.explainReach(ctx, e); err != nil {
			return nil, err
		}
	}
	readme, _ := e.Introducers()
	_, several := render.ModuleAt(p.Layout, x.Page)
	if n := len(a.Pages); n > 0 && a.Fresh && (m.Meaning == workspace.MeansModule && !several || a.Module == "" || m.File == readme && readme != "") {
		if err := a.explainPage(ctx, e, a.Pages[n-1]); err != nil { // of a README, the entry page
			return nil, err
		}
	}
	if err := p.lastChange(ctx, a, files); err != nil || m.Meaning != workspace.MeansSymbol {
		return a, err
	}
	return a, p.explainTests(ctx, a, m.Module, m.Name)
}

// explain describes a module, or something in it, and returns the files that declare it.
func (p place) explain(a *Why, e *workspace.Knowledge, x *workspace.Explanation, m workspace.Meant) (files []string) {
	n := x.Node
	a.Condition, a.Generator, a.evidence = n.InvalidationCondition, x.Conclusion.Generator, x.Conclusion.Evidence
	switch m.Meaning {
	case workspace.MeansSymbol:
		files := a.explainSymbol(e, n, m.Name)
		a.Page = e.PageOf(n.Path, path.Base(a.File), m.Name)
		a.Pages = []string{a.Page}
		return files
	case workspace.MeansElement:
		return explainElement(a, n, m)
	case workspace.MeansFile:
		p.explainFile(a, e, x)
		return []string{m.File}
	}
	return a.explainModule(n, e.ModuleName)
}

func (a *Why) explainFrame(x *engine.Explanation) {
	a.Lost, a.LastVerified, a.Commit, a.FrameID = x.Lost, x.Date, x.Commit, x.Conclusion.Frame
	if x.Frame == nil {
		return
	}
	a.Frame = fmt.Sprintf("%s / %s / %s", x.Session, x.Frame.Query, x.Frame.ID)
	a.Verified = fmt.Sprintf("confidence %.1f", x.Frame.Confidence)
	if x.Verdict != nil {
		a.Verified += fmt.Sprintf(", %d of %d facts hold", x.Verdict.Verified, x.Verdict.Total)
	}
}

// explainOverview explains a page about the whole repository.
func (p place) explainOverview(a *Why, e *workspace.Knowledge, file string) {
	page, overview := render.OverviewAt(p.Layout, file)
	a.Name, a.Fresh, a.Page, a.Pages = page.Name, true, file, []string{file}
	a.Says = page.About
	a.From, a.Generator = "from their knowledge nodes and the README", render.Version
	a.own = []string{"a module is added or removed, or its summary, kind or dependencies change"}
	if !overview {
		a.Name, a.Says, a.From = "the page "+file, "small modules of one directory, each with a separate node", "from their knowledge nodes"
		a.own = []string{"one of these modules changes, is added or removed, or needs a separate page"}
	}
	if readme, _ := e.Introducers(); readme != "" && (file == p.Layout.Index() || file == p.Layout.Guide()) {
		a.own = append(a.own, readme+" changes its title or its first paragraph")
		a.Because = []because{{What: readme, Level: "content", How: "readme"}}
	}
	if quoted := e.Quoted()[file]; len(quoted) > 0 {
		a.own = append(a.own, "a part that it shows of one of these files changes")
		for _, name := range quoted {
			if !slices.ContainsFunc(a.Because, func(b because) bool { return b.What == name }) {
				a.Because = append(a.Because, because{What: name, Level: "content", How: "read"})
			}
		}
	}
	a.Condition = strings.Join(a.own, "; ")
}

// explainPage adds the reasons why a page is out of date.
func (a *Why) explainPage(ctx context.Context, e *workspace.Knowledge, file string) error {
	x, ok, err := e.PageAt(ctx, file)
	if err != nil || !ok || x.Fresh {
		return err
	}
	a.Fresh = false
	a.Stale = slices.CompactFunc(append(a.Stale, x.Reasons...), func(r, s engine.Reason) bool { return r.String() == s.String() })
	return nil
}

func (a *Why) explainModule(n *node.Node, name func(string) string) (files []string) {
	says, from, cites := n.Says()
	a.Says, a.quoted, a.purposeFile = says, true, n.PurposeFile
	switch from {
	case node.FromDoc:
		a.From = "from the documentation in " + n.PurposeFile
	case node.FromModel:
		a.From = "written by a model, from " + strings.Join(cites, ", ")
	default:
		a.From = "derived from its contents: it has no description yet"
		if says == "" {
			a.From = "it has no description yet"
		}
	}
	for _, s := range n.Sources {
		a.Because = append(a.Because, a.becauseOf(s))
		files = append(files, s.Path)
	}
	for _, o := range a.evidence {
		if o.Family == fact.Symbols {
			a.Because = append(a.Because, because{useText(o.Fact, name), "interface", o.Digest, "used", name(o.Of)})
		}
	}
	return files
}

// read is the role of ordinary sources.
const read = "read"

func (a *Why) becauseOf(s node.Source) because {
	return because{What: canonical.Path(s.Path), Level: "content", Hash: a.digestOf(s.Path), How: cmp.Or(s.Role, read)}
}

// digestOf returns the digest of a file's content in the evidence.
func (a *Why) digestOf(file string) string {
	for _, o := range a.evidence {
		if o.Family == fact.Files && o.Name == file {
			return o.Digest
		}
	}
	return ""
}

func useText(used fact.Fact, name func(string) string) string {
	if used.Name == "*" {
		return "all of " + name(used.Of)
	}
	return name(used.Of) + "." + used.Name
}

func (a *Why) explainSymbol(e *workspace.Knowledge, n *node.Node, name string) (files []string) {
	i := slices.IndexFunc(n.PublicAPI, func(s node.Symbol) bool { return s.Name == name })
	s := &n.PublicAPI[i]
	file := cmp.Or(s.Source, path.Join(n.Path, s.File))
	a.keepReasons(file)
	a.Symbol, a.File, a.Says, a.From = name, file, s.Signature, "declared in "+file
	if s.Lines != "" {
		a.From += ", lines " + s.Lines + " at " + short(s.At)
	}
	a.quoted = true
	a.Doc = markdown.Plain(s.Doc, languageOf(n, file))
	a.Because = []because{{What: file, Level: "content", Hash: a.digestOf(file), How: "declaration"}}
	a.own = modifiedTerms(n.InvalidationCondition)
	a.UsedBy = usersOf(e, a.UsedBy, n.Path, workspace.Published(s))
	return []string{file}
}

func languageOf(n *node.Node, file string) string {
	for _, s := range n.Sources {
		if s.Path == file {
			return cmp.Or(s.Language, n.Language)
		}
	}
	return n.Language
}

// modifiedTerms returns the terms of a condition about the module's own files. Changes of imported modules do not
// affect a declaration.
func modifiedTerms(condition string) []string {
	var out []string
	for term := range strings.SplitSeq(condition, " or ") {
		if strings.HasPrefix(term, "modified(") {
			out = append(out, term)
		}
	}
	return out
}

// usersOf returns the dependants of a module whose evidence contains one of the names, its owner or one of its
// members.
func usersOf(e *workspace.Knowledge, dependants []string, module string, names []string) []string {
	rests := func(u fact.Observation) bool {
		return u.Family == fact.Symbols && u.Of == module && (u.Name == "*" || slices.ContainsFunc(names, func(name string) bool {
			return u.Name != "" && (u.Name == name || strings.HasPrefix(name, u.Name+".") || strings.HasPrefix(u.Name, name+"."))
		}))
	}
	out := []string{}
	for _, d := range dependants {
		if slices.ContainsFunc(e.Evidence(d), rests) {
			out = append(out, d)
		}
	}
	return out
}

// explainElement explains an environment variable, a flag, a route or an exit code.
func explainElement(a *Why, n *node.Node, m workspace.Meant) (files []string) {
	a.Element, a.UsedBy, a.own = m.Name, []string{}, modifiedTerms(n.InvalidationCondition)
	for _, b := range n.Behaviour {
		file := path.Join(n.Path, b.File)
		if b.Kind == m.Element && b.Name == m.Name && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	a.Says, a.From = workspace.ElementWord(m.Element)+" "+m.Name, "of "+a.Name+", found in "+strings.Join(files, ", ")
	if m.Element == source.Exit {
		a.Element = a.Says // a number alone is unclear
	}
	for _, s := range n.Sources {
		if slices.Contains(files, s.Path) {
			a.Because = append(a.Because, a.becauseOf(s))
		}
	}
	return files
}

func (p place) lastChange(ctx context.Context, a *Why, files []string) error {
	c, ok, err := p.LastChange(ctx, files...)
	if ok {
		a.Changed = change(c)
	}
	return err
}

func change(c gitstore.Commit) *changeAnswer {
	return &changeAnswer{Commit: c.ID, Date: c.When.UTC().Format("2006-01-02"), Subject: c.Subject}
}
