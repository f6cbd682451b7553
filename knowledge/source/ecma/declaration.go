package ecma

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// declaration is what was found out about one declaration, before it becomes a Symbol.
type declaration struct {
	name      string
	kind      source.Kind
	signature string
	doc       int // the token that its documentation stands before
	line      int // the token that its line is that of
	last      int // its last token, when that is not the last of content
	content   []span
	visible   []span   // the tokens of its interface
	params    []int    // the parentheses that hold its parameters
	hidden    []span   // names in it that refer to nothing: keys, bound names
	bound     []string // type parameters of what holds it
	inner     bool     // documentation inside counts: members that are no symbols of their own
	exported  bool
	member    bool // of a class or an interface
	parent    int  // index of the symbol that holds it, -1 at the top
	scope     int
	refs      []string // instead of what the interface names
	bare      bool     // a function without a body

	words, typ, bases span // its modifiers, its type, what follows the name of a class
	call              int  // of a function: where its type parameters or its parameters begin
}

// symbol is a Symbol under way.
type symbol struct {
	source.Symbol
	parent, scope int
	own           bool   // exported by itself
	member        bool   // of a class or an interface
	bare          bool   // it began as a function without a body
	signatures    []byte // of all that were merged, once some were
}

// newSymbol is the Symbol of a declaration.
func (x *extractor) newSymbol(d declaration) symbol {
	s := symbol{parent: d.parent, scope: d.scope, own: d.exported, member: d.member, bare: d.bare}
	s.Name, s.Kind, s.Signature, s.Type = d.name, d.kind, d.signature, x.parts(d)
	last := max(d.last, d.content[len(d.content)-1].To-1)
	s.Line = int(x.at(d.line).line)
	s.End = max(s.Line, x.endLine(last))
	s.Doc, s.Deprecated = x.docBefore(d.doc)
	s.Interface = x.digestInterface(d)
	s.Content, s.Code = x.digestContent(d, s.Doc)
	s.Refs = x.references(d)
	return s
}

// add makes a Symbol of d, or merges it with the one of the same name. It returns the symbol's index.
func (x *extractor) add(d declaration) int {
	s := x.newSymbol(d)
	if d.inner {
		x.documented = append(x.documented, d.content...)
	}
	n, merges := x.index[d.name]
	if !merges {
		n = len(x.symbols)
	}
	if d.kind != source.Reexport || d.refs == nil {
		for _, c := range d.content {
			x.spans = append(x.spans, ownSpan{c, n, d.parent, d.member})
		}
	}
	if merges {
		if x.symbols[n].bare && !d.bare && (d.kind == source.Func || d.kind == source.Method) {
			s.Signature = "" // nobody can call the body of overloads but by one of them
		}
		x.symbols[n].merge(s)
		return n
	}
	x.index[d.name] = n
	x.symbols = append(x.symbols, s)
	return n
}

// longestMerge keeps a file of nothing but one name's overloads from growing its signature without bound.
const longestMerge = 1 << 16

// merge joins overloads and merged declarations: each is part of what the name means.
func (s *symbol) merge(o symbol) {
	if s.Kind == source.Reexport && o.Kind != source.Reexport {
		s.Kind = o.Kind
	}
	if s.signatures == nil {
		s.signatures = []byte(s.Signature)
	}
	if o.Signature != "" && string(s.signatures) != o.Signature && len(s.signatures) < longestMerge {
		s.signatures, s.Type = append(append(s.signatures, '\n'), o.Signature...), s.Type.Join(o.Type)
		s.Document(o.Symbol)
	}
	s.Doc = cmp.Or(s.Doc, o.Doc)
	if s.Deprecated == "" {
		s.Deprecated = o.Deprecated
	}
	s.own = s.own || o.own
	if s.Kind == o.Kind && (s.Kind == source.Func || s.member) {
		s.End = max(s.End, o.End)
	}
	s.Interface = source.DigestOf(string(s.Interface), string(o.Interface))
	if s.Code != "" || o.Code != "" {
		s.Code = source.DigestOf(string(cmp.Or(s.Code, s.Content)), string(cmp.Or(o.Code, o.Content)))
	}
	s.Content = source.DigestOf(string(s.Content), string(o.Content))
	s.Refs = append(s.Refs, o.Refs...)
}

func sortedUnique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// endLine is the line on which token i ends.
func (x *extractor) endLine(i int) int {
	t := x.at(i)
	n := int(t.line)
	if t.kind != tPunct && t.kind != tIdent {
		n += bytes.Count(x.src[t.off:t.end], []byte{'\n'})
	}
	return n
}
