package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type parameter struct {
	name                               int
	annotation, annotated              int
	value, end                         int
	variable, keywordsOnly, positional bool
}

func (x *reader) kind(p parameter) source.ParameterKind {
	name := x.text(p.name)
	switch {
	case p.variable && x.text(p.name-1) == "**":
		return source.Keywords
	case p.variable:
		return source.Variadic
	case p.keywordsOnly:
		return source.KeywordOnly
	case p.positional || strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__"):
		return source.Positional
	}
	return source.Plain
}

// parts returns the signature parts of a function or class. The signature omits the tokens in cuts.
func (x *reader) parts(h header, kind source.Kind, signature string, cuts []cut) source.Parts {
	l := source.NewLayout(signature, "@")
	spell := func(from, to int) string {
		for len(cuts) > 0 && cuts[0].from < from {
			cuts = cuts[1:]
		}
		var b strings.Builder
		if from < to {
			x.renderWithout(&b, from, to, cuts)
		}
		return b.String()
	}
	if x.is(h.first, h.end, "async") {
		l.Modifier("async")
	}
	at := h.head + 2
	if x.isOp(at, h.end, '[') {
		end := x.closes(at, h.end)
		for i := at + 1; i < end; i++ {
			from := i
			i = x.part(from, end)
			colon := x.topLevel(from, i, ":")
			l.TypeParam()
			l.Name(spell(from, colon))
			l.Type(spell(colon+1, i))
		}
		at = end + 1
	}
	if kind == source.Class {
		end := x.closes(at, h.end)
		for i := at + 1; i < end; i++ {
			from := i
			i = x.part(from, end)
			if eq := x.topLevel(from, i, "="); eq < i {
				l.Param(source.KeywordOnly)
				l.Name(spell(from, eq))
				l.Default(spell(eq+1, i))
			} else {
				l.Base(spell(from, i))
			}
		}
		return l.Parts()
	}
	list, at := x.parameters(at, h.end)
	for n, p := range list {
		k := x.kind(p)
		if n == 0 && kind == source.Method && !p.variable && !p.keywordsOnly && !strings.Contains(signature, "@staticmethod\n") {
			k = source.Receiver
		}
		l.Param(k)
		l.Name(x.text(p.name))
		l.Type(spell(p.annotation, p.annotated))
		l.Default(spell(p.value, p.end))
	}
	if x.is(at, h.end, "->") {
		l.Result(spell(at+1, h.end))
	}
	return l.Parts()
}

func (x *reader) assignedParts(a *assigned, signature string) source.Parts {
	l := source.NewLayout(signature)
	if a.annotation > 0 {
		var b strings.Builder
		x.render(&b, a.annotation, a.annotationEnd)
		l.Result(b.String())
	}
	l.Assigned()
	return l.Parts()
}

func (x *reader) part(i, to int) int {
	depth, lambdas := 0, 0
	for ; i < to; i++ {
		depth += x.depth(i)
		switch {
		case depth > 0:
		case x.is(i, to, "lambda"):
			lambdas++
		case x.isOp(i, to, ':') && lambdas > 0:
			lambdas--
		case x.isOp(i, to, ',') && lambdas == 0:
			return i
		}
	}
	return to
}

// parameters reads the bracketed parameters at token at and returns their end.
func (x *reader) parameters(at, to int) ([]parameter, int) {
	if !x.isOp(at, to, '(') {
		return nil, at
	}
	end := x.closes(at, to)
	list := x.list[:0]
	keywordsOnly := false
	for i := at + 1; i < end; {
		past := x.part(i, end)
		p := parameter{keywordsOnly: keywordsOnly}
		switch {
		case x.isOp(i, past, '*') || x.is(i, past, "**"):
			p.variable, keywordsOnly = true, true
			i++
		case x.isOp(i, past, '/'):
			for n := range list {
				list[n].positional = true
			}
		}
		if x.isName(i, past) {
			p.name = i
			i++
			if x.isOp(i, past, ':') {
				p.annotation = i + 1
				for depth := 0; i < past && (depth > 0 || !x.isOp(i, past, '=')); i++ {
					depth += x.depth(i)
				}
				p.annotated = i
			}
			if x.isOp(i, past, '=') {
				p.value, p.end = i+1, past
			}
			list = append(list, p)
		}
		i = past + 1
	}
	x.list = list
	return list, min(end+1, to)
}

func (x *reader) closes(i, to int) int {
	for depth := 0; i < to; i++ {
		x.meter.Step()
		if depth += x.depth(i); depth == 0 {
			return i
		}
	}
	return to
}

// isOp reports whether token i is before to and is the one-byte operator c.
func (x *reader) isOp(i, to int, c byte) bool {
	if i < 0 || i >= to {
		return false
	}
	t := x.toks[i]
	return t.kind == op && t.end-t.start == 1 && x.src[t.start] == c
}
