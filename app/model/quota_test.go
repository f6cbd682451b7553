package model

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestQuota(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 23, 0, 0, 0, time.UTC)
	q := &Quota{Tokens: 100, Now: func() time.Time { return now }}
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	use := func(file string, tokens, left int) {
		t.Helper()
		if err := q.Use(file, tokens); err != nil {
			t.Fatal(err)
		}
		if got := q.Left(file); got != left {
			t.Errorf("%d tokens are left, want %d", got, left)
		}
	}
	use(a, 0, 100)
	use(a, 60, 40)
	use(b, 10, 90)
	use(a, 60, 0)
	q = &Quota{Tokens: 100, Now: q.Now} // after a restart
	use(a, 0, 0)
	now = now.Add(time.Hour)
	use(a, 1, 99)
	if err := os.WriteFile(b, []byte("no number"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := q.Left(b); got != 0 {
		t.Errorf("a broken file leaves %d tokens", got)
	}
}
