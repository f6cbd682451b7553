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

// text holds the words of a discussion separated by single spaces, without the marks of quotations and lists.
type text struct {
	words string
	lines []int // offset of each line in words
}

// marks match the beginning of a line that is not part of its words, in Markdown or e-mail.
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

// line returns the line number of an offset.
func (d *text) line(at int) int {
	return sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > at })
}

// part is the text of one request.
type part struct {
	text        string
	from, to    int // offsets in words
	first, last int // line numbers
}

// parts divides a discussion into runs of whole lines. A line longer than a part is truncated.
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

// place finds the quotations of a pointer: the statement in the requested part, and what it is about anywhere before
// it. It returns the reason if there is no such text.
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

// plain normalizes a quotation like the words of the discussion.
func plain(quote string) string {
	return strings.Join(strings.Fields(marks.ReplaceAllString(quote, "")), " ")
}

// drafts turns statements, which are sorted and do not overlap, into events.
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

// relate adds the statement that contains some words to an event's references, or else the words as a quotation,
// which may match a recorded event.
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
