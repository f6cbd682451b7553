package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/markdown"
)

const (
	footerOpen = "<details><summary>Why this page says what it says</summary>"
	bareMark   = "<!-- written by causal -->\n"
	// largest is how many bytes a page may have before it leaves out what the source shows as well.
	largest = 95 << 10
	// manySymbols is how many symbols a page lists one by one.
	manySymbols = 400
	// longOverview is how many bytes of a module's documentation a page shows that is too long.
	longOverview = 20 << 10
	// manyFiles is how many files a page shows without being asked to unfold them.
	manyFiles = 60
)

// detail is how much a page says of each symbol.
type detail int

const (
	everything detail = iota
	firstLines        // one sentence instead of the whole documentation
	tableOnly         // no section of its own
)

// page writes the page of one module.
type page struct {
	config Config
	node   *node.Node
	graph  engine.Graph
	detail detail
	b      strings.Builder
	slugs  markdown.Slugger
}

// renderPage is the page of a module, without keep blocks. It is a function of the node and its neighbours.
func renderPage(c Config, n *node.Node, g engine.Graph) string {
	text := ""
	for level := everything; level <= tableOnly; level++ {
		p := &page{config: c, node: n, graph: g, detail: level}
		if text = p.render(); len(text) <= largest {
			break
		}
	}
	return text
}

func (p *page) render() string {
	n := p.node
	p.frontMatter()
	p.heading(1, markdown.Escape(n.Module))
	p.line(markdown.Escape(n.Purpose))
	p.status()
	p.glance()
	p.overview()
	p.neighbourhood()
	p.api()
	p.behaviour()
	p.examples()
	p.tests()
	p.files()
	p.footer()
	return p.b.String()
}

func (p *page) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	p.b.WriteString(format)
	p.b.WriteString("\n\n")
}

func (p *page) heading(level int, text string) string {
	p.line(strings.Repeat("#", level) + " " + text)
	return p.slugs.Slug(plainHeading(text))
}

// plainHeading is a heading as its reader sees it, which is what anchors are made of.
func plainHeading(text string) string {
	return strings.NewReplacer("`", "", `\`, "").Replace(text)
}

func (p *page) frontMatter() {
	if !p.config.FrontMatter {
		p.b.WriteString(bareMark + "\n")
		return
	}
	n := p.node
	var f front
	f.open()
	f.text("type", pageType(n))
	f.text("title", n.Module)
	f.text("description", n.Purpose)
	f.text("resource", p.config.treeLink(n.Path))
	tags := []string{n.Language, "library"}
	if n.Kind != "" {
		tags[1] = n.Kind
	}
	f.list("tags", tags)
	f.sources(n)
	f.generated(n.LastVerified)
	p.b.WriteString(f.close())
}

func pageType(n *node.Node) string {
	noun := "Package"
	switch n.Kind {
	case kindCommand:
		noun = "Command"
	case kindTests:
		noun = "Tests"
	}
	return languageTitle(n.Language) + " " + noun
}

// status is the one line that says whether the page can be trusted.
func (p *page) status() {
	n := p.node
	if n.Stale != "" {
		since := ""
		if n.Commit != "" {
			since = ", of " + n.LastVerified
		}
		p.line("> ⚠ **Stale** · %s. What follows is the last text that could be read%s.", markdown.Escape(n.Stale), since)
		return
	}
	word := "**Fresh**"
	if problems := n.Problems(); len(problems) > 0 {
		word = "⚠ **Partial** · could not read all of " + markdown.Escape(strings.Join(problems, "; "))
	}
	parts := []string{word}
	if total, documented := p.documented(); total > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s documented", documented, count(total, "exported symbol")))
	}
	if code, _ := p.graph.Importers(n.Path); len(code) > 0 {
		parts = append(parts, "used by "+count(len(code), "module"))
	}
	if n.PurposeFrom == node.FromDerived {
		parts = append(parts, "nobody has described it yet: the sentence above is derived from what is in it")
	}
	p.line("> " + strings.Join(parts, " · "))
}

func (p *page) documented() (total, documented int) {
	for _, s := range p.node.PublicAPI {
		total++
		if s.Doc != "" {
			documented++
		}
	}
	return total, documented
}

func (p *page) glance() {
	n := p.node
	p.b.WriteString("| | |\n|---|---|\n")
	p.row("Language", languageTitle(n.Language))
	p.row("Directory", markdown.Link(markdown.Code(n.Path), p.config.dirLink(p.path(), n.Path)))
	if tests := p.testLine(); tests != "" {
		p.row("Tests", tests)
	}
	if deprecated := p.deprecated(); deprecated != "" {
		p.row("Deprecated", deprecated)
	}
	p.b.WriteString("\n")
}

func (p *page) row(name, value string) {
	p.b.WriteString("| " + name + " | " + markdown.Cell(value) + " |\n")
}

func (p *page) deprecated() string {
	var out []string
	for _, s := range p.node.PublicAPI {
		if s.Deprecated != "" {
			out = append(out, markdown.Code(s.Name))
		}
	}
	if len(out) > 10 {
		out = append(out[:10], fmt.Sprintf("%d more", len(out)-10))
	}
	return strings.Join(out, ", ")
}

// runs are the commands that run the tests of one directory.
var runs = map[string]string{"go": "go test ./%s", "python": "python -m pytest %s", "rust": "cargo test"}

func (p *page) testLine() string {
	n := p.node
	var parts []string
	if len(n.Tests) > 0 {
		parts = append(parts, count(len(n.Tests), "test")+" here")
	}
	if _, tests := p.graph.Importers(n.Path); len(tests) > 0 {
		var names []string
		for _, t := range tests {
			if t != n.Path {
				names = append(names, p.moduleLink(t))
			}
		}
		if len(names) > 5 {
			names = append(names[:5], fmt.Sprintf("%d more", len(names)-5))
		}
		if len(names) > 0 {
			parts = append(parts, "reached from the tests of "+strings.Join(names, ", "))
		}
	}
	if command, ok := runs[n.Language]; ok && len(n.Tests) > 0 {
		if strings.Contains(command, "%s") {
			command = fmt.Sprintf(command, strings.TrimPrefix(n.Path, "."))
		}
		parts = append(parts, markdown.Code(command))
	}
	return strings.Join(parts, " · ")
}

// overview is the module's own documentation, when it says more than its first sentence.
func (p *page) overview() {
	n := p.node
	if n.Doc == "" {
		return
	}
	doc := n.Doc
	if p.detail == tableOnly && len(doc) > longOverview {
		doc = doc[:max(strings.LastIndex(doc[:longOverview], "\n\n"), 0)]
	}
	text := markdown.Text(doc, n.Language)
	if strings.Contains(text, "\n\n") || len(text) > len(n.Purpose)+40 {
		p.heading(2, "Overview")
		p.line("%s", text)
	}
}

func (p *page) neighbourhood() {
	n := p.node
	importers, _ := p.graph.Importers(n.Path)
	if len(importers)+len(n.Dependencies) == 0 && len(n.External) == 0 {
		return
	}
	p.heading(2, "Where it stands")
	if len(importers)+len(n.Dependencies) > 0 {
		p.line("%s", neighbours(p.graph, n.Path, importers, n.Dependencies))
	}
	p.uses("Used by", importers)
	p.uses("Depends on", n.Dependencies)
	if len(n.External) > 0 {
		shown := n.External
		more := ""
		if len(shown) > 30 {
			shown, more = shown[:30], fmt.Sprintf(" and %d more", len(n.External)-30)
		}
		var names []string
		for _, e := range shown {
			names = append(names, markdown.Code(e))
		}
		p.line("From outside this repository: %s%s.", strings.Join(names, ", "), more)
	}
}

func (p *page) uses(what string, modules []string) {
	if len(modules) == 0 {
		return
	}
	var names []string
	for _, m := range modules {
		names = append(names, p.moduleLink(m))
	}
	if len(names) > 40 {
		p.line("<details><summary>%s %d modules</summary>\n\n%s\n\n</details>", what, len(names), strings.Join(names, ", "))
		return
	}
	p.line("%s %s.", what, strings.Join(names, ", "))
}

func (p *page) path() string { return p.config.Layout.Page(p.node.Path) }

// moduleLink links to another module's page, under its path: several modules may have one name.
func (p *page) moduleLink(module string) string {
	label := module
	s, ok := p.graph.Summary(module)
	if module == "." && ok {
		label = s.Title
	}
	if !ok {
		return markdown.Escape(label) // a text kept from before may name what is gone
	}
	return markdown.Link(markdown.Escape(label), relative(p.path(), p.config.Layout.Page(module)))
}

func (p *page) behaviour() {
	if len(p.node.Behaviour) == 0 {
		return
	}
	p.heading(2, "Behaviour")
	p.b.WriteString("| | |\n|---|---|\n")
	for _, kind := range []struct {
		kind  source.FactKind
		title string
	}{{source.Env, "Environment"}, {source.Flag, "Flags"}, {source.Route, "Routes"}, {source.Exit, "Exit codes"}} {
		var names []string
		files := map[string][]string{}
		for _, b := range p.node.Behaviour {
			if b.Kind != kind.kind {
				continue
			}
			if files[b.Name] == nil {
				names = append(names, b.Name)
			}
			files[b.Name] = append(files[b.Name], p.fileLink(b.File))
		}
		for i, name := range names {
			names[i] = markdown.Code(name) + " in " + strings.Join(slices.Compact(files[name]), ", ")
		}
		if len(names) > 0 {
			p.row(kind.title, strings.Join(names, "; "))
		}
	}
	p.b.WriteString("\n")
}

// fileLink links to a file of the module.
func (p *page) fileLink(base string) string {
	return markdown.Link(markdown.Code(base), p.config.fileLink(p.path(), path.Join(p.node.Path, base), "", ""))
}

// examples shows the examples that belong to the module as a whole; the others stand with their symbols.
func (p *page) examples() {
	var out []node.Example
	for _, e := range p.node.Examples {
		if e.Symbol == "" && e.Code != "" {
			out = append(out, e)
		}
	}
	if len(out) == 0 || p.detail > everything {
		return
	}
	p.heading(2, "Examples")
	for _, e := range out {
		p.example(e)
	}
}

func (p *page) example(e node.Example) {
	code := e.Code
	if e.Output != "" {
		code += "\n// Output: " + strings.ReplaceAll(e.Output, "\n", "\n// ")
	}
	if e.Doc != "" {
		p.line("%s", markdown.Text(e.Doc, p.node.Language))
	}
	p.line("%s", markdown.Fence(p.node.Language, code))
}

func (p *page) tests() {
	if len(p.node.Tests) == 0 || len(p.node.Tests) > 200 {
		return
	}
	p.heading(2, "Tests")
	var names []string
	for _, t := range p.node.Tests {
		names = append(names, markdown.Code(t))
	}
	text := strings.Join(names, ", ")
	if len(names) > 12 {
		text = fmt.Sprintf("<details><summary>%s</summary>\n\n%s\n\n</details>", count(len(names), "test"), text)
	}
	p.line("%s", text)
}

func (p *page) files() {
	p.heading(2, "Files")
	var rows, tests []string
	for _, s := range p.node.Sources {
		base := path.Base(s.Path)
		about := s.About
		switch s.Role {
		case "test":
			tests = append(tests, p.fileLink(base))
			continue
		case "", "readme":
		case "listed":
			about = languageTitle(s.Language) + ", not read"
			if s.Language == "" {
				about = "not read"
			}
		default:
			about = strings.TrimSpace(s.Role + ". " + about)
		}
		row := p.fileLink(base)
		if about != "" {
			row += ": " + markdown.Escape(about)
		}
		rows = append(rows, "- "+row)
	}
	if len(tests) > 0 {
		rows = append(rows, "- Tests: "+strings.Join(tests, ", "))
	}
	text := strings.Join(rows, "\n")
	if len(rows) > manyFiles {
		text = fmt.Sprintf("<details><summary>%s</summary>\n\n%s\n\n</details>", count(len(rows), "file"), text)
	}
	p.line("%s", text)
}

func (p *page) footer() {
	n := p.node
	p.line(footerOpen)
	p.line("The facts come from the files above, the words from the comments in them. The page is stale when")
	p.line("%s", markdown.Fence("", wrapCondition(n.InvalidationCondition)))
	p.line("Written by %s. %s tells the whole chain; %s holds what was read, with the content of each file by hash.",
		markdown.Code(n.Generator), markdown.Code("causal why "+shellWord(n.Path)),
		markdown.Link("the knowledge node", relative(p.path(), p.config.Layout.Node(n.Path))))
	p.b.WriteString("</details>\n")
}

// wrapCondition puts each alternative of a condition on a line of its own.
func wrapCondition(c string) string { return strings.ReplaceAll(c, " or ", "\nor ") }

// shellWord quotes a path that a shell would take apart.
func shellWord(s string) string {
	if strings.ContainsAny(s, " \t\n\"'$`\\&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
