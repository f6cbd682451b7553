package main

import (
	"fmt"
	"io"
	"strings"
)

// asked is a repository with what became of its questions.
type asked struct {
	repository

	outcomes []outcome
}

// answered returns how many questions had an answer before, and have one now.
func (a asked) answered() (before, now int) {
	for i, q := range a.Questions {
		if q.Before {
			before++
		}
		if q.Needle != "" && a.outcomes[i].err == nil {
			now++
		}
	}
	return before, now
}

// report is all that was asked.
type report []asked

// share is the part of all questions that the pages answer.
func (r report) share() float64 {
	questions, _, now := r.sum()
	return part(now, questions)
}

func (r report) sum() (questions, before, now int) {
	for _, a := range r {
		b, n := a.answered()
		questions, before, now = questions+len(a.Questions), before+b, now+n
	}
	return questions, before, now
}

func part(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// broken tells which recorded links and answers are not there any more.
func (r report) broken() []string {
	var out []string
	for _, a := range r {
		for i, o := range a.outcomes {
			if o.err != nil {
				out = append(out, fmt.Sprintf("%s: %s: %v", a.Name, a.Questions[i].Text, o.err))
			}
		}
	}
	return out
}

// print writes a line for each repository, what is broken, and the share of all.
func (r report) print(out io.Writer, clicks bool) {
	line := func(name, language string, questions, before, now int) {
		_, _ = fmt.Fprintf(out, "%-26s %-11s %9d %7d %4d\n", name, language, questions, before, now)
	}
	_, _ = fmt.Fprintf(out, "%-26s %-11s %9s %7s %4s\n", "repository", "language", "questions", "before", "now")
	for _, a := range r {
		before, now := a.answered()
		line(a.Name, a.Language, len(a.Questions), before, now)
		if clicks {
			a.printClicks(out)
		}
	}
	questions, before, now := r.sum()
	line("all", "", questions, before, now)
	_, _ = fmt.Fprintf(out, "%.1f %% before, %.1f %% now\n", 100*part(before, questions), 100*part(now, questions))
	for _, b := range r.broken() {
		_, _ = fmt.Fprintln(out, b)
	}
}

// printClicks writes each question with the links that lead to its answer.
func (a asked) printClicks(out io.Writer) {
	for i, q := range a.Questions {
		how := "not answered"
		if q.Needle != "" {
			how = strings.Join(append([]string{"entry page"}, a.outcomes[i].clicks...), " > ") + ": " + spaced(q.Needle)
		}
		_, _ = fmt.Fprintf(out, "    %s\n        %s\n", q.Text, how)
	}
}
