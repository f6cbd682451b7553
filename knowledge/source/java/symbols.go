package java

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// symbols converts declarations to Symbols in source order with merged overloads. Private members are omitted, except
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
	return c.mods.bits&private == 0 || isType(c.kind) || p.showsValue(c)
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

// merge joins overloads in linear time.
func merge(list []source.Symbol) []source.Symbol {
	index := make(map[string]int, len(list))
	var groups [][]source.Symbol
	for _, s := range list {
		i, ok := index[s.Name]
		if !ok {
			i = len(groups)
			index[s.Name] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	out := make([]source.Symbol, len(groups))
	for i, g := range groups {
		out[i] = g[0]
		if len(g) > 1 {
			out[i] = join(g)
		}
	}
	return out
}

// join merges overloads: it keeps each distinct signature with its documentation. The result is deprecated only if
// all overloads are.
func join(overloads []source.Symbol) source.Symbol {
	s := overloads[0]
	var signatures, interfaces, contents, refs []string
	seen := map[string]bool{}
	for i, o := range overloads {
		if !seen[o.Signature] {
			seen[o.Signature] = true
			signatures = append(signatures, o.Signature)
			if i > 0 {
				s.Type = s.Type.Join(o.Type)
			}
			s.Document(o)
		}
		interfaces = append(interfaces, string(o.Interface))
		contents = append(contents, string(o.Content))
		refs = append(refs, o.Refs...)
		s.Doc = cmp.Or(s.Doc, o.Doc)
		if o.Deprecated == "" {
			s.Deprecated = ""
		}
	}
	s.Signature = strings.Join(signatures, "\n")
	s.Interface = source.DigestOf(sortedUnique(interfaces)...)
	s.Content = source.DigestOf(sortedUnique(contents)...)
	s.Refs = sortedUnique(refs)
	return s
}

func sortedUnique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
