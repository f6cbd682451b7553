package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// pageLink links to a module's page, or to its section on the page of its bundle.
func (c Config) pageLink(from string, g graph, module string) string {
	b := g.Bundle(module)
	link := relative(from, PageAbout(c.Layout, module, b))
	if b.Name != "" {
		link += "#" + bundleAnchor(module)
	}
	return link
}

// PageAbout returns the file of the page about a module; b is empty for a module in no bundle.
func PageAbout(l store.Layout, module string, b survey.Bundle) string {
	if b.Name == "" {
		return l.Page(module)
	}
	return l.Bundle(b.Dir, b.Name)
}

// bundleAnchor returns the anchor of a module's section. Modules of one directory have different names.
func bundleAnchor(module string) string {
	return "module-" + strings.ReplaceAll(markdown.Path(canonical.Path(path.Base(module))), "%", "-")
}

// symbolPage links to the documentation of a symbol that a file declares.
func (s *sheet) symbolPage(of source.Use, file, anchor string) string {
	link := s.pageLink(of.Module)
	parts := s.graph.Parts(of.Module)
	if i := parts.Of(file, of.Name); i >= 0 {
		link = s.to(s.config.Layout.Part(of.Module, parts.Parts[i].Name))
	}
	if anchor != "" && !strings.Contains(link, "#") {
		link += "#" + anchor
	}
	return link
}

type bundled struct {
	sheet
	slugs markdown.Slugger
}

// bundlePage returns the generated part of a bundle's page. kept reports whether a part of it is an earlier text.
func (d *Docs) bundlePage(in engine.Input, c Config, g *factGraph, b survey.Bundle) (generated, title string, kept bool, err error) {
	modules, err := survey.BundledOf(in, b)
	if err != nil || len(modules) == 0 {
		return "", "", false, err
	}
	if b, err = survey.BundleOf(in, modules[0]); err != nil {
		return "", "", false, err
	}
	var nodes []*node.Node
	for _, m := range modules {
		known, err := moduleIn(in, m)
		if err != nil {
			return "", "", false, err
		}
		n, err := known.whole()
		if err != nil {
			return "", "", false, err
		}
		kept = kept || !n.Fresh()
		nodes = append(nodes, n)
	}
	title = bundleTitle(b)
	return renderBundle(c, g, b, nodes), "the page " + title, kept, nil
}

// bundleTitle returns the authors' name of the category, or else the directory.
func bundleTitle(b survey.Bundle) string {
	if b.Title != "" {
		return b.Title + numbered(b.Name)
	}
	if b.Dir == "." {
		return "Small modules" + numbered(b.Name)
	}
	return "Small modules of " + canonical.Path(b.Dir) + numbered(b.Name)
}

// numbered returns the numeric suffix of a bundle's name, if it is not the first of its kind.
func numbered(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || strings.Trim(name[i+1:], "0123456789") != "" {
		return ""
	}
	return " " + name[i+1:]
}

// renderBundle writes a line for each thin module and a section for each other one.
func renderBundle(c Config, g graph, b survey.Bundle, nodes []*node.Node) string {
	x := &bundled{sheet: newSheet(c, g, c.Layout.Bundle(b.Dir, b.Name))}
	title := bundleTitle(b)
	about := "The small modules of " + canonical.Path(b.Dir) + ", on one page."
	if b.Title != "" {
		about = "The modules of " + canonical.Path(b.Dir) + " in the category " + b.Title + "."
	}
	x.b.WriteString(c.head("Modules", title))
	x.b.WriteString("# " + markdown.Escape(title) + "\n\n")
	x.slugs.Slug(plainHeading(markdown.Escape(title)))
	var lines, sections []string
	for _, n := range nodes {
		p := modulePage(c, newOutline(n, undivided), g)
		p.path = x.path
		if thin(p) {
			lines = append(lines, x.line(p))
			continue
		}
		lines = append(lines, "- "+markdown.Link(markdown.Code(lastName(n)), "#"+bundleAnchor(n.Path))+"\n  — "+purposeLine(summaryOf(n))+"\n")
		sections = append(sections, x.section(p))
	}
	x.b.WriteString(markdown.Escape(about) + paragraph)
	x.b.WriteString(strings.Join(lines, "") + "\n" + strings.Join(sections, "") + x.happened(nodes))
	x.b.WriteString("`causal why` shows the evidence and the condition of each.\n")
	return x.b.String()
}

func lastName(n *node.Node) string { return canonical.Path(path.Base(n.Path)) }

// thin reports whether one line covers a module.
func thin(p *page) bool {
	for _, e := range p.entries {
		if !e.Inside && p.hasSection(e) {
			return false
		}
	}
	return p.node.Stale == "" && !hasProse(p.node) && p.testedRows() == "" && len(p.node.Problems()) == 0 && len(p.entries) <= mostThin
}

// mostThin bounds the symbols that a module's line names.
const mostThin = 4

// purposeOf returns the purpose of a module, in italics if it is derived.
func purposeOf(n *node.Node) string {
	if n.PurposeFrom == node.FromDerived && n.Purpose != "" {
		return "*" + markdown.Escape(n.Purpose) + "*"
	}
	return markdown.Escape(n.Purpose)
}

func (x *bundled) line(p *page) string {
	n := p.node
	text := `- <a id="` + bundleAnchor(n.Path) + `"></a>` + markdown.Link(markdown.Code(lastName(n)), p.dirLink(n.Path)) + "\n  — "
	var says []string
	if about := purposeOf(n); about != "" && (n.PurposeFrom != node.FromDerived || len(p.entries) == 0) {
		says = append(says, about)
	}
	for _, e := range p.entries {
		about := p.about(e)
		if about == markdown.Escape(n.Purpose) {
			about = ""
		}
		says = append(says, strings.TrimSpace(markdown.Link(markdown.Code(p.name(e.Symbol)), p.sourceLink(e.Symbol))+" "+about))
	}
	return text + strings.Join(says, "; ") + "\n"
}

func (x *bundled) section(p *page) string {
	n := p.node
	p.slugs = x.slugs
	var b strings.Builder
	b.WriteString(`## <a id="` + bundleAnchor(n.Path) + `"></a>` + markdown.Escape(lastName(n)) + paragraph)
	p.slugs.Slug(plainHeading(markdown.Escape(lastName(n))))
	if about := p.purposeText(); about != "" && !p.repeats() {
		b.WriteString(about + paragraph)
	}
	for _, slot := range []string{overviewSlot, howSlot} {
		if text := p.prose(slot); text != "" {
			b.WriteString(text + paragraph)
		}
	}
	facts := []string{markdown.Link(markdown.Code(canonical.Path(n.Path)), p.dirLink(n.Path))}
	if imports := p.imports(); imports != "" {
		facts = append(facts, "import "+imports)
	}
	if len(p.importers) > 0 {
		facts = append(facts, "used by "+x.modules(p.importers))
	}
	if len(n.Dependencies) > 0 {
		facts = append(facts, "uses "+x.modules(n.Dependencies))
	}
	b.WriteString(strings.Join(facts, " · ") + paragraph)
	p.b = strings.Builder{}
	p.status()
	b.WriteString(p.b.String())
	in, _ := apart(p.entries)
	parts := p.ordered(in)
	slices.SortStableFunc(parts, func(a, b part) int { return rankOf(p.namesakes(b)) - rankOf(p.namesakes(a)) })
	p.place(parts)
	for _, t := range parts {
		for _, e := range t.entries {
			if e.anchor == "" {
				b.WriteString(p.item(part{kinds: true}, e) + "\n")
				continue
			}
			p.symbol(&b, e)
		}
	}
	if rows := p.testedRows(); rows != "" {
		b.WriteString(testedHeading + ":" + paragraph + rows + paragraph)
	}
	x.slugs = p.slugs
	return b.String()
}

// repeats reports whether the purpose repeats the documentation of one of the module's symbols.
func (p *page) repeats() bool {
	return slices.ContainsFunc(p.entries, func(e *entry) bool { return !e.Inside && p.docOf(e).Summary() == markdown.Escape(p.node.Purpose) })
}

// namesakes reports whether the list has the symbol that carries the module's name.
func (p *page) namesakes(t part) bool {
	return slices.ContainsFunc(t.entries, func(e *entry) bool { return p.name(e.Symbol) == lastName(p.node) })
}

const fewModules = 6

// modules links to modules, the first fewModules by name.
func (x *bundled) modules(list []string) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b string) int {
		return rankOf(isExample(Summary{Path: a})) - rankOf(isExample(Summary{Path: b}))
	})
	var links []string
	for _, m := range list[:min(len(list), fewModules)] {
		links = append(links, markdown.Link(markdown.Escape(cmp.Or(label(x.graph, m), m)), x.pageLink(m)))
	}
	if len(list) > fewModules {
		links = append(links, "others")
	}
	return strings.Join(links, ", ")
}
