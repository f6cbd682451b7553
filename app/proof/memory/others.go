package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // a driver

	"github.com/causaldocs/causal/knowledge/memory"
)

const sqliteDir = "sqlite"

// measureSQLite has the texts of a log in a table for full text search, with English endings taken off as the memory does.
func measureSQLite(ctx context.Context, dir string) (f figures, err error) {
	log, err := readLog(dir)
	if err != nil {
		return f, err
	}
	if err := os.MkdirAll(filepath.Join(dir, sqliteDir), 0o755); err != nil {
		return f, err
	}
	start := cpu()
	db, err := sql.Open("sqlite", filepath.Join(dir, sqliteDir, "events.db"))
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, `CREATE VIRTUAL TABLE events USING fts5(text, tokenize = 'porter unicode61')`); err != nil {
		return f, err
	}
	texts := make([]string, 0, len(log.Events()))
	for i := range log.Events() {
		texts = append(texts, log.Events()[i].Text)
	}
	if err := addTexts(ctx, db, texts); err != nil {
		return f, err
	}
	f.Build = cpu() - start
	err = f.ask(dir, cpu, func(words []string) (n int, err error) {
		rows, err := db.QueryContext(ctx, `SELECT rowid FROM events WHERE events MATCH ? ORDER BY rank LIMIT ?`, `"`+strings.Join(words, `" OR "`)+`"`, bestOf)
		if err != nil {
			return 0, err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			n++
		}
		return n, rows.Err()
	})
	if err != nil {
		return f, err
	}
	fresh, err := made[[]string](dir, freshFile)
	if err != nil {
		return f, err
	}
	start = cpu()
	if err := addTexts(ctx, db, fresh); err != nil {
		return f, err
	}
	f.Append = (cpu() - start) / time.Duration(len(fresh))
	return f, nil
}

// addTexts adds texts in one transaction, which is what SQLite does fastest.
func addTexts(ctx context.Context, db *sql.DB, texts []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	insert, err := tx.PrepareContext(ctx, `INSERT INTO events (text) VALUES (?)`)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	for _, text := range texts {
		if _, err := insert.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

var errNotThere = errors.New("causal-duckdb is not there; .ci/duckdb PROGRAM builds it")

// askDuckDB exports a log to DuckDB and asks it for what is nearest, by the program that does so.
func askDuckDB(ctx context.Context, program, dir string) (f figures, err error) {
	if program, err = exec.LookPath(program); err != nil {
		return f, errNotThere
	}
	log, err := readLog(dir)
	if err != nil {
		return f, err
	}
	file := filepath.Join(dir, "events.duckdb")
	before := cpu()
	write := exec.CommandContext(ctx, program, "write", "--embeddings", memory.Hashed{}.Name(), file)
	write.Stderr = os.Stderr
	in, err := write.StdinPipe()
	if err != nil {
		return f, err
	}
	if err := write.Start(); err != nil {
		return f, err
	}
	lines := json.NewEncoder(in)
	_, err = memory.Export(ctx, log, memory.Hashed{}, func(r memory.Row) error { return lines.Encode(r) })
	if err = errors.Join(err, in.Close(), write.Wait()); err != nil {
		return f, err
	}
	f.Build, f.diskUsed = cpu()-before+taken(write.ProcessState), size(file)
	search := exec.CommandContext(ctx, program, "search", "--top", fmt.Sprint(bestOf), file, "-")
	search.Stderr = os.Stderr
	if in, err = search.StdinPipe(); err != nil {
		return f, err
	}
	out, err := search.StdoutPipe()
	if err != nil {
		return f, err
	}
	if err := search.Start(); err != nil {
		return f, err
	}
	answers := bufio.NewReader(out)
	started := time.Now()
	err = f.ask(dir, func() time.Duration { return time.Since(started) }, func(words []string) (int, error) {
		if _, err := io.WriteString(in, strings.Join(words, " ")+"\n"); err != nil {
			return 0, err
		}
		line, err := answers.ReadString('\n')
		return strings.Count(line, `"id":`), err
	})
	if err = errors.Join(err, in.Close(), search.Wait()); err != nil {
		return f, err
	}
	f.peak = max(peak(write.ProcessState), peak(search.ProcessState))
	return f, nil
}

// taken is the processor time that a process has taken.
func taken(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
