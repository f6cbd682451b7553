package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
)

const (
	// mostModules bounds the lines about modules in a long list of evidence.
	mostModules = 4
	// widest bounds the width of a column.
	widest = 60
)

// part writes a titled list; nothing if it is empty.
func (t *whyText) part(title string, list []string, most int, begin func(int, bool) string) {
	if len(list) > 0 {
		fmt.Fprintln(t, title)
		t.lines(list, most, begin)
	}
}

// lines writes the first entries of a list, each with a prefix.
func (t *whyText) lines(list []string, most int, begin func(i int, last bool) string) {
	shown, more := list, 0
	if !t.full && len(list) > most+1 { // the note would take a line as well
		shown, more = list[:most], len(list)-most
	}
	for i, l := range shown {
		plain.Add(&t.Builder, "%s%s\n", begin(i, i == len(shown)-1 && more == 0), l)
	}
	if more > 0 {
		plain.Add(&t.Builder, "%s… and %d more: --full\n", begin(len(shown), true), more)
	}
}

func indented(int, bool) string { return "  " }

func branched(_ int, last bool) string {
	if last {
		return "  └─ "
	}
	return "  ├─ "
}

// inLine writes a titled list on one line; nothing if it is empty.
func (t *whyText) inLine(title string, list []string) {
	if len(list) == 0 {
		return
	}
	more := ""
	if rest := len(list) - mostUsers; rest > 0 && !t.full {
		list, more = list[:mostUsers], fmt.Sprintf(", … and %d more: --full", rest)
	}
	plain.Add(&t.Builder, "%s\n  %s%s\n", title, strings.Join(list, ", "), more)
}

// Table aligns the columns of rows. A cell wider than widest does not widen its column.
func Table(rows [][]string) []string {
	width := map[int]int{}
	for _, r := range rows {
		for i := range r {
			r[i] = plain.Line(r[i], plain.Longest)
		}
	}
	for _, r := range rows {
		for i, cell := range r {
			if n := utf8.RuneCountInString(cell); n <= widest {
				width[i] = max(width[i], n)
			}
		}
	}
	var out []string
	for _, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			plain.Add(&b, "%-*s  ", width[i], cell)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

// summed shortens a list of evidence: one line for each module, those with the most symbols first, and one for the
// files that are left out.
func (t *whyText) summed(list []because) []because {
	var files, modules []because
	uses := map[string]int{}
	for _, b := range list {
		switch {
		case b.of == "":
			files = append(files, b)
		case uses[b.of] == 0:
			modules = append(modules, b)
			fallthrough
		default:
			uses[b.of]++
		}
	}
	slices.SortStableFunc(modules, func(x, y because) int { return cmp.Compare(uses[y.of], uses[x.of]) })
	for i, m := range modules {
		if n := uses[m.of]; n > 1 {
			modules[i] = because{What: fmt.Sprintf("%s and %d more of %s", strings.TrimPrefix(m.What, m.of+"."), n-1, m.of), Level: m.Level, How: m.How}
		}
	}
	if room := mostBecause - min(len(modules), mostModules); len(files) > room {
		left := because{What: summary.Count(len(files)-room+1, "more file"), Level: "content", How: "--full lists all"}
		files = append(slices.Clone(files[:room-1]), left)
	}
	return append(files, modules...)
}
