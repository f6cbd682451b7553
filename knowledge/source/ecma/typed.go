package ecma

import "github.com/causaldocs/causal/knowledge/source"

func (x *extractor) describe(d *declaration, e member) {
	d.words, d.call = span{From: e.from, To: e.key}, e.call
	if e.params < 0 {
		d.typ = x.annotation(span{From: e.key, To: e.head})
	}
}

// annotation returns the type after the name that a declaration begins with.
func (x *extractor) annotation(s span) span {
	for s.From = x.skip(s.From); s.From < s.To; s.From++ {
		if x.at(s.From).isPunct(':') {
			return span{From: s.From + 1, To: s.To}
		}
	}
	return span{}
}

// parenthesis returns the opening parenthesis of the parameters, after optional type parameters, or -1.
func (x *extractor) parenthesis(i int) int {
	if x.at(i).isPunct('<') {
		i = x.skipAngles(i)
	}
	if x.at(i).isPunct('(') {
		return i
	}
	return -1
}

func (x *extractor) parts(d declaration) source.Parts {
	l := source.NewLayout(d.signature, "@")
	for i := d.words.From; i < d.words.To; i++ {
		if x.at(i).is(kwModifier) || x.at(i).isKeyword(kGet) || x.at(i).isKeyword(kSet) || x.at(i).isPunct('*') {
			l.Modifier(x.text(i))
		}
	}
	switch {
	case d.kind == source.Enum:
		x.list(d.bases.From, d.bases.To-1, func(i int) int {
			l.Member()
			return x.parameterParts(l, i, x.skipExpression)
		})
	case d.kind == source.Class, d.kind == source.Interface, d.kind == source.Type:
		x.typeParameterParts(l, d.bases.From)
		x.baseParts(l, d.bases)
		switch d.kind {
		case source.Interface:
			l.Braced()
		case source.Type:
			l.Assigned()
		}
	case d.call == 0 || !d.typ.Empty():
		l.Result(x.render(d.typ.From, d.typ.To))
		l.Assigned()
	default:
		x.callParts(l, d.call)
	}
	return l.Parts()
}

func (x *extractor) baseParts(l *source.Layout, s span) {
	listed := false
	for i := s.From; i < s.To; {
		from := i
		for i < s.To && !x.at(i).isKeyword(kExtends) && !x.at(i).isKeyword(kImplements) && !x.at(i).isPunct(',') {
			if i = x.skip(i); x.at(i).isPunct('<') {
				i = x.skipAngles(i)
			}
		}
		if listed {
			l.Base(x.render(from, i))
		}
		i, listed = i+1, listed || !x.at(i).isPunct(',')
	}
}

func (x *extractor) callParts(l *source.Layout, i int) {
	if x.at(i).kind == tIdent {
		l.Param(source.Plain)
		l.Name(x.text(i))
		return
	}
	i = x.typeParameterParts(l, i)
	x.list(i, int(x.at(i).match), func(i int) int {
		i = x.memberModifiers(x.decorators(i), &member{})
		switch {
		case x.at(i).isPunct(pSpread):
			i++
			l.Param(source.Variadic)
		case x.textIs(i, "this"):
			l.Param(source.Receiver)
		default:
			l.Param(source.Plain)
		}
		return x.parameterParts(l, i, x.skipExpression)
	})
	if i = x.skip(i); x.at(i).isPunct(':') {
		l.Result(x.render(i+1, x.skipType(i+1)))
	}
}

// typeParameterParts adds the type parameters at i, if there are any, and returns their end.
func (x *extractor) typeParameterParts(l *source.Layout, i int) int {
	if !x.at(i).isPunct('<') {
		return i
	}
	end := x.skipAngles(i)
	x.list(i, end-1, func(i int) int {
		for x.at(i+1).kind == tIdent && x.at(i+1).id != kExtends {
			i++
		}
		l.TypeParam()
		return x.parameterParts(l, i, x.skipType)
	})
	return end
}

// list calls each with the first token of every element in the brackets at open and continues at the returned token.
func (x *extractor) list(open, end int, each func(i int) int) {
	for i := open + 1; i < end; i++ {
		for i = each(i); i < end && !x.at(i).isPunct(','); {
			i = x.skip(i)
		}
	}
}

// parameterParts adds the parts of a parameter, from its name on, and returns its end. past skips a default value.
func (x *extractor) parameterParts(l *source.Layout, i int, past func(int) int) int {
	from := i
	i = x.skip(i)
	l.Name(x.render(from, i))
	if x.at(i).isPunct('?') {
		l.Optional()
		i++
	}
	if x.at(i).isPunct(':') || x.at(i).isKeyword(kExtends) {
		from, i = i+1, x.skipType(i+1)
		l.Type(x.render(from, i))
	}
	if x.at(i).isPunct('=') {
		from, i = i+1, past(i+1)
		l.Default(x.render(from, i))
	}
	return i
}
