package decisions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/survey"
)

// The limits of the page. `causal decisions` and `causal why` show everything.
const (
	mostShown   = 100 // positions of a section
	longestName = 160 // bytes of a heading or a text in a line
	longestText = 2000
)

func toldOfPositions(r survey.Reader) (told, error) {
	value, err := r.Read(ledger.Positions)
	if err != nil {
		return told{}, err
	}
	w, ok := value.(*ledger.Whole)
	if !ok {
		return told{}, fmt.Errorf("the log is a %T", value)
	}
	anything := len(w.Problems) > 0 || slices.ContainsFunc(w.Events(), func(e ledger.Event) bool { return e.Type != ledger.Happening })
	return told{anything, w.Problems, func(head string) string { return decisionsText(w, head) }}, nil
}

type writer struct {
	log *ledger.Log
	b   strings.Builder
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n\n", args...) }

func decisionsText(p *ledger.Whole, head string) string {
	w := &writer{log: p.Log}
	state := reasoning.New(p.Log).State(nil)
	w.b.WriteString(head)
	w.line("# Decisions")
	w.doubt(p.Problems)
	w.line("Accepted, rejected and open decisions of this project. The page shows only recorded events.")
	of := func(list []reasoning.Item, standing reasoning.Standing) (some []reasoning.Item) {
		for _, i := range list {
			if i.Standing == standing {
				some = append(some, i)
			}
		}
		return some
	}
	w.section("Settled", "Positions that survived an objection or were confirmed by a person.", of(state.Current, reasoning.Settled))
	w.section("Contested", "Current positions with an unanswered objection.", of(state.Current, reasoning.Contested))
	w.section("Unchallenged", "Current positions without an objection; possibly unreviewed.", of(state.Current, reasoning.Unchallenged))
	w.section("Objections without an answer", "", state.Pending())
	w.past(state.Past)
	w.b.WriteString("---\n\nRecord missing decisions with " + markdown.Code("causal record") + "; " + markdown.Code("causal why <id>") + " shows the history of one.\n")
	return w.b.String()
}

// tampered reports whether a problem is more than a missing event, which a cherry-pick leaves behind.
func tampered(p ledger.Problem) bool { return p.Kind != ledger.Dangling }

// doubt warns about an incomplete log.
func (w *writer) doubt(problems []ledger.Problem) {
	if len(problems) == 0 {
		return
	}
	title, more := "The log lacks events", ""
	if slices.ContainsFunc(problems, tampered) {
		title = "The log was changed after it was recorded"
	}
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	w.line("> **%s,** so this page may be incomplete: %s%s. %s lists all problems.", title, markdown.Escape(problems[0].Detail), more, markdown.Code("causal verify"))
}

func (w *writer) section(title, about string, items []reasoning.Item) {
	if len(items) == 0 {
		return
	}
	w.line("## %s", title)
	if about != "" {
		w.line("%s", about)
	}
	for _, i := range items[:min(len(items), mostShown)] {
		name, rest := divided(i.Event.Text)
		w.line("### %s", markdown.Escape(name))
		if rest != "" {
			w.line("%s", markdown.Escape(cut(rest, longestText)))
		}
		w.b.WriteString(markdown.Code(i.Event.ID.Short()) + ", " + said(i.Event) + "\n\n")
		w.trail(i)
	}
	w.more(len(items))
}

func (w *writer) more(n int) {
	if n > mostShown {
		w.line("And %d more: %s.", n-mostShown, markdown.Code("causal decisions --all"))
	}
}

// trail lists the effects of an item on others, and of others on it.
func (w *writer) trail(i reasoning.Item) {
	var lines []string
	tell := func(how string, ids []ledger.ID) {
		for _, id := range ids {
			if e, ok := w.log.Find(id); ok {
				lines = append(lines, "- "+how+" "+short(e)+besides(e, i.Event))
			} else {
				lines = append(lines, "- "+how+" "+markdown.Code(id.Short())+", which is not in the log")
			}
		}
	}
	tell("**Contested by:**", i.Challenges)
	how := map[ledger.Type]string{ledger.Contradiction: "Speaks against:", ledger.Synthesis: "Draws on:", ledger.Refinement: "Replaces:"}[i.Event.Type]
	tell(how, i.Event.Targets)
	for _, id := range i.Event.Resolves {
		tell("Answers:", []ledger.ID{id})
		c, _ := w.log.Find(id)
		tell("Replaces:", c.Targets)
	}
	tell("Considers:", i.Event.Considers)
	if len(lines) > 0 {
		w.b.WriteString(strings.Join(lines, "\n") + "\n\n")
	}
}

// past lists the items that are no longer valid, with their outcome. Contradictions appear with the item that they
// contradict.
func (w *writer) past(items []reasoning.Item) {
	items = slices.DeleteFunc(slices.Clone(items), func(i reasoning.Item) bool {
		return i.Event.Type == ledger.Contradiction && i.Status != reasoning.Parked
	})
	if len(items) == 0 {
		return
	}
	w.line("## Past")
	for _, i := range items[:min(len(items), mostShown)] {
		fmt.Fprintf(&w.b, "- ~~%s~~ (%s, %s)%s\n", short(i.Event), markdown.Code(i.Event.ID.Short()), said(i.Event), w.became(i))
	}
	w.b.WriteString("\n")
	w.more(len(items))
}

// became returns the outcome of an item that is no longer valid.
func (w *writer) became(i reasoning.Item) string {
	if i.Status == reasoning.Parked {
		away, _ := w.log.Find(i.Away)
		text := ": put aside"
		if away.Type == ledger.Withdraw {
			text = ": withdrawn"
		}
		if away.Text != "" {
			text += ", since *" + short(away) + "*"
		}
		return text
	}
	by, ok := w.log.Find(i.SupersededBy)
	if !ok {
		return ""
	}
	if by.Type == ledger.Contradiction {
		return ": contradicted by *" + short(by) + "*"
	}
	text := ": was replaced by *" + short(by) + "*"
	for _, id := range i.Against {
		if c, ok := w.log.Find(id); ok {
			return text + ", since *" + short(c) + "*"
		}
	}
	return text
}

// said returns the kind of an event with author, time and place.
func said(e *ledger.Event) string {
	return strings.Join(append([]string{string(e.Type)}, circumstances(e)...), ", ")
}

// besides returns author, time and place of an event, except the values that it shares with another one.
func besides(e, with *ledger.Event) string {
	same := circumstances(with)
	parts := slices.DeleteFunc(circumstances(e), func(c string) bool { return slices.Contains(same, c) })
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func circumstances(e *ledger.Event) (parts []string) {
	if e.Actor != "" {
		parts = append(parts, markdown.Escape(cut(e.Actor, longestName)))
	}
	if day, _, _ := strings.Cut(e.At, "T"); day != "" {
		parts = append(parts, markdown.Escape(cut(day, len("2006-01-02"))))
	}
	switch {
	case strings.HasPrefix(e.Source, "https://"):
		parts = append(parts, markdown.Link("source", e.Source))
	case e.Source != "":
		parts = append(parts, markdown.Code(cut(e.Source, longestName)))
	}
	return parts
}

// short returns an event's text for one line.
func short(e *ledger.Event) string {
	name, _ := divided(e.Text)
	if whole, shortened := strings.CutSuffix(name, "…"); shortened {
		return markdown.Escape(whole) + "…" // the ellipsis is separate from the last word, which may be a link
	}
	return markdown.Escape(name)
}

// divided splits a text into a heading, its first line or the start of it, and the rest.
func divided(text string) (name, rest string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	first, rest = spaced(first), spaced(rest)
	if len(first) <= longestName {
		return first, rest
	}
	if end := strings.Index(first, ". "); end > 0 && end < longestName {
		return first[:end+1], strings.TrimSpace(first[end+1:] + " " + rest)
	}
	return cut(first, longestName), spaced(text)
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	at := most - len("…")
	for at > 0 && text[at]&0xc0 == 0x80 {
		at--
	}
	return text[:at] + "…"
}
