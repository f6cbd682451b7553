package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// TestRequestFailsAlone: what cannot be written does not fail the requests that share its transaction.
func TestRequestFailsAlone(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q := openTest(t, Options{})
	_, err := q.db.db.ExecContext(ctx, "CREATE TRIGGER refuse BEFORE INSERT ON causal_wants WHEN new.guid = 'bad' BEGIN SELECT raise(ABORT, 'refused'); END")
	if err != nil {
		t.Fatal(err)
	}
	var batch []*request
	for _, guid := range []string{"first", "bad", "last"} {
		d := Delivery{GUID: guid, Event: "push", Repository: 1, Received: time.Now()}
		batch = append(batch, &request{delivery: &d, subjects: []Subject{lane}, done: make(chan answer, 1)})
	}
	q.writeBatch(batch)
	for _, r := range batch {
		bad := r.delivery.GUID == "bad"
		if a := <-r.done; (a.err != nil) != bad || (a.result == New) == bad {
			t.Errorf("%s: got %+v", r.delivery.GUID, a)
		}
		if wanted, err := q.Wanted(ctx, r.delivery.GUID); wanted != bad || err != nil {
			t.Errorf("%s is not written: %v, %v", r.delivery.GUID, wanted, err)
		}
	}
}

// TestNobodyWaitsForAClosedDoor closes the queue while one transaction runs and others wait for it.
func TestNobodyWaitsForAClosedDoor(t *testing.T) {
	t.Parallel()
	q := openTest(t, Options{})
	running, release := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- q.work(context.Background(), func(context.Context, tx) error {
			close(running)
			<-release
			return nil
		})
	}()
	<-running
	var others sync.WaitGroup
	for range 20 {
		others.Go(func() {
			if err := q.Ask(context.Background(), "test", lane); err != nil && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
	closed := make(chan error, 1)
	go func() { closed <- q.Close() }()
	<-q.door.closed
	close(release)
	if err := errors.Join(<-first, <-closed); err != nil {
		t.Error(err)
	}
	others.Wait()
	if err := q.work(context.Background(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}
