package java

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// dotted is a qualified name, as an index of collector.qualified; 0 is none.
type dotted int32

type dottedName struct {
	before dotted
	last   ident
}

// The kinds of references in alphabetical order.
const (
	refCall = iota
	refType
	refValue
)

var refKinds = [...]source.RefKind{refCall: source.RefCall, refType: source.RefType, refValue: source.RefValue}

// use is one reference; key combines name, kind and openness.
type use struct {
	key         uint64
	line, order int32
	branch      control.Branch
}

func (x *use) join(forks *control.Forks, other use) {
	x.line = min(x.line, other.line)
	x.branch, x.order = control.Merge(forks, x.branch, x.order, other.branch, other.order)
}

// chunk is a run of uses with one owner: a symbol's index, or -1 for the file. turns is the highest order.
type chunk struct{ owner, from, to, turns int32 }

type collector struct {
	words
	qualified []dottedName
	index     map[dottedName]dotted
	uses      []use
	chunks    []chunk
	seen      []int32 // by key: the last use, counted from 1
	apart     int     // positive in nested functions and error paths
	traced    []trace
	trace     bool
}

// trace is a reference with its token, for comparison with a compiler in tests.
type trace struct {
	name  string
	kind  source.RefKind
	open  bool
	token int32
}

func (c *collector) reset() {
	c.qualified = append(c.qualified[:0], dottedName{})
	if c.index == nil {
		c.index = map[dottedName]dotted{}
	}
	clear(c.index)
	c.uses, c.chunks, c.seen, c.apart = c.uses[:0], c.chunks[:0], c.seen[:0], 0
}

func (c *collector) own(owner int32) {
	at := int32(len(c.uses))
	if n := len(c.chunks); n > 0 {
		if c.chunks[n-1].owner == owner {
			return
		}
		c.chunks[n-1].to = at
	}
	c.chunks = append(c.chunks, chunk{owner, at, at, 0})
}

func (c *collector) owner() int32 { return c.chunks[len(c.chunks)-1].owner }

func (c *collector) alone(id ident) dotted {
	info := &c.info[id]
	if info.alone == 0 {
		info.alone = dotted(len(c.qualified))
		c.qualified = append(c.qualified, dottedName{0, id})
	}
	return info.alone
}

func (c *collector) join(before dotted, last ident) dotted {
	if before == 0 {
		return c.alone(last)
	}
	name := dottedName{before, last}
	d, ok := c.index[name]
	if !ok {
		d = dotted(len(c.qualified))
		c.qualified = append(c.qualified, name)
		c.index[name] = d
	}
	return d
}

func (c *collector) certain(u *unit, name dotted, kind int, token int32) {
	c.use(u, name, kind, 0, token)
}

func (c *collector) open(u *unit, id ident, kind int, token int32) {
	c.use(u, c.alone(id), kind, 1, token)
}

func (c *collector) use(u *unit, name dotted, kind, open int, token int32) {
	if name <= 0 {
		return
	}
	if c.trace {
		c.traced = append(c.traced, trace{c.spell(name), refKinds[kind], open > 0, token})
	}
	key := uint64(name)<<3 | uint64(kind)<<1 | uint64(open)
	if int(key) >= len(c.seen) {
		c.seen = append(c.seen, make([]int32, len(c.seen)+len(c.qualified)<<3)...)
	}
	in := &c.chunks[len(c.chunks)-1]
	in.turns++
	x := use{key: key, line: u.toks[token].line, order: in.turns, branch: control.Apart}
	if c.apart == 0 {
		x.branch = u.branches[token]
	}
	if c.seen[key] > in.from {
		c.uses[c.seen[key]-1].join(u.forks, x)
	} else {
		c.uses = append(c.uses, x)
		c.seen[key] = int32(len(c.uses))
	}
}

func (c *collector) spell(d dotted) string {
	n := c.qualified[d]
	if n.before == 0 {
		return c.Text(int32(n.last))
	}
	return string(c.appendName(nil, d))
}

func (c *collector) appendName(b []byte, d dotted) []byte {
	var parts [16]ident
	list := parts[:0]
	for ; d > 0; d = c.qualified[d].before {
		list = append(list, c.qualified[d].last)
	}
	for i := len(list) - 1; i >= 0; i-- {
		b = append(b, c.Text(int32(list[i]))...)
		if i > 0 {
			b = append(b, '.')
		}
	}
	return b
}

// rank replaces the names in the keys of uses by their alphabetical rank, and returns the sorted names.
func (c *collector) rank() []string {
	used := make([]dotted, 0, len(c.qualified))
	place := make([]int32, len(c.qualified))
	for _, x := range c.uses {
		if d := x.key >> 3; place[d] == 0 {
			place[d] = 1
			used = append(used, dotted(d))
		}
	}
	var text []byte
	ends := make([]int, len(used))
	for i, d := range used {
		text = c.appendName(text, d)
		ends[i] = len(text)
	}
	all := string(text)
	type spelled struct {
		name string
		of   dotted
	}
	list := make([]spelled, len(used))
	from := 0
	for i, d := range used {
		list[i] = spelled{all[from:ends[i]], d}
		from = ends[i]
	}
	slices.SortFunc(list, func(a, b spelled) int { return cmp.Compare(a.name, b.name) })
	names := make([]string, len(list))
	for i, s := range list {
		place[s.of] = int32(i)
		names[i] = s.name
	}
	for i := range c.uses {
		x := &c.uses[i]
		x.key = uint64(place[x.key>>3])<<3 | x.key&7
	}
	return names
}

// deliver passes each owner its references, sorted and without duplicates.
func (c *collector) deliver(forks *control.Forks, give func(owner int32, list []source.Reference)) {
	c.chunks[len(c.chunks)-1].to = int32(len(c.uses))
	names := c.rank()
	slices.SortStableFunc(c.chunks, func(a, b chunk) int { return cmp.Compare(a.owner, b.owner) })
	out := make([]source.Reference, 0, len(c.uses))
	var mine []use
	for i := 0; i < len(c.chunks); {
		owner := c.chunks[i].owner
		mine = mine[:0]
		turns := int32(0)
		for ; i < len(c.chunks) && c.chunks[i].owner == owner; i++ {
			for _, x := range c.uses[c.chunks[i].from:c.chunks[i].to] {
				x.order += turns
				forks.Move(x.branch, func(order int) int { return order + int(turns) })
				mine = append(mine, x)
			}
			turns += c.chunks[i].turns
		}
		from := len(out)
		for _, x := range joined(forks, mine) {
			out = append(out, source.Reference{
				Name: names[x.key>>3], Kind: refKinds[x.key>>1&3], Open: x.key&1 > 0, Line: int(x.line), Order: int(x.order), Branch: x.branch,
			})
		}
		if len(out) > from {
			give(owner, slices.Clip(out[from:]))
		}
	}
}

func joined(forks *control.Forks, list []use) []use {
	slices.SortFunc(list, func(a, b use) int { return cmp.Compare(a.key, b.key) })
	out := list[:0]
	for _, x := range list {
		if last := len(out) - 1; last >= 0 && out[last].key == x.key {
			out[last].join(forks, x)
			continue
		}
		out = append(out, x)
	}
	return out
}
