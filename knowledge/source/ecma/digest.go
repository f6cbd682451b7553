package ecma

import "github.com/causaldocs/causal/knowledge/source"

func (x *extractor) frame() {
	x.stream.Reset(len(x.t), len(x.src))
	for i := range x.t {
		x.stream.Mark()
		t := &x.t[i]
		switch {
		case t.kind == tPunct && (t.off == t.end || (t.id == ',' || t.id == '|' || t.id == '&') && x.optional(i)):
			continue
		case t.kind == tText:
			x.stream.Parts = source.AppendPart(x.stream.Parts, normalText(x.src[t.off:t.end]))
			continue
		}
		x.stream.Parts = source.AppendPart(x.stream.Parts, x.src[t.off:t.end])
		if t.kind == tIdent && keywordClass[t.id]&kwLine != 0 && x.at(i+1).has(fNewline) ||
			t.kind == tPunct && t.id == pIncrement && t.has(fNewline) {
			x.stream.Parts = source.AppendPart(x.stream.Parts, "\n")
		}
	}
}

// hash adds the tokens of s to the hasher, optionally without function bodies.
func (x *extractor) hash(s span, bodies bool) {
	x.meter.Steps(max(s.To-s.From, 0))
	for i := s.From; !bodies && i < min(s.To, len(x.t)); i++ {
		if t := &x.t[i]; t.flags&fBlock != 0 && x.isBody(i) {
			x.h.AddFramed(x.stream.Of(s.From, i))
			i = int(t.match)
			s.From = i + 1
		}
	}
	x.h.AddFramed(x.stream.Of(s.From, s.To))
}

// optional reports whether a separator only serves the layout: a comma before a closing bracket, or the leading
// operator of a union.
func (x *extractor) optional(i int) bool {
	prev, next := x.at(i-1), x.at(i+1)
	if x.t[i].id == ',' {
		closes := next.isPunct(')') || next.isPunct(']') || next.isPunct('}') || next.isPunct('>')
		return closes && !prev.isPunct(',') && !prev.isPunct('[')
	}
	return prev.isPunct('=') || prev.isPunct(':') || prev.isPunct('(') || prev.isPunct('<') || prev.isPunct(pArrow)
}

// whole reports whether braces in a declaration hold members rather than a function body.
func (d declaration) whole() bool {
	return d.kind == source.Interface || d.kind == source.Type || d.kind == source.Enum
}

func (x *extractor) digestInterface(d declaration) source.Digest {
	x.h.Reset()
	x.h.Add(string(d.kind))
	x.h.Add(d.name)
	for _, ref := range d.refs {
		x.h.Add(ref)
	}
	if d.refs == nil {
		for _, s := range d.visible {
			x.hash(s, d.whole())
			x.h.Add("")
		}
	}
	return x.h.Sum()
}

func (x *extractor) digestContent(d declaration, doc string) (content, code source.Digest) {
	hash := func(documented bool) (digest source.Digest, inner bool) {
		x.h.Reset()
		if documented {
			x.h.Add(doc)
		} else {
			x.h.Add("")
		}
		x.h.Add(d.name)
		for _, ref := range d.refs {
			x.h.Add(ref)
		}
		for _, s := range d.content {
			x.hash(s, true)
			if documented && d.inner && x.innerDocs(s) {
				inner = true
			}
		}
		return x.h.Sum(), inner
	}
	content, inner := hash(true)
	if doc == "" && !inner {
		return content, ""
	}
	code, _ = hash(false)
	return content, code
}

// innerDocs adds the documentation comments inside s to the hasher and reports whether it found any.
func (x *extractor) innerDocs(s span) (some bool) {
	for i := x.firstDoc(s.From + 1); i < len(x.l.docs) && int(x.l.docs[i].next) < s.To; i++ {
		c := x.l.docs[i]
		x.h.Add(docText(x.src[c.off:c.end]))
		some = true
	}
	return some
}

func (x *extractor) digestFile(f source.File) source.Digest {
	x.h.Reset()
	x.h.Add(f.Doc)
	for _, d := range x.l.directives {
		x.h.AddBytes(x.src[d.off:d.end])
	}
	for _, s := range f.Symbols {
		if s.Doc != "" {
			x.h.Add(s.Name)
			x.h.Add(s.Doc)
		}
	}
	for _, s := range x.documented {
		x.innerDocs(s)
	}
	x.h.Add("")
	x.hash(span{From: 0, To: len(x.t)}, true)
	return x.h.Sum()
}
