package webhooks

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// TestReadinessTellsOfDamage overwrites a page of a database that is full of jobs, wherever it is in the file.
func TestReadinessTellsOfDamage(t *testing.T) {
	t.Parallel()
	whole := queuetest.SQLite(t)
	q := whole.Open(t, queue.Options{})
	var subjects []queue.Subject
	for n := range int64(150) {
		subjects = append(subjects, queuetest.Branch(n+1, "main"))
	}
	queuetest.Accept(t, q, "a", queue.New, subjects...)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(strings.TrimPrefix(whole.URL, "sqlite://"))
	if err != nil {
		t.Fatal(err)
	}
	const page, shares = 4096, 4
	pages := len(content) / page
	if pages < 5*shares {
		t.Fatalf("the database has %d pages", pages)
	}
	said := 0
	for share := range shares {
		at := page * (pages * share / shares)
		damaged := append([]byte{}, content...)
		copy(damaged[at:at+page], strings.Repeat("\xa5", page))
		if readyOver(t, damaged) {
			said++
		}
	}
	if at := page * (pages / 2); !readyOver(t, append(append(append([]byte{}, content[:at]...), make([]byte, page)...), content[at+page:]...)) {
		t.Error("a server with an empty page in the middle of its database does not even start")
	}
	if said == 0 {
		t.Error("no server with a damaged database came to say so")
	}
}

// readyOver starts a queue over a damaged file and waits until readiness tells of it. It reports whether the queue started.
func readyOver(t *testing.T, content []byte) bool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "queue.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	q, err := queue.Open(t.Context(), "sqlite://"+filepath.ToSlash(file), queue.Options{})
	if err != nil {
		return false
	}
	defer func() { _ = q.Close() }()
	idle := queue.HandlerFunc(func(ctx context.Context, _ queue.Job) (queue.Outcome, error) {
		<-ctx.Done()
		return queue.Outcome{}, ctx.Err()
	})
	if q.Start(t.Context(), idle) != nil {
		return false
	}
	admin, err := Admin(AdminConfig{Queue: q, Metrics: NewMetrics()})
	if err != nil {
		t.Fatal(err)
	}
	queuetest.Eventually(t, "readiness tells of the damage", func() bool {
		w := httptest.NewRecorder()
		admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code == http.StatusServiceUnavailable
	})
	return true
}
