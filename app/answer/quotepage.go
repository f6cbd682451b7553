package answer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render"
)

// page adds the lines of a page, each with the words of its heading and of its table's header. A page that an update
// would change has no line to point at. Sentences that causal wrote are left out: only the page of commands has sentences of the code.
func (f *findable) page(name, text string, differs, sentences bool) {
	lines, heading, header := strings.Split(text, "\n"), "", ""
	for i, says := range proseOf(text) {
		switch {
		case strings.HasPrefix(lines[i], "#"):
			heading, header = lines[i], ""
		case isHeader(lines, i):
			header = lines[i]
		case says != "" && (strings.HasPrefix(lines[i], "|") || strings.HasPrefix(lines[i], "-") || sentences && strings.HasPrefix(heading, "## ") && !strings.HasPrefix(says, "Declared in ")):
			key := name + ":" + strconv.Itoa(i+1)
			h := Hit{Kind: "page", Target: name, Text: says, At: key}
			if differs {
				h.At = name
			}
			f.hits[key] = h
			f.lines.Add(key, strings.Join([]string{heading, header, says}, " "))
		}
	}
}

func isHeader(lines []string, i int) bool { return i+1 < len(lines) && ruler.MatchString(lines[i+1]) }

// Description returns the sentence of the entry page that describes the project; false if it has none.
func Description(w *workspace.Workspace, e *workspace.Knowledge) (Hit, bool) {
	name := w.Layout.Index()
	text, _, err := e.Current(name)
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
func Commands(w *workspace.Workspace, e *workspace.Knowledge, terms []string) (out []Hit) {
	name := w.Layout.Index()
	text, _, err := e.Current(name)
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
	smallPrint = lazyregexp.New(`<sub>.*?</sub>|\[([^\[\]]*)\]\(https?://[^()]*\)`) // with the addresses of links
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
		if isHeader(lines, i) || ruler.MatchString(line) || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "<!--") || strings.HasPrefix(line, "**Start here**") {
			continue
		}
		if strings.HasPrefix(line, "|") {
			line = strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '|' }), " ")
		}
		out[i] = markdown.Plain(strings.TrimLeft(smallPrint.ReplaceAllString(line, "$1"), "-> "), "markdown")
	}
	return out
}

// Users answers what uses a module; false if no single module has the name.
func Users(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge, name string) (Hit, bool) {
	m, err := w.Resolve(e, w.Repo.Root(), name)
	if err != nil || m.Meaning != workspace.MeansModule {
		return Hit{}, false
	}
	x, ok, err := e.Explain(ctx, m.Module)
	if err != nil || !ok {
		return Hit{}, false
	}
	text := "no module of this repository uses it"
	if len(x.UsedBy) > 0 {
		text = "used by " + strings.Join(x.UsedBy, ", ")
	}
	return Hit{Kind: "module", Target: m.Module, Text: text, At: x.Page}, true
}
