package match

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// Version is what became of a version of a file.
type Version struct {
	Path string // what the file is called now; empty when it is gone
	// Lines maps the lines of that version to those of now; nil when that version cannot be read any more.
	Lines *change.Lines
}

// Mapper tells what became of a file of which an earlier finding knows path and content. It is asked once for each, and of one
// file for mostVersions at most.
type Mapper func(path, blob string) Version

// mostVersions is how many versions of one file are compared with the present one. Findings that are open are all about one.
const mostVersions = 16

// Earlier is a finding of an earlier run.
type Earlier struct {
	finding.Finding
	// Over says that it was not there when it was looked at last. It comes back as itself only where the code is the same.
	Over bool
}

// Match returns for each of the present findings the index of the earlier one that it is; -1 where it is none of them. No two are
// the same one. The order in which they are given does not matter, but among those that nothing tells apart.
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
		if c.path = c.version.Path; f.Side == finding.Left { // the old version stays where it was
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

// candidate is a finding that is not matched yet.
type candidate struct {
	*finding.Finding
	at      int
	over    bool
	version *version // of an earlier one
	path    string   // what its file is called now; empty when it is gone
	line    int      // where its line is now; 0 when that is not known, or it is no more
	place   int      // its line, or where that is now: what it is sorted by
	edit    int      // the edit that its line was or is in, from 1
}

// find says where the line of an earlier finding is, given which version of its file the present ones are about.
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

// stays reports whether the line of an earlier finding is there as it was: if nothing is found there any more, it is not about
// another line.
func (c *candidate) stays() bool { return c.version != nil && c.line > 0 }

func compare(a, b *candidate) int {
	return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.place, b.place), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Anchor, b.Anchor),
		cmp.Compare(a.Context, b.Context), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Side, b.Side),
		cmp.Compare(a.ID, b.ID))
}

type matcher struct {
	old, now []*candidate // that are left, sorted
	of       []int
}

// pair matches what has the same key, as choose says, and takes it away.
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

// pairEdited matches findings of one rule where a line took the place of another, one version of each file after the other.
func (m *matcher) pairEdited() {
	for round := range mostVersions + 1 {
		versions := map[string]*version{}
		for _, c := range m.old {
			if c.edit > 0 && c.version.round == round && c.path != "" {
				versions[c.path] = c.version // of files that became one, the last: the others' findings have other tiers
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

// inOrder takes the first for the first: nothing tells them apart.
func inOrder(old, now []*candidate, take func(x, y int)) {
	for i := range min(len(old), len(now)) {
		take(i, i)
	}
}

// mostCells is how many pairs of one group are compared to find the most alike.
const mostCells = 1 << 10

// alike keeps the order, and where there are more of one takes those whose code is the most alike.
func alike(old, now []*candidate, take func(x, y int)) {
	if len(old) == len(now) || len(old)*len(now) > mostCells {
		inOrder(old, now, take)
		return
	}
	width := len(now) + 1
	best := make([]float64, (len(old)+1)*width) // of what follows either
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

// resemblance is the part of two texts that begins or ends alike.
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
