package ecma

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// finding is one reference before duplicates are merged.
type finding struct {
	path, line int32
	next       int32 // next finding of the same symbol
	place      int32 // token that gives its position in the execution order
	use        uint8
	open       bool
	branch     control.Branch
}

type findings struct {
	list        []finding
	first, last []int32
	seen        []int32 // last kept finding by path and use, counted from 1
	kept        int     // findings kept for earlier lists
	refs        []source.Reference
	ends        []int // end of each list in refs
}

func (f *findings) reset(symbols int) {
	f.list = append(f.list[:0], finding{})
	f.first = append(f.first[:0], make([]int32, symbols+1)...)
	f.last = append(f.last[:0], make([]int32, symbols+1)...)
}

// A negative symbol means the file.
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

const uses = 6

// bodies assigns the references to the symbols and the file. All share one allocation.
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
		s := &b.x.symbols[i]
		s.Body = part(i)
		s.Nests = source.NestsOf(s.Body, b.forks)
	}
	return part(len(b.x.symbols))
}

// collect appends the references of one list, sorted and without duplicates.
func (b *binder) collect(list int) {
	f := &b.found
	from := len(f.refs)
	for i := f.first[list]; i != 0; i = f.list[i].next {
		one := &f.list[i]
		seen := &f.seen[int(one.path)*uses+int(one.use)*2+b2i(one.open)]
		if n := int(*seen) - f.kept; n > 0 {
			one.again(b.forks, &f.refs[from+n-1])
			continue
		}
		f.refs = append(f.refs, source.Reference{
			Name: b.paths.paths[one.path].text, Kind: useKinds[one.use], Open: one.open, Line: int(one.line), Order: int(one.place) + 1,
			Branch: one.branch,
		})
		*seen = int32(f.kept + len(f.refs) - from)
	}
	f.kept += len(f.refs) - from
	f.refs = f.refs[:from+len(source.SortReferences(f.refs[from:]))]
}

// again merges another use into a reference.
func (f *finding) again(forks *control.Forks, r *source.Reference) {
	r.Branch, r.Order = control.Merge(forks, r.Branch, r.Order, f.branch, int(f.place)+1)
}
