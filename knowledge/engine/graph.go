package engine

import (
	"maps"
	"slices"
)

// graph is a Graph over the summaries.
type graph struct {
	summaries map[string]*summary
	code      map[string][]string
	tests     map[string][]string
}

func graphOf(summaries map[string]*summary) Graph {
	g := &graph{summaries: summaries, code: map[string][]string{}, tests: map[string][]string{}}
	for _, m := range slices.Sorted(maps.Keys(summaries)) {
		for _, d := range summaries[m].Deps {
			g.code[d] = append(g.code[d], m)
		}
		for _, d := range summaries[m].TestDeps {
			g.tests[d] = append(g.tests[d], m)
		}
	}
	return g
}

func (g *graph) Modules() []Summary {
	var out []Summary
	for _, m := range slices.Sorted(maps.Keys(g.summaries)) {
		s, _ := g.Summary(m)
		out = append(out, s)
	}
	return out
}

func (g *graph) Summary(module string) (Summary, bool) {
	s := g.summaries[module]
	if s == nil {
		return Summary{}, false
	}
	return Summary{
		Path: module, Title: s.Title, Language: s.Language, Kind: s.Kind, Purpose: s.Purpose, Derived: s.Derived, Fresh: len(s.Stale) == 0 && s.Kept == "", Deps: slices.Clone(s.Deps),
	}, true
}

func (g *graph) Importers(module string) (code, tests []string) {
	return slices.Clone(g.code[module]), slices.Clone(g.tests[module])
}
