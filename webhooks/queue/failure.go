package queue

import (
	"errors"
	"fmt"
	"time"
)

// Class says what may help against a failure. It is all that the queue goes by: whoever returns an error from a run says its
// class, and what says none is Unknown.
type Class string

// The classes of failures.
const (
	Unknown  Class = "unknown"  // nobody knows: it is tried a few times, and taken for one of the input then
	Doubtful Class = "doubtful" // a panic, or a run that took too long: it may be the input, and costs much to find out
	Fatal    Class = "fatal"    // of this input: the same comes of it every time
	Away     Class = "away"     // somebody who is needed is not there: GitHub, the network, a disk with room
	Denied   Class = "denied"   // credentials are refused: others may be taken
	Limited  Class = "limited"  // somebody wants to be left alone for a while
	Parked   Class = "parked"   // nothing can be done until somebody turns something on again
)

// fate is what becomes of a failure.
type fate struct {
	tries int  // of a job until it is dead; 0 for as many as the options say
	waits bool // it does not count
	moot  bool // the head that it happened on is done with: it need not be looked at again before it moves
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
	// longestWait is how long a job waits at most before it asks again, whatever it was told: no limit of GitHub is longer,
	// and an answer, or a clock, may be wrong.
	longestWait = time.Hour
	// parkedFor is how long a job is parked before it looks by itself: who turns things on again is told of nearly always.
	parkedFor = 24 * time.Hour
)

// ClassedError is an error with its class.
type ClassedError struct {
	Class Class

	err   error
	after time.Duration
}

func (f *ClassedError) Error() string { return f.err.Error() }

// Unwrap gives the error that was classed.
func (f *ClassedError) Unwrap() error { return f.err }

// Fail gives an error a class.
func Fail(class Class, err error) error { return &ClassedError{Class: class, err: err} }

// Later says that a run cannot be done now, as err tells, and should be tried again after some time: a rate limit, a
// Retry-After. It does not count as an attempt.
func Later(err error, after time.Duration) error {
	return &ClassedError{Class: Limited, err: err, after: min(max(after, 0), longestWait)}
}

// ClassOf is the class of an error.
func ClassOf(err error) Class {
	if errors.Is(err, errTimeout) || errors.Is(err, errPanic) {
		return Doubtful // whatever else came of the time being over
	}
	if f, ok := errors.AsType[*ClassedError](err); ok {
		return f.Class
	}
	return Unknown
}

// errLost ends the context of a run whose lane may be given to another worker.
var errLost = errors.New("the connection that others know this replica by was lost")

// errTimeout ends the context of a run that takes too long.
var errTimeout = errors.New("the run took too long")

// errPanic is a run that panicked.
var errPanic = errors.New("panic")

func panicked(value any, stack []byte) error { return fmt.Errorf("%w: %v\n%s", errPanic, value, stack) }

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

// judge tells how a run ended by what the handler returned. What stopped is handed back unless that would change nothing.
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
