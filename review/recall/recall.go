// Package recall tells what reviews decided, as events for the log: which rules a project gave itself and gave up, and which findings people
// dismissed for a reason.
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

// Draft is an event that follows from a review, with the time that it has.
type Draft struct {
	reasoning.Draft
	At string
}

// Log answers what was recorded before.
type Log interface {
	// Latest is the newest position that was recorded from a place, with what became of it. The event is nil where there is none.
	Latest(source string) (*ledger.Event, reasoning.Status)
}

// leastWords is how many words a reason has that tells others something.
const leastWords = 3

// Dismissals are the findings of closed changes that people dismissed for a reason, in the order of the changes: what was found is a
// proposition of the rule, the reason a contradiction of whoever gave it. What was fixed is left out: the code tells.
func Dismissals(records []*record.Record) (out []Draft) {
	records = slices.Clone(records)
	record.Sort(records)
	for _, r := range records {
		at := r.At.UTC().Format(time.RFC3339)
		for i := range r.Findings {
			f := &r.Findings[i]
			reason, actor := dismissal(f)
			if len(strings.Fields(reason)) < leastWords || f.Message == "" {
				continue
			}
			place := f.Path
			if f.Symbol != "" {
				place += ", " + f.Symbol
			}
			source := record.Path(r.Key) + "#" + f.ID
			out = append(out,
				Draft{reasoning.Draft{Key: source, Type: ledger.Proposition, Text: fit(f.Message + " (" + place + ")"), Source: source, Actor: f.Rule}, at},
				Draft{reasoning.Draft{Type: ledger.Contradiction, Text: fit(reason), Targets: []string{source}, Source: source, Actor: actor}, at})
		}
	}
	return out
}

// dismissal is why a finding was dismissed in the end, and by whom.
func dismissal(f *record.Finding) (reason, actor string) {
	if f.Status != life.Dismissed {
		return "", ""
	}
	for _, e := range slices.Backward(f.History) {
		if e.Event == string(life.Dismissed) {
			return e.Reason, e.Actor
		}
	}
	return "", ""
}

// Principles are the events by which the log comes to tell what the files of principles say: a rule in force is a proposition, or a refinement
// of what the same file said before; what people declined or took back is withdrawn, what was not seen for long is parked, and what is in force
// again is resumed. One that waits for approval is nobody's yet. What cannot be read is passed over, and returned.
func Principles(records []*record.Record, files map[string][]byte, policy principle.Policy, log Log) (out []Draft, unread []string) {
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
			out = append(out, Draft{d, at})
		}
	}
	return out, unread
}

// ends are what the status of a principle does to what it says.
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

// text is what a principle says, in the words of its file.
func text(p *principle.Principle) string {
	rule := cmp.Or(strings.TrimSpace(p.Rule), p.Slug)
	if why := strings.TrimSpace(p.Why); why != "" {
		return fit(rule + "\n\n" + why)
	}
	return fit(rule)
}

// fit is so much of a text as an event has, between two characters.
func fit(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) <= ledger.MostText {
		return text
	}
	return fmt.Sprintf("%s…", strings.ToValidUTF8(text[:ledger.MostText-len("…")], ""))
}
