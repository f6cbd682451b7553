package reasoning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Channel is one of the ways by which events came into a log. What was said in another is not known, and a position that nobody challenged
// in these may have been challenged there.
type Channel struct {
	Name   string `json:"name"`
	Events int    `json:"events"`
	Newest string `json:"newest,omitempty"` // when the newest was said
}

// origin is what the sources of a channel's events look like.
type origin struct {
	channel string
	fits    func(source string) bool
}

// origins tell channels apart; the first that fits counts.
var origins = []origin{
	{"commands", func(s string) bool { return s == "" }},
	{"pull requests", func(s string) bool { return isURL(s) && strings.Contains(s, "/pull/") }},
	{"links", isURL},
	{"coding agents", func(s string) bool { return strings.HasPrefix(s, "agent:") }},
	{"commits", func(s string) bool { return len(s) >= 40 && strings.Trim(s, "0123456789abcdef") == "" }},
	{"documents", func(s string) bool { return !strings.ContainsAny(s, " \t\n") && strings.ContainsAny(s, "/.#") }},
	{"other sources", func(string) bool { return true }},
}

func isURL(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") }

// Channels are those by which events came into a log, the one with the most first.
func Channels(log *ledger.Log) []Channel {
	out := make([]Channel, len(origins))
	events := log.Events()
	for i := range events {
		at := slices.IndexFunc(origins, func(o origin) bool { return o.fits(events[i].Source) })
		c := &out[at]
		c.Name, c.Events, c.Newest = origins[at].channel, c.Events+1, max(c.Newest, events[i].At)
	}
	out = slices.DeleteFunc(out, func(c Channel) bool { return c.Events == 0 })
	slices.SortStableFunc(out, func(a, b Channel) int { return cmp.Compare(b.Events, a.Events) })
	return out
}

// AsOf says how far what follows from a log goes: how many events there are, by which channels they came, and of which day the newest is.
func AsOf(log *ledger.Log) string {
	n := len(log.Events())
	text := fmt.Sprintf("as of %d events", n)
	if n == 1 {
		text = "as of 1 event"
	}
	var seen []string
	newest := ""
	for _, c := range Channels(log) {
		seen = append(seen, fmt.Sprintf("%d from %s", c.Events, c.Name))
		newest = max(newest, c.Newest)
	}
	if n > 0 {
		text += " (" + strings.Join(seen, ", ") + ")"
	}
	if day, _, _ := strings.Cut(newest, "T"); day != "" {
		text += ", the newest of " + day
	}
	if lacks := Lacks(log); lacks != "" {
		text += "; " + lacks
	}
	return text
}

// mostGaps limits how many missing events a message names.
const mostGaps = 5

// Lacks names the missing events of a log; it is empty when there are none.
func Lacks(log *ledger.Log) string {
	gaps := log.Gaps()
	if len(gaps) == 0 {
		return ""
	}
	names := make([]string, min(len(gaps), mostGaps))
	for i := range names {
		names[i] = gaps[i].Short()
	}
	text := "the log lacks " + strings.Join(names, ", ")
	if more := len(gaps) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + ", which other events name"
}
