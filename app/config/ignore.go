package config

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
)

// Ignore selects pull requests that are not analysed. Any matching rule is enough.
type Ignore struct {
	Drafts  bool     `yaml:"drafts"`
	Labels  []string `yaml:"labels"`
	Paths   []string `yaml:"paths"`   // globs that must match all changed files
	Authors []string `yaml:"authors"` // logins, with "*" as a wildcard
}

// Traits are the properties of a pull request, other than its files, by which it may be ignored.
type Traits struct {
	Draft  bool
	Labels []string
	Author string
}

// Rule is the name of a rule of Ignore.
type Rule string

// The rules.
const (
	ByDraft  Rule = "drafts"
	ByLabel  Rule = "labels"
	ByPath   Rule = "paths"
	ByAuthor Rule = "authors"
)

// Applies returns the rule that ignores a pull request, or "", and the matching value, if any. covered is the result of
// Covers for its files. Names are compared case-insensitively, as GitHub does.
func (i Ignore) Applies(t Traits, covered bool) (by Rule, what string) {
	if i.Drafts && t.Draft {
		return ByDraft, ""
	}
	for _, label := range t.Labels {
		if slices.ContainsFunc(i.Labels, func(l string) bool { return strings.EqualFold(l, label) }) {
			return ByLabel, label
		}
	}
	if slices.ContainsFunc(i.Authors, func(pattern string) bool { return called(pattern, t.Author) }) {
		return ByAuthor, t.Author
	}
	if covered {
		return ByPath, ""
	}
	return "", ""
}

// Covers reports whether there are files and Paths match all of them.
func (i Ignore) Covers(files []string) bool {
	globs, err := globsOf(i.Paths...)
	return err == nil && len(files) > 0 && !slices.ContainsFunc(files, func(file string) bool {
		return !slices.ContainsFunc(globs, func(g condition.Glob) bool { return g.Match(file) })
	})
}

// globsOf parses globs. One that ends with a name, not with a wildcard, also matches the files of a directory of that name.
func globsOf(patterns ...string) ([]condition.Glob, error) {
	var out []condition.Glob
	for _, p := range patterns {
		p = strings.TrimSuffix(p, "/")
		g, err := condition.ParseGlob(p)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
		if !strings.ContainsAny(path.Base(p), `*?[\`) {
			below, err := condition.ParseGlob(p + "/**")
			if err != nil {
				return nil, err
			}
			out = append(out, below)
		}
	}
	return out, nil
}

// called reports whether a login matches a pattern. It is no glob: the brackets of "renovate[bot]" are part of the
// name.
func called(pattern, login string) bool {
	parts, rest := strings.Split(strings.ToLower(pattern), "*"), strings.ToLower(login)
	rest, ok := strings.CutPrefix(rest, parts[0])
	last := len(parts) - 1
	if !ok || last == 0 {
		return ok && rest == ""
	}
	for _, part := range parts[1:last] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[last])
}
