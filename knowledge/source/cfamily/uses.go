package cfamily

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// uses collects the names that declarations use and do not bind themselves.
type uses struct {
	*outline
	wordTable
	course
	locals []local
	frames []frame
	// binds are the tokens further on that are names of the declaration that is being read, in order.
	binds  []int
	start  bool // a statement may begin here
	types  bool // what comes is the type of a declaration
	depth  int
	found  []use
	before int32 // how many uses were found for the entries before
	entry  int32 // of which the uses are, counted from 1
	// around is the name of what the entry is declared in; class, that this is a class.
	around string
	class  bool
	open   bool     // the class may have members that this file does not show
	line   struct { // the definition of a macro while it is read
		outline outline
		file    file
	}
	full    []byte  // where a name is put together
	odd     bool    // the file is not valid UTF-8: names sort otherwise than their bytes
	skip    []int32 // by token: where the entry ends that begins there, 0 for none
	own     span
	body    int             // the brace of the function's body
	global  bool            // what is declared outside of all brackets is no local
	gap     bool            // outside of all entries
	asked   int             // conditional operators that wait for their colon
	locally int             // how many classes within functions are around this place
	loose   bool            // a macro was used as a statement, which may declare what follows names
	opening int             // the brace of the class within a function that is being read
	passed  int             // a parenthesis that has been read
	records map[string]bool // classes that are defined here; true for those with bases
	traced  []trace
	trace   bool
}

type local struct {
	word, outer int32
	typ         bool // a class within the function
}

// use is one reference: kind twice, plus one when it is open. Its order is its place until they are ranked.
type use struct {
	word, how, line, order int32
	apart                  bool
}

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
var standard = []string{
	"NULL", "size_t", "ssize_t", "ptrdiff_t", "va_list", "bool", "true",
	"false", "nullptr", "uintptr_t", "intptr_t", "int8_t", "int16_t",
	"int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
	"std", "__func__", "__FUNCTION__", "__FILE__", "__LINE__", "defined",
	"override", "final", "__VA_ARGS__", "__VA_OPT__",
}

// tagged are the kinds whose names are tags in C.
var tagged = lazy.Value[map[source.Kind]bool]{Make: func() map[source.Kind]bool {
	return map[source.Kind]bool{source.Struct: true, source.Union: true, source.Enum: true}
}}

// newUses prepares for one file. The memory of old is used again.
func newUses(o *outline, old *uses) *uses {
	if old == nil {
		old = &uses{records: map[string]bool{}}
	}
	u := old
	clear(u.records)
	u.outline, u.entry, u.before, u.odd = o, 0, 0, !utf8.Valid(o.src)
	u.found = u.found[:0]
	u.clear(len(o.tokens))
	u.locals, u.frames = u.locals[:0], u.frames[:0]
	u.skip = slices.Grow(u.skip[:0], len(o.tokens)+1)[:len(o.tokens)+1]
	clear(u.skip)
	for i := range o.found {
		u.know(&o.found[i])
	}
	for _, name := range o.fields {
		u.declare(name)
	}
	u.macroLocals()
	u.secondBranches()
	return u
}

// know notes what an entry declares, and where it lies.
func (u *uses) know(e *entry) {
	if u.cpp || !tagged.Get()[e.kind] {
		u.declare(e.name) // the tags of C are no other names
	}
	if e.macro > 0 {
		return
	}
	u.skip[e.start] = max(u.skip[e.start], int32(e.end))
	if u.cpp && e.brace > 0 && e.kind != source.Enum {
		u.records[e.name] = u.records[e.name] || u.hasBases(e)
	}
}

func (u *uses) declare(name string) {
	u.mark(u.number(name), wordKnown)
	if u.cpp {
		u.mark(u.number(name[strings.LastIndexByte(name, '.')+1:]), wordTail)
	}
}

// forget lets go of the file that was read.
func (u *uses) forget() {
	if u == nil {
		return
	}
	u.Words.Reset()
	clear(u.words)
	clear(u.records)
	u.outline, u.line.outline, u.line.file = nil, outline{}, file{}
}

func (u *uses) bind(id int32) {
	u.locals = append(u.locals, local{id, u.words[id].local, false})
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
	u.before += int32(len(u.found))
	u.found = u.found[:0]
	u.around, u.class, u.open, u.body = "", false, false, -1
	u.noAngle, u.asked, u.passed, u.opening = 0, 0, -1, -1
	u.own, u.global, u.gap, u.locally, u.loose = span{}, true, e == nil, 0, false
	u.setOut(e)
	if e == nil {
		return
	}
	u.own, u.global = span{From: e.start, To: e.end}, !e.function
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
		u.traced = append(u.traced, trace{u.words[id].name, how, at})
	}
	if k := w.seen[how] - u.before; k > 0 {
		u.again(&u.found[k-1], at)
		return
	}
	u.found = append(u.found, use{id, how, u.lineOf(at), u.place(how, at), u.apart(at)})
	w.seen[how] = u.before + int32(len(u.found))
}

// lineOf is the line of token at; of a directive's words when they are being read.
func (u *uses) lineOf(at int) int32 { return u.tokens[at].line }

// list are the references of the entry, each with the line where it is first.
func (u *uses) list() []source.Reference {
	if len(u.found) == 0 {
		return nil
	}
	u.rank()
	slices.SortFunc(u.found, func(a, b use) int {
		if c := u.compareWords(a.word, b.word); c != 0 {
			return c
		}
		return cmp.Compare(a.how, b.how)
	})
	out := make([]source.Reference, len(u.found))
	for i, f := range u.found {
		out[i] = source.Reference{
			Name: u.words[f.word].name, Kind: hows[f.how&^howOpen], Open: f.how&howOpen > 0, Line: int(f.line), Order: int(f.order), Apart: f.apart,
		}
	}
	if u.odd {
		return source.SortReferences(out)
	}
	return out
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

// ofFile lists what is named outside of all entries.
func (u *uses) ofFile() []source.Reference {
	u.begin(nil)
	for i := 0; i < len(u.tokens); {
		if end := int(u.skip[i]); end > 0 {
			i = max(end, i+1)
			continue
		}
		from := i
		for i++; i < len(u.tokens); i++ {
			if u.skip[i] > 0 {
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
