package typescript

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/ecma"
)

// file is one source file, as far as tests and specs need to know it.
type file struct {
	name    string // from the root
	tokens  []ecma.Token
	problem string // why it could not be read as a whole
	decls   map[string]*decl
	imports map[string]imported // by the local name
	from    []string            // the paths that it imports from, as written
	assigns map[string]bool     // variables of the file that some function of it changes
}

// imported is a name that an import binds.
type imported struct {
	path, name string // "*" of a whole module
	typeOnly   bool
}

// kinds of declarations.
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
	name     string // as the file calls it; Money.parse of a static method
	exported string // as a test imports it; empty where it cannot
	kind     string
	doc      string
	from, to int // its tokens
	sigs     []signature
	async    bool
	special  string // why a function is none that can be called like others
	mutable  bool   // declared with let or var
	value    int    // of a variable: its first token of the initializer
	body     span   // of a class, an interface, an enum: the tokens in its braces; of a type what it stands for
	extends  span   // of an interface
	generics bool   // of a type: it takes type parameters
	file     *file
	locals   map[string]bool // see bindings
}

type span struct{ from, to int }

// signature is where the parts of one are among the tokens.
type signature struct {
	params  int // its opening parenthesis; of an arrow function without one the parameter, as single says
	single  bool
	types   span // type parameters
	returns int  // the first token of the type; 0 where none is said
	body    span // empty of an overload
}

// reader finds the declarations of a file. It goes over the tokens once, from bracket to bracket.
type reader struct {
	f *file
	t []ecma.Token
	i int
	// exports are those that a list names, by the local name.
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

// isToken reports whether a token is a word or a sign.
func isToken(t ecma.Token, text string) bool {
	return t.Text == text && (t.Kind == ecma.Word || t.Kind == ecma.Punct)
}

// past is the token behind one, or behind the partner of a bracket.
func (r *reader) past(i int) int {
	if m := r.at(i).Match; m > i {
		return m + 1
	}
	return i + 1
}

// statement reads one statement of the file; what declares nothing is passed.
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
	r.i = min(r.i, len(r.t)) // what stands at the end may be cut
	d.to = r.i
	switch {
	case isDefault:
		d.exported = "default"
	case export != "":
		d.exported = d.name
	}
	r.add(d)
}

// add takes in a declaration; overloads of a function are one.
func (r *reader) add(d *decl) {
	if d.name == "" {
		return
	}
	before := r.f.decls[d.name]
	if before == nil || d.kind != before.kind {
		if before == nil || before.kind == aType || before.kind == aInterface { // a type and a value may have one name
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
	if d.kind == aInterface { // declarations that are merged are more than one shows
		before.body = span{}
	}
}

// skip passes a statement that declares nothing.
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

// heads are the words that begin a statement which declares something.
var heads = map[string]bool{
	"export": true, "import": true, "function": true, "class": true, "interface": true, "type": true, "enum": true, "const": true, "let": true, "var": true,
	"declare": true, "abstract": true, "async": true, "namespace": true, "module": true, "if": true, "for": true, "while": true, "return": true, "throw": true, "try": true, "switch": true,
}

// startsLine reports whether a token is the first of its line and goes on with nothing: what stood before it has ended.
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

// operators are the words behind which an expression goes on.
var operators = map[string]bool{
	"typeof": true, "void": true, "delete": true, "new": true, "await": true, "in": true, "instanceof": true, "as": true, "extends": true, "keyof": true, "readonly": true, "return": true,
}

// ends finds where an expression or a type that begins at a token ends: before a comma, a semicolon or the next statement.
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

// function reads a function declaration.
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

// signature reads type parameters, parameters, the type of the result and a body.
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

// longestAngles is how many tokens may stand in angles.
const longestAngles = 1000

// angles is behind the > that closes a < ; what holds none is passed by one.
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

// variables reads const, let and var; a function that is the value of one is a function.
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
		r.i = r.past(r.i) // a name, or a pattern
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

// functionValue reads a function that stands as a value, and has d be that; it moves nowhere where there is none.
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
