// Package match recognises findings again. A finding has no number that stays: the lines above it come and go, its file gets
// another name, its own line is edited. So it is known by its rule, by the declaration that it is in, by the code that it is
// about and by the lines around that, and an id, once minted, is carried from one version of a change to the next by comparing
// them, the surest first.
//
// What has the same shape in other places is one pattern, whatever the names in it: by that findings of different changes are
// counted together.
package match

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/finding"
)

// Bounds of what is kept of the code that a finding is about. A linter may flag a file of one line, fifty thousand times.
const (
	longestText   = 4 << 10 // bytes that are looked at
	mostLines     = 64      // lines that are looked at
	longestAnchor = 120     // bytes; of more, the beginning and a digest
	around        = 2       // lines that make the context, on either side
	mostSearched  = 1 << 30 // bytes of a file that are gone over for code that is not there; what is asked beyond counts as there
)

// Text is one version of a file.
type Text struct {
	path, blob string
	lines      []string
	above      []int    // for each line, from 0, the last one before it that is not blank; -1 where there is none
	below      []int    // the first one behind it; the number of lines where there is none
	bare       []string // the lines without white space, as far as they were asked for
	scopes     []int    // for each line, the outermost one that it is indented below; -1 where there is none

	known    map[string]bool // the lines without white space
	joined   string          // all of them
	searched int             // how many bytes of that were gone over
}

// NewText prepares a version of a file, by its lines as change.Split returns them, and git's id of its content.
func NewText(path string, lines []string, blob string) *Text {
	t := &Text{path: path, blob: blob, lines: lines, above: make([]int, len(lines)), below: make([]int, len(lines)), bare: make([]string, len(lines))}
	last := -1
	for i, line := range lines {
		t.above[i] = last
		if line != "" {
			last = i
		}
	}
	next := len(lines)
	for i := len(lines) - 1; i >= 0; i-- {
		t.below[i] = next
		if lines[i] != "" {
			next = i
		}
	}
	t.scopes = scopes(path, lines)
	return t
}

// Blob is git's id of what the version holds.
func (t *Text) Blob() string { return t.blob }

// Fill sets what a finding in this version is known by.
func (t *Text) Fill(f *finding.Finding) {
	first := min(max(f.Line, 1), len(t.lines)+1) - 1
	end := min(max(f.EndLine, f.Line), len(t.lines), first+mostLines)
	region := t.region(first, end)
	flagged := cut(cmp.Or(f.Flagged, region), longestText)
	f.Blob, f.Quote = t.blob, strings.TrimSpace(region)
	f.Anchor, f.Context = short(withoutSpace(flagged)), t.context(first, end)
	f.Pattern = patternOf(f, flagged)
	if f.Scope = ""; f.Symbol == "" && first < len(t.lines) && t.scopes[first] >= 0 {
		f.Scope = t.line(t.scopes[first])
	}
}

// region is the text of lines from first to before end, as much of it as is looked at.
func (t *Text) region(first, end int) string {
	var b strings.Builder
	for i := first; i < end && b.Len() < longestText; i++ {
		if i > first {
			b.WriteByte('\n')
		}
		b.WriteString(cut(t.lines[i], longestText-b.Len()))
	}
	return b.String()
}

// context is a digest of the lines above, and one of those below.
func (t *Text) context(first, end int) string {
	var above, below []string
	if first < len(t.lines) {
		for i := t.above[first]; i >= 0 && len(above) < around; i = t.above[i] {
			above = append(above, t.line(i))
		}
	}
	if end > 0 && end <= len(t.lines) {
		for i := t.below[end-1]; i < len(t.lines) && len(below) < around; i = t.below[i] {
			below = append(below, t.line(i))
		}
	}
	return fact.Digest(above...)[:half] + fact.Digest(below...)[:half]
}

// half is how long either part of a context is.
const half = 8

// line is a line without white space, or what stands for it.
func (t *Text) line(i int) string {
	if t.bare[i] == "" && t.lines[i] != "" {
		t.bare[i] = short(withoutSpace(cut(t.lines[i], longestText)))
	}
	return t.bare[i]
}

func withoutSpace(s string) string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(s), ""), "\ufffd")
}

// short is a text, or of a long one its beginning and a digest of all.
func short(s string) string {
	if len(s) <= longestAnchor {
		return s
	}
	return cut(s, longestAnchor/2) + "~" + fact.Digest(s)
}

// Anchored reports whether the code that a finding was about is in this version, be it elsewhere.
func (t *Text) Anchored(anchor string) bool {
	if t.Scoped(anchor) {
		return true
	}
	if at := strings.LastIndexByte(anchor, '~'); at >= longestAnchor/2-utf8.UTFMax && len(anchor)-at == len("~")+len(fact.Digest()) {
		anchor = anchor[:at] // see short
	}
	if t.joined == "" {
		t.joined = withoutSpace(strings.Join(t.lines, " "))
	}
	if t.searched += len(t.joined); t.searched > mostSearched {
		return true
	}
	return strings.Contains(t.joined, anchor)
}

// Scoped reports whether there is still a line that a finding stood below.
func (t *Text) Scoped(scope string) bool {
	if t.known == nil {
		t.known = make(map[string]bool, len(t.lines))
		for i := range t.lines {
			t.known[t.line(i)] = true
		}
	}
	return t.known[scope]
}

// scopes finds for each line the outermost one that it is indented below, or in Markdown its heading.
func scopes(path string, lines []string) []int {
	of, last := make([]int, len(lines)), -1
	markdown := Language(path) == "md"
	for i, line := range lines {
		of[i] = -1
		switch {
		case line == "":
		case markdown:
			if of[i] = last; line[0] == '#' {
				last = i
			}
		case line[0] == ' ' || line[0] == '\t':
			of[i] = last
		case nameStarts(line[0]) || line[0] == '@' || line[0] == '[':
			last = i
		}
	}
	return of
}
