// Package stale finds text that a change made outdated: documents with removed names, comments with old names of
// declarations or parameters, and changed functions without a changed test.
package stale

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
)

// Rules of this package's findings.
const (
	ReferenceRule = "stale-reference"
	NameRule      = "stale-name"
	ParameterRule = "stale-parameter"
	UntestedRule  = "untested-change"
)

var vocabulary = condition.NewVocabulary(survey.Words...)

func untilModified(file string) condition.Condition {
	glob, err := condition.PathGlob(file)
	if err != nil { // no pattern matches exactly that path
		return vocabulary.Call("modified", "**")
	}
	return vocabulary.Call("modified", glob.String())
}

// versions holds the old and new version of a changed source file. Each is nil if the file did not exist or its
// language is not supported.
type versions struct {
	*change.File
	before, after *source.Unit
}

// Source returns the source unit of a changed file, from the old version if the change removes it. It is nil for a
// language that causal does not read.
func Source(r survey.Reader, f *change.File) (*source.Unit, error) {
	if f.Gone {
		return unit(change.Before(r), f.Path)
	}
	return unit(r, f.Path)
}

func read(r survey.Reader, f *change.File) (versions, error) {
	v := versions{File: f}
	var err error
	if f.Was != "" {
		if v.before, err = unit(change.Before(r), f.Was); err != nil {
			return v, err
		}
	}
	if !f.Gone {
		v.after, err = unit(r, f.Path)
	}
	return v, err
}

func unit(r survey.Reader, file string) (*source.Unit, error) {
	m, err := survey.Find(r, path.Dir(file))
	if m == nil {
		return nil, err
	}
	for i := range m.Module.Units {
		if u := &m.Module.Units[i]; u.Path == file && !strings.HasPrefix(u.Opaque, "no extractor") {
			return u, nil
		}
	}
	return nil, nil
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func owner(name string) string { return name[:max(strings.LastIndexByte(name, '.'), 0)] }

func inModule(u *source.Unit, name string) string { return source.Prefix(u.Path, u.File.Scoped) + name }

func replaceWord(text, name, other string) string {
	var b strings.Builder
	from := 0
	for at := change.WordAt(text, name, 0); at >= 0; at = change.WordAt(text, name, from) {
		b.WriteString(text[from:at])
		b.WriteString(other)
		from = at + len(name)
	}
	b.WriteString(text[from:])
	return b.String()
}

// distinctive reports whether a name is unlikely to be an English word: it has letters of both cases, as in maxItems,
// or an inner underscore.
func distinctive(name string) bool {
	if len(name) < 4 {
		return false
	}
	lower, inner := false, false
	for i := range len(name) {
		c := name[i]
		lower = lower || c >= 'a' && c <= 'z'
		inner = inner || i > 0 && c >= 'A' && c <= 'Z'
		if c == '_' && i > 0 && i < len(name)-1 {
			return true
		}
	}
	return lower && inner
}
