package review

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/api"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/sarif"
	"github.com/causaldocs/causal/review/stale"
)

var concluders = map[string]func(p *Plugin, in engine.Input) (*Conclusion, error){
	fileKind: func(_ *Plugin, in engine.Input) (*Conclusion, error) { return concludeFile(in) },
	moduleKind: func(p *Plugin, in engine.Input) (*Conclusion, error) {
		found, skipped, err := api.Breaks(in.Reader, in.Unit.Subject, &p.parsed)
		return &Conclusion{Findings: found, Skipped: skipped}, err
	},
	nameKind: func(_ *Plugin, in engine.Input) (*Conclusion, error) {
		names, err := stale.Removed(in.Reader)
		return &Conclusion{Names: names}, err
	},
	summaryKind: func(_ *Plugin, in engine.Input) (*Conclusion, error) {
		text, found, err := stale.Untested(in.Reader)
		if err != nil || !found {
			return &Conclusion{}, err
		}
		return &Conclusion{Omitted: []Omission{{Rule: stale.UntestedRule, Text: text}}}, nil
	},
}

func concludeFile(in engine.Input) (*Conclusion, error) {
	f, err := change.FileOf(in.Reader, in.Unit.Subject)
	if err != nil {
		return nil, err
	}
	c := &Conclusion{}
	if f != nil && f.Unread != "" {
		c.Skipped = append(c.Skipped, finding.Skipped{Path: f.Path, Reason: f.Unread})
	}
	checks := []func(engine.Reader, string, *change.File, *Conclusion) error{faults, breaks, comments, references, claims}
	if !utf8.ValidString(in.Unit.Subject) { // linter results for it are dropped, and no finding can name the path
		checks = checks[:1]
	}
	for _, check := range checks {
		if err := check(in.Reader, in.Unit.Subject, f, c); err != nil {
			return nil, err
		}
	}
	if f != nil {
		if err := c.cover(in, f); err != nil {
			return nil, err
		}
	}
	return c, c.complete(in.Reader, in.Unit.Subject, f)
}

// faults adds the linter results on lines that the change added or edited.
func faults(r engine.Reader, name string, f *change.File, c *Conclusion) error {
	said, err := survey.Ask[[]sarif.Result](r, fact.New(faultFacts, name))
	var lines []string
	if f != nil {
		lines = change.Split(f.After)
	}
	for _, s := range said {
		if reason := cmp.Or(s.Dropped, missed(s, f)); reason != "" {
			c.Dropped = append(c.Dropped, Dropped{Rule: s.Rule, Path: name, Line: s.Line, Reason: reason})
			continue
		}
		last := min(s.EndLine, len(lines))
		c.Findings = append(c.Findings, finding.Finding{
			Rule: s.Rule, Category: s.Category, Severity: s.Severity, Path: name, Line: s.Line, EndLine: last, Side: finding.Right, Flagged: s.Text(lines),
			Message: s.Message,
		})
	}
	return err
}

func missed(s sarif.Result, f *change.File) string {
	switch {
	case f == nil:
		return "not on a changed line: the change does not touch the file"
	case f.Gone:
		return "the change removes the file"
	case f.Unread != "":
		return "the file " + f.Unread
	case s.Line > f.Lines.Count():
		return fmt.Sprintf("the file has %d lines", f.Lines.Count())
	case !f.Lines.Added(s.Line, s.EndLine) && s.Rule != ModelRule:
		return "not on a changed line"
	}
	return ""
}

func breaks(r engine.Reader, name string, f *change.File, c *Conclusion) error {
	if f == nil {
		return nil
	}
	modules := []string{path.Dir(f.Path)}
	if f.Was != "" {
		modules = append(modules, path.Dir(f.Was))
	}
	for _, m := range slices.Compact(modules) {
		broken, err := conclusion(r, moduleKind, m, func(c *Conclusion) *Conclusion { return c })
		if err != nil || broken == nil {
			return err
		}
		for _, b := range broken.Findings {
			if b.Path == f.Path || b.Side == finding.Left && b.Path == f.Was {
				c.Findings = append(c.Findings, b)
			}
		}
		for _, s := range broken.Skipped {
			if s.Path == f.Path {
				c.Skipped = append(c.Skipped, s)
			}
		}
	}
	return nil
}

func comments(r engine.Reader, name string, f *change.File, c *Conclusion) error {
	if f == nil || f.Gone || f.Unread != "" {
		return nil
	}
	found, skipped, err := stale.Comments(r, name)
	c.Findings, c.Skipped = append(c.Findings, found...), append(c.Skipped, skipped...)
	return err
}

func references(r engine.Reader, name string, f *change.File, c *Conclusion) error {
	names, err := removedNames(r)
	if err != nil || len(names) == 0 || f != nil && f.Gone {
		return err
	}
	documents, err := stale.Documents(r, names)
	if err != nil || !slices.Contains(documents, name) {
		return err
	}
	found, err := stale.References(r, name, names)
	c.Findings = append(c.Findings, found...)
	return err
}

// complete sets the identity of each finding, links it to the memory, and adds violations of principles.
func (c *Conclusion) complete(r engine.Reader, name string, f *change.File) error {
	now, was, err := versions(r, name, f)
	if err != nil {
		return err
	}
	given, err := remembered(r)
	if err != nil {
		return err
	}
	for i := range c.Findings {
		if err := given.fill(&c.Findings[i], now, was); err != nil {
			return err
		}
	}
	for _, v := range violations(given.force, f, c.Findings) {
		if err := given.fill(&v, now, was); err != nil {
			return err
		}
		c.Findings = append(c.Findings, v)
	}
	c.once()
	return nil
}

// fill sets a finding's identity, its principle and a note about an earlier fix.
func (g *Given) fill(f *finding.Finding, now, was *match.Text) error {
	f.Condition = cmp.Or(f.Condition, modified(f.Path))
	if _, err := vocabulary.Parse(f.Condition); err != nil {
		return fmt.Errorf("%s in %s: invalid condition: %w", f.Rule, f.Path, err)
	}
	if s := f.Suggestion; s != nil && !utf8.ValidString(s.Replacement) { // JSON and Markdown would alter it
		f.Suggestion = nil
	}
	pattern := f.Pattern // a principle's violation keeps the pattern of the tool that found it first
	if f.Side == finding.Left {
		was.Fill(f)
	} else {
		now.Fill(f)
	}
	f.Pattern = cmp.Or(pattern, f.Pattern)
	if slug, ok := g.force.Of(f.Pattern); ok && f.Principle == nil {
		f.Principle = &slug
	}
	if key, ok := g.fixed.Key(*f); ok {
		if !strings.ContainsAny(f.Message[max(0, len(f.Message)-1):], ".!?") {
			f.Message += "."
		}
		f.Message += fmt.Sprintf(" This was fixed in %s before.", key)
	}
	return nil
}

func versions(r engine.Reader, name string, f *change.File) (now, was *match.Text, err error) {
	if f != nil {
		blob := f.Blob
		if f.Gone {
			blob = ""
		}
		return match.NewText(name, change.Split(f.After), blob), match.NewText(cmp.Or(f.Was, name), change.Split(f.Before), ""), nil
	}
	text, err := survey.Blob(r, name)
	return match.NewText(name, change.Split(text), ""), match.NewText(name, nil, ""), err
}

// violations finds lines that match a principle's pattern and have no more specific finding of that principle.
func violations(force *principle.Force, f *change.File, told []finding.Finding) (found []finding.Finding) {
	if f == nil {
		return nil
	}
	for _, v := range force.Violations(f.Path, change.Split(f.After), func(line int) bool { return f.Lines.Added(line, line) }) {
		if slices.ContainsFunc(told, func(one finding.Finding) bool {
			return one.Principle != nil && *one.Principle == v.Slug && one.Line <= v.Line && v.Line <= one.EndLine
		}) {
			continue
		}
		found = append(found, finding.Finding{
			Rule: "principle/" + v.Slug, Category: finding.Maintainability, Severity: v.Severity, Path: f.Path, Line: v.Line, EndLine: v.Line,
			Side: finding.Right, Message: v.Rule, Pattern: v.Pattern, Principle: &v.Slug,
		})
	}
	return found
}

func (c *Conclusion) once() {
	slices.SortFunc(c.Findings, finding.Compare)
	c.Findings = slices.CompactFunc(c.Findings, func(a, b finding.Finding) bool {
		return finding.Compare(a, b) == 0 && a.EndLine == b.EndLine && a.Side == b.Side && a.Message == b.Message && a.Anchor == b.Anchor
	})
}

func modified(path string) string {
	g, err := condition.PathGlob(path)
	if err != nil {
		return "evidence_changed()"
	}
	return vocabulary.Call("modified", g.String()).String()
}
