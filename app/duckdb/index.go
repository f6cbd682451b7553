package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
)

// index is a memory.Index on the events table, by cosine similarity.
type index struct {
	t        *table
	embedder memory.Embedder
	last     int
}

// index returns the index of a table whose embeddings this program can compute.
func (t *table) index(ctx context.Context) (*index, error) {
	name, ok, err := t.embeddings(ctx)
	x := &index{t: t, embedder: memory.Hashed{}}
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, usageError{errors.New("this is no export of causal")}
	case name != x.embedder.Name():
		return nil, usageError{fmt.Errorf("its vectors were made by %s, and those of %s cannot be compared with them", name, x.embedder.Name())}
	}
	err = t.db.QueryRowContext(ctx, "SELECT count(*) FROM events").Scan(&x.last)
	return x, err
}

// Add implements memory.Index.
func (x *index) Add(ctx context.Context, texts ...memory.Text) error {
	var fresh []memory.Text
	adding := map[string]bool{}
	for _, text := range texts {
		var there int
		if err := x.t.db.QueryRowContext(ctx, "SELECT count(*) FROM log_ids WHERE id = ?", text.Key).Scan(&there); err != nil {
			return err
		}
		if there == 0 && !adding[text.Key] {
			adding[text.Key] = true
			fresh = append(fresh, text)
		}
	}
	rows := make([]memory.Row, len(fresh))
	for i, text := range fresh {
		vectors, err := x.embedder.Embed(ctx, []string{text.Text})
		if err != nil {
			return err
		}
		rows[i] = memory.Row{EventID: x.last + i + 1, Timestamp: time.Unix(0, 0), EffectText: text.Text, Embedding: vectors[0], ID: ledger.ID(text.Key)}
	}
	if err := x.t.inOne(ctx, func(conn driver.Conn) error {
		a, err := newAdder(conn)
		if err != nil {
			return err
		}
		return a.Close(a.add(rows))
	}); err != nil {
		return err
	}
	x.last += len(rows)
	return nil
}

// nearest selects one event per vector with the direction of the question's.
const nearest = `
SELECT id, score FROM (
	SELECT event_id, list_cosine_similarity(embedding, ?::FLOAT[]) AS score
	FROM events WHERE score > 0 AND NOT isnan(score) ORDER BY score DESC, event_id LIMIT ?
) JOIN log_ids USING (event_id) ORDER BY score DESC, event_id`

// Search implements memory.Index.
func (x *index) Search(ctx context.Context, question string, top int) (hits []memory.Hit, err error) {
	if strings.TrimSpace(question) == "" || x.last == 0 {
		return nil, ctx.Err()
	}
	vectors, err := x.embedder.Embed(ctx, []string{question})
	if err != nil {
		return nil, err
	}
	rows, err := x.t.db.QueryContext(ctx, nearest, vectors[0], top)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var h memory.Hit
		var score sql.NullFloat64
		if err := rows.Scan(&h.Key, &score); err != nil {
			return nil, err
		}
		h.Score = score.Float64
		hits = append(hits, h)
	}
	return hits, rows.Err()
}
