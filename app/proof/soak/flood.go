package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	attackers    = 1000
	megabits     = 1000 // that they send a second
	signedRate   = 50   // signed deliveries a second
	floodSeconds = 20
	// heaviest is the greatest growth of the server's memory during the attack, in bytes: four bodies, and as much that is
	// not collected yet.
	heaviest = 256 << 20
	// patient is the greatest p99 of the answers during the attack.
	patient = 100 * time.Millisecond
	// calm is the duration of the comparison without an attack, in seconds.
	calm = 6
)

// flood sends unsigned bodies of 25 MiB without end, and measures signed deliveries meanwhile.
func flood(ctx context.Context, t *stage) error {
	letters, err := newLetters(ctx, t.dir)
	if err != nil {
		return err
	}
	database := "sqlite://" + filepath.ToSlash(filepath.Join(t.dir, "queue.db"))
	cmd, address, err := startDoor(ctx, t.dir, database)
	if err != nil {
		return err
	}
	t.say("flood: %d attackers, and %d signed deliveries a second for %d s", attackers, signedRate, floodSeconds)
	deliveries := letters.deliver(ctx, address, signedRate, calm, "calm")
	rest, _, restErr := memoryOf(cmd)
	attack, err := beginAttack(ctx, address)
	if err != nil {
		return err
	}
	signed := letters.deliver(ctx, address, signedRate, floodSeconds, "signed")
	answers, sent := attack.end()
	_, most, mostErr := memoryOf(cmd)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if err := errors.Join(ctx.Err(), restErr, mostErr); err != nil {
		return err
	}
	lost, _, err := missing(ctx, database, append(deliveries, signed...))
	if err != nil {
		return err
	}
	reportFlood(t, deliveries, signed, lost, fmt.Sprintf("%d MiB", sent>>20), answers, rest, most)
	return nil
}

func reportFlood(t *stage, before, signed []delivered, lost int, sent string, answers map[string]int, rest, most int64) {
	quiet, wait := spread(before, dueAt), spread(signed, dueAt)
	outcomes := map[string]int{}
	for _, k := range signed {
		outcomes[k.outcome]++
	}
	t.table(fmt.Sprintf("%d signed deliveries during %d attackers with bodies of 25 MiB", len(signed), attackers),
		[]any{"", "p50", "p99", "slowest"},
		[]any{"without attackers", quiet.median, quiet.p99, quiet.max},
		[]any{"from when a delivery was due to the answer", wait.median, wait.p99, wait.max},
		[]any{"answers to deliveries", counted(outcomes)},
		[]any{"answered and not in the queue after kill -9", lost},
		[]any{"answers to attackers", counted(answers), "for " + sent},
		[]any{"memory", fmt.Sprintf("%d MiB at rest, %d MiB at its peak", rest>>20, most>>20)},
	)
	if n := len(signed) - outcomes[accepted]; n > 0 {
		t.fault("%d of %d signed deliveries were not accepted", n, len(signed))
	}
	if lost > 0 {
		t.fault("%d deliveries that were answered are lost", lost)
	}
	if wait.p99 > patient {
		t.fault("p99 of signed deliveries exceeds %s: %s, and %s without attackers", patient, wait.p99, quiet.p99)
	}
	if most-rest > heaviest {
		t.fault("attackers take %d MiB, more than %d", (most-rest)>>20, heaviest>>20)
	}
	if len(answers) == 0 {
		t.fault("no attacker got an answer: the test has no effect")
	}
}

// memoryOf reads how much memory a process has now, and how much it had at most.
func memoryOf(cmd *exec.Cmd) (now, most int64, err error) {
	s := statusOf(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if s == nil {
		return 0, 0, errors.New("the memory of the server can be read on Linux only")
	}
	return bytesOf(s["VmRSS"]), bytesOf(s["VmHWM"]), nil
}

// attack is a running attack.
type attack struct {
	host string
	stop context.CancelFunc
	all  sync.WaitGroup
	pace pace

	mu      sync.Mutex
	answers map[string]int
	sent    int64
}

// heads are the HTTP headers of the attackers: no signature, an invalid one, and one with another secret, for which the server must read
// the whole body.
var heads = []string{
	"Content-Length: 26214400\r\n",
	"Content-Length: 26214400\r\nX-Hub-Signature-256: none\r\n",
	"Content-Length: 26214400\r\nX-Hub-Signature-256: sha256=" + wrong + "\r\n",
	"Transfer-Encoding: chunked\r\nX-Hub-Signature-256: sha256=" + wrong + "\r\n",
	"Content-Length: 26214400\r\nX-Hub-Signature-256: sha256=" + wrong + "\r\n",
}

const wrong = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// beginAttack lets them begin, and returns when each of them has.
func beginAttack(ctx context.Context, address string) (*attack, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	a := &attack{host: u.Host, stop: stop, pace: pace{perSecond: float64(megabits) * 1e6 / 8}, answers: map[string]int{}}
	var begun sync.WaitGroup
	for i := range attackers {
		begun.Add(1)
		a.all.Go(func() {
			once := sync.OnceFunc(begun.Done)
			defer once()
			for ctx.Err() == nil {
				a.sendBody(ctx, heads[i%len(heads)], once)
			}
		})
	}
	begun.Wait()
	return a, nil
}

// end stops the attack, and returns the answers and the number of sent bytes.
func (a *attack) end() (map[string]int, int64) {
	a.stop()
	a.all.Wait()
	return a.answers, a.sent
}

// sendBody sends one body until the server stops reading.
func (a *attack) sendBody(ctx context.Context, head string, begun func()) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", a.host)
	if err != nil {
		a.count("no connection", 0)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	_, err = io.WriteString(conn, "POST /webhooks HTTP/1.1\r\nHost: causal\r\nContent-Type: application/json\r\nX-GitHub-Delivery: attacker\r\nX-GitHub-Event: push\r\n"+head+"\r\n")
	if err != nil {
		return
	}
	begun()
	sent := make(chan int64, 1)
	go func() { sent <- a.pour(ctx, conn, strings.Contains(head, "chunked")) }()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	_ = conn.Close()
	n := <-sent
	switch {
	case ctx.Err() != nil:
		a.count("the trial ended", n)
	case err != nil:
		a.count("cut off", n)
	default:
		_ = answer.Body.Close()
		a.count(answer.Status, n)
	}
}

func (a *attack) count(answer string, sent int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers[answer]++
	a.sent += sent
}

// pour writes a body of 25 MiB, the beginning of a JSON document.
func (a *attack) pour(ctx context.Context, conn net.Conn, chunked bool) (sent int64) {
	const size, piece = 25 << 20, 64 << 10
	text := []byte(`{"commits": [` + strings.Repeat(`{"id": "0123456789", "added": ["a/b/c"]}, `, piece/42))[:piece]
	framed := text
	if chunked {
		framed = fmt.Appendf(nil, "%x\r\n%s\r\n", len(text), text)
	}
	for sent < size {
		a.pace.wait(ctx, len(framed))
		if _, err := conn.Write(framed); err != nil {
			return sent
		}
		sent += int64(len(text))
	}
	if chunked {
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	}
	return sent
}

// pace limits the total rate, in bytes per second, to that of a network.
type pace struct {
	perSecond float64
	mu        sync.Mutex
	next      time.Time
}

func (p *pace) wait(ctx context.Context, n int) {
	p.mu.Lock()
	if now := time.Now(); p.next.Before(now) {
		p.next = now
	}
	due := p.next
	p.next = due.Add(time.Duration(float64(n) / p.perSecond * float64(time.Second)))
	p.mu.Unlock()
	if wait := time.Until(due); wait > 0 {
		sleep(ctx, wait)
	}
}
