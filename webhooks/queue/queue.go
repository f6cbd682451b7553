// Package queue is the durable part of the door: an inbox of deliveries and a queue of what they ask for, in one database.
//
// A delivery is answered after the transaction that writes it together with the jobs it asks for, so that nothing that
// was answered is lost. Jobs are level-triggered: they say which branch or pull request ([Subject]) has to be brought up to
// date, never what happened to it, and whoever works one looks up the newest state when it starts. Lost order,
// duplicates, redeliveries and bursts are harmless for that reason.
//
// # Lanes
//
// Every subject has a row in causal_lanes, its lane, which names the lane's job in [River]'s table. Each ask raises wanted
// in the lane. A run remembers the wanted that it saw when it started. The transaction that ends the work of a job locks the
// lane and compares: when more is wanted by then, the next job is inserted in the same transaction. Nothing asked for is
// lost, and no two runs of a lane overlap. River's own unique jobs would drop what is asked for during a run.
//
// River gives jobs to workers, wakes them, puts them off and limits the time of a run. Its tables are only written through
// its client. A job with another priority, or one whose worker was killed, is replaced: the lane names a new job, and the old
// one ends without doing anything when River offers it.
//
// # Workers that are killed
//
// The job of a replica that is gone is replaced within seconds. That a replica is gone is known without a clock: SQLite
// is owned by one process, which a lock beside the file says, so that all others are dead; on PostgreSQL every replica holds
// a lock on a connection of its own, which ends with the process. A replica that loses that connection stops its runs.
//
// A worker that was given up wrongly can do no harm: a lane whose holder is alive is not worked by another, and the end of a
// run is only written while the lane is still that run's.
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

// Subject is what a job brings up to date: a branch of a repository, or a pull request.
type Subject struct {
	Installation int64  `json:"installation"`   // of the GitHub App
	Repository   int64  `json:"repository"`     // GitHub's number, which a rename does not change
	Owner        string `json:"owner"`          // as it was when the subject was last asked for
	Name         string `json:"name"`           // as it was when the subject was last asked for
	Ref          string `json:"ref,omitempty"`  // "refs/heads/main"; empty for a pull request
	Pull         int    `json:"pull,omitempty"` // 0 for a branch
	Fork         int64  `json:"fork,omitempty"` // the repository that a pull request comes from, where it is another one
	Side         bool   `json:"side,omitempty"` // a branch that is not the default one
}

// Key names the lane: at most one job of it is queued, and at most one runs.
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

// Delivery is one webhook delivery. Its payload is not kept.
type Delivery struct {
	GUID         string
	Event        string
	Action       string
	Installation int64
	Repository   int64
	Told         Told // the newest commit that it tells of, if any
	Received     time.Time
	Restores     bool // the installation has come back, or may do more: what was given up or parked for it is wanted again
	// Mends is the key of a branch whose rules this delivery may have changed: lanes that were refused because of them run again.
	Mends string
}

// Job is one attempt at bringing a subject up to date.
type Job struct {
	Subject
	ID       int64
	Run      int64   // the row that records this attempt
	Attempt  int     // from 1
	Attempts int     // after so many failures the job is dead
	Resumes  bool    // the lane's last run did not get to its end, and may have done a part of its work
	Causes   []Cause // what asked for it since the last finished run, oldest first, at most 20
}

// Deliveries are the GUIDs among the causes.
func (j Job) Deliveries() []string {
	var guids []string
	for _, c := range j.Causes {
		if c.Delivery != "" {
			guids = append(guids, c.Delivery)
		}
	}
	return guids
}

// Cause is what asked for a job.
type Cause struct {
	Event    string `json:"event"`              // "push", "pull_request.closed", "sweep", "restart"
	Delivery string `json:"delivery,omitempty"` // its GUID
	Told
}

// Told is a commit that an event told of as the newest one.
type Told struct {
	Head string    `json:"head,omitempty"` // empty when it told of none
	At   time.Time `json:"at,omitzero"`    // when that was so, by GitHub's clock; zero when it did not say
}

// Told is the newest commit that anybody told of who asked for the job. Deliveries come late and in any order.
func (j Job) Told() (newest Told) {
	for _, c := range j.Causes {
		if c.Head != "" && !c.At.Before(newest.At) {
			newest = c.Told
		}
	}
	return newest
}

// Outcome is what a run did.
type Outcome struct {
	Conclusion string `json:"conclusion"` // updated, fresh, skipped, refused, …
	Title      string `json:"title,omitempty"`
	Head       string `json:"head,omitempty"` // the commit that was brought up to date; remembered for the lane
	// Reached is the head that the run itself has given the branch: there is nothing to do for it. Remembered in place of Head.
	Reached string `json:"-"`
	// Blocked is the key of the branch whose rules the run was refused because of. It is remembered for the lane until the next run.
	Blocked string          `json:"-"`
	Session string          `json:"session,omitempty"`
	Detail  json.RawMessage `json:"detail,omitempty"`
}

// Handler does the work. Its context ends when the time for a run is over, when others must take this replica for dead, and
// when [Queue.Stop] has waited long enough.
type Handler interface {
	Handle(ctx context.Context, j Job) (Outcome, error)
}

// HandlerFunc is a function as a Handler.
type HandlerFunc func(ctx context.Context, j Job) (Outcome, error)

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, j Job) (Outcome, error) { return f(ctx, j) }

// Options of a queue. The zero value is what a server needs.
type Options struct {
	Logger   *slog.Logger
	Now      func() time.Time                                // of what is recorded and pruned
	Random   func() float64                                  // in [0, 1), for jitter
	Workers  int                                             // runs at a time; 4
	Attempts int                                             // until a job is dead; 12, which are some 45 minutes
	Backoff  func(attempt int, random float64) time.Duration // 2 s, doubled, at most 15 min, a quarter more or less
	Timeout  time.Duration                                   // of one run; 15 min
	Poll     time.Duration                                   // between looks for work; 100 ms
	Keep     time.Duration                                   // of ended runs and deliveries; 30 days
	Look     time.Duration                                   // between looks whether the times in the database make sense; 5 s
	Finished func(RunRow)                                    // told of every run that ended
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

// backoff doubles from two seconds on. The jitter keeps jobs that failed together from coming back together.
func backoff(attempt int, random float64) time.Duration {
	const first, longest = 2 * time.Second, 15 * time.Minute
	d := longest
	if attempt <= 9 {
		d = min(longest, first<<max(attempt-1, 0))
	}
	return time.Duration(float64(d) * (0.75 + random/2))
}

// Queue is an open queue. Its methods may be called from many goroutines.
type Queue struct {
	options Options
	db      *database
	door    *door
	turning sync.Mutex // held while the engine is started or stopped
	health  health
	rest    context.CancelFunc // ends looking; nil before the start
	looking sync.WaitGroup     // what looks at the database until then

	mu       sync.Mutex
	handler  Handler             // set once, before the engine starts
	active   map[string]*running // by lane
	stopping bool
	closed   bool
}

// ErrClosed is the answer of a queue that was closed.
var ErrClosed = errors.New("the queue is closed")

// Open opens the queue in the database that url names, and brings its tables up to this version: "sqlite:///path/file.db"
// or "postgres://…".
func Open(ctx context.Context, url string, options Options) (*Queue, error) {
	q := &Queue{options: options.withDefaults(), active: map[string]*running{}}
	var err error
	if q.db, err = openDatabase(ctx, url, q.options, q.config()); err != nil {
		return nil, fmt.Errorf("open queue: %w", err)
	}
	q.door = newDoor(q)
	return q, nil
}

// Close lets go of the database at once, as a crash would; see [Queue.Stop] for an orderly end, after which Close frees
// what is left.
func (q *Queue) Close() error {
	q.door.close()
	q.endLooking()
	// First the database, so that the runs which are cancelled then leave no trace: they did not fail.
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
