package match

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// Version describes the present state of an old version of a file.
type Version struct {
	Path string // present path; empty if the file was removed
	// Lines maps the lines of that version to the present ones. It is nil if that version can no longer be read.
	Lines *change.Lines
}

// Mapper maps a version of a file to the present. Match calls it once for each version, and for at most mostVersions
// of one file.
type Mapper func(path, blob string) Version

// mostVersions limits the versions of one file that are compared. Open findings all have the same version.
const mostVersions = 16

// Earlier is a finding of an earlier run.
type Earlier struct {
	finding.Finding
	// Over is set if the last check did not find it. It matches only unchanged code.
	Over bool
}

// Match returns for each present finding the index of the same earlier one, or -1. No two share an index. The order
// of the arguments matters only among otherwise equal findings.
func Match(earlier []Earlier, now []finding.Finding, became Mapper) []int {
	m := &matcher{of: make([]int, len(now)), now: make([]*candidate, len(now))}
	blobs := map[[2]string]string{}
	for i := range now {
		f := &now[i]
		m.of[i], blobs[[2]string{f.Path, string(f.Side)}] = -1, f.Blob
		m.now[i] = &candidate{Finding: f, at: i, path: f.Path, line: f.Line, place: f.Line}
	}
	history := newHistory(became)
	for i := range earlier {
		f := &earlier[i].Finding
		c := &candidate{Finding: f, at: i, over: earlier[i].Over, version: history.version(f.Path, f.Blob), place: f.Line}
		if c.path = c.version.Path; f.Side == finding.Left { // the old version does not change
			c.path = f.Path
		}
		c.find(blobs[[2]string{c.path, string(f.Side)}])
		m.old = append(m.old, c)
	}
	slices.SortStableFunc(m.old, compare)
	slices.SortStableFunc(m.now, compare)
	for _, over := range []bool{false, true} {
		for _, key := range exact {
			m.pair(key, over, inOrder)
		}
	}
	m.pairEdited()
	m.pair(sameDeclaration, false, alike)
	return m.of
}

type candidate struct {
	*finding.Finding
	at      int
	over    bool
	version *version // only for an earlier finding
	path    string   // present path; empty if the file was removed
	line    int      // present line; 0 if unknown or removed
	place   int      // present line, or else the old one; for sorting
	edit    int      // number of the edit that contains the line, from 1
}

// find sets the present line of an earlier finding. blob is the version of the file that present findings refer to.
func (c *candidate) find(blob string) {
	switch {
	case blob == c.Blob && blob != "":
		c.line = c.Line
	case c.version.Lines != nil && c.Side != finding.Left:
		if now, ok := c.version.Lines.Now(c.Line); ok {
			c.line, c.place = now, now
		} else {
			c.edit = c.version.edits.Was(c.Line)
		}
	}
}

// stays reports whether the line of an earlier finding is unchanged. Then it cannot match another line.
func (c *candidate) stays() bool { return c.version != nil && c.line > 0 }

func compare(a, b *candidate) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.place, b.place), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Anchor, b.Anchor),
		cmp.Compare(a.Context, b.Context), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Side, b.Side),
		cmp.Compare(a.ID, b.ID))
}

type matcher struct {
	old, now []*candidate // unmatched, sorted
	of       []int
}

// pair matches candidates with equal keys and removes them. choose selects the pairs of a group.
func (m *matcher) pair(key func(*candidate) (string, bool), over bool, choose func(old, now []*candidate, take func(x, y int))) {
	type group struct{ old, now []*candidate }
	groups := map[string]*group{}
	for _, c := range m.old {
		if k, ok := key(c); ok && c.over == over {
			if groups[k] == nil {
				groups[k] = &group{}
			}
			groups[k].old = append(groups[k].old, c)
		}
	}
	if len(groups) == 0 {
		return
	}
	for _, c := range m.now {
		if k, ok := key(c); ok && groups[k] != nil {
			groups[k].now = append(groups[k].now, c)
		}
	}
	taken := map[*candidate]bool{}
	for _, g := range groups {
		choose(g.old, g.now, func(x, y int) {
			m.of[g.now[y].at] = g.old[x].at
			taken[g.old[x]], taken[g.now[y]] = true, true
		})
	}
	gone := func(c *candidate) bool { return taken[c] }
	m.old, m.now = slices.DeleteFunc(m.old, gone), slices.DeleteFunc(m.now, gone)
}

// pairEdited matches findings of one rule within the same edit, one version of each file after the other.
func (m *matcher) pairEdited() {
	for round := range mostVersions + 1 {
		versions := map[string]*version{}
		for _, c := range m.old {
			if c.edit > 0 && c.version.round == round && c.path != "" {
				versions[c.path] = c.version // if files were merged, the last; other tiers match the others' findings
			}
		}
		if len(versions) == 0 {
			continue
		}
		for _, c := range m.now {
			if c.edit = 0; versions[c.path] != nil && c.Side != finding.Left {
				c.edit = versions[c.path].edits.Now(c.Line)
			}
		}
		m.pair(func(c *candidate) (string, bool) {
			return inFile(c, decimal(c.edit)), c.edit > 0 && (c.version == nil || c.version == versions[c.path])
		}, false, alike)
	}
}

// inOrder pairs candidates by position, because they cannot be distinguished.
func inOrder(old, now []*candidate, take func(x, y int)) {
	for i := range min(len(old), len(now)) {
		take(i, i)
	}
}

const mostCells = 1 << 10

// alike pairs candidates in order. If the numbers differ, it chooses the pairs with the most similar code.
func alike(old, now []*candidate, take func(x, y int)) {
	if len(old) == len(now) || len(old)*len(now) > mostCells {
		inOrder(old, now, take)
		return
	}
	width := len(now) + 1
	best := make([]float64, (len(old)+1)*width) // best total for the remaining candidates
	likeness := func(x, y int) float64 { return best[(x+1)*width+y+1] + 1 + resemblance(old[x].Anchor, now[y].Anchor) }
	for x := len(old) - 1; x >= 0; x-- {
		for y := len(now) - 1; y >= 0; y-- {
			best[x*width+y] = max(likeness(x, y), best[(x+1)*width+y], best[x*width+y+1])
		}
	}
	for x, y := 0, 0; x < len(old) && y < len(now); {
		switch best[x*width+y] {
		case likeness(x, y):
			take(x, y)
			x, y = x+1, y+1
		case best[(x+1)*width+y]:
			x++
		default:
			y++
		}
	}
}

func resemblance(a, b string) float64 {
	short, long := min(len(a), len(b)), max(len(a), len(b), 1)
	head, tail := 0, 0
	for head < short && a[head] == b[head] {
		head++
	}
	for tail < short-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return float64(head+tail) / float64(long)
}
