package typescript

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source/ecma"
)

type file struct {
	name    string // relative to the root
	tokens  []ecma.Token
	problem string // why it could not be fully scanned
	decls   map[string]*decl
	imports map[string]imported // by local name
	from    []string            // import paths as written
	assigns map[string]bool     // variables that a function of the file modifies
}

type imported struct {
	path, name string // "*" for a whole module
	typeOnly   bool
}

const (
	aFunction  = "function"
	aClass     = "class"
	aType      = "type"
	aInterface = "interface"
	aVariable  = "variable"
	anEnum     = "enum"
)

// decl is one declaration of a file, or a static method of a class.
type decl struct {
	name     string // in the file, such as parse or Money.parse
	exported string // the name in imports; empty if not exported
	kind     string
	doc      string
	from, to int // token range
	sigs     []signature
	async    bool
	special  string // why a function cannot be called like others
	mutable  bool   // declared with let or var
	value    int    // first token of a variable's initializer
	body     span   // tokens inside the braces, or a type alias's right side
	extends  span   // of an interface
	generics bool   // it has type parameters
	file     *file
	locals   map[string]bool // cache of bindings
}

type span struct{ from, to int }

// signature locates the parts of a function's signature among the tokens.
type signature struct {
	params  int // the opening parenthesis, or the parameter if single is set
	single  bool
	types   span // type parameters
	returns int  // first token of the result type; 0 if there is none
	body    span // empty for an overload
}

// reader finds the declarations of a file in one pass over the tokens.
type reader struct {
	f *file
	t []ecma.Token
	i int
	// exports are the names in export lists, by local name.
	exports map[string]string
}

func readOutline(f *file) {
	f.decls, f.imports = map[string]*decl{}, map[string]imported{}
	r := &reader{f: f, t: f.tokens, exports: map[string]string{}}
	for r.i < len(r.t) {
		at := r.i
		r.statement()
		if r.i <= at {
			r.i = at + 1
		}
	}
	for local, name := range r.exports {
		if d := f.decls[local]; d != nil && d.exported == "" {
			d.exported = name
		}
	}
	for _, d := range f.decls {
		if base, method, ok := strings.Cut(d.name, "."); ok && d.exported == "" {
			if c := f.decls[base]; c != nil && c.exported != "" {
				d.exported = c.exported + "." + method
			}
		}
	}
}

func (r *reader) at(i int) ecma.Token {
	if i < 0 || i >= len(r.t) {
		return ecma.Token{Kind: ecma.Punct, Match: -1}
	}
	return r.t[i]
}

func (r *reader) is(i int, text string) bool { return isToken(r.at(i), text) }

// isToken reports whether a token is this word or punctuator.
func isToken(t ecma.Token, text string) bool {
	return t.Text == text && (t.Kind == ecma.Word || t.Kind == ecma.Punct)
}

// past returns the index after a token, or after its matching bracket.
func (r *reader) past(i int) int {
	if m := r.at(i).Match; m > i {
		return m + 1
	}
	return i + 1
}

func (r *reader) statement() {
	start := r.i
	doc := r.at(start).Doc
	export, isDefault := "", false
	for {
		switch {
		case r.is(r.i, "export") && export == "":
			export = "named"
			r.i++
			continue
		case export != "" && r.is(r.i, "default"):
			isDefault = true
			r.i++
			continue
		case r.is(r.i, "declare") || r.is(r.i, "abstract"):
			if next := r.at(r.i + 1); next.Kind == ecma.Word {
				r.i++
				continue
			}
		}
		break
	}
	if doc == "" {
		doc = r.at(r.i).Doc
	}
	d := &decl{from: start, doc: doc, file: r.f}
	switch {
	case r.is(r.i, "import") && export == "":
		r.importStatement()
		return
	case export != "" && (r.is(r.i, "{") || r.is(r.i, "*")):
		r.exportList()
		return
	case r.is(r.i, "async") && r.is(r.i+1, "function"), r.is(r.i, "function"):
		r.function(d, isDefault)
	case r.is(r.i, "class"):
		r.class(d, isDefault)
	case r.is(r.i, "interface") && r.at(r.i+1).Kind == ecma.Word:
		r.iface(d)
	case r.is(r.i, "type") && r.at(r.i+1).Kind == ecma.Word:
		r.alias(d)
	case r.is(r.i, "enum"), r.is(r.i, "const") && r.is(r.i+1, "enum"):
		r.enum(d)
	case r.is(r.i, "const"), r.is(r.i, "let"), r.is(r.i, "var"):
		r.variables(d, export != "")
		return
	case isDefault && r.at(r.i).Kind == ecma.Word && (r.is(r.i+1, ";") || r.at(r.i+1).Line != r.at(r.i).Line || r.i+1 >= len(r.t)):
		r.exports[r.at(r.i).Text] = "default"
		r.i++
		return
	default:
		r.skip()
		return
	}
	r.i = min(r.i, len(r.t)) // the last token may be cut off
	d.to = r.i
	switch {
	case isDefault:
		d.exported = "default"
	case export != "":
		d.exported = d.name
	}
	r.add(d)
}

// add records a declaration and merges overloads.
func (r *reader) add(d *decl) {
	if d.name == "" {
		return
	}
	before := r.f.decls[d.name]
	if before == nil || d.kind != before.kind {
		if before == nil || before.kind == aType || before.kind == aInterface { // a type and a value may share a name; the value wins
			r.f.decls[d.name] = d
		}
		return
	}
	if d.kind == aFunction {
		before.sigs, before.to = append(before.sigs, d.sigs...), d.to
		before.async = before.async || d.async
		if before.doc == "" {
			before.doc = d.doc
		}
	}
	if d.kind == aInterface { // merged interfaces have more fields than either shows
		before.body = span{}
	}
}

func (r *reader) skip() {
	for first := r.i; r.i < len(r.t); {
		if r.is(r.i, ";") {
			r.i++
			return
		}
		if r.i > first && r.startsLine(r.i) {
			return
		}
		r.i = r.past(r.i)
	}
}

var heads = lazy.Set(`export import function class interface type enum const let var declare abstract async namespace module if for
	while return throw try switch`)

// startsLine reports whether a token starts a new statement on a new line, by an approximation of semicolon insertion.
func (r *reader) startsLine(i int) bool {
	t, before := r.at(i), r.at(i-1)
	if t.Line == before.Line+strings.Count(before.Text, "\n") || t.Kind != ecma.Word {
		return false
	}
	if heads[t.Text] && (before.Kind != ecma.Punct || slices.Contains([]string{")", "]", "}"}, before.Text)) {
		return true
	}
	switch t.Text {
	case "instanceof", "in", "as", "satisfies", "of", "extends", "implements", "is":
		return false
	}
	switch before.Kind {
	case ecma.Punct:
		return slices.Contains([]string{")", "]", "}", "++", "--"}, before.Text)
	case ecma.Word:
		return !operators[before.Text]
	}
	return true
}

// operators are words that continue an expression.
var operators = lazy.Set(`typeof void delete new await in instanceof as extends keyof readonly return`)

// ends returns the end of an expression or type: the next comma, semicolon, closing bracket or statement.
func (r *reader) ends(i int) int {
	for first := i; i < len(r.t); i = r.past(i) {
		t := r.at(i)
		if t.Kind == ecma.Punct && (t.Text == ";" || t.Text == "," || t.Text == ")" || t.Text == "}" || t.Text == "]") {
			return i
		}
		if i > first && r.startsLine(i) {
			return i
		}
	}
	return len(r.t)
}

func (r *reader) function(d *decl, isDefault bool) {
	d.kind = aFunction
	if r.is(r.i, "async") {
		d.async = true
		r.i++
	}
	if r.i++; r.is(r.i, "*") {
		d.special = "is a generator"
		r.i++
	}
	if r.at(r.i).Kind == ecma.Word {
		d.name = r.at(r.i).Text
		r.i++
	} else if isDefault {
		d.name = "default"
	}
	d.sigs = r.signature()
}

func (r *reader) signature() []signature {
	var s signature
	if r.is(r.i, "<") {
		s.types.from = r.i
		r.i = r.angles(r.i)
		s.types.to = r.i
	}
	if !r.is(r.i, "(") {
		return nil
	}
	s.params = r.i
	r.i = r.past(r.i)
	if r.is(r.i, ":") {
		s.returns = r.i + 1
		p := typeParser{t: r.t, i: r.i + 1}
		p.parse(0)
		r.i = p.i
	}
	if r.is(r.i, "{") {
		s.body = span{r.i, r.past(r.i)}
		r.i = s.body.to
	} else if r.is(r.i, ";") {
		r.i++
	}
	return []signature{s}
}

// longestAngles limits the tokens between angle brackets.
const longestAngles = 1000

// angles returns the index after the > that matches a <, or the next index if there is none.
func (r *reader) angles(i int) int {
	depth, at := 0, i
	for range longestAngles {
		if at >= len(r.t) {
			break
		}
		switch {
		case r.is(at, "<"):
			depth++
		case r.is(at, ">"):
			if depth--; depth == 0 {
				return at + 1
			}
		case r.is(at, ";"):
			return i + 1
		}
		at = r.past(at)
	}
	return i + 1
}

// variables reads const, let and var. A constant that is a function counts as a function.
func (r *reader) variables(first *decl, export bool) {
	mutable := !r.is(r.i, "const")
	r.i++
	for n := 0; ; n++ {
		d := &decl{from: r.i, doc: first.doc, kind: aVariable, mutable: mutable, file: r.f}
		if n == 0 {
			d.from = first.from
		}
		if r.at(r.i).Kind == ecma.Word {
			d.name = r.at(r.i).Text
		}
		r.i = r.past(r.i) // a name or a pattern
		if r.is(r.i, "!") {
			r.i++
		}
		if r.is(r.i, ":") {
			p := typeParser{t: r.t, i: r.i + 1}
			p.parse(0)
			r.i = p.i
		}
		if r.is(r.i, "=") {
			r.i++
			d.value = r.i
			if !mutable {
				r.functionValue(d)
			}
			if d.kind == aVariable {
				r.i = r.ends(r.i)
			}
		}
		if d.to = min(r.i, len(r.t)); export {
			d.exported = d.name
		}
		r.add(d)
		if !r.is(r.i, ",") {
			break
		}
		r.i++
	}
	if r.is(r.i, ";") {
		r.i++
	}
}

// functionValue turns d into a function if its initializer is one, else leaves the position unchanged.
func (r *reader) functionValue(d *decl) {
	start := r.i
	async := r.is(r.i, "async") && (r.is(r.i+1, "(") || r.is(r.i+1, "<") || r.is(r.i+1, "function") || r.at(r.i+1).Kind == ecma.Word)
	if async {
		r.i++
	}
	if r.is(r.i, "function") {
		inner := decl{}
		r.function(&inner, false)
		if len(inner.sigs) == 1 && inner.sigs[0].body.to > 0 {
			d.kind, d.sigs, d.async, d.special = aFunction, inner.sigs, async, inner.special
			return
		}
		r.i = start
		return
	}
	var s signature
	switch {
	case r.at(r.i).Kind == ecma.Word && r.is(r.i+1, "=>"):
		s.params, s.single = r.i, true
		r.i++
	case r.is(r.i, "(") || r.is(r.i, "<"):
		if r.is(r.i, "<") {
			s.types.from = r.i
			r.i = r.angles(r.i)
			s.types.to = r.i
		}
		s.params = r.i
		if !r.is(r.i, "(") {
			r.i = start
			return
		}
		if r.i = r.past(r.i); r.is(r.i, ":") {
			s.returns = r.i + 1
			p := typeParser{t: r.t, i: r.i + 1}
			p.parse(0)
			r.i = p.i
		}
	}
	if !r.is(r.i, "=>") {
		r.i = start
		return
	}
	r.i++
	from := r.i
	if r.is(r.i, "{") {
		r.i = r.past(r.i)
	} else {
		r.i = r.ends(r.i)
	}
	s.body = span{from, r.i}
	d.kind, d.sigs, d.async = aFunction, []signature{s}, async
}
