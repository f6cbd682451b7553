package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// renderList is the list of modules. It has one line of each, and no date: branches that work on different modules rarely meet here.
func renderList(c Config, g graph) string {
	text := ""
	for _, b := range brevities {
		x := &listing{config: c, graph: g, brevity: b}
		if text = x.render(); len(text) <= largestList {
			break
		}
	}
	return text
}

// brevity is how the list of a large repository's modules is kept to a size.
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
func (x *listing) familyOf(m Summary) string {
	dir := path.Dir(m.Path)
	segments := strings.Split(dir, "/")
	if x.depth == 0 || len(segments) <= x.depth {
		return dir
	}
	return strings.Join(segments[:x.depth], "/")
}

// largestList is how many bytes the list may have before its lines are cut and then shared: nobody reads more.
const largestList = 56 << 10

func (x *listing) render() string {
	modules := x.graph.Modules()
	x.b.WriteString(x.config.head("List of Modules", "Modules"))
	x.line("# Modules")
	x.line("All modules of the repository, by directory. For a reading order, see [the entry page](" +
		relative(x.config.Layout.ModuleList(), x.config.Layout.Index()) + ").")
	if len(modules) == 0 {
		x.line(noSource)
	}
	derived := false
	for _, s := range shelves {
		derived = x.table(s, modules) || derived
	}
	if slices.ContainsFunc(modules, func(m Summary) bool { return m.Written }) {
		x.line("<sub>" + byModelList + "</sub>")
	}
	if derived {
		x.line("Lines in italics are derived from the contents of modules without a description.")
	}
	return strings.TrimRight(x.b.String(), "\n") + "\n"
}

// noSource is said of a repository without modules.
const noSource = "This repository has no source code yet."

// shelves are the tables of the list. A module stands in the first that wants it.
var shelves = []shelf{
	{"Entry points", func(s Summary) bool { return s.Kind == kindCommand && !isExample(s) }, false},
	{"Modules", func(s Summary) bool { return s.Kind == "" && !isExample(s) }, false},
	{"Examples", func(s Summary) bool { return s.Kind != kindTests && isExample(s) }, true},
	{"Tests", func(s Summary) bool { return s.Kind == kindTests }, true},
}

type shelf struct {
	heading string
	want    func(Summary) bool
	aside   bool // few need it
}

// isExample reports whether a module is there to show how others are used.
func isExample(s Summary) bool { return source.IsExampleDir(withoutPackages(s.Path)) }

// listing writes the list of modules.
type listing struct {
	config Config
	graph  graph
	brevity
	b strings.Builder
}

func (x *listing) line(s string) { x.b.WriteString(s + "\n\n") }

// table lists the modules of one shelf and reports whether a line of it is derived.
func (x *listing) table(s shelf, modules []Summary) (derived bool) {
	modules = slices.DeleteFunc(slices.Clone(modules), func(m Summary) bool { return !s.want(m) })
	if len(modules) == 0 {
		return false
	}
	x.line("## " + s.heading)
	x.b.WriteString("| Module | Purpose |\n|---|---|\n")
	families := map[string]int{}
	for _, m := range modules {
		if x.graph.Bundle(m.Path).Name == "" {
			families[x.familyOf(m)]++
		}
	}
	told, bundles := map[string]bool{}, map[survey.Bundle][]Summary{}
	for _, m := range modules {
		b := x.graph.Bundle(m.Path)
		bundles[b] = append(bundles[b], m)
	}
	for _, m := range modules {
		dir := x.familyOf(m)
		if b := x.graph.Bundle(m.Path); b.Name != "" {
			if bundles[b][0].Path == m.Path {
				x.bundle(b, bundles[b])
			}
			continue
		}
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

// fewBundled is how many modules of a bundle its line names.
const fewBundled = 8

// bundle is the line of modules that one page tells of.
func (x *listing) bundle(b survey.Bundle, modules []Summary) {
	var names []string
	for _, m := range modules {
		names = append(names, markdown.Code(canonical.Path(path.Base(m.Path))))
	}
	if len(names) > fewBundled {
		names = append(names[:fewBundled], "others")
	}
	page := relative(x.config.Layout.ModuleList(), x.config.Layout.Bundle(b.Dir, b.Name))
	link := markdown.Link(markdown.Escape(bundleTitle(b)), page)
	x.b.WriteString("| " + markdown.Cell(link) + " | " + markdown.Cell(list(names)) + " |\n")
}

// row is the line of one module.
func (x *listing) row(m Summary) (derived bool) {
	link := markdown.Link(markdown.Code(label(x.graph, m.Path)), x.config.pageLink(x.config.Layout.ModuleList(), x.graph, m.Path))
	about := m.Purpose
	if r := []rune(about); x.longest > 0 && len(r) > x.longest {
		about = string(r[:x.longest-1]) + "…"
	}
	x.b.WriteString("| " + markdown.Cell(link) + " | " + markdown.Cell(marked(m, markdown.Escape(about))) + " |\n")
	return m.Derived && about != ""
}
