package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

var sqliteWords = strings.NewReplacer(
	"$", "?", "{lock}", "", "{id}", "INTEGER PRIMARY KEY AUTOINCREMENT",
	"{turn}", "SELECT 1 WHERE ?1 = ''", "{riverNow}", "datetime('now', 'subsec')", "{riverFuture}", "datetime('now', '+1 minute')",
	"{riverOld}", "datetime('now', '-10 minutes')", "{riverLate}", "datetime('now', '-5 seconds')", "{by}", "json_extract(j.attempted_by, '$[#-1]')", "{bytes}", "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
	"{greatest}", "max", "{now}", "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
	"{attempted}", "CAST(unixepoch(j.attempted_at, 'subsec') * 1000 AS INTEGER)",
	"{finalized}", "CAST(unixepoch(j.finalized_at, 'subsec') * 1000 AS INTEGER)",
	"{problem}", "json_extract(j.errors, '$[#-1].error')",
)

// openSQLite opens the file exclusively. WAL with synchronous=FULL syncs every commit, so an answered delivery survives
// a power cut; batching keeps it cheap. A single connection writes, because SQLite has one writer and database/sql
// queues more fairly than its busy handler. Checkpoints run in the background, so no commit waits for them.
func openSQLite(address string, config *river.Config) (_ *database, err error) {
	file, err := sqliteFile(address)
	if err != nil {
		return nil, err
	}
	lock := flock.New(file + ".lock")
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", file, err)
	case !ok:
		return nil, fmt.Errorf("another process has %s open: stop it, or use PostgreSQL for more than one", file)
	}
	d := &database{alone: true, words: sqliteWords, gaveUp: func(error) bool { return false }, free: []func() error{lock.Unlock}}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("open %s: %w", file, err), d.close())
		}
	}()
	free := func(f func() error) { d.free = append([]func() error{f}, d.free...) }
	pragmas := url.Values{"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(0)"}, "_txlock": {"immediate"}}
	mendTimes(pragmas)
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?"
	if d.db, err = sql.Open("sqlite", dsn+pragmas.Encode()); err != nil {
		return nil, err
	}
	free(d.db.Close)
	d.db.SetMaxOpenConns(1)
	pragmas.Add("_pragma", "query_only(1)")
	pragmas.Del("_txlock")
	if d.reader, err = sql.Open("sqlite", dsn+pragmas.Encode()); err != nil {
		return nil, err
	}
	free(d.reader.Close)
	d.reader.SetMaxOpenConns(4)
	d.intact = func(ctx context.Context) error { return intact(ctx, dsn+pragmas.Encode()) }
	ctx, cancel := context.WithCancel(context.Background())
	var copying sync.WaitGroup
	copying.Go(func() { checkpoint(ctx, d.db, d.reader) })
	free(func() error { cancel(); copying.Wait(); return nil })
	return d, d.joinRiver(config)
}

func sqliteFile(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("read the database URL: %w", err)
	}
	file := filepath.FromSlash(u.Host + u.Path)
	if file == "" {
		return "", errors.New("the database URL names no file: write sqlite:///path/file.db")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the database: %w", err)
	}
	return file, nil
}

func (d *database) joinRiver(config *river.Config) error {
	d.id = strconv.FormatUint(rand.Uint64(), 36) //nolint:gosec // a name, no secret
	d.presence = sole(d.id)
	config.ID = d.id
	driver := riversqlite.New(d.db)
	client, err := river.NewClient(driver, config)
	if err != nil {
		return err
	}
	d.engine = client
	d.once = func(ctx context.Context, f func(tx) error) error { return sqliteOnce(ctx, d.db, client, f) }
	d.migrator, err = rivermigrate.New(driver, &rivermigrate.Config{Logger: config.Logger})
	return err
}

func sqliteOnce(ctx context.Context, db *sql.DB, client *river.Client[*sql.Tx], f func(tx) error) error {
	under, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	t := tx{
		statements: under,
		insert: func(ctx context.Context, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error) {
			return client.InsertManyTx(ctx, under, jobs)
		},
		complete: func(ctx context.Context, job *river.Job[laneArgs]) error {
			_, err := river.JobCompleteTx[*riversqlite.Driver](ctx, under, job)
			return err
		},
		retry: func(ctx context.Context, job int64) error { return retryJob(ctx, client, under, job) },
	}
	return transaction(func() error { return f(t) }, under.Commit, under.Rollback)
}

// intact reads every page of the file, through a new connection, since others have pages cached.
func intact(ctx context.Context, name string) (err error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return fmt.Errorf("read all of it: %w", err)
	}
	if found != "ok" {
		return errors.New(found)
	}
	return nil
}

// sole is the ID of a process with exclusive access to the file: all others are dead.
type sole string

func (sole) here() (<-chan struct{}, bool) { return nil, true }

func (s sole) alive(_ context.Context, _ statements, id string) (bool, error) {
	return id == string(s), nil
}

// longestLog is the number of pages in the log after which commits wait for a full checkpoint and restart of the log.
// The file is not truncated, which would take longer.
const longestLog = 32768

// copyEvery is the interval of checkpoints. Small ones delay commits least, as both sync the same disk.
const copyEvery = 250 * time.Millisecond

func checkpoint(ctx context.Context, writer, reader *sql.DB) {
	look := time.NewTicker(copyEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		// Errors are retried next time; other users report a broken database.
		var busy, pages, copied int
		err := reader.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied)
		if err == nil && pages > longestLog {
			_, _ = writer.ExecContext(ctx, "PRAGMA wal_checkpoint(RESTART)")
		}
	}
}
