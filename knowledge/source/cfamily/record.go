package cfamily

import (
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

var recordKinds = lazy.Value[map[uint8]source.Kind]{Make: func() map[uint8]source.Kind {
	return map[uint8]source.Kind{
		kwStruct: source.Struct, kwClass: source.Class, kwUnion: source.Union, kwEnum: source.Enum,
	}
}}

func (o *outline) recordDeclaration(s shape) int {
	kind := recordKinds.Get()[o.tokens[s.record].id]
	name, title := o.recordName(s)
	tail := o.after(s.brace)
	prefix := o.top().prefix
	if !o.cpp && o.top().kind == recordScope {
		prefix = "" // C records are not scopes
	}
	alias := ""
	switch {
	case s.typedef:
		alias = o.recordTypedefs(s, tail, name)
	case s.params >= 0 && s.body >= 0:
		o.function(s)
	case o.top().kind == recordScope && (name == "" || tail < s.end):
		o.member(span{From: s.start, To: s.end}, false)
	case tail < s.end && !(tail+1 == s.end && looksMacro(o.spell(tail))):
		o.variables(s, tail)
	}
	if name == "" {
		name = alias
	}
	if kind == source.Enum {
		o.enum(s, prefix, name)
		return s.next
	}
	if name == "" {
		return s.next // its members belong to the variable or the enclosing record
	}
	e := entry{name: prefix + name, kind: kind, start: s.start, end: s.end, shown: []span{{From: s.start, To: s.brace}},
		exported: o.shared(true), definition: true, brace: s.brace}
	if tail < s.end {
		e.visible = []span{{From: tail, To: s.end}}
	}
	o.add(e)
	inner := scope{kind: recordScope, prefix: prefix + name + ".", name: name}
	if title >= 0 {
		inner.name = o.spell(title)
	}
	if len(o.scopes) > maxScopes {
		return s.next
	}
	o.enter(inner, s.brace)
	top := o.top()
	top.record, top.next, top.access = len(o.found)-1, min(s.next, o.scopes[len(o.scopes)-2].end), "public"
	if kind == source.Class {
		top.access, top.visible = "private", false
	}
	return s.brace + 1
}

// recordName returns the name between keyword and brace: the last word before the base classes, except macro
// arguments and "final".
func (o *outline) recordName(s shape) (name string, at int) {
	at = -1
	start := -1
	for i := s.record + 1; i < s.brace; i++ {
		switch {
		case o.is(i, ':'):
			i = s.brace
		case o.is(i, '('), o.is(i, '['):
			i = o.after(i) - 1
		case o.is(i, '<'):
			if next := o.angle(i); next > 0 {
				i = next - 1
			}
		case o.name(i):
			if !o.is(i-1, opScope) || start < 0 {
				start = i
			}
			at = i
		}
	}
	if at < 0 {
		return "", -1
	}
	for i := start; i < at; i++ {
		if o.name(i) {
			name += o.spell(i) + "."
		}
	}
	return name + o.spell(at), at
}

// recordTypedefs records the typedef names of a record. It returns the name that an unnamed record takes.
func (o *outline) recordTypedefs(s shape, tail int, name string) (alias string) {
	for _, d := range o.declarators(tail, s.end, true) {
		word := o.spell(d.title)
		if alias == "" && name == "" && !d.pointer {
			alias = word
			continue
		}
		if word == name {
			continue
		}
		shown := []span{{From: s.start, To: s.brace}, {From: d.from, To: d.to}}
		e := entry{name: o.top().prefix + word, kind: source.Type, start: s.start, end: s.end, shown: shown,
			exported: o.shared(true)}
		if name == "" {
			e.visible = []span{{From: s.brace, To: tail}}
		}
		o.add(e)
	}
	return alias
}

// enum records an enumeration with its enumerators; the enumerators of an unnamed one become constants.
func (o *outline) enum(s shape, prefix, name string) {
	end := min(o.after(s.brace), s.end)
	e := entry{name: prefix + name, kind: source.Enum, start: s.start, end: s.end, shown: []span{{From: s.start, To: s.brace}},
		exported: o.shared(true), definition: true, brace: s.brace, visible: []span{{From: s.brace, To: s.end}}}
	for i := s.brace + 1; i < end-1; {
		next := o.nextComma(i, end-1)
		if next > i {
			e.fields = append(e.fields, field{at: span{From: i, To: next}})
		}
		i = next + 1
	}
	if name != "" {
		o.add(e)
		return
	}
	whole := source.DigestOf(string(o.canonical(span{From: s.start, To: end})))
	for _, f := range e.fields {
		if !o.name(f.at.From) {
			continue
		}
		o.add(entry{name: prefix + o.spell(f.at.From), kind: source.Const, start: f.at.From, end: f.at.To,
			shown: []span{f.at}, around: whole, exported: e.exported, definition: true})
	}
}
