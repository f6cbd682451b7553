package rust

import "github.com/causaldocs/causal/knowledge/source"

// typ reads a type. For a plain type, possibly behind references, it also returns the path, which determines the
// methods.
func (w *walker) typ(i, end int) (next int, path string) {
	if !w.deeper() {
		return min(i+1, end), ""
	}
	defer w.shallower()
	o := w.o
	for i < end {
		switch o.toks[i].class {
		case lifetime:
			i++
			continue
		case word:
			return w.namedType(i, end)
		case opener:
			if o.src[o.toks[i].start] == '{' {
				return i, ""
			}
			w.typeGroup(i)
			return o.after(i), ""
		}
		switch string(o.text(i)) {
		case "&", "&&":
			i++
		case "*", "?", "~":
			next, _ = w.typ(i+1, end) // a pointer does not have the methods of its target
			return next, ""
		case "!":
			return i + 1, ""
		case "<":
			return w.qualified(i, end), ""
		case "::":
			if o.class(i+1) != word {
				return i + 1, ""
			}
			return w.namedType(i+1, end)
		case "$":
			return w.dollar(i, end), ""
		default:
			return i, ""
		}
	}
	return i, ""
}

func (w *walker) namedType(i, end int) (next int, path string) {
	o := w.o
	switch string(o.text(i)) {
	case "mut", "const":
		return w.typ(i+1, end)
	case "dyn", "impl":
		if o.class(i+1) != punct || !o.is(i+1, "::") {
			return w.bounds(i+1, end), ""
		}
	case "for":
		return w.typ(w.lifetimes(i+1, end), end)
	case "fn", "unsafe", "extern", "async":
		return w.functionType(i, end), ""
	case "_":
		return i + 1, ""
	case "where", "as", "in", "else", "if":
		return i, ""
	}
	return w.typePath(i, end)
}

func (w *walker) typePath(i, end int) (next int, path string) {
	o := w.o
	mark := len(w.path)
	defer func() { w.path = w.path[:mark] }()
	next = w.segments(i, end, true)
	segments := w.path[mark:]
	if o.is(next, "!") && next+1 < end && o.class(next+1) == opener {
		return w.macroCall(segments, next, end), ""
	}
	path = w.meant(segments, types, source.AsType)
	if path != "" {
		w.emit(path, source.AsType, i)
	}
	if next < end && o.lead(next) == '(' { // Fn(A) -> B
		w.typeGroup(next)
		next = w.result(o.after(next), end)
	}
	return next, w.nominal(path)
}

// nominal returns path unless it is a known alias, whose methods are another type's.
func (w *walker) nominal(path string) string {
	if at, ok := w.known[path]; ok && w.kinds[at] == source.Type {
		return ""
	}
	return path
}

func (w *walker) result(i, end int) int {
	if i < end && w.o.is(i, "->") {
		i, _ = w.typ(i+1, end)
	}
	return i
}

// functionType reads `unsafe extern "C" fn(a: A) -> B`.
func (w *walker) functionType(i, end int) int {
	o := w.o
	for i < end && !o.is(i, "fn") && (o.class(i) == word || o.class(i) == text) {
		i++
	}
	if !o.is(i, "fn") || !o.is(i+1, "(") {
		return min(i+1, end)
	}
	w.typeGroup(i + 1)
	return w.result(o.after(i+1), end)
}

func (w *walker) typeGroup(i int) {
	o := w.o
	last := int(o.toks[i].mate)
	for i++; i < last; i++ {
		i = w.attributes(i, last)
		if o.class(i) == word && o.is(i+1, ":") && i+1 < last {
			i += 2
		}
		from := i
		i, _ = w.typ(i, last)
		if o.is(i, "+") {
			i = w.bounds(i+1, last)
		}
		if o.is(i, ";") && i < last {
			i = w.expr(i+1, last, atComma)
		}
		if i > from && i < last && !o.is(i, ",") {
			i--
		}
	}
}

func (w *walker) arguments(i, end int) int {
	if !w.deeper() {
		return i + 1
	}
	defer w.shallower()
	o := w.o
	for i++; i < end; {
		t := o.toks[i]
		switch {
		case t.class == opener && o.src[t.start] == '{':
			w.block(i)
			i = o.after(i)
		case t.class == word && i+1 < end && (o.is(i+1, "=") || o.is(i+1, ":")): // Item = T, Item: Bound
			if o.is(i+1, ":") {
				i = w.bounds(i+2, end)
			} else {
				i, _ = w.typ(i+2, end)
			}
		case t.class == closer || t.class == punct && (o.is(i, ";") || o.is(i, "=>")):
			return i
		case t.class == punct && o.src[t.start] == '>':
			return i + 1
		case t.class == punct && (o.is(i, ",") || o.is(i, "=") || o.is(i, "+")), t.class == literal:
			i++
		default:
			next, _ := w.typ(i, end)
			i = max(next, i+1)
		}
	}
	return i
}

func (w *walker) lifetimes(i, end int) int {
	if !w.o.is(i, "<") {
		return i
	}
	return w.arguments(i, end)
}

func (w *walker) bounds(i, end int) int {
	o := w.o
	for i < end {
		switch o.class(i) {
		case lifetime:
			i++
		case word:
			switch string(o.text(i)) {
			case "where", "as":
				return i
			case "for":
				i = w.lifetimes(i+1, end)
				continue
			case "const", "async", "dyn", "impl":
				i++
				continue
			case "use":
				i = w.lifetimes(i+1, end)
			default:
				i, _ = w.typePath(i, end)
			}
		case opener:
			if !o.is(i, "(") {
				return i
			}
			w.typeGroup(i)
			i = o.after(i)
		default:
			switch string(o.text(i)) {
			case "?", "~", "+", "::":
				i++
				continue
			case "$":
				i = w.dollar(i, end)
			case "<":
				i = w.qualified(i, end)
			default:
				return i
			}
		}
		if i >= end || !o.is(i, "+") {
			return i
		}
		i++
	}
	return i
}

// qualified reads `<T as Trait>::name`, whose names may belong to any type.
func (w *walker) qualified(i, end int) int {
	o := w.o
	if !w.deeper() {
		return i + 1
	}
	defer w.shallower()
	i, _ = w.typ(i+1, end)
	if o.is(i, "as") {
		i, _ = w.typ(i+1, end)
	}
	if i >= end || !o.is(i, ">") {
		return i
	}
	i++
	last := -1
	for i < end && o.is(i, "::") {
		i++
		if o.class(i) == word && i < end {
			last = i
			i++
		}
		if i < end && o.is(i, "<") && (o.is(i-1, "::") || last < 0) {
			i = w.arguments(i, end)
		}
	}
	if last >= 0 {
		kind := source.AsValue
		if o.is(i, "(") {
			kind = source.AsCall
		}
		w.emitOpen(last, kind)
	}
	return i
}

func (w *walker) generics(i, end int) int {
	o := w.o
	if i >= end || !o.is(i, "<") {
		return i
	}
	w.bindAll(o.parameters(i, end))
	for i++; i < end; {
		i = w.attributes(i, end)
		switch {
		case i >= end:
		case o.is(i, ">"):
			return i + 1
		case o.is(i, "const"):
			i = w.constant(i+2, end)
		case o.class(i) == lifetime || o.class(i) == word:
			i++
			if o.is(i, ":") {
				i = w.bounds(i+1, end)
			}
			if o.is(i, "=") {
				i, _ = w.typ(i+1, end)
			}
		case o.is(i, ","):
			i++
		case o.class(i) == opener:
			return i
		default:
			i++
		}
	}
	return i
}

func (w *walker) constant(i, end int) int {
	o := w.o
	if o.is(i, ":") {
		i, _ = w.typ(i+1, end)
	}
	if !o.is(i, "=") {
		return i
	}
	i++
	switch {
	case o.is(i, "{"):
		w.block(i)
		return o.after(i)
	case o.class(i) == word:
		i, _ = w.typ(i, end)
		return i
	}
	return i + 1
}

func (w *walker) where(i, end int) int {
	o := w.o
	if i >= end || !o.is(i, "where") {
		return i
	}
	for i++; i < end && !o.is(i, "{") && !o.is(i, ";") && !o.is(i, "="); {
		from := i
		i, _ = w.typ(i, end)
		if o.is(i, ":") {
			i = w.bounds(i+1, end)
		}
		if o.is(i, ",") || i == from {
			i++
		}
	}
	return i
}
