package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// predeclared lists types and values that no module declares.
var predeclared = lazy.Set(`any bigint boolean false never null number object string symbol true undefined unknown`)

// shows notes the interface of a symbol without function bodies: its free names are the symbol's references.
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
				x.shown = append(x.shown, ownSpan{span: span{From: s.From, To: i}, symbol: symbol})
				i = int(x.t[i].match)
				s.From = i + 1
			}
		}
		x.shown = append(x.shown, ownSpan{span: s, symbol: symbol})
	}
}

// interfaceNames adds the free name at token i to the references of the symbols whose interface contains it.
func (b *binder) interfaceNames(i int) {
	b.interfaces.inner(i)
	shown := b.interfaces.open
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

// chain returns the end of the dotted name at i, or i.
func (x *extractor) chain(i int) int {
	if x.at(i).kind != tIdent || x.afterDot(i) {
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
	return strings.ToValidUTF8(strings.Join(x.target(from).path, "."), "\uFFFD")
}
