package change

import (
	"slices"
	"sort"
	"strings"
)

// Lines maps the equal lines of two versions of a file. Lines are counted from 1. Trailing white space, including
// line endings, does not count.
type Lines struct {
	now []int // for each old line, its number in the new version, or 0 if it was removed
	was []int // for each new line, its number in the old version, or 0 if it was added or edited
}

// Compare finds the common lines of two texts, in time nearly proportional to their size. It first matches lines that
// occur once in either text and in the same order (Bram Cohen's patience diff). Between those it matches equal lines
// from both ends, and then the longest common subsequence.
func Compare(before, after []string) Lines {
	l := Lines{make([]int, len(before)), make([]int, len(after))}
	l.compare(before, after, 0, 0)
	return l
}

// Split returns the lines of a text without trailing white space.
func Split(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return lines
}

// compare matches parts of the texts at line offsets x and y. Each level of recursion covers disjoint parts and
// leaves no line that occurs once in both, so there are few levels.
func (l Lines) compare(before, after []string, x, y int) {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		l.same(x, y)
		before, after, x, y = before[1:], after[1:], x+1, y+1
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
		l.same(x+len(before), y+len(after))
	}
	if len(before) == 0 || len(after) == 0 {
		return
	}
	once := anchors(before, after)
	if len(once) == 0 {
		once = longestCommon(before, after)
	}
	from, to := 0, 0
	for _, p := range once {
		l.compare(before[from:p.x], after[to:p.y], x+from, y+to)
		l.same(x+p.x, y+p.y)
		from, to = p.x+1, p.y+1
	}
	if from > 0 {
		l.compare(before[from:], after[to:], x+from, y+to)
	}
}

func (l Lines) same(x, y int) { l.now[x], l.was[y] = y+1, x+1 }

type pair struct{ x, y int }

// anchors returns the lines that occur once in either text and in the same order.
func anchors(before, after []string) []pair {
	type seen struct{ x, y, before, after int }
	lines := map[string]*seen{}
	for i, line := range before {
		s := lines[line]
		if s == nil {
			s = &seen{}
			lines[line] = s
		}
		s.x, s.before = i, s.before+1
	}
	for i, line := range after {
		if s := lines[line]; s != nil {
			s.y, s.after = i, s.after+1
		}
	}
	var once []pair
	for i, line := range before {
		if s := lines[line]; s.before == 1 && s.after == 1 {
			once = append(once, pair{i, s.y})
		}
	}
	return longestRise(once)
}

// mostCells limits the table of a comparison of two blocks. Blocks are disjoint, so all tables together have at most
// its square root times the lines of the file.
const mostCells = 250_000

// longestCommon returns the longest common subsequence of two blocks, or nothing if they are too large.
func longestCommon(before, after []string) []pair {
	if len(before)*len(after) > mostCells {
		return nil
	}
	width := len(after) + 1
	longest := make([]int32, (len(before)+1)*width) // length of the common subsequence after these lines
	for x := len(before) - 1; x >= 0; x-- {
		for y := len(after) - 1; y >= 0; y-- {
			if before[x] == after[y] {
				longest[x*width+y] = longest[(x+1)*width+y+1] + 1
			} else {
				longest[x*width+y] = max(longest[(x+1)*width+y], longest[x*width+y+1])
			}
		}
	}
	var common []pair
	for x, y := 0, 0; x < len(before) && y < len(after); {
		switch {
		case before[x] == after[y]:
			common = append(common, pair{x, y})
			x, y = x+1, y+1
		case longest[(x+1)*width+y] >= longest[x*width+y+1]:
			x++
		default:
			y++
		}
	}
	return common
}

// longestRise returns the longest subsequence of pairs, sorted by x, in which y rises as well.
func longestRise(pairs []pair) []pair {
	var ends []int // for each length, the last pair with the least y
	previous := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(ends, p.y, func(end, y int) int { return pairs[end].y - y })
		previous[i] = -1
		if at > 0 {
			previous[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	rise := make([]pair, len(ends))
	for i, at := len(ends)-1, ends[len(ends)-1]; at >= 0; i, at = i-1, previous[at] {
		rise[i] = pairs[at]
	}
	return rise
}

// Now returns the new number of an old line. It returns false if the line was removed.
func (l Lines) Now(line int) (int, bool) { return at(l.now, line) }

// Was returns the old number of a new line. It returns false if the line was added or edited.
func (l Lines) Was(line int) (int, bool) { return at(l.was, line) }

// Count returns the number of lines in the new version.
func (l Lines) Count() int { return len(l.was) }

// Added reports whether any line from first to last of the new version was added or edited.
func (l Lines) Added(first, last int) bool {
	for line := max(first, 1); line <= min(last, len(l.was)); line++ {
		if l.was[line-1] == 0 {
			return true
		}
	}
	return false
}

func at(list []int, line int) (int, bool) {
	if line < 1 || line > len(list) || list[line-1] == 0 {
		return 0, false
	}
	return list[line-1], true
}

// Edit is a block of lines that replaced another, each from First to before End. Either may be empty.
type Edit struct{ First, End, NowFirst, NowEnd int }

// Edits are the changed blocks in order.
type Edits []Edit

// Edits lists the changed blocks.
func (l Lines) Edits() Edits {
	var edits Edits
	x, y := 0, 0
	for x < len(l.now) || y < len(l.was) {
		e := Edit{First: x + 1, NowFirst: y + 1}
		for x < len(l.now) && l.now[x] == 0 {
			x++
		}
		for y < len(l.was) && l.was[y] == 0 {
			y++
		}
		if e.End, e.NowEnd = x+1, y+1; e.End > e.First || e.NowEnd > e.NowFirst {
			edits = append(edits, e)
		}
		x, y = x+1, y+1 // skip an unchanged line
	}
	return edits
}

// Was returns the number of the edit that contains an old line, from 1, or 0.
func (e Edits) Was(line int) int {
	i := sort.Search(len(e), func(i int) bool { return e[i].End > line })
	if i < len(e) && e[i].First <= line {
		return i + 1
	}
	return 0
}

// Now returns the number of the edit that contains a new line, from 1, or 0.
func (e Edits) Now(line int) int {
	i := sort.Search(len(e), func(i int) bool { return e[i].NowEnd > line })
	if i < len(e) && e[i].NowFirst <= line {
		return i + 1
	}
	return 0
}

// Deleted reports whether old lines were removed without a replacement.
func (e Edits) Deleted(first, last int) bool {
	i := e.Was(first)
	return i > 0 && last < e[i-1].End && e[i-1].NowFirst == e[i-1].NowEnd
}
