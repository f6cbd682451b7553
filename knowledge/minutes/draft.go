package minutes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Draft is an event that follows from a statement, or why none does.
type Draft struct {
	reasoning.Draft
	Line    int
	At      string // empty where the document has no date
	Dropped *reasoning.DropError
}

var lined = lazyregexp.New(`^(.*)#L[0-9]+(?:-L[0-9]+)?$`)

// Drafts are the events that follow from the statements of a document that lies at path, in their order, but for those that were recorded: the same words
// about the same, from the same document, wherever in it they stand now. find names an event by a reference.
func (d *Document) Drafts(path string, events []ledger.Event, find func(ref string) (ledger.ID, error)) []Draft {
	m := matcher{ids: make([]ledger.ID, len(d.statements)), own: map[ledger.ID]bool{}, used: map[ledger.ID]bool{}, find: find}
	for i := range events {
		e := &events[i]
		if from := lined.FindStringSubmatch(e.Source); from != nil && from[1] == path {
			m.known, m.own[e.ID] = append(m.known, e), true
		}
	}
	placed := d.place()
	var out []Draft
	for i := range placed {
		p := &placed[i]
		source := fmt.Sprintf("%s#L%d", path, p.line)
		if m.ids[i] = m.recorded(p, source); m.ids[i] != "" {
			continue
		}
		if m.taken(p, source) {
			source += fmt.Sprintf("-L%d", p.line) // the same line: what stood there before with the same words was about something else
		}
		if p.missing == "" && m.later(p, i) {
			p.missing = "the quoted text is not before it"
		}
		at := ""
		if p.date != "" {
			at = p.date + "T00:00:00Z"
		}
		out = append(out, Draft{reasoning.Draft{
			Key: key(p.line), Type: p.Type, Text: fit(p.text), Targets: m.refs(p.targets, placed), Resolves: m.refs(p.resolves, placed),
			Considers: m.refs(p.considers, placed), Effect: p.effect, Source: source, Actor: p.actor,
		}, p.line, at, p.unplaced()})
	}
	return out
}

// key is that of the draft of a line. No reference is like it.
func key(line int) string { return fmt.Sprintf("line %d", line) }

// fit is so much of a text as an event has.
func fit(text string) string {
	if len(text) <= ledger.MostText {
		return text
	}
	return strings.ToValidUTF8(text[:ledger.MostText-len("…")], "") + "…"
}

// matcher finds what was recorded of a document before.
type matcher struct {
	known []*ledger.Event
	own   map[ledger.ID]bool // those that are known
	used  map[ledger.ID]bool
	ids   []ledger.ID // of the statements before, where they were recorded
	find  func(ref string) (ledger.ID, error)
}

// refs are what a draft names others by.
func (m *matcher) refs(list []about, placed []placed) (out []string) {
	for _, a := range list {
		switch {
		case a.statement < 0:
			out = append(out, a.ref)
		case m.ids[a.statement] != "":
			out = append(out, string(m.ids[a.statement]))
		default:
			out = append(out, key(placed[a.statement].line))
		}
	}
	return out
}

// recorded is the event that was recorded of a statement before; empty where there is none. Of several, the one from the same line is preferred.
func (m *matcher) recorded(p *placed, source string) (found ledger.ID) {
	targets, there := m.named(p.targets)
	resolves, all := m.named(p.resolves)
	for _, e := range m.known {
		same := there && all && e.Type == p.Type && e.Effect == p.effect && slices.Equal(e.Targets, targets) && slices.Equal(e.Resolves, resolves)
		if p.decides { // what else was proposed since makes no other decision of it
			same = e.Type == ledger.Proposition || e.Type == ledger.Refinement || e.Type == ledger.Confirm
		}
		if !same || m.used[e.ID] || e.Text != fit(p.text) {
			continue
		}
		if found == "" || e.Source == source {
			found = e.ID
		}
	}
	if found != "" {
		m.used[found] = true
	}
	return found
}

// taken reports whether an event of these words was recorded from the same line.
func (m *matcher) taken(p *placed, source string) bool {
	return slices.ContainsFunc(m.known, func(e *ledger.Event) bool {
		return e.Source == source && e.Type == p.Type && e.Text == fit(p.text)
	})
}

// later reports whether a statement refers to what was recorded of the same document and does not stand before it.
func (m *matcher) later(p *placed, at int) bool {
	return slices.ContainsFunc(p.targets, func(a about) bool {
		if a.statement >= 0 {
			return false
		}
		id, err := m.find(a.ref)
		return err == nil && m.own[id] && !slices.Contains(m.ids[:at], id)
	})
}

// named are the ids of what an event is about, sorted; false where one of them is not recorded.
func (m *matcher) named(list []about) (ids []ledger.ID, all bool) {
	for _, a := range list {
		id := ledger.ID("")
		if a.statement >= 0 {
			id = m.ids[a.statement]
		} else if found, err := m.find(a.ref); err == nil {
			id = found
		}
		if id == "" {
			return nil, false
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), true
}
