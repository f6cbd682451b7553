package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Row is an event in the table format for other programs (seed 004), with its ID in the log.
type Row struct {
	EventID          int       `json:"event_id"` // from 1
	Timestamp        time.Time `json:"timestamp"`
	EffectText       string    `json:"effect_text"`
	Embedding        []float32 `json:"embedding"`
	CauseID          *int      `json:"cause_id"` // smaller than EventID; nil for a root
	RelationshipText *string   `json:"relationship_text"`
	ID               ledger.ID `json:"id"`
}

const atOnce = 256

// Export passes the log's events with text in log order, but causes before their effects. It returns the number of
// events whose cause is missing. An event without a time gets the time of the previous one.
func Export(ctx context.Context, log *ledger.Log, embedder Embedder, pass func(Row) error) (apart int, err error) {
	events := causesFirst(log)
	number := make(map[ledger.ID]int, len(events))
	at := time.Unix(0, 0).UTC()
	for len(events) > 0 {
		some := events[:min(atOnce, len(events))]
		events = events[len(some):]
		texts := make([]string, len(some))
		for i, e := range some {
			texts[i] = e.Text
		}
		vectors, err := embedder.Embed(ctx, texts)
		if err != nil {
			return apart, fmt.Errorf("embed the events: %w", err)
		}
		if len(vectors) != len(texts) {
			return apart, fmt.Errorf("embed the events: %s made %d vectors of %d texts", embedder.Name(), len(vectors), len(texts))
		}
		for i, e := range some {
			number[e.ID] = len(number) + 1
			at = instant(e.At, at)
			row := Row{EventID: number[e.ID], Timestamp: at, EffectText: e.Text, Embedding: vectors[i], ID: e.ID}
			if cause, ok := number[e.Cause]; ok {
				row.CauseID, row.RelationshipText = &cause, &e.Relationship
			} else if e.Cause != "" {
				apart++
			}
			if err := pass(row); err != nil {
				return apart, err
			}
		}
	}
	return apart, nil
}

func causesFirst(log *ledger.Log) []*ledger.Event {
	events := log.Events()
	out := make([]*ledger.Event, 0, len(events))
	placed := make(map[ledger.ID]bool, len(events))
	for i := range events {
		var chain []*ledger.Event
		for e, ok := &events[i], true; ok && e.Type.Tells() && !placed[e.ID]; e, ok = log.Find(e.Cause) {
			placed[e.ID] = true
			chain = append(chain, e)
		}
		slices.Reverse(chain)
		out = append(out, chain...)
	}
	return out
}

func instant(text string, known time.Time) time.Time {
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil && t.UTC().Year() > 0 && t.UTC().Year() < 10_000 {
			return t.UTC()
		}
	}
	return known
}

// MostRow limits a row in bytes of JSON: a fully escaped text and ten thousand numbers.
const MostRow = 1 << 20

// ParseRow reads a row from a line of JSON. All fields are required, and others are rejected.
func ParseRow(line []byte) (Row, error) {
	var r Row
	if len(line) > MostRow {
		return r, fmt.Errorf("it has %d bytes, and %d are the most", len(line), MostRow)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("it is no event of an export: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r, errors.New("it has more behind the event")
	}
	return r, r.check()
}

func (r *Row) check() error {
	switch {
	case r.EventID < 1 || r.EventID > math.MaxInt32:
		return fmt.Errorf("event_id %d is no number of an event", r.EventID)
	case r.Timestamp.IsZero():
		return errors.New("it has no timestamp")
	case strings.TrimSpace(r.EffectText) == "":
		return errors.New("effect_text says nothing")
	case len(r.Embedding) == 0:
		return errors.New("embedding is empty")
	case (r.CauseID == nil) != (r.RelationshipText == nil):
		return errors.New("cause_id and relationship_text go together")
	case r.CauseID != nil && (*r.CauseID < 1 || *r.CauseID >= r.EventID):
		return fmt.Errorf("cause_id %d is no event before it", *r.CauseID)
	case r.ID == "":
		return errors.New("it has no id")
	}
	return nil
}
