package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render"
	"github.com/causaldocs/causal/render/answers"
)

// leastSaid is the minimum share of the words of a question in a line of a page, whose title and headings matched
// already.
const leastSaid = 0.5

// quotePage replaces the title of a page by the line that matches a question best; false if no line has enough of the
// words, and for the page of kept answers.
func quotePage(w *workspace.Workspace, h Hit, question string) (Hit, bool) {
	text, err := w.Files.Read(h.Target)
	if err != nil || h.Target == answers.Page(w.Layout) {
		return h, false
	}
	lines := proseOf(string(text))
	words := lexical.New()
	for i, says := range lines {
		words.Add(strconv.Itoa(i), says)
	}
	best := words.Cover(question, func(string) bool { return true })
	if len(best) == 0 || best[0].Score < leastSaid {
		return h, false
	}
	i, _ := strconv.Atoi(best[0].Key)
	h.Text, h.At = lines[i], h.Target+":"+strconv.Itoa(i+1)
	return h, true
}

// Description returns the sentence of the entry page that describes the project; false if it has none.
func Description(w *workspace.Workspace) (Hit, bool) {
	name := w.Layout.Index()
	text, err := w.Files.Read(name)
	if err != nil {
		return Hit{}, false
	}
	said := proseOf(string(text))
	for i, line := range strings.Split(string(text), "\n") {
		if said[i] != "" {
			return Hit{Kind: "page", Target: name, Text: said[i], At: name + ":" + strconv.Itoa(i+1)}, true
		}
		if strings.HasPrefix(line, "## ") {
			break // a section begins
		}
	}
	return Hit{}, false
}

// Commands returns the commands of the entry page for a purpose, such as to build or to test. The terms of the question
// must name it exactly.
func Commands(w *workspace.Workspace, terms []string) (out []Hit) {
	name := w.Layout.Index()
	text, err := w.Files.Read(name)
	if err != nil || len(terms) == 0 {
		return nil
	}
	before, table, _ := strings.Cut(string(text), "\n"+render.RunHeading+"\n")
	table, _, _ = strings.Cut(table, "\n## ")
	if len(terms) > 1 { // "run" is the verb in "run the tests"
		terms = slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return t == "run" })
	}
	for i, line := range strings.Split(table, "\n") {
		cells := strings.SplitN(line, "|", 4)
		if len(cells) == 4 && slices.Equal(lexical.Terms(cells[1]), terms) {
			at := fmt.Sprintf("%s:%d", name, strings.Count(before, "\n")+i+2)
			out = append(out, Hit{Kind: "page", Target: name, Text: strings.TrimSpace(cells[1]) + ": " + markdown.Plain(strings.TrimSpace(cells[2]), "markdown"), At: at})
		}
	}
	return out
}

var (
	smallPrint = lazyregexp.New(`<sub>.*?</sub>`)
	ruler      = lazyregexp.New(`^\|[-|: ]*$`)
)

// proseOf returns the lines of a page as plain text. Headings, front matter and links to other pages are empty; cells
// of a table row are joined.
func proseOf(page string) []string {
	lines := strings.Split(page, "\n")
	out := make([]string, len(lines))
	front := lines[0] == "---"
	for i, line := range lines {
		if front {
			front = i == 0 || line != "---"
			continue
		}
		header := i+1 < len(lines) && ruler.MatchString(lines[i+1])
		if header || ruler.MatchString(line) || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "**Start here**") {
			continue
		}
		if strings.HasPrefix(line, "|") {
			line = strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '|' }), " ")
		}
		out[i] = markdown.Plain(strings.TrimLeft(smallPrint.ReplaceAllString(line, ""), "-> "), "markdown")
	}
	return out
}
