package matrix

import (
	"fmt"
	"slices"
	"strings"
)

const introduction = `# The edit matrix

The table shows the modules whose nodes change after each kind of edit, in one small shop written in several languages. A page is
**missed** if it still says what is no longer true. A change is **needless** if nothing reads differently.

In the shop, other modules depend on ` + "`money`" + `: ` + "`cart`" + ` calls one of its functions, ` + "`report`" + ` uses a constant, ` + "`till`" + ` a type or a
function that leads to one. ` + "`api`" + ` uses only the cart, and ` + "`tools`" + ` and ` + "`unrelated`" + ` use nothing. Some rows add modules.

Every cell is a test. It also checks, for each edit, that

- ` + "`causal check`" + ` fails before the update exactly when something is stale, also in a fresh clone
- exactly the pages with another text change, and no other file of the repository
- a second update writes no byte
- the result equals an update from scratch, byte for byte, except for dates and commits
- after the edit is undone, everything is as before

`

const ending = `
**none**: no node had to change and none did. **–**: the language has no such thing, or it is another row there.
In C and C++ an include brings all that a header declares, so whoever includes it rests on all of it.

The row about the killed run shows what is left to do when nothing was finished; the test repeats it for every file that
the run may have died before.

Run every cell, and compare this page with the outcomes:

<!-- example: clone -->

` + "```sh\nCAUSAL_LONG=1 go -C app/proof test ./matrix\n```" + `

Without ` + "`CAUSAL_LONG=1`" + ` a sample is compared with its cells: every edit of Go, and of the other languages those with another outcome
than in Go. The fresh clone and the update from scratch are left out then, and in other languages than Go ` + "`causal check`" + ` and the
edit taken back.
Write the page again with ` + "`go -C app/proof test ./matrix -update`" + `.
`

// markdown is the published page.
func (f *table) markdown() string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString("| Edit |")
	for _, l := range languages {
		b.WriteString(" " + l.name + " |")
	}
	b.WriteString(" Missed | Needless | Pages wrong |\n|---|" + strings.Repeat("---|", len(languages)) + "---:|---:|---:|\n")
	missed, needless, churned := 0, 0, 0
	for _, row := range order() {
		m, n, c := 0, 0, 0
		b.WriteString("| " + row + " |")
		for _, l := range languages {
			o, ok := f.cells[row][l.name]
			b.WriteString(" " + cell(o, ok) + " |")
			m, n, c = m+len(o.missed), n+len(o.needless), c+o.churned
		}
		fmt.Fprintf(&b, " %d | %d | %d |\n", m, n, c)
		missed, needless, churned = missed+m, needless+n, churned+c
	}
	fmt.Fprintf(&b, "\n**%d edits in %d languages: %d missed, %d needless, %d pages wrong.**\n", f.filled, len(languages), missed, needless, churned)
	b.WriteString(ending)
	return b.String()
}

// differences lists the cells that were tried and differ from those of a published page.
func (f *table) differences(published string) []string {
	var out []string
	if !strings.HasPrefix(published, introduction) || !strings.HasSuffix(published, ending) {
		out = append(out, "the text around the table differs")
	}
	rows := map[string][]string{}
	for line := range strings.Lines(published) {
		if cells := strings.Split(line, " | "); len(cells) > len(languages) {
			rows[strings.TrimPrefix(cells[0], "| ")] = cells[1:]
		}
	}
	for row, cells := range f.cells {
		for i, l := range languages {
			o, tried := cells[l.name]
			switch {
			case !tried:
			case rows[row] == nil:
				out = append(out, "there is no row "+row)
			case rows[row][i] != cell(o, true):
				out = append(out, fmt.Sprintf("%s, %s: the table has %q, the outcome is %q", row, l.name, rows[row][i], cell(o, true)))
			}
		}
	}
	slices.Sort(out)
	return out
}

func cell(o outcome, ok bool) string {
	switch {
	case !ok:
		return "–"
	case len(o.updated) == 0:
		return "none"
	}
	return strings.Join(o.updated, ", ")
}

// order lists the rows as the first language that has them does.
func order() []string {
	var rows []string
	for _, l := range languages {
		at := 0 // new rows follow the row before them in their own language
		for _, x := range l.all() {
			if i := slices.Index(rows, x.row); i >= 0 {
				at = i + 1
			} else {
				rows = slices.Insert(rows, at, x.row)
				at++
			}
		}
	}
	return append(rows, killedRow)
}
