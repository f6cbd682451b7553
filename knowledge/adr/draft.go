package adr

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// Drafts are the events that follow from documents, in their order: each is a proposition, or a refinement of those that it supersedes, which is
// confirmed, put aside or taken back as its status says. former tells which event was recorded of a document before, where one was: what the
// document says now is a refinement of that. Recorded again, the same documents give the same events.
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

// text is what a document decides, in its words: its title, and behind it the decision.
func (r *Record) text() string {
	if r.Decision == "" || len(r.Decision) > ledger.MostText/2 || strings.EqualFold(strings.TrimRight(r.Decision, "."), strings.TrimRight(r.Title, ".")) {
		return r.Title
	}
	return r.Title + "\n\n" + r.Decision
}

// over reports whether a document supersedes an earlier one, as either of them says.
func (r *Record) over(before *Record) bool {
	return slices.ContainsFunc(r.Over, before.Is) || slices.ContainsFunc(before.By, r.Is)
}

// fate is what the status of a document does to what it says; nothing where it was superseded by one of those behind it, which says so itself.
func (r *Record) fate(later []Record) (ledger.Type, string) {
	switch r.Status {
	case Accepted: // in these words: others are accepted anew
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
