package main

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/causaldocs/causal/app/proof/reference"
)

// The minimum for repositories that are not marked as seen, as reached before. The goal is 0.95 and 0.98.
const (
	leastRecall    = 0.97
	leastPrecision = 0.99
)

// result is the comparison of one repository.
type result struct {
	list    list
	tallies map[reference.Kind]tally
	skipped string // the reason, if it was not compared
}

type report []result

// sum adds up the results of the selected repositories.
func (r report) sum(of func(list) bool) tally {
	var sum tally
	for _, kind := range kinds {
		sum.add(r.sumOf(kind, of))
	}
	return sum
}

func (r report) sumOf(kind reference.Kind, of func(list) bool) tally {
	var sum tally
	for _, x := range r {
		if of(x.list) {
			sum.add(x.tallies[kind])
		}
	}
	return sum
}

// print prints a line for each repository with found and listed names, and right and all rows, by kind.
func (r report) print(out io.Writer, names bool) {
	line := func(name string, cells func(reference.Kind) string) {
		_, _ = fmt.Fprintf(out, "%-34s", name)
		for _, kind := range kinds {
			_, _ = fmt.Fprintf(out, " %-18s", cells(kind))
		}
		_, _ = fmt.Fprintln(out)
	}
	line("found/listed right/rows", func(k reference.Kind) string { return string(k) })
	for _, x := range r {
		name := path.Base(x.list.Repository)
		if x.skipped != "" {
			_, _ = fmt.Fprintf(out, "%-34s skipped: %s\n", name, x.skipped)
			continue
		}
		line(name, func(kind reference.Kind) string {
			t, asked := x.tallies[kind]
			if !asked || t.listed+t.rows == 0 {
				return "-"
			}
			return counts(t)
		})
		if names {
			for _, kind := range kinds {
				printNames(out, "missing "+string(kind), x.tallies[kind].missing)
				printNames(out, "wrong "+string(kind), x.tallies[kind].wrong)
			}
		}
	}
	for _, group := range []struct {
		name string
		of   func(list) bool
	}{
		{"all that are seen", func(l list) bool { return l.Seen }},
		{"all others", func(l list) bool { return !l.Seen }},
		{"of them applications", func(l list) bool { return !l.Seen && l.Kind == "application" }},
	} {
		line(group.name, func(kind reference.Kind) string { return counts(r.sumOf(kind, group.of)) })
		sum := r.sum(group.of)
		_, _ = fmt.Fprintf(out, "%-34s %s: recall %.3f, precision %.3f\n", "", counts(sum), sum.recall(), sum.precision())
	}
}

func counts(t tally) string { return fmt.Sprintf("%d/%d %d/%d", t.found, t.listed, t.right, t.rows) }

func printNames(out io.Writer, what string, names []string) {
	if len(names) > 0 {
		_, _ = fmt.Fprintf(out, "    %s:\n      %s\n", what, strings.Join(names, "\n      "))
	}
}
