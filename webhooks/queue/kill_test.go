package queue_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
	"github.com/causaldocs/causal/webhooks/queue/queuetest"
)

// world simulates the use of the queue: repositories with pushes, and runs that update docs. It counts all events, so a kill can be placed
// between any two.
type world struct {
	mu       sync.Mutex
	code     map[string]int // last push by lane
	docs     map[string]int // pushes that the docs include, by lane
	busy     map[string]int
	overlaps []string
	events   int
	killAt   int
	kill     func()
}

// event counts, and strikes when the time has come.
func (w *world) event() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events++
	if w.events == w.killAt {
		go w.kill()
	}
}

// server is the handler of one replica until it is killed. A killed one does nothing any more, whatever its goroutines try.
type server struct {
	*world
	dead bool
	held map[string]int
}

var errKilled = errors.New("killed")

func (s *server) Handle(_ context.Context, j queue.Job) (queue.Outcome, error) {
	s.event()
	key := j.Key()
	read, err := s.enter(key)
	if err != nil {
		return queue.Outcome{}, err
	}
	s.event()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return queue.Outcome{}, errKilled
	}
	s.busy[key]--
	s.held[key]--
	if read%7 == 3 && j.Attempt == 1 {
		return queue.Outcome{}, errors.New("502")
	}
	s.docs[key] = read
	return queue.Outcome{Conclusion: "updated"}, nil
}

func (s *server) enter(key string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return 0, errKilled
	}
	s.busy[key]++
	s.held[key]++
	if s.busy[key] > 1 {
		s.overlaps = append(s.overlaps, key)
	}
	return s.code[key], nil
}

// die simulates kill -9: it closes the database, and running jobs never report.
func (s *server) die(q *queue.Queue) {
	s.mu.Lock()
	s.dead = true
	for key, n := range s.held {
		s.busy[key] -= n
	}
	s.mu.Unlock()
	q.Close()
}

// push is a change of code and its delivery.
type push struct {
	guid string
	lane queue.Subject
}

// kills is how many moments are tried; CAUSAL_KILLS is for longer runs.
func kills(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("CAUSAL_KILLS"), "20"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNothingIsLostByKilling kills a server at random moments during pushes. Each round uses new lanes, so no later push hides a lost one.
// Unanswered pushes are redelivered, like the sweeper does. In the end all docs must include the last push, and no lane may have had two
// concurrent runs.
func TestNothingIsLostByKilling(t *testing.T) {
	t.Parallel()
	queuetest.Each(t, func(t *testing.T, b queuetest.Backend) {
		random := rand.New(rand.NewPCG(1, 2))
		w := &world{code: map[string]int{}, docs: map[string]int{}, busy: map[string]int{}}
		var survivors []*queue.Queue
		if b.Replicas {
			q, _ := w.serve(t, b)
			survivors = append(survivors, q)
		}
		var unanswered []push
		for round := range kills(t) {
			q, s := w.serve(t, b)
			struck := make(chan struct{})
			w.mu.Lock()
			w.events, w.killAt = 0, 1+random.IntN(40)
			w.kill = func() { s.die(q); close(struck) }
			w.mu.Unlock()
			unanswered = append(unanswered, w.pushing(round, append(survivors, q), struck)...)
			<-struck
		}
		q, _ := w.serve(t, b)
		for _, p := range unanswered {
			if _, err := q.Accept(ctx, queuetest.Push(p.guid), []queue.Subject{p.lane}); err != nil {
				t.Fatal(err)
			}
		}
		queuetest.Idle(t, q)
		states := []queue.State{queue.Done, queue.Failed}
		if !b.Replicas { // where a replica survives, it may have had all the work that was on
			states = append(states, queue.Lost)
		}
		w.verify(t, b, q, states)
	})
}

func (w *world) serve(t *testing.T, b queuetest.Backend) (*queue.Queue, *server) {
	t.Helper()
	q := b.Open(t, queue.Options{
		Poll:    2 * time.Millisecond,
		Backoff: func(int, float64) time.Duration { return 0 },
	})
	s := &server{world: w, held: map[string]int{}}
	if err := q.Start(ctx, s); err != nil {
		t.Fatal(err)
	}
	return q, s
}

// pushing delivers pushes to the servers in turn until one is killed, and returns the unanswered ones.
func (w *world) pushing(round int, doors []*queue.Queue, struck <-chan struct{}) []push {
	for i := 0; ; i++ {
		select {
		case <-struck:
			return nil
		default:
		}
		p := push{fmt.Sprintf("push-%d-%d", round, i), queuetest.Branch(int64(3*round+i%3+1), "main")}
		w.mu.Lock()
		w.code[p.lane.Key()]++
		w.mu.Unlock()
		if _, err := doors[i%len(doors)].Accept(ctx, queuetest.Push(p.guid), []queue.Subject{p.lane}); err != nil {
			return []push{p}
		}
		w.event()
	}
}

func (w *world) verify(t *testing.T, b queuetest.Backend, q *queue.Queue, states []queue.State) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.code) < kills(t) || len(w.overlaps) > 0 {
		t.Errorf("%d lanes, worked twice at once: %v", len(w.code), w.overlaps)
	}
	for lane, code := range w.code {
		if w.docs[lane] != code {
			t.Errorf("%s: docs of push %d, code of push %d", lane, w.docs[lane], code)
		}
	}
	if got := undone(t, b); len(got) > 0 {
		t.Errorf("not done: %v", got)
	}
	for _, want := range states {
		if runs, err := q.Runs(ctx, queue.Filter{State: want, Limit: 1}); err != nil || len(runs) == 0 {
			t.Errorf("no run is %s: the test has lost its point; %v", want, err)
		}
	}
}
