package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// pointHead is how the table of extension points begins, by which the entry page finds it.
const pointHead = "| Extension point |"

const (
	// pointsTold is how many of them the entry page shows.
	pointsTold = 5
	// pointsBytes is the room for the table on the page of extension points.
	pointsBytes = 8 << 10
)

// atAGlance is the table of all extension points: what plugs in, and what it is registered as.
func (p *operatorPage) atAGlance(g graph, points []*implemented, registries []*registry) string {
	type line struct {
		cells  []string
		others int
	}
	var all []line
	for _, x := range points {
		var types, as []string
		for _, t := range x.by {
			types, as = append(types, p.symbolLink(g, t.Module, t.sign())), append(as, t.As...)
		}
		all = append(all, line{[]string{p.symbolLink(g, x.module, x.sign()), someOf(types), registeredAs(as)}, x.others})
	}
	for _, r := range registries {
		if r.away || slices.ContainsFunc(points, func(x *implemented) bool { return x.module == r.module && x.Name == r.name }) {
			continue
		}
		var things, as []string
		for _, x := range r.given {
			if x.ID != "" {
				things = append(things, p.thingLink(g, x))
			}
			if x.Name != "" {
				as = append(as, x.Name)
			}
		}
		all = append(all, line{[]string{r.link(p, g), someOf(things), registeredAs(as)}, r.others})
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b line) int { return b.others - a.others })
	rows := make([][]string, len(all))
	for i, l := range all {
		for _, c := range l.cells {
			rows[i] = append(rows[i], markdown.Cell(c))
		}
	}
	lines := table([]string{strings.Trim(pointHead, "| "), "Implementations", "Registered as"}, rows)
	shown, _ := few(lines[1:], pointsBytes)
	return lines[0] + strings.Join(shown, "") + "\n"
}

// someOf names the first of some things, each once.
func someOf(all []string) string {
	var names []string
	for _, n := range all {
		if !slices.Contains(names, n) && len(names) <= fewNames {
			names = append(names, n)
		}
	}
	if len(names) > fewNames {
		names = append(names[:fewNames:fewNames], "others")
	}
	return list(names)
}

// glanceOf is the beginning of the table on a page of extension points, for the entry page, which lies beside it.
func glanceOf(generated string) string {
	at := strings.Index(generated, "\n"+pointHead)
	if at < 0 {
		return ""
	}
	text, _, _ := strings.Cut(generated[at+1:], paragraph)
	lines := strings.SplitAfter(text+"\n", "\n")
	return strings.Join(lines[:min(len(lines), 2+pointsTold)], "")
}
