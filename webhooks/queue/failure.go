package queue

import (
	"errors"
	"time"
)

// Later says that a run cannot be done now, as err tells, and should be tried again after some time: a rate limit, a
// Retry-After. It does not count as an attempt.
func Later(err error, after time.Duration) error { return &laterError{err, max(after, 0)} }

// Permanent says that trying again cannot help: the job is dead at once.
func Permanent(err error) error { return &permanentError{err} }

type laterError struct {
	error
	after time.Duration
}

func (e *laterError) Unwrap() error { return e.error }

type permanentError struct{ error }

func (e *permanentError) Unwrap() error { return e.error }

// errLost ends the context of a run whose lane may be given to another worker.
var errLost = errors.New("the connection that others know this replica by was lost")

// errTimeout ends the context of a run that takes too long.
var errTimeout = errors.New("the run took too long")

// State is how a run ended, or that it has not.
type State string

// The states of a run.
const (
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"  // and will be tried again
	Waiting State = "waiting" // asked to be tried later
	Back    State = "back"    // handed back by a server that stopped
	Lost    State = "lost"    // its worker was not heard of any more
	Dead    State = "dead"    // the last attempt
)

// final reports whether nothing follows but what was asked for since.
func (s State) final() bool { return s == Done || s == Dead }

// Dies reports whether the job is dead when its run ends with err: whoever waits for it has to be told.
func (j Job) Dies(err error) bool { return judge(err, j, false) == Dead }

// judge tells how a run ended by what the handler returned.
func judge(err error, j Job, stopped bool) State {
	var later *laterError
	var permanent *permanentError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &permanent):
		return Dead
	case errors.As(err, &later):
		return Waiting
	case stopped:
		return Back
	case j.Attempt >= j.Attempts:
		return Dead
	default:
		return Failed
	}
}
