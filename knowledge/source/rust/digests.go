package rust

import "github.com/causaldocs/causal/knowledge/source"

// Markers before the parts of a digest, to distinguish these from tokens.
const (
	markDoc    = "///"
	markHidden = "_"
	markAttr   = "#"
	markOwner  = "in"
	markBody   = "{}"
)

func (o *outline) frame() {
	o.stream.Reset(len(o.toks), len(o.src))
	for i := range o.toks {
		o.stream.Mark()
		if t := &o.toks[i]; !t.skip && !t.documents() {
			o.stream.Parts = source.AppendPart(o.stream.Parts, o.src[t.start:t.end])
		}
	}
}

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

func (o *outline) visible(h *source.Hasher, i, end int) { h.AddFramed(o.stream.Of(i, end)) }

func (o *outline) attributesDigest(h *source.Hasher, i, end int) {
	for a := range o.attributesIn(i, end) {
		silent := silentAttributes[string(o.text(a.From))] && !(o.is(a.From, "doc") && o.is(a.From+1, "("))
		if !silent {
			h.Add(markAttr)
			o.visible(h, a.From, a.To)
		}
	}
}

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
		for _, r := range o.rules(it.head) {
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
			h.Add(markBody) // a default body: implementations may omit the method
		}
	}
	return h.Sum()
}

// ownerDigest digests the head around members, which declares their generics and bounds.
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

// dataDigest digests the head and the visible fields or variants. Whether there are hidden ones is part of the
// interface.
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

func (o *outline) innerDoc(i int) string {
	if o.class(i) != opener {
		return ""
	}
	return o.doc(i+1, o.innerEnd(i+1), innerDoc)
}

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
