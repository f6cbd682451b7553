package cfamily

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// uses collects the names that declarations use and do not bind themselves.
type uses struct {
	*outline
	ids    map[string]int32
	words  []wordUse
	locals []local
	frames []frame
	// binds are the tokens further on that are names of the declaration that is being read, in order.
	binds []int
	start bool // a statement may begin here
	types bool // what comes is the type of a declaration
	depth int
	found []use
	entry int32 // of which the uses are, counted from 1
	// around is the name of what the entry is declared in; class, that this is a class.
	around     string
	class      bool
	open       bool // the class may have members that this file does not show
	known      map[string]bool
	skip       map[int32]int32 // where entries begin and end
	own        span
	body       int             // the brace of the function's body
	global     bool            // what is declared outside of all brackets is no local
	gap        bool            // outside of all entries
	asked      int             // conditional operators that wait for their colon
	locally    int             // how many classes within functions are around this place
	fromMacros map[string]bool // names that macros of this file declare where they are used
	loose      bool            // a macro was used as a statement, which may declare what follows names
	passed     int             // a parenthesis that has been read
	records    map[string]bool // classes that are defined here; true for those with bases
	traced     []trace
	trace      bool
}

// wordUse is what is known of a name.
type wordUse struct {
	name  string
	local int32 // 1 + the innermost local of this name
	seen  [6]int32
	free  int32 // the entry that resolved was found for
	full  int32 // what the name means there, 0 for something else's member
}

type local struct{ word, outer int32 }

// use is one reference: kind twice, plus one when it is open.
type use struct{ word, how, line int32 }

const (
	howCall  = 0
	howType  = 2
	howValue = 4
	howOpen  = 1
)

var hows = [...]source.RefKind{howCall: source.RefCall, howType: source.RefType, howValue: source.RefValue}

// trace is one reference with its token, for the comparison with the compiler.
type trace struct {
	name  string
	how   int32
	token int
}

// frame is a bracket that is open.
type frame struct {
	end    int // the token that closes it
	locals int // how many locals there were
	kind   frameKind
	after  int   // of a control: where the scope of what it declares ends
	binds  []int // what the declaration around a block has yet to bind
}

type frameKind uint8

const (
	inBlock  frameKind = iota
	inRecord           // the members of a struct, union or class
	inEnum
	inGroup   // of an expression
	inControl // if (…), for (…)
	inStatement
	inList // an initialiser
	inMacro
)

// standard are names that every file may use and no repository declares.
var standard = map[string]bool{
	"NULL": true, "size_t": true, "ssize_t": true, "ptrdiff_t": true, "va_list": true, "bool": true, "true": true,
	"false": true, "nullptr": true, "uintptr_t": true, "intptr_t": true, "int8_t": true, "int16_t": true,
	"int32_t": true, "int64_t": true, "uint8_t": true, "uint16_t": true, "uint32_t": true, "uint64_t": true,
	"std": true, "__func__": true, "__FUNCTION__": true, "__FILE__": true, "__LINE__": true, "defined": true,
	"override": true, "final": true, "__VA_ARGS__": true, "__VA_OPT__": true,
}

// tagged are the kinds whose names are tags in C.
var tagged = map[source.Kind]bool{source.Struct: true, source.Union: true, source.Enum: true}

func newUses(o *outline) *uses {
	u := &uses{outline: o, ids: map[string]int32{}, words: make([]wordUse, 1), known: map[string]bool{}, fromMacros: map[string]bool{},
		skip: make(map[int32]int32, len(o.found))}
	for i := range o.found {
		e := &o.found[i]
		if o.cpp || !tagged[e.kind] {
			u.known[e.name] = true // the tags of C are no other names
		}
		if e.macro == 0 {
			u.skip[int32(e.start)] = max(u.skip[int32(e.start)], int32(e.end))
		}
	}
	for _, name := range o.fields {
		u.known[name] = true
	}
	u.macroLocals()
	u.records = map[string]bool{}
	for i := range o.found {
		if e := &o.found[i]; o.cpp && e.brace > 0 && e.kind != source.Enum {
			u.records[e.name] = u.records[e.name] || o.hasBases(e)
		}
	}
	return u
}

func (u *uses) word(spelling []byte) int32 {
	if id, ok := u.ids[string(spelling)]; ok {
		return id
	}
	name := valid(string(spelling))
	id := int32(len(u.words))
	u.ids[name] = id
	if name != string(spelling) {
		u.ids[string(spelling)] = id
	}
	u.words = append(u.words, wordUse{name: name})
	return id
}

func (u *uses) bind(id int32) {
	u.locals = append(u.locals, local{id, u.words[id].local})
	u.words[id].local = int32(len(u.locals))
}

func (u *uses) release(n int) {
	for k := len(u.locals); k > n; k-- {
		l := u.locals[k-1]
		u.words[l.word].local = l.outer
	}
	u.locals = u.locals[:n]
}

// begin makes what follows belong to e.
func (u *uses) begin(e *entry) {
	u.entry++
	u.found = u.found[:0]
	u.around, u.class, u.open, u.body = "", false, false, -1
	u.noAngle, u.asked, u.passed = 0, 0, -1
	u.own, u.global, u.gap, u.locally, u.loose = span{}, true, e == nil, 0, false
	if e == nil {
		return
	}
	u.own, u.global = span{e.start, e.end}, !e.function
	u.around = e.name[:max(0, strings.LastIndexByte(e.name, '.'))]
	if bases, ok := u.records[u.around]; ok {
		u.class, u.open = true, bases
	} else if e.kind == source.Method {
		u.class, u.open = true, true
	}
	if e.brace > 0 && e.kind != source.Enum {
		u.around, u.class, u.open = e.name, true, u.records[e.name]
	}
}

// refer records a name that is not bound.
func (u *uses) refer(id, how int32, at int) {
	w := &u.words[id]
	if u.trace {
		u.traced = append(u.traced, trace{w.name, how, at})
	}
	if w.seen[how] == u.entry {
		return
	}
	w.seen[how] = u.entry
	u.found = append(u.found, use{id, how, u.lineOf(at)})
}

// lineOf is the line of token at; of a directive's words when they are being read.
func (u *uses) lineOf(at int) int32 { return u.tokens[at].line }

// list are the references of the entry.
func (u *uses) list() []source.Reference {
	if len(u.found) == 0 {
		return nil
	}
	out := make([]source.Reference, len(u.found))
	for i, f := range u.found {
		out[i] = source.Reference{Name: u.words[f.word].name, Kind: hows[f.how&^howOpen], Open: f.how&howOpen > 0, Line: int(f.line)}
	}
	return sortedReferences(out)
}

// sortedReferences sorts a list and keeps the first line of each.
func sortedReferences(list []source.Reference) []source.Reference {
	slices.SortFunc(list, func(a, b source.Reference) int {
		return cmp.Or(compareReferences(a, b), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(list, func(a, b source.Reference) bool { return compareReferences(a, b) == 0 })
}

func compareReferences(a, b source.Reference) int {
	if c := cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind)); c != 0 || a.Open == b.Open {
		return c
	}
	if b.Open {
		return -1
	}
	return 1
}

// free records the name of token i, unless it is bound.
func (u *uses) free(id, how int32, i int) {
	w := &u.words[id]
	if w.local > 0 || standard[w.name] && !u.known[w.name] {
		return
	}
	if how != howType && u.doubtful(w.name, how) {
		u.refer(id, how|howOpen, i)
		return
	}
	if !u.cpp {
		u.refer(id, how, i)
		return
	}
	if w.free != u.entry {
		full := u.resolve(id)
		w = &u.words[id]
		w.free, w.full = u.entry, full
	}
	switch {
	case w.full > 0:
		u.refer(w.full, how, i)
	case how == howType || looksMacro(w.name):
		u.refer(id, how, i)
	default:
		last := w.name[strings.LastIndexByte(w.name, '.')+1:]
		u.refer(u.word([]byte(last)), how|howOpen, i)
	}
}

// doubtful reports whether a name that the file does not declare may be bound by something that is not followed here:
// a macro, a class within the function.
func (u *uses) doubtful(name string, how int32) bool {
	switch {
	case u.known[name]:
		return false
	case u.fromMacros[name]:
		return true
	}
	return (u.locally > 0 || u.loose && how == howValue) && !looksMacro(name) && !strings.Contains(name, ".")
}

// resolve finds what a name means from inside the entry: the symbol of the file that it names, itself where no member
// of a class can be meant, 0 where one can.
func (u *uses) resolve(id int32) int32 {
	name := u.words[id].name
	for around := u.around; ; around = around[:max(0, strings.LastIndexByte(around, '.'))] {
		full := name
		if around != "" {
			full = around + "." + name
		}
		if u.known[full] {
			return u.word([]byte(full))
		}
		if around == "" {
			break
		}
	}
	if u.class && u.open && !strings.Contains(name, ".") {
		return 0
	}
	return id
}

// ofEntry lists what an entry names.
func (u *uses) ofEntry(e *entry) []source.Reference {
	u.begin(e)
	from := u.templateHeader(e.start, e.end)
	switch {
	case e.function:
		u.function(e, from)
	case e.brace > 0:
		u.record(e, from)
	case e.kind == source.Const && e.start < len(u.tokens) && u.name(e.start) && (u.is(e.start+1, '=') || e.end == e.start+1):
		u.walk(e.start+1, e.end) // an enumerator
	default:
		u.declaration(from, e.end)
		u.walk(from, e.end)
	}
	u.release(0)
	return u.list()
}

// templateHeader binds the parameters of the template headers at i, and returns where they end.
func (u *uses) templateHeader(i, to int) int {
	for u.outline.word(i, kwTemplate) && u.is(i+1, '<') {
		end := u.angle(i + 1)
		if end < 0 || end > to {
			return i
		}
		for k := i + 2; k < end-1; {
			next := k
			for depth := 0; next < end-1 && (depth > 0 || !u.is(next, ',')); next++ {
				switch {
				case u.is(next, '<'):
					depth++
				case u.is(next, '>'):
					depth--
				}
			}
			u.templateParameter(k, next)
			k = next + 1
		}
		i = end
	}
	return i
}

// templateParameter binds the name of a template parameter, the last word before its default.
func (u *uses) templateParameter(from, to int) {
	title := -1
	for k := from; k < to && !u.is(k, '='); k++ {
		if u.name(k) {
			title = k
		}
	}
	for k := from; k < to; k++ {
		if u.name(k) && k != title {
			u.free(u.word(u.spelling(u.tokens[k])), howType, k)
		}
	}
	if title >= 0 {
		u.bind(u.word(u.spelling(u.tokens[title])))
	}
}

// record goes through a struct, union, class or enum: its own name is none that it uses.
func (u *uses) record(e *entry, from int) {
	last := -1
	for i := from; i < e.brace && !u.is(i, ':'); i++ {
		if u.name(i) {
			last = i
		}
	}
	u.types = true
	for i := from; i < e.brace; i++ {
		if u.name(i) && i != last {
			i = u.identifier(i) - 1
		}
	}
	u.types = false
	kind := inRecord
	if e.kind == source.Enum {
		kind = inEnum
	}
	end := min(int(u.match[e.brace]), e.end)
	u.frames = append(u.frames[:0], frame{end: end, kind: kind})
	u.start = true
	u.walk(e.brace+1, end)
	if tail := min(u.after(e.brace), e.end); tail < e.end {
		u.titles(tail, e.end, true)
		u.walk(tail, e.end)
	}
}

// function goes through the declaration or definition of a function.
func (u *uses) function(e *entry, from int) {
	u.types = true
	for i := from; i < e.title; i++ {
		if u.name(i) {
			i = u.identifier(i) - 1
		} else if u.tokens[i].id == kwAttribute && u.tokens[i].kind == identifier && u.is(i+1, '(') {
			i = u.after(i+1) - 1
		}
	}
	u.types = false
	if e.params < e.start || e.params >= e.end {
		return
	}
	u.parameters(e.params)
	u.frames = u.frames[:0]
	body := e.end
	if e.body > e.params {
		body, u.body = min(e.body, e.end), e.body
	}
	for i := min(u.after(e.params), body); i < body; {
		if u.tokens[i].kind == identifier && !u.outline.word(i, kwConst) {
			u.start = false
			i = u.identifier(i)
		} else {
			i++
		}
	}
	u.walk(body, e.end)
}

// parameters reads the parameter list in the parenthesis at paren and binds its names.
func (u *uses) parameters(paren int) {
	if u.depth >= maxScopes {
		return
	}
	u.depth++
	end := u.after(paren) - 1
	for i := paren + 1; i < end; {
		d, next := u.declarator(i, end, false)
		title := d.title
		if title < 0 && next == i+1 && u.name(i) && u.oldStyle(paren) > 0 {
			title = i // of C before 1989
		}
		stop := next
		if d.equals >= 0 {
			stop = min(d.equals, next)
		}
		u.typeTokens(i, stop, title)
		if title >= 0 {
			u.bind(u.word(u.spelling(u.tokens[title])))
		}
		for k := stop; k < next; k++ {
			if u.name(k) {
				k = u.identifier(k) - 1
			}
		}
		i = next + 1
	}
	u.depth--
}

// typeTokens records the types of a parameter; the parameters of a pointer to a function are bound for as long.
func (u *uses) typeTokens(from, to, title int) {
	u.types = true
	for i := from; i < to; i++ {
		switch {
		case i == title:
		case u.name(i):
			i = u.identifier(i) - 1
		case u.is(i, '(') && u.is(i-1, ')'):
			n := len(u.locals)
			u.types = false
			u.parameters(i)
			u.types = true
			u.release(n)
			i = min(u.after(i), to) - 1
		}
	}
	u.types = false
}

// ofFile lists what is named outside of all entries.
func (u *uses) ofFile() []source.Reference {
	u.begin(nil)
	for i := 0; i < len(u.tokens); {
		if end, ok := u.skip[int32(i)]; ok {
			i = max(int(end), i+1)
			continue
		}
		from := i
		for i++; i < len(u.tokens); i++ {
			if _, ok := u.skip[int32(i)]; ok {
				break
			}
		}
		u.start = true
		u.walk(from, i)
		u.release(0)
	}
	return u.list()
}

// hasBases reports whether a record inherits.
func (o *outline) hasBases(e *entry) bool {
	for i := e.start; i < e.brace; i++ {
		if o.is(i, ':') {
			return true
		}
	}
	return false
}
