package webhooks

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// room limits how many bodies are read at a time. Senders are authenticated by the last byte, so unauthenticated ones
// take seats too. When a room is full, guests are evicted after their fair time for those who wait, first the oldest of
// the address with the most seats. A body that arrives promptly is therefore always read.
type room struct {
	seats    int
	fair     time.Duration // minimum time before eviction
	patience time.Duration // maximum wait for a seat

	mu      sync.Mutex
	sitting []*guest // in order of seating
	waiting []*guest // in order of arrival
	alarm   *time.Timer
}

type guest struct {
	source    string
	since     time.Time
	seated    chan struct{}
	told      chan struct{} // closed on eviction
	leaving   bool          // it is being evicted
	interrupt func()        // ends its read
}

// mostWaiting limits the guests waiting for a seat, which cost only a connection.
const mostWaiting = 1024

// enter waits for a seat; nil if there is none. interrupt is called on eviction.
func (r *room) enter(ctx context.Context, source string, interrupt func()) *guest {
	g := &guest{source: source, seated: make(chan struct{}), told: make(chan struct{}), interrupt: interrupt}
	if !r.queue(g) {
		return nil
	}
	timer := time.NewTimer(r.patience)
	defer timer.Stop()
	select {
	case <-g.seated:
		return g
	case <-timer.C:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.waiting, g); i >= 0 {
		r.waiting = slices.Delete(r.waiting, i, i+1)
		return nil
	}
	return g // seated at the last moment
}

func (r *room) queue(g *guest) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.sitting) < r.seats {
		r.seat(g)
		return true
	}
	if len(r.waiting) == mostWaiting {
		return false
	}
	r.waiting = append(r.waiting, g)
	r.press()
	return true
}

func (r *room) seat(g *guest) {
	g.since = time.Now()
	r.sitting = append(r.sitting, g)
	close(g.seated)
}

// leave passes a guest's seat on.
func (r *room) leave(g *guest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.Index(r.sitting, g)
	r.sitting = slices.Delete(r.sitting, at, at+1)
	if len(r.waiting) == 0 {
		return
	}
	next := r.nearest(r.seatsBySource())
	at = slices.Index(r.waiting, next)
	r.waiting = slices.Delete(r.waiting, at, at+1)
	r.seat(next)
	r.press()
}

func (r *room) seatsBySource() map[string]int {
	seats := map[string]int{}
	for _, g := range r.sitting {
		seats[g.source]++
	}
	return seats
}

// nearest returns the next guest to seat: of the address with the fewest seats, the newest, which is least likely to
// have gone.
func (r *room) nearest(seats map[string]int) *guest {
	var found *guest
	for _, g := range slices.Backward(r.waiting) {
		if found == nil || seats[g.source] < seats[found.source] {
			found = g
		}
	}
	return found
}

// press evicts as many guests as others wait, and schedules a retry if too few have had their fair time.
func (r *room) press() {
	due := len(r.waiting)
	for _, g := range r.sitting {
		if g.leaving {
			due--
		}
	}
	if due <= 0 {
		return
	}
	now, seats := time.Now(), r.seatsBySource()
	next := r.nearest(seats)
	for ; due > 0; due-- {
		g := r.dispensable(now, seats, next.source)
		if g == nil {
			r.pressAgain(now)
			return
		}
		g.leaving = true
		close(g.told)
		g.interrupt()
	}
}

// dispensable returns the guest to evict for one from source: past its fair time, the oldest of the address with the
// most seats. Addresses other than source must have more seats than source.
func (r *room) dispensable(now time.Time, seats map[string]int, source string) *guest {
	var found *guest
	for _, g := range r.sitting {
		if g.leaving || now.Sub(g.since) < r.fair || g.source != source && seats[g.source] <= seats[source] {
			continue
		}
		if found == nil || seats[g.source] > seats[found.source] {
			found = g
		}
	}
	return found
}

func (r *room) pressAgain(now time.Time) {
	for _, g := range r.sitting {
		if g.leaving || now.Sub(g.since) >= r.fair {
			continue
		}
		if r.alarm != nil {
			r.alarm.Stop()
		}
		r.alarm = time.AfterFunc(g.since.Add(r.fair).Sub(now), func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.press()
		})
		return
	}
}

// sourceOf returns the address of a connection; for IPv6 the /64 network, which belongs to one subscriber.
func sourceOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || addr.Unmap().Is4() {
		return host
	}
	network, err := addr.Prefix(64)
	if err != nil {
		return host
	}
	return network.String()
}
