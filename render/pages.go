package render

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/pagecheck"
)

// Page is the body of a page's conclusion: its generated text and the users' keep blocks.
type Page struct {
	generated string
	keeps     []keep.Block
	prose     entryProse // of the entry page
}

func (d *Docs) pageKind() engine.Kind {
	return engine.Kind{
		Name: PageKind, Derived: true, Rendered: true, Subjects: d.pages,
		Generator: func(engine.Reader, string) (string, error) { return Version, nil },
		Path:      d.pathOfPage, Owner: d.ownerOfPage, Ask: d.askPage, Load: d.loadPage, Remove: d.removePage,
	}
}

// pages lists the pages of modules, parts and bundles, and the overviews. A module in a bundle has no page.
func (d *Docs) pages(r engine.Reader) ([]string, error) {
	f := &facts{r: r}
	modules := f.units(ModuleKind)
	divided, err := survey.DivisionOf(r)
	if err = errors.Join(f.err, err); err != nil {
		return nil, err
	}
	var out []string
	for _, o := range Overviews(d.config.Layout) {
		out = append(out, o.Subject)
	}
	for _, m := range modules {
		if b, bundled := divided.Bundles[m]; bundled {
			out = append(out, topic{bundle: b}.subject())
			continue
		}
		out = append(out, topic{module: m}.subject())
		for _, p := range divided.Parts[m] {
			out = append(out, topic{module: m, part: p.Name}.subject())
		}
	}
	kept, err := d.keptParts(r, modules, divided)
	return append(out, kept...), err
}

func (d *Docs) pathOfPage(subject string) string {
	return PathOfPage(d.config.Layout, subject)
}

func (d *Docs) ownerOfPage(file string) (string, bool) {
	if file == store.Overview {
		return entryPage, true
	}
	if o, ok := OverviewAt(d.config.Layout, file); ok {
		return o.Subject, true
	}
	t, ok := topicAt(d.config.Layout, file)
	return t.subject(), ok
}

func (d *Docs) loadPage(_ engine.Reader, subject string) (*engine.Conclusion, error) {
	name := d.pathOfPage(subject)
	page, blocked, err := keep.Read(d.files, name)
	if page == nil {
		if name, spare := d.spare(subject); spare && err == nil && blocked == nil { // no contents
			return &engine.Conclusion{
				Text: name, Body: &Page{}, Digest: keep.Digest(""), Confidence: 1, Condition: anyChange, Excerpts: pageExcerpts(""),
			}, nil
		}
		if err != nil || blocked == nil {
			return nil, err
		}
		return &engine.Conclusion{Blocked: blocked}, nil
	}
	body := &Page{generated: page.Generated, keeps: page.Keeps}
	if subject == entryPage {
		if o, valid := d.storedOverview(); valid {
			body.prose.Overview = o
		}
	}
	return &engine.Conclusion{
		Text: "the page " + name, Body: body, Digest: body.prose.digest(keep.Digest(page.Generated)), Confidence: 1, Condition: anyChange,
		Excerpts: pageExcerpts(page.Generated),
	}, nil
}

// spare reports whether a page is optional, and returns its name in messages.
func (d *Docs) spare(subject string) (name string, spare bool) {
	if o, ok := overviewOf(d.config.Layout, subject); ok {
		return o.Name, o.spare
	}
	t, _ := topicOf(subject)
	return "the page " + t.path(d.config.Layout), t.part != ""
}

// The excerpts of a page that other pages depend on.
const (
	therePart  = "there"  // whether an optional page exists
	pointsPart = "points" // the extension points for the entry page
	headsPart  = "heads"  // the tables of the operations page
)

func pageExcerpts(generated string) map[string]string {
	out := map[string]string{therePart: ""}
	if generated != "" {
		out[therePart] = "yes"
	}
	if points := glanceOf(generated); points != "" {
		out[pointsPart] = points
	}
	if heads := headsOf(generated); heads != "" {
		out[headsPart] = heads
	}
	return out
}

// headsOf lists the tables of the operations page; it is empty for other pages.
func headsOf(generated string) string {
	if !strings.Contains(generated, "\n# "+operationsTitle+"\n") {
		return ""
	}
	var heads []string
	for line := range strings.Lines(generated) {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			heads = append(heads, strings.ToLower(strings.TrimSpace(head)))
		}
	}
	if slices.ContainsFunc(heads, func(h string) bool { return strings.Contains(h, " and ") }) {
		return strings.Join(heads, "; ")
	}
	return list(heads)
}

// concludePage makes a page with the users' keep blocks, and checks its links and diagrams.
func (d *Docs) concludePage(raw string, in engine.Input) (engine.Conclusion, error) {
	g := &factGraph{facts: facts{r: in}, indexes: &d.indexes, tested: d.config.Tested, happened: d.config.Happened}
	c := d.config.of(&g.facts)
	before := &Page{}
	if in.Previous != nil && in.Previous.Body != nil {
		before = in.Previous.Body.(*Page)
	}
	var generated, title string
	var kept bool
	var err error
	page := &Page{keeps: before.keeps}
	if in.Unit.Subject == entryPage {
		page.prose = d.entryProse(d.shownModules(g), raw)
		g.prose = page.prose
	}
	if o, ok := overviewOf(c.Layout, in.Unit.Subject); ok {
		title = o.Name
		generated = keep.Verbatim(o.write(c, g))
	} else {
		t, _ := topicOf(in.Unit.Subject)
		generated, title, kept, err = d.topicPage(in, c, g, t, before.generated)
	}
	if err = errors.Join(g.err, err); err != nil {
		return engine.Conclusion{}, err
	}
	if generated == "" && len(before.keeps) > 0 {
		generated = keep.Verbatim(c.head("Empty page", title) + "# " + upper(title) +
			"\n\nThis page no longer has generated content. Your notes below stay until you delete them.\n")
	}
	page.generated = generated
	content := []byte(keep.Join(generated, page.keeps))
	out := engine.Conclusion{
		Text: title, Body: page, Digest: page.prose.digest(keep.Digest(generated)), Stored: page.pageDigest(before), Confidence: 1,
		Condition: anyChange, Excerpts: pageExcerpts(generated), Open: page.prose.open, Dropped: page.prose.dropped,
	}
	out.Cause = outrunCause(generated, before.generated)
	if !kept {
		out.Blocked = d.problems(in.Unit.Subject, g, content)
	}
	return out, g.err
}

// anyChange is the condition of pages: they depend only on their evidence.
var anyChange = Vocabulary.Call("evidence_changed").String()

// topicPage returns the generated part of a page about modules. kept reports whether it is the stored text, which has
// more than the node of a module that cannot be read.
func (d *Docs) topicPage(in engine.Input, c Config, g *factGraph, t topic, stored string) (generated, title string, kept bool, err error) {
	if t.module == "" {
		generated, title, kept, err = d.bundlePage(in, c, g, t.bundle)
		return keep.Verbatim(generated), title, kept, err
	}
	m, err := moduleIn(in, t.module)
	if err != nil {
		return "", "", false, err
	}
	title = "the page of " + m.Node.Module
	if t.part != "" {
		title += ", " + t.part
	}
	if !m.Node.Fresh() {
		if text, ok := withStatus(stored, statusOf(m.Node)); ok {
			return text, title, true, nil
		}
	}
	o, err := d.latest.outline(m, g.Parts(t.module))
	if err != nil {
		return "", "", false, err
	}
	n := o.node
	if t.part == "" {
		return keep.Verbatim(renderPage(c, o, g)), title, !n.Fresh(), nil
	}
	at := o.index.Named(t.part)
	switch {
	case at < 0 && !n.Fresh(): // the stored page has conflict markers
		return "", title, true, nil
	case at < 0:
		return "", "", false, fmt.Errorf("module %s has no part %s", t.module, t.part)
	}
	return keep.Verbatim(renderPart(c, o, g, at)), title, !n.Fresh(), nil
}

func moduleIn(in engine.Input, module string) (*Module, error) {
	m, err := survey.Ask[*Module](in, engine.ConclusionOf(ModuleUnit(module)))
	if err == nil && m == nil {
		err = fmt.Errorf("nothing is known of module %s", module)
	}
	return m, err
}

// indexPageOf returns the generated part of the entry page.
func indexPageOf(c Config, g *factGraph) string {
	intro := introductionOf(&g.facts)
	surfaces, _ := routed(g)
	x := indexPage{sheet: newSheet(c, g, c.Layout.Index()), intro: intro, prose: g.prose, usage: g.Used, flows: g.Flows, routes: routesOf(surfaces)}
	name, _, _ := intro.of(c, g)
	x.project = projectOf(&g.facts, g.Linked(), intro.readme, name)
	x.spare, x.config.Others = present(c, &g.facts)
	x.points = g.ofPage(extensionPage, pointsPart)
	return x.render()
}

// guideOf returns the generated part of the guide for coding agents.
func guideOf(c Config, g *factGraph) string {
	x := guide{sheet: newSheet(c, g, c.Layout.Guide()), intro: introductionOf(&g.facts), there: func(t topic) bool { return g.ofPage(t.subject(), therePart) == "yes" }}
	name, _, _ := x.intro.of(c, g)
	project := projectOf(&g.facts, g.Linked(), x.intro.readme, name)
	surfaces, _ := routed(g)
	x.system = project.system(g, routesOf(surfaces))
	x.spare, x.config.Others = present(c, &g.facts)
	return x.render()
}

// ofPage reads an excerpt of another page.
func (f *facts) ofPage(subject, part string) string {
	return f.excerpt(engine.Unit{Kind: PageKind, Subject: subject}, part)
}

// present lists the optional pages that exist: this plugin's, and others'.
func present(c Config, f *facts) (spare []Overview, others []Other) {
	others = slices.DeleteFunc(slices.Clone(c.Others), func(o Other) bool { return !o.there(f) })
	others = append(others, c.more(f)...)
	for _, o := range Overviews(c.Layout) {
		if !o.spare || f.ofPage(o.Subject, therePart) != "yes" {
			continue
		}
		if o.Subject == operationPage {
			o.About = cmp.Or(f.ofPage(o.Subject, headsPart), o.About)
		}
		spare = append(spare, o)
	}
	return spare, others
}

func (c Config) more(f *facts) (list []Other) {
	if c.More != nil && f.err == nil {
		list, f.err = c.More(f.r)
	}
	return list
}

func listPageOf(c Config, g *factGraph) string { return renderList(c, g) }

// problems lists broken links and diagrams that only the user can fix. A page that keeps an old text may have broken
// links: its banner says so, and they cannot be fixed before the module is readable again.
func (d *Docs) problems(subject string, g *factGraph, content []byte) []engine.Problem {
	exists := func(name string) bool {
		name = strings.TrimSuffix(name, "/")
		if m, ok := d.config.Layout.ModuleOf(name); ok {
			_, there := g.Title(m)
			return there
		}
		if t, ok := topicAt(d.config.Layout, name); ok { // the facts decide whether such a link works
			return t.module == "" || g.Parts(t.module).Named(t.part) >= 0
		}
		if _, ok := OverviewAt(d.config.Layout, name); ok {
			return true
		}
		there, spec := g.hasSpec(d.config.Layout, name)
		if spec {
			return there
		}
		there = ask(&g.facts, survey.Exists, name)
		named := func(o Other) bool { return o.Path == name }
		if i := slices.IndexFunc(d.config.Others, named); i >= 0 {
			there = d.config.Others[i].there(&g.facts)
		}
		return there || strings.HasPrefix(name, d.config.Layout.Docs+"/") && slices.ContainsFunc(d.config.more(&g.facts), named)
	}
	var out []engine.Problem
	for _, p := range pagecheck.Check([]pagecheck.Page{{Path: d.pathOfPage(subject), Content: content}}, exists) {
		out = append(out, engine.Problem{Because: fmt.Sprintf("line %d: %s", p.Line, p.What), Mend: p.Mend})
	}
	return out
}

// removePage removes the page of a removed module. Text that a user wrote on it stays.
func (d *Docs) removePage(subject string) (engine.Removal, error) {
	t, _ := topicOf(subject)
	return keep.Sole{Name: d.pathOfPage(subject), Docs: d.config.Layout.Docs, Left: d.farewell(t)}.Remove(d.files)
}

// farewell returns the page of a removed module, without the user's text.
func (d *Docs) farewell(t topic) string {
	title, says := canonical.Path(t.module), "This module was removed or moved to a shared page. See the list of modules."
	if t.module == "" || t.part != "" {
		title, says = canonical.Path(strings.TrimSuffix(path.Base(t.path(d.config.Layout)), ".md")), "The content of this page has moved to other pages."
	}
	return d.config.head("Removed Module", title) + "# " + title + "\n\n" + says + " Your notes below stay until you delete them.\n"
}
