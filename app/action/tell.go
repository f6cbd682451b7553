package action

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
)

const (
	// mostAnnotations is how many of one level GitHub shows of a step.
	mostAnnotations = 10
	// largestSummary stays below the 1024 KiB from which on GitHub shows no summary of a step at all.
	largestSummary = 1_000_000
)

// tell gives the runner annotations, outputs, a summary and the report.
func (j *job) tell(r Result) error {
	var b strings.Builder
	b.WriteString("causal: " + plain.Data(r.Title) + "\n")
	for _, note := range r.Notes {
		b.WriteString(command("notice", property{"title", "causal"}) + plain.Data(note) + "\n")
	}
	for _, a := range bounded(r.annotations) {
		b.WriteString(annotate(a) + "\n")
	}
	if _, err := j.world.Out.Write([]byte(b.String())); err != nil {
		return fmt.Errorf("tell the runner: %w", err)
	}
	report, err := j.keep(r)
	if err != nil {
		return err
	}
	if err := add(j.summary, summaryOf(r)+"\n"); err != nil {
		return err
	}
	var outputs strings.Builder
	plain.Add(&outputs, "changed-count=%d\nstale-count=%d\ncommit-sha=%s\nreport-path=%s\n",
		len(r.Changed), len(r.Stale), r.Commit, report)
	return add(j.outputs, outputs.String())
}

// Fail tells the runner why a step failed.
func Fail(world World, problem error) {
	_, _ = fmt.Fprintln(world.Out, command("error", property{"title", "causal"})+plain.Data(problem.Error()))
}

// keep writes the report, in a directory of its own: a job may use the action more than once.
func (j *job) keep(r Result) (string, error) {
	for _, list := range []*[]string{&r.Stale, &r.Changed, &r.Notes} {
		if *list == nil {
			*list = []string{}
		}
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", fmt.Errorf("keep the report: %w", err)
	}
	dir, err := os.MkdirTemp(j.temp, "causal-report-")
	if err != nil {
		return "", fmt.Errorf("keep the report: %w", err)
	}
	name := filepath.Join(dir, "report.json")
	if err := os.WriteFile(name, append(data, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("keep the report: %w", err)
	}
	return name, nil
}

// add appends to a file that the runner reads after the step.
func add(name, text string) (err error) {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("tell the runner: %w", err)
	}
	_, err = f.WriteString(text)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("tell the runner: %w", err)
	}
	return nil
}

// summaryOf is what stands on the page of the run.
func summaryOf(r Result) string {
	parts := r.parts
	if len(parts) == 0 {
		parts = []string{heading(r)}
	}
	for _, note := range r.Notes {
		parts = append(parts, "> "+summary.Words(note))
	}
	return summary.Fit(parts, largestSummary)
}

func heading(r Result) string { return "### causal · " + r.Title }

// bounded keeps to what GitHub shows, and says how much more there is.
func bounded(list []github.Annotation) []github.Annotation {
	more := len(list) - mostAnnotations
	if more <= 0 {
		return list
	}
	rest := github.Annotation{Level: list[0].Level, Title: "causal", Message: fmt.Sprintf("and %d more: see the summary of this run", more+1)}
	return append(list[:mostAnnotations-1:mostAnnotations-1], rest)
}

// annotate is an annotation as the runner reads it.
func annotate(a github.Annotation) string {
	properties := []property{{"title", a.Title}}
	if a.Path != "" && a.Path == plain.Line(a.Path, plain.Longest) { // the runner would look for another file
		properties = append(properties, property{"file", a.Path}, property{"line", fmt.Sprint(max(a.Line, 1))})
	}
	return command(a.Level, properties...) + plain.Data(a.Message)
}

// property says more of a command.
type property struct{ name, value string }

// command begins a command to the runner.
func command(name string, properties ...property) string {
	var list []string
	for _, p := range properties {
		list = append(list, p.name+"="+plain.Property(p.value))
	}
	return "::" + name + " " + strings.Join(list, ",") + "::"
}
