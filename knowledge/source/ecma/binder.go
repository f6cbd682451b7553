package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// A name may denote a value, a type and a namespace at once; TypeScript picks one by position.
const (
	asValue uint8 = 1 << iota
	asType
	asNamespace
	asAny = asValue | asType | asNamespace
)

// deepest bounds nesting; the binder skips what is nested deeper.
const deepest = 250

// builtin is the type of a local whose members belong to the language, such as a string or a list.
const builtin int32 = -1

// local is a name bound by a block. Numbers of locals, names and paths start at 1; 0 means none.
type local struct {
	name, block int32
	next        int32 // previous local of the same block
	hidden      int32 // shadowed local, while the block is open
	typ         int32 // path of its type if the syntax shows it, or builtin
	meaning     uint8
	nested      bool // a var inside a nested block of the file or a namespace
	vague       bool // alias of something other than an object type: its values may have types with other names
}

// block is a scope: a function, its body, a class, a braced statement list, or a function type.
type block struct {
	locals int32 // the last one
	vars   int32 // block that a var in it belongs to
	outer  bool  // file or namespace: its declarations are visible to other files
	apart  part  // set if the block's code is off the main control flow of the enclosing declaration
	prefix string
}

type eventKind uint8

const (
	opens eventKind = iota
	closes
	refers
	selects
	passes
)

// event is one occurrence that the binder saw, in source order. Names are resolved only after their block was read,
// because a declaration may follow its uses.
type event struct {
	kind       eventKind
	use        source.How
	meaning    uint8
	token, end int32
	close      int32 // last token of the call, if the name is called
	name       int32 // for opening and closing events, the block
	types      int32 // the local whose type it is
	later      bool  // a call by the renderer: of a component or a hook
}

type binder struct {
	grower
	x      *extractor
	t      []token
	typed  bool
	names  nameTable
	paths  kernel.Paths
	locals []local
	blocks []block
	open   []int32
	events []event
	depth  int
	infers int32 // block of the enclosing conditional type, which binds inferred names
	// Enclosing namespaces, outermost first.
	prefixes   []string
	found      source.Mentions
	letters    []byte
	owners     owners
	interfaces owners
	branches   []control.Branch // of the tokens
	forks      *control.Forks
	unnamed    func(e *event, s ownSpan) (owner int, branch control.Branch) // set in a replay, see again
	apart      []part                                                       // parts that contain the current token, outermost first
}

func newBinder(x *extractor) *binder {
	return &binder{x: x, t: x.t, typed: !x.javascript, names: newNameTable(x.src), locals: []local{{}}, blocks: []block{{outer: true}}, open: []int32{0}}
}

func (b *binder) at(i int) token { return b.x.at(i) }

// partner is the bracket that closes the one at i, or i.
func (b *binder) partner(i int) int { return b.x.skip(i) - 1 }

func (b *binder) name(i int) int32 {
	switch t := b.t[i]; {
	case t.isKeyword(kThis):
		return nameThis
	case t.isKeyword(kSuper):
		return nameSuper
	}
	return b.number(i)
}

// number is the number of the text of token i.
func (b *binder) number(i int) int32 { return b.names.Number(b.text(i)) }

func (b *binder) enter(variables bool) int32 {
	n := int32(len(b.blocks))
	vars := n
	if !variables {
		vars = b.blocks[b.current()].vars
	}
	b.blocks = append(b.blocks, block{vars: vars})
	b.open = append(b.open, n)
	b.events = append(b.events, event{kind: opens, name: n})
	return n
}

func (b *binder) leave() {
	b.events = append(b.events, event{kind: closes, name: b.current()})
	b.open = b.open[:len(b.open)-1]
}

func (b *binder) current() int32 { return b.open[len(b.open)-1] }

// bind binds a name in a block and returns the local.
func (b *binder) bind(name, in int32, meaning uint8) int32 {
	n := int32(len(b.locals))
	b.locals = append(b.locals, local{name: name, block: in, next: b.blocks[in].locals, meaning: meaning})
	b.blocks[in].locals = n
	return n
}

func (b *binder) declare(i int, meaning uint8) int32 {
	if b.at(i).kind != tIdent {
		return 0
	}
	return b.bind(b.name(i), b.current(), meaning)
}

// refer notes a use of the name at token i with the selectors up to end.
func (b *binder) refer(i, end int, use source.How, meaning uint8) {
	b.events = append(b.events, event{kind: refers, use: use, meaning: meaning, token: int32(i), end: int32(end), name: b.name(i)})
}

// call records that the name at token i, with selectors up to end, is called; close is the last token of the call. For
// x.call and x.apply, x counts as called too: f.call(this) may be a method of f, and is more likely f.
func (b *binder) call(i, end, close int) {
	b.refer(i, end, source.AsCall, asValue)
	b.events[len(b.events)-1].close = int32(close)
	b.events[len(b.events)-1].later = end == i+1 && isHook(b.x.text(i))
	if end-2 > i && b.t[end-2].isPunct('.') && (b.x.textIs(end-1, "call") || b.x.textIs(end-1, "apply")) {
		b.refer(i, end-2, source.AsCall, asValue)
		b.events[len(b.events)-1].close = int32(close)
	}
}

// typesLocal marks the event at token i, if recorded after since, as the type of local n.
func (b *binder) typesLocal(n int32, since, i int) {
	if since < len(b.events) && b.events[since].kind == refers && int(b.events[since].token) == i {
		b.events[since].types = n
	}
}

func (b *binder) tooDeep() bool {
	b.depth++
	return b.depth > deepest
}
