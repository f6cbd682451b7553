// Package sarif reads the results of linters in SARIF 2.1.0, and writes the findings of a review in the same format.
//
// A log is untrusted input. It is read value by value, so memory is proportional to the kept data, which is bounded.
// Omissions are reported: a tool with missing results has not shown that anything is fixed.
package sarif

import (
	"fmt"
	"io"

	"github.com/causaldocs/causal/review/finding"
)

const (
	// LargestLog is the size limit in bytes. GitHub accepts ten MB compressed, which is about this size. The worst
	// input takes twenty seconds.
	LargestLog = 128 << 20
	// largestValue limits one result, rule or text. Results of large programs have a tenth of it.
	largestValue = 4 << 20
	// mostRuns per log and mostRules per run are GitHub's limits.
	mostRuns  = 20
	mostRules = 25000
	// mostResults per log is four times GitHub's limit per run, because only results on changed lines are reported.
	mostResults = 100000
	// mostArtifacts limits a run's list of files, which results refer to by index.
	mostArtifacts = 100000
	// mostText limits the bytes of text per log: a few hundred for each result.
	mostText = 64 << 20
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
	// More counts the results over the limit.
	More int
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
	doc := newDocument(r)
	l := &reader{doc: doc, roots: cleanRoots(roots), without: without, seen: map[Result]bool{}}
	if err := l.log(); err != nil {
		return nil, fmt.Errorf("%s:%w", name, doc.locate(err))
	}
	return &Log{Runs: l.runs}, nil
}

type reader struct {
	doc     *document
	roots   []string
	without string
	version string
	runs    []Run
	met     int // runs, including omitted ones
	results int
	text    int
	seen    map[Result]bool
}

func (l *reader) log() error {
	if err := l.doc.begin(); err != nil {
		return err
	}
	err := l.doc.object("the log", func(key string) error {
		switch key {
		case "version":
			return l.readVersion()
		case "runs":
			return l.doc.array("runs", l.run)
		}
		return l.doc.skip()
	})
	if err != nil {
		return err
	}
	if l.version == "" {
		return fmt.Errorf("it has no version, so it is no SARIF log")
	}
	return l.doc.end()
}

func (l *reader) readVersion() error {
	var v any
	if _, err := l.doc.value(&v); err != nil {
		return err
	}
	if v != "2.1.0" {
		return fmt.Errorf("version %s is not read, only SARIF 2.1.0 is", clip(fmt.Sprint(v), longestName))
	}
	l.version = "2.1.0"
	return nil
}

func (l *reader) keep(n int) bool {
	if l.text+n > mostText {
		return false
	}
	l.text += n
	return true
}
