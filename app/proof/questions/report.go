package main

import (
	"fmt"
	"io"
	"strings"
)

// asked is a repository with the outcomes of its questions.
type asked struct {
	repository

	outcomes []outcome
}

// answered returns how many questions have an answer, and how many of these in a document that people wrote.
func (a asked) answered() (n, documents int) {
	for i, q := range a.Questions {
		if q.Needle != "" && a.outcomes[i].err == nil {
			n++
			if q.inDocument() {
				documents++
			}
		}
	}
	return n, documents
}

// report is all that was asked.
type report []asked

// share is the part of all questions that the pages answer.
func (r report) share() float64 {
	questions, answered, _ := r.sum()
	return float64(answered) / float64(max(questions, 1))
}

func (r report) sum() (questions, answered, documents int) {
	for _, a := range r {
		n, d := a.answered()
		questions, answered, documents = questions+len(a.Questions), answered+n, documents+d
	}
	return questions, answered, documents
}

// broken lists the recorded links and answers that are missing.
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

// print writes a table of the repositories, the share of answered questions, and the broken links.
func (r report) print(out io.Writer, clicks bool) {
	line := func(cells ...any) { _, _ = fmt.Fprintf(out, "%-26s %-11s %9v %9v %12v\n", cells...) }
	line("repository", "language", "questions", "answered", "in documents")
	for _, a := range r {
		answered, documents := a.answered()
		line(a.Name, a.Language, len(a.Questions), answered, documents)
		if clicks {
			a.printClicks(out)
		}
	}
	questions, answered, documents := r.sum()
	line("all", "", questions, answered, documents)
	_, _ = fmt.Fprintf(out, "%.1f %% answered\n", 100*r.share())
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
