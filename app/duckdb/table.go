package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/causaldocs/causal/knowledge/memory"
)

// schema is the table of seed 004, with a sequence instead of AUTOINCREMENT, which DuckDB lacks. Rows are only added:
// DuckDB cannot update a referenced row.
const schema = `
CREATE SEQUENCE events_event_id;
CREATE TABLE events (
	event_id INTEGER PRIMARY KEY DEFAULT nextval('events_event_id'),
	timestamp TIMESTAMP NOT NULL,
	effect_text VARCHAR NOT NULL,
	embedding FLOAT[] NOT NULL,
	cause_id INTEGER REFERENCES events (event_id),
	relationship_text VARCHAR,
	CHECK ((cause_id IS NULL) = (relationship_text IS NULL))
);
CREATE TABLE log_ids (
	event_id INTEGER PRIMARY KEY REFERENCES events (event_id),
	id VARCHAR NOT NULL UNIQUE
);
CREATE INDEX events_timestamp ON events (timestamp);
`

// mark is the prefix of the table comment of an export. The name of the embeddings follows.
const mark = "causal memory export 1, embeddings "

type table struct {
	connector *duckdb.Connector
	db        *sql.DB
}

// createTable creates a database, in memory for an empty name.
func createTable(ctx context.Context, name, embeddings string) (*table, error) {
	t, err := connect(ctx, name, "")
	if err != nil {
		return nil, err
	}
	_, err = t.db.ExecContext(ctx, schema)
	if err == nil {
		_, err = t.db.ExecContext(ctx, "COMMENT ON TABLE events IS '"+strings.ReplaceAll(mark+embeddings, "'", "''")+"'")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make the table of events: %w", err), t.Close())
	}
	return t, nil
}

// openTable opens a database read-only, which allows other readers but no writer.
func openTable(ctx context.Context, name string) (*table, error) {
	return connect(ctx, name, "?access_mode=READ_ONLY")
}

func connect(ctx context.Context, name, mode string) (*table, error) {
	if err := fits(name); err != nil {
		return nil, err
	}
	connector, err := duckdb.NewConnector(name+mode, nil)
	switch {
	case err != nil && strings.Contains(err.Error(), "Conflicting lock"):
		return nil, fmt.Errorf("%s is open in another process, and DuckDB lets only one write it: %w", name, err)
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	t := &table{connector, sql.OpenDB(connector)}
	if err := t.db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, err), t.Close())
	}
	return t, nil
}

// fits returns an error for an invalid file name.
func fits(name string) error {
	if strings.Contains(name, "?") {
		return usageError{fmt.Errorf("%s: DuckDB reads text after the question mark as a setting; give another name", name)}
	}
	return nil
}

// Close writes pending changes to the file.
func (t *table) Close() error {
	return errors.Join(t.db.Close(), t.connector.Close())
}

// embeddings returns the name of the embeddings; false if the database is no export.
func (t *table) embeddings(ctx context.Context) (name string, ok bool, err error) {
	var comment sql.NullString
	err = t.db.QueryRowContext(ctx, "SELECT comment FROM duckdb_tables() WHERE table_name = 'events'").Scan(&comment)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	name, ok = strings.CutPrefix(comment.String, mark)
	return name, ok, err
}

// inOne runs fn in a transaction.
func (t *table) inOne(ctx context.Context, fn func(driver.Conn) error) (err error) {
	conn, err := t.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	exec := conn.(driver.ExecerContext)
	if _, err := exec.ExecContext(ctx, "BEGIN", nil); err != nil {
		return err
	}
	if err := fn(conn); err != nil {
		_, undone := exec.ExecContext(context.WithoutCancel(ctx), "ROLLBACK", nil)
		return errors.Join(err, undone)
	}
	_, err = exec.ExecContext(ctx, "COMMIT", nil)
	return err
}

type adder struct {
	events, ids *duckdb.Appender
}

func newAdder(conn driver.Conn) (*adder, error) {
	events, err := duckdb.NewAppenderFromConn(conn, "", "events")
	if err != nil {
		return nil, err
	}
	ids, err := duckdb.NewAppenderFromConn(conn, "", "log_ids")
	if err != nil {
		return nil, errors.Join(err, events.Close())
	}
	return &adder{events, ids}, nil
}

// add adds rows whose causes exist or are among them. DuckDB checks a cause only against flushed rows, which requires
// topological order.
func (a *adder) add(rows []memory.Row) error {
	depth := make(map[int]int, len(rows))
	var levels [][]memory.Row
	for _, r := range rows {
		at := 0
		if r.CauseID != nil {
			if above, among := depth[*r.CauseID]; among {
				at = above + 1
			}
		}
		depth[r.EventID] = at
		if at == len(levels) {
			levels = append(levels, nil)
		}
		levels[at] = append(levels[at], r)
	}
	for _, level := range levels {
		if err := a.level(level); err != nil {
			return err
		}
	}
	for _, r := range rows {
		if err := a.ids.AppendRow(int32(r.EventID), string(r.ID)); err != nil {
			return err
		}
	}
	return a.ids.Flush()
}

// level flushes rows that do not depend on each other.
func (a *adder) level(rows []memory.Row) error {
	for _, r := range rows {
		var cause, relationship driver.Value
		if r.CauseID != nil {
			cause, relationship = int32(*r.CauseID), *r.RelationshipText
		}
		if err := a.events.AppendRow(int32(r.EventID), r.Timestamp, r.EffectText, r.Embedding, cause, relationship); err != nil {
			return fmt.Errorf("event %d: %w", r.EventID, err)
		}
	}
	return a.events.Flush()
}

// Close flushes the remaining rows, unless err is an earlier error.
func (a *adder) Close(err error) error {
	for _, appender := range []*duckdb.Appender{a.events, a.ids} {
		if err != nil {
			_ = appender.Clear()
			_ = appender.Close()
		} else {
			err = appender.Close()
		}
	}
	return err
}
