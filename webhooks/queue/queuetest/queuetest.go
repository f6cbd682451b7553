// Package queuetest provides backends and helpers for tests of the queue on every database.
package queuetest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"

	"github.com/causaldocs/causal/webhooks/queue"
)

// Backend is one empty database.
type Backend struct {
	URL      string
	Replicas bool // several processes may open it
}

// Postgres is the variable with the URL of a PostgreSQL server whose user may create databases.
const Postgres = "CAUSAL_TEST_POSTGRES"

// SQLite returns a new file with the tables.
func SQLite(t testing.TB) Backend {
	t.Helper()
	file := filepath.Join(t.TempDir(), "queue.db")
	Tables(t, file)
	return Backend{URL: "sqlite://" + filepath.ToSlash(file)}
}

// Tables writes an SQLite file with the tables: making them takes longer than most tests.
func Tables(t testing.TB, file string) {
	t.Helper()
	content, err := tables()
	if err == nil {
		err = os.WriteFile(file, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var tables = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "causal-tables-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "queue.db")
	q, err := queue.Open(context.Background(), "sqlite://"+filepath.ToSlash(file), queue.Options{})
	if err != nil {
		return nil, err
	}
	if err := q.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

var databases atomic.Int64

// PostgreSQL returns a new database on the server in the environment, or skips the test without one.
func PostgreSQL(t testing.TB) Backend {
	t.Helper()
	server := os.Getenv(Postgres)
	if server == "" {
		t.Skip(Postgres + " names no PostgreSQL server: webhooks/queue/testdata/postgres starts one")
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("causal_test_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := admin.ExecContext(context.Background(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.ExecContext(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the database: %v", err)
		}
		_ = admin.Close()
	})
	u.Path = "/" + name
	return Backend{URL: u.String(), Replicas: true}
}

// Each runs test on every backend.
func Each(t *testing.T, test func(t *testing.T, b Backend)) {
	t.Helper()
	for name, backend := range map[string]func(testing.TB) Backend{"sqlite": SQLite, "postgres": PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, backend(t))
		})
	}
}

// Open opens the queue and closes it at the end of the test.
func (b Backend) Open(t testing.TB, options queue.Options) *queue.Queue {
	t.Helper()
	if options.Poll == 0 {
		options.Poll = 20 * time.Millisecond
	}
	if options.Backoff == nil {
		options.Backoff = func(int, float64) time.Duration { return time.Millisecond }
	}
	q, err := queue.Open(context.Background(), b.URL, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = q.Close() }) // a test may have closed it before
	return q
}

// Database opens the backend directly.
func (b Backend) Database(t testing.TB) *sql.DB {
	t.Helper()
	driver, name := "pgx", b.URL
	if file, ok := strings.CutPrefix(b.URL, "sqlite://"); ok {
		driver, name = "sqlite", file+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Deadline limits how long a test waits.
const Deadline = time.Minute

// Eventually waits until done returns true.
func Eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	end := time.After(Deadline)
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for !done() {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("waited %s in vain: %s", Deadline, what)
		}
	}
}

// Idle waits until nothing is queued, waiting or running.
func Idle(t testing.TB, q *queue.Queue) {
	t.Helper()
	Eventually(t, "the queue is idle", func() bool {
		s, err := q.Stats(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return s.Queued+s.Waiting+s.Running == 0
	})
}

// Branch returns the subject of a branch of repository n.
func Branch(n int64, branch string) queue.Subject {
	return queue.Subject{Installation: 1, Repository: n, Owner: "octo", Name: fmt.Sprintf("repo%d", n), Ref: "refs/heads/" + branch}
}

// Push returns the delivery of a push received now, since old ones may be pruned.
func Push(guid string) queue.Delivery {
	return queue.Delivery{GUID: guid, Event: "push", Installation: 1, Repository: 1, Received: time.Now()}
}

// Accept accepts a delivery and checks the result.
func Accept(t testing.TB, q *queue.Queue, guid string, want queue.Acceptance, subjects ...queue.Subject) {
	t.Helper()
	got, err := q.Accept(context.Background(), Push(guid), subjects)
	if err != nil || got != want {
		t.Fatalf("accepting %s: got %q, %v; want %q", guid, got, err, want)
	}
}
