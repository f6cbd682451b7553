package ecma

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

type object struct{ symbol, open, scope int }

// instance is a symbol that holds an instance of a class.
type instance struct {
	symbol int
	class  string
}

// isConstruction reports whether a value is `new Name(…)` or `new Name<T>(…)`.
func (x *extractor) isConstruction(value span) bool {
	last := value.To - 1
	if last < value.From+3 || !x.at(value.From).isKeyword(kNew) || x.at(value.From+1).kind != tIdent || !x.t[last].isPunct(')') {
		return false
	}
	open := int(x.t[last].match)
	return open == value.From+2 || x.at(value.From+2).isPunct('<') && x.at(open-1).isPunct('>')
}

// resolveInstances makes an exported instance of a class that is not exported stand for the class, whose members callers
// reach through it.
func (x *extractor) resolveInstances() {
	for _, one := range x.instances {
		s := &x.symbols[one.symbol]
		i, declared := x.index[one.class]
		if !s.own || !declared || x.symbols[i].Kind != source.Class || x.symbols[i].own {
			continue
		}
		x.symbols[i].own, x.symbols[i].Renamed = true, true
		s.Kind, s.Refs = source.Reexport, []string{one.class}
		x.shown = slices.DeleteFunc(x.shown, func(s ownSpan) bool { return s.symbol == one.symbol })
	}
}

// noteObject records the object literal of a symbol, or the class of `new Class()`. Its members are added if the symbol is
// exported, which may be stated later in the file.
func (x *extractor) noteObject(symbol int, value span) {
	open := value.From
	if x.isConstruction(value) {
		x.instances = append(x.instances, instance{symbol, x.text(open + 1)})
	}
	if value.Empty() || !x.at(open).isPunct('{') {
		return
	}
	if end := x.skip(open); end < value.To && !x.textIs(end, "as") && !x.textIs(end, "satisfies") {
		return
	}
	x.objects = append(x.objects, object{symbol, open, x.current})
}

func (x *extractor) objectMembers() {
	for _, o := range x.objects {
		s := &x.symbols[o.symbol]
		if !s.own || len(s.Name) > longestPrefix || x.whole[s.Name] { // the file already lists those of whole
			continue
		}
		holder := s.Name
		x.current = o.scope
		x.elements(o.open, func(e member, end int) { x.objectMember(e, end, holder, o.symbol) })
	}
}

// objectMember adds a member that is a function, is read through one, is imported under its name, or is documented.
// Other values are data, except in an object that the file adds functions to.
func (x *extractor) objectMember(e member, end int, holder string, parent int) {
	if e.name == "" || x.at(e.key).kind != tIdent {
		return
	}
	d := x.memberOf(holder, e.name, parent, e.kind, span{From: e.start, To: end})
	value := span{From: e.key + 2, To: end}
	switch {
	case e.params >= 0:
		d.visible, d.signature = []span{{From: e.start, To: e.head}}, x.render(e.start, e.head)
		x.describe(&d, e)
	case !x.at(e.key + 1).isPunct(':'):
		if l, _ := x.boundTo(e.name); l.name == "" {
			return
		}
		d.kind, d.signature, d.refs = source.Reexport, exportSignature(e.name, e.name), []string{e.name}
	default:
		x.bind(&d, []span{{From: e.key, To: e.key + 1}}, value)
		if d.kind == source.Func {
			d.kind = source.Method
		} else if doc, _ := x.docBefore(e.start); doc == "" && !x.extended[holder] {
			return
		}
	}
	x.add(d)
}

func (x *extractor) elements(open int, each func(e member, end int)) {
	x.list(open, int(x.t[open].match), func(i int) int {
		end := x.skipExpression(i)
		each(x.member(i, end), end)
		return end
	})
}
