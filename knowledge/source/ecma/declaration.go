package ecma

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

type declaration struct {
	name      string
	kind      source.Kind
	signature string
	doc       int // token that its documentation precedes
	line      int // token that determines its line
	last      int // last token, if not the end of content
	content   []span
	visible   []span // interface tokens
	target    span   // what is assigned to, which the interface does not refer to
	inner     bool   // include inner documentation: its members are not separate symbols
	exported  bool
	member    bool // of a class or an interface
	parent    int  // index of the holding symbol, -1 at the top level
	scope     int
	refs      []string // overrides the names used by the interface
	bare      bool

	words, typ span // modifiers, type
	bases      span // of a type: type parameters and heritage; of an enum: its braces
	call       int  // start of a function's type parameters or parameters
}

type symbol struct {
	source.Symbol
	parent, scope int
	own           bool // exported directly
	member        bool
	bare          bool   // started as a function without a body
	signatures    []byte // merged signatures
}

// declared returns the declaration of a name by the tokens of s.
func declared(name string, kind source.Kind, s span) declaration {
	return declaration{name: name, kind: kind, doc: s.From, line: s.From, content: []span{s}}
}

// memberOf returns the declaration of a member that the tokens of s add to a symbol.
func (x *extractor) memberOf(holder, name string, parent int, kind source.Kind, s span) declaration {
	d := declared(holder+"."+name, kind, s)
	d.exported, d.member, d.parent, d.scope = true, true, parent, x.current
	return d
}

func (x *extractor) newSymbol(d declaration) symbol {
	s := symbol{parent: d.parent, scope: d.scope, own: d.exported, member: d.member, bare: d.bare}
	s.Name, s.Kind, s.Signature, s.Type = d.name, d.kind, d.signature, x.parts(d)
	last := max(d.last, d.content[len(d.content)-1].To-1)
	s.Line = int(x.at(d.line).line)
	s.End = max(s.Line, x.endLine(last))
	s.Doc, s.Deprecated = x.docBefore(d.doc)
	s.Interface = x.digestInterface(d)
	s.Content, s.Code = x.digestContent(d, s.Doc)
	s.Refs = slices.Clone(d.refs)
	return s
}

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
		body := 0
		if v := len(d.visible); v > 0 {
			body = d.visible[v-1].To
		}
		for _, c := range d.content {
			x.spans = append(x.spans, ownSpan{c, n, d.parent, d.member, body})
		}
	}
	x.shows(d, n)
	if merges {
		if x.symbols[n].bare && !d.bare && (d.kind == source.Func || d.kind == source.Method) {
			s.Signature = "" // callers see only the overloads
		}
		x.symbols[n].merge(s)
		return n
	}
	x.index[d.name] = n
	x.symbols = append(x.symbols, s)
	return n
}

// longestMerge bounds the signature of a file that consists of overloads of one name.
const longestMerge = 1 << 16

// merge joins overloads and merged declarations: each is part of the name's meaning.
func (s *symbol) merge(o symbol) {
	if s.Kind == source.Reexport || s.Kind == source.Namespace && o.Kind != source.Reexport { // a namespace holds members of the class or function of its name
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
	s.Deprecated = cmp.Or(s.Deprecated, o.Deprecated)
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

func (x *extractor) endLine(i int) int {
	t := x.at(i)
	n := int(t.line)
	if t.kind != tPunct && t.kind != tIdent {
		n += bytes.Count(x.src[t.off:t.end], []byte{'\n'})
	}
	return n
}
