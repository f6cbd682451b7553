package adr

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Drafts returns the events of documents in order: each is a proposition, or a refinement of those that it
// supersedes, and is confirmed, parked or withdrawn by its status. former returns the event that was recorded for a
// document before; a changed text is a refinement of it. The same documents give the same events.
func Drafts(records []Record, former func(source, text string) string) []reasoning.Imported {
	records = slices.Clone(records)
	Sort(records)
	var out []reasoning.Imported
	for i := range records {
		r := &records[i]
		text := r.text()
		add := func(d reasoning.Draft) {
			d.Actor = r.Deciders
			at := ""
			if r.Date != "" {
				at = r.Date + "T00:00:00Z"
			}
			out = append(out, reasoning.Imported{Draft: d, At: at})
		}
		d := reasoning.Draft{Key: r.Path, Type: ledger.Proposition, Text: text, Source: r.Path}
		for j := range records[:i] {
			if before := &records[j]; r.over(before) {
				d.Type, d.Targets = ledger.Refinement, append(d.Targets, before.Path)
			}
		}
		if before := former(r.Path, text); before != "" && d.Type == ledger.Proposition {
			d.Type, d.Targets = ledger.Refinement, []string{before}
		}
		add(d)
		if act, said := r.fate(records[i+1:]); said != "" {
			add(reasoning.Draft{Type: act, Text: said, Targets: []string{r.Path}, Source: r.Path + "#status"})
		}
	}
	return out
}

// text is the title of a document with the decision.
func (r *Record) text() string {
	if r.Decision == "" || len(r.Decision) > ledger.MostText/2 || strings.EqualFold(strings.TrimRight(r.Decision, "."), strings.TrimRight(r.Title, ".")) {
		return r.Title
	}
	return r.Title + "\n\n" + r.Decision
}

// over reports whether a document supersedes an earlier one according to either of them.
func (r *Record) over(before *Record) bool {
	return slices.ContainsFunc(r.Over, before.Is) || slices.ContainsFunc(before.By, r.Is)
}

// fate returns the event for the status of a document. A document that a later one supersedes has none: the later one
// replaces it.
func (r *Record) fate(later []Record) (ledger.Type, string) {
	switch r.Status {
	case Accepted: // a document that became accepted again is recorded again
		return ledger.Confirm, "Accepted: " + r.text()
	case Rejected:
		return ledger.Withdraw, "Rejected"
	case Deprecated:
		return ledger.Park, "Deprecated"
	case Superseded:
		if !slices.ContainsFunc(later, func(l Record) bool { return l.over(r) }) {
			return ledger.Park, "Superseded by a document that is not in this directory"
		}
	}
	return "", ""
}
