package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// operationBytes is the room for one table of the page of operations.
const operationBytes = 96 << 10

// mostPlaces is how many places a row of it names.
const mostPlaces = 5

// operations are the tables of the page: of which elements, and what their columns are called.
var operations = []struct {
	kind                   source.FactKind
	title, about, what, by string
	value                  string // what Value is called, empty where it has no column
	fallback               bool   // there is a column for defaults
}{
	{source.Env, "Environment", "The variables that the code reads.", "Variable", "Read in", "", true},
	{source.Route, "Routes", "The HTTP routes that the code registers.", "Route", "Registered in", "Handler", false},
	{source.Exit, "Exit codes", "The codes that the code exits with by number.", "Code", "In", "", false},
}

// renderOperations is the page of what programs take from where they run and how they answer, empty where there is nothing.
func renderOperations(c Config, surfaces []surface) string {
	p := &operatorPage{config: c, path: c.Layout.Overview(operationPage)}
	p.front("Operations reference", "Operations", "What the programs of this repository read, serve and return, as the code says it.")
	empty := true
	for _, o := range operations {
		var all []element
		for _, s := range surfaces {
			for _, b := range s.Elements {
				if b.Kind == o.kind && b.Name != "" {
					all = append(all, element{b, s.module})
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		empty = false
		p.b.WriteString("## " + o.title + "\n\n" + o.about + "\n\n| " + o.what + " |")
		if o.value != "" {
			p.b.WriteString(" " + o.value + " |")
		}
		if o.fallback {
			p.b.WriteString(" Default |")
		}
		p.b.WriteString(" " + o.by + " | |\n|---" + strings.Repeat("|---", 2+count01(o.value != "")+count01(o.fallback)) + "|\n")
		shown, more := few(p.rows(all, o.value != "", o.fallback), operationBytes)
		p.b.WriteString(strings.Join(shown, "") + "\n")
		if more > 0 {
			p.b.WriteString("More of them: see the pages of the modules.\n\n")
		}
	}
	if empty {
		return ""
	}
	return strings.TrimRight(p.b.String(), "\n") + "\n"
}

func count01(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rows are the lines of a table, one for each name.
func (p *operatorPage) rows(all []element, value, fallback bool) []string {
	slices.SortStableFunc(all, func(a, b element) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.file(), b.file())) })
	var rows []string
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Name == all[0].Name {
			n++
		}
		rows = append(rows, p.operation(all[:n], value, fallback))
		all = all[n:]
	}
	return rows
}

// operation is the line of what has one name, wherever it stands.
func (p *operatorPage) operation(same []element, value, fallback bool) string {
	first := same[0]
	var places []string
	for _, e := range same {
		first.Value, first.Default, first.Help = cmp.Or(first.Value, e.Value), cmp.Or(first.Default, e.Default), cmp.Or(first.Help, e.Help)
		place := markdown.Link(markdown.Code(canonical.Path(e.file())), p.place(e))
		if len(places) <= mostPlaces && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	if len(places) > mostPlaces {
		places[mostPlaces] = "others"
	}
	row := "| " + markdown.Cell(markdown.Code(first.Name)) + " | "
	if value {
		if first.Value != "" {
			row += markdown.Cell(markdown.Code(first.Value))
		}
		row += " | "
	}
	if fallback {
		row += p.fallback(first) + " | "
	}
	return row + markdown.Cell(strings.Join(places, ", ")) + " | " + markdown.Cell(markdown.Escape(first.Help)) + " |\n"
}
