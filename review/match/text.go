// Package match recognizes findings across versions of a change, although line numbers, file names and the flagged
// lines may change. It compares rule, declaration, flagged code and surrounding lines, the most certain criteria
// first, and keeps the ID of a match.
//
// Code of the same shape in other places has the same pattern, whatever its names. Findings of different changes are
// counted by pattern.
package match

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/finding"
)

// Limits of a finding's code. A linter may report one long line fifty thousand times.
const (
	longestText   = 4 << 10 // bytes examined
	mostLines     = 64      // lines examined
	longestAnchor = 120     // bytes; a longer text is cut and gets a digest
	around        = 2       // context lines on either side
	mostSearched  = 1 << 30 // bytes searched for missing code in one file; beyond it, all code counts as present
)

// Text is one version of a file.
type Text struct {
	blob   string
	lines  []string
	above  []int    // for each line, from 0, the previous line that is not blank, or -1
	below  []int    // the next line that is not blank, or the number of lines
	bare   []string // lines without white space, filled on demand
	scopes []int    // for each line, the line of the enclosing top-level block, or -1

	known    map[string]bool // lines without white space
	joined   string          // all lines without white space
	searched int             // bytes of joined searched so far
}

// NewText prepares a version of a file from its lines, as change.Split returns them, and its git object ID.
func NewText(path string, lines []string, blob string) *Text {
	t := &Text{blob: blob, lines: lines, above: make([]int, len(lines)), below: make([]int, len(lines)), bare: make([]string, len(lines))}
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

// Blob returns the git object ID of the content.
func (t *Text) Blob() string { return t.blob }

// Fill sets the identity of a finding in this version.
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

const half = 8

func (t *Text) line(i int) string {
	if t.bare[i] == "" && t.lines[i] != "" {
		t.bare[i] = short(withoutSpace(cut(t.lines[i], longestText)))
	}
	return t.bare[i]
}

func withoutSpace(s string) string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(s), ""), "\ufffd")
}

func short(s string) string {
	if len(s) <= longestAnchor {
		return s
	}
	return cut(s, longestAnchor/2) + "~" + fact.Digest(s)
}

// Anchored reports whether this version contains the flagged code anywhere.
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

// Scoped reports whether this version contains a finding's scope line.
func (t *Text) Scoped(scope string) bool {
	if t.known == nil {
		t.known = make(map[string]bool, len(t.lines))
		for i := range t.lines {
			t.known[t.line(i)] = true
		}
	}
	return t.known[scope]
}

// scopes returns for each line the preceding line without indentation that encloses it, or in Markdown the heading.
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
