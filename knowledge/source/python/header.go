package python

import "github.com/causaldocs/causal/knowledge/source"

func (w *walker) symbolAt(i int) int32 {
	for w.symbol < len(w.at) && int(w.at[w.symbol]) < i {
		w.symbol++
	}
	if w.symbol == len(w.at) || int(w.at[w.symbol]) != i {
		return -1
	}
	w.setGuard(w.symbol)
	w.symbol++
	return int32(w.symbol - 1)
}

func (w *walker) open(s space) {
	s.binds, s.typed, s.uses = int32(len(w.binds)), int32(len(w.typed)), int32(len(w.uses))
	if s.hidden = len(w.spaces) > maxSpaces; s.hidden {
		w.hidden++
	}
	w.spaces = append(w.spaces, s)
}

// define reads a function header: decorators, defaults and annotations belong to the enclosing scope.
func (w *walker) define(i, decorators, head, colon int) {
	outer, l := w.space(), w.lines[i]
	s := space{level: l.level, kind: inFunction, symbol: -1, receiver: -1, owner: w.owner, head: int32(len(w.uses))}
	if !w.isName(head+1, colon) {
		w.open(s)
		return
	}
	symbol := w.symbolAt(head + 1)
	if symbol >= 0 {
		w.owner = symbol
	}
	w.program = false
	static := w.decorators(decorators, i)
	w.bindOther(head + 1)
	at := head + 2
	inner := len(w.inner)
	at = w.typeParameters(at, colon)
	for _, b := range w.inner[inner:] {
		s.parameters = append(s.parameters, b.word)
	}
	w.inner = w.inner[:inner]
	list, at := w.parameters(at, colon)
	for _, p := range list {
		w.expression(p.annotation, p.annotated, asAnnotation, noTarget)
		w.expression(p.value, p.end, asValue, noTarget)
	}
	if w.is(at, colon, "->") {
		w.expression(at+1, colon, asAnnotation, noTarget)
	}
	if outer.kind == inClass && outer.class != "" && !static && len(list) > 0 && !list[0].variable && !list[0].keywordsOnly {
		s.receiver, s.class = w.word(list[0].name), outer.class
	}
	w.open(s)
	for n, p := range list {
		w.bindOther(p.name)
		if (n > 0 || s.receiver < 0) && !p.variable {
			w.typed = append(w.typed, typedName{word: w.word(p.name), base: w.typeAt(p.annotation, p.annotated, true)})
		}
	}
}

// decorators reads lines [from, to) and reports whether they make a method without a receiver.
func (w *walker) decorators(from, to int) (static bool) {
	if from < 0 {
		return false
	}
	for _, d := range w.lines[from:to] {
		first, end := int(d.first)+1, int(d.end)
		if !w.isName(first, end) {
			w.expression(first, end, asValue, noTarget)
			continue
		}
		last := w.chain(first, end)
		if last == end-1 {
			static = static || w.text(last) == "staticmethod"
			w.use(first, last, source.AsCall) // called with the decorated object
			continue
		}
		w.expression(first, end, asValue, noTarget)
	}
	return static
}

func (w *walker) class(i, decorators, head, colon int) {
	outer, l := w.space(), w.lines[i]
	s := space{level: l.level, kind: inClass, symbol: -1, receiver: -1, owner: w.owner, head: int32(len(w.uses))}
	if !w.isName(head+1, colon) {
		s.kind = inFunction
		w.open(s)
		return
	}
	symbol := w.symbolAt(head + 1)
	if symbol >= 0 {
		w.owner = symbol
		s.class = w.symbols[symbol].Name
	}
	s.symbol = symbol
	w.program = false
	w.decorators(decorators, i)
	w.bindOther(head + 1)
	if symbol >= 0 && outer.kind == inModule {
		w.marks[w.word(head+1)] |= markClass
	}
	inner := len(w.inner)
	at := w.typeParameters(head+2, colon)
	for _, b := range w.inner[inner:] {
		s.parameters = append(s.parameters, b.word)
	}
	w.inner = w.inner[:inner]
	if w.isOp(at, colon, '(') {
		w.expression(at, colon, asType, noTarget)
	}
	w.open(s)
}

// typeParameters reads [T: Bound = Default, *Ts] after a declared name and returns its end.
func (w *walker) typeParameters(at, to int) int {
	if !w.isOp(at, to, '[') {
		return at
	}
	end := w.closes(at, to)
	for i := at + 1; i < end; {
		past := w.part(i, end)
		for i < past && !w.isName(i, past) {
			i++
		}
		if i < past {
			w.inner = append(w.inner, bound{word: w.word(i)})
			w.expression(i+2, past, asType, noTarget)
		}
		i = past + 1
	}
	return min(end+1, to)
}

func (w *walker) setGuard(symbol int) { w.symbols[symbol].Guard = w.block().guard }

func (w *walker) guardImports(from int) {
	for ; w.edge < len(w.imports); w.edge++ {
		e := &w.imports[w.edge]
		if e.Line > int(w.toks[from].line) {
			return
		}
		if e.Line == int(w.toks[from].line) {
			e.Guard = w.block().guard
		}
	}
}
