package principle

import (
	"maps"
	"slices"

	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/record"
)

// Force holds the active principles.
type Force struct {
	all       []*Principle
	byPattern map[string]string
	shaped    map[string][]*Principle // with a shape, by language
}

// InForce reads the active principles of a repository, given its records. It ignores unreadable files.
func InForce(records []*record.Record, files map[string][]byte) *Force {
	b, in := count(records), &Force{byPattern: map[string]string{}, shaped: map[string][]*Principle{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := SlugOf(name); !ok {
			continue
		}
		f, err := read(name, files[name])
		if err != nil || f.Status != Active {
			continue
		}
		in.all = append(in.all, &f.Principle)
		if pattern := b.patternOf(f); pattern != "" && in.byPattern[pattern] == "" {
			in.byPattern[pattern] = f.Slug
		}
		if c := f.Check; c != nil && c.Shape != "" {
			in.shaped[c.Language] = append(in.shaped[c.Language], &f.Principle)
		}
	}
	return in
}

// All lists the principles by slug.
func (in *Force) All() []*Principle { return in.all }

// Of returns the principle of a pattern.
func (in *Force) Of(pattern string) (slug string, ok bool) {
	slug, ok = in.byPattern[pattern]
	return slug, ok
}

// Violation is a line with the shape of a principle's pattern.
type Violation struct {
	Slug, Rule, Pattern string
	Severity            finding.Severity
	Line                int
}

// Violations lists the changed lines of a file that match a principle's shape. The original tool need not run.
func (in *Force) Violations(path string, lines []string, changed func(line int) bool) []Violation {
	var found []Violation
	shaped := in.shaped[match.Language(path)]
	if len(shaped) == 0 {
		return nil
	}
	for i, line := range lines {
		if !changed(i + 1) {
			continue
		}
		if at := slices.IndexFunc(shaped, func(p *Principle) bool { return match.HasShape(path, line, p.Check.Shape) }); at >= 0 {
			p := shaped[at]
			found = append(found, Violation{p.Slug, p.Rule, p.Check.Pattern, p.Check.Severity, i + 1})
		}
	}
	return found
}
