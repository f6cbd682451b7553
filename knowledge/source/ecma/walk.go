package ecma

import kernel "github.com/causaldocs/causal/knowledge/source/token"

type span = kernel.Span[int]

// endToken is returned by at after the last token.
var endToken = token{kind: tPunct, match: -1, flags: fNewline}

func (x *extractor) at(i int) token {
	x.meter.Step()
	if i >= 0 && i < len(x.t) {
		return x.t[i]
	}
	return endToken
}

func (x *extractor) text(i int) string {
	t := x.at(i)
	return string(x.src[t.off:t.end])
}

func (x *extractor) textIs(i int, s string) bool {
	t := x.at(i)
	return string(x.src[t.off:t.end]) == s
}

func (x *extractor) skip(i int) int {
	x.meter.Step()
	if m := int(x.at(i).match); m > i {
		return m + 1
	}
	return i + 1
}

// longestAngle bounds the search for the > of a type argument list, in tokens; shortAngle applies after many failed
// searches.
const (
	longestAngle = 4000
	shortAngle   = 100
)

// skipAngles skips the type parameters or arguments at i, or only the < if they are not closed.
func (x *extractor) skipAngles(i int) int {
	depth, limit := 0, longestAngle
	if x.misses > shortAngle {
		limit = shortAngle
	}
	for j := i; j < min(len(x.t), i+limit); {
		t := &x.t[j]
		switch {
		case t.isPunct('<') && !t.has(fJSX):
			depth++
		case t.isPunct('>') && !t.has(fJSX):
			if depth--; depth == 0 {
				return j + 1
			}
		case t.isPunct(';'), t.kind == tPunct && t.match >= 0 && int(t.match) < j:
			x.misses++
			return i + 1
		}
		j = x.skip(j)
	}
	x.misses++
	return i + 1
}

// skipExpression skips the expression at i: up to a comma, a semicolon, an enclosing bracket, or a line break that
// ends the statement.
func (x *extractor) skipExpression(i int) int {
	start := i
	for i < len(x.t) {
		t := x.t[i]
		if t.kind == tPunct {
			switch {
			case t.id == ',' || t.id == ';':
				return i
			case t.match >= 0 && int(t.match) < i && !t.has(fJSX):
				return i
			case t.id == '<' && t.match < 0:
				if end := x.typeArguments(i); end > i {
					if !x.javascript && x.at(i-1).has(fOperand) && x.startsAnew(end) {
						return end
					}
					i = end
					continue
				}
			}
		}
		if i > start && x.breaks(i) {
			return i
		}
		i = x.skip(i)
	}
	return i
}

// angleEnd returns the end of the type parameters or arguments at i, or 0 if < is an operator.
func (x *extractor) angleEnd(i int) int {
	end := x.skipAngles(i)
	if end == i+1 {
		return 0
	}
	for j := i + 1; j < end; j = x.skip(j) {
		t := x.t[j]
		if t.kind == tPunct && (t.id == pBinary || t.id == pAssign || t.id == '+' || t.id == '/' || t.id == pIncrement) {
			return 0
		}
	}
	return end
}

// isBody reports whether the { at i starts a function body, which is not part of an interface.
func (x *extractor) isBody(i int) bool {
	t := x.t[i]
	if t.flags&(fBlock|fClass) != fBlock || t.match <= int32(i) || !t.isPunct('{') {
		return false
	}
	if !x.at(i - 1).isPunct(pArrow) {
		return true
	}
	first, second := x.at(i+1), x.at(i+2)
	if first.isPunct('[') {
		second = x.at(x.skip(i + 1))
	}
	member := first.kind == tIdent || first.kind == tString || first.isPunct('[')
	return !(member && (second.isPunct(':') || second.isPunct('?') && x.at(i+3).isPunct(':')) || first.isKeyword(kReadonly))
}

// typeArguments returns the end of the type arguments at i if they are valid in an expression there, or 0.
func (x *extractor) typeArguments(i int) int {
	end := x.angleEnd(i)
	if prev := x.at(i - 1); end == 0 || prev.kind != tIdent && !prev.has(fOperand) {
		return end // type parameters, or not of a type
	}
	switch t := x.at(end); {
	case t.kind == tTemplate, t.kind == tTemplateHead, t.has(fNewline):
		return end
	case t.kind == tPunct:
		switch t.id {
		case '(', ')', '[', ']', ',', ';', ':', '.', '{', '}', '|', '&', '?', '=', pArrow, pOptional, pBinary:
			return end
		}
	case t.is(kwInfix):
		return end
	}
	return 0
}

// breaks reports whether the line break before token i ends the statement.
func (x *extractor) breaks(i int) bool {
	return i > 0 && x.startsAnew(i) && x.endsOperand(i-1, x.at(i))
}

// startsAnew reports whether token i starts a line and continues nothing before it.
func (x *extractor) startsAnew(i int) bool {
	t := x.at(i)
	return t.has(fNewline) && (!continues(t, x.at(i-1)) || x.namesMember(i))
}

// namesMember reports whether a word at the start of a line is a member name, as in `in?: string`, rather than an
// operator.
func (x *extractor) namesMember(i int) bool {
	next := x.at(i + 1)
	return x.at(i).is(kwInfix) && x.at(i).has(fNewline) && (next.isPunct(':') || next.isPunct('?') && x.at(i+2).isPunct(':'))
}

// endsOperand reports whether an expression or a type can end with token i when next is on another line.
func (x *extractor) endsOperand(i int, next token) bool {
	t := x.t[i]
	switch t.kind {
	case tIdent:
		return keywordClass[t.id]&(kwPrefix|kwInfix) == 0 || x.afterDot(i)
	case tPunct:
		switch t.id {
		case ')', ']', '}':
			return true
		case '>':
			return t.has(fJSX) || next.is(kwHead) || next.isKeyword(kDeclare) || next.isKeyword(kType) ||
				next.isKeyword(kAsync) || next.isKeyword(kAbstract) || next.isPunct('@')
		}
		return t.has(fOperand)
	case tTemplateHead, tTemplateMiddle:
		return false
	}
	return true
}

func (x *extractor) afterDot(i int) bool {
	prev := x.at(i - 1)
	return prev.isPunct('.') || prev.isPunct(pOptional)
}

// continues reports whether a token at the start of a line continues the expression before it.
func continues(t, prev token) bool {
	switch t.kind {
	case tIdent:
		return keywordClass[t.id]&kwInfix != 0
	case tTemplate, tTemplateHead, tTemplateTail, tTemplateMiddle:
		return true
	case tPunct:
		switch t.id {
		case '{':
			return prev.isPunct(')')
		case '@', '#', '!', '~', '}', pIncrement, pSpread:
			return false
		case '<':
			return !t.has(fJSX)
		}
		return true
	}
	return false
}

func (x *extractor) skipStatement(i int) int {
	start := i
	for i < len(x.t) {
		t := x.t[i]
		if t.isPunct(';') {
			return i + 1
		}
		if i > start && (x.breaks(i) || x.afterBlock(i)) {
			return i
		}
		if t.kind == tPunct && t.match >= 0 && int(t.match) < i && !t.has(fJSX) && i > start {
			return i
		}
		i = x.skip(i)
	}
	return i
}

// afterBlock reports whether token i starts a statement directly after another statement's block.
func (x *extractor) afterBlock(i int) bool {
	prev := x.t[i-1]
	return prev.isPunct('}') && !prev.has(fOperand) && x.t[i].is(kwHead) && !x.t[i].isKeyword(kWhile)
}
