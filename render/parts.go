package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// surfaces are the sections of the behaviour surface.
var surfaces = []struct {
	kind  source.FactKind
	title string
	page  string // the overview with the details
}{
	{source.Env, "Environment", operationPage}, {source.Flag, "Flags", CommandPage}, {source.Route, "Routes", operationPage},
	{source.Job, "Jobs", operationPage},
	{source.Exit, "Exit codes", operationPage}, {source.Data, "Tables and models", dataPage},
}

func (p *page) behaviour() {
	var rows []string
	told := map[bool]bool{false: encodeSurface(p.node) != "", true: encodeData(p.node) != ""} // by the operator pages and the data page
	for _, s := range surfaces {
		text := p.surface(s.kind)
		if text == "" {
			continue
		}
		title := s.title
		if told[s.page == dataPage] {
			title = markdown.Link(title, p.to(p.config.Layout.Overview(s.page)))
		}
		rows = append(rows, title, text)
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Behaviour")
	p.b.WriteString("| | |\n|---|---|\n")
	for i := 0; i < len(rows); i += 2 {
		p.row(rows[i], rows[i+1])
	}
	p.b.WriteString("\n")
}

// surface lists the names of one kind, grouped by files.
func (p *page) surface(kind source.FactKind) string {
	files := map[string][]string{}
	var names []string
	elements := p.node.Behaviour
	if kind == source.Route {
		elements = ownRoutes(p.node)
	}
	for _, b := range elements {
		if kind == source.Env {
			b.Name = source.Fill(b.Name, func(string) string { return source.Unknown })
		}
		if b.Kind != kind || b.Name == "" || kind == source.Exit && !isTelling(b) || b.Kind == source.Data && b.Usage != "" || b.Of != "" && (b.Kind == source.Env || b.Kind == source.Exit) { // it is unknown here whether the called function reads it
			continue
		}
		if files[b.Name] == nil {
			names = append(names, b.Name)
		}
		if !slices.Contains(files[b.Name], b.File) {
			files[b.Name] = append(files[b.Name], b.File)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return slices.Compare(files[a], files[b]) })
	var out []string
	for i, name := range names {
		text := nameCell(name)
		if i+1 == len(names) || !slices.Equal(files[name], files[names[i+1]]) {
			var links []string
			for _, f := range files[name] {
				links = append(links, p.fileLink(f))
			}
			text += " in " + list(links) + ";"
		} else {
			text += ","
		}
		out = append(out, text)
	}
	shown, more := few(out, listBytes)
	text := strings.TrimRight(strings.Join(shown, " "), ",;")
	if more > 0 {
		text += " and others"
	}
	if kind == source.Route && slices.ContainsFunc(elements, func(b node.Behavior) bool { return b.Of != "" && b.Of != source.Program }) {
		text += ", without prefixes that other modules add"
	}
	return text
}

func (p *page) fileLink(base string) string {
	return markdown.Link(markdown.Code(canonical.Path(base)), p.wayTo(base, "", ""))
}

// wayTo returns the target of a link to a file of the module, cached since most files are linked often.
func (p *page) wayTo(base, commit, lines string) string {
	if p.config.Repository != "" && commit != "" {
		return p.config.fileLink(p.path, path.Join(p.node.Path, base), commit, lines)
	}
	way, known := p.ways[base]
	if !known {
		way = p.to(path.Join(p.node.Path, base))
		p.ways[base] = way
	}
	return way
}

// examplesOf groups the examples by symbol; those of the module as a whole are under "".
func examplesOf(n *node.Node) map[string][]node.Example {
	out := map[string][]node.Example{}
	for _, e := range n.Examples {
		if e.Code != "" {
			out[e.Symbol] = append(out[e.Symbol], e)
		}
	}
	return out
}

// examples writes the examples of the module as a whole.
func (p *page) examples() {
	out := p.shown[""]
	if len(out) == 0 {
		return
	}
	p.heading(2, "Examples")
	p.b.WriteString(p.exampleTexts(out))
}

// exampleTexts writes examples while there is room.
func (p *page) exampleTexts(all []node.Example) string {
	var texts []string
	for _, e := range all[:min(len(all), mostExamples)] {
		texts = append(texts, p.exampleText(e))
	}
	texts, more := few(texts, exampleBytes)
	if more > 0 || len(all) > mostExamples {
		texts = append(texts, "More examples in "+p.nodeLink()+".\n\n")
	}
	return strings.Join(texts, "")
}

func (p *page) exampleText(e node.Example) string {
	if e.Path != "" {
		return p.quotation(e)
	}
	code, language := e.Code, p.node.Language
	if e.Output != "" {
		code += "\n// Output: " + strings.ReplaceAll(e.Output, "\n", "\n// ")
	}
	text := markdown.Fence(language, code) + paragraph
	if e.Doc != "" {
		text = markdown.Text(e.Doc, language) + paragraph + text
	}
	return text
}

const (
	// manyTests bounds the tests, and their files, that a page shows unfolded.
	manyTests = 12
	// manyFiles bounds the files that a page shows unfolded.
	manyFiles = 60
)

func (p *page) tests() {
	if len(p.node.Tests) == 0 {
		return
	}
	p.heading(2, "Tests")
	text := run("", coded(p.node.Tests))
	if len(p.node.Tests) > manyTests {
		text = fold("All tests", text)
	}
	p.line(text)
}

func (p *page) files() {
	p.heading(2, "Files")
	var rows, tests []string
	for _, s := range p.node.Sources {
		if s.Role == "test" {
			tests = append(tests, p.fileLink(path.Base(s.Path)))
			continue
		}
		s.Language = cmp.Or(s.Language, p.node.Language) // empty means the module's
		row := "- " + p.fileLink(path.Base(s.Path))
		if about := aboutFile(s); about != "" {
			row += ":\n  " + about
		}
		rows = append(rows, row)
	}
	rows, more := few(rows, listBytes)
	if more > 0 {
		rows = append(rows, "- Other files in "+p.nodeLink())
	}
	if len(tests) > 0 && len(tests) <= manyTests {
		rows = append(rows, strings.ReplaceAll(run("- Tests:", tests), "\n", "\n  "))
	}
	text := strings.Join(rows, "\n")
	if len(rows) > manyFiles {
		text = fold("All files", text)
	}
	if len(tests) > manyTests {
		text = strings.TrimLeft(text+paragraph+fold("Files with tests", run("", tests)), "\n")
	}
	p.line("%s", text)
}

// aboutFile returns the role of a file and its documentation. It lists no declarations: two branches that each add one
// would conflict.
func aboutFile(s node.Source) string {
	var parts []string
	switch s.Role {
	case "", "readme":
	case roleListed:
		return strings.TrimPrefix(LanguageTitle(s.Language)+", not read", ", ")
	default:
		parts = append(parts, markdown.Escape(s.Role))
	}
	if s.About != "" {
		parts = append(parts, markdown.Escape(s.About))
	}
	return strings.Join(parts, ". ")
}
