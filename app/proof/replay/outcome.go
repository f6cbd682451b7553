package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/report"
)

const (
	// most is how many modules may be run again for each that has to.
	most = 1.1
	// shown is how many of each kind of trouble are told in full.
	shown = 5
)

// outcome is what a replay found out.
type outcome struct {
	Repository string  `json:"repository"`
	From       string  `json:"from"`
	To         string  `json:"to"`
	Commits    int     `json:"commits"`  // updates, without the run that the walk began with
	Compared   int     `json:"compared"` // of them, those after which everything was held to a clean run
	Modules    int     `json:"modules"`  // at the end
	Rerun      int     `json:"rerun"`    // modules run again, all updates together
	Minimum    int     `json:"minimum"`  // modules with a recorded input that differs
	Ratio      float64 `json:"ratio"`
	Changed    int     `json:"changed"` // modules of which something else can be read than before
	Missed     int     `json:"missed"`  // modules that were not as in a clean run, or left out although an input differs
	Pages      int     `json:"pages_differ"`
	Kept       int     `json:"kept"`    // modules not compared: a file does not parse, and the last good text is kept
	Blocked    int     `json:"blocked"` // statements that an update left for a person to mend
	FilesRead  int     `json:"files_read"`
	Churn      int     `json:"docs_lines"` // lines of pages added and removed
	Median     float64 `json:"median_ms"`
	P90        float64 `json:"p90_ms"`
	Holds      bool    `json:"holds"`

	Differences []difference `json:"differences,omitempty"`
	Needless    []needless   `json:"needless,omitempty"`
	Left        []left       `json:"left_out,omitempty"`

	times []time.Duration
}

// needless is a module that was run again although none of its recorded inputs differs.
type needless struct {
	Commit  commit `json:"commit"`
	Module  string `json:"module"`
	Because string `json:"because"`
}

// left is a module that was not run again although a recorded input differs.
type left struct {
	Commit commit `json:"commit"`
	Module string `json:"module"`
}

// add counts what an update did.
func (o *outcome) add(r *report.Update, lines int) {
	o.Commits++
	o.Rerun += len(r.Rerun)
	o.Blocked += len(r.Blocked)
	o.FilesRead += r.FilesRead
	o.Churn += lines
}

// ratio is one when nothing had to be done and nothing was.
func ratio(rerun, minimum int) float64 {
	if rerun == minimum {
		return 1
	}
	return float64(rerun) / float64(max(minimum, 1))
}

// percentile is the smallest of sorted times that p of a hundred do not exceed.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*p+99)/100-1]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()/100) / 10 }

// text is the outcome for people.
func (o *outcome) text() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-16s "+format+"\n", append([]any{name}, args...)...)
	}
	row("repository", "%s", o.Repository)
	row("commits", "%d, %.10s to %.10s; %d of them compared with a clean run", o.Commits, o.From, o.To, o.Compared)
	row("modules", "%d at the end", o.Modules)
	row("run again", "%d; %d had an input that differs; ratio %.2f", o.Rerun, o.Minimum, o.Ratio)
	row("content changed", "%d", o.Changed)
	row("missed", "%d modules, %d pages", o.Missed, o.Pages)
	row("not compared", "%d modules whose last good text is kept", o.Kept)
	row("left to people", "%d", o.Blocked)
	row("files read", "%d", o.FilesRead)
	row("docs lines", "%d added or removed", o.Churn)
	row("update", "%.1f ms median, %.1f ms at most in nine of ten", o.Median, o.P90)
	for _, n := range o.Needless[:min(len(o.Needless), shown)] {
		fmt.Fprintf(&b, "\nneedless: %s at %s\n  %s\n", n.Module, n.Commit, n.Because)
	}
	for _, l := range o.Left[:min(len(o.Left), shown)] {
		fmt.Fprintf(&b, "\nleft out: %s at %s\n", l.Module, l.Commit)
	}
	for _, d := range o.Differences {
		fmt.Fprintf(&b, "\nnot as in a clean run: %s at %s\n%s", d.File, d.Commit, d.Diff)
	}
	return b.String()
}
