// Package recall converts decisions of reviews, such as principles and dismissals, to log events.
package recall

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// Log finds earlier events.
type Log interface {
	// Latest returns the newest position from a source and its status, or a nil event.
	Latest(source string) (*ledger.Event, reasoning.Status)
}

const leastWords = 3

// Dismissals returns events for dismissed findings of closed changes, in the order of the changes: the finding as a
// proposition of its rule, and the reason as a contradiction of its actor. Fixed findings are omitted, because the
// code shows them.
func Dismissals(records []*record.Record) (out []reasoning.Imported) {
	records = slices.Clone(records)
	record.Sort(records)
	for _, r := range records {
		at := r.At.UTC().Format(time.RFC3339)
		for i := range r.Findings {
			f := &r.Findings[i]
			dismissal := life.Last(f.History, string(life.Dismissed))
			if f.Status != life.Dismissed || len(strings.Fields(dismissal.Reason)) < leastWords || f.Message == "" {
				continue
			}
			place := f.Path
			if f.Symbol != "" {
				place += ", " + f.Symbol
			}
			source := record.Path(r.Key) + "#" + f.ID
			out = append(out,
				reasoning.Imported{Draft: reasoning.Draft{Key: source, Type: ledger.Proposition, Text: fit(f.Message + " (" + place + ")"), Source: source, Actor: f.Rule}, At: at},
				reasoning.Imported{Draft: reasoning.Draft{Type: ledger.Contradiction, Text: fit(dismissal.Reason), Targets: []string{source}, Source: source, Actor: dismissal.Actor}, At: at})
		}
	}
	return out
}

// Principles returns events that bring the log up to date with the principles' files. An active principle is a
// proposition, or a refinement of its earlier text. A declined or demoted one is withdrawn, an expired one is parked,
// and a reactivated one is resumed. Candidates are skipped. It returns unreadable files in unread.
func Principles(records []*record.Record, files map[string][]byte, policy principle.Policy, log Log) (out []reasoning.Imported, unread []string) {
	book := principle.Open(records, files, policy)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		p, err := principle.Read(name, files[name])
		if err != nil {
			unread = append(unread, name)
			continue
		}
		at := ""
		if n := len(p.Evidence); n > 0 {
			at = p.Evidence[n-1].At + "T00:00:00Z"
		}
		for _, d := range drafts(p, name, log, book.Account(p.Slug).Because(p)) {
			out = append(out, reasoning.Imported{Draft: d, At: at})
		}
	}
	return out, unread
}

var ends = map[principle.Status]struct {
	does ledger.Type
	word string
}{
	principle.Demoted: {ledger.Withdraw, "Demoted"}, principle.Declined: {ledger.Withdraw, "Declined"}, principle.Expired: {ledger.Park, "Expired"},
}

func drafts(p *principle.Principle, name string, log Log, because string) (out []reasoning.Draft) {
	before, status := log.Latest(name)
	end, ended := ends[p.Status]
	switch {
	case p.Status == principle.Candidate, ended && status == reasoning.Parked:
		return nil
	case status == reasoning.Parked:
		out = append(out, reasoning.Draft{Type: ledger.Resume, Text: "In force again", Targets: []string{string(before.ID)}})
	}
	d := reasoning.Draft{Key: name, Type: ledger.Proposition, Text: text(p), Source: name}
	if before != nil {
		d.Type, d.Targets = ledger.Refinement, []string{string(before.ID)}
	}
	about := name
	if before == nil || before.Text != d.Text {
		out = append(out, d)
	} else {
		about = string(before.ID)
	}
	if ended {
		why := end.word
		if because != "" {
			why += ": " + because
		}
		out = append(out, reasoning.Draft{Type: end.does, Text: fit(why), Targets: []string{about}})
	}
	return out
}

func text(p *principle.Principle) string {
	rule := cmp.Or(strings.TrimSpace(p.Rule), p.Slug)
	if why := strings.TrimSpace(p.Why); why != "" {
		return fit(rule + "\n\n" + why)
	}
	return fit(rule)
}

func fit(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) <= ledger.MostText {
		return text
	}
	return fmt.Sprintf("%s…", strings.ToValidUTF8(text[:ledger.MostText-len("…")], ""))
}
