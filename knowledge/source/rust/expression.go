package rust

import "github.com/causaldocs/causal/knowledge/source"

// stops are the tokens that end an expression at its own nesting level.
type stops uint8

const (
	atComma stops = 1 << iota
	atSemicolon
	atBrace // where a struct literal is not allowed: if, while, match, for
	atArrow // =>
	atAnd   // && in a condition with let
	atElse  // let … else
	atBlock // after a leading block, as in a match arm
	// inStatement ends nothing: the expression is a statement, and a leading block is a separate one.
	inStatement
)

// expr reads one or more expressions with operators, up to a token of stop.
func (w *walker) expr(i, end int, stop stops) int {
	if !w.deeper() {
		return min(i+1, end)
	}
	defer w.shallower()
	o := w.o
	first := i
	operand := false // the last token was an operand: < compares and | is not a closure
	for i < end {
		t := o.toks[i]
		start := i
		switch t.class {
		case word:
			if stop&atElse != 0 && o.is(i, "else") {
				return i
			}
			i, operand = w.word(i, end, stop)
		case opener:
			switch {
			case o.src[t.start] != '{':
				w.elements(i+1, int(o.toks[i].mate))
			case stop&atBrace != 0 && start != first:
				return i
			default:
				w.block(i)
			}
			i, operand = o.after(i), true
		case punct:
			if w.ends(i, stop) {
				return i
			}
			i, operand = w.operator(i, end, stop, operand)
		case closer:
			return i
		case lifetime:
			i, operand = i+1, false
			if o.is(i, ":") && start == first {
				i, first = i+1, i+1 // a loop label
			}
		default:
			i, operand = i+1, t.class == literal || t.class == text
		}
		if start == first && stop&(inStatement|atBlock) != 0 && w.isBlock(start, i) {
			if stop&atBlock != 0 && !o.is(i, ".") && !o.is(i, "?") {
				return i
			}
			operand = false
			first = i
		}
	}
	return i
}

func (w *walker) isBlock(i, next int) bool {
	o := w.o
	if next <= i || next > len(o.toks) || o.lead(next-1) != '}' {
		return false
	}
	switch string(o.text(i)) {
	case "if", "match", "for", "while", "loop", "unsafe", "{":
		return true
	}
	return false
}

func (w *walker) ends(i int, stop stops) bool {
	o := w.o
	t := o.toks[i]
	switch o.src[t.start] {
	case ',':
		return stop&atComma != 0
	case ';':
		return stop&atSemicolon != 0
	case '=':
		return stop&atArrow != 0 && o.is(i, "=>")
	case '&':
		return stop&atAnd != 0 && o.is(i, "&&")
	}
	return false
}

func (w *walker) operator(i, end int, stop stops, operand bool) (next int, isOperand bool) {
	o := w.o
	switch t := o.toks[i]; o.src[t.start] {
	case '.':
		if t.end-t.start == 1 {
			return w.selector(i, end), true
		}
	case '?':
		return i + 1, operand
	case '|':
		if !operand && !o.is(i, "|=") {
			return w.closure(i, end, stop), true
		}
	case '<':
		switch {
		case !operand:
			return w.qualified(i, end), true
		case i+1 < end && o.is(i+1, "<") && o.toks[i+1].start == t.end:
			return i + 2, false // a shift
		}
	case '#':
		if next := w.attributes(i, end); next > i {
			return next, false
		}
	case '$':
		return w.dollar(i, end), true
	case '-':
		if o.is(i, "->") {
			next, _ := w.typ(i+1, end)
			return max(next, i+1), false
		}
	}
	return i + 1, false
}

// selector reads `.name`: a method call may be any type's method; a field is not recorded.
func (w *walker) selector(i, end int) int {
	o := w.o
	at := i + 1
	if at >= end || o.class(at) != word {
		return at
	}
	next, called := w.called(at+1, end)
	if called {
		mark := len(w.found.List)
		w.member("", at)
		w.callsAt(mark, next)
	}
	return next
}

// called skips generic arguments at i and reports whether a call follows.
func (w *walker) called(i, end int) (next int, yes bool) {
	o := w.o
	if i+1 < end && o.lead(i) == ':' && o.is(i, "::") && o.lead(i+1) == '<' {
		i = w.arguments(i+1, end)
	}
	return i, i < end && o.lead(i) == '('
}

func (w *walker) word(i, end int, stop stops) (next int, operand bool) {
	o := w.o
	switch string(o.text(i)) {
	case "let":
		return w.let(i, end, stop), false
	case "if", "while":
		return w.conditional(i, end), true
	case "match":
		return w.match(i, end), true
	case "for":
		if o.is(i+1, "<") {
			return w.lifetimes(i+1, end), false
		}
		return w.loop(i, end), true
	case "as":
		next, _ := w.typ(i+1, end)
		return max(next, i+1), true
	case "true", "false", "_":
		return i + 1, true
	case "raw":
		if o.is(i-1, "&") && (o.is(i+1, "const") || o.is(i+1, "mut")) {
			return i + 2, false
		}
	case "self":
		if !o.is(i+1, "::") {
			return w.receiver(i, end, w.self), true
		}
	case "const", "unsafe", "async", "extern", "static", "pub", "fn", "struct", "enum", "union", "trait", "impl", "mod",
		"type", "use", "macro_rules", "macro":
		if next, ok := w.item(i, end); ok {
			return next, false
		}
	}
	if o.lead(i+1) == '{' && bodyWords[string(o.text(i))] {
		w.inner(i + 1)
		return o.after(i + 1), true
	}
	if isKeyword(o.text(i)) {
		return i + 1, false
	}
	return w.pathExpr(i, end, stop), true
}

// receiver reads a value of the type at path with the method called on it.
func (w *walker) receiver(i, end int, path string) int {
	o := w.o
	if i+2 < end && o.lead(i+1) == '.' && o.class(i+2) == word {
		next, called := w.called(i+3, end)
		if called {
			if !o.is(i, "self") || !w.own[o.name(i+2)] {
				mark := len(w.found.List)
				w.member(path, i+2)
				w.callsAt(mark, next)
			}
			return next
		}
	}
	return i + 1
}

func (w *walker) pathExpr(i, end int, stop stops) int {
	o := w.o
	segments, next := w.segments(i, end, false)
	follows := o.lead(next)
	if next+1 < end && follows == '!' && o.is(next, "!") && (o.class(next+1) == opener || o.class(next+1) == word && o.class(next+2) == opener) {
		return w.macroCall(segments, next, end)
	}
	if len(segments) == 1 && next == i+1 {
		if b := w.names.find(values, bare(o.text(i))); b != nil && b.meaning == variable {
			return w.receiver(i, end, b.path)
		}
	}
	last := o.text(segments[len(segments)-1])
	switch {
	case w.open > 0 && len(segments) == 1 && follows == ':':
		// probably a field name
	case next < end && follows == '(':
		mark := len(w.found.List)
		w.refer(segments, values, w.callKind(last))
		w.callsAt(mark, next)
	case next < end && follows == '{' && stop&atBrace == 0:
		w.refer(segments, types, source.AsType)
		w.literal(next)
		last := o.after(next) - 1
		return w.receiver(last, end, w.built(i, last+1))
	default:
		w.refer(segments, values, source.AsValue)
	}
	return next
}

// callKind distinguishes constructors from functions.
func (w *walker) callKind(name []byte) source.How {
	if !capital(string(name[:1])) {
		return source.AsCall
	}
	if at, ok := w.known[string(name)]; ok && w.kinds[at] == source.Func {
		return source.AsCall
	}
	return source.AsType
}

func (w *walker) literal(i int) {
	o := w.o
	w.each(i, func(i, end int) int {
		switch {
		case (o.class(i) == word || o.class(i) == literal) && o.is(i+1, ":"):
			return w.expr(i+2, end, atComma)
		case o.class(i) == word || o.is(i, "..") || o.is(i, "$"):
			return w.expr(i, end, atComma)
		}
		return o.after(i)
	})
}

func (w *walker) elements(i, end int) { w.exprs(i, end, atComma|atSemicolon) }

// exprs reads expressions with a comma or semicolon between them.
func (w *walker) exprs(i, end int, stop stops) {
	mark, globs := len(w.names.stack), w.globs
	if stop&inStatement != 0 {
		w.hoist(i, end)
	}
	for i < end {
		next := w.expr(i, end, stop)
		i = max(next, i+1)
		if next < end && (w.o.is(next, ",") || w.o.is(next, ";")) {
			i = next + 1
		}
	}
	w.names.leave(mark)
	w.globs = globs
}

// block reads a block's statements. Items are in scope in the whole block, variables from their statement on.
func (w *walker) block(i int) {
	if w.deeper() {
		w.exprs(i+1, int(w.o.toks[i].mate), atSemicolon|inStatement)
		w.shallower()
	}
}

func (w *walker) closure(i, end int, stop stops) int {
	o := w.o
	mark := len(w.names.stack)
	w.apart++
	if o.is(i, "|") {
		for i++; i < end && !o.is(i, "|"); {
			from := i
			if i = w.typed(i, end, ",:|"); o.is(i, ",") {
				i++
			}
			if i == from {
				break
			}
		}
	}
	i = w.result(min(i+1, end), end)
	i = w.expr(i, end, stop&^(inStatement|atBlock)|atComma|atSemicolon)
	w.names.leave(mark)
	w.apart--
	return i
}
