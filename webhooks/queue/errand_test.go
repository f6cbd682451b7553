package queue

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

type write = func(ctx context.Context, tx tx) error

// setHead is an errand that leaves something to look for.
func setHead(q *Queue, key string) write {
	return func(ctx context.Context, tx tx) error { return q.remember(ctx, tx, key, "c0ffee") }
}

// together writes a delivery and errands in one batch, and returns what became of the errands. The delivery has to be
// accepted whatever they do.
func together(ctx context.Context, t *testing.T, q *Queue, errands ...write) []error {
	t.Helper()
	d := Delivery{GUID: "g", Event: "push", Repository: 1, Received: time.Now()}
	r := &request{delivery: &d, subjects: []Subject{lane}, done: make(chan answer, 1)}
	b := batch{requests: []*request{r}}
	for _, run := range errands {
		b.errands = append(b.errands, &errand{ctx: ctx, run: run, done: make(chan error, 1)})
	}
	q.writeBatch(b)
	if a := <-r.done; a.result != New || a.err != nil {
		t.Errorf("the delivery beside the errands: got %+v", a)
	}
	if wanted, err := q.Wanted(context.Background(), "g"); wanted || err != nil {
		t.Errorf("the delivery beside the errands was not written: %v", err)
	}
	var errs []error
	for _, e := range b.errands {
		errs = append(errs, <-e.done)
	}
	return errs
}

func (q *Queue) has(t *testing.T, key string) bool {
	t.Helper()
	head, err := q.Head(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	return head != ""
}

func TestErrandFailsAlone(t *testing.T) {
	t.Parallel()
	q := openTest(t, Options{})
	errs := together(context.Background(), t, q,
		setHead(q, "first"),
		func(ctx context.Context, tx tx) error {
			return errors.Join(setHead(q, "failed")(ctx, tx), errLost)
		},
		func(ctx context.Context, tx tx) error {
			if err := setHead(q, "panicked")(ctx, tx); err != nil {
				return err
			}
			panic("oops")
		},
		setHead(q, "last"))
	if errs[0] != nil || !errors.Is(errs[1], errLost) || errs[2] == nil || !strings.Contains(errs[2].Error(), "oops") || errs[3] != nil {
		t.Errorf("got %v", errs)
	}
	for key, want := range map[string]bool{"first": true, "failed": false, "panicked": false, "last": true} {
		if q.has(t, key) != want {
			t.Errorf("%s is written: %v, want %v", key, !want, want)
		}
	}
}

// TestErrandThatIsCancelled: nobody waits any more before the second one runs, and while the first does.
func TestErrandThatIsCancelled(t *testing.T) {
	t.Parallel()
	q := openTest(t, Options{})
	ctx, cancel := context.WithCancelCause(context.Background())
	errs := together(ctx, t, q,
		func(ctx context.Context, tx tx) error { cancel(errTimeout); return setHead(q, "first")(ctx, tx) },
		setHead(q, "second"))
	if errs[0] != nil || !errors.Is(errs[1], errTimeout) || !q.has(t, "first") || q.has(t, "second") {
		t.Errorf("got %v", errs)
	}
}

// TestErrandThatTakesAllBack does what SQLite does when the disk is full: the transaction is gone. The others do not suffer.
func TestErrandThatTakesAllBack(t *testing.T) {
	t.Parallel()
	q := openTest(t, Options{})
	errs := together(context.Background(), t, q, setHead(q, "first"),
		func(ctx context.Context, tx tx) error {
			_, err := tx.ExecContext(ctx, "ROLLBACK")
			return errors.Join(err, errors.New("disk full"))
		},
		setHead(q, "last"))
	if errs[0] != nil || errs[1] == nil || errs[2] != nil || !q.has(t, "first") || !q.has(t, "last") {
		t.Errorf("got %v", errs)
	}
}

// TestNobodyWaitsForAClosedDoor closes the queue while one errand runs and others wait for it.
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
			if err := q.work(context.Background(), setHead(q, "late")); err != nil && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
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
	if err := q.work(context.Background(), setHead(q, "late")); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestWhoGivesUpDoesNotWaitForTheDoor: an errand that is not being run can be left.
func TestWhoGivesUpDoesNotWaitForTheDoor(t *testing.T) {
	t.Parallel()
	q := openTest(t, Options{})
	running, release := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- q.work(context.Background(), func(context.Context, tx) error { close(running); <-release; return nil })
	}()
	<-running
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errTimeout)
	if err := q.work(ctx, setHead(q, "left")); !errors.Is(err, errTimeout) {
		t.Errorf("got %v", err)
	}
	close(release)
	if err := <-first; err != nil || q.has(t, "left") {
		t.Errorf("the errand that was left has run: %v", err)
	}
}
