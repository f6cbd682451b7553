package ecma

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// finding is one reference before it is known which of them are the same.
type finding struct {
	path, line int32
	next       int32 // the one that the same symbol made next
	place      int32 // the token where it stands in the course of what makes it
	use        uint8
	open       bool
	apart      bool // from that course
}

// findings are the references of a file by the symbols that make them; the last list is that of the file.
type findings struct {
	list        []finding
	first, last []int32
	seen        []int32 // by path and use, the last that was kept, counted from 1 on
	kept        int     // how many the lists before have kept
	places      []uint64
	refs        []source.Reference
	ends        []int // where each list ends in refs
}

func (f *findings) reset(symbols int) {
	f.list = append(f.list[:0], finding{})
	f.first = append(f.first[:0], make([]int32, symbols+1)...)
	f.last = append(f.last[:0], make([]int32, symbols+1)...)
}

// add appends to the list of a symbol; of the file when it is negative.
func (f *findings) add(symbol int, one finding) {
	if symbol < 0 {
		symbol = len(f.first) - 1
	}
	n := int32(len(f.list))
	f.list = append(f.list, one)
	if f.first[symbol] == 0 {
		f.first[symbol] = n
	} else {
		f.list[f.last[symbol]].next = n
	}
	f.last[symbol] = n
}

var useKinds = [...]source.RefKind{useCall: source.RefCall, useType: source.RefType, useValue: source.RefValue}

// uses is the number of different uses of one path.
const uses = 6

// bodies gives every symbol, and the file, its references. All of a file lie in one piece of memory.
func (b *binder) bodies() []source.Reference {
	f := &b.found
	b.paths.spell(f.list, &b.names)
	f.seen = append(f.seen[:0], make([]int32, uses*len(b.paths.paths))...)
	f.refs, f.ends, f.kept = f.refs[:0], f.ends[:0], 0
	for i := range f.first {
		b.collect(i)
		f.ends = append(f.ends, len(f.refs))
	}
	all := slices.Clone(f.refs)
	clear(f.refs)
	from := 0
	part := func(i int) []source.Reference {
		begin, end := from, f.ends[i]
		from = end
		if begin == end {
			return nil
		}
		return all[begin:end:end]
	}
	for i := range b.x.symbols {
		b.x.symbols[i].Body = part(i)
	}
	return part(len(b.x.symbols))
}

// collect appends the references of one list, sorted, each once.
func (b *binder) collect(list int) {
	f := &b.found
	from := len(f.refs)
	for i := f.first[list]; i != 0; i = f.list[i].next {
		one := &f.list[i]
		seen := &f.seen[int(one.path)*uses+int(one.use)*2+b2i(one.open)]
		if n := int(*seen) - f.kept; n > 0 {
			one.again(&f.refs[from+n-1])
			continue
		}
		f.refs = append(f.refs, source.Reference{
			Name: b.paths.paths[one.path].text, Kind: useKinds[one.use], Open: one.open, Line: int(one.line), Order: int(one.place),
			Apart: one.apart,
		})
		*seen = int32(f.kept + len(f.refs) - from)
	}
	f.kept += len(f.refs) - from
	f.rank(f.refs[from:])
	f.refs = f.refs[:from+len(source.SortReferences(f.refs[from:]))]
}

// again adds one more use to a reference: the first in the course of the code counts.
func (f *finding) again(r *source.Reference) {
	if place := int(f.place); f.apart == r.Apart && place < r.Order || r.Apart && !f.apart {
		r.Order, r.Apart = place, f.apart
	}
}

// rank makes places among the references of the tokens that they are ordered by, which other code moves.
func (f *findings) rank(refs []source.Reference) {
	f.places = f.places[:0]
	for i := range refs {
		f.places = append(f.places, uint64(refs[i].Order)<<32|uint64(i))
	}
	slices.Sort(f.places)
	for i, p := range f.places {
		refs[uint32(p)].Order = i + 1
	}
}
