package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/report"
)

// shown is the greatest number of printed problems of each kind.
const shown = 5

// outcome is the result of a replay.
type outcome struct {
	Repository string  `json:"repository"`
	From       string  `json:"from"`
	To         string  `json:"to"`
	Commits    int     `json:"commits"`  // updates, without the run that the walk began with
	Compared   int     `json:"compared"` // updates that were compared with a clean run
	Modules    int     `json:"modules"`  // at the end
	Rerun      int     `json:"rerun"`    // modules evaluated again, all updates together
	Updated    int     `json:"updated"`  // modules of which the node changed
	Red        int     `json:"red"`      // commits on which a check found something stale
	Missed     int     `json:"missed"`   // nodes that were not as in a clean run
	Pages      int     `json:"pages_differ"`
	Kept       int     `json:"kept"`         // modules not compared: a file does not parse, and the last good text is kept
	Blocked    int     `json:"blocked"`      // statements that an update left for a person to mend
	Code       int     `json:"code_lines"`   // lines added and removed by the commits
	Docs       int     `json:"docs_lines"`   // and of pages, by the updates
	Own        int     `json:"causal_lines"` // and under .causal
	Share      float64 `json:"causal_lines_per_code_line"`
	Median     float64 `json:"median_ms"`
	P90        float64 `json:"p90_ms"`
	Holds      bool    `json:"holds"`

	Differences []difference `json:"differences,omitempty"`
	// Idle are the commits on which a check was red although no page changed, Late those on which it was green and one did.
	Idle []commit `json:"idle,omitempty"`
	Late []commit `json:"late,omitempty"`

	Tokens *tokens `json:"tokens,omitempty"` // with -model

	times []time.Duration
}

// lines are the lines that a commit and its update added and removed.
type lines struct{ code, docs, own int }

// add counts an update.
func (o *outcome) add(r *report.Update, n lines) {
	o.Commits++
	o.Rerun += len(r.Rerun)
	o.Updated += len(r.Updated)
	o.Blocked += len(r.Blocked)
	o.Code, o.Docs, o.Own = o.Code+n.code, o.Docs+n.docs, o.Own+n.own
}

// judge compares the result of a check with the pages that the update changed.
func (o *outcome) judge(at commit, stale, docs int) {
	if stale > 0 {
		o.Red++
	}
	switch {
	case stale > 0 && docs == 0:
		o.Idle = append(o.Idle, at)
	case stale == 0 && docs > 0:
		o.Late = append(o.Late, at)
	}
}

// percentile is the smallest of sorted times that p of a hundred do not exceed.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*p+99)/100-1]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()/100) / 10 }

// text formats the outcome.
func (o *outcome) text() string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-16s "+format+"\n", append([]any{name}, args...)...)
	}
	row("repository", "%s", o.Repository)
	row("commits", "%d, %.10s to %.10s; %d of them compared with a clean run", o.Commits, o.From, o.To, o.Compared)
	row("modules", "%d at the end", o.Modules)
	row("evaluated again", "%d; %d changed", o.Rerun, o.Updated)
	row("check was red", "%d commits; %d without a changed page", o.Red, len(o.Idle))
	row("check was green", "%d commits; %d with a changed page", o.Commits-o.Red, len(o.Late))
	row("missed", "%d modules, %d pages", o.Missed, o.Pages)
	row("not compared", "%d modules with a file that does not parse", o.Kept)
	row("blocked", "%d", o.Blocked)
	row("lines", "%d of code, %d of pages, %d under .causal: %.2f a line of code", o.Code, o.Docs, o.Own, o.Share)
	row("update", "%.1f ms median, %.1f ms p90", o.Median, o.P90)
	for _, c := range o.Idle[:min(len(o.Idle), shown)] {
		fmt.Fprintf(&b, "\nred although no page changed: %s\n", c)
	}
	for _, c := range o.Late[:min(len(o.Late), shown)] {
		fmt.Fprintf(&b, "\ngreen although a page changed: %s\n", c)
	}
	for _, d := range o.Differences {
		fmt.Fprintf(&b, "\ndiffers from a clean run: %s at %s\n%s", d.File, d.Commit, d.Diff)
	}
	return b.String()
}
