package rust

import "strings"

const (
	maxValue = 80 // bytes
	hidden   = "/* private fields */"
)

func (o *outline) signature(it *item) string {
	var b strings.Builder
	if it.scope.kind == inExtern {
		o.shown(&b, it.scope.attrs, it.scope.head)
	}
	o.shown(&b, it.attrs, it.first)
	switch it.form {
	case using:
		o.useSignature(&b, it)
	case macro:
		b.WriteString(o.render(it.rest, it.head))
		o.macroSignature(&b, it)
	case value:
		b.WriteString(o.headText(it))
		o.valueText(&b, it)
	case fields, cases:
		b.WriteString(o.dataHead(it))
		o.dataSignature(&b, it)
	default:
		b.WriteString(o.headText(it))
	}
	return b.String()
}

// shown writes the attributes that belong to a signature, one per line.
func (o *outline) shown(b *strings.Builder, i, end int) {
	for a := range o.attributesIn(i, end) {
		if shownAttributes[string(o.text(a.From))] && !o.is(a.From+1, "::") || o.is(a.From, "doc") && o.is(a.From+1, "(") && o.is(a.From+2, "hidden") {
			b.WriteString("#[" + o.render(a.From, a.To) + "]\n")
		}
	}
}

// headText renders the head, for a foreign item with its block's words: `pub unsafe extern "C" fn f()`.
func (o *outline) headText(it *item) string {
	if it.scope.kind != inExtern {
		return o.render(it.first, it.head)
	}
	parts := []string{o.render(it.first, it.rest), o.render(it.scope.head, it.scope.headEnd), o.render(it.rest, it.head)}
	if parts[0] == "" {
		parts = parts[1:]
	}
	return strings.Join(parts, " ")
}

func (o *outline) valueText(b *strings.Builder, it *item) {
	if !o.is(it.head, "=") {
		return
	}
	last := it.end - 1
	if int(o.toks[last].end-o.toks[it.head].start) > 16*maxValue {
		return
	}
	if v := o.renderValue(it.head+1, last); len(v) <= maxValue {
		b.WriteString(" = " + v)
	}
}

func (o *outline) useSignature(b *strings.Builder, it *item) {
	b.WriteString(o.render(it.first, it.rest))
	b.WriteString(" use " + it.path)
	if _, last := splitLast(it.path); last != it.ref {
		b.WriteString(" as " + it.ref)
	}
}

// rules lists the pattern ranges of the arms of a macro whose rules are in the bracket at i.
func (o *outline) rules(i int) []span {
	if o.class(i) != opener {
		return nil
	}
	var out []span
	pattern, end := true, int(o.toks[i].mate)
	for i++; i < end; i = o.after(i) {
		if o.class(i) != opener {
			continue
		}
		if pattern {
			out = append(out, span{From: i, To: o.after(i)})
		}
		pattern = !pattern
	}
	return out
}

func (o *outline) macroSignature(b *strings.Builder, it *item) {
	if o.class(it.head) != opener {
		return
	}
	b.WriteString(" {\n")
	for _, r := range o.rules(it.head) {
		b.WriteString("    " + o.render(r.From, r.To) + " => { … }\n")
	}
	b.WriteString("}")
}

type member struct {
	attrs, first, end int
	visible           bool
}

func (o *outline) members(i, end int, all bool) []member {
	var out []member
	for i < end {
		m := member{attrs: i, visible: all}
		i = o.attributes(end, i)
		m.first = i
		m.visible = m.visible || o.is(i, "pub")
		i = o.memberEnd(i, end)
		m.end = i
		if m.end > m.first && !o.toks[m.first].skip {
			out = append(out, m)
		}
		i++
	}
	return out
}

func (o *outline) memberEnd(i, end int) int {
	angles, assigned := 0, false
	for ; i < end; i = o.after(i) {
		if o.toks[i].class != punct {
			continue
		}
		switch string(o.text(i)) {
		case ",":
			if angles == 0 {
				return i
			}
		case "=":
			assigned = assigned || angles == 0
		case "<":
			if !assigned || o.is(i-1, "::") {
				angles++
			}
		case ">":
			angles = max(angles-1, 0)
		}
	}
	return end
}

func (o *outline) body(it *item) (i, end int, bracket byte) {
	at := it.head
	if !o.is(at, "{") {
		at = o.outside(it.label, it.head, "(")
	}
	if at >= it.end || o.class(at) != opener {
		return 0, 0, 0
	}
	return at + 1, int(o.toks[at].mate), o.src[o.toks[at].start]
}

func (o *outline) dataHead(it *item) string {
	i, _, bracket := o.body(it)
	if bracket == '(' {
		return o.render(it.first, i-1)
	}
	return o.render(it.first, it.head)
}

func (o *outline) dataSignature(b *strings.Builder, it *item) {
	i, end, bracket := o.body(it)
	switch {
	case bracket == 0:
	case bracket == '(':
		o.tupleSignature(b, o.members(i, end, false))
		if end+1 < it.head {
			b.WriteString(" " + o.render(end+1, it.head))
		}
	default:
		o.listSignature(b, o.members(i, end, it.form == cases))
	}
}

func (o *outline) memberText(m member) string {
	if at := o.outside(m.first, m.end, "="); at < m.end {
		return o.render(m.first, at) + " = " + o.renderValue(at+1, m.end)
	}
	return o.render(m.first, m.end)
}

func (o *outline) tupleSignature(b *strings.Builder, members []member) {
	b.WriteByte('(')
	for i, m := range members {
		if i > 0 {
			b.WriteString(", ")
		}
		if m.visible {
			b.WriteString(o.render(m.first, m.end))
		} else {
			b.WriteByte('_')
		}
	}
	b.WriteByte(')')
}

func (o *outline) listSignature(b *strings.Builder, members []member) {
	if len(members) == 0 {
		b.WriteString(" {}")
		return
	}
	b.WriteString(" {\n")
	private := false
	for _, m := range members {
		if !m.visible {
			private = true
			continue
		}
		var attrs strings.Builder
		o.shown(&attrs, m.attrs, m.first)
		for line := range strings.Lines(attrs.String()) {
			b.WriteString("    " + line)
		}
		b.WriteString("    " + o.memberText(m) + ",\n")
	}
	if private {
		b.WriteString("    " + hidden + "\n")
	}
	b.WriteString("}")
}
