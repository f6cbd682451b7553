package stale

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// lost is an old parameter with its new name, if it was certainly renamed.
type lost struct{ name, now string }

// mostLost limits the lost parameters of one function. Real functions have fewer.
const mostLost = 32

func (c *comments) parameters() []finding.Finding {
	var out []finding.Finding
	for i := range c.after.File.Symbols {
		s := &c.after.File.Symbols[i]
		if s.Doc == "" {
			continue
		}
		gone := c.lost(s)
		if len(gone) == 0 {
			continue
		}
		where := docRegion(c.after.File.Language, s, c.lines)
		if where.last == 0 {
			continue
		}
		entries := entriesOf(c.after.File.Language, c.lines, where)
		for _, p := range gone[:min(len(gone), mostLost)] {
			if f, ok := c.parameter(s, p, where, entries); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

func (c *comments) lost(s *source.Symbol) []lost {
	is, ok := c.signature(&c.after.File, c.now, s.Name)
	if !ok {
		return nil
	}
	from := s.Name
	if other := c.former[inModule(c.after, s.Name)]; other != "" {
		from = strings.TrimPrefix(other, source.Prefix(c.before.Path, c.before.File.Scoped))
	}
	was, ok := c.signature(&c.before.File, c.was, from)
	if !ok || slices.Equal(was.list, is.list) {
		return nil
	}
	var out []lost
	for i, p := range was.list {
		if is.has(p.Name) || change.WordAt(s.Signature, p.Name, 0) >= 0 {
			continue
		}
		l := lost{name: p.Name}
		if len(was.list) == len(is.list) && is.list[i].Type == p.Type && is.list[i].Kind == p.Kind && !was.has(is.list[i].Name) {
			l.now = is.list[i].Name
		}
		if l.now != "" || !is.open {
			out = append(out, l)
		}
	}
	return out
}

// signature returns the signature of a function, or of the constructor that the docstring of a class documents.
func (c *comments) signature(f *source.File, symbols map[string]*source.Symbol, name string) (signature, bool) {
	s := symbols[name]
	if t := source.TraitsOf(f.Language); s != nil && s.Kind == source.Class && t.Docstrings {
		s = symbols[name+"."+t.Constructor]
	}
	if s == nil {
		return signature{}, false
	}
	return signatureOf(s)
}

func (c *comments) parameter(s *source.Symbol, p lost, where region, entries []entry) (finding.Finding, bool) {
	about := slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.name != p.name })
	if slices.ContainsFunc(entries, func(e entry) bool { return e.name == p.now }) {
		p.now = "" // the comment already documents the new name
	}
	var first, end int
	var mend *finding.Suggestion
	switch {
	case len(about) > 0:
		first, end = about[0].first, about[0].last
		mend = c.mend(p, about, where)
	case source.TraitsOf(c.after.File.Language).Prose:
		if first, end = c.inProse(s, p.name, where); first == 0 {
			return finding.Finding{}, false
		}
		if p.now != "" {
			mend = &finding.Suggestion{Path: c.Path, Line: first, EndLine: end, Replacement: c.rewritten(first, end, p)}
		}
		end = first
	default:
		return finding.Finding{}, false
	}
	name, kind := last(s.Name), "parameter removed"
	message := fmt.Sprintf("The comment documents %s, a parameter of %s that this change removed. Remove it from the comment.", p.name, name)
	if p.now != "" {
		kind = "parameter renamed"
		message = fmt.Sprintf("The comment documents %s, a parameter of %s that this change renamed to %s. Write %s in the comment.", p.name, name, p.now, p.now)
	}
	return c.tell(s, ParameterRule, first, end, kind, message, mend), true
}

func (c *comments) rewritten(first, last int, p lost) string {
	var out []string
	for line := first; line <= last; line++ {
		out = append(out, replaceWord(c.raw(line), p.name, p.now))
	}
	return strings.Join(out, "\n")
}

// mend returns an edit that renames or removes the entries of a parameter, or nil if that would be inexact.
func (c *comments) mend(p lost, about []entry, where region) *finding.Suggestion {
	from, to := about[0].first, about[0].last
	for _, e := range about {
		from, to = min(from, e.first), max(to, e.last)
		if p.now == "" && !e.whole {
			return nil
		}
	}
	if p.now != "" {
		var out []string
		for line := from; line <= to; line++ {
			text := c.raw(line)
			if slices.ContainsFunc(about, func(e entry) bool { return e.first <= line && line <= e.last }) {
				text = replaceWord(text, p.name, p.now)
			}
			out = append(out, text)
		}
		return &finding.Suggestion{Path: c.Path, Line: from, EndLine: to, Replacement: strings.Join(out, "\n")}
	}
	if from <= where.first { // the entry begins the comment
		return nil
	}
	from-- // a suggestion replaces lines by at least one, so it includes the previous line
	var out []string
	for line := from; line <= to; line++ {
		if !slices.ContainsFunc(about, func(e entry) bool { return e.first <= line && line <= e.last }) {
			out = append(out, c.raw(line))
		}
	}
	return &finding.Suggestion{Path: c.Path, Line: from, EndLine: to, Replacement: strings.Join(out, "\n")}
}

// inProse returns the first and last line of a comment that name a parameter as a word. It returns zeroes if the word
// may mean something else: it is not distinctive, is part of a longer name, or still occurs in the function or as a
// declaration of the file.
func (c *comments) inProse(s *source.Symbol, name string, where region) (first, end int) {
	if !distinctive(name) {
		return 0, 0
	}
	if c.own[name] {
		return 0, 0
	}
	for _, line := range linesOf(c.lines, s.Line, s.End) {
		if change.WordAt(line, name, 0) >= 0 {
			return 0, 0
		}
	}
	for line := where.first; line <= where.last; line++ {
		at := change.WordAt(c.lines[line-1], name, 0)
		switch {
		case at < 0:
		case at > 0 && strings.IndexByte(".-/", c.lines[line-1][at-1]) >= 0:
			return 0, 0
		case first == 0:
			first, end = line, line
		default:
			end = line
		}
	}
	return first, end
}
