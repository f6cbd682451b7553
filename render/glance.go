package render

import (
	"slices"
	"strings"
)

// pointHead is the start of the extension point table, by which the entry page finds it.
const pointHead = "| Extension point |"

const (
	// pointsTold bounds the rows on the entry page.
	pointsTold = 5
	// pointsBytes bounds the table on the extension points page.
	pointsBytes = 8 << 10
)

// atAGlance is the table of all extension points with their implementers and registered names.
func (p *operatorPage) atAGlance(points []*implemented, registries []*registry) string {
	type line struct {
		cells  []string
		others int
	}
	var all []line
	for _, x := range points {
		var types, as []string
		for _, t := range x.by {
			types, as = append(types, p.symbolLink(t.Module, t.sign)), append(as, t.As...)
		}
		all = append(all, line{[]string{p.symbolLink(x.module, x.sign), someOf(types), registeredAs(as)}, x.others})
	}
	for _, r := range registries {
		if r.away || slices.ContainsFunc(points, func(x *implemented) bool { return x.module == r.module && x.Name == r.name }) {
			continue
		}
		var things, as []string
		for _, x := range r.given {
			if x.ID != "" {
				things = append(things, p.thingLink(x))
			}
			if x.Name != "" {
				as = append(as, x.Name)
			}
		}
		all = append(all, line{[]string{r.link(p), someOf(things), registeredAs(as)}, r.others})
	}
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b line) int { return b.others - a.others })
	rows := make([][]string, len(all))
	for i, l := range all {
		rows[i] = l.cells
	}
	return bounded(pointsBytes, "", []string{strings.Trim(pointHead, "| "), "Implementations", "Registered as"}, rows)
}

func someOf(all []string) string {
	var names []string
	for _, n := range all {
		if !slices.Contains(names, n) && len(names) <= fewNames {
			names = append(names, n)
		}
	}
	return someNames(names)
}

// glanceOf returns the start of the table on the extension points page, for the entry page in the same directory.
func glanceOf(generated string) string {
	at := strings.Index(generated, "\n"+pointHead)
	if at < 0 {
		return ""
	}
	text, _, _ := strings.Cut(generated[at+1:], paragraph)
	lines := strings.SplitAfter(text+"\n", "\n")
	return strings.Join(lines[:min(len(lines), 2+pointsTold)], "")
}
