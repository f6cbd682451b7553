package reasoning_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// TestChannels: how each event came into the log is told by its source, and up to when.
func TestChannels(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	if got := reasoning.Channels(log); len(got) != 0 {
		t.Errorf("an empty log: %v", got)
	}
	if got := reasoning.AsOf(log); got != "as of 0 events" {
		t.Error(got)
	}
	for i, source := range []string{
		"", "", "", "https://github.com/o/r/pull/7#issuecomment-1", "https://github.com/o/r/issues/7", strings.Repeat("a0", 20), "docs/adr/0001-x.md", "notes.md#L3", "said in the hall", "slack#42", "agent:inspector#4",
	} {
		if _, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: "x" + strings.Repeat("x", i), Source: source, At: fmt.Sprintf("2026-01-%02d", i+1)}); err != nil {
			t.Fatal(err)
		}
	}
	want := []reasoning.Channel{
		{"commands", 3, "2026-01-03"},
		{"documents", 2, "2026-01-08"}, {"other sources", 2, "2026-01-10"},
		{"pull requests", 1, "2026-01-04"},
		{"links", 1, "2026-01-05"},
		{"coding agents", 1, "2026-01-11"},
		{"commits", 1, "2026-01-06"},
	}
	if got := reasoning.Channels(log); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := reasoning.AsOf(log); got != "as of 11 events (3 from commands, 2 from documents, 2 from other sources, 1 from pull requests, 1 from links, 1 from coding agents, 1 from commits), the newest of 2026-01-11" {
		t.Error(got)
	}
}
