package answer

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/lexical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render"
)

// Bounds of the hand-written documents that answers quote.
const (
	mostDocuments = 60
	mostLines     = 2000 // of one
	shownSection  = 300  // bytes after which no paragraph of a section is added
)

var (
	documentLine = lazyregexp.New("(?m)^## .* `([^`]+)`$")
	ownBlock     = lazyregexp.New(`^(?:[-*+|]|\d+[.)]) ?`) // a list item or a row of a table
	noText       = lazyregexp.New("^(?:```.*|~~~.*|\\.\\. .*|:[a-z-]+:.*|<[^>]*>?|\\|[-|: ]*|[-=~^\"'#*+_`]{3,}|\\[?!\\[.*)$")
)

// documents adds the paragraphs of the README and of the documents on their page, each with the words of its headings.
func (f *findable) documents(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge) error {
	readme, _ := e.Introducers()
	names := []string{readme}
	if page, _, err := e.Current(w.Layout.Overview(render.DocumentPage)); err == nil {
		for _, m := range documentLine.FindAllStringSubmatch(string(page), -1) {
			names = append(names, m[1])
		}
	}
	for i, name := range names[:min(len(names), mostDocuments)] {
		if name == "" || slices.Contains(names[:i], name) {
			continue
		}
		lines, err := linesOf(ctx, e, name)
		if err != nil {
			return err
		}
		f.document(name, lines)
	}
	return nil
}

func linesOf(ctx context.Context, e *workspace.Knowledge, name string) (lines []string, err error) {
	for n := 0; n < mostLines; n += mostOfRoot {
		o, err := e.Shown().Run(ctx, inspect.Call{Tool: inspect.Read, About: name, From: n + 1, To: n + mostOfRoot})
		if err != nil || len(o.Places) == 0 {
			return lines, err
		}
		lines = append(lines, o.Places[0].Lines...)
		if len(o.Places[0].Lines) < mostOfRoot {
			break
		}
	}
	return lines, nil
}

func (f *findable) document(name string, lines []string) {
	headings := source.Headings(name, []byte(strings.Join(lines, "\n")))
	above := make([]string, 8) // the headings by level
	f.section(name, "", "", lines, 0, headings)
	for i, h := range headings {
		level := min(h.Level, len(above)-1)
		clear(above[level:])
		shown := h.Text
		if level == 1 {
			shown = "" // the title says little of what is below it
		}
		f.section(name, shown, strings.Join(above[2:max(2, level)], " "), lines, h.Line+1, headings[i+1:])
		above[level] = h.Text
	}
}

// section adds the paragraphs of one section. A hit shows those that follow as well, which may be the command that the first announces.
func (f *findable) section(name, heading, above string, lines []string, from int, next []source.Heading) {
	to := len(lines)
	if len(next) > 0 {
		to = next[0].Line
	}
	var texts []string
	var at []int
	open := false
	for i := from; i < to; i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "" || noText.MatchString(line):
			open = false
		case open && !ownBlock.MatchString(line):
			texts[len(texts)-1] += " " + line
		default:
			open = true
			texts, at = append(texts, line), append(at, i+1)
		}
	}
	for i, text := range texts {
		key, says := name+":"+strconv.Itoa(at[i]), ""
		for _, t := range texts[i:] {
			if says != "" && len(says)+len(t) > shownSection {
				break
			}
			says += " " + markdown.Words(strings.TrimLeft(strings.ReplaceAll(t, "|", " "), "#->*+$ "))
		}
		if says = strings.TrimSpace(says); heading != "" {
			says = heading + ": " + says
		}
		f.hits[key] = Hit{Kind: "file", Target: name, Text: says, At: key, section: fmt.Sprint(name, from)}
		f.texts.Add(key, strings.Join([]string{heading, above, text}, " "))
		f.heads.Add(key, heading)
		f.headed[key] = len(lexical.Terms(heading))
	}
}

// inDocuments returns the paragraphs by the share of the question's words that they have, and that their heading has.
func (f *findable) inDocuments(question string) (out []lexical.Match) {
	all := func(string) bool { return true }
	heads := map[string]float64{}
	for _, m := range f.heads.Cover(question, all) {
		heads[m.Key] = m.Score * min(1, (1+float64(len(lexical.Terms(question))))/float64(1+f.headed[m.Key])) // a long heading is about more
	}
	for _, m := range f.texts.Cover(question, all) {
		out = append(out, lexical.Match{Key: m.Key, Score: 0.8*m.Score + 0.35*heads[m.Key]})
	}
	return out
}
