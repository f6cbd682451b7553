package java

import (
	"sort"

	"github.com/causaldocs/causal/knowledge/source"
)

// symbols converts declarations to Symbols in source order with merged overloads. Private fields are omitted, except
// constants with a displayed value, which other constants may refer to.
func symbols(p *parser, d *digester) []source.Symbol {
	exported := map[string]bool{}
	for _, c := range p.decls {
		if c.exported {
			exported[c.name] = true
		}
	}
	var kept []decl
	for _, c := range p.decls {
		if p.kept(c) && (c.exported || !exported[c.name]) {
			kept = append(kept, c)
		}
	}
	texts := make([]string, len(kept))
	for i, c := range kept {
		if texts[i] = p.doc(c.all.From); texts[i] != "" && (i == 0 || kept[i-1].all.From != c.all.From) {
			d.docs = append(d.docs, symbolDoc{c.all.From, texts[i]})
		}
	}
	out := make([]source.Symbol, 0, len(kept))
	for i, c := range kept {
		out = append(out, p.symbol(c, texts[i], d))
	}
	return merge(out)
}

func (p *parser) kept(c decl) bool {
	return c.mods.bits&private == 0 || isType(c.kind) || c.kind == source.Method || p.showsValue(c)
}

func isType(k source.Kind) bool {
	return k == source.Class || k == source.Interface || k == source.Enum || k == source.Record
}

var deprecated = map[string]bool{"Deprecated": true}

func (p *parser) symbol(c decl, doc string, d *digester) source.Symbol {
	_, annotated := p.annotated(c.mods, deprecated)
	s := source.Symbol{
		Name:       c.name,
		Kind:       c.kind,
		Signature:  p.signature(c),
		Doc:        doc,
		Exported:   c.exported,
		Deprecated: deprecation(doc, annotated),
		Interface:  d.iface(p, c),
		Content:    d.content(c, d.docsWithin(c.all)),
		Refs:       p.refs(c),
	}
	s.Type = p.parts(c, s.Signature)
	line, end := p.lines(c)
	s.Line, s.End = int(line), int(end)
	return s
}

func (d *digester) docsWithin(s span) []symbolDoc {
	from := sort.Search(len(d.docs), func(i int) bool { return d.docs[i].token >= s.From })
	to := sort.Search(len(d.docs), func(i int) bool { return d.docs[i].token >= max(s.To, s.From+1) })
	return d.docs[from:to]
}

// lines returns the first and last line of a declaration, or of a further variable's separate part.
func (p *parser) lines(c decl) (first, last int32) {
	s := c.all
	if c.rest.To > 0 {
		s = c.rest
	}
	tail := p.toks[s.To-1]
	last = tail.line
	for i := tail.start; tail.kind == block && i < tail.end; i++ {
		if p.src[i] == '\n' {
			last++
		}
	}
	return p.toks[s.From].line, last
}

// merge joins overloads. The result is deprecated only if all of them are.
func merge(list []source.Symbol) []source.Symbol {
	current := map[string]bool{}
	for i := range list {
		if list[i].Deprecated == "" {
			current[list[i].Name] = true
		}
	}
	out := source.MergeSymbols(list)
	for i := range out {
		if current[out[i].Name] {
			out[i].Deprecated = ""
		}
	}
	return out
}
