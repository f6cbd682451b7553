package stale

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

const mostNamed = 3

// Untested describes the exported functions with a changed body or signature, if the change touches no test.
// Otherwise it returns false.
func Untested(r survey.Reader) (text string, found bool, err error) {
	var changed []string
	for f, err := range change.All(r) {
		if err != nil {
			return "", false, err
		}
		v, err := read(r, f)
		if err != nil {
			return "", false, err
		}
		if testPath(f.Path) || testPath(f.Was) || v.tests() {
			return "", false, nil
		}
		changed = append(changed, v.changed()...)
	}
	if len(changed) == 0 {
		return "", false, nil
	}
	slices.Sort(changed)
	changed = slices.Compact(changed)
	text = strings.Join(changed[:min(len(changed), mostNamed)], ", ")
	if more := len(changed) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("This change edits exported functions without a test: %s.", text), true, nil
}

var (
	testDir  = lazyregexp.New(`(^|/)(tests?|__tests__|specs?|e2e|testdata|testsuite|[^/]*[_-]tests?)/`)
	testFile = lazyregexp.New(`(^test_|^tests?\.|^conftest\.|[._-](tests?|spec)\.|Tests?\.[a-z]+$)`)
)

func testPath(file string) bool {
	return testDir.MatchString(file) || testFile.MatchString(path.Base(file))
}

// tests reports whether the file is a test file, or contains tests and has changes outside of the other declarations.
func (v versions) tests() bool {
	for _, u := range []*source.Unit{v.before, v.after} {
		if u != nil && (u.File.Test || len(u.File.Tests) > 0 && v.outside()) {
			return true
		}
	}
	return false
}

func (v versions) outside() bool {
	if v.after == nil {
		return true
	}
	lines := change.Split(v.After)
	within := make([]bool, len(lines)+2)
	for i := range v.after.File.Symbols {
		s := &v.after.File.Symbols[i]
		for line := s.Line; line <= min(s.End, len(lines)); line++ {
			within[line] = true
		}
	}
	for line := range lines {
		if !within[line+1] && v.Lines.Added(line+1, line+1) {
			return true
		}
	}
	return false
}

func (v versions) changed() []string {
	if v.before == nil || v.after == nil || v.after.File.Generated || v.after.File.Problem != "" || v.before.File.Problem != "" {
		return nil
	}
	was := map[string]*source.Symbol{}
	for i := range v.before.File.Symbols {
		was[v.before.File.Symbols[i].Name] = &v.before.File.Symbols[i]
	}
	old, now := change.Split(v.Before), change.Split(v.After)
	var out []string
	for i := range v.after.File.Symbols {
		s := &v.after.File.Symbols[i]
		before := was[s.Name]
		if before == nil || !s.Exported || s.Kind != source.Func && s.Kind != source.Method || before.Content == s.Content {
			continue
		}
		if before.Doc == s.Doc || code(v.before.File.Language, before, old) != code(v.after.File.Language, s, now) {
			out = append(out, inModule(v.after, s.Name))
		}
	}
	return out
}

// code returns the text of a declaration without documentation, comment lines and white space.
func code(language string, s *source.Symbol, lines []string) string {
	var doc region
	if source.TraitsOf(language).Docstrings {
		doc = docRegion(language, s, lines)
	}
	var b strings.Builder
	for line := s.Line; line <= min(s.End, len(lines)); line++ {
		if line >= doc.first && line <= doc.last || isComment(lines[line-1]) {
			continue
		}
		for word := range strings.FieldsSeq(lines[line-1]) {
			b.WriteString(word)
		}
	}
	return b.String()
}
