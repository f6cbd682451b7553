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

// renderList returns the list of modules: one line each, no date. Branches that work on different modules rarely
// conflict here.
func renderList(c Config, g graph) string {
	text := ""
	for _, b := range brevities {
		x := &listing{newSheet(c, g, c.Layout.ModuleList()), b}
		if text = x.render(); len(text) <= largestList {
			break
		}
	}
	return text
}

// brevity limits the list of a large repository's modules; 0 is no limit.
type brevity struct {
	longest int // characters of a module's line
	family  int // modules of one directory with separate lines
	depth   int // path segments of that directory, 0 for all
}

var brevities = []brevity{
	{}, {longest: 100}, {longest: 40}, {longest: 40, family: 100}, {longest: 40, family: 20}, {longest: 40, family: 4},
	{40, 1, 3}, {40, 1, 2}, {40, 1, 1},
}

// familyOf returns the directory whose modules may share a line.
func (x *listing) familyOf(m Summary) string {
	dir := path.Dir(m.Path)
	segments := strings.Split(dir, "/")
	if x.depth == 0 || len(segments) <= x.depth {
		return dir
	}
	return strings.Join(segments[:x.depth], "/")
}

// largestList is the size in bytes from which lines are cut and then shared.
const largestList = 56 << 10

func (x *listing) render() string {
	modules := x.graph.Modules()
	x.b.WriteString(x.config.head("List of Modules", "Modules"))
	x.line("# Modules")
	x.line("All modules of the repository, by directory. For a reading order, see [the entry page](" +
		x.to(x.config.Layout.Index()) + ").")
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
		x.line("Lines in italics are derived from the code of modules without a description.")
	}
	return x.text()
}

const noSource = "This repository has no source code yet."

// shelves are the tables of the list. A module is in the first that accepts it.
var shelves = []shelf{
	{"Entry points", func(s Summary) bool { return s.Kind == kindCommand && !isExample(s) }, false},
	{"Modules", func(s Summary) bool { return s.Kind == "" && !isExample(s) }, false},
	{"Examples", func(s Summary) bool { return s.Kind != kindTests && isExample(s) }, true},
	{"Tests", func(s Summary) bool { return s.Kind == kindTests }, true},
}

type shelf struct {
	heading string
	want    func(Summary) bool
	aside   bool // of low priority
}

func isExample(s Summary) bool { return source.IsExampleDir(withoutPackages(s.Path)) }

type listing struct {
	sheet
	brevity
}

// table lists the modules of one shelf, and reports whether one of its purposes is derived.
func (x *listing) table(s shelf, modules []Summary) (derived bool) {
	modules = slices.DeleteFunc(slices.Clone(modules), func(m Summary) bool { return !s.want(m) })
	if len(modules) == 0 {
		return false
	}
	x.line("## " + s.heading)
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
	var rows [][]string
	for _, m := range modules {
		dir := x.familyOf(m)
		if b := x.graph.Bundle(m.Path); b.Name != "" {
			if bundles[b][0].Path == m.Path {
				rows = append(rows, x.bundle(b, bundles[b]))
			}
			continue
		}
		if n := families[dir]; x.family == 0 || n <= x.family {
			rows = append(rows, x.row(m))
			derived = derived || m.Derived && m.Purpose != ""
		} else if !told[dir] {
			told[dir] = true
			rows = append(rows, []string{markdown.Code(canonical.Path(dir) + "/…"), "its modules have a page each"})
		}
	}
	x.b.WriteString(table([]string{"Module", "Purpose"}, rows))
	return derived
}

const fewBundled = 8

func (x *listing) bundle(b survey.Bundle, modules []Summary) []string {
	var names []string
	for _, m := range modules {
		names = append(names, markdown.Code(canonical.Path(path.Base(m.Path))))
	}
	page := x.to(x.config.Layout.Bundle(b.Dir, b.Name))
	link := markdown.Link(markdown.Escape(bundleTitle(b)), page)
	return []string{link, list(first(names, fewBundled))}
}

func (x *listing) row(m Summary) []string {
	link := x.moduleCode(m.Path)
	about := m.Purpose
	if r := []rune(about); x.longest > 0 && len(r) > x.longest {
		about = string(r[:x.longest-1]) + "…"
	}
	return []string{link, marked(m, markdown.Escape(about))}
}
