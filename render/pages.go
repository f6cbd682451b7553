package render

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/pagecheck"
)

// PageUnit is the page of a module. The subject of a module that is called like an overview begins with "./".
func PageUnit(module string) engine.Unit {
	if reserved(module) {
		module = "./" + module
	}
	return engine.Unit{Kind: PageKind, Subject: module}
}

// ModuleOfPage is the module that a page is about; false for an [Overview].
func ModuleOfPage(subject string) (module string, ok bool) {
	return strings.TrimPrefix(subject, "./"), !reserved(subject)
}

// PathOfPage is the file of a page.
func PathOfPage(l store.Layout, subject string) string {
	if o, ok := overviewOf(l, subject); ok {
		return o.Path
	}
	module, _ := ModuleOfPage(subject)
	return l.Page(module)
}

// Page is the body of what is concluded about a page: what is generated of it, and what people wrote on it.
type Page struct {
	generated string
	keeps     []keep.Block
}

func (d *Docs) pageKind() engine.Kind {
	return engine.Kind{
		Name: PageKind, Derived: true, Subjects: d.pages,
		Generator: func(engine.Reader, string) (string, error) { return Version, nil },
		Path:      d.pathOfPage, Owner: d.ownerOfPage, Load: d.loadPage, Remove: d.removePage,
	}
}

// pages lists one for each module, and the overviews.
func (d *Docs) pages(r engine.Reader) ([]string, error) {
	value, err := r.Read(engine.UnitsOf(ModuleKind))
	if err != nil {
		return nil, err
	}
	modules, _ := value.([]string)
	var out []string
	for _, o := range Overviews(d.config.Layout) {
		out = append(out, o.Subject)
	}
	for _, m := range modules {
		out = append(out, PageUnit(m).Subject)
	}
	return out, nil
}

func (d *Docs) pathOfPage(subject string) string {
	return PathOfPage(d.config.Layout, subject)
}

func (d *Docs) ownerOfPage(file string) (string, bool) {
	if o, ok := OverviewAt(d.config.Layout, file); ok {
		return o.Subject, true
	}
	if !d.config.Layout.IsPage(file) {
		return "", false
	}
	module, ok := d.config.Layout.ModuleOf(file)
	return PageUnit(module).Subject, ok
}

func (d *Docs) loadPage(_ engine.Reader, subject string) (*engine.Conclusion, error) {
	name := d.pathOfPage(subject)
	page, blocked, err := keep.Read(d.files, name)
	if page == nil {
		if o, ok := overviewOf(d.config.Layout, subject); ok && o.spare && err == nil && blocked == nil { // there is nothing to say
			return &engine.Conclusion{
				Text: o.Name, Body: &Page{}, Digest: pageDigest(""), Confidence: 1, Condition: anyChange, Excerpts: pageExcerpts(""),
			}, nil
		}
		if err != nil || blocked == nil {
			return nil, err
		}
		return &engine.Conclusion{Blocked: blocked}, nil
	}
	return &engine.Conclusion{
		Text: "the page " + name, Body: &Page{page.Generated, page.Keeps}, Digest: pageDigest(page.Generated), Confidence: 1, Condition: anyChange,
		Excerpts: pageExcerpts(page.Generated),
	}, nil
}

// The parts of a page that other pages rest on.
const (
	therePart  = "there"  // that it is there, which it need not be
	pointsPart = "points" // what the entry page shows of the extension points
)

func pageExcerpts(generated string) map[string]string {
	out := map[string]string{therePart: ""}
	if generated != "" {
		out[therePart] = "yes"
	}
	if points := glanceOf(generated); points != "" {
		out[pointsPart] = points
	}
	return out
}

// pageDigest is the digest of what is generated of a page. Blank lines do not count: keep blocks bring some with them.
func pageDigest(generated string) string { return fact.Digest(keep.Squeeze(generated)) }

// concludePage makes a page, with what people wrote on it, and checks its links and diagrams.
func (d *Docs) concludePage(in engine.Input) (engine.Conclusion, error) {
	c, err := d.config.of(in)
	if err != nil {
		return engine.Conclusion{}, err
	}
	g := &factGraph{r: in}
	var generated, title string
	var kept bool
	if o, ok := overviewOf(c.Layout, in.Unit.Subject); ok {
		title = o.Name
		generated, err = o.write(in, c, g)
	} else {
		module, _ := ModuleOfPage(in.Unit.Subject)
		generated, title, kept, err = modulePage(in, c, g, module)
	}
	if err = errors.Join(g.err, err); err != nil {
		return engine.Conclusion{}, err
	}
	page := &Page{generated: generated}
	if in.Previous != nil && in.Previous.Body != nil {
		page.keeps = in.Previous.Body.(*Page).keeps
	}
	if generated == "" && len(page.keeps) > 0 {
		generated = c.head("Empty page", title, "", "") + "# " + upper(title) + "\n\nThere is nothing to say here any more. The notes below are kept until somebody removes them.\n"
		page.generated = generated
	}
	content := []byte(keep.Join(generated, page.keeps))
	out := engine.Conclusion{
		Text: title, Body: page, Digest: pageDigest(generated), Confidence: 1, Condition: anyChange, Excerpts: pageExcerpts(generated),
	}
	if !kept {
		out.Blocked = d.problems(in, g, content)
	}
	return out, g.err
}

// anyChange is the condition of pages: they follow from what was read and from nothing else.
var anyChange = Vocabulary.Call("evidence_changed").String()

// modulePage is the page of a module without what people wrote on it. kept says that it shows an earlier text.
func modulePage(in engine.Input, c Config, g *factGraph, module string) (generated, title string, kept bool, err error) {
	value, err := in.Read(engine.ConclusionOf(ModuleUnit(module)))
	if err != nil {
		return "", "", false, err
	}
	m, ok := value.(*Module)
	if !ok {
		return "", "", false, fmt.Errorf("nothing is known of module %s", module)
	}
	n, err := m.whole()
	if err != nil {
		return "", "", false, err
	}
	return renderPage(c, n, g), "the page of " + n.Module, !n.Fresh(), nil
}

// indexPageOf is the entry page without what people wrote on it.
func indexPageOf(in engine.Input, c Config, g *factGraph) (string, error) {
	readme, err := survey.ReadmeOf(in, ".")
	if err != nil {
		return "", err
	}
	var failed error
	manifest := func(name string) []byte {
		content, err := survey.Blob(in, name)
		failed = errors.Join(failed, err)
		return content
	}
	c.Others = slices.DeleteFunc(slices.Clone(c.Others), func(o Other) bool {
		there, err := o.there(in)
		failed = errors.Join(failed, err)
		return !there
	})
	var spare []Overview
	for _, o := range Overviews(c.Layout) {
		if !o.spare {
			continue
		}
		there, err := in.Read(engine.ExcerptOf(engine.Unit{Kind: PageKind, Subject: o.Subject}, therePart))
		if failed = errors.Join(failed, err); there == "yes" {
			spare = append(spare, o)
		}
	}
	x := indexPage{config: c, graph: g, spare: spare, intro: introduction{readme, manifest}, usage: func(module string) []string {
		names, err := survey.UsageOf(in, module)
		failed = errors.Join(failed, err)
		return names
	}, flows: g.Flows}
	points, err := in.Read(engine.ExcerptOf(engine.Unit{Kind: PageKind, Subject: extensionPage}, pointsPart))
	failed = errors.Join(failed, err)
	x.points, _ = points.(string)
	text := x.render()
	return text, failed
}

// listPageOf is the list of modules without what people wrote on it.
func listPageOf(_ engine.Input, c Config, g *factGraph) (string, error) { return renderList(c, g), nil }

// problems are what is wrong with the links and diagrams of a page and can be mended only by a person. A page that keeps an old
// text may lead to what is gone: that is what its banner says, and nobody can mend it before the module can be read again.
func (d *Docs) problems(in engine.Input, g *factGraph, content []byte) []engine.Problem {
	exists := func(name string) bool {
		name = strings.TrimSuffix(name, "/")
		if m, ok := d.config.Layout.ModuleOf(name); ok {
			_, there := g.Title(m)
			return there
		}
		if _, ok := OverviewAt(d.config.Layout, name); ok {
			return true
		}
		there, err := survey.Exists(in, name)
		if i := slices.IndexFunc(d.config.Others, func(o Other) bool { return o.Path == name }); i >= 0 {
			there, err = d.config.Others[i].there(in)
		}
		g.err = errors.Join(g.err, err)
		return there
	}
	var out []engine.Problem
	for _, p := range pagecheck.Check([]pagecheck.Page{{Path: d.pathOfPage(in.Unit.Subject), Content: content}}, exists) {
		if p.Severity == pagecheck.Error {
			out = append(out, engine.Problem{Because: fmt.Sprintf("line %d: %s", p.Line, p.What), Mend: p.Mend})
		}
	}
	return out
}

// removePage removes the page of a module that is no more. Words that a person left on it stay.
func (d *Docs) removePage(subject string, write bool) (engine.Removal, error) {
	name := d.pathOfPage(subject)
	old, err := d.files.Read(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrOccupied) || err == nil && !keep.Ours(old) {
		return engine.Removal{}, nil
	}
	if err != nil {
		return engine.Removal{}, err
	}
	_, keeps, err := keep.Split(old)
	if err != nil {
		return engine.Removal{Blocked: []engine.Problem{{Because: err.Error(), Mend: "edit " + name}}}, nil
	}
	if len(keeps) == 0 {
		if write {
			err = d.files.Remove(name, d.config.Layout.Docs)
		}
		return engine.Removal{Done: true}, err
	}
	module, _ := ModuleOfPage(subject)
	text := keep.Join(d.farewell(module), keeps)
	if string(old) == text {
		return engine.Removal{}, nil
	}
	if write {
		_, err = d.files.Write(name, []byte(text))
	}
	return engine.Removal{Written: true}, err
}

// farewell is the page of a module that is gone but for what a person wrote on its page.
func (d *Docs) farewell(module string) string {
	title := canonical.Path(module)
	return d.config.head("Removed Module", title, "", "") + strings.Join([]string{
		"# " + title + "\n", "This module is no longer there. The notes below are kept until somebody removes them.\n",
	}, "\n")
}
