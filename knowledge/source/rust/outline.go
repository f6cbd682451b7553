package rust

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Limits for the length of nested names; real code is far below.
const (
	maxDepth  = 64
	maxPrefix = 512
)

// scopeKind is the container of a scope's items.
type scopeKind uint8

const (
	inModule scopeKind = iota
	inTrait
	inImpl
	inTraitImpl
	inExtern
)

type scope struct {
	kind       scopeKind
	start, end int
	prefix     string // of its names, with the dot
	modules    []string
	exported   bool
	// head is the token range before the body of an impl or extern block, attrs the start of its attributes.
	attrs, head, headEnd int
	generics             []string // generic parameters of an impl or a trait
	selfAt               int      // the type of an impl
	owner                *item    // the trait impl that the scope belongs to
	// wrapper is the digest of an enclosing macro that only controls compilation; may be empty.
	wrapper string
	guard   string // the condition of the whole scope
	depth   int
	// Cached data of the head: its digest, generics and names.
	digest source.Digest
	read   bool
	refs   []string
	typed  bool
	self   string // the impl's type as in references
	// flat is set after a signature with unbalanced angle brackets: they are ignored from there on.
	flat bool
}

// item is one declaration, as token indexes.
type item struct {
	kind     source.Kind
	name     string
	form     form
	exported bool
	attrs    int // start of doc comments and attributes
	first    int // the first token after attributes
	rest     int // the first token after the visibility
	head     int // after the head: a body, the ';', or the '=' of a value
	end      int
	label    int // the name token
	scope    *scope
	// bodies are the ranges of a trait impl that dependents cannot see.
	bodies []span
	path   string // the target of a re-export, as written
	ref    string // the local name of a re-export
}

// seen returns the visible ranges of a trait impl.
func (it *item) seen() []span { return span{From: it.first, To: it.end}.Without(it.bodies) }

// form is the layout of an item's interface.
type form uint8

const (
	plain  form = iota // only the head
	value              // head, '=', value
	fields             // struct or union
	cases              // enum
	macro              // macro_rules
	merged             // trait impl
	using              // re-export
)

// outline finds the declarations in a file's tokens. It descends into modules, traits and impls, never into bodies.
type outline struct {
	meter   *kernel.Meter
	src     []byte
	toks    []token
	stream  kernel.Stream // significant tokens without documentation
	problem *problem
	items   []*item
	scopes  []*scope
	nested  []*scope // inline modules
	testing bool     // the whole file is test code
	keep    bool     // keep test-only code
	// bareTests is set if tests are outside a test module.
	bareTests bool
	impls     []*scope          // impl blocks whose items are members of their type
	loose     []*item           // unnamed declarations
	wrappers  []guarded         // compilation macros
	uses      map[string]string // paths of the names from use declarations, dotted
	globs     bool              // there are wildcard imports
}

func (o *outline) run() {
	o.scopes = []*scope{{end: len(o.toks), exported: true}}
	for len(o.scopes) > 0 {
		s := o.scopes[len(o.scopes)-1]
		o.scopes = o.scopes[:len(o.scopes)-1]
		if s.kind == inImpl {
			o.impls = append(o.impls, s)
		}
		reported := o.problem
		if s.wrapper != "" {
			o.problem = &problem{} // the macro need not contain items
		}
		inner := min(o.innerEnd(s.start), s.end)
		if s.depth == 0 {
			o.testing = o.testOnly(s.start, inner)
		}
		for i := inner; i < s.end; {
			attrs := i
			i = o.attributes(s.end, i)
			if i < s.end {
				i = max(o.item(s, attrs, i), i+1)
			}
		}
		o.problem = reported
	}
	slices.SortStableFunc(o.items, func(a, b *item) int { return a.first - b.first })
	for _, it := range o.items {
		slices.SortFunc(it.bodies, span.Compare)
	}
}

// text returns the bytes of token i; nil if out of range.
func (o *outline) text(i int) []byte {
	if i < 0 || i >= len(o.toks) {
		return nil
	}
	t := o.toks[i]
	return o.src[t.start:t.end]
}

func (o *outline) is(i int, s string) bool {
	o.meter.Step()
	return string(o.text(i)) == s
}

// lead returns the first byte of token i; 0 if out of range or an empty repaired bracket.
func (o *outline) lead(i int) byte {
	if i < 0 || i >= len(o.toks) || o.toks[i].start == o.toks[i].end {
		return 0
	}
	return o.src[o.toks[i].start]
}

func (o *outline) class(i int) class {
	if i < 0 || i >= len(o.toks) {
		return punct
	}
	return o.toks[i].class
}

func (o *outline) name(i int) string {
	if o.class(i) != word || i < 0 || i >= len(o.toks) {
		return ""
	}
	return string(bare(o.text(i)))
}

func bare(name []byte) []byte {
	if len(name) > 2 && name[0] == 'r' && name[1] == '#' {
		return name[2:]
	}
	return name
}

// after returns the index after the token or the group that it opens.
func (o *outline) after(i int) int {
	o.meter.Step()
	if o.toks[i].class == opener {
		return int(o.toks[i].mate) + 1
	}
	return i + 1
}

// to returns the next token with a text on the same level, or a semicolon.
func (o *outline) to(text string, i, end int) int {
	for i < end && !o.is(i, text) && !o.is(i, ";") {
		i = o.after(i)
	}
	return i
}

func (o *outline) attributes(end, i int) int {
	for i < end {
		switch {
		case o.toks[i].class >= outerDoc:
			i++
		case o.is(i, "#") && o.is(i+1, "["):
			i = o.after(i + 1)
		case o.is(i, "#") && o.is(i+1, "!") && o.is(i+2, "["):
			i = o.after(i + 2)
		default:
			return i
		}
	}
	return i
}

func (o *outline) visibility(i int) (next int, public bool) {
	if !o.is(i, "pub") {
		return i, false
	}
	if !o.is(i+1, "(") {
		return i + 1, true
	}
	inner, last := i+2, int(o.toks[i+1].mate)
	if o.is(inner, "in") || inner+1 == last && relative[string(o.text(inner))] {
		return last + 1, false
	}
	return i + 1, true
}

// item reads one item and returns the index after it. attrs is the start of its attributes, first the token after
// them.
func (o *outline) item(s *scope, attrs, first int) int {
	it := &item{attrs: attrs, first: first, scope: s}
	rest, public := o.visibility(first)
	it.rest = rest
	it.exported = s.exported && (public || s.kind == inTrait)
	i, kind := o.qualifiers(rest)
	read, ok := readers[kind]
	if !ok {
		read = (*outline).unknown
	}
	start := len(o.items)
	pending := len(o.scopes)
	loose := len(o.loose)
	end := min(read(o, it, i), s.end)
	if len(o.items) == start && len(o.scopes) == pending && s.kind != inTraitImpl && kind != "use" && kind != "extern crate" && end > i+1 {
		it.end = end
		o.loose = append(o.loose, it)
	}
	o.bareTests = o.bareTests || s.depth == 0 && o.isTest(attrs, first)
	if !o.keep && o.testOnly(attrs, first) {
		o.items, o.scopes, o.loose = o.items[:start], o.scopes[:pending], o.loose[:loose]
		for j := attrs; j < end; j++ {
			o.toks[j].skip = true
		}
	}
	return end
}

// unknown skips non-items: a stray semicolon, a constant block, a macro call, or unreadable code.
func (o *outline) unknown(it *item, i int) int {
	if o.is(i, ";") {
		return i + 1
	}
	if o.is(i, "{") && o.is(i-1, "const") {
		return o.after(i) // a constant block declares nothing
	}
	if end, ok := o.macroCall(i); ok {
		o.wrapped(it, i, end)
		return end
	}
	o.problem.Report(int32(o.toks[it.first].line), "expected a declaration")
	return o.after(min(max(i, it.first), it.scope.end-1))
}

// qualifiers skips const, async, unsafe and others, and returns the item's keyword.
func (o *outline) qualifiers(i int) (int, string) {
	for i < len(o.toks) && o.toks[i].class == word {
		w := string(o.text(i))
		switch w {
		case "async", "unsafe":
		case "const":
			if !o.qualifies(i) {
				return i, w
			}
		case "safe", "default", "final", "auto", "gen":
			if o.class(i+1) != word {
				return i, ""
			}
		case "extern":
			if o.is(i+1, "crate") {
				return i, "extern crate"
			}
			if o.class(i+1) == text {
				i++
			}
			if o.is(i+1, "{") {
				return i, "extern"
			}
		case "type":
			if o.is(i+1, "const") && o.class(i+2) == word {
				return i + 1, "const"
			}
			return i, w
		case "union", "macro":
			if o.class(i+1) != word {
				return i, ""
			}
			return i, w
		default:
			return i, w
		}
		i++
	}
	return i, ""
}

// qualifies distinguishes `const fn` and similar from a constant.
func (o *outline) qualifies(i int) bool {
	switch string(o.text(i + 1)) {
	case "fn", "unsafe", "async", "extern", "trait", "impl", "{":
		return true
	case "auto", "gen", "safe":
		return o.class(i+2) == word
	}
	return false
}

// headEnd returns the index of the '{', ';' or stop operator that ends the head.
func (o *outline) headEnd(s *scope, i int, stop string) int {
	if !s.flat {
		if end, ok := o.scanHead(s.end, i, stop, true); ok {
			return end
		}
		s.flat = true
	}
	end, _ := o.scanHead(s.end, i, stop, false)
	return end
}

func (o *outline) scanHead(limit, i int, stop string, angles bool) (int, bool) {
	depth := 0
	for i < limit {
		t := o.toks[i]
		switch t.class {
		case opener:
			if depth == 0 && o.src[t.start] == '{' {
				return i, true
			}
		case punct:
			switch c := o.src[t.start]; {
			case c == ';':
				return i, true
			case depth == 0 && stop != "" && o.is(i, stop):
				return i, true
			case c == '<' && angles:
				depth++
			case c == '>' && depth > 0:
				depth--
			}
		}
		i = o.after(i)
	}
	return limit, false
}
