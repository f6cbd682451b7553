package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// operationBytes bounds one table of the operations page.
const operationBytes = 256 << 10

// mostPlaces bounds the places of one row.
const mostPlaces = 5

// mostComputed bounds the places in the row of computed names.
const mostComputed = 40

var operations = []struct {
	of                            func(surfaces []surface) []element
	title, about, name, value, by string
}{
	{typedVariables, "Environment variables", "Environment variables in the code, in compose files and in `application` files. Test files and examples are not examined. `*` is a computed part of a name.", "Variable", "Type", "Read in"},
	{toolVariables, "Variables of builds, tests and tools", "Variables read only by the compiler, build scripts, tool configurations, and helpers of tools and tests.", "Variable", "", "Read in"},
	{func([]surface) []element { return nil }, configurationTitle, "Configuration keys declared in the code.", "Key", "Type", "Declared in"},
	{routesOf, routesTitle, "HTTP routes registered by the code, without those of tests, examples and scripts.", "Route", "Handler", "Registered in"},
	{jobsOf, jobsTitle, "Functions that the code runs by a schedule or takes from a queue, without those of tests, examples and scripts.", "Job", "Schedule", "Declared in"},
	{exitsOf, "Exit codes", "The exit codes in the code that a constant names or that are neither 0 nor 1, without build scripts, tools, tests and examples.", "Code", "", "In"},
}

// exitsOf lists the exit codes of all modules, including arguments of functions that exit with them.
func exitsOf(surfaces []surface) []element {
	ends, isForTools := map[string]bool{"": true}, partOfTools(surfaces)
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Exit && e.ID != "" {
			ends[idOf(e.module, e.ID)] = true
		}
	}
	var all []element
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Exit && isTelling(e.Behavior) && (e.Of == "" || ends[idOf(e.module, e.Of)]) && !isForTools(e) {
			all = append(all, e)
		}
	}
	return all
}

// isTelling reports whether an exit code says more than success or failure.
func isTelling(b node.Behavior) bool {
	return b.Help != "" || !slices.Contains([]string{"", "0", "1", source.Unknown}, b.Name)
}

const operationsTitle = "Operations"

// renderOperations returns the operations page: environment, configuration, routes, jobs and exit codes; empty without
// any.
func renderOperations(c Config, g graph, surfaces []surface, files settings, passages map[string]passage, tasks []placedTask, unexamined int) string {
	p := &operatorPage{sheet: newSheet(c, g, c.Layout.Overview(operationPage)), passages: passages, given: files.all}
	p.front("Operations reference", operationsTitle, "Environment variables, configuration keys, routes, jobs and exit codes of the programs of this repository, derived from the code.", staleIn(surfaces))
	empty := len(files.all)+len(files.unread)+len(files.partial)+len(tasks) == 0
	keys := otherKeys(surfaces)
	for _, o := range operations {
		all := o.of(surfaces)
		if len(all) == 0 && (o.title != configurationTitle || len(keys) == 0) && (o.title != routesTitle || len(files.partial) == 0) {
			continue
		}
		empty = false
		p.b.WriteString("## " + o.title + "\n\n" + o.about + "\n\n")
		if o.title == routesTitle {
			if len(all) > 0 {
				p.b.WriteString(newRouteList(p, surfaces).sections(all))
			}
			if len(files.partial) > 0 {
				p.b.WriteString("Not read, or not in full: " + p.fileList(files.partial) + ".\n\n")
			}
			continue
		}
		head, rows := []string{o.name, o.value, "Default", o.by, "Meaning"}, p.rows
		switch o.title {
		case configurationTitle:
			p.b.WriteString(p.configuration(head, keys))
			continue
		case jobsTitle:
			head, rows = []string{o.name, o.value, "Handler", o.by}, newRouteList(p, surfaces).jobs
		}
		p.b.WriteString(bounded(operationBytes, moreOnPages, head, rows(all)))
	}
	p.settings(files)
	p.tasks(tasks, unexamined)
	if empty {
		return ""
	}
	return p.text()
}

// tasks lists the tasks that only this project has.
func (p *operatorPage) tasks(list []placedTask, unexamined int) {
	if len(list) == 0 {
		return
	}
	var rows [][]string
	for _, t := range list {
		rows = append(rows, []string{markdown.Code(t.command()), markdown.Escape(t.About), t.runs(), t.place(p.path)})
	}
	p.b.WriteString("## Tasks\n\nTasks of the project in package scripts, Makefiles and the like; how to install, run, build and test it is on the " +
		markdown.Link("entry page", p.to(p.config.Layout.Index())) + ".\n\n" +
		bounded(taskBytes, "More are in these files.\n\n", []string{"Task", "What it does", "Runs", "Found in"}, rows))
	if unexamined > 0 {
		p.b.WriteString(notExamined(unexamined) + "\n\n")
	}
}

// taskBytes bounds the table of tasks.
const taskBytes = 32 << 10

// rows returns one row per name.
func (p *operatorPage) rows(all []element) [][]string {
	slices.SortStableFunc(all, func(a, b element) int {
		return cmp.Or(cmp.Compare(orderOf(a.Name), orderOf(b.Name)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.file(), b.file()))
	})
	var rows [][]string
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Name == all[0].Name {
			n++
		}
		rows = append(rows, p.operation(all[:n]))
		all = all[n:]
	}
	return rows
}

// orderOf is the sort key of names: those with computed parts come last.
func orderOf(name string) string {
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		return fmt.Sprintf("%04d", n)
	}
	return cmp.Or(strings.Trim(name, source.Unknown+"_"), "~")
}

func nameCell(name string) string {
	if name == source.Unknown {
		return "*computed*"
	}
	return markdown.Code(name)
}

// operation returns the cells for all elements of one name.
func (p *operatorPage) operation(same []element) []string {
	first := same[0]
	var places []string
	most := mostPlaces
	if first.Name == source.Unknown {
		most = mostComputed
	}
	for _, e := range same {
		first.Value, first.Default, first.Help = cmp.Or(first.Value, e.Value), cmp.Or(first.Default, e.Default), cmp.Or(first.Help, e.Help)
		if e.Usage != first.Usage {
			usage := ""
			for _, u := range []string{e.Usage, first.Usage} {
				if u == source.Computed || strings.HasPrefix(u, source.ValueOf) {
					usage = u
				}
			}
			first.Usage = usage
		}
		place := p.placeLink(e)
		if len(places) <= most && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	if len(places) > most {
		places[most] = "others"
	}
	otherwise := p.fallback(first)
	if said := p.passages[describedName(first.Name)].Default; said != "" && first.Default == "" && first.Usage != source.Required {
		first.Default = said
		otherwise = "“" + p.fallback(first) + "”"
	}
	if first.Kind == source.Config {
		if shipped := p.shipped(first); shipped != "" {
			otherwise = strings.TrimPrefix(otherwise+", "+shipped, ", ")
		}
	}
	return []string{
		nameCell(first.Name), markdown.Code(first.Value), otherwise, strings.Join(places, ", "), p.meaning(first.Name, first.Help),
	}
}
