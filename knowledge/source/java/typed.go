package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (p *parser) parts(d decl, signature string) source.Parts {
	at := d.head.From
	l := source.NewLayout(signature, "@")
	_, mods, _ := p.header(d)
	l.Modifier(strings.Fields(p.spell(mods...))...)
	switch {
	case isType(d.kind):
		word := p.text(at)
		if p.kind(at-1) == '@' {
			word = "@" + word
		}
		l.Word(word)
		p.typeParts(l, d)
	case d.declared.To > 0:
		l.Result(p.spell(d.head))
		l.Result(p.spell(span{From: d.declared.From + 1, To: d.declared.To}))
		if p.showsValue(d) {
			l.Value(p.spell(span{From: d.value.From + 1, To: d.value.To}))
		}
	case d.components > 0:
		at = p.typeParameters(l, at)
		l.Result(p.spell(span{From: at, To: d.components - 1}))
		p.parameters(l, d.components)
		for i := p.ends[d.components]; i < d.head.To; i++ {
			if p.isWord(i, "default") {
				l.Value(p.spell(span{From: i + 1, To: d.head.To}))
			}
		}
	}
	return l.Parts()
}

func (p *parser) spell(spans ...span) string {
	var b strings.Builder
	p.render(&b, spans...)
	return p.shown(b.String())
}

func (p *parser) typeParts(l *source.Layout, d decl) {
	at := p.typeParameters(l, d.head.From+2)
	if d.kind == source.Record && d.components > 0 {
		p.parameters(l, d.components)
		at = p.ends[d.components]
	}
	for at < d.head.To && !p.isWord(at, "permits") {
		if p.isWord(at, "extends") || p.isWord(at, "implements") || p.kind(at) == ',' {
			from := at + 1
			at = p.nextOf(from, d.head.To, "extends", "implements", "permits")
			l.Base(p.spell(span{From: from, To: at}))
			continue
		}
		at++
	}
	for _, m := range d.members {
		l.Member()
		l.Name(p.name(m.To - 1))
	}
}

func (p *parser) nextOf(i, end int32, words ...string) int32 {
	for ; i < end; i = max(i+1, p.ends[i]) {
		if p.kind(i) == ',' {
			return i
		}
		for _, w := range words {
			if p.isWord(i, w) {
				return i
			}
		}
	}
	return end
}

func (p *parser) typeParameters(l *source.Layout, at int32) int32 {
	if p.kind(at) != '<' || p.ends[at] == 0 {
		return at
	}
	end := p.ends[at]
	for i := at + 1; i < end-1; i++ {
		for p.kind(i) == '@' {
			i = p.annotationEnd(i)
		}
		from := i
		l.TypeParam()
		l.Name(p.name(from))
		if i = p.nextOf(from, end-1); p.isWord(from+1, "extends") {
			l.Type(p.spell(span{From: from + 2, To: i}))
		}
	}
	return end
}

func (p *parser) parameters(l *source.Layout, open int32) {
	end := p.ends[open] - 1
	for i := open + 1; i < end; i++ {
		for p.kind(i) == '@' || p.isWord(i, "final") {
			if i++; p.kind(i-1) == '@' {
				i = p.annotationEnd(i - 1)
			}
		}
		from := i
		i = p.nextOf(from, end)
		name := i - 1
		for name > from && p.kind(name) != word {
			name--
		}
		kind := source.Plain
		switch {
		case p.isWord(name, "this"):
			kind = source.Receiver
		case p.kind(name-1) == operator && p.text(name-1) == "...":
			kind = source.Variadic
		}
		l.Param(kind)
		l.Type(p.spell(span{From: from, To: name}))
		l.Name(p.name(name))
		l.Type(p.spell(span{From: name + 1, To: i}))
	}
}
