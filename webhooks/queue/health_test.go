package queue

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestPingWithoutLeader: elections that fail are seen, once there was time for one.
func TestPingWithoutLeader(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{Poll: time.Millisecond})
	if _, err := q.db.db.ExecContext(ctx, "DROP TABLE river_leader"); err != nil {
		t.Fatal(err)
	}
	if _, err := q.db.db.ExecContext(ctx, "CREATE TABLE river_leader (leader_id TEXT, expires_at TEXT)"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		since time.Duration
		says  string
	}{{0, ""}, {2 * electing, "no replica is elected"}} {
		q.health.started = time.Now().Add(-c.since)
		if err := q.Ping(ctx); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s after the start: got %v", c.since, err)
		}
	}
}

// TestFailedClaimsAreNoted until one succeeds.
func TestFailedClaimsAreNoted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{})
	for range ill {
		q.claimed(ctx, errWorked) // another's lane is no failure
	}
	if err := q.Ping(ctx); err != nil {
		t.Errorf("got %v", err)
	}
	for range ill {
		q.claimed(ctx, context.DeadlineExceeded)
	}
	if err := q.Ping(ctx); err == nil {
		t.Error("no job can be claimed, and the queue counts as working")
	}
	q.claimed(ctx, nil)
	if err := q.Ping(ctx); err != nil {
		t.Errorf("got %v after a claim", err)
	}
}
