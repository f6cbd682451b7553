package webhooks

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// room bounds how many bodies are read at a time. Who sent a body is known when its last byte has come, so that whoever
// cannot sign may take seats as well; a room that is full is therefore kept moving: who has had a fair time has to leave for
// who comes, first the oldest of the address that has the most seats. A delivery that comes in whole is read in less than
// that fair time however many others do not.
type room struct {
	seats    int
	fair     time.Duration // nobody has to leave before
	patience time.Duration // who waits for a seat goes away after

	mu      sync.Mutex
	sitting []*guest // in the order in which they sat down
	waiting []*guest // in the order in which they came
	alarm   *time.Timer
}

// guest is one body that is read, or waits for that.
type guest struct {
	source    string
	since     time.Time
	seated    chan struct{}
	told      chan struct{} // closed when it has to leave
	leaving   bool          // it was told
	interrupt func()        // ends its reading
}

// mostWaiting bounds those who wait for a seat, who hold a connection and nothing else.
const mostWaiting = 1024

// enter waits for a seat; nil when there is none. interrupt is called when the guest has to leave before it has left by
// itself.
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
	return g // it was seated at the last moment
}

// queue seats a guest, or lets it wait; false when too many do.
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

// leave gives the seat of a guest to one that waits.
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

// nearest is who gets the next seat: of the address that has the fewest the newest, which is most likely still to be there.
func (r *room) nearest(seats map[string]int) *guest {
	var found *guest
	for _, g := range slices.Backward(r.waiting) {
		if found == nil || seats[g.source] < seats[found.source] {
			found = g
		}
	}
	return found
}

// press tells as many guests to leave as others wait, and looks again when the next of them has had a fair time.
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

// dispensable is who has to leave first for a guest from that source: of those that have had a fair time, and whose address
// has more seats, the oldest of the address that has the most.
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

// pressAgain presses when the next guest has had a fair time.
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

// sourceOf is the address that a connection comes from; of IPv6 the network, which is one subscriber's.
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
