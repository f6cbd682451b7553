package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// maxValue limits the bytes of a constant's value in the signature and interface.
const maxValue = 80

// silent are annotations without meaning for callers.
var silent = map[string]bool{"Override": true, "SuppressWarnings": true}

// header returns the parts of d's signature: annotations, other modifiers, and the head with declarator and value.
func (p *parser) header(d decl) (notes, mods, parts []span) {
	var annotations []span
	for _, a := range p.annotations(d.mods) {
		annotations = append(annotations, a.span)
		if !silent[a.name] {
			notes = append(notes, a.span)
		}
	}
	mods = d.mods.Without(annotations)
	parts = append(parts, d.head)
	if d.declared.To > 0 {
		parts = append(parts, d.declared)
	}
	if p.showsValue(d) {
		parts = append(parts, d.value)
	}
	return notes, mods, parts
}

func (p *parser) showsValue(d decl) bool {
	if d.kind != source.Const || d.value.Empty() {
		return false
	}
	size := int32(0)
	for i := d.value.From + 1; i < d.value.To && size <= maxValue; i++ {
		size += p.toks[i].end - p.toks[i].start
	}
	return size <= maxValue
}

func (p *parser) signature(d decl) string {
	notes, mods, parts := p.header(d)
	var b strings.Builder
	for _, n := range notes {
		p.render(&b, n)
		b.WriteByte('\n')
	}
	if d.kind == source.Interface && p.kind(d.head.From-1) == '@' {
		p.render(&b, append(mods, span{From: d.head.From - 1, To: d.head.To})...)
		return p.shown(b.String())
	}
	p.render(&b, append(mods, parts...)...)
	if len(d.members) > 0 {
		b.WriteString(" {\n")
		for _, m := range d.members {
			b.WriteString("    ")
			p.render(&b, m)
			b.WriteString(",\n")
		}
		b.WriteByte('}')
	}
	return p.shown(b.String())
}

func (p *parser) render(b *strings.Builder, spans ...span) {
	last := int32(-1)
	before := int32(-1)
	for _, s := range spans {
		for i := s.From; i < s.To; i++ {
			if last >= 0 && p.spaced(before, last, i) {
				b.WriteByte(' ')
			}
			switch p.kind(i) {
			case block:
				b.WriteString(blockText(p.text(i)))
			case word:
				b.WriteString(p.name(i))
			default:
				b.WriteString(p.text(i))
			}
			before, last = last, i
		}
	}
}

var (
	noneBefore = [256]bool{',': true, ';': true, ')': true, ']': true, '.': true, '}': true, '[': true}
	noneAfter  = [256]bool{'(': true, '[': true, '.': true, '@': true, '{': true, '~': true, '!': true}
)

func (p *parser) spaced(x, a, b int32) bool {
	ka, kb := p.kind(a), p.kind(b)
	switch {
	case noneAfter[ka], noneBefore[kb]:
		return false
	case kb == '-' && p.isWord(a, "non") && p.isWord(b+1, "sealed"), ka == '-' && p.isWord(x, "non") && p.isWord(b, "sealed"):
		return false
	}
	if tight, ok := p.angles(a, b); ok {
		return !tight
	}
	if kb == operator && p.tightBefore(b) || ka == operator && p.tightAfter(x, a) {
		return false
	}
	switch {
	case kb == '(':
		return ka != word || p.text(a) == "switch"
	case ka == '-' || ka == '+':
		return !p.unary(x)
	case ka == '>' && kb == '>':
		return false
	}
	return true
}

func (p *parser) angles(a, b int32) (tight, ok bool) {
	ka, kb := p.kind(a), p.kind(b)
	switch {
	case ka == '<' && p.ends[a] > 0, kb == '>' && p.ends[b] > 0:
		return true, true
	case kb == '<' && p.ends[b] > 0:
		return ka != word || modifierBits[p.text(a)] == 0, true
	case ka == '>' && p.ends[a] > 0:
		return kb == '(' || kb == operator && p.text(b) == "...", true
	}
	return false, false
}

func (p *parser) tightBefore(i int32) bool {
	switch p.text(i) {
	case "...", "::", "++", "--":
		return true
	}
	return false
}

func (p *parser) tightAfter(x, i int32) bool {
	switch p.text(i) {
	case "::":
		return true
	case "++", "--":
		return p.unary(x)
	}
	return false
}

// unary reports whether an operator after token x has no left operand.
func (p *parser) unary(x int32) bool {
	switch p.kind(x) {
	case word, number, text, block, ')', ']', '}':
		return false
	}
	return true
}

// blockText removes a text block's insignificant indentation, which makes it independent of its column.
func blockText(s string) string {
	lines := strings.Split(s, "\n")
	shared := -1
	for i, line := range lines[1:] {
		body := strings.TrimLeft(line, " \t\f")
		if body == "" && i < len(lines)-2 {
			continue
		}
		if n := len(line) - len(body); shared < 0 || n < shared {
			shared = n
		}
	}
	lines[0] = strings.TrimRight(lines[0], " \t\f\r")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimRight(lines[i][min(shared, len(lines[i])):], " \t\f\r")
	}
	return strings.Join(lines, "\n")
}
