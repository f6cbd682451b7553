package queue

import (
	"errors"
	"fmt"
	"time"
)

// Class is the kind of a failure, which determines how it is retried. A handler sets it with Fail or Later; the default
// is Unknown.
type Class string

// The classes of failures.
const (
	Unknown  Class = "unknown"  // retried a few times, then treated as Fatal
	Doubtful Class = "doubtful" // a panic or a timeout: perhaps caused by the input, and expensive to retry
	Fatal    Class = "fatal"    // caused by the input: every attempt fails the same way
	Away     Class = "away"     // something is unavailable: GitHub, the network, disk space
	Denied   Class = "denied"   // credentials were rejected; others may work
	Limited  Class = "limited"  // a rate limit
	Parked   Class = "parked"   // waits for a user to re-enable something
)

type fate struct {
	tries int  // attempts until a job is dead; 0 for Options.Attempts
	waits bool // it does not count as an attempt
	moot  bool // the head counts as processed and is not retried until it moves
}

var fates = map[Class]fate{
	Unknown:  {tries: 4, moot: true},
	Doubtful: {tries: 2, moot: true},
	Fatal:    {tries: 1, moot: true},
	Away:     {},
	Denied:   {},
	Limited:  {waits: true},
	Parked:   {waits: true},
}

const (
	// longestWait limits the wait before a retry. GitHub's rate limits are shorter, and a longer wait may be due to a
	// wrong answer or clock.
	longestWait = time.Hour
	// parkedFor is the wait before a parked job is retried unasked. Nearly always, a delivery wakes it earlier.
	parkedFor = 24 * time.Hour
)

// ClassedError is an error with its class.
type ClassedError struct {
	Class Class

	err   error
	after time.Duration
}

func (f *ClassedError) Error() string { return f.err.Error() }

// Unwrap returns the original error.
func (f *ClassedError) Unwrap() error { return f.err }

// Fail gives an error a class.
func Fail(class Class, err error) error { return &ClassedError{Class: class, err: err} }

// Later returns an error for a run that should be retried after some time, such as Retry-After. It does not count as an
// attempt.
func Later(err error, after time.Duration) error {
	return &ClassedError{Class: Limited, err: err, after: min(max(after, 0), longestWait)}
}

// ClassOf returns the class of an error.
func ClassOf(err error) Class {
	if errors.Is(err, errTimeout) || errors.Is(err, errPanic) {
		return Doubtful // even if the timeout caused another error
	}
	if f, ok := errors.AsType[*ClassedError](err); ok {
		return f.Class
	}
	return Unknown
}

// errLost cancels a run whose lane may be given to another replica.
var errLost = errors.New("the connection that others know this replica by was lost")

var errTimeout = errors.New("the run took too long")

var errPanic = errors.New("panic")

func panicked(value any, stack []byte) error { return fmt.Errorf("%w: %v\n%s", errPanic, value, stack) }

// State is the state of a run.
type State string

// The states of a run.
const (
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"  // will be retried
	Waiting State = "waiting" // asked for a later retry
	Back    State = "back"    // interrupted by a server that stopped
	Lost    State = "lost"    // its worker disappeared
	Dead    State = "dead"    // failed for the last time
)

func (s State) final() bool { return s == Done || s == Dead }

// Dies reports whether err ends the job as dead, which users waiting for it should learn.
func (j Job) Dies(err error) bool { return judge(err, j, false) == Dead }

// judge returns the state of a run after the handler returned err. An interrupted run is handed back unless its result
// is final anyway.
func judge(err error, j Job, stopped bool) State {
	if err == nil {
		return Done
	}
	f := fates[ClassOf(err)]
	switch {
	case f.tries == 1:
		return Dead
	case f.waits:
		return Waiting
	case stopped:
		return Back
	case j.Attempt >= j.Attempts, f.tries > 0 && j.Attempt >= f.tries:
		return Dead
	default:
		return Failed
	}
}
