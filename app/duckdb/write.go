package main

import (
	"bufio"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/knowledge/memory"
)

// window bounds the rows in memory.
const window = 16 << 10

// write writes the rows of an export to a file atomically. wanted is the number of rows, or -1.
func write(ctx context.Context, name string, in io.Reader, embeddings string, wanted int) (err error) {
	if err := replaceable(ctx, name); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(name), ".causal-export-") // DuckDB creates files beside the database
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	temp := filepath.Join(dir, "events.duckdb")
	t, err := createTable(ctx, temp, embeddings)
	if err != nil {
		return err
	}
	if err := errors.Join(t.fill(ctx, in, wanted), t.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return os.Rename(temp, name)
}

// replaceable returns an error if a file exists and is not an export.
func replaceable(ctx context.Context, name string) error {
	if err := fits(name); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	other := usageError{fmt.Errorf("%s is there and is no export; give another name, or remove it", name)}
	if !info.Mode().IsRegular() {
		return other
	}
	if beginning(name) != magic {
		return other
	}
	t, err := openTable(ctx, name)
	if err != nil {
		return err
	}
	_, ok, err := t.embeddings(ctx)
	if err = errors.Join(err, t.Close()); err == nil && !ok {
		return other
	}
	return err
}

// magic is in the header of every DuckDB database, after a checksum.
const magic = "DUCK"

func beginning(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, len(magic))
	if _, err := f.ReadAt(head, 8); err != nil {
		return ""
	}
	return string(head)
}

// fill adds the rows of an export, which are numbered from 1.
func (t *table) fill(ctx context.Context, in io.Reader, wanted int) error {
	n := 0
	err := t.inOne(ctx, func(conn driver.Conn) error {
		a, err := newAdder(conn)
		if err != nil {
			return err
		}
		n, err = read(ctx, in, a.add)
		return a.Close(err)
	})
	switch {
	case err != nil:
		return err
	case wanted >= 0 && n != wanted:
		return fmt.Errorf("the export has %d events, and %d are wanted: it is not whole", n, wanted)
	case n == 0:
		return nil
	}
	_, err = t.db.ExecContext(ctx, "SELECT max(nextval('events_event_id')) FROM range(?)", n) // later rows continue the sequence
	return err
}

// read passes the rows of an export to pass in batches, and returns their number.
func read(ctx context.Context, in io.Reader, pass func([]memory.Row) error) (n int, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, memory.MostRow+1)
	var some []memory.Row
	size := 0
	for lines.Scan() {
		n++
		row, err := memory.ParseRow(lines.Bytes())
		switch {
		case err != nil:
			return n, fmt.Errorf("line %d: %w", n, err)
		case row.EventID != n:
			return n, fmt.Errorf("line %d: event_id is %d, and rows are numbered in their order", n, row.EventID)
		case size > 0 && len(row.Embedding) != size:
			return n, fmt.Errorf("line %d: embedding has %d numbers, and those before have %d", n, len(row.Embedding), size)
		}
		size = len(row.Embedding)
		if some = append(some, row); len(some) == window {
			if err := errors.Join(ctx.Err(), pass(some)); err != nil {
				return n, err
			}
			some = some[:0]
		}
	}
	if err := lines.Err(); err != nil {
		return n, fmt.Errorf("behind line %d: %w", n, err)
	}
	return n, errors.Join(ctx.Err(), pass(some))
}
