package render

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// fold hides a text behind a summary. MkDocs needs the markdown attribute, and the summary on a separate line.
func fold(summary, text string) string {
	text = markdown.Folded(text)
	return "<details markdown=\"1\">\n<summary>" + summary + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>"
}

// sheet is a page that is being written.
type sheet struct {
	config Config
	graph  graph
	path   string
	b      strings.Builder
}

func newSheet(c Config, g graph, path string) sheet { return sheet{config: c, graph: g, path: path} }

func (s *sheet) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	s.b.WriteString(format)
	s.b.WriteString("\n\n")
}

// text returns the page with one end of line at its end.
func (s *sheet) text() string { return strings.TrimRight(s.b.String(), "\n") + "\n" }

func (s *sheet) to(file string) string { return relative(s.path, file) }

func (s *sheet) dirLink(dir string) string {
	if dir == "." {
		return strings.TrimSuffix(s.to("x"), "x")
	}
	return s.to(dir) + "/"
}

func (s *sheet) pageLink(module string) string { return s.config.pageLink(s.path, s.graph, module) }

// moduleCode links to a module by its path.
func (s *sheet) moduleCode(module string) string {
	return markdown.Link(markdown.Code(label(s.graph, module)), s.pageLink(module))
}

// page writes the page of one module, or of a part of it.
type page struct {
	*outline
	sheet

	entries []*entry
	part    int // -1 for the page of the module
	// importers are the modules that use this one, testers those whose tests do.
	importers, testers []string
	slugs              markdown.Slugger
	// ways caches links to files; added holds the extensions of other modules, computed on first use.
	ways   map[string]string
	added  *plugged
	quoted map[string]shownAt // the sections that show quotations, by content
}

func newPage(c Config, o *outline, g graph) *page {
	importers, testers := g.Importers(o.node.Path)
	return &page{
		outline: o, sheet: newSheet(c, g, c.Layout.Page(o.node.Path)), importers: importers, testers: testers,
		ways: map[string]string{}, quoted: map[string]shownAt{}, part: -1,
	}
}

func modulePage(c Config, o *outline, g graph) *page {
	p := newPage(c, o, g)
	p.entries = entries(o.node.PublicAPI)
	return p
}

// renderPage returns the page of a module without keep blocks. It is a pure function of the node, its parts and its
// neighbours.
func renderPage(c Config, o *outline, g graph) string {
	p := modulePage(c, o, g)
	n := o.node
	p.frontMatter()
	p.heading(1, markdown.Escape(n.Module))
	if about := p.purposeText(); about != "" {
		p.line("%s", about)
	}
	for _, part := range []func(){
		p.status, p.glance, p.overview, p.flows, p.api, p.registers, p.behaviour, p.examples, p.neighbourhood, p.happened, p.tested, p.tests, p.files, p.proseNote, p.footer,
	} {
		part()
	}
	return p.b.String()
}

func renderPart(c Config, o *outline, g graph, part int) string {
	return newPage(c, o, g).partPage(part).partText()
}

func (p *page) heading(level int, text string) string {
	p.line("######"[:level] + " " + text)
	return p.slugs.Slug(plainHeading(text))
}

// plainHeading returns the rendered text of a heading, from which anchors are made.
func plainHeading(text string) string {
	return html.UnescapeString(unmarked.Replace(text))
}

var unmarked = strings.NewReplacer("`", "", `\`, "")

func (p *page) frontMatter() {
	n := p.node
	p.b.WriteString(p.config.head(pageType(n), n.Module))
}

func pageType(n *node.Node) string {
	noun := upper(moduleNoun(n.Language))
	switch n.Kind {
	case kindCommand:
		noun = "Command"
	case kindTests:
		noun = "Tests"
	}
	return LanguageTitle(n.Language) + " " + noun
}

func (p *page) glance() {
	n := p.node
	p.b.WriteString("| | |\n|---|---|\n")
	if imports := p.imports(); imports != "" {
		p.row("Import", imports)
	}
	p.row("Language", LanguageTitle(n.Language))
	p.row("Directory", markdown.Link(markdown.Code(canonical.Path(n.Path)), p.dirLink(n.Path)))
	if tests := p.testLine(); tests != "" {
		p.row("Tests", tests)
	}
	if deprecated := p.deprecated(); deprecated != "" {
		p.row("Deprecated", deprecated)
	}
	p.b.WriteString("\n")
}

// imports returns the import line for the symbols of the page, without members: the most common import first, the
// others with their symbols. It is empty if there are too many.
func (p *page) imports() string {
	names := map[string][]string{}
	for _, e := range p.entries {
		if e.Import != "" && e.Kind != source.Method {
			names[e.Import] = append(names[e.Import], markdown.Code(lastElement(e.Name)))
		}
	}
	if len(names) > fewNames {
		return ""
	}
	all := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(len(names[b])-len(names[a]), strings.Compare(a, b)) })
	for i, imported := range all {
		all[i] = markdown.Code(imported)
		if i > 0 {
			all[i] += " for " + someNames(names[imported])
		}
	}
	return strings.Join(all, "; ")
}

func (p *page) row(name, value string) {
	p.b.WriteString("| " + name + " | " + markdown.Cell(value) + " |\n")
}

func (p *page) deprecated() string {
	var out []string
	for i := range p.node.PublicAPI {
		if s := &p.node.PublicAPI[i]; s.Deprecated != "" {
			out = append(out, markdown.Code(p.name(s)))
		}
	}
	return firstOf(out, 10)
}

func (p *page) testLine() string {
	n := p.node
	var parts []string
	if len(n.Tests) > 0 {
		parts = append(parts, "in this directory")
	}
	var names []string
	for _, t := range p.testers {
		if t != n.Path {
			names = append(names, p.moduleLink(t))
		}
	}
	if len(names) > 0 {
		parts = append(parts, "reached from the tests of "+firstOf(names, 5))
	}
	if command := source.TraitsOf(n.Language).Test; command != nil && len(n.Tests) > 0 {
		parts = append(parts, markdown.Code(command(shellWord(n.Path))))
	}
	return strings.Join(parts, " · ")
}

// overview writes the module's documentation, if it says more than the purpose.
func (p *page) overview() {
	n := p.node
	if n.Doc == "" {
		p.written("Overview", overviewSlot)
		return
	}
	doc, more := opening(n.Doc, overviewBytes, paragraph, "\n", " ")
	read := markdown.Read(doc, n.Language)
	text, said := strings.CutPrefix(read.Text(), read.Summary()+paragraph)
	if said || strings.Contains(text, paragraph) || len(text) > len(n.Purpose)+40 {
		p.heading(2, "Overview")
		p.line(text)
	}
	if more {
		p.line("… The rest is in %s.", p.nodeLink())
	}
}

const paragraph = "\n\n"
