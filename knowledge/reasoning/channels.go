package reasoning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Channel is a source type of a log's events. Challenges in other channels are unknown.
type Channel struct {
	Name   string `json:"name"`
	Events int    `json:"events"`
	Newest string `json:"newest,omitempty"` // time of the newest event
}

type origin struct {
	channel string
	fits    func(source string) bool
}

// origins identifies channels by source. The first match counts.
var origins = []origin{
	{"commands", func(s string) bool { return s == "" }},
	{"pull requests", func(s string) bool { return isURL(s) && strings.Contains(s, "/pull/") }},
	{"links", isURL},
	{"coding agents", func(s string) bool { return strings.HasPrefix(s, "agent:") }},
	{"commits", func(s string) bool { return len(s) >= 40 && strings.Trim(s, "0123456789abcdef") == "" }},
	{"documents", func(s string) bool { return !strings.ContainsAny(s, " \t\n") && strings.ContainsAny(s, "/.") }},
	{"other sources", func(string) bool { return true }},
}

func isURL(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") }

// Channels lists the channels of a log, the one with the most events first.
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

// AsOf describes the extent of a log: the number of events, their channels and the newest day.
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

const mostGaps = 5

// Lacks describes the missing events of a log, or returns "".
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
