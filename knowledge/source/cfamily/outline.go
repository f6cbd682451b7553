package cfamily

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// outline finds the declarations in a file's tokens and skips function bodies.
type outline struct {
	*file
	match      []int32
	cpp        bool // C++ rules apply
	header     bool
	scopes     []scope
	found      []entry
	namespaces map[string]bool
	// noAngle is the token up to which a '<' is known to be an operator.
	noAngle int
	pkg     string
	modules []source.Import
	// fields are the qualified data members of C++ records.
	fields []string
}

type scopeKind uint8

const (
	fileScope scopeKind = iota
	namespaceScope
	linkageScope
	recordScope
)

type scope struct {
	kind    scopeKind
	prefix  string // the qualifier of its names: "ns.Class."
	name    string // the record's name
	end     int    // its closing brace
	next    int    // the token to continue at
	visible bool   // the current declarations are accessible outside the record
	outside bool   // the scope itself is accessible
	access  string // the current access label
	record  int    // the record's entry
}

func (o *outline) top() *scope { return &o.scopes[len(o.scopes)-1] }

func (o *outline) is(i int, id uint8) bool {
	o.meter.Step()
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == punctuation && o.tokens[i].id == id
}

func (o *outline) word(i int, id uint8) bool {
	return i >= 0 && i < len(o.tokens) && o.tokens[i].kind == identifier && o.tokens[i].id == id
}

func (o *outline) name(i int) bool { return o.word(i, none) }

func (o *outline) spell(i int) string { return string(o.spelling(o.tokens[i])) }

func (o *outline) run() {
	o.scopes = append(o.scopes, scope{kind: fileScope, end: len(o.tokens), visible: true, outside: true})
	i := 0
	for {
		s := o.top()
		if i < s.end {
			i = max(o.declaration(i), i+1)
			continue
		}
		if len(o.scopes) == 1 {
			return
		}
		i = s.next
		o.scopes = o.scopes[:len(o.scopes)-1]
	}
}

// declaration reads one declaration and returns the start of the next.
func (o *outline) declaration(i int) int {
	if o.is(i, ';') || o.is(i, '}') {
		return i + 1
	}
	if next := o.label(i); next > 0 {
		return next
	}
	if next := o.macroLine(i); next > 0 {
		o.member(span{From: i, To: next}, true)
		return next
	}
	if next := o.block(i); next > 0 {
		return next
	}
	return o.declare(o.scan(i))
}

// label reads an access label such as `public:` or `public slots:`.
func (o *outline) label(i int) int {
	s := o.top()
	if s.kind != recordScope || o.tokens[i].kind != identifier {
		return 0
	}
	colon := i + 1
	if !o.is(colon, ':') && o.name(colon) {
		colon++
	}
	if !o.is(colon, ':') || !o.word(i, kwAccess) && (colon > i+1 || !o.name(i)) {
		return 0
	}
	s.access = "public"
	if o.word(i, kwAccess) {
		s.access = o.spell(i)
	}
	s.visible = s.access != "private"
	return colon + 1
}

// macroLine skips a macro on a separate line without a semicolon: Q_OBJECT, G_BEGIN_DECLS, MODULE_ALIAS("x").
func (o *outline) macroLine(i int) int {
	for o.word(i, kwStatic) || o.word(i, kwInline) || o.word(i, kwExtern) || o.word(i, kwStorage) {
		i++
	}
	if !o.name(i) || i+1 >= o.top().end {
		return 0
	}
	next, called := i+1, false
	if o.is(next, '(') {
		next, called = o.after(next), true
	}
	if next >= o.top().end {
		return next
	}
	if o.tokens[next].line == o.tokens[next-1].line || o.tokens[next].kind != identifier {
		if !o.is(next, '~') || !looksMacro(o.spell(i)) {
			return 0
		}
	}
	if o.top().kind == recordScope && o.spell(i) == o.top().name || !called && !looksMacro(o.spell(i)) {
		return 0
	}
	if id := o.tokens[next].id; id == kwTrailing || id == kwAttribute || called && (id == kwConst || id == kwRequires) {
		return 0
	}
	if called && o.oldStyle(i+1) > 0 || o.typeOnOwnLine(next) {
		return 0
	}
	return next
}

// typeOnOwnLine reports whether a function name at i may have its type, perhaps a macro, on the previous line.
func (o *outline) typeOnOwnLine(i int) bool {
	if !o.name(i) || o.top().kind == recordScope && o.spell(i) == o.top().name {
		return false
	}
	return o.is(i+1, '(') && !looksMacro(o.spell(i)) || o.is(i+1, opScope)
}

func (o *outline) block(i int) int {
	start := i
	for o.word(i, kwInline) || o.tokens[i].kind == identifier && o.tokens[i].id == kwVirtual && o.spell(i) == "export" {
		i++
		if i >= o.top().end {
			return i
		}
	}
	switch {
	case o.word(i, kwNamespace):
		return o.namespace(start, i)
	case o.word(i, kwExtern) && i+2 < len(o.tokens) && o.tokens[i+1].kind == text && o.is(i+2, '{'):
		return o.enter(scope{kind: linkageScope}, i+2)
	case i > start && o.is(i, '{'):
		return o.enter(scope{kind: linkageScope}, i)
	case o.cpp && o.name(i):
		return o.module(start, i)
	}
	return 0
}

// maxScopes limits the nesting depth of declarations, because names grow with it.
const maxScopes = 64

func (o *outline) enter(s scope, brace int) int {
	outer := o.top()
	if len(o.scopes) > maxScopes {
		return o.after(brace)
	}
	if s.prefix == "" {
		s.prefix = outer.prefix
	}
	s.visible, s.outside = true, outer.outside && outer.visible && s.access != "hidden"
	s.end, s.next = min(int(o.match[brace]), outer.end), min(o.after(brace), outer.end)
	s.record = -1
	o.scopes = append(o.scopes, s)
	return brace + 1
}

// namespace enters a namespace. Inline namespaces are not part of names, because callers can omit them.
func (o *outline) namespace(start, i int) int {
	var parts []string
	inline := i > start && o.word(i-1, kwInline)
	j := i + 1
	for ; j < o.top().end; j++ {
		switch {
		case o.is(j, '['):
			j = o.after(j) - 1
		case o.is(j, '('):
			j = o.after(j) - 1
		case o.is(j, opScope), o.word(j, kwInline), o.word(j, kwAttribute), o.word(j, kwCPPAttribute):
		case o.name(j) && o.is(j+1, '('): // an attribute macro
		case o.name(j) && o.word(j-1, kwInline):
			inline = true
		case o.name(j) && inline:
		case o.name(j):
			parts = append(parts, o.spell(j))
		case o.is(j, '{'):
			s := scope{kind: namespaceScope, prefix: o.top().prefix}
			switch {
			case len(parts) == 0 && !inline:
				s.access = "hidden"
			case len(parts) > 0:
				if o.name(j-1) && len(parts) > 1 && !o.is(j-2, opScope) {
					parts = parts[len(parts)-1:] // a macro precedes the name
				}
				s.prefix += strings.Join(parts, ".") + "."
				o.namespaces[s.prefix] = true
			}
			return o.enter(s, j)
		case o.is(j, '='):
			return o.alias(start, i+1, source.Namespace)
		default:
			return j + 1
		}
	}
	return j
}

// module reads `module x;` and `import x;`.
func (o *outline) module(start, i int) int {
	word := o.spell(i)
	if word != "module" && word != "import" {
		return 0
	}
	var path strings.Builder
	j := i + 1
	for ; j < o.top().end && !o.is(j, ';'); j++ {
		t := o.tokens[j]
		if t.kind != identifier && t.kind != text && !(t.kind == punctuation && strings.IndexByte(".:<>/", t.id) >= 0) {
			return 0
		}
		path.Write(o.spelling(t))
	}
	name := path.String()
	if word == "module" {
		if o.pkg == "" {
			o.pkg = name
		}
		return j + 1
	}
	imp := source.Import{Path: strings.Trim(name, `"<>`), All: true, System: strings.HasPrefix(name, "<"),
		Reexport: i > start, Line: int(o.tokens[i].line)}
	if imp.Path != "" {
		o.modules = append(o.modules, imp)
	}
	return j + 1
}

// looksMacro reports whether a word is spelled like a macro: more than one letter, none in lower case.
func looksMacro(word string) bool {
	letters := 0
	for i := range len(word) {
		switch c := word[i]; {
		case c >= 'a' && c <= 'z':
			return false
		case c >= 'A' && c <= 'Z':
			letters++
		}
	}
	return letters > 1
}
