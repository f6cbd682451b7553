// Package queue stores webhook deliveries and the jobs they ask for in one database.
//
// A delivery is answered after the transaction that stores it with its jobs, so no answered delivery is lost. Jobs are
// level-triggered: they name the branch or pull request to update ([Subject]), not what happened, and a worker reads
// the newest state when it starts. Lost order, duplicates and bursts are therefore harmless.
//
// # Lanes
//
// Every subject has a row in causal_lanes, its lane, which names its job in [River]'s table. Each request increments
// the lane's wanted. The transaction that ends a job locks the lane and inserts the next job if wanted has grown since
// the run started. So no request is lost, and no two runs of a lane overlap. River's unique jobs would drop requests
// made during a run.
//
// River's tables are only written through its client. To change the priority of a job, or after its worker was killed,
// the lane names a new job; the old one does nothing when River offers it.
//
// # Killed workers
//
// The jobs of a dead replica are replaced within seconds, without comparing clocks: a SQLite file is locked by one
// process, so all others are dead; on PostgreSQL every replica holds a lock on a connection that ends with the process.
// A replica that loses this connection stops its runs. A worker wrongly considered dead is harmless: a lane with a live
// holder is not given to another, and the end of a run is only written while the lane is still its own.
//
// [River]: https://riverqueue.com
package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Subject is a branch or a pull request that a job updates.
type Subject struct {
	Installation int64  `json:"installation"`   // of the GitHub App
	Repository   int64  `json:"repository"`     // GitHub's ID, which a rename does not change
	Owner        string `json:"owner"`          // at the last request
	Name         string `json:"name"`           // at the last request
	Ref          string `json:"ref,omitempty"`  // "refs/heads/main"; empty for a pull request
	Pull         int    `json:"pull,omitempty"` // 0 for a branch
	Fork         int64  `json:"fork,omitempty"` // ID of the head repository if a pull request is from a fork
	Side         bool   `json:"side,omitempty"` // a branch other than the default one
}

// Key returns the name of the lane, which has at most one queued and one running job.
func (s Subject) Key() string {
	if s.Pull != 0 {
		return fmt.Sprintf("%d:pull/%d", s.Repository, s.Pull)
	}
	return strconv.FormatInt(s.Repository, 10) + ":" + s.Ref
}

func (s Subject) validate() error {
	switch {
	case s.Repository <= 0:
		return fmt.Errorf("subject %s has no repository", s.Key())
	case s.Pull < 0, (s.Pull == 0) == (s.Ref == ""):
		return fmt.Errorf("subject %s needs either a ref or a pull request", s.Key())
	case strings.ContainsRune(s.Owner+s.Name+s.Ref, 0):
		return fmt.Errorf("subject of repository %d has a NUL in a name", s.Repository)
	}
	return nil
}

// Delivery is one webhook delivery, without its payload.
type Delivery struct {
	GUID         string
	Event        string
	Action       string
	Installation int64
	Repository   int64
	Told         Told // the newest commit that it reports, if any
	Received     time.Time
	Restores     bool // the installation is back or has more permissions: its dead and parked jobs are retried
	// Mends is the key of a branch whose rules may have changed: lanes that these rules blocked run again.
	Mends string
}

// Job is one attempt at updating a subject.
type Job struct {
	Subject
	ID       int64
	Run      int64   // ID of the stored run
	Attempt  int     // from 1
	Attempts int     // maximum, after which the job is dead
	Resumes  bool    // the last run did not finish and may have done part of the work
	Causes   []Cause // requests since the last finished run, oldest first, at most 20
}

// Deliveries returns the GUIDs of the causes.
func (j Job) Deliveries() []string {
	var guids []string
	for _, c := range j.Causes {
		if c.Delivery != "" {
			guids = append(guids, c.Delivery)
		}
	}
	return guids
}

// Cause is a request for a job.
type Cause struct {
	Event    string `json:"event"`              // "push", "pull_request.closed", "sweep", "restart"
	Delivery string `json:"delivery,omitempty"` // its GUID
	Told
}

// Told is the newest commit according to an event.
type Told struct {
	Head string    `json:"head,omitempty"` // empty if none was reported
	At   time.Time `json:"at,omitzero"`    // GitHub's time of that state; zero if unknown
}

// Told returns the newest commit that any cause reported. Deliveries may be late and out of order.
func (j Job) Told() (newest Told) {
	for _, c := range j.Causes {
		if c.Head != "" && !c.At.Before(newest.At) {
			newest = c.Told
		}
	}
	return newest
}

// Outcome is the result of a run.
type Outcome struct {
	Conclusion string `json:"conclusion"` // updated, fresh, skipped, refused, …
	Title      string `json:"title,omitempty"`
	Head       string `json:"head,omitempty"` // the processed commit, stored for the lane
	// Reached is the head that the run itself gave the branch, stored instead of Head: it needs no processing.
	Reached string `json:"-"`
	// Blocked is the key of the branch whose rules blocked the run. It is stored for the lane until the next run.
	Blocked string          `json:"-"`
	Session string          `json:"session,omitempty"`
	Detail  json.RawMessage `json:"detail,omitempty"`
}

// Handler does the work. Its context ends with the timeout of a run, when this replica loses its presence, or when
// [Queue.Stop] cancels runs.
type Handler interface {
	Handle(ctx context.Context, j Job) (Outcome, error)
}

// HandlerFunc is a function that implements Handler.
type HandlerFunc func(ctx context.Context, j Job) (Outcome, error)

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, j Job) (Outcome, error) { return f(ctx, j) }

// Options configure a queue. The zero value is suitable for a server.
type Options struct {
	Logger   *slog.Logger
	Now      func() time.Time                                // for recorded times
	Random   func() float64                                  // in [0, 1), for jitter
	Workers  int                                             // concurrent runs; 4
	Attempts int                                             // until a job is dead; 12, about 45 minutes
	Backoff  func(attempt int, random float64) time.Duration // 2 s, doubled up to 15 min, plus or minus a quarter
	Timeout  time.Duration                                   // of one run; 15 min
	Poll     time.Duration                                   // interval of looking for jobs; 100 ms
	Keep     time.Duration                                   // retention of ended runs and deliveries; 30 days
	Look     time.Duration                                   // interval of checks for stuck jobs; 5 s
	Finished func(RunRow)                                    // called after every run
}

func (o Options) withDefaults() Options {
	orElse(&o.Logger, slog.New(slog.DiscardHandler))
	orElse(&o.Workers, 4)
	orElse(&o.Attempts, 12)
	orElse(&o.Timeout, 15*time.Minute)
	orElse(&o.Poll, 100*time.Millisecond)
	orElse(&o.Keep, 30*24*time.Hour)
	orElse(&o.Look, lookEvery)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	if o.Finished == nil {
		o.Finished = func(RunRow) {}
	}
	return o
}

func orElse[T comparable](value *T, fallback T) {
	var zero T
	if *value == zero {
		*value = fallback
	}
}

// backoff doubles from two seconds. The jitter spreads jobs that failed together.
func backoff(attempt int, random float64) time.Duration {
	const first, longest = 2 * time.Second, 15 * time.Minute
	d := longest
	if attempt <= 9 {
		d = min(longest, first<<max(attempt-1, 0))
	}
	return time.Duration(float64(d) * (0.75 + random/2))
}

// Queue is an open queue. Its methods are safe for concurrent use.
type Queue struct {
	options Options
	db      *database
	door    *door
	turning sync.Mutex // held while the engine starts or stops
	health  health
	rest    context.CancelFunc // ends looking; nil before the start
	looking sync.WaitGroup     // background checks

	mu       sync.Mutex
	handler  Handler             // set once, before the engine starts
	active   map[string]*running // by lane
	stopping bool
	closed   bool
}

// ErrClosed is returned by a closed queue.
var ErrClosed = errors.New("the queue is closed")

// Open opens the queue in a database and migrates its tables: "sqlite:///path/file.db" or "postgres://…".
func Open(ctx context.Context, url string, options Options) (*Queue, error) {
	q := &Queue{options: options.withDefaults(), active: map[string]*running{}}
	var err error
	if q.db, err = openDatabase(ctx, url, q.options, q.config()); err != nil {
		return nil, fmt.Errorf("open queue: %w", err)
	}
	q.door = newDoor(q)
	return q, nil
}

// Close releases the database at once, as a crash would. For an orderly end, call [Queue.Stop] first.
func (q *Queue) Close() error {
	q.door.close()
	q.endLooking()
	// The database goes first, so cancelled runs are not recorded as failed.
	err := q.db.close()
	q.mu.Lock()
	q.closed = true
	for _, r := range q.active {
		r.cancel(ErrClosed)
	}
	started := q.handler != nil
	q.mu.Unlock()
	if started {
		abandon(q.db.engine)
	}
	if err != nil {
		return fmt.Errorf("close queue: %w", err)
	}
	return nil
}
