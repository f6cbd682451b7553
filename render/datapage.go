package render

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// dataBytes bounds the columns of all tables. Beyond it, groups show one line per table, the largest group first.
	dataBytes = 160 << 10
	// mostData bounds the page.
	mostData = 512 << 10
)

const dataAbout = "Tables and models declared in SQL files, Liquibase changelogs, Prisma schemas and code. Statements of migrations are applied in " +
	"the order of their file names. Indexes, views, triggers, and columns that a library adds by itself are not listed."

// renderData returns the data page, empty without data.
func renderData(c Config, groups []dataGroup, stale []string) string {
	groups = slices.DeleteFunc(groups, func(g dataGroup) bool { return len(g.tables)+len(g.unread)+len(g.strayed) == 0 })
	if !slices.ContainsFunc(groups, func(g dataGroup) bool { return len(g.tables) > 0 }) {
		return ""
	}
	p := &operatorPage{sheet: newSheet(c, nil, c.Layout.Overview(dataPage))}
	p.front("Data reference", "Data", dataAbout, stale)
	sizes := make([]int, len(groups))
	for i := range groups {
		groups[i].repeats(groups[:i])
		sizes[i] = lengths(p.tables(&groups[i]))
	}
	for total(sizes) > dataBytes {
		i := slices.Index(sizes, slices.Max(sizes))
		groups[i].short, sizes[i] = true, 0
	}
	anchor(groups)
	room := mostData
	for i := range groups {
		g := &groups[i]
		texts := p.tables
		if g.short {
			texts = p.lines
		}
		shown, more := few(append([]string{p.group(g)}, texts(g)...), room)
		room -= lengths(shown)
		p.b.WriteString(strings.Join(shown, ""))
		if more > 0 {
			fmt.Fprintf(&p.b, "There is no room for %d tables of %s.\n\n", more, markdown.Code(canonical.Path(groups[i].dir)))
		}
	}
	return p.text()
}

// repeats leaves out the tables of a group that an earlier group of the same parent directory has with the same columns,
// if these are most: the schema of the same program for another database.
func (g *dataGroup) repeats(earlier []dataGroup) {
	for i := range earlier {
		e := &earlier[i]
		if path.Dir(e.dir) != path.Dir(g.dir) || e.dir == g.dir || e.kind != "" || g.kind != "" || e.like != nil {
			continue
		}
		if e.shapes == nil {
			e.shapes = make(map[string]bool, len(e.tables))
			for _, t := range e.tables {
				e.shapes[shapeOf(t)] = true
			}
		}
		own := slices.DeleteFunc(slices.Clone(g.tables), func(t dataTable) bool { return e.shapes[shapeOf(t)] })
		if same := len(g.tables) - len(own); same > 1 && same > len(own) {
			g.like, g.tables = e, own
			return
		}
	}
}

// shapeOf returns the names of a table and its columns.
func shapeOf(t dataTable) string {
	names := []string{t.Name}
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return strings.ToLower(strings.Join(names, "\x00"))
}

func total(sizes []int) (n int) {
	for _, size := range sizes {
		n += size
	}
	return n
}

func (g *dataGroup) what() string {
	if g.kind == "" {
		return "Tables"
	}
	return g.kind + " models"
}

func (g *dataGroup) heading() string {
	return g.what() + " in " + canonical.Path(g.dir)
}

// anchor assigns the anchors of headings, numbered as GitHub numbers repeated ones.
func anchor(groups []dataGroup) {
	slugs := markdown.Slugger{}
	slugs.Slug("Data")
	for i := range groups {
		slugs.Slug(groups[i].heading())
		for k := 0; k < len(groups[i].tables) && !groups[i].short; k++ {
			groups[i].tables[k].anchor = slugs.Slug(groups[i].tables[k].Name)
		}
	}
}

// group writes the start of a group: heading, contents, and unread statements.
func (p *operatorPage) group(g *dataGroup) string {
	heading := g.what() + " in " + markdown.Link(markdown.Code(canonical.Path(g.dir)), p.dirLink(g.dir))
	text := "## " + heading + paragraph
	if !g.short && len(g.tables) > 1 {
		for _, t := range g.tables { // a line each, without a number: branches that each add a table merge
			text += "- " + markdown.Link(markdown.Code(t.Name), "#"+t.anchor) + "\n"
		}
		text += "\n"
	}
	if g.like != nil {
		which := "The other tables"
		if len(g.tables) == 0 {
			which = "All tables"
		}
		text += which + " are the same as in " + markdown.Link(markdown.Code(canonical.Path(g.like.dir)), "#"+markdown.Slug(g.like.heading())) +
			", by the names of their columns." + paragraph
	}
	if g.migrations != "" {
		text += "Migrations in " + markdown.Link(markdown.Code(canonical.Path(g.migrations)), p.dirLink(g.migrations)) +
			" are not read: " + p.dataFile(g.whole, element{}) + " has the whole schema, as its name says." + paragraph
	}
	for _, n := range []struct {
		of    map[string]int
		about string
	}{{g.unread, "about tables, in a form that is not known"}, {g.strayed, "about tables that no statement here creates"}} {
		if len(n.of) > 0 {
			text += p.notRead(n.of, n.about)
		}
	}
	return text
}

// notRead lists unread statements by file.
func (p *operatorPage) notRead(of map[string]int, about string) string {
	statements := 0
	var files []string
	for _, file := range slices.SortedFunc(maps.Keys(of), ddl.CompareFiles) {
		if statements += of[file]; len(files) < mostPlaces {
			files = append(files, p.dataFile(file, element{}))
		}
	}
	if more := len(of) - len(files); more > 0 {
		files = append(files, count(more, "other file"))
	}
	return "Not read: " + count(statements, "statement") + " " + about + ", in " + list(files) + "." + paragraph
}

// dataFile links to a file, or to the line of an element.
func (p *operatorPage) dataFile(file string, at element) string {
	to := p.to(file)
	if at.Kind == source.Data {
		to = p.place(at)
	}
	return markdown.Link(markdown.Code(canonical.Path(file)), to)
}

func (p *operatorPage) tables(g *dataGroup) []string {
	anchors := map[string]string{}
	for _, t := range g.tables {
		anchors[strings.ToLower(t.Name)] = t.anchor
	}
	for _, t := range g.tables {
		if stored := strings.ToLower(t.Stored); stored != "" && anchors[stored] == "" {
			anchors[stored] = t.anchor
		}
	}
	var out []string
	for _, t := range g.tables {
		text := "### " + markdown.Code(t.Name) + paragraph
		if t.About != "" {
			text += markdown.Escape(t.About) + paragraph
		}
		text += "Declared in " + p.dataFile(t.File, t.at)
		if t.Stored != "" {
			text += " as the table " + markdown.Code(t.Stored)
		}
		rows := make([][]string, 0, len(t.Columns))
		for _, c := range t.Columns {
			rows = append(rows, row(c, anchors))
		}
		if text += "." + paragraph; len(rows) > 0 {
			text += table([]string{"Name", "Column", "Type", "Constraints", "Default", "Refers to", ""}, rows)
		}
		out = append(out, text)
	}
	return out
}

func row(c ddl.Column, anchors map[string]string) []string {
	code := markdown.Code
	var constraints []string
	for _, f := range []struct {
		is   bool
		name string
	}{{c.Key, "primary key"}, {c.NotNull && !c.Key, "not null"}, {c.Unique, "unique"}} {
		if f.is {
			constraints = append(constraints, f.name)
		}
	}
	refers := code(c.Refers)
	if to := anchors[strings.ToLower(c.Refers)]; to != "" {
		refers = markdown.Link(markdown.Code(c.Refers), "#"+to)
	}
	return []string{code(c.Name), code(c.Stored), code(c.Type), strings.Join(constraints, ", "), code(c.Default), refers, markdown.Escape(c.About)}
}

// lines writes one line per table with its columns.
func (p *operatorPage) lines(g *dataGroup) []string {
	var out []string
	for _, t := range g.tables {
		var names []string
		for _, c := range t.Columns {
			names = append(names, markdown.Code(c.Name))
		}
		shown, more := few(names, lineBytes)
		text := "- " + markdown.Code(t.Name) + " in " + p.dataFile(t.File, t.at) + ": " + strings.Join(shown, ", ")
		if more > 0 {
			text += fmt.Sprintf(" and %d others", more)
		}
		out = append(out, strings.TrimSuffix(text, ": ")+"\n")
	}
	return append(out, "\n")
}

// lineBytes bounds the columns of a table in one line.
const lineBytes = 1 << 10
