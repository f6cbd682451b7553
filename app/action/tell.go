package action

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/review/sarif"
)

const (
	// mostAnnotations is GitHub's display limit for a step, per level.
	mostAnnotations = 10
	// largestSummary is below 1024 KiB, beyond which GitHub drops a step's summary.
	largestSummary = 1_000_000
)

func (j *job) tell(r Result) error {
	var b strings.Builder
	b.WriteString("causal: " + plain.Data(r.Title) + "\n")
	if r.Review != nil {
		b.WriteString("causal: " + reviewTitle(r.Review) + "\n")
	}
	for _, note := range r.Notes {
		b.WriteString(command("notice", property{"title", "causal"}) + plain.Data(note) + "\n")
	}
	for _, a := range bounded(r.annotations) {
		b.WriteString(annotate(a) + "\n")
	}
	if _, err := j.world.Out.Write([]byte(b.String())); err != nil {
		return fmt.Errorf("tell the runner: %w", err)
	}
	report, log, err := j.keep(r)
	if err != nil {
		return err
	}
	if err := add(j.summary, summaryOf(r)+"\n"); err != nil {
		return err
	}
	var outputs strings.Builder
	findings := 0
	if r.Review != nil {
		findings = len(r.Review.Findings)
	}
	plain.Add(&outputs, "changed-count=%d\nstale-count=%d\ncommit-sha=%s\nreport-path=%s\nfinding-count=%d\nsarif-file=%s\n",
		len(r.Changed), len(r.Stale), r.Commit, report, findings, log)
	return add(j.outputs, outputs.String())
}

// Fail reports to the runner why a step failed.
func Fail(world World, problem error) {
	_, _ = fmt.Fprintln(world.Out, command("error", property{"title", "causal"})+plain.Data(problem.Error()))
}

// keep writes the report, and the review's log if any, to a new directory, since a job may use the action several
// times.
func (j *job) keep(r Result) (report, log string, err error) {
	for _, list := range []*[]string{&r.Stale, &r.Changed, &r.Notes} {
		if *list == nil {
			*list = []string{}
		}
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", "", fmt.Errorf("keep the report: %w", err)
	}
	dir, err := os.MkdirTemp(j.temp, "causal-report-")
	if err != nil {
		return "", "", fmt.Errorf("keep the report: %w", err)
	}
	report = filepath.Join(dir, "report.json")
	if err := os.WriteFile(report, append(data, '\n'), 0o644); err != nil {
		return "", "", fmt.Errorf("keep the report: %w", err)
	}
	if r.Review == nil {
		return report, "", nil
	}
	var b bytes.Buffer
	log = filepath.Join(dir, "causal.sarif")
	if err = sarif.Write(&b, r.Review.Plain(), r.Review.NotAnalysed, r.Review.Failures()...); err == nil {
		err = os.WriteFile(log, plain.JSON(b.Bytes()), 0o644)
	}
	if err != nil {
		return "", "", fmt.Errorf("keep the log of the review: %w", err)
	}
	return report, log, nil
}

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

// bounded cuts the annotations to GitHub's limit per level and notes how many are missing.
func bounded(list []github.Annotation) (shown []github.Annotation) {
	of, at := map[string]int{}, map[string]int{}
	for _, a := range list {
		of[a.Level]++
	}
	for _, a := range list {
		at[a.Level]++
		switch n := at[a.Level]; {
		case of[a.Level] <= mostAnnotations || n < mostAnnotations:
			shown = append(shown, a)
		case n == mostAnnotations:
			more := of[a.Level] - mostAnnotations + 1
			shown = append(shown, github.Annotation{Level: a.Level, Title: "causal", Message: fmt.Sprintf("and %d more: see the summary of this run", more)})
		}
	}
	return shown
}

// annotate formats an annotation as a runner command. Without a line it applies to the file.
func annotate(a github.Annotation) string {
	properties := []property{{"title", a.Title}}
	if a.Path != "" && a.Path == plain.Line(a.Path, plain.Longest) { // the runner would look for another file
		properties = append(properties, property{"file", a.Path})
		if a.Line > 0 {
			properties = append(properties, property{"line", fmt.Sprint(a.Line)})
		}
		if a.EndLine > a.Line {
			properties = append(properties, property{"endLine", fmt.Sprint(a.EndLine)})
		}
	}
	level := a.Level
	if level == "failure" { // workflow commands use another word than check runs
		level = "error"
	}
	return command(level, properties...) + plain.Data(a.Message)
}

type property struct{ name, value string }

func command(name string, properties ...property) string {
	var list []string
	for _, p := range properties {
		list = append(list, p.name+"="+plain.Property(p.value))
	}
	return "::" + name + " " + strings.Join(list, ",") + "::"
}
