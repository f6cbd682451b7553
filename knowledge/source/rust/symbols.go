package rust

import (
	"bytes"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (o *outline) symbols() []source.Symbol {
	known := make(map[string]int, len(o.items))
	for i, it := range o.items {
		if _, ok := known[it.name]; !ok {
			known[it.name] = i
		}
	}
	impls := o.implementations(known)
	h := source.NewHasher()
	group := map[string][]source.Symbol{}
	for _, it := range o.items {
		s := o.symbol(h, it, known)
		s.Refs = source.Unique(append(s.Refs, impls[it.name]...))
		group[it.name] = append(group[it.name], s)
	}
	out := make([]source.Symbol, 0, len(known))
	for i, it := range o.items {
		if known[it.name] == i {
			out = append(out, merge(group[it.name]))
		}
	}
	o.hideMembers(out, known)
	return out
}

// implementations maps each type of the file to the symbols of its trait impls.
func (o *outline) implementations(known map[string]int) map[string][]string {
	out := map[string][]string{}
	for _, it := range o.items {
		if it.form != merged {
			continue
		}
		owner, _, _ := strings.Cut(it.name[len(it.scope.prefix):], ".<")
		owner = it.scope.prefix + owner
		if _, ok := known[owner]; ok {
			out[owner] = append(out[owner], it.name)
		}
	}
	return out
}

// hideMembers clears Exported for members of unexported types.
func (o *outline) hideMembers(symbols []source.Symbol, known map[string]int) {
	exported := make(map[string]bool, len(symbols))
	for _, s := range symbols {
		exported[s.Name] = s.Exported
	}
	for i, s := range symbols {
		if at := known[s.Name]; o.items[at].scope.kind != inImpl {
			continue
		}
		owner := s.Name[:strings.LastIndexByte(s.Name, '.')]
		if visible, ok := exported[owner]; ok && !visible {
			symbols[i].Exported = false
		}
	}
}

func (o *outline) symbol(h *source.Hasher, it *item, known map[string]int) source.Symbol {
	first, last := o.toks[it.first], o.toks[max(it.end-1, it.first)]
	s := source.Symbol{
		Name: it.name, Kind: it.kind, Exported: it.exported,
		Signature:  o.signature(it),
		Doc:        o.itemDoc(it),
		Deprecated: o.deprecation(it.attrs, it.first),
		Line:       int(first.line),
		Interface:  o.interfaceDigest(h, it),
		Refs:       o.references(it, known),
		Guard:      o.guard(it),
	}
	s.Type, s.Content = o.parts(it, s.Signature), o.contentDigest(h, it)
	if it.form == using {
		s.Line = int(o.toks[it.label].line)
		last = o.toks[it.label]
	}
	s.End = max(s.Line, int(last.line)+bytes.Count(o.src[last.start:last.end], []byte{'\n'}))
	return s
}

func (o *outline) itemDoc(it *item) string {
	doc := o.doc(it.attrs, it.first, outerDoc)
	if it.kind != source.Namespace {
		return doc
	}
	inner := o.innerDoc(it.head)
	if doc == "" || inner == "" {
		return doc + inner
	}
	return doc + "\n\n" + inner
}

// merge merges declarations with the same name, such as a module and a function. The kind is that of the first
// exported one.
func merge(parts []source.Symbol) source.Symbol {
	if len(parts) == 1 {
		return parts[0]
	}
	s := parts[max(slices.IndexFunc(parts, func(p source.Symbol) bool { return p.Exported }), 0)]
	s.Line, s.End = parts[0].Line, parts[0].End
	seen := map[string]bool{}
	var signatures, interfaces, contents, refs []string
	var conditions guards
	for i, p := range parts {
		if !seen[p.Signature] {
			seen[p.Signature] = true
			signatures = append(signatures, p.Signature)
			if s.Type = s.Type.Join(p.Type); i == 0 {
				s.Type = p.Type
			}
		}
		interfaces = append(interfaces, string(p.Interface))
		contents = append(contents, string(p.Content))
		refs = append(refs, p.Refs...)
		conditions.add(p.Guard)
		s.Exported = s.Exported || p.Exported
		if s.Doc == "" {
			s.Doc = p.Doc
		}
		if p.Deprecated == "" {
			s.Deprecated = ""
		}
	}
	s.Signature = strings.Join(signatures, "\n")
	s.Interface, s.Content = source.DigestOf(interfaces...), source.DigestOf(contents...)
	s.Refs = source.Unique(refs)
	s.Guard = conditions.guard()
	return s
}
