package python

import "github.com/causaldocs/causal/knowledge/source"

type mode uint8

const (
	asValue      mode = iota
	asType            // base classes, caught exceptions
	asAnnotation      // a type that may contain string annotations
	asAnnotated       // arguments of Annotated: the first is an annotation
)

// target is the effect of an assignment target on plain names.
type target uint8

const (
	noTarget target = iota
	bindTarget
	loopTarget
	deleteTarget
)

// nesting is an open bracket, an open lambda or the statement itself.
type nesting struct {
	open       byte // ( [ {, 'p' for lambda parameters, 'l' for a lambda body, 0 for the statement
	mode       mode
	target     target
	call       bool // contains arguments
	alias      bool // the target follows `as`
	comp       bool
	defaulted  bool // in a parameter's default value
	hidden     bool // a scope beyond maxSpaces
	inner      int32
	uses       int32 // start of its uses
	iter, past int32 // uses of the first iterable, which belong to the enclosing scope; past is -1 until it ends
}

// maxInner bounds the nesting of comprehensions and lambdas that are distinguished.
const maxInner = 64

// expression reads the tokens [from, to).
func (w *walker) expression(from, to int, m mode, t target) {
	if from >= to {
		return
	}
	bottom := len(w.nest)
	w.nest = append(w.nest, nesting{mode: m, target: t, uses: int32(len(w.uses)), inner: int32(len(w.inner)), iter: -1})
	for i := from; i < to; i++ {
		switch t := w.toks[i]; t.kind {
		case name:
			i = w.named(i, from, to)
		case keyword:
			w.reserved(i, bottom)
		case op:
			if t.end-t.start == 1 {
				w.punctuation(i, from, bottom, w.src[t.start])
			}
		case str:
			if w.inside().mode >= asAnnotation {
				w.quoted(i)
			}
		}
	}
	for len(w.nest) > bottom {
		w.pop()
	}
}

func (w *walker) inside() *nesting { return &w.nest[len(w.nest)-1] }

// named reads the name at token i with its members, and returns the last token.
func (w *walker) named(i, from, to int) int {
	top := w.inside()
	switch {
	case i > from && w.isOp(i-1, to, '.'):
		w.selected(i, w.kindAt(i, to, top.mode))
		return i
	case i > from && w.isOp(i-1, to, '!'):
		return i // conversion in a replacement field
	case top.open == 'p' && !top.defaulted:
		w.inner = append(w.inner, bound{word: w.word(i), place: int32(len(w.nest))})
		return i
	case top.open != 0 && w.isOp(i+1, to, '='):
		return i // argument name
	case w.is(i+1, to, ":="):
		w.walrus(i)
		return i
	}
	last := w.chain(i, to)
	if top.target != noTarget && last == i && !w.isOp(i+1, to, '(') && !w.isOp(i+1, to, '[') {
		w.assigned(i, top.target)
		return i
	}
	w.use(i, last, w.kindAt(last, to, top.mode))
	return last
}

func (w *walker) kindAt(i, to int, m mode) source.How {
	switch {
	case w.isOp(i+1, to, '('):
		return source.AsCall
	case m != asValue:
		return source.AsType
	}
	return source.AsValue
}

func (w *walker) assigned(i int, t target) {
	switch {
	case t == loopTarget:
		w.inner = append(w.inner, bound{word: w.word(i), place: w.comprehension()})
	case t == deleteTarget && w.space().kind != inFunction:
		w.use(i, i, source.AsValue)
	default:
		w.bind(i)
	}
}

func (w *walker) comprehension() int32 {
	n := len(w.nest)
	for n > 1 && !w.nest[n-1].comp {
		n--
	}
	return int32(n)
}

// walrus binds in the block or lambda that encloses the comprehensions.
func (w *walker) walrus(i int) {
	for n := len(w.nest); n > 0; n-- {
		if w.nest[n-1].open == 'l' {
			w.inner = append(w.inner, bound{word: w.word(i), place: int32(n)})
			return
		}
	}
	w.bind(i)
}

func (w *walker) reserved(i, bottom int) {
	switch w.text(i) {
	case "lambda":
		c := nesting{open: 'p', uses: int32(len(w.uses)), inner: int32(len(w.inner)), iter: -1}
		if c.hidden = len(w.nest) > maxInner; c.hidden {
			w.hidden++
		}
		w.nest = append(w.nest, c)
	case "for":
		w.endLambdas(bottom)
		w.loop()
	case "in":
		if c := w.inside(); c.target != noTarget {
			c.target = noTarget
			if c.comp && c.iter < 0 {
				c.iter, c.past = int32(len(w.uses)), -1
			}
		}
	case "if":
		w.inside().endIterable(len(w.uses))
	case "as":
		w.endLambdas(bottom)
		c := w.inside()
		c.target, c.alias = bindTarget, true
	}
}

// loop begins a comprehension, or its next loop.
func (w *walker) loop() {
	c := w.inside()
	if c.open == 0 || c.open == 'p' || c.open == 'l' {
		return
	}
	c.endIterable(len(w.uses))
	if !c.comp {
		c.comp, c.inner = true, int32(len(w.inner))
		if c.hidden = len(w.nest) > maxInner; c.hidden {
			w.hidden++
		}
	}
	c.target = loopTarget
}

func (c *nesting) endIterable(uses int) {
	if c.comp && c.iter >= 0 && c.past < 0 {
		c.past = int32(uses)
	}
}

func (w *walker) punctuation(i, from, bottom int, c byte) {
	switch c {
	case '(', '[', '{':
		w.push(i, from, c)
	case ')', ']', '}':
		for len(w.nest) > bottom+1 {
			lambda := w.inside().open == 'l' || w.inside().open == 'p'
			w.pop()
			if !lambda {
				break
			}
		}
	case ',':
		w.endLambdas(bottom)
		top := w.inside()
		top.defaulted = false
		if top.alias {
			top.target, top.alias = noTarget, false
		}
		if top.mode == asAnnotated {
			top.mode = asValue
		}
	case ':':
		w.endLambdas(bottom)
		if top := w.inside(); top.open == 'p' {
			top.open, top.uses = 'l', int32(len(w.uses))
		}
	case '=':
		if top := w.inside(); top.open == 'p' {
			top.defaulted = true
		}
	}
}

// endLambdas closes the lambdas that end at a comma, a colon or a keyword.
func (w *walker) endLambdas(bottom int) {
	for len(w.nest) > bottom+1 && w.inside().open == 'l' {
		w.pop()
	}
}

func (w *walker) push(i, from int, open byte) {
	around := w.inside()
	c := nesting{
		open: open, mode: around.mode, target: around.target, uses: int32(len(w.uses)), inner: int32(len(w.inner)), iter: -1,
	}
	c.call = open != '{' && i > from && w.endsOperand(i-1)
	switch {
	case c.call && open == '(' || open == '{':
		c.mode, c.target = asValue, noTarget
	case c.call:
		c.target = noTarget
		if c.mode >= asAnnotation {
			c.mode = w.subscriptMode(i - 1)
		}
	case c.mode == asAnnotated:
		c.mode = asAnnotation
	}
	w.nest = append(w.nest, c)
}

// subscriptMode returns the mode for the arguments of a generic type whose name ends at token i.
func (w *walker) subscriptMode(i int) mode {
	if w.toks[i].kind == name {
		switch w.text(i) {
		case "Literal":
			return asValue
		case "Annotated":
			return asAnnotated
		}
	}
	return asAnnotation
}

// endsOperand reports whether token i ends an operand, which makes a following bracket a call or subscript.
func (x *reader) endsOperand(i int) bool {
	switch t := x.toks[i]; t.kind {
	case name, number, str, fdebug:
		return true
	case fpart:
		return x.src[t.end-1] != '{'
	case op:
		c := x.src[t.start]
		return t.end-t.start == 1 && (c == ')' || c == ']' || c == '}')
	case keyword:
		switch x.text(i) {
		case "None", "True", "False":
			return true
		}
	}
	return false
}

// pop closes the innermost nesting and sifts its uses if it is a scope.
func (w *walker) pop() {
	depth := int32(len(w.nest))
	c := *w.inside()
	w.nest = w.nest[:depth-1]
	switch {
	case c.open == 'l' || c.open == 'p':
	case c.comp:
		c.endIterable(len(w.uses))
	default:
		return
	}
	if c.hidden {
		w.hidden--
		w.inner = w.inner[:c.inner]
		return
	}
	if !c.comp || c.iter < 0 {
		c.iter, c.past = -1, -1
	}
	w.closeScopeOf(c, depth)
}
