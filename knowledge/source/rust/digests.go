package rust

import "github.com/causaldocs/causal/knowledge/source"

// Markers in front of the parts of a digest, so that none can be taken for a token.
const (
	markDoc    = "///"
	markHidden = "_"
	markAttr   = "#"
	markOwner  = "in"
	markBody   = "{}"
)

// frame frames the tokens of the file for digests: those that count and are no documentation.
func (o *outline) frame() {
	o.stream.Reset(len(o.toks), len(o.src))
	for i := range o.toks {
		o.stream.Mark()
		if t := &o.toks[i]; !t.skip && !t.documents() {
			o.stream.Parts = source.AppendPart(o.stream.Parts, o.src[t.start:t.end])
		}
	}
}

// content adds every token between i and end that counts, documentation in one spelling.
func (o *outline) content(h *source.Hasher, i, end int) {
	from := i
	for i < end {
		t := o.toks[i]
		if t.skip || !t.documents() {
			i++
			continue
		}
		o.visible(h, from, i)
		from = i
		for i < end && o.toks[i].class == t.class && !o.toks[i].skip {
			i++
		}
		h.Add(markDoc)
		h.Add(o.doc(from, i, t.class))
		from = i
	}
	o.visible(h, from, end)
}

// visible adds the tokens between i and end that are code.
func (o *outline) visible(h *source.Hasher, i, end int) { h.AddFramed(o.stream.Of(i, end)) }

// attributesDigest adds the attributes between i and end that a dependant may notice.
func (o *outline) attributesDigest(h *source.Hasher, i, end int) {
	for a, next, ok := o.nextAttribute(i, end); ok; a, next, ok = o.nextAttribute(next, end) {
		silent := silentAttributes[string(o.text(a.From))] && !(o.is(a.From, "doc") && o.is(a.From+1, "("))
		if !silent {
			h.Add(markAttr)
			o.visible(h, a.From, a.To)
		}
	}
}

// interfaceDigest covers what a dependant can see of an item by itself.
func (o *outline) interfaceDigest(h *source.Hasher, it *item) source.Digest {
	h.Reset()
	if it.scope.kind != inModule {
		h.Add(markOwner)
		h.Add(string(o.ownerDigest(it.scope)))
	}
	if it.scope.wrapper != "" {
		h.Add(markOwner)
		h.Add(it.scope.wrapper)
	}
	o.attributesDigest(h, it.attrs, it.first)
	switch it.form {
	case using:
		o.visible(h, it.first, it.rest)
		h.Add(it.path)
		h.Add(it.ref)
	case fields, cases:
		o.dataDigest(h, it)
	case macro:
		o.visible(h, it.first, it.head)
		for _, r := range o.rules(it) {
			o.visible(h, r.From, r.To)
		}
	case merged:
		for _, s := range it.seen() {
			o.visible(h, s.From, s.To)
		}
	default:
		o.visible(h, it.first, it.head)
		if it.form == value {
			o.visible(h, it.head, it.end)
		}
		if it.scope.kind == inTrait && o.class(it.head) == opener {
			h.Add(markBody) // an implementation may leave it out
		}
	}
	return h.Sum()
}

// ownerDigest is the digest of the head around members: their generics and bounds are declared there.
func (o *outline) ownerDigest(s *scope) source.Digest {
	if s.digest == "" {
		h := source.NewHasher()
		o.attributesDigest(h, s.attrs, s.head)
		if s.kind != inTrait {
			o.visible(h, s.head, s.headEnd)
		}
		s.digest = h.Sum()
	}
	return s.digest
}

// dataDigest covers the head, and the fields or variants that others can name. That some are hidden is visible, too.
func (o *outline) dataDigest(h *source.Hasher, it *item) {
	i, end, bracket := o.body(it)
	if bracket == 0 {
		o.visible(h, it.first, it.head)
		return
	}
	o.visible(h, it.first, min(i, it.head))
	private := false
	for _, m := range o.members(i, end, it.form == cases) {
		if !m.visible {
			private = true
			if bracket == '(' {
				h.Add(markHidden)
			}
			continue
		}
		o.attributesDigest(h, m.attrs, m.first)
		o.visible(h, m.first, m.end)
		h.Add(",")
	}
	if private {
		h.Add(markHidden)
	}
	if bracket == '(' {
		o.visible(h, end, it.head)
	}
}

// contentDigest covers all of an item: its documentation, its attributes, its tokens.
func (o *outline) contentDigest(h *source.Hasher, it *item) source.Digest {
	h.Reset()
	switch it.scope.kind {
	case inModule:
	default:
		h.Add(markOwner)
		h.Add(string(o.ownerDigest(it.scope)))
	}
	switch {
	case it.form == using:
		o.content(h, it.attrs, it.rest)
		h.Add(it.path)
		h.Add(it.ref)
	case it.kind == source.Namespace:
		o.content(h, it.attrs, it.head)
		h.Add(markDoc)
		h.Add(o.innerDoc(it.head))
	default:
		o.content(h, it.attrs, it.end)
	}
	return h.Sum()
}

// innerDoc is the doc comment at the start of the body that opens at i; empty when there is no body.
func (o *outline) innerDoc(i int) string {
	if o.class(i) != opener {
		return ""
	}
	return o.doc(i+1, o.innerEnd(i+1), innerDoc)
}

// innerEnd is the end of the inner doc comments and attributes that start at i.
func (o *outline) innerEnd(i int) int {
	for i < len(o.toks) {
		switch {
		case o.toks[i].class == innerDoc || o.toks[i].class == directive:
			i++
		case o.is(i, "#") && o.is(i+1, "!") && o.is(i+2, "["):
			i = o.after(i + 2)
		default:
			return i
		}
	}
	return i
}
