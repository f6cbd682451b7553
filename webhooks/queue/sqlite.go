package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	_ "modernc.org/sqlite" // registers itself as "sqlite"
)

// openSQLite opens the file for this process alone. WAL with synchronous=FULL syncs every commit, which is what makes an
// answered delivery survive a power cut; commits are shared by the deliveries that wait for one, so that it costs
// little. One connection writes, because SQLite has one writer anyway and database/sql queues more fairly than its
// busy handler does. The log is copied into the file beside it, so that no commit has to wait for that.
func openSQLite(address string) (*database, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read the database URL: %w", err)
	}
	file := filepath.FromSlash(u.Host + u.Path)
	if file == "" {
		return nil, errors.New("the database URL names no file: write sqlite:///path/file.db")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the database: %w", err)
	}
	lock := flock.New(file + ".lock")
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", file, err)
	case !ok:
		return nil, fmt.Errorf("another process has %s open: stop it, or use PostgreSQL for more than one", file)
	}
	pragmas := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(0)"}, "_txlock": {"immediate"}}
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?"
	db, err := sql.Open("sqlite", dsn+pragmas.Encode())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", file, err), lock.Unlock())
	}
	db.SetMaxOpenConns(1)
	pragmas.Add("_pragma", "query_only(1)")
	pragmas.Del("_txlock")
	reader, err := sql.Open("sqlite", dsn+pragmas.Encode())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", file, err), db.Close(), lock.Unlock())
	}
	reader.SetMaxOpenConns(4)
	ctx, cancel := context.WithCancel(context.Background())
	var copying sync.WaitGroup
	copying.Go(func() { checkpoint(ctx, db, reader) })
	stop := func() error { cancel(); copying.Wait(); return nil }
	driver := riversqlite.New(db)
	return &database{
		db: db, reader: reader, alone: true, words: sqliteWords,
		driver: driver,
		start:  func(c *river.Config) (engine, error) { return river.NewClient(driver, c) },
		free:   []func() error{stop, reader.Close, db.Close, lock.Unlock},
	}, nil
}

// longestLog is how many pages the log may have before commits wait for it to be begun anew, which needs all of it copied.
// The file keeps its size, because commits would have to wait for it to be cut off as well.
const longestLog = 32768

// copyEvery is how often the log is copied. Little at a time holds commits up least: both sync the same disk.
const copyEvery = 250 * time.Millisecond

// checkpoint copies the log into the database file from time to time, until ctx ends.
func checkpoint(ctx context.Context, writer, reader *sql.DB) {
	look := time.NewTicker(copyEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		// What fails here is done a moment later; a database that fails altogether is reported by who needs it.
		var busy, pages, copied int
		err := reader.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied)
		if err == nil && pages > longestLog {
			_, _ = writer.ExecContext(ctx, "PRAGMA wal_checkpoint(RESTART)")
		}
	}
}
