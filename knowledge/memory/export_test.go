package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

func exported(t interface{ Fatal(...any) }, log *ledger.Log) (rows []memory.Row, apart int) {
	apart, err := memory.Export(context.Background(), log, memory.Hashed{}, func(r memory.Row) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, apart
}

func TestExport(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	add := func(e ledger.Event) ledger.ID {
		added, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		return added.ID
	}
	p := add(ledger.Event{Type: ledger.Proposition, Text: "Cache it", At: "2026-01-02T03:04:05Z"})
	k := add(ledger.Event{Type: ledger.Confirm, Targets: []ledger.ID{p}, At: "2026-01-03T00:00:00Z"})
	add(ledger.Event{Type: ledger.Happening, Text: "It was cached", Cause: p, Relationship: "as said", At: "2026-01-04"})
	add(ledger.Event{Type: ledger.Happening, Text: "It was celebrated", Cause: k, Relationship: "at last", At: "yesterday"})
	rows, apart := exported(t, log)
	var got []string
	for _, r := range rows {
		cause := "-"
		if r.CauseID != nil {
			cause = fmt.Sprint(*r.CauseID, " ", *r.RelationshipText)
		}
		got = append(got, fmt.Sprintf("%d %s %s %d: %s", r.EventID, r.Timestamp.Format(time.RFC3339), r.EffectText, len(r.Embedding), cause))
	}
	want := []string{
		"1 2026-01-02T03:04:05Z Cache it 256: -",
		"2 2026-01-04T00:00:00Z It was cached 256: 1 as said",
		"3 2026-01-04T00:00:00Z It was celebrated 256: -", // what led to it tells nothing by itself
	}
	if !slices.Equal(got, want) || apart != 1 {
		t.Errorf("%d apart, got\n%s\nwant\n%s", apart, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	full := errors.New("full")
	if _, err := memory.Export(t.Context(), log, memory.Hashed{}, func(memory.Row) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	if _, err := memory.Export(t.Context(), log, odd{}, func(memory.Row) error { return nil }); err == nil {
		t.Error("no vectors are vectors enough")
	}
}

// TestExportIsATable: however events name and see each other, the rows are what ParseRow takes, numbered in their order with each cause before
// its effects, and every event that tells something is there once.
func TestExportIsATable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log, _ := ledger.New(nil)
		var ids []ledger.ID
		for i := range rapid.IntRange(0, 30).Draw(t, "events") {
			e := ledger.Event{Type: ledger.Happening, Text: fmt.Sprint("event ", i)}
			if len(ids) > 0 && rapid.Bool().Draw(t, "apart") {
				e.Parents = rapid.SliceOfN(rapid.SampledFrom(ids), 0, 2).Draw(t, "parents")
				e.Parents = append([]ledger.ID{}, e.Parents...)
			}
			if len(ids) > 0 && rapid.Bool().Draw(t, "caused") {
				e.Cause, e.Relationship = rapid.SampledFrom(ids).Draw(t, "cause"), "so"
			}
			added, err := log.Add(e)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, added.ID)
		}
		rows, apart := exported(t, log)
		if len(rows) != len(ids) || apart > 0 {
			t.Fatalf("%d rows of %d events, %d apart", len(rows), len(ids), apart)
		}
		for i, r := range rows {
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			read, err := memory.ParseRow(line)
			e, _ := log.Find(r.ID)
			if err != nil || read.EventID != i+1 || (e.Cause == "") != (read.CauseID == nil) || read.CauseID != nil && rows[*read.CauseID-1].ID != e.Cause {
				t.Fatalf("%s: %v", line, err)
			}
		}
	})
}

const row = `{"event_id":2,"timestamp":"2026-01-02T03:04:05Z","effect_text":"x","embedding":[1,0],"cause_id":1,"relationship_text":"so","id":"ab"}`

func TestParseRow(t *testing.T) {
	t.Parallel()
	if _, err := memory.ParseRow([]byte(row)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"event_id":2`, `"event_id":0`, "no number"},
		{`"event_id":2`, `"event_id":2,"more":1`, "unknown field"},
		{`2026-01-02T03:04:05Z`, `0001-01-01T00:00:00Z`, "no timestamp"},
		{`2026-01-02T03:04:05Z`, `yesterday`, "no event of an export"},
		{`"x"`, `" "`, "says nothing"},
		{`[1,0]`, `[]`, "embedding is empty"},
		{`[1,0]`, `[1e999]`, "no event of an export"},
		{`"so"`, `null`, "go together"},
		{`"cause_id":1`, `"cause_id":null`, "go together"},
		{`"cause_id":1`, `"cause_id":2`, "no event before it"},
		{`"ab"`, `""`, "no id"},
		{`"ab"}`, `"ab"}{}`, "more behind"},
		{`"x"`, `"` + strings.Repeat("x", memory.MostRow) + `"`, "are the most"},
	} {
		if _, err := memory.ParseRow([]byte(strings.Replace(row, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: %v, want %s", c.new, err, c.want)
		}
	}
}

// FuzzParseRow: whatever a line is, what is taken can be written and read again.
func FuzzParseRow(f *testing.F) {
	f.Add([]byte(row))
	f.Add([]byte(`{"event_id":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := memory.ParseRow(line)
		if err != nil {
			return
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if len(again) <= memory.MostRow {
			if _, err := memory.ParseRow(again); err != nil {
				t.Fatalf("%s: %v", again, err)
			}
		}
	})
}
