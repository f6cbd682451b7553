package discussion

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// text is a discussion as its words alone: with one blank between any two, and without the marks that quote or list them.
type text struct {
	words string
	lines []int // where each begins in words
}

// marks are what a line of Markdown or of an e-mail begins with that is none of its words.
var marks = regexp.MustCompile(`^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?`)

func parse(source string) *text {
	var d text
	var b strings.Builder
	for line := range strings.Lines(source) {
		d.lines = append(d.lines, b.Len())
		for _, w := range strings.Fields(marks.ReplaceAllString(line, "")) {
			b.WriteString(w)
			b.WriteByte(' ')
		}
	}
	d.words = b.String()
	return &d
}

// line is the number of the line that a place is on.
func (d *text) line(at int) int {
	return sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > at })
}

// part is what is asked about at once.
type part struct {
	text        string
	from, to    int // in the words
	first, last int // lines
}

// parts are runs of whole lines. A line that is longer than a part is one by itself, cut.
func (d *text) parts() (out []part) {
	end := func(i int) int {
		if i < len(d.lines) {
			return d.lines[i]
		}
		return len(d.words)
	}
	for first := 0; first < len(d.lines); {
		last := first + 1
		for last < len(d.lines) && end(last+1)-d.lines[first] <= mostPart {
			last++
		}
		p := part{from: d.lines[first], to: end(last), first: first + 1, last: last}
		var b strings.Builder
		for i := first; i < last; i++ {
			b.WriteString(strings.TrimSpace(d.words[d.lines[i]:end(i+1)]) + "\n")
		}
		p.text = strings.ToValidUTF8(b.String()[:min(b.Len(), mostPart)], "")
		if strings.TrimSpace(p.text) != "" {
			out = append(out, p)
		}
		first = last
	}
	return out
}

// place finds the words that a model points at, and says why where there are no such: those of the statement in the part that it was
// asked about, those of what it is about anywhere before.
func (d *text) place(p *pointer, in part) string {
	if !slices.ContainsFunc(kinds, func(k kind) bool { return k.of == p.Type }) {
		return fmt.Sprintf("%q is no type of statement", clip(string(p.Type)))
	}
	quote := plain(p.Quote)
	at := strings.Index(d.words[in.from:in.to], quote)
	switch {
	case strings.Count(quote, " ")+1 < leastWords:
		return fmt.Sprintf("it has fewer than %d words", leastWords)
	case at < 0:
		return "the discussion has no such words"
	}
	p.span = span{in.from + at, in.from + at + len(quote)}
	for _, about := range p.About {
		words := plain(about)
		before := strings.LastIndex(d.words[:p.from], words)
		if words == "" || before < 0 {
			return fmt.Sprintf("it refers to a statement that does not come before it: %q", clip(about))
		}
		p.about = append(p.about, span{before, before + len(words)})
	}
	return ""
}

// plain are the words of a quotation in the form of the discussion's.
func plain(quote string) string {
	return strings.Join(strings.Fields(marks.ReplaceAllString(quote, "")), " ")
}

// drafts makes events of statements, which are in their order and do not overlap.
func (d *text) drafts(name string, pointed []pointer) (found Found) {
	places := map[string]span{} // of the statements, by key
	for _, p := range pointed {
		e := reasoning.Draft{
			Type: p.Type, Text: d.words[p.from:p.to], Source: name + "#L" + strconv.Itoa(d.line(p.from)), Key: "s" + strconv.Itoa(len(found.Drafts)+1),
		}
		if p.Type != ledger.Proposition {
			for _, about := range p.about {
				d.relate(&e, about, found.Drafts, places)
			}
			if len(e.Targets)+len(e.Resolves) == 0 {
				found.Refusals = append(found.Refusals, Refusal{clip(e.Text), fmt.Sprintf("a %s is about an earlier statement, and none is named", e.Type)})
				continue
			}
		}
		places[e.Key] = p.span
		found.Drafts = append(found.Drafts, e)
	}
	return found
}

// relate lets an event name the statement that has some words, or the words themselves where none has: they may have been recorded before.
func (d *text) relate(e *reasoning.Draft, about span, drafts []reasoning.Draft, places map[string]span) {
	for _, earlier := range drafts {
		if place := places[earlier.Key]; about.from >= place.to || place.from >= about.to {
			continue
		}
		into := &e.Targets
		if earlier.Type == ledger.Contradiction && e.Type == ledger.Refinement {
			into = &e.Resolves
		}
		if !slices.Contains(*into, earlier.Key) {
			*into = append(*into, earlier.Key)
		}
		return
	}
	e.Targets = append(e.Targets, `"`+d.words[about.from:about.to]+`"`)
}
