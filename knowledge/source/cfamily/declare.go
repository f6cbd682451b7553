package cfamily

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

type entry struct {
	name       string
	kind       source.Kind
	start, end int
	shown      []span // rendered in Signature
	exported   bool
	definition bool
	function   bool
	qualified  bool          // defined outside its record
	key        string        // distinguishes overloads
	value      span          // a constant's initializer
	visible    []span        // in Interface in addition to shown
	around     source.Digest // digest of other context that affects the meaning
	fields     []field
	brace      int // a record's body
	macro      int // 1 + the index of a macro's directive
	// title, params and body are the starts of a function's qualified name, parameters and body.
	title, params, body int
}

type field struct {
	at     span
	access string
	silent bool // in the interface but not in the signature
}

// declare records the declaration s and returns the start of the next one.
func (o *outline) declare(s shape) int {
	switch {
	case s.friend && s.body < 0:
	case s.opaque, s.bare && (s.body < 0 || looksMacro(o.spell(s.title))):
		o.member(span{From: s.start, To: s.end}, true)
	case s.using:
		o.usingDeclaration(s)
	case o.cpp && o.word(s.head, kwConcept) && o.name(s.head+1):
		o.add(entry{name: o.top().prefix + o.spell(s.head+1), kind: source.Type, start: s.start, end: s.end,
			shown: []span{{From: s.start, To: s.end}}, exported: o.shared(true)})
	case s.record >= 0:
		return o.recordDeclaration(s)
	case s.typedef:
		o.typedefs(s, s.start)
	case s.title >= 0 && s.params >= 0:
		o.function(s)
	default:
		o.variables(s, s.head)
	}
	return s.next
}

func (o *outline) add(e entry) {
	if e.name != "" && e.end > e.start {
		o.found = append(o.found, e)
	}
}

// shared reports whether a declaration here can be named outside the module. internal excludes declarations in source
// files.
func (o *outline) shared(internal bool) bool {
	s := o.top()
	return s.outside && s.visible && (o.header || !internal && s.kind != recordScope)
}

func (o *outline) member(at span, silent bool) {
	s := o.top()
	if s.kind == recordScope && s.visible && s.record >= 0 && at.To > at.From {
		e := &o.found[s.record]
		e.fields = append(e.fields, field{at, s.access, silent})
	}
}

func (o *outline) usingDeclaration(s shape) {
	i := s.head
	for i < s.end && !o.word(i, kwUsing) {
		i++
	}
	i++
	if i >= s.end || o.word(i, kwNamespace) {
		return
	}
	if s.equals > 0 && o.name(i) {
		o.alias(s.start, i, source.Type)
		return
	}
	last := s.end - 1
	if o.name(last) && (o.is(last-1, opScope)) && o.top().kind != recordScope {
		o.add(entry{name: o.top().prefix + o.spell(last), kind: source.Reexport, start: s.start, end: s.end,
			shown: []span{{From: s.start, To: s.end}}, exported: o.shared(true)})
		return
	}
	o.member(span{From: s.start, To: s.end}, false)
}

func (o *outline) alias(start, name int, kind source.Kind) int {
	end := name
	for end < o.top().end && !o.is(end, ';') {
		if o.is(end, '{') || o.is(end, '(') {
			end = o.after(end)
			continue
		}
		end++
	}
	end = min(end, o.top().end)
	o.add(entry{name: o.top().prefix + o.spell(name), kind: kind, start: start, end: end,
		shown: []span{{From: start, To: end}}, exported: o.shared(true)})
	return end + 1
}

func (o *outline) typedefs(s shape, from int) {
	for _, d := range o.declarators(from, s.end, s.record >= 0) {
		o.add(entry{name: o.top().prefix + o.spell(d.title), kind: source.Type, start: s.start, end: s.end,
			shown: o.one(s, d), exported: o.shared(true)})
	}
}

func (o *outline) function(s shape) {
	end := s.end
	for _, cut := range []int{s.body, s.colon} {
		if cut >= 0 {
			end = min(end, cut)
		}
	}
	if o.word(end-1, kwTrailing) && o.spell(end-1) == "try" {
		end--
	}
	name, from := o.functionName(s)
	qualified := from < s.title && !o.is(from, '~')
	scope := o.top()
	prefix := scope.prefix
	e := entry{kind: source.Func, start: s.start, end: s.end, shown: []span{{From: s.start, To: end}}, function: true,
		definition: s.body >= 0 || s.equals >= 0}
	switch {
	case s.friend:
		prefix = o.aroundRecord()
	case scope.kind == recordScope:
		e.kind = source.Method
	}
	e.exported = o.shared(s.static || s.body < 0 && s.equals < 0)
	if e.qualified = qualified; qualified {
		e.shown = []span{{From: s.start, To: from}, {From: o.unqualified(s), To: end}}
		if i := strings.LastIndexByte(name, '.'); !o.namespaces[prefix+name[:i+1]] {
			// the declaration inside the class decides about its visibility
			e.kind, e.exported = source.Method, false
		}
	}
	if s.external && !e.definition && e.kind == source.Func && !o.header {
		return // declared in another file or a library
	}
	e.name, e.title, e.params, e.body = prefix+name, from, s.params, s.body
	e.key = o.parameterKey(s)
	o.add(e)
}

func (o *outline) aroundRecord() string {
	for i := len(o.scopes) - 1; i >= 0; i-- {
		if o.scopes[i].kind != recordScope {
			return o.scopes[i].prefix
		}
	}
	return ""
}

func (o *outline) unqualified(s shape) int {
	if o.is(s.title-1, '~') {
		return s.title - 1
	}
	return s.title
}

func (o *outline) functionName(s shape) (string, int) {
	i := o.unqualified(s)
	name := o.spell(s.title)
	switch {
	case o.word(s.title, kwOperator):
		name = render(o.file, o.angles(s.title, s.params), false, span{From: s.title, To: s.params})
	case i < s.title:
		name = "~" + name
	}
	for o.is(i-1, opScope) {
		j := i - 2
		if o.is(j, '>') {
			depth := 0
			for ; j > s.start; j-- {
				if o.is(j, '>') {
					depth++
				} else if o.is(j, '<') {
					if depth--; depth == 0 {
						break
					}
				}
			}
			j--
		}
		if j < s.start || !o.name(j) {
			return name, i - 1
		}
		name = o.spell(j) + "." + name
		i = j
	}
	return name, i
}

// parameterKey returns the parameter list without names and defaults, which may differ between declaration and
// definition.
func (o *outline) parameterKey(s shape) string {
	key := o.scratch[:0]
	end := o.after(s.params) - 1
	for i := s.params + 1; i < min(end, s.end); i++ {
		t := o.tokens[i]
		switch {
		case o.is(i, '='):
			i = o.nextComma(i, end) - 1
			continue
		case o.name(i) && (i+1 == end || o.is(i+1, ',') || o.is(i+1, '=') || o.is(i+1, '[') || o.is(i+1, ')')) &&
			o.typeBefore(i):
			continue
		}
		key = append(append(key, o.spelling(t)...), ' ')
	}
	o.scratch = key
	if string(key) == "void " {
		return ""
	}
	if end+1 < s.end && o.word(end+1, kwConst) {
		key = append(key, "const"...)
	}
	return string(key)
}

func (o *outline) typeBefore(i int) bool {
	t := o.tokens[i-1]
	if t.kind == identifier {
		return t.id == none || t.id == kwType || t.id == kwCPPType
	}
	return t.kind == punctuation && (t.id == '*' || t.id == '&' || t.id == opAnd || t.id == '>' || t.id == opEllipsis)
}

func (o *outline) nextComma(i, end int) int {
	for i < end {
		switch {
		case o.is(i, ','):
			return i
		case o.is(i, '('), o.is(i, '['), o.is(i, '{'):
			i = o.after(i)
		default:
			i++
		}
	}
	return end
}

func (o *outline) variables(s shape, from int) {
	if o.top().kind == recordScope {
		o.member(span{From: s.start, To: s.end}, false)
		o.dataMembers(s, from)
		return
	}
	list := o.declarators(from, s.end, s.record >= 0)
	for _, d := range list {
		e := entry{name: o.top().prefix + o.spell(d.title), kind: source.Var, start: s.start, end: s.end,
			shown: o.one(s, d), definition: true}
		constant := s.constexpr || s.constant && (!d.pointer || o.word(d.title-1, kwConst))
		if constant {
			e.kind = source.Const
			if d.equals >= 0 {
				e.value = span{From: d.equals, To: d.to}
			}
		}
		internal := s.static || s.external && d.equals < 0 || constant && o.cpp && !s.external
		e.exported = o.shared(internal)
		if o.is(d.title-1, opScope) {
			continue // a static data member's definition
		}
		o.add(e)
	}
}

func (o *outline) dataMembers(s shape, from int) {
	if !o.cpp {
		return
	}
	for _, d := range o.declarators(from, s.end, s.record >= 0) {
		o.fields = append(o.fields, o.top().prefix+o.spell(d.title))
	}
}

// one returns the parts of a declaration that concern one declarator, without initializer.
func (o *outline) one(s shape, d declarator) []span {
	to := d.to
	if d.equals >= 0 {
		to = d.equals
	}
	if d.from <= s.head || s.record >= 0 {
		if s.record >= 0 {
			return []span{{From: s.start, To: s.brace}, {From: d.from, To: to}}
		}
		return []span{{From: s.start, To: to}}
	}
	return []span{{From: s.start, To: d.specifiers}, {From: d.from, To: to}}
}
