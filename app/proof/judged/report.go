package main

import (
	"fmt"
	"io"
	"strings"
)

// report holds the drawn texts with their verdicts.
type report struct {
	sources []source
	texts   []drawn
}

// tally counts verdicts.
type tally struct{ all, right, useless, wrong int }

func (t *tally) add(v verdict) {
	t.all++
	switch v.Verdict {
	case right:
		t.right++
	case useless:
		t.useless++
	case wrong:
		t.wrong++
	}
}

func (t tally) open() int { return t.all - t.right - t.useless - t.wrong }

// holds reports whether all of it is judged, none wrong, and few useless.
func (t tally) holds() bool {
	return t.open() == 0 && t.wrong == 0 && float64(t.useless) <= mostUseless*float64(t.all)
}

func (r *report) tally(kind, repository string) tally {
	var t tally
	for _, d := range r.texts {
		if d.kind == kind && (repository == "" || d.repository == repository) {
			t.add(d.verdict)
		}
	}
	return t
}

func (r *report) holds() bool {
	return r.tally(purposeKind, "").holds() && r.tally(flowKind, "").holds()
}

// printTable writes a line for each repository and one for all.
func (r *report) printTable(out io.Writer) {
	_, _ = fmt.Fprintf(out, "%-28s %-10s %8s %9s   %-31s   %s\n", "", "", "", "", "purposes", "flows")
	_, _ = fmt.Fprintf(out, "%-28s %-10s %8s %9s   %5s %7s %5s %10s   %5s %7s %5s %10s\n", "repository", "language", "modules", "in words",
		"right", "useless", "wrong", "not judged", "right", "useless", "wrong", "not judged")
	modules, written := 0, 0
	for _, s := range r.sources {
		r.printLine(out, s.Name, s.Language, s.modules, s.written, s.Name)
		modules, written = modules+s.modules, written+s.written
	}
	r.printLine(out, "all", "", modules, written, "")
	_, _ = fmt.Fprintf(out, "of %d modules, %.1f %% have a purpose in an author's words\n", modules, 100*float64(written)/float64(max(modules, 1)))
}

func (r *report) printLine(out io.Writer, name, language string, modules, written int, of string) {
	p, f := r.tally(purposeKind, of), r.tally(flowKind, of)
	_, _ = fmt.Fprintf(out, "%-28s %-10s %8d %9d   %5d %7d %5d %10d   %5d %7d %5d %10d\n", name, language, modules, written,
		p.right, p.useless, p.wrong, p.open(), f.right, f.useless, f.wrong, f.open())
}

// printTexts writes each text with its verdict and where to look.
func (r *report) printTexts(out io.Writer) {
	for _, d := range r.texts {
		said := "not judged"
		if d.verdict.Verdict != "" {
			said = strings.TrimSuffix(d.verdict.Verdict+": "+d.verdict.Why, ": ")
		}
		_, _ = fmt.Fprintf(out, "%s %s %s\n    %s\n", d.kind, d.repository, d.module, said)
		if d.kind == purposeKind {
			_, _ = fmt.Fprintf(out, "    %s\n", d.text)
		}
		for _, p := range d.places {
			_, _ = fmt.Fprintf(out, "    %s\n", p)
		}
	}
}
