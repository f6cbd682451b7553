package cfamily

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// uses collects the free names of declarations.
type uses struct {
	*outline
	wordTable
	course
	locals []local
	frames []frame
	// binds are the upcoming name tokens of the current declaration, in order.
	binds []int
	start bool // a statement may begin here
	types bool // inside a declaration's type
	depth int
	found source.Mentions
	entry int32 // the current entry, counted from 1
	// around is the container's name; class marks a class.
	around string
	class  bool
	open   bool     // the class may have unknown members
	line   struct { // the current macro definition
		outline outline
		file    file
	}
	full    []byte  // name buffer
	skip    []int32 // by token: the end of the entry that begins there, or 0
	own     span
	body    int             // the function body's brace
	global  bool            // top-level declarations are not local
	gap     bool            // outside all entries
	asked   int             // conditional operators without their colon
	locally int             // the depth of classes within functions
	loose   bool            // a macro used as a statement may have declared names
	opening int             // the brace of a class within a function
	passed  int             // a parenthesis that is already read
	records map[string]bool // classes defined here; true if they have bases
}

type local struct {
	word, outer int32
	typ         bool // a class within the function
}

type frame struct {
	end    int // the closing token
	locals int // the number of locals before
	kind   frameKind
	after  int   // for a control: the end of its scope
	binds  []int // the enclosing declaration's unbound names
}

type frameKind uint8

const (
	inBlock  frameKind = iota
	inRecord           // members of a struct, union or class
	inEnum
	inGroup   // in an expression
	inControl // if (…), for (…)
	inStatement
	inList // initializer
	inMacro
)

// standard are predeclared names that no repository declares.
var standard = []string{
	"NULL", "size_t", "ssize_t", "ptrdiff_t", "va_list", "bool", "true",
	"false", "nullptr", "uintptr_t", "intptr_t", "int8_t", "int16_t",
	"int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
	"std", "__func__", "__FUNCTION__", "__FILE__", "__LINE__", "defined",
	"override", "final", "__VA_ARGS__", "__VA_OPT__",
}

// tagged are the kinds with tag names in C.
var tagged = lazy.Value[map[source.Kind]bool]{Make: func() map[source.Kind]bool {
	return map[source.Kind]bool{source.Struct: true, source.Union: true, source.Enum: true}
}}

func newUses(o *outline) *uses {
	u := &uses{outline: o, wordTable: newWordTable(len(o.tokens)), records: map[string]bool{}, skip: make([]int32, len(o.tokens)+1)}
	for i := range o.found {
		u.know(&o.found[i])
	}
	for _, name := range o.fields {
		u.declare(name)
	}
	u.macroLocals()
	u.secondBranches()
	u.arms, u.forks = (&control.Braces{
		Tokens: len(u.tokens), After: u.past, Codes: true, Text: func(int) string { return "" },
		Code: func(from, to int) string {
			differs := func(t token) bool { return t.branch != u.tokens[from].branch }
			if slices.ContainsFunc(u.tokens[from:to], differs) {
				return ""
			}
			return render(u.file, u.angles(from, to), true, span{From: from, To: to})
		},
		Word: func(i int) control.Word {
			if u.cpp && u.is(i, opAnd) { // may be a reference
				return 0
			}
			return control.WordOf(u.spelling(u.tokens[i]))
		},
	}).Branches()
	return u
}

func (u *uses) know(e *entry) {
	if u.cpp || !tagged.Get()[e.kind] {
		u.declare(e.name) // C tags are in a separate namespace
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

func (u *uses) begin(e *entry) {
	u.entry++
	u.found.List = u.found.List[:0]
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

func (u *uses) refer(id int32, how source.How, at int) {
	u.found.List = append(u.found.List, source.Mention{
		Owner: source.NoOwner, Name: id, At: int32(at), Place: u.place(how, at), How: how, Branch: u.branchOf(at),
	})
}

// list returns the references of the current entry.
func (u *uses) list() (out []source.Reference) {
	u.found.References(0, u, u.forks, func(_ int, list []source.Reference) { out = list })
	return out
}

// LineOf implements source.Speller.
func (u *uses) LineOf(at int32) int { return int(u.tokens[at].line) }

func (u *uses) ofEntry(e *entry) []source.Reference {
	u.walkEntry(e)
	return u.list()
}

func (u *uses) walkEntry(e *entry) {
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
}

func (u *uses) ofFile() []source.Reference {
	u.walkRest()
	return u.list()
}

// walkRest walks the code outside all entries.
func (u *uses) walkRest() {
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
}

func (o *outline) hasBases(e *entry) bool {
	for i := e.start; i < e.brace; i++ {
		if o.is(i, ':') {
			return true
		}
	}
	return false
}
