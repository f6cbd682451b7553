package rust

import "github.com/causaldocs/causal/knowledge/source"

// typ reads a type up to a token that cannot be part of it. For a plain type, possibly behind references, it also
// returns the path, which determines the methods.
func (w *walker) typ(i, end int) (next int, path string) {
	if !w.deeper() {
		return min(i+1, end), ""
	}
	defer w.shallower()
	o, plain := w.o, true
	for ; i < end; i++ {
		switch string(o.text(i)) {
		case "&", "&&", "mut", "const", "::":
		case "*", "?", "~", "fn", "unsafe", "async", "extern":
			plain = false // a pointer does not have the methods of its target
			if o.class(i+1) == text {
				i++ // extern "C"
			}
		case "for", "use":
			i = w.lifetimes(i+1, end) - 1
		case "dyn", "impl":
			return w.bounds(i+1, end), ""
		case "!", "_":
			return i + 1, ""
		case "<":
			return w.qualified(i, end), ""
		case "$":
			return w.dollar(i, end), ""
		case "(", "[":
			w.types(i)
			return w.result(o.after(i), end), ""
		case "where", "as", "in", "else", "if":
			return i, ""
		default:
			if o.class(i) == word {
				next, path := w.typePath(i, end)
				if !plain {
					path = ""
				}
				return next, path
			}
			if o.class(i) != lifetime {
				return i, ""
			}
		}
	}
	return i, ""
}

func (w *walker) typePath(i, end int) (next int, path string) {
	o := w.o
	segments, next := w.segments(i, end, true)
	if o.is(next, "!") && next+1 < end && o.class(next+1) == opener {
		return w.macroCall(segments, next, end), ""
	}
	path = w.meant(segments, types, source.AsType)
	if path != "" {
		w.emit(path, source.AsType, i)
	}
	if next < end && o.lead(next) == '(' { // Fn(A) -> B
		w.types(next)
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

// types reads the types in the bracket at i, of which each may have a name and a value: those of a tuple, of an array with
// its length, of the parameters of a function type, of the fields of a struct.
func (w *walker) types(i int) {
	o := w.o
	fields := o.is(i, "{")
	w.each(i, func(i, end int) int {
		i, _ = o.visibility(i)
		switch {
		case o.class(i) == word && o.is(i+1, ":") && i+1 < end:
			i += 2
		case fields && i < end:
			return o.after(i) // part of a macro
		}
		i = w.bounds(i, end)
		if i < end && (o.is(i, ";") || o.is(i, "=")) {
			i = w.expr(i+1, end, atComma)
		}
		return i
	})
}

// arguments reads generic arguments or parameters, which may have bounds and defaults.
func (w *walker) arguments(i, end int) int {
	o := w.o
	for i++; i < end; {
		switch {
		case o.is(i, "{"):
			w.block(i)
			i = o.after(i)
		case o.is(i, "#"):
			i = max(w.attributes(i, end), i+1)
		case o.class(i) == word && i+1 < end && (o.is(i+1, "=") || o.is(i+1, ":")): // Item = T, Item: Bound
			i = w.bounds(i+2, end)
		case o.is(i, ">"):
			return i + 1
		case o.class(i) == closer, o.is(i, ";"), o.is(i, "=>"):
			return i
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
	i, _ = w.typ(i, end)
	for i < end && w.o.is(i, "+") {
		i, _ = w.typ(i+1, end)
	}
	return i
}

// qualified reads `<T as Trait>::name`, whose names may belong to any type.
func (w *walker) qualified(i, end int) int {
	o := w.o
	i, _ = w.typ(i+1, end)
	if o.is(i, "as") {
		i, _ = w.typ(i+1, end)
	}
	if i >= end || !o.is(i, ">") {
		return i
	}
	if i++; i+1 >= end || !o.is(i, "::") || o.class(i+1) != word {
		return i
	}
	segments, i := w.segments(i+1, end, false)
	last := segments[len(segments)-1]
	kind := source.AsValue
	if o.is(i, "(") {
		kind = source.AsCall
	}
	w.emitOpen(last, kind)
	return i
}

// generics binds and reads the generic parameters of an item.
func (w *walker) generics(i, end int) int {
	if i >= end || !w.o.is(i, "<") {
		return i
	}
	w.bindAll(w.o.parameters(i, end))
	return w.arguments(i, end)
}

func (w *walker) where(i, end int) int {
	o := w.o
	if i >= end || !o.is(i, "where") {
		return i
	}
	for i++; i < end && !o.is(i, "{") && !o.is(i, ";") && !o.is(i, "="); {
		next, _ := w.typ(i, end)
		i = max(next, i+1)
	}
	return i
}
