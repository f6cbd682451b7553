package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
)

// doorServer is the argument that makes this program the server under test: the real webhook handler and queue, with a worker that only
// waits.
const doorServer = "door-server"

// serveDoor serves until it is killed. It prints its address.
func serveDoor(ctx context.Context, database string, out io.Writer) error {
	log := slog.New(logctx.Handler(slog.NewJSONHandler(os.Stderr, nil)))
	q, err := queue.Open(ctx, database, queue.Options{Logger: log})
	if err != nil {
		return err
	}
	defer q.Close()
	if err := q.Start(ctx, queue.HandlerFunc(work)); err != nil {
		return err
	}
	door, err := webhooks.New(webhooks.Config{Secrets: []string{secret}, Inbox: q, Logger: log})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "http://"+listener.Addr().String()+webhooks.DefaultPath); err != nil {
		return err
	}
	server := &http.Server{Handler: door, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

const (
	rate    = 1000 // deliveries a second
	seconds = 60
	slowest = 50 * time.Millisecond // p99 of the answers
	// unanswered is how long GitHub waits for an answer.
	unanswered = 10 * time.Second
	// dearest is the greatest processor time of a delivery and its job, about ten times the time on an idle machine.
	dearest = 5 * time.Millisecond
)

// measureDoor delivers at a steady rate, independent of the answers, kills the server after the last answer, and looks for the accepted
// deliveries in the queue.
func measureDoor(ctx context.Context, t *stage) error {
	letters, err := newLetters(ctx, t.dir)
	if err != nil {
		return err
	}
	database := "sqlite://" + filepath.ToSlash(filepath.Join(t.dir, "queue.db"))
	cmd, address, err := startDoor(ctx, t.dir, database)
	if err != nil {
		return err
	}
	t.say("door: %d deliveries a second for %d s", rate, seconds)
	deliveries := letters.deliver(ctx, address, rate, seconds, "soak")
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if err := ctx.Err(); err != nil {
		return err
	}
	lost, jobs, err := missing(ctx, database, deliveries)
	if err != nil {
		return err
	}
	d := doorTally{
		outcomes: map[string]int{}, lost: lost, jobs: jobs, wait: spread(deliveries, dueAt), answer: spread(deliveries, sentAt),
		used: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()) / time.Duration(max(len(deliveries), 1)),
	}
	for _, k := range deliveries {
		d.outcomes[k.outcome]++
	}
	t.show(fmt.Sprintf("deliveries of %d bytes, %d a second", letters.size(), rate), d.figures())
	return nil
}

// doorTally holds the counts of the deliveries.
type doorTally struct {
	outcomes     map[string]int // of deliveries
	lost, jobs   int
	wait, answer spreading
	used         time.Duration // of processors, a delivery
}

// figures returns each number with its bound.
func (d doorTally) figures() []figure {
	return []figure{
		exactly("deliveries", sum(d.outcomes), rate*seconds),
		exactly("of these not accepted", sum(d.outcomes)-d.outcomes[accepted], 0),
		exactly("of these answered, and not in the queue after kill -9", d.lost, 0),
		atMost("repositories with a job left", d.jobs, payloadRepositories),
		atMost("from when it was due to the answer, p50", d.wait.median, slowest),
		atMost("from when it was due to the answer, p99", d.wait.p99, slowest),
		atMost("from when it was due to the answer, slowest", d.wait.max, unanswered),
		atMost("from when it was sent to the answer, p50", d.answer.median, slowest),
		atMost("from when it was sent to the answer, p99", d.answer.p99, slowest),
		atMost("from when it was sent to the answer, slowest", d.answer.max, unanswered),
		atMost("processor time of a delivery", d.used.Round(time.Microsecond), dearest),
	}
}

// startDoor starts this program as the server of the trial.
func startDoor(ctx context.Context, dir, database string) (*exec.Cmd, string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	log, err := os.Create(filepath.Join(dir, "door.log"))
	if err != nil {
		return nil, "", err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, self, doorServer, database)
	cmd.Stderr = log
	said, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start the door: %w", err)
	}
	line := make([]byte, 0, 100)
	for !bytes.HasSuffix(line, []byte("\n")) {
		var one [1]byte
		if _, err := said.Read(one[:]); err != nil {
			return nil, "", errors.Join(fmt.Errorf("the door did not start, see %s: %w", log.Name(), err), cmd.Wait())
		}
		line = append(line, one[0])
	}
	return cmd, strings.TrimSpace(string(line)), nil
}

// aRun is how long a run takes here: about as long as a small push does from beginning to end.
const aRun = 200 * time.Millisecond

// work takes the time of a run and does nothing.
func work(ctx context.Context, _ queue.Job) (queue.Outcome, error) {
	select {
	case <-time.After(aRun):
		return queue.Outcome{}, nil
	case <-ctx.Done():
		return queue.Outcome{}, ctx.Err()
	}
}

// missing counts accepted deliveries that the queue does not have, and the remaining jobs.
func missing(ctx context.Context, database string, deliveries []delivered) (lost, jobs int, err error) {
	q, err := queue.Open(ctx, database, queue.Options{})
	if err != nil {
		return 0, 0, err
	}
	for _, k := range deliveries {
		wanted, err := q.Wanted(ctx, k.guid)
		if err != nil {
			return 0, 0, errors.Join(err, q.Close())
		}
		if wanted && k.outcome == accepted {
			lost++
		}
	}
	stats, err := q.Stats(ctx)
	return lost, stats.Queued + stats.Running + stats.Waiting, errors.Join(err, q.Close())
}
