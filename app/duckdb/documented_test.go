package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedQueries: what the guide says that can be asked can be asked, of the file and of the lines that it is made from.
func TestDocumentedQueries(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "memory.md"))
	if err != nil {
		t.Fatal(err)
	}
	query := regexp.MustCompile("(?s)```sql\n(.*?)```").FindSubmatch(guide)
	dir := t.TempDir()
	name, lines := filepath.Join(dir, "events.duckdb"), filepath.Join(dir, "events.jsonl")
	rows := export(t, 4)
	if err := os.WriteFile(lines, rows, 0o600); err != nil || query == nil {
		t.Fatalf("%v, %q", err, query)
	}
	if err := write(t.Context(), name, bytes.NewReader(rows), "hash-v1", 4); err != nil {
		t.Fatal(err)
	}
	table, err := openTable(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = table.Close() }()
	for _, q := range []string{string(query[1]), strings.ReplaceAll(string(query[1]), "FROM events", "FROM read_json('"+lines+"') AS events")} {
		var n int
		if err := table.db.QueryRowContext(t.Context(), "SELECT count(*) FROM ("+strings.TrimRight(strings.TrimSpace(q), ";")+")").Scan(&n); err != nil || n != 2 {
			t.Errorf("%d steps, %v of %s", n, err, q)
		}
	}
}
