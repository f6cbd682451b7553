package ecma

import (
	"strings"
	"unicode/utf8"
)

// renderer writes tokens with canonical spacing.
type renderer struct {
	x        *extractor
	out      []byte
	prev     int   // last written token, -1 initially
	angles   []int // closing > of the open type brackets
	nesting  []level
	opened   int  // last < written as a type bracket
	closed   int  // its >
	optional bool // last token was the ? of an optional name
	unary    bool // last token was a prefix operator
	member   bool // writes a member of a type or class
}

// level is an open bracket with its number of pending conditional operators.
type level struct {
	brace      bool
	conditions int
}

func (x *extractor) render(from, to int) string { return x.renderAs(false, span{From: from, To: to}) }

func (x *extractor) renderAs(member bool, spans ...span) string {
	r := &x.renderer
	*r = renderer{x: x, member: member, prev: -1, opened: -1, closed: -1, out: r.out[:0], angles: r.angles[:0], nesting: append(r.nesting[:0], level{})}
	for _, s := range spans {
		for i := s.From; i < min(s.To, len(x.t)); i++ {
			x.meter.Step()
			if x.t[i].virtual() || x.layoutOnly(i) {
				continue
			}
			i = r.write(i)
		}
	}
	return string(r.out)
}

func valid(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

func (x *extractor) layoutOnly(i int) bool {
	t := x.t[i]
	if t.kind != tPunct {
		return false
	}
	switch t.id {
	case ',', '|', '&':
		return x.optional(i)
	case ';':
		return x.at(i + 1).isPunct('}')
	}
	return false
}

// write writes token i and returns the last token that it consumed.
func (r *renderer) write(i int) int {
	t := r.x.t[i]
	top := &r.nesting[len(r.nesting)-1]
	if r.prev >= 0 && top.brace && t.has(fNewline) && r.separates(i) {
		r.out = append(r.out, ';')
	}
	optional, conditional := false, false
	bracket := false
	switch {
	case t.isPunct('<') && !t.has(fJSX):
		if end := r.x.angleEnd(i); end > 0 {
			r.angles = append(r.angles, end-1)
			bracket = true
		}
	case t.isPunct('>') && len(r.angles) > 0 && r.angles[len(r.angles)-1] == i:
		r.angles = r.angles[:len(r.angles)-1]
		bracket = true
	case t.isPunct('?'):
		optional = r.isOptional(i)
		if !optional {
			top.conditions++
		}
		conditional = !optional
	case t.isPunct(':') && top.conditions > 0 && !r.optional:
		top.conditions--
		conditional = true
	}
	if r.prev >= 0 && r.spaced(i, t, bracket, conditional) {
		r.out = append(r.out, ' ')
	}
	r.unary = t.kind == tPunct && (t.id == '-' || t.id == '+' || t.id == '~' || t.id == '!') && !r.operandBefore()
	r.optional = optional
	if bracket && t.id == '>' {
		r.closed = i
	} else if bracket {
		r.opened = i
	}
	if t.has(fBlock) && r.x.isBody(i) {
		r.out = append(r.out, "{ … }"...)
		r.prev = int(t.match)
		return r.prev
	}
	r.text(t)
	r.nest(t)
	r.prev = i
	return i
}

func (r *renderer) text(t token) {
	raw := r.x.src[t.off:t.end]
	if t.kind == tText {
		raw = normalText(raw)
	}
	if utf8.Valid(raw) {
		r.out = append(r.out, raw...)
	} else {
		r.out = append(r.out, valid(raw)...)
	}
}

func (r *renderer) nest(t token) {
	if t.kind != tPunct {
		return
	}
	switch t.id {
	case '(', '[', '{':
		r.nesting = append(r.nesting, level{brace: t.id == '{'})
	case ')', ']', '}':
		if len(r.nesting) > 1 {
			r.nesting = r.nesting[:len(r.nesting)-1]
		}
	}
}

// separates reports whether the line break before token i separates two type members.
func (r *renderer) separates(i int) bool {
	prev, t := r.x.t[r.prev], r.x.t[i]
	if t.isPunct('[') || t.isPunct('(') {
		return !prev.isPunct('{') && !prev.isPunct(';') && !prev.isPunct(',') && r.operandBefore()
	}
	return !continues(t, prev) && !t.isPunct('}') && r.operandBefore()
}

func (r *renderer) operandBefore() bool {
	if r.prev < 0 {
		return false
	}
	prev := r.x.t[r.prev]
	return r.prev == r.closed || prev.has(fOperand) && !prev.is(kwInfix|kwPrefix|kwSpaced) ||
		prev.isPunct(')') || prev.isPunct('}') || prev.kind == tTemplateTail
}

// isOptional distinguishes the mark of an optional name from a conditional operator.
func (r *renderer) isOptional(i int) bool {
	next := r.x.at(i + 1)
	if next.kind != tPunct {
		return false
	}
	switch next.id {
	case ':', ')', ',', ']', ';', '}', '<':
		return true
	case '(':
		after := r.x.at(r.x.skip(i + 1))
		top := r.nesting[len(r.nesting)-1].brace || r.member && len(r.nesting) == 1
		return after.isPunct(':') && top || after.isPunct(';')
	}
	return next.virtual()
}

// Operators without a space before or after them.
const (
	tightBefore = ",;)].?"
	tightAfter  = "([.@#~"
)

// spaced reports whether a space precedes t.
func (r *renderer) spaced(i int, t token, bracket, conditional bool) bool {
	prev := r.x.t[r.prev]
	switch {
	case prev.kind == tTemplateHead || prev.kind == tTemplateMiddle || t.kind == tTemplateMiddle || t.kind == tTemplateTail:
		return false
	case prev.kind == tPunct && (prev.id == pSpread || prev.id == pOptional || r.unary || prev.id < 128 && strings.IndexByte(tightAfter, prev.id) >= 0):
		return false
	case r.prev == r.opened || prev.isPunct('<') && prev.has(fJoint):
		return false
	case conditional:
		return true
	case t.kind == tTemplate || t.kind == tTemplateHead:
		return !(prev.kind == tIdent && prev.id == kNone || r.prev == r.closed)
	case prev.isPunct('*') && (r.x.at(r.prev-1).is(kwModifier) || !r.x.at(r.prev-1).has(fOperand)):
		return false
	case t.kind != tPunct:
		return !prev.isPunct('!') || prev.has(fOperand)
	}
	return r.spacedPunct(t, prev, bracket)
}

func (r *renderer) spacedPunct(t, prev token, bracket bool) bool {
	word := prev.kind == tIdent && (keywordClass[prev.id]&kwSpaced == 0 || r.x.afterDot(r.prev)) || prev.kind == tPrivate ||
		prev.kind == tString || prev.kind == tTemplate || prev.kind == tTemplateTail || prev.isPunct(')') || prev.isPunct(']') || r.prev == r.closed
	switch t.id {
	case ':', pOptional:
		return false
	case '(':
		return !word && !r.optional && !(prev.isPunct('!') && prev.has(fOperand))
	case '[':
		return !word && !prev.isPunct('}') && !r.optional
	case '{':
		return true
	case '}':
		return !prev.isPunct('{')
	case '<':
		return !bracket && !prev.has(fJoint) || bracket && !word && !r.optional
	case '>':
		return !bracket && !prev.has(fJoint)
	case '=':
		return !(prev.has(fJoint) && r.prev != r.closed)
	case '!', pIncrement:
		return !t.has(fOperand) || t.has(fNewline)
	case '*':
		return !prev.isKeyword(kFunction)
	case '-', '+':
		return !prev.isPunct(']')
	}
	return t.id >= 128 || strings.IndexByte(tightBefore, t.id) < 0
}

// renderDecorated writes one decorator per line, then the rest.
func (x *extractor) renderDecorated(decorators, rest span) string {
	var lines []string
	for i := decorators.From; i < decorators.To; {
		end := min(x.decorator(i), decorators.To)
		lines = append(lines, x.render(i, end))
		i = max(end, i+1)
	}
	return strings.Join(append(lines, x.renderAs(true, rest)), "\n")
}

// renderMembers writes a declaration with one member per line.
func (x *extractor) renderMembers(from, open int) string {
	var out strings.Builder
	x.members(open, func(e member) {
		out.WriteString("\n  " + strings.ReplaceAll(x.renderDecorated(span{From: e.start, To: e.from}, span{From: e.from, To: e.head}), "\n", "\n  ") + ";")
	})
	return x.braced(from, open, out.String())
}

func (x *extractor) braced(from, open int, members string) string {
	if members == "" {
		return x.render(from, open) + " {}"
	}
	return x.render(from, open) + " {" + members + "\n}"
}

func (x *extractor) mapped(open int) bool {
	for i := open + 1; i < open+5; i++ {
		if x.at(i).isPunct('[') {
			return x.at(i + 2).isKeyword(kIn)
		}
	}
	return false
}

func (x *extractor) renderEnum(from, open int) string {
	var out strings.Builder
	x.list(open, int(x.t[open].match), func(i int) int {
		end := x.skipExpression(i)
		out.WriteString("\n  " + x.render(i, end) + ",")
		return end
	})
	return x.braced(from, open, out.String())
}
