package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/sarif"
)

// formats are the ways in which a review is told.
var formats = map[string]func(world IO, root string, r *report.Review) error{
	"text": func(world IO, _ string, r *report.Review) error { return printReview(world.Out, r) },
	"json": func(world IO, _ string, r *report.Review) error { return world.answer(true, r, nil) },
	"sarif": func(world IO, _ string, r *report.Review) error {
		var b bytes.Buffer
		if err := sarif.Write(&b, r.Plain(), r.NotAnalysed); err != nil {
			return err
		}
		_, err := world.Out.Write(plain.JSON(b.Bytes()))
		return err
	},
	"github": func(world IO, _ string, r *report.Review) error { return annotateReview(world.runner, r) },
}

// mostQuoted is how many lines of code are shown of a finding.
const mostQuoted = 6

// printReview tells people what was found: each finding with the code that it is about.
func printReview(w io.Writer, r *report.Review) error {
	var b strings.Builder
	for _, f := range r.Findings {
		plain.Add(&b, "%s:%d  %s  %s", f.Path, f.Line, f.Severity, f.Rule)
		if f.Symbol != "" {
			plain.Add(&b, "  %s", f.Symbol)
		}
		if f.State != "new" {
			plain.Add(&b, "  (%s)", f.State)
		}
		b.WriteString("\n")
		quoteCode(&b, f)
		plain.Add(&b, "    %s\n", f.Message)
		for _, d := range f.Dependants {
			plain.Add(&b, "    hits %s:%d\n", d.Path, d.Line)
		}
		if f.Principle != nil {
			plain.Add(&b, "    a principle of this repository: %s\n", *f.Principle)
		}
		plain.Add(&b, "    %s\n\n", f.ID)
	}
	for _, list := range []struct {
		what    string
		entries []report.Past
	}{{"fixed", r.Fixed}, {"carried", r.Carried}, {"outdated", r.Outdated}, {"dismissed", r.Dismissed}} {
		for _, p := range list.entries {
			plain.Add(&b, "%-9s  %s:%d  %s  %s", list.what, p.Path, p.Line, p.Rule, p.ID)
			if why := cmp.Or(p.Why, p.Reason); why != "" {
				plain.Add(&b, "  %s", why)
			}
			b.WriteString("\n")
		}
	}
	for _, s := range r.Summary {
		plain.Add(&b, "%s: %s\n", s.Rule, s.Text)
	}
	for _, s := range r.NotAnalysed {
		plain.Add(&b, "not analysed: %s %s\n", s.Path, s.Reason)
	}
	for _, e := range r.Earlier {
		plain.Add(&b, "last time: %s in %s, %s: %s\n", e.Path, e.Key, e.Status, e.Message)
	}
	for _, slug := range r.Promoted {
		plain.Add(&b, "a principle now: .causal/principles/%s.yml\n", slug)
	}
	b.WriteString(countReview(r) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteCode shows the lines that a finding is about.
func quoteCode(b *strings.Builder, f report.Finding) {
	if f.Quote == "" {
		return
	}
	lines := strings.Split(f.Quote, "\n")
	sign := ""
	if f.Side == finding.Left {
		sign = "-"
	}
	for i, line := range lines[:min(len(lines), mostQuoted)] {
		plain.Add(b, "%8s | %s\n", sign+fmt.Sprint(f.Line+i), line)
	}
	if more := len(lines) - mostQuoted; more > 0 {
		plain.Add(b, "         | and %s\n", summary.Count(more, "more line"))
	}
}

func countReview(r *report.Review) string {
	text := "nothing is wrong with the change"
	if n := len(r.Findings); n > 0 {
		text = summary.Count(n, "finding")
	}
	for _, c := range []struct {
		n    int
		what string
	}{{len(r.Fixed), "fixed"}, {len(r.Carried), "not looked at again"}, {len(r.Outdated), "outdated"}, {len(r.Dismissed), "dismissed"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	if n := len(r.Dropped); n > 0 {
		text += fmt.Sprintf("; %d not told", n)
	}
	return text
}

// runnerLevels are how a runner of GitHub Actions calls severities.
var runnerLevels = map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Note: "notice"}

// annotateReview tells a runner of GitHub Actions. It goes to the output as it is: commands are meant to be obeyed.
func annotateReview(w io.Writer, r *report.Review) error {
	var b strings.Builder
	for _, f := range r.Findings {
		where := "file=" + plain.File(f.Path)
		if f.Side == finding.Right {
			where += fmt.Sprintf(",line=%d,endLine=%d", f.Line, f.EndLine)
		}
		b.WriteString("::" + runnerLevels[f.Severity] + " " + where + ",title=" + plain.Property(f.Rule) + "::" + plain.Data(f.Message) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
