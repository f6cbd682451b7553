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

// doorServer is the argument that makes this program the server of the trial: the real door before the real queue, which
// works on what it is asked for by doing nothing.
const doorServer = "door-server"

// serveDoor serves until it is killed. It prints its address.
func serveDoor(ctx context.Context, args []string, out io.Writer) error {
	log := slog.New(logctx.Handler(slog.NewJSONHandler(os.Stderr, nil)))
	q, err := queue.Open(ctx, strings.Join(args, ""), queue.Options{Logger: log})
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

// doorSettings of the trial of the door.
type doorSettings struct{ rate, seconds int }

// slowest is what the hundredth delivery may wait for its answer, at up to so many a second.
const (
	slowest     = 50 * time.Millisecond
	fastestRate = 1000
	// unanswered is how long GitHub waits for an answer.
	unanswered = 10 * time.Second
	// dearest is how much of a processor a delivery may take, the job that it asks for included: some ten times what it is
	// where nothing else runs.
	dearest = 5 * time.Millisecond
)

// knock delivers at a steady rate, however long the answers take, kills the server after the last answer, and looks
// in its queue for whatever was answered.
func knock(ctx context.Context, s settings, t *stage) error {
	letters, err := newLetters(ctx, t.dir)
	if err != nil {
		return err
	}
	database := "sqlite://" + filepath.ToSlash(filepath.Join(t.dir, "queue.db"))
	cmd, address, err := startDoor(ctx, t.dir, database)
	if err != nil {
		return err
	}
	t.say("door: %d deliveries a second for %d s", s.door.rate, s.door.seconds)
	before, load := readMachine(), loadAverage()
	knocks := letters.deliver(ctx, address, s.door.rate, s.door.seconds, "soak")
	busy, loadAfter := readMachine().since(before), loadAverage()
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if err := ctx.Err(); err != nil {
		return err
	}
	lost, jobs, err := missing(ctx, database, knocks)
	if err != nil {
		return err
	}
	t.say("door: the machine meanwhile: %s, load %s before and %s after", busy, load, loadAfter)
	d := doorTally{
		doorSettings: *s.door, outcomes: map[string]int{}, lost: lost, jobs: jobs, wait: spread(knocks, knockedAt), answer: spread(knocks, sentAt),
		used: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()) / time.Duration(max(len(knocks), 1)),
	}
	for _, k := range knocks {
		d.outcomes[k.outcome]++
	}
	t.show(fmt.Sprintf("deliveries of %d bytes, %d a second", letters.size(), s.door.rate), d.figures())
	return nil
}

// doorTally is what was counted at the door.
type doorTally struct {
	doorSettings

	outcomes     map[string]int // of deliveries
	lost, jobs   int
	wait, answer spreading
	used         time.Duration // of processors, a delivery
}

// figures say what each number has to be.
func (d doorTally) figures() []figure {
	limit := slowest
	if d.rate > fastestRate {
		limit = unanswered
	}
	return []figure{
		exactly("deliveries", sum(d.outcomes), d.rate*d.seconds),
		exactly("of these not accepted", sum(d.outcomes)-d.outcomes[accepted], 0),
		exactly("of these answered, and not in the queue after kill -9", d.lost, 0),
		atMost("repositories with a job left", d.jobs, addressees),
		atMost("from when it was due to the answer, p50", d.wait.median, limit),
		atMost("from when it was due to the answer, p99", d.wait.p99, limit),
		atMost("from when it was due to the answer, slowest", d.wait.max, unanswered),
		atMost("from when it was sent to the answer, p50", d.answer.median, limit),
		atMost("from when it was sent to the answer, p99", d.answer.p99, limit),
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
			return nil, "", errors.Join(fmt.Errorf("the door did not start; %s says why: %w", log.Name(), err), cmd.Wait())
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

// missing counts what was answered and is not in the queue, and the jobs that are left.
func missing(ctx context.Context, database string, knocks []letterKnock) (lost, jobs int, err error) {
	q, err := queue.Open(ctx, database, queue.Options{})
	if err != nil {
		return 0, 0, err
	}
	for _, k := range knocks {
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
