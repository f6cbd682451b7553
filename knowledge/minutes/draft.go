package minutes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

var lined = lazyregexp.New(`^(.*)#L[0-9]+(?:-L[0-9]+)?$`)

// Drafts returns the events of a document's statements in order. It omits recorded ones: the same text with the same
// targets from this document, whatever the line. find resolves a reference to an event.
func (d *Document) Drafts(path string, events []ledger.Event, find func(ref string) (ledger.ID, error)) []reasoning.Imported {
	m := matcher{ids: make([]ledger.ID, len(d.statements)), own: map[ledger.ID]bool{}, used: map[ledger.ID]bool{}, find: find}
	for i := range events {
		e := &events[i]
		if from := lined.FindStringSubmatch(e.Source); from != nil && from[1] == path {
			m.known, m.own[e.ID] = append(m.known, e), true
		}
	}
	placed := d.place()
	var out []reasoning.Imported
	for i := range placed {
		p := &placed[i]
		source := fmt.Sprintf("%s#L%d", path, p.line)
		if m.ids[i] = m.recorded(p, source); m.ids[i] != "" {
			continue
		}
		if m.taken(p, source) {
			source += fmt.Sprintf("-L%d", p.line) // this line had the same text with another target
		}
		if p.missing == "" && m.later(p, i) {
			p.missing = "the quoted text is not before it"
		}
		at := ""
		if p.date != "" {
			at = p.date + "T00:00:00Z"
		}
		out = append(out, reasoning.Imported{Draft: reasoning.Draft{
			Key: key(p.line), Type: p.Type, Text: fit(p.text), Targets: m.refs(p.targets, placed), Resolves: m.refs(p.resolves, placed),
			Considers: m.refs(p.considers, placed), Effect: p.effect, Source: source, Actor: p.actor,
		}, Line: p.line, At: at, Err: p.unplaced()})
	}
	return out
}

// key names a draft by its line. No reference has this form.
func key(line int) string { return fmt.Sprintf("line %d", line) }

func fit(text string) string {
	if len(text) <= ledger.MostText {
		return text
	}
	return strings.ToValidUTF8(text[:ledger.MostText-len("…")], "") + "…"
}

type matcher struct {
	known []*ledger.Event
	own   map[ledger.ID]bool // the same by ID
	used  map[ledger.ID]bool
	ids   []ledger.ID // recorded IDs of the earlier statements
	find  func(ref string) (ledger.ID, error)
}

// refs returns references to events, or keys of drafts that are not yet recorded.
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

// recorded returns the recorded event of a statement, or "". It prefers an event from the same line.
func (m *matcher) recorded(p *placed, source string) (found ledger.ID) {
	targets, there := m.named(p.targets)
	resolves, all := m.named(p.resolves)
	for _, e := range m.known {
		same := there && all && e.Type == p.Type && e.Effect == p.effect && slices.Equal(e.Targets, targets) && slices.Equal(e.Resolves, resolves)
		if p.decides { // later proposals do not make it another decision
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

func (m *matcher) taken(p *placed, source string) bool {
	return slices.ContainsFunc(m.known, func(e *ledger.Event) bool {
		return e.Source == source && e.Type == p.Type && e.Text == fit(p.text)
	})
}

// later reports whether a statement refers to a recorded event of this document that is not before it.
func (m *matcher) later(p *placed, at int) bool {
	return slices.ContainsFunc(p.targets, func(a about) bool {
		if a.statement >= 0 {
			return false
		}
		id, err := m.find(a.ref)
		return err == nil && m.own[id] && !slices.Contains(m.ids[:at], id)
	})
}

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
