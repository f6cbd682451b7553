package java

import "github.com/causaldocs/causal/knowledge/source"

// maxDepth bounds how deep expressions and statements are followed; what is further in is passed over.
const maxDepth = 200

// reached says what a chain of names has come to.
type reached uint8

const (
	unknown reached = iota // a value whose type the syntax does not tell
	ofType                 // a value of the type name
	aType                  // the type name itself
	aPackage
)

// operand is what a chain has come to. name is closed where nothing that it leads to is declared in a repository.
type operand struct {
	is   reached
	name dotted
}

// deeper reports whether one level more may be followed; the caller calls shallower when it is done.
func (w *walker) deeper() bool {
	if w.depth >= maxDepth {
		return false
	}
	w.depth++
	return true
}

func (w *walker) shallower() { w.depth-- }

// expression reads on from i up to what no expression goes past: a bracket that closes, a comma, a semicolon, the
// arrow of a case, a colon that ends no conditional.
func (w *walker) expression(i int32) int32 {
	if !w.deeper() {
		return w.over(i)
	}
	defer w.shallower()
	for questions := 0; ; {
		switch w.kind(i) {
		case 0, ';', ')', ']', '}', ',':
			return i
		case ':':
			if questions == 0 {
				return i
			}
			questions--
			i++
		case '?':
			questions++
			i++
		case word:
			i = w.wordOf(i)
		case '(', '{', '[', text, block:
			i = w.primary(i)
		case '@':
			i = w.annotation(i)
		case operator:
			if w.isArrow(i) {
				return i
			}
			i++
		default:
			i++
		}
	}
}

// over passes over an expression without looking at it.
func (w *walker) over(i int32) int32 {
	for {
		switch w.kind(i) {
		case 0, ';', ')', ']', '}', ',', ':':
			return i
		case '(', '{', '[':
			i = w.ends[i]
		case operator:
			if w.isArrow(i) {
				return i
			}
			i++
		default:
			i++
		}
	}
}

func (w *walker) isArrow(i int32) bool {
	return w.kind(i) == operator && w.src[w.toks[i].start] == '-' && w.src[w.toks[i].end-1] == '>'
}

func (w *walker) isReference(i int32) bool {
	return w.kind(i) == operator && w.src[w.toks[i].start] == ':'
}

// list reads expressions that commas separate, up to the token before end.
func (w *walker) list(i, end int32) {
	defer func(was bool) { w.inLabel = was }(w.inLabel)
	w.inLabel = false
	for i < end {
		n := w.expression(i)
		if n >= end || w.kind(n) == 0 {
			return
		}
		i = n + 1
	}
}

// group reads what stands in the bracket at i, and returns the index after it.
func (w *walker) group(i int32) int32 {
	end := w.ends[i]
	w.list(i+1, end-1)
	return end
}

// wordOf reads what begins with the word at i within an expression.
func (w *walker) wordOf(i int32) int32 {
	id := w.ids[i]
	if w.has(id, wordReserved|wordPrimitive) {
		switch id {
		case idNew, idThis, idSuper, idSwitch:
			return w.primary(i)
		case idInstanceof:
			return w.pattern(i+1, true)
		}
		return i + 1
	}
	if w.isArrow(i+1) && !w.inLabel {
		vars, types := w.mark()
		w.bind(id, 0)
		end := w.lambdaBody(i + 2)
		w.release(vars, types)
		return end
	}
	return w.primary(i)
}

// primary reads one operand with all its selections.
func (w *walker) primary(i int32) int32 {
	i, op := w.operand(i)
	i, _ = w.selections(i, op)
	return i
}

// operand reads the beginning of a chain.
func (w *walker) operand(i int32) (int32, operand) {
	switch w.kind(i) {
	case '(':
		return w.parenthesis(i)
	case '{', '[':
		return w.group(i), operand{}
	case text, block:
		return i + 1, operand{ofType, closed}
	}
	id := w.ids[i]
	switch id {
	case idNew:
		return w.creation(i+1, 0)
	case idSwitch:
		return w.switchOf(i), operand{}
	case idThis, idSuper:
		return w.self(i, id == idSuper)
	}
	if w.kind(i+1) == '(' {
		return w.call(i, id), operand{}
	}
	return i + 1, w.first(i, id)
}

// self reads this or super, or the call of another constructor.
func (w *walker) self(i int32, super bool) (int32, operand) {
	c := &w.classes[w.inside[len(w.inside)-1]]
	d := c.name
	if super {
		d = c.base
	}
	if w.kind(i+1) == '(' {
		if super {
			w.certain(d, refType, i)
		} else if d > 0 {
			w.certain(w.join(d, w.qualified[d].last), refCall, i)
		}
		return w.group(i + 1), operand{}
	}
	if !super && d == 0 {
		d = c.base
	}
	if d == 0 {
		return i + 1, operand{}
	}
	return i + 1, operand{ofType, d}
}

// call reads the call of a method that is named alone.
func (w *walker) call(i int32, id ident) int32 {
	where, of := w.methodOf(id)
	switch {
	case where == inClass:
		w.certain(w.join(w.classes[of].name, id), refCall, i)
	case where == inBody, w.has(id, wordOfObject):
	case w.has(id, wordImported):
		w.certain(w.alone(id), refCall, i)
	default:
		w.open(id, refCall, i)
	}
	return w.group(i + 1)
}

// first says what the first name of a chain is.
func (w *walker) first(i int32, id ident) operand {
	where, of, typ := w.variable(id)
	switch where {
	case inBody:
		return valueOf(typ)
	case inClass:
		if w.ofLabel(i, of) {
			w.open(id, refValue, i)
			return operand{}
		}
		if !w.isTypeHere(i) {
			w.certain(w.join(w.classes[of].name, id), refValue, i)
			return valueOf(typ)
		}
	}
	if w.kind(i+1) == '.' || w.isReference(i+1) || w.ends[i+1] > 0 && (w.kind(i+1) == '<' || w.kind(i+1) == '[' && w.kind(i+2) == ']') {
		if op, ok := w.qualifier(i, id, where == inherited); ok {
			return op
		}
	}
	if w.has(id, wordImported) {
		w.certain(w.alone(id), refValue, i)
	} else {
		w.open(id, refValue, i)
	}
	return operand{}
}

// ofLabel reports whether the name at i, which class of declares, may rather be a constant of the enum that a switch is
// over.
func (w *walker) ofLabel(i, of int32) bool {
	if !w.inLabel || w.classes[of].kind == source.Enum {
		return false
	}
	k := w.kind(i + 1)
	return k == ',' || k == ':' || w.isArrow(i+1)
}

// isTypeHere reports whether what follows the name at i can only follow a type.
func (w *walker) isTypeHere(i int32) bool {
	if w.kind(i+1) == '[' {
		return w.kind(i+2) == ']'
	}
	if w.kind(i+1) != '.' {
		return false
	}
	id := w.id(i + 2)
	return id == idClass || id == idThis || id == idSuper
}

func valueOf(typ dotted) operand {
	if typ == 0 {
		return operand{}
	}
	return operand{ofType, typ}
}

// qualifier says what a name is that is no variable of this file and that something is selected from: a type, the
// first part of a package, or, when ok is false, a variable from elsewhere.
func (w *walker) qualifier(i int32, id ident, inherits bool) (op operand, ok bool) {
	info := &w.info[id]
	spelled := w.spelled(id)
	switch {
	case info.typ > 0 || info.flags&wordType > 0:
		return operand{aType, w.typeNamed(id)}, true
	case info.flags&wordImported > 0:
		if lowerCase(spelled) {
			return operand{}, false
		}
		return operand{aType, w.alone(id)}, true
	case info.flags&wordPredeclared > 0:
		return operand{aType, closed}, true
	case typeLike(spelled):
		return operand{aType, w.alone(id)}, true
	case lowerCase(spelled):
		return operand{aPackage, w.alone(id)}, w.inPackage(i)
	}
	return operand{aType, w.alone(id)}, !inherits && !w.wildcards
}

// inPackage reports whether the names from token i on are a package and a type in it.
func (w *walker) inPackage(i int32) bool {
	for w.kind(i+1) == '.' && w.kind(i+2) == word {
		i += 2
		if typeLike(w.spelled(w.ids[i])) {
			return true
		}
		if !lowerCase(w.spelled(w.ids[i])) {
			return false
		}
	}
	return false
}

// selections follows what is selected from an operand.
func (w *walker) selections(i int32, op operand) (int32, operand) {
	for {
		switch w.kind(i) {
		case '[':
			if w.kind(i+1) == ']' {
				w.settle(op, i-1, refType)
				op = operand{ofType, closed}
				i = w.ends[i]
				continue
			}
			i, op = w.group(i), operand{}
		case '.':
			var more bool
			if i, op, more = w.selected(i+1, op); !more {
				return i, op
			}
		case '<':
			if op.is != aType || w.ends[i] == 0 {
				w.settle(op, i-1, refValue)
				return i, op
			}
			w.typeArguments(i)
			i = w.ends[i]
		case operator:
			if w.isReference(i) {
				return w.reference(i, op), operand{}
			}
			w.settle(op, i-1, refValue)
			return i, op
		default:
			w.settle(op, i-1, refValue)
			return i, op
		}
	}
}

// settle records the type that a chain has ended with.
func (w *walker) settle(op operand, token int32, kind int) {
	if op.is == aType {
		w.certain(op.name, kind, token)
	}
}

// selected reads what stands behind a dot; more says that the chain may go on.
func (w *walker) selected(i int32, op operand) (next int32, now operand, more bool) {
	if w.kind(i) == '<' && w.ends[i] > 0 {
		w.typeArguments(i)
		i = w.ends[i]
	}
	for w.kind(i) == '@' {
		i = w.annotation(i)
	}
	if w.kind(i) != word {
		w.settle(op, i-1, refValue)
		return i, operand{}, false
	}
	id := w.ids[i]
	switch id {
	case idClass:
		w.settle(op, i, refType)
		return i + 1, operand{ofType, closed}, true
	case idThis:
		return i + 1, operand{ofType, op.name}, true
	case idSuper:
		return i + 1, w.superOf(op), true
	case idNew:
		next, now = w.creation(i+1, op.name)
		return next, now, true
	}
	if w.kind(i+1) == '(' {
		w.selection(op, id, refCall, i)
		return w.group(i + 1), operand{}, true
	}
	return i + 1, w.field(i, id, op), true
}

// superOf is what `Name.super` means: the superclass of a class around this place, else the interface Name itself.
func (w *walker) superOf(op operand) operand {
	for _, c := range w.inside {
		if op.name > 0 && w.classes[c].name == op.name {
			return valueOf(w.classes[c].base)
		}
	}
	return valueOf(op.name)
}

// selection records a selection.
func (w *walker) selection(op operand, id ident, kind int, token int32) {
	switch {
	case op.is == unknown || op.name == 0 || op.is == aPackage:
		w.open(id, kind, token)
	case op.name != closed:
		w.certain(w.join(op.name, id), kind, token)
	}
}

// field reads the selection of a field, a nested type or a part of a package.
func (w *walker) field(i int32, id ident, op operand) operand {
	switch op.is {
	case aPackage:
		d := w.join(op.name, id)
		if lowerCase(w.spelled(id)) {
			return operand{aPackage, d}
		}
		return operand{aType, d}
	case aType:
		if op.name > 0 && w.nestedType(op.name, id, i) {
			return operand{aType, w.join(op.name, id)}
		}
	}
	w.selection(op, id, refValue, i)
	if op.is != unknown && op.name > 0 {
		if c, ok := w.declared[op.name]; ok {
			if of, m, ok := w.declaring(c, id, false); ok && of >= 0 {
				return valueOf(m.typ)
			}
		}
	}
	return operand{}
}

// nestedType reports whether id, selected from a type, is a type as well.
func (w *walker) nestedType(of dotted, id ident, token int32) bool {
	if w.has(id, wordType) {
		if d, ok := w.index[dottedName{of, id}]; ok && w.isDeclared(d) {
			return true
		}
	}
	if c, ok := w.declared[of]; ok {
		if _, _, field := w.declaring(c, id, false); field {
			return false
		}
	}
	if w.isReference(token + 1) {
		return typeLike(w.spelled(id))
	}
	return w.kind(token+1) == '.' && typeLike(w.spelled(id))
}

// reference reads a method reference from its :: on.
func (w *walker) reference(i int32, op operand) int32 {
	i++
	if w.kind(i) == '<' && w.ends[i] > 0 {
		w.typeArguments(i)
		i = w.ends[i]
	}
	if w.kind(i) != word {
		w.settle(op, i-1, refValue)
		return i
	}
	if w.ids[i] == idNew {
		w.settle(op, i, refType)
		return i + 1
	}
	w.selection(op, w.ids[i], refValue, i)
	return i + 1
}

// creation reads what follows new; outer is the type of the object that an inner class is created in, if one is named.
func (w *walker) creation(i int32, outer dotted) (int32, operand) {
	for w.kind(i) == '<' || w.kind(i) == '@' {
		if w.kind(i) == '@' {
			i = w.annotation(i)
			continue
		}
		w.typeArguments(i)
		i = max(i+1, w.ends[i])
	}
	from := i
	if outer != 0 {
		w.silent++
	}
	i, d := w.typeName(i)
	if outer != 0 {
		w.silent--
	}
	if outer != 0 {
		d = 0
		if w.kind(from) == word {
			w.open(w.ids[from], refType, from)
		}
	}
	if w.kind(i) == '[' {
		for w.kind(i) == '[' {
			i = w.group(i)
		}
		d = closed
	}
	if d == closed && w.kind(i) == '{' {
		return w.group(i), operand{ofType, closed}
	}
	if w.kind(i) == '(' {
		i = w.group(i)
	}
	if w.kind(i) == '{' {
		i = w.localClass(i, localType{base: max(d, 0), foreign: d != closed})
		return i, operand{}
	}
	return i, valueOf(d)
}

// parenthesis reads a lambda, a cast or an expression in parentheses.
func (w *walker) parenthesis(i int32) (int32, operand) {
	end := w.ends[i]
	if w.isArrow(end) && !w.inLabel {
		return w.lambda(i), operand{}
	}
	if w.isCast(i) {
		d := w.castType(i+1, end-1)
		if w.kind(end) == '(' && !w.deeper() {
			return w.ends[end], operand{}
		} else if w.kind(end) == '(' {
			defer w.shallower()
		}
		if w.startsOperand(end) {
			return w.castOperand(end), valueOf(d)
		}
		return end, operand{}
	}
	if !w.deeper() {
		return end, operand{}
	}
	defer w.shallower()
	first := i + 1
	if k := w.kind(first); k == '(' || k == word && w.startsOperand(first) {
		next, op := w.operand(first)
		next, op = w.selections(next, op)
		if next == end-1 && op.is == ofType {
			return end, op
		}
		first = next
	}
	w.list(first, end-1)
	return end, operand{}
}

// castOperand reads what a cast applies to.
func (w *walker) castOperand(i int32) int32 {
	if w.kind(i) == word && w.isArrow(i+1) {
		return w.wordOf(i)
	}
	return w.primary(i)
}

// startsOperand reports whether token i begins a chain that operand can read.
func (w *walker) startsOperand(i int32) bool {
	switch w.kind(i) {
	case '(', text, block:
		return true
	case word:
		if w.isArrow(i+1) && !w.inLabel {
			return false
		}
		switch id := w.ids[i]; id {
		case idNew, idThis, idSuper, idSwitch:
			return true
		default:
			return !w.has(id, wordReserved|wordPrimitive)
		}
	}
	return false
}

// isCast reports whether the parenthesis at i holds the type of a cast.
func (w *walker) isCast(i int32) bool {
	end := w.ends[i]
	if k := w.kind(i + 1); k != word && k != '@' {
		return false
	}
	at := w.typeEnd(i + 1)
	for at > 0 && at < end && w.kind(at) == '&' {
		at = w.typeEnd(at + 1)
	}
	if at != end-1 || w.kind(end-1) != ')' {
		return false
	}
	switch w.kind(end) {
	case word:
		return w.ids[end] != idInstanceof
	case '(', text, block, number, '!', '~':
		return true
	case '+', '-', operator:
		return w.has(w.ids[i+1], wordPrimitive) && w.kind(i+2) == ')' && !w.isArrow(end)
	}
	return false
}

// castType reads the types of a cast and returns the only one, 0 when there are several.
func (w *walker) castType(i, end int32) dotted {
	i, d := w.typeName(i)
	for i < end && w.kind(i) == '&' {
		i, _ = w.typeName(i + 1)
		d = 0
	}
	return d
}

// lambda reads a lambda whose parameters are in the parenthesis at i.
func (w *walker) lambda(i int32) int32 {
	vars, types := w.mark()
	defer w.release(vars, types)
	end := w.ends[i]
	if w.kind(i+1) == word && (w.kind(i+2) == ',' || w.kind(i+2) == ')') {
		for k := i + 1; k < end-1; k++ {
			w.bind(w.ids[k], 0)
		}
	} else {
		w.parameters(i)
	}
	return w.lambdaBody(end + 1)
}

func (w *walker) lambdaBody(i int32) int32 {
	if w.kind(i) == '{' {
		return w.blockAt(i)
	}
	return w.expression(i)
}
