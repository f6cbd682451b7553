package webhooks

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/causaldocs/causal/webhooks/queue"
)

// unread fails the test when anybody reads it.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func TestRefusedWithoutTheBody(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*http.Request){
		"no signature":        func(r *http.Request) { r.Header.Del(signatureHeader) },
		"SHA-1":               func(r *http.Request) { r.Header.Set(signatureHeader, "sha1="+strings.Repeat("0", 40)) },
		"no digits":           func(r *http.Request) { r.Header.Set(signatureHeader, "sha256="+strings.Repeat("z", 64)) },
		"too few":             func(r *http.Request) { r.Header.Set(signatureHeader, "sha256=00") },
		"two":                 func(r *http.Request) { r.Header.Add(signatureHeader, sign("", oldSecret)) },
		"announced too large": func(r *http.Request) { r.ContentLength = bodyLimit + 1 },
		"no GUID":             func(r *http.Request) { r.Header.Del("X-Github-Delivery") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := request("push", pushed)
			r.Body = io.NopCloser(unread{t})
			change(r)
			w := httptest.NewRecorder()
			newDoor(t, &inbox{}, nil).ServeHTTP(w, r)
			if w.Code < 400 || w.Header().Get("Connection") != "close" {
				t.Errorf("got %d, and the connection would be used again, for which the body is read", w.Code)
			}
		})
	}
}

// crowd is an inbox for many, which counts.
type crowd struct{ accepted atomic.Int64 }

func (c *crowd) Accept(context.Context, queue.Delivery, []queue.Subject) (queue.Acceptance, error) {
	c.accepted.Add(1)
	return queue.New, nil
}

func (*crowd) Note(context.Context, queue.Delivery, string) error {
	return errors.New("nothing is noted here")
}

// endless is a body that never ends, and counts how many are read at this moment.
type endless struct {
	held  *atomic.Int64
	most  *atomic.Int64
	came  chan<- struct{}
	block <-chan struct{}
	begun bool
}

func (e *endless) Read(p []byte) (int, error) {
	if !e.begun {
		e.begun = true
		n := e.held.Add(1)
		for old := e.most.Load(); n > old && !e.most.CompareAndSwap(old, n); old = e.most.Load() {
			continue
		}
		e.came <- struct{}{}
		return copy(p, `{"ref": "`), nil
	}
	<-e.block
	e.held.Add(-1)
	return 0, io.ErrUnexpectedEOF
}

// TestFloodHoldsLittle has many more bodies come in than there is room for, none of which ends, and counts how many are held
// at most; signed deliveries get through meanwhile.
func TestFloodHoldsLittle(t *testing.T) {
	t.Parallel()
	box := &crowd{}
	d := newDoor(t, box, nil)
	d.large.patience, d.large.fair = time.Minute, time.Hour // as many as there can be stay as long as they can
	var held, most atomic.Int64
	came, block := make(chan struct{}, 1000), make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	var flood sync.WaitGroup
	for i := range 1000 {
		flood.Go(func() {
			r := request("push", pushed).WithContext(ctx)
			r.Body, r.ContentLength = io.NopCloser(&endless{held: &held, most: &most, came: came, block: block}), bodyLimit
			if i%2 == 0 {
				r.ContentLength = -1
			}
			d.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
	for range largeSeats {
		<-came
	}
	for range 50 {
		w := httptest.NewRecorder()
		d.ServeHTTP(w, request("push", pushed))
		if w.Code != http.StatusAccepted {
			t.Errorf("a small delivery beside them: %d %s", w.Code, w.Body)
		}
	}
	stop()
	close(block)
	flood.Wait()
	if n := most.Load(); n != largeSeats || box.accepted.Load() != 50 {
		t.Errorf("%d bodies are held at most, want %d; %d deliveries accepted", n, largeSeats, box.accepted.Load())
	}
}

// over serves the door on a real connection, and returns what sends text on a new one.
func over(t *testing.T, d *Door) func(text string) net.Conn {
	t.Helper()
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return func(text string) net.Conn {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		return c
	}
}

const slowHead = "POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-GitHub-Delivery: a\r\nX-GitHub-Event: push\r\n" +
	"X-Hub-Signature-256: sha256=0000000000000000000000000000000000000000000000000000000000000000\r\n"

// TestSlowMakeRoom has bodies that do not come in take all seats of the small ones, and a delivery get through all the same.
func TestSlowMakeRoom(t *testing.T) {
	t.Parallel()
	d := newDoor(t, &crowd{}, nil)
	d.small.seats, d.small.fair = 2, time.Nanosecond
	send := over(t, d)
	var slow []net.Conn
	for range 4 {
		slow = append(slow, send(slowHead+"Content-Length: 9\r\n\r\n{"))
	}
	body := pushed
	delivery := "POST /webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-GitHub-Delivery: b\r\nX-GitHub-Event: push\r\n" +
		"X-Hub-Signature-256: " + sign(body, oldSecret) + "\r\nConnection: close\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	var answer []byte
	for range 2 * len(slow) { // without fair time it may have to make room itself, each time for one of the others
		var err error
		if answer, err = io.ReadAll(send(delivery)); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 503") {
			break
		}
	}
	if !strings.HasPrefix(string(answer), "HTTP/1.1 202") {
		t.Errorf("got %q", answer)
	}
	answers := make(chan string, len(slow))
	for _, c := range slow {
		go func() {
			answer, _ := io.ReadAll(c) // what matters is how it begins
			answers <- string(answer)
		}()
	}
	if first := <-answers; !strings.HasPrefix(first, "HTTP/1.1 503") || !strings.Contains(first, "Retry-After: ") {
		t.Errorf("who had to make room got %q", first)
	}
}

// patientInbox takes in what somebody still wants.
type patientInbox struct{ inbox }

func (p *patientInbox) Accept(ctx context.Context, d queue.Delivery, s []queue.Subject) (queue.Acceptance, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return p.inbox.Accept(ctx, d, s)
}

// TestGoneBeforeTheAnswer: what has come as a whole is written down, whatever became of the connection since.
func TestGoneBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	box := &patientInbox{inbox{answer: queue.New}}
	ctx, gone := context.WithCancel(t.Context())
	gone()
	w := httptest.NewRecorder()
	newDoor(t, box, nil).ServeHTTP(w, request("push", pushed).WithContext(ctx))
	if w.Code != http.StatusAccepted || len(box.accepted) != 1 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}
