package render

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// renderIndex is the entry page. It has one line of each module, and no date: branches that work on different modules rarely meet
// here.
func renderIndex(c Config, g graph, intro introduction) string {
	text := ""
	for _, b := range brevities {
		x := &indexPage{config: c, graph: g, brevity: b}
		if text = x.render(intro); len(text) <= largestIndex {
			break
		}
	}
	return text
}

// brevity is how the entry page of a large repository is kept to a size.
type brevity struct {
	longest int // how many characters a module's line may have, 0 for any number
	family  int // how many modules of one directory have a line each, 0 for any number
	depth   int // how many segments of the path count for that, 0 for all
}

var brevities = []brevity{
	{}, {longest: 100}, {longest: 40}, {longest: 40, family: 100}, {longest: 40, family: 20}, {longest: 40, family: 4},
	{40, 1, 3}, {40, 1, 2}, {40, 1, 1},
}

// familyOf is the directory of a module whose lines it may have to share.
func (x *indexPage) familyOf(m Summary) string {
	dir := path.Dir(m.Path)
	segments := strings.Split(dir, "/")
	if x.depth == 0 || len(segments) <= x.depth {
		return dir
	}
	return strings.Join(segments[:x.depth], "/")
}

// largestIndex is how many bytes the entry page may have before its lines are cut and then shared: GitHub shows half a
// megabyte.
const largestIndex = 400 << 10

func (x *indexPage) render(intro introduction) string {
	modules := x.graph.Modules()
	name, about := intro.of(x.config, x.graph)
	x.frontMatter(name, about)
	x.line("# " + markdown.Escape(name))
	if about != "" {
		x.line(markdown.Escape(about))
	}
	if len(modules) == 0 {
		x.line("There is no source in a programming language here yet.")
	}
	x.architecture(modules)
	derived := false
	for _, s := range shelves {
		derived = x.table(s, modules) || derived
	}
	if derived {
		x.line("Lines in italics are derived from what is in the module: nobody has described it yet.")
	}
	x.others()
	return strings.TrimRight(x.b.String(), "\n") + "\n"
}

// shelves are the tables of the entry page. A module stands in the first that wants it.
var shelves = []shelf{
	{"Entry points", func(s Summary) bool { return s.Kind == kindCommand && !isExample(s) }},
	{"Modules", func(s Summary) bool { return s.Kind == "" && !isExample(s) }},
	{"Examples", func(s Summary) bool { return s.Kind != kindTests && isExample(s) }},
	{"Tests", func(s Summary) bool { return s.Kind == kindTests }},
}

type shelf struct {
	heading string
	want    func(Summary) bool
}

var exampleDir = regexp.MustCompile(`(^|/)_?(example|examples|demo|demos|sample|samples)(/|$)`)

// isExample reports whether a module is there to show how others are used.
func isExample(s Summary) bool { return exampleDir.MatchString(withoutPackages(s.Path)) }

type indexPage struct {
	config Config
	graph  graph
	brevity
	b strings.Builder
}

func (x *indexPage) line(s string) { x.b.WriteString(s + "\n\n") }

func (x *indexPage) frontMatter(name, about string) {
	if !x.config.FrontMatter {
		x.b.WriteString(keep.Mark + "\n")
		return
	}
	var f front
	f.open()
	f.text("type", "Repository")
	f.text("title", name)
	f.text("description", about)
	f.text("resource", x.config.treeLink("."))
	f.by()
	x.b.WriteString(f.close())
}

func (x *indexPage) architecture(modules []Summary) {
	fence, note := architecture(modules)
	if fence == "" {
		return
	}
	x.line("## Architecture")
	x.line(fence)
	if note != "" {
		x.line(note)
	}
}

// table lists the modules of one shelf and reports whether a line of it is derived.
func (x *indexPage) table(s shelf, modules []Summary) (derived bool) {
	modules = slices.DeleteFunc(slices.Clone(modules), func(m Summary) bool { return !s.want(m) })
	if len(modules) == 0 {
		return false
	}
	x.line("## " + s.heading)
	x.b.WriteString("| Module | What it is for |\n|---|---|\n")
	families := map[string]int{}
	for _, m := range modules {
		families[x.familyOf(m)]++
	}
	told := map[string]bool{}
	for _, m := range modules {
		dir := x.familyOf(m)
		if n := families[dir]; x.family == 0 || n <= x.family {
			derived = x.row(m) || derived
		} else if !told[dir] {
			told[dir] = true
			x.b.WriteString("| " + markdown.Cell(markdown.Code(canonical.Path(dir)+"/…")) + " | " + "its modules have a page each |\n")
		}
	}
	x.b.WriteString("\n")
	return derived
}

// others lists the pages of other plugins.
func (x *indexPage) others() {
	if len(x.config.Others) == 0 {
		return
	}
	x.line("## More")
	for _, o := range x.config.Others {
		x.b.WriteString("- " + markdown.Link(markdown.Escape(o.Title), relative(x.config.Layout.Index(), o.Path)) + ": " + markdown.Escape(o.About) + "\n")
	}
}

// row is the line of one module.
func (x *indexPage) row(m Summary) (derived bool) {
	link := markdown.Link(markdown.Code(label(x.graph, m.Path)), relative(x.config.Layout.Index(), x.config.Layout.Page(m.Path)))
	about := m.Purpose
	if r := []rune(about); x.longest > 0 && len(r) > x.longest {
		about = string(r[:x.longest-1]) + "…"
	}
	about = markdown.Escape(about)
	if m.Derived && about != "" {
		about, derived = "*"+about+"*", true
	}
	x.b.WriteString("| " + markdown.Cell(link) + " | " + markdown.Cell(about) + " |\n")
	return derived
}
