package workspace

import (
	"errors"
	"fmt"
	"os"

	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/sarif"
)

// Logs are the results of linters: by path, without a path, and which tools ran.
type Logs struct {
	Faults  map[string][]sarif.Result
	Outside []sarif.Result // results with paths outside of the root: another machine may have written them
	Nowhere []review.Dropped
	Ran     map[string]bool // as life.Run has it
	Failed  []review.Failure
}

// NewLogs returns empty logs.
func NewLogs() *Logs { return &Logs{Faults: map[string][]sarif.Result{}, Ran: map[string]bool{}} }

// Add reads a file. name is used in messages, and roots are prefixes that its paths may have.
func (l *Logs) Add(file, name string, roots ...string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, errors.Unwrap(err))
	}
	defer func() { _ = f.Close() }()
	log, err := sarif.Read(f, name, roots...)
	if err != nil {
		return err
	}
	for _, run := range log.Runs {
		if was, known := l.Ran[run.Tool]; !known || was {
			l.Ran[run.Tool] = run.Looked()
		}
		if !run.Looked() {
			l.Failed = append(l.Failed, review.Failure{Check: run.Tool, Reason: run.Unfinished})
		}
		for _, r := range run.Results {
			switch {
			case r.Path == "" && r.Outside != "":
				l.Outside = append(l.Outside, r)
				continue
			case r.Path == "":
				l.Nowhere = append(l.Nowhere, review.Dropped{Rule: r.Rule, Line: r.Line, Reason: r.Dropped})
				continue
			}
			l.Faults[r.Path] = append(l.Faults[r.Path], r)
		}
	}
	return nil
}
