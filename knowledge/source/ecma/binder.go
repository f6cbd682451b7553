package ecma

// A name may stand for a value, a type and a namespace at once; TypeScript looks for what its place asks for.
const (
	asValue uint8 = 1 << iota
	asType
	asNamespace
	asAny = asValue | asType | asNamespace
)

// deepest is how far code may nest before the binder passes over the rest of the brackets that it is in.
const deepest = 250

// builtin is the type of a local whose members are those of the language: a string, a list.
const builtin int32 = -1

// local is a name that a block binds. Numbers of locals, names and paths begin at 1, so that 0 says that there is none.
type local struct {
	name, block int32
	next        int32 // the one that the same block bound before
	hidden      int32 // the one of that name outside, while the block is open
	typ         int32 // the path of its type where the syntax tells it, or builtin
	meaning     uint8
	nested      bool // a var of the file or of a namespace, in a block of it
	vague       bool // an alias of what is no object type: its values may have types of other names
}

// block is a part of the file that binds names: a function, its body, a class, braces of statements, a function type.
type block struct {
	locals int32  // the last one
	vars   int32  // the block that a var in it belongs to
	outer  bool   // the file or a namespace: what it declares is there for the others
	apart  part   // of the file, when what stands in it is no part of the course around it
	prefix string // of a namespace
}

type eventKind uint8

const (
	opens eventKind = iota
	closes
	refers
	selects // a member of a value that has no name
	passes  // a name in a list of exports
)

// event is one thing that the binder met, in the order of the source. What a name stands for can only be told when all of
// its block is read, as declarations may follow their uses.
type event struct {
	kind       eventKind
	use        uint8
	meaning    uint8
	token, end int32 // the tokens of a name with its selectors
	close      int32 // the token behind which what is named has been called
	name       int32 // or the block that opens or closes
	types      int32 // the local whose type it is
}

// How code uses a name.
const (
	useCall uint8 = iota
	useType
	useValue
)

// binder reads a file with all of its blocks, statements, expressions and types, and notes which names they bind and
// use.
type binder struct {
	x      *extractor
	t      []token
	typed  bool // TypeScript
	names  nameTable
	paths  pathTable
	locals []local
	blocks []block
	open   []int32
	events []event
	depth  int
	infers int32 // the block of the conditional type around, which binds what infer names
	// prefixes are those of the namespaces around, outermost first.
	prefixes []string
	found    findings
	owners   owners
	apart    []part // what the token is in that is being looked at, outermost first
}

func (b *binder) reset(x *extractor) {
	b.x, b.t, b.typed, b.depth, b.infers = x, x.t, !x.javascript, 0, 0
	b.names.reset(x.src)
	b.paths.reset()
	b.locals = append(b.locals[:0], local{})
	b.blocks = append(b.blocks[:0], block{outer: true})
	b.open = append(b.open[:0], 0)
	b.events, b.prefixes = b.events[:0], b.prefixes[:0]
}

func (b *binder) at(i int) token {
	b.x.meter.Step()
	if i < len(b.t) {
		return b.t[i]
	}
	return endToken
}

// partner is the token that closes what token i opens; i when nothing does.
func (b *binder) partner(i int) int {
	if m := int(b.t[i].match); m > i {
		return m
	}
	return i
}

// name is the number of the name that token i is.
func (b *binder) name(i int) int32 {
	t := b.t[i]
	switch {
	case t.isKeyword(kThis):
		return nameThis
	case t.isKeyword(kSuper):
		return nameSuper
	}
	return b.names.number(t.off, t.end)
}

// enter opens a block; one for variables is a function's body.
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

// declare binds the name that token i is in the innermost block.
func (b *binder) declare(i int, meaning uint8) int32 {
	if b.at(i).kind != tIdent {
		return 0
	}
	return b.bind(b.name(i), b.current(), meaning)
}

// refer notes a use of the name at token i with the selectors up to end.
func (b *binder) refer(i, end int, use, meaning uint8) {
	b.events = append(b.events, event{kind: refers, use: use, meaning: meaning, token: int32(i), end: int32(end), name: b.name(i)})
}

// call notes that the name at token i with the selectors up to end is called; close is the last token of the call. What is called by its
// own method call or apply is called as well: f.call(this) may be a method of f, and is more likely f.
func (b *binder) call(i, end, close int) {
	b.refer(i, end, useCall, asValue)
	b.events[len(b.events)-1].close = int32(close)
	if end-2 > i && b.t[end-2].isPunct('.') && (b.x.textIs(end-1, "call") || b.x.textIs(end-1, "apply")) {
		b.refer(i, end-2, useCall, asValue)
		b.events[len(b.events)-1].close = int32(close)
	}
}

// typesLocal says that the event which names token i, when it came after since, is the type of a local.
func (b *binder) typesLocal(n int32, since, i int) {
	if since < len(b.events) && b.events[since].kind == refers && int(b.events[since].token) == i {
		b.events[since].types = n
	}
}

// tooDeep counts one more level; what follows a true answer is left unread.
func (b *binder) tooDeep() bool {
	b.depth++
	return b.depth > deepest
}
