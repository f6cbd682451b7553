package ecma

import (
	"cmp"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// mostBefore limits the tokens between the word function and the parameters: a star and a name.
const mostBefore = 3

// literal notes the function literal that handles a route or a command.
func (x *extractor) literal(k source.Kind, of string, n *surface.Node) {
	first, _ := slices.BinarySearchFunc(x.t, n.From, func(t token, off int32) int { return int(t.off - off) })
	s := span{}
	for at := first; at < first+mostBefore && s.To == 0; at++ {
		if i := slices.IndexFunc(x.binder.blocks, func(b block) bool { return b.apart.to > 0 && int(b.apart.from) == at }); i >= 0 {
			s = span{From: at, To: int(x.binder.blocks[i].apart.to)}
		} else if x.at(at).isPunct('(') {
			break
		}
	}
	overlaps := func(o ownSpan) bool { return s.From < o.To && o.From < s.To }
	if s.To == 0 || slices.ContainsFunc(x.literals, overlaps) {
		return
	}
	x.literals = append(x.literals, ownSpan{span: s, symbol: len(x.unnamed)})
	x.unnamed = append(x.unnamed, source.Symbol{Name: source.UnnamedName(k, cmp.Or(of, path.Base(x.path))), Kind: k, Line: int(n.Line), End: int(x.t[s.To-1].line)})
}

// codeWithoutNames returns the code of the file at which flows may start, with its references.
func (x *extractor) codeWithoutNames() []source.Symbol {
	if x.testFile {
		return nil
	}
	b := x.binder
	if len(x.literals) > 0 {
		b.prepare()
		for _, s := range x.literals {
			b.forks.Detach(b.branches[s.From], b.branches[s.From:s.To])
		}
		b.owners = newOwners(x.literals)
		b.again(x.unnamed, func(e *event, s ownSpan) (owner int, branch control.Branch) { return s.symbol, b.branchOf(e.token, s) })
	}
	if x.isProgram() {
		one := []source.Symbol{{Name: source.UnnamedName(source.Script, path.Base(x.path)), Kind: source.Script, Line: 1, End: int(x.at(len(x.t) - 1).line)}}
		b.prepare()
		b.again(one, func(e *event, s ownSpan) (owner int, branch control.Branch) {
			switch value := s.symbol < 0 || x.symbols[s.symbol].Kind == source.Const || x.symbols[s.symbol].Kind == source.Var; {
			case !value:
				return source.NoOwner, 0
			case len(b.apart) > 0:
				return 0, control.Later
			}
			return 0, b.branches[e.token]
		})
		x.unnamed = append(x.unnamed, one...)
	}
	return slices.DeleteFunc(x.unnamed, func(s source.Symbol) bool {
		return !slices.ContainsFunc(s.Body, func(r source.Reference) bool { return r.Kind == source.RefCall })
	})
}

// isProgram reports whether the file runs as a program: it says so, or exports nothing and calls something.
func (x *extractor) isProgram() bool {
	if x.main || x.l.shebang {
		return true
	}
	if isComponent(x.path) || slices.ContainsFunc(x.t, func(t token) bool { return t.isKeyword(kExports) }) {
		return false
	}
	calls := func(r source.Reference) bool { return r.Kind == source.RefCall }
	exports := func(s symbol) bool { return s.Exported }
	star := func(i source.Import) bool { return i.Reexport }
	return slices.ContainsFunc(x.body, calls) && !slices.ContainsFunc(x.symbols, exports) && !slices.ContainsFunc(x.imports, star)
}

// again replays the events for code without a declaration, after prepare. of returns the owner of a reference and its branch.
func (b *binder) again(list []source.Symbol, of func(e *event, s ownSpan) (owner int, branch control.Branch)) {
	b.unnamed = of
	for i := range b.events {
		b.meet(&b.events[i])
	}
	b.unnamed = nil
	b.found.References(len(list), b, b.forks, func(owner int, refs []source.Reference) {
		if owner >= 0 {
			list[owner].Body, list[owner].Nests = refs, source.NestsOf(refs, b.forks)
		}
	})
}
