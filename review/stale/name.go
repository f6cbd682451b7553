package stale

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// Comments finds old names of declarations and parameters in the comments of a changed file.
func Comments(r survey.Reader, file string) ([]finding.Finding, []finding.Skipped, error) {
	f, err := change.FileOf(r, file)
	if err != nil || f == nil || f.Gone {
		return nil, nil, err
	}
	v, err := read(r, f)
	if err != nil || v.after == nil {
		return nil, nil, err
	}
	if why := v.unreadable(); why != "" {
		return nil, []finding.Skipped{{Path: file, Reason: why}}, nil
	}
	if v.before == nil || v.Before == nil || v.before.Opaque != "" || v.after.File.Generated {
		return nil, nil, nil
	}
	c := newComments(v)
	found := c.names()
	return append(found, c.parameters()...), nil, nil
}

func (v versions) unreadable() string {
	switch {
	case v.Unread != "":
		return v.Unread
	case v.after.Opaque != "":
		return v.after.Opaque
	case v.after.File.Problem != "":
		return "does not parse: " + v.after.File.Problem
	}
	return ""
}

type comments struct {
	versions
	lines    []string                  // of the new version, without trailing white space
	whole    []string                  // with trailing white space
	renames  map[string]string         // old names in the module to new ones
	former   map[string]string         // new names to old ones
	was, now map[string]*source.Symbol // declarations by name
	own      map[string]bool           // unqualified names in the new version
}

func newComments(v versions) *comments {
	c := &comments{
		versions: v, lines: change.Split(v.After), whole: strings.Split(string(v.After), "\n"), renames: v.renamed(), former: map[string]string{},
		was: map[string]*source.Symbol{}, now: map[string]*source.Symbol{}, own: map[string]bool{},
	}
	for from, to := range c.renames {
		c.former[to] = from
	}
	for i := range v.before.File.Symbols {
		s := &v.before.File.Symbols[i]
		c.was[s.Name] = s
	}
	for i := range v.after.File.Symbols {
		s := &v.after.File.Symbols[i]
		c.now[s.Name], c.own[last(s.Name)] = s, true
	}
	return c
}

func (c *comments) tell(s *source.Symbol, rule string, first, last int, kind, message string, mend *finding.Suggestion) finding.Finding {
	name := inModule(c.after, s.Name)
	return finding.Finding{
		Rule: rule, Category: finding.DocsDrift, Severity: finding.Warning, Path: c.Path, Line: first, EndLine: last, Side: finding.Right,
		Symbol: name, Message: message, Suggestion: mend, Change: kind, Condition: untilModified(c.Path).String(),
	}
}

func (c *comments) names() []finding.Finding {
	had := map[string][]string{} // removed declarations by unqualified name
	for _, s := range differing(&c.before.File, &c.after.File) {
		had[last(s.Name)] = append(had[last(s.Name)], s.Name)
	}
	for name := range c.own {
		delete(had, name)
	}
	if len(had) == 0 {
		return nil
	}
	now := map[string][]*source.Symbol{} // new declarations by the first name in their comments
	for _, s := range differing(&c.after.File, &c.before.File) {
		name := c.opening(s.Doc)
		if from := had[name]; len(from) == 1 && c.was[from[0]].Kind == s.Kind && c.opening(c.was[from[0]].Doc) == name {
			now[name] = append(now[name], s)
		}
	}
	var out []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if len(now[name]) == 1 {
			out = append(out, c.name(now[name][0], name, had[name][0])...)
		}
	}
	return out
}

// name finds a kept comment that begins with another name than its declaration.
func (c *comments) name(s *source.Symbol, name, from string) []finding.Finding {
	where := docRegion(c.after.File.Language, s, c.lines)
	for line := where.first; line <= where.last && line > 0; line++ {
		text, at := plain(c.lines[line-1])
		if text == "" {
			continue
		}
		_, stayed := c.Lines.Was(line)
		if c.opening(text) != name || !stayed && c.renames[inModule(c.before, from)] != inModule(c.after, s.Name) {
			return nil
		}
		at += change.WordAt(text, name, 0)
		full, other := c.raw(line), last(s.Name)
		mend := &finding.Suggestion{Path: c.Path, Line: line, EndLine: line, Replacement: full[:at] + other + full[at+len(name):]}
		if article, _, _ := strings.Cut(text, " "); (article == "A" || article == "An") && vowel(name) != vowel(other) {
			mend = nil
		}
		message := fmt.Sprintf("The comment begins with %s, the name of %s before this change. Write %s in the comment.", name, other, other)
		return []finding.Finding{c.tell(s, NameRule, line, line, string(s.Kind)+" renamed", message, mend)}
	}
	return nil
}

// raw returns a line of the new version without a carriage return.
func (c *comments) raw(line int) string { return strings.TrimSuffix(c.whole[line-1], "\r") }

func vowel(name string) bool { return strings.IndexByte("AEIOUaeiou", name[0]) >= 0 }

// opening returns the name at the beginning of a comment, or "" if the word may not be a name. It is the first
// word after any article. It must be distinctive in languages whose comments need not begin with a name.
func (c *comments) opening(doc string) string {
	words := strings.Fields(doc[:min(len(doc), 400)])
	if len(words) > 0 && slices.Contains(articles, words[0]) {
		words = words[1:]
	}
	if len(words) < 2 {
		return ""
	}
	name := strings.TrimSuffix(strings.TrimRight(words[0], ",:"), "'s")
	switch {
	case !isName(name), slices.Contains(prepositions, words[1]):
		return ""
	case !source.TraitsOf(c.after.File.Language).Prose && !distinctive(name):
		return ""
	}
	return name
}

var (
	articles = []string{"A", "An", "The"}
	// prepositions follow words that are not names: "Amount of money".
	prepositions = []string{"of", "for", "to", "in", "on", "with", "and", "or", "from", "by", "at"}
)
