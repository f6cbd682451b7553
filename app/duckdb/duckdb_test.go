package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	"github.com/causaldocs/causal/knowledge/memory/memorytest"
)

// TestIndex holds DuckDB to what every index of the memory promises.
func TestIndex(t *testing.T) {
	t.Parallel()
	memorytest.Run(t, func(t *testing.T) memory.Index {
		table, err := createTable(t.Context(), "", memory.Hashed{}.Name())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := table.Close(); err != nil {
				t.Error(err)
			}
		})
		index, err := table.index(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return index
	})
}

// export is that of a log with some chains and some roots, some of which are longer than a window.
func export(t *testing.T, events int) []byte {
	t.Helper()
	log, _ := ledger.New(nil)
	var last ledger.ID
	for i := range events {
		e := ledger.Event{Type: ledger.Happening, Text: fmt.Sprintf("Build %d of the invoice export ran", i), At: "2026-01-02T03:04:05Z"}
		if i%7 > 0 {
			e.Cause, e.Relationship = last, fmt.Sprintf("for it's %d", i)
		}
		added, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		last = added.ID
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	if _, err := memory.Export(t.Context(), log, memory.Hashed{}, func(r memory.Row) error { return lines.Encode(r) }); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWrite(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "it's.duckdb")
	for _, n := range []int{0, 30, 20} { // each takes the place of the one before
		if err := run(t.Context(), []string{"write", "--embeddings", "hash-v1", "--rows", fmt.Sprint(n), name}, bytes.NewReader(export(t, n)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	table, err := openTable(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := table.db.QueryContext(t.Context(), "SELECT event_id, timestamp, effect_text, len(embedding), coalesce(cause_id, 0), coalesce(relationship_text, '-') FROM events ORDER BY event_id")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		var id, size, cause int
		var at time.Time
		var text, relationship string
		if err := rows.Scan(&id, &at, &text, &size, &cause, &relationship); err != nil {
			t.Fatal(err)
		}
		n++
		wantCause, wantRelationship := n-1, fmt.Sprintf("for it's %d", n-1)
		if (n-1)%7 == 0 {
			wantCause, wantRelationship = 0, "-"
		}
		if id != n || size != 256 || cause != wantCause || relationship != wantRelationship || !at.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) || text != fmt.Sprintf("Build %d of the invoice export ran", n-1) {
			t.Errorf("%d, %v, %s, %d, %d, %s", id, at, text, size, cause, relationship)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close(), table.Close()); err != nil || n != 20 {
		t.Errorf("%d rows, %v", n, err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"search", "--top", "2", name, "-"}, strings.NewReader("build 12 of the export\n\n"), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 2 || strings.Count(lines[0], `"id":"`) != 2 || !strings.Contains(lines[1], `"matches":[]`) {
		t.Errorf("%s", out.String())
	}
}

// TestSchema: the table is the one of the seed, and keeps to it whoever adds rows.
func TestSchema(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "events.duckdb")
	if err := write(t.Context(), name, bytes.NewReader(export(t, 3)), "hash-v1", 3); err != nil {
		t.Fatal(err)
	}
	table, err := connect(t.Context(), name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = table.Close() }()
	rows, err := table.db.QueryContext(t.Context(), "SELECT column_name || ' ' || data_type || CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' ELSE '' END FROM information_schema.columns WHERE table_name = 'events' ORDER BY ordinal_position")
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	for rows.Next() {
		var c string
		if err := rows.Scan(&c); err != nil {
			t.Fatal(err)
		}
		columns = append(columns, c)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	want := []string{"event_id INTEGER NOT NULL", "timestamp TIMESTAMP NOT NULL", "effect_text VARCHAR NOT NULL", "embedding FLOAT[] NOT NULL", "cause_id INTEGER", "relationship_text VARCHAR"}
	if !slices.Equal(columns, want) {
		t.Errorf("%q", columns)
	}
	const into = "INSERT INTO events (timestamp, effect_text, embedding, cause_id, relationship_text) VALUES "
	for values, refused := range map[string]string{
		"(now(), 'x', [1], 3, 'so')":     "",
		"(now(), 'x', [1], 3, NULL)":     "CHECK",
		"(now(), 'x', [1], NULL, 'so')":  "CHECK",
		"(now(), 'x', [1], 99, 'so')":    "foreign key",
		"(NULL, 'x', [1], NULL, NULL)":   "NOT NULL",
		"(now(), NULL, [1], NULL, NULL)": "NOT NULL",
		"(now(), 'x', NULL, NULL, NULL)": "NOT NULL",
	} {
		if _, err := table.db.ExecContext(t.Context(), into+values); (err == nil) != (refused == "") || err != nil && !strings.Contains(err.Error(), refused) {
			t.Errorf("%s: %v, want %q", values, err, refused)
		}
	}
	var indexed int
	if err := table.db.QueryRowContext(t.Context(), "SELECT count(*) FROM duckdb_indexes() WHERE table_name = 'events' AND expressions LIKE '%timestamp%'").Scan(&indexed); err != nil || indexed != 1 {
		t.Errorf("%d indexes on timestamp, %v", indexed, err)
	}
}

// TestNotReplaced: what is no export stays as it is, and so does an export where the new one is not whole.
func TestNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("notes"), []byte("many notes of mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := connect(t.Context(), file("other.duckdb"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.db.ExecContext(t.Context(), "CREATE TABLE events (mine INTEGER)"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(other.Close(), write(t.Context(), file("good"), bytes.NewReader(export(t, 9)), "hash-v1", -1)); err != nil {
		t.Fatal(err)
	}
	good := export(t, 9)
	lines := bytes.SplitAfter(good, []byte("\n"))
	for _, c := range []struct {
		name, want string
		in         []byte
		rows       int
	}{
		{"notes", "is no export", good, -1},
		{"other.duckdb", "is no export", good, -1},
		{".", "is no export", good, -1},
		{"good", "not whole", good, 10},
		{"good", "line 2: event_id is 3", slices.Concat(lines[0], lines[2]), -1},
		{"good", "line 1: it is no event", []byte("[]\n"), -1},
		{"good", "embedding has 1 numbers", []byte(string(lines[0]) + `{"event_id":2,"timestamp":"2026-01-02T03:04:05Z","effect_text":"x","embedding":[1],"cause_id":1,"relationship_text":"so","id":"ab"}`), -1},
		{"good", "duplicate key", slices.Concat(lines[0], bytes.Replace(lines[0], []byte(`"event_id":1`), []byte(`"event_id":2`), 1)), -1}, // one id twice
		{"what?", "question mark", good, -1},
	} {
		before, _ := os.ReadFile(file(c.name))
		err := write(t.Context(), file(c.name), bytes.NewReader(c.in), "hash-v1", c.rows)
		after, _ := os.ReadFile(file(c.name))
		if err == nil || !strings.Contains(err.Error(), c.want) || !bytes.Equal(before, after) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if left, err := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "events.duckdb")
	if err := write(t.Context(), name, bytes.NewReader(export(t, 3)), "text-embedding-3-small", 3); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"search", name, "x"}, {"search", name}, {"search", "--top", "0", name, "x"}, {"write"}, {"write", "--rows", "x", name}, {"nothing"}, {},
	} {
		var mistake usageError
		if err := run(t.Context(), args, strings.NewReader(""), nil); !errors.As(err, &mistake) {
			t.Errorf("%q: %v", args, err)
		}
	}
	if err := run(t.Context(), []string{"search", name + ".none", "x"}, nil, nil); err == nil {
		t.Error("a file that is not there is searched")
	}
}
