package ecma

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// predeclared lists types and values that no module declares.
var predeclared = lazy.Set(`any bigint boolean false never null number object string symbol true undefined unknown`)

// shownSpan is a part of the interface of a symbol, without function bodies.
type shownSpan struct {
	span
	symbol int
}

// shows notes the interface of a symbol, whose free names are its references.
func (x *extractor) shows(d declaration, symbol int) {
	if d.refs != nil {
		return
	}
	for _, s := range d.visible {
		if s == d.target {
			continue
		}
		for i := s.From; i < min(s.To, len(x.t)) && !d.whole(); i++ {
			x.meter.Step()
			if x.t[i].has(fBlock) && x.isBody(i) {
				x.shown = append(x.shown, shownSpan{span{From: s.From, To: i}, symbol})
				i = int(x.t[i].match)
				s.From = i + 1
			}
		}
		x.shown = append(x.shown, shownSpan{s, symbol})
	}
}

// interfaces finds the symbols whose interface contains a token, queried in source order.
type interfaces struct{ spans, open []shownSpan }

func newInterfaces(spans []shownSpan) interfaces {
	slices.SortStableFunc(spans, func(a, b shownSpan) int { return cmp.Compare(a.From, b.From) })
	return interfaces{spans: spans}
}

func (s *interfaces) at(i int) []shownSpan {
	for ; len(s.spans) > 0 && s.spans[0].From <= i; s.spans = s.spans[1:] {
		s.open = append(s.open, s.spans[0])
	}
	s.open = slices.DeleteFunc(s.open, func(o shownSpan) bool { return o.To <= i })
	return s.open
}

// interfaceNames adds the free name at token i to the references of the symbols whose interface contains it.
func (b *binder) interfaceNames(i int) {
	shown := b.interfaces.at(i)
	b.x.meter.Steps(len(shown))
	if len(shown) == 0 || b.t[i].isKeyword(kRequire) {
		return
	}
	name := b.x.dotted(i, max(b.x.chain(i), i+1))
	if predeclared[name] {
		return
	}
	for _, in := range shown {
		if s := &b.x.symbols[in.symbol]; s.Name[strings.LastIndexByte(s.Name, '.')+1:] != name {
			s.Refs = append(s.Refs, name)
		}
	}
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
