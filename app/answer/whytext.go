package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
)

// Limits that keep an answer on one screen.
const (
	mostReasons = 5
	mostSaid    = 8
	mostBecause = 10
	mostTerms   = 5
	mostUsers   = 6
	mostGiven   = 10
)

// besides bounds the length of a statement that shares its line with its origin.
const besides = 80

// whyText formats an answer for a terminal: the statement, its evidence, and its condition.
type whyText struct {
	strings.Builder
	*Why
	full bool
}

// Text formats the answer, in full or shortened to one screen.
func (a *Why) Text(full bool) string {
	t := &whyText{Why: a, full: full}
	t.head()
	if a.missing {
		fmt.Fprintln(t, "no node yet: run causal update")
	} else {
		t.said()
		t.because()
		t.gives()
		t.reach()
		t.tests()
		t.wrong()
		t.around()
	}
	return t.String()
}

func (t *whyText) head() {
	name := t.Name
	switch {
	case t.Symbol != "":
		name += "." + t.Symbol
	case t.Element != "":
		name = t.Element
	case t.Means == workspace.MeansFile:
		name = t.File
	}
	state := "is fresh."
	if !t.Fresh {
		state = "is stale."
	}
	if t.Page == "" {
		state = "is not documented."
	}
	plain.Add(&t.Builder, "%s\n", strings.TrimRight(fmt.Sprintf("%-55s %s", name+" "+state, t.Page), " "))
	var reasons []string
	for _, r := range t.Stale {
		reasons = append(reasons, fmt.Sprintf("%s    (%s)", r, r.Because))
	}
	t.lines(reasons, mostReasons, indented)
}

func (t *whyText) said() {
	if t.Says == "" {
		plain.Add(&t.Builder, "%s\n", t.From)
		return
	}
	said := strings.Split(t.Says, "\n")
	if len(said) == 1 && t.quoted {
		said[0] = quoteText(said[0])
	}
	if len(said) == 1 && utf8.RuneCountInString(said[0]) <= besides {
		plain.Add(&t.Builder, "%-55s %s\n", said[0], t.From)
	} else {
		t.lines(said, mostSaid, func(int, bool) string { return "" })
		plain.Add(&t.Builder, "%s\n", t.From)
	}
	if t.Doc != "" {
		plain.Add(&t.Builder, "%s\n", quoteText(t.Doc))
	}
}

// strength orders evidence: the source of the purpose first, then the module's own files, then used symbols.
func (t *whyText) strength(b because) int {
	switch {
	case b.What == t.purposeFile:
		return 0
	case b.How == "entry point", b.How == "readme":
		return 1
	case b.How == read:
		return 2
	case b.Level == "interface":
		return 3
	}
	return 4
}

func (t *whyText) because() {
	list := slices.SortedStableFunc(slices.Values(t.Because), func(x, y because) int { return cmp.Compare(t.strength(x), t.strength(y)) })
	if !t.full && len(list) > mostBecause {
		list = t.summed(list)
	}
	var rows [][]string
	for _, b := range list {
		how, hash := b.How, ""
		if b.What == t.purposeFile {
			how += ", gives the words"
		}
		if b.Hash != "" {
			hash = fmt.Sprintf("%.8s…", b.Hash)
		}
		rows = append(rows, []string{b.What, b.Level, hash, how})
	}
	t.part("\nbecause", Table(rows), mostBecause, branched)
}

func (t *whyText) gives() {
	// owners before members
	depth := func(x, y gives) int { return cmp.Compare(x.depth, y.depth) }
	var rows [][]string
	for _, g := range slices.SortedStableFunc(slices.Values(t.Gives), depth) {
		rows = append(rows, []string{g.Name, g.Kind})
	}
	t.part("statements from it", Table(rows), mostGiven, branched)
}

// anythingUsed is the term of a condition about all dependencies.
const anythingUsed = `interface_changed("*")`

func (t *whyText) wrong() {
	terms := slices.Clone(t.own)
	if terms == nil && t.Condition != "" {
		terms = strings.Split(t.Condition, " or ")
	}
	if len(terms) == 0 {
		return
	}
	for i, term := range terms {
		if term == anythingUsed {
			terms[i] += "    (of all its dependencies)"
		}
	}
	t.part("stale when", terms, mostTerms, func(i int, _ bool) string {
		if i == 0 {
			return "  "
		}
		return "  or "
	})
	plain.Add(&t.Builder, "  or the generator changes (now %s)\n", t.Generator)
}

// around writes the last change, the dependants and the frame.
func (t *whyText) around() {
	if t.Changed != nil {
		title := "last change"
		if t.Means == workspace.MeansSymbol || t.Means == workspace.MeansElement {
			title = "last change of its file"
		}
		plain.Add(&t.Builder, "%s\n  %s  %s  %s\n", title, t.Changed.Date, short(t.Changed.Commit), t.Changed.Subject)
	}
	t.inLine("used by", t.UsedBy)
	if len(t.Pages) > 1 {
		t.inLine("shown on", t.Pages)
	}
	if t.Frame != "" {
		plain.Add(&t.Builder, "frame  %s   %s\n", t.Frame, t.Verified)
		t.concluded()
	}
	if t.Lost != "" {
		plain.Add(&t.Builder, "frame  none: %s\n", t.Lost)
	}
	var also []string
	for _, x := range t.Also {
		also = append(also, "causal why "+ShellWord(x))
	}
	t.inLine("same name", also)
}

// concluded writes when and at which commit the conclusion was made. The first run in a repository without commits
// has no day; one over uncommitted files has no commit.
func (t *whyText) concluded() {
	if t.LastVerified == "" {
		return
	}
	at := "before the commit"
	if t.Commit != "" {
		at = "at " + short(t.Commit)
	}
	plain.Add(&t.Builder, "       concluded %s, %s\n", t.LastVerified, at)
}

func quoteText(s string) string { return `"` + s + `"` }

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
