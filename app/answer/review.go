package answer

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Review reviews the changes of the work tree since it left a commit or, by default, the default branch. The engine
// of the workspace cannot be used afterwards. absent lists the checks that did not run, with reasons.
func Review(ctx context.Context, w *workspace.Workspace, base string, getenv func(string) string) (r *report.Review, absent []string, err error) {
	head, err := w.Repo.Resolve(ctx, "HEAD")
	if err != nil {
		return nil, nil, fmt.Errorf("there is no change to review: %w", err)
	}
	change := workspace.Change{State: &life.State{}, Ran: map[string]bool{}, Vet: getenv, Without: func(string) bool { return false }}
	if change.Base, err = w.BaseOf(ctx, base, head); err != nil {
		return nil, nil, err
	}
	memory, err := w.Remember()
	if err != nil {
		return nil, nil, err
	}
	change.Given = review.NewGiven(nil, memory)
	if change.Tests, err = w.TestsOf(ctx, change.Base.ID); err != nil {
		return nil, nil, err
	}
	found, err := w.Review(ctx, change)
	if err != nil {
		return nil, nil, err
	}
	return w.ReportOf(change, found, nil), found.Absent, nil
}

// mostQuoted bounds the lines of code that a finding shows.
const mostQuoted = 6

// ReviewText formats a review for a terminal.
func ReviewText(r *report.Review) string {
	var b strings.Builder
	if len(r.Overview) > 0 {
		b.WriteString("summary of the change, written by a model:\n")
		for _, s := range r.Overview {
			plain.Add(&b, "    %s", s.Text)
			for _, c := range s.Cites {
				plain.Add(&b, "  %s", c.String())
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
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
		for _, d := range f.Affected() {
			plain.Add(&b, "    affects %s:%d\n", d.Path, d.Line)
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
	skipped(&b, r.NotAnalysed)
	for _, e := range r.Earlier {
		plain.Add(&b, "last time: %s in %s, %s: %s\n", e.Path, e.Key, e.Status, e.Message)
	}
	for _, slug := range r.Promoted {
		plain.Add(&b, "promoted to a principle: .causal/principles/%s.yml\n", slug)
	}
	if len(r.Coverage.Checks) > 0 {
		plain.Add(&b, "checks: %s\n", strings.Join(r.Coverage.Checks, ", "))
	}
	for _, f := range r.Coverage.Failed {
		plain.Add(&b, "%s\n", f.String())
	}
	plain.Add(&b, "%s\n", summary.Outcome(r))
	return b.String()
}

// mostNamed bounds the files that a line names.
const mostNamed = 3

// skipped lists the files that were not analysed, those with the same reason in one line.
func skipped(b *strings.Builder, list []finding.Skipped) {
	paths := map[string][]string{}
	for _, s := range list {
		paths[s.Reason] = append(paths[s.Reason], s.Path)
	}
	for _, s := range list {
		all := paths[s.Reason]
		switch more := len(all) - mostNamed; {
		case len(all) == 1:
			plain.Add(b, "not analysed: %s %s\n", s.Path, s.Reason)
		case s.Path != all[0]:
		case more > 0:
			plain.Add(b, "not analysed: %d files (%s): %s and %d more\n", len(all), s.Reason, strings.Join(all[:mostNamed], ", "), more)
		default:
			plain.Add(b, "not analysed: %d files (%s): %s\n", len(all), s.Reason, strings.Join(all, ", "))
		}
	}
}

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
