package ecma

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// predeclared lists types and values that no module declares.
var predeclared = lazy.Set(`any bigint boolean false never null number object string symbol true undefined unknown`)

// manyBound is the size from which a set is faster than a list.
const manyBound = 16

// references returns the names used by the interface of d, except those that it binds.
func (x *extractor) references(d declaration) []string {
	if d.refs != nil {
		return source.Unique(slices.Clone(d.refs))
	}
	var refs []string
	bound := append(x.bound[:0], d.name[strings.LastIndexByte(d.name, '.')+1:])
	bound = append(bound, d.bound...)
	hidden := slices.Clone(d.hidden)
	for _, open := range d.params {
		hidden = append(hidden, x.parameterNames(open)...)
	}
	slices.SortFunc(hidden, func(a, b span) int { return a.From - b.From })
	for _, s := range d.visible {
		bound = append(bound, x.typeParameters(s, d.name)...)
		for i := s.From; i < min(s.To, len(x.t)); {
			x.meter.Step()
			for len(hidden) > 0 && hidden[0].From < i {
				hidden = hidden[1:]
			}
			if len(hidden) > 0 && hidden[0].From == i {
				i = hidden[0].To
				continue
			}
			if x.t[i].kind != tIdent && x.t[i].flags&fBlock == 0 {
				i++
				continue
			}
			if x.t[i].has(fBlock) && !d.whole() && x.isBody(i) {
				i = x.skip(i)
				continue
			}
			if x.binds(i) {
				bound = append(bound, x.text(i))
				i++
				continue
			}
			end := x.chain(i)
			if end > i && x.refers(i, end) && !(end == i+1 && predeclared[string(x.src[x.t[i].off:x.t[i].end])]) {
				refs = append(refs, x.dotted(i, end))
			}
			i = max(end, i+1)
		}
	}
	own := func(ref string) bool { return slices.Contains(bound, ref) }
	if len(bound) > manyBound {
		set := make(map[string]bool, len(bound))
		for _, name := range bound {
			set[name] = true
		}
		own = func(ref string) bool { return set[ref] }
	}
	x.bound = bound
	return source.Unique(slices.DeleteFunc(refs, own))
}

// binds reports whether a type binds the name at i: `infer U`, `[K in T]`.
func (x *extractor) binds(i int) bool {
	if x.t[i].kind != tIdent {
		return false
	}
	prev := x.at(i - 1)
	return prev.isKeyword(kInfer) || prev.isPunct('[') && x.at(i+1).isKeyword(kIn)
}

func (x *extractor) chain(i int) int {
	if x.t[i].kind != tIdent || x.afterDot(i) {
		return i
	}
	end := i + 1
	for x.at(end).isPunct('.') && x.at(end+1).kind == tIdent {
		end += 2
	}
	return end
}

func (x *extractor) dotted(from, to int) string {
	if from+1 == to {
		return valid(x.src[x.t[from].off:x.t[from].end])
	}
	var parts []string
	for i := from; i < to; i += 2 {
		parts = append(parts, x.text(i))
	}
	return strings.ToValidUTF8(strings.Join(parts, "."), "\uFFFD")
}

// refers reports whether a name refers to another declaration, rather than being a member, a parameter or a keyword.
func (x *extractor) refers(i, end int) bool {
	t, prev, next := x.t[i], x.at(i-1), x.at(end)
	if t.id != kNone && !x.plainWord(i, end) {
		return false
	}
	if prev.isKeyword(kFunction) || prev.isKeyword(kAsserts) || next.isKeyword(kIs) && !next.has(fNewline) {
		return false
	}
	names := next.isPunct(':') || next.isPunct('?') && (x.at(end+1).isPunct(':') || x.at(end+1).isPunct('('))
	if !names {
		return true
	}
	if prev.kind != tPunct {
		return !t.has(fNewline) && !prev.is(kwModifier)
	}
	switch prev.id {
	case '{', '(', ',', ';', '[', '}', pSpread:
		return false
	case ')', ']', '>':
		return !t.has(fNewline)
	}
	return true
}

// plainWord reports whether a contextual keyword is used as a name.
func (x *extractor) plainWord(i, end int) bool {
	switch x.t[i].id {
	case kFrom, kOf, kGet, kSet, kModule, kOut, kUsing, kType, kGlobal, kExports:
		next := x.at(end)
		return next.kind != tIdent || next.has(fNewline)
	}
	return false
}

func (x *extractor) parameterNames(open int) []span {
	var names []span
	limit := int(x.t[open].match)
	for i := open + 1; i < limit; {
		i = x.decorators(i)
		for x.at(i).is(kwModifier) && (x.at(i+1).kind == tIdent || x.at(i+1).isPunct('{')) {
			i++
		}
		if x.at(i).isPunct(pSpread) {
			i++
		}
		if i >= limit {
			return names
		}
		end := x.skip(i)
		names = append(names, span{From: i, To: end})
		i = end
		if x.at(i).isPunct('?') {
			i++
		}
		if x.at(i).isPunct(':') {
			i = x.skipType(i + 1)
		}
		if x.at(i).isPunct('=') {
			i = x.skipExpression(i + 1)
		}
		for i < limit && !x.at(i).isPunct(',') {
			i = x.skip(i)
		}
		i++
	}
	return names
}

func (x *extractor) typeParameters(s span, name string) []string {
	var bound []string
	for i := s.From; i < s.To; i++ {
		t := x.at(i)
		if t.isPunct('<') && !t.has(fJSX) {
			if prev := x.at(i - 1); prev.kind == tIdent && prev.id == kNone && !strings.HasSuffix(name, x.text(i-1)) {
				return bound
			}
			return x.boundTypes(i)
		}
		if t.kind == tPunct && t.id != '.' && t.id != '?' && t.id != '*' {
			return bound
		}
	}
	return bound
}

func (x *extractor) boundTypes(open int) []string {
	var bound []string
	end := x.skipAngles(open) - 1
	for i, depth := open, 0; i < end; i = x.skip(i) {
		t := x.t[i]
		switch {
		case t.isPunct('<'):
			depth++
		case t.isPunct('>'):
			depth--
		}
		if depth != 1 || !t.isPunct('<') && !t.isPunct(',') {
			continue
		}
		j := i + 1
		for x.at(j).kind == tIdent && x.at(j+1).kind == tIdent && x.at(j+1).id != kExtends {
			j++
		}
		if x.at(j).kind == tIdent {
			bound = append(bound, x.text(j))
		}
	}
	return bound
}
