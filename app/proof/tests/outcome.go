package main

import (
	"fmt"
	"strings"
	"time"
)

// outcome is the result of a replay.
type outcome struct {
	repository  string
	first, last string
	commits     int
	specs       int // at the end
	invalidated int
	same        int // active again after a run, without a change
	accepted    int // specifications with changes that were taken
	signatures  int // that changed while there was a specification

	changes          []string // of behaviour
	missedSignatures []string
	missedBodies     []string
	needless         []string
	unbuilt          []string // generated tests
	failing          []string // generated tests that fail without being reported
	refused          []string // commits at which nothing could be run again
	others           int      // runs that did not build because of other tests
	update, took     time.Duration
}

func (o *outcome) holds() bool {
	return len(o.missedSignatures)+len(o.missedBodies)+len(o.unbuilt)+len(o.failing) == 0
}

// told is the greatest number of printed problems of each kind.
const told = 10

// text is the outcome in Markdown.
func (o *outcome) text() string {
	var b strings.Builder
	b.WriteString("| History | Commits | Specs at the end | Invalidated | Regenerated, same results | With a change, accepted | Behaviour changes | Signatures changed | Missed | Bodies missed | Needless | Tests that do not build | Tests that fail untold | An update | All |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	fmt.Fprintf(&b, "| %s `%.10s` to `%.10s` | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %.1f s | %s |\n", o.repository, o.first, o.last, o.commits, o.specs,
		o.invalidated, o.same, o.accepted, len(o.changes), o.signatures, len(o.missedSignatures), len(o.missedBodies), len(o.needless), len(o.unbuilt), len(o.failing),
		o.update.Seconds()/float64(o.commits+1), seconds(o.took))
	if o.others > 0 {
		fmt.Fprintf(&b, "\n%d runs did not build because of code that is not generated.\n", o.others)
	}
	for _, list := range []struct {
		what string
		all  []string
	}{
		{"behaviour changes", o.changes}, {"missed signatures", o.missedSignatures}, {"missed bodies", o.missedBodies}, {"needless", o.needless},
		{"do not build", o.unbuilt}, {"fail untold", o.failing}, {"not run again", o.refused},
	} {
		if len(list.all) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n", list.what)
		for i, line := range list.all {
			if i == told {
				fmt.Fprintf(&b, "- and %d more\n", len(list.all)-told)
				break
			}
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}
