package webhooks

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestRoomLetsIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &room{seats: 2, fair: time.Second, patience: 10 * time.Second}
		sit := func(source string) *guest { return r.enter(context.Background(), source, func() {}) }
		first, second := sit("a"), sit("b")
		if first == nil || second == nil {
			t.Fatal("a room with seats lets nobody in")
		}
		came := time.Now()
		var third *guest
		go func() { third = sit("c") }()
		synctest.Wait()
		r.leave(second)
		synctest.Wait()
		if third == nil || time.Since(came) != 0 {
			t.Fatalf("a seat is free, and who waits does not get it: %v", third)
		}
		go func() {
			<-first.told
			r.leave(first)
		}()
		if fourth := sit("d"); fourth == nil || time.Since(came) != time.Second {
			t.Errorf("who has had a fair time does not make room: %v after %s", fourth, time.Since(came))
		}
	})
}

// TestRoomIsFair has one address take all seats and wait for more, and another come once.
func TestRoomIsFair(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(context.Background())
		r := &room{seats: 8, fair: 100 * time.Millisecond, patience: time.Minute}
		var all sync.WaitGroup
		flood := func() {
			for ctx.Err() == nil {
				if g := r.enter(ctx, "flood", func() {}); g != nil {
					select {
					case <-g.told:
					case <-ctx.Done():
					}
					r.leave(g)
				}
			}
		}
		for range 100 {
			all.Go(flood)
		}
		synctest.Wait()
		came := time.Now()
		g := r.enter(ctx, "other", func() { t.Error("who sends little has to leave before who sends much") })
		if took := time.Since(came); g == nil || took > r.fair {
			t.Errorf("it was let in: %v, after %s", g != nil, took)
		}
		time.Sleep(time.Second) // ten times what is fair, in the time of this bubble
		if g != nil {
			r.leave(g)
		}
		stop()
		all.Wait()
	})
}

func TestRoomRefuses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &room{seats: 1, fair: time.Hour, patience: time.Second}
		g := r.enter(context.Background(), "a", func() {})
		var refused atomic.Int64
		var all sync.WaitGroup
		came := time.Now()
		for range mostWaiting + 5 {
			all.Go(func() {
				if r.enter(context.Background(), "b", func() {}) == nil {
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		if n := refused.Load(); n != 5 || time.Since(came) != 0 {
			t.Errorf("%d are refused at once, want 5", n)
		}
		all.Wait()
		if n := refused.Load(); n != mostWaiting+5 || time.Since(came) != time.Second {
			t.Errorf("%d are refused after %s", n, time.Since(came))
		}
		r.leave(g)
		if r.enter(context.Background(), "a", func() {}) == nil {
			t.Error("nobody is there, and nobody is let in")
		}
	})
}

func TestSource(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"192.0.2.1:4711": "192.0.2.1", "[::ffff:192.0.2.1]:4711": "::ffff:192.0.2.1", "[2001:db8::1:2:3:4]:80": "2001:db8::/64", "pipe": "pipe",
	} {
		if got := sourceOf(remote); got != want {
			t.Errorf("%s: got %s, want %s", remote, got, want)
		}
	}
}
