// Package sarif reads the results of linters in SARIF 2.1.0, and writes the findings of a review in the same format.
//
// A log is untrusted input. Its size and its lists are bounded, and so is the memory that it takes. Omissions are
// reported: a tool with missing results has not shown that anything is fixed.
package sarif

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/causaldocs/causal/review/finding"
)

const (
	// LargestLog is the size limit in bytes. GitHub accepts ten MB compressed, which is about this size.
	LargestLog = 64 << 20
	// mostRuns per log and mostRules per tool component are GitHub's limits.
	mostRuns  = 20
	mostRules = 25000
	// mostEntries limits a run's results and its list of files. It is four times GitHub's limit of results, because
	// only those on changed lines are reported.
	mostEntries = 100000
	// longestMessage limits a text to about a screen.
	longestMessage = 8 << 10
	// longestName limits the name of a tool or a rule.
	longestName = 200
	// longestPath is the usual limit of operating systems.
	longestPath = 4096
	mostListed  = 64
)

// Log is the content of a SARIF file, without causal's own runs.
type Log struct {
	Runs []Run
}

// Run is the run of one tool.
type Run struct {
	Tool string // driver name in lower case, with "-" for spaces
	// Unfinished is the reason why unreported problems may still exist. It is empty after a complete run.
	Unfinished string
	// Results are in file order without duplicates. Those that do not count have a reason.
	Results []Result
}

// Looked reports whether the run is complete.
func (r Run) Looked() bool { return r.Unfinished == "" }

// Result is one result of a tool. Dropped is the reason why it does not count. The other fields then hold the known
// data.
type Result struct {
	Rule     string // "<tool>/<rule>", without control characters
	Category finding.Category
	Severity finding.Severity
	Path     string // from the repository's root, with forward slashes
	Outside  string // the absolute path if it is not below the root; Path is then empty, or relative to a base of another machine
	Region
	Message string // as in the log
	Dropped string
}

// Read reads a log. Errors contain the file's name and the line. roots are the absolute paths of the repository's
// root that the log may use.
func Read(r io.Reader, name string, roots ...string) (*Log, error) {
	return read(r, name, roots, "causal")
}

func read(r io.Reader, name string, roots []string, without string) (*Log, error) {
	data, err := contents(r)
	if err == nil {
		l := &reader{roots: cleanRoots(roots), without: without, seen: map[Result]bool{}}
		if err = l.log(data); err == nil {
			return &Log{Runs: l.runs}, nil
		}
	}
	return nil, fmt.Errorf("%s:%w", name, locate(data, err))
}

type reader struct {
	roots   []string
	without string
	runs    []Run
	results int
	seen    map[Result]bool
}

func (l *reader) log(data []byte) error {
	var log struct {
		Version any                    `json:"version"`
		Runs    large[json.RawMessage] `json:"runs"`
	}
	if err := decode(data, &log); err != nil {
		return err
	}
	switch {
	case log.Version == nil:
		return errors.New("it has no version, so it is no SARIF log")
	case log.Version != "2.1.0":
		return fmt.Errorf("version %s is not read, only SARIF 2.1.0 is", clip(fmt.Sprint(log.Version), longestName))
	case len(log.Runs.list) > mostRuns:
		return fmt.Errorf("it has more than %d runs", mostRuns)
	}
	for _, data := range log.Runs.list { // one at a time, because a run takes many times the memory of its text
		r := &run{reader: l}
		if err := decode(data, &r.wire); err != nil {
			return err
		}
		if err := r.read(); err != nil {
			return err
		}
	}
	return nil
}
