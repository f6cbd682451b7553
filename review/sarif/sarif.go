// Package sarif reads what linters found, as SARIF 2.1.0, whichever tool wrote it, and writes what a review found in the same form.
//
// A log is a stranger's text. It is read a value at a time, so that memory is in proportion to what is kept of it and not to its
// length; what is kept is bounded, and what was left out is told: a tool of which results are missing has not shown that anything
// is fixed.
package sarif

import (
	"fmt"
	"io"

	"github.com/causaldocs/causal/review/finding"
)

const (
	// LargestLog is how long a log may be. GitHub takes ten MB of one, compressed, which comes to about this; the worst text of that
	// length takes twenty seconds.
	LargestLog = 128 << 20
	// largestValue bounds one result, rule or text: with the paths that data takes, results of large programs have a tenth.
	largestValue = 4 << 20
	// mostRuns and mostRules are per log and per run. They are GitHub's.
	mostRuns  = 20
	mostRules = 25000
	// mostResults are kept of a log: four times what GitHub takes of a run, since only what is on changed lines is told.
	mostResults = 100000
	// mostArtifacts are kept of a run's list of files, for results that name theirs by its place in it.
	mostArtifacts = 100000
	// mostText is how many bytes of texts are kept of a log: a few hundred for each of the results.
	mostText = 64 << 20
	// longestMessage cuts a message, or another text: more than a screen is not read.
	longestMessage = 8 << 10
	// longestName cuts the name of a tool or rule: they stand in lists.
	longestName = 200
	// longestPath is the longest path that systems take.
	longestPath = 4096
	// mostListed is how much is looked at of a list within a result, such as its tags.
	mostListed = 64
)

// Log is what a file says of tools that looked. What causal itself had found is left out.
type Log struct {
	Runs []Run
}

// Run is one tool that looked.
type Run struct {
	Tool string // the name of its driver in lower case, with "-" for spaces
	// Unfinished says why what the tool did not report may be there all the same; empty when it looked at everything.
	Unfinished string
	// Results are in the order of the file, each once. Those that cannot count say why.
	Results []Result
	// More is how many results were not kept, for there are too many.
	More int
}

// Looked reports whether what the tool did not report is not there.
func (r Run) Looked() bool { return r.Unfinished == "" }

// Result is one result of a tool. Where Dropped says why it cannot count, the other fields hold what is known.
type Result struct {
	Rule     string // "<tool>/<rule>", without characters that are obeyed
	Category finding.Category
	Severity finding.Severity
	Path     string // from the repository's root, with forward slashes
	Outside  string // the absolute path if it is not below the root; Path is then empty, or relative to a base of another machine
	Region
	Message string // as the tool wrote it
	Dropped string
}

// Read reads a log. Errors tell the name, which is the file's, and the line. Paths are told relative to the root of the repository, by
// whichever of its absolute names the log knows it.
func Read(r io.Reader, name string, roots ...string) (*Log, error) {
	return read(r, name, roots, "causal")
}

// read leaves out the runs of one tool.
func read(r io.Reader, name string, roots []string, without string) (*Log, error) {
	doc := newDocument(r)
	l := &reader{doc: doc, roots: cleanRoots(roots), without: without, seen: map[Result]bool{}}
	if err := l.log(); err != nil {
		return nil, fmt.Errorf("%s:%w", name, doc.locate(err))
	}
	return &Log{Runs: l.runs}, nil
}

// reader reads one log.
type reader struct {
	doc     *document
	roots   []string
	without string
	version string
	runs    []Run
	met     int // runs, with those that are left out
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

// keep reports whether there is room for so many more bytes of text.
func (l *reader) keep(n int) bool {
	if l.text+n > mostText {
		return false
	}
	l.text += n
	return true
}
