package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/coverage"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// trial is a text that is read at two sizes.
type trial struct {
	Number   int
	Fragment fragment
	Size     int     // of the shorter text
	Seconds  float64 // of processor time that reading may take
}

// cost is the cost of reading a text.
type cost struct {
	Bytes   int // that the text has
	Steps   uint64
	Memory  uint64 // bytes that were allocated
	Seconds float64
	Refused bool // the reader stopped at its step limit
}

// outcome is the result of a trial.
type outcome struct {
	Number       int
	Small, Large cost
	Slow         bool   // it was given up
	Failed       string // the error of a crash
}

// mostStack limits the stack, so recursion that grows with the text crashes the child.
const mostStack = 64 << 20

// measure reads trials and writes their outcomes, one a line.
func measure(in io.Reader, out io.Writer) error {
	debug.SetMaxStack(mostStack)
	var current atomic.Pointer[trial]
	var began atomic.Uint64 // bits of seconds
	results := json.NewEncoder(out)
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			t := current.Load()
			if t != nil && processor()-float64(began.Load())/1e6 > t.Seconds {
				if current.CompareAndSwap(t, nil) {
					_ = results.Encode(outcome{Number: t.Number, Slow: true})
					os.Exit(0)
				}
			}
		}
	}()
	all := readers
	for _, r := range all { // exclude one-time initialisation
		_ = r.read("a")
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil //nolint:nilerr // end of input
		}
		var t trial
		if err := json.Unmarshal(line, &t); err != nil {
			return fmt.Errorf("read a trial: %w", err)
		}
		o := outcome{Number: t.Number}
		read := all[t.Fragment.Reader].read
		for _, c := range []struct {
			size int
			cost *cost
		}{{t.Size, &o.Small}, {growth * t.Size, &o.Large}} {
			text := t.Fragment.text(c.size)
			began.Store(uint64(processor() * 1e6))
			current.Store(&t)
			if *c.cost, err = costOf(text, read); err != nil {
				return err
			}
			if !current.CompareAndSwap(&t, nil) {
				select {} // it was given up in this moment
			}
		}
		if err := results.Encode(o); err != nil {
			return fmt.Errorf("write an outcome: %w", err)
		}
	}
}

// costOf reads a text in a new goroutine.
func costOf(text string, read func(string) error) (c cost, err error) {
	if err := coverage.ClearCounters(); err != nil {
		return c, fmt.Errorf("clear the counters: %w", err)
	}
	memory, seconds := allocated(), processor()
	done := make(chan error)
	go func() { done <- read(text) }()
	refused := errors.Is(<-done, token.ErrInvolved)
	c = cost{Bytes: len(text), Refused: refused, Seconds: processor() - seconds, Memory: allocated() - memory}
	c.Steps, err = steps()
	return c, err
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// processor is the time in seconds that the process has taken of processors.
func processor() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
