package testrun

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// runs is how often each call is made, each time in a new process.
const runs = 3

// zones are the time zones of the runs. They reveal results that depend on the machine.
var zones = []string{"UTC", "Asia/Tokyo", "America/New_York"}

// mostEnded is how many calls of one function may end a process before its other calls are given up.
const mostEnded = 2

// crashed is the reason for a call without an outcome.
const crashed = "it ends the process, or the process was killed"

// anew reports whether the cases of a spec are chosen again: nothing was recorded for it, or a case no longer fits its target.
func (j *Job) anew() bool {
	recorded := false
	for i := range j.Spec.Cases {
		c := &j.Spec.Cases[i]
		if c.By == spec.Human || c.Quarantined != "" {
			continue
		}
		if j.Target.Fits(c) != nil {
			return true
		}
		recorded = recorded || c.Want != nil
	}
	return !recorded || j.Spec.Evidence.Runs == 0
}

// calls lists the cases to run and, if cases are chosen again, the candidates.
func calls(jobs []*Job) (list []*testgen.Call) {
	for _, j := range jobs {
		again, tried := j.anew(), map[string]bool{}
		for i := range j.Spec.Cases {
			if c := &j.Spec.Cases[i]; c.Quarantined == "" && len(c.Over) == 0 && (!again || c.By == spec.Human) {
				list = append(list, &testgen.Call{Candidate: testgen.Candidate{Args: c.Args, Raises: c.Raises}, Target: j.Target, ID: c.ID})
			}
		}
		if !again {
			continue
		}
		pool := slices.Clone(j.Target.Candidates)
		for i := range pool {
			tried[spec.ArgsYAML(&spec.Case{Args: pool[i].Args})] = true
		}
		for _, args := range j.proposed {
			if text := spec.ArgsYAML(&spec.Case{Args: args}); !tried[text] {
				tried[text] = true
				pool = append(pool, testgen.Candidate{Args: args, From: testgen.FromModel})
			}
		}
		for _, c := range pool {
			list = append(list, &testgen.Call{Candidate: c, Target: j.Target})
		}
	}
	return list
}

// ordered returns the calls of a run: those that had an outcome in every run before. Runs after the first shuffle them.
func ordered(list []*testgen.Call, run int) []*testgen.Call {
	list = slices.DeleteFunc(slices.Clone(list), func(c *testgen.Call) bool {
		return c.Fault != "" || len(c.Runs) != run || run > 0 && c.Runs[run-1].Info().Ended != ""
	})
	if run > 0 {
		shuffled := rand.New(rand.NewPCG(uint64(run), 1)) //nolint:gosec // an order, no secret
		shuffled.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// play makes calls in an order. After a call that ends its process, the next process continues. process makes calls in one
// process; it returns their outcomes by number, and why a call without one ended the process.
func play(order []*testgen.Call, fresh func() testgen.Run, process func(number int, order []*testgen.Call) (made map[int]testgen.Run, how string, err error)) error {
	ended := map[*testgen.Target]int{}
	for number := 0; len(order) > 0; number++ {
		made, how, err := process(number, order)
		if err != nil {
			return err
		}
		lost := fresh()
		*lost.Info() = testgen.RunInfo{Made: true, Ended: how}
		order = take(order, made, lost, ended)
	}
	return nil
}

// take adds outcomes to calls, and returns the calls that are left. If lost is set, the call after the last outcome ended the
// process, and lost is its outcome.
func take(order []*testgen.Call, made map[int]testgen.Run, lost testgen.Run, ended map[*testgen.Target]int) []*testgen.Call {
	last := ""
	for len(order) > 0 {
		c := order[0]
		r := made[c.Number]
		if r == nil && last == "" {
			r, lost = lost, nil
		}
		if r == nil {
			break
		}
		c.Runs, order = append(c.Runs, r), order[1:]
		if last = r.Info().Ended; last != "" {
			ended[c.Target]++
		}
	}
	return slices.DeleteFunc(slices.Clone(order), func(c *testgen.Call) bool { return ended[c.Target] >= mostEnded })
}

// outcomes reads what a recorder wrote, by the numbers of the calls.
func outcomes(file string, fresh func() testgen.Run) (map[int]testgen.Run, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[int]testgen.Run{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		one := struct {
			I int
			O testgen.Run
		}{O: fresh()}
		if json.Unmarshal(lines.Bytes(), &one) == nil && one.O != nil { // the last line may be cut
			out[one.I] = one.O
		}
	}
	return out, lines.Err()
}

// recorded returns the results of the calls of a spec. fuzzed reports whether tests can use random values.
func (j *Job) recorded(list []*testgen.Call, fuzzed bool) *testgen.Recorded {
	r := &testgen.Recorded{Now: j.Now, Runs: runs, Results: map[string]testgen.Result{}}
	var tried []*testgen.Call
	for _, c := range list {
		switch {
		case c.Target != j.Target:
		case c.ID != "":
			r.Results[c.ID] = c.Settle()
		case c.Fault == "" && len(c.Runs) > 0:
			if tried = append(tried, c); c.Want != nil { // a documented example is compared with the documentation
				r.Results[spec.ID(spec.Example, c.Args, nil)] = c.Settle()
			}
		}
	}
	if j.anew() {
		r.Chosen = j.Target.Choose(tried, fuzzed)
	}
	return r
}
