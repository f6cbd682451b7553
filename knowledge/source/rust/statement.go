package rust

import "github.com/causaldocs/causal/knowledge/source"

// let reads a let statement or let condition. Its names are in scope after it.
func (w *walker) let(i, end int, stop stops) int {
	o := w.o
	mark := len(w.pending)
	condition := stop&(atBrace|atArrow) != 0
	from := i + 1
	i = w.pattern(from, end, "=:;")
	path := ""
	if i < end && o.is(i, ":") {
		i, path = w.typ(i+1, end)
	}
	if !w.plain(from) {
		path = ""
	}
	if i < end && o.is(i, "=") {
		from, ends := i+1, stop&^(inStatement|atBlock)
		if condition {
			i = w.expr(from, end, ends|atAnd)
		} else {
			i = w.expr(from, end, ends|atElse)
			if path == "" {
				path = w.built(from, i)
			}
		}
	}
	if i < end && o.is(i, "else") && o.is(i+1, "{") {
		w.apart++
		w.block(i + 1)
		w.apart--
		i = o.after(i + 1)
	}
	w.declare(mark, path)
	return max(i, from)
}

// plain reports whether the pattern is a single name.
func (w *walker) plain(i int) bool {
	o := w.o
	if o.is(i, "mut") {
		i++
	}
	return o.class(i) == word && (o.is(i+1, ":") || o.is(i+1, "="))
}

// built returns the type if the whole expression is a struct literal.
func (w *walker) built(i, end int) string {
	o := w.o
	for o.is(i, "&") || o.is(i, "mut") {
		i++
	}
	if o.class(i) != word || isKeyword(o.text(i)) {
		return ""
	}
	found := len(w.found.List)
	defer func() { w.found.List = w.found.List[:found] }()
	segments, next := w.segments(i, end, false)
	if !o.is(next, "{") || o.after(next) != end || len(segments) > 1 && capital(string(o.text(segments[len(segments)-2])[:1])) {
		return "" // a variant has its enum's methods
	}
	path := w.meant(segments, types, source.AsType)
	if path == "Self" {
		return ""
	}
	return w.nominal(path)
}

// conditional reads an if or while chain. Bindings of a let condition are in scope in the block.
func (w *walker) conditional(i, end int) int {
	o := w.o
	for {
		mark := len(w.names.stack)
		i++
		for i < end && !o.is(i, "{") {
			next := w.expr(i, end, atBrace|atAnd|atSemicolon|atArrow|atComma)
			if next < end && o.is(next, "&&") {
				next++
			} else if next < end && !o.is(next, "{") {
				w.names.leave(mark)
				return max(next, i)
			}
			i = max(next, i+1)
		}
		if i < end {
			w.block(i)
			i = o.after(i)
		}
		w.names.leave(mark)
		if i >= end || !o.is(i, "else") {
			return min(i, end)
		}
		if o.is(i+1, "{") {
			w.block(i + 1)
			return o.after(i + 1)
		}
		if i++; !o.is(i, "if") {
			return i
		}
	}
}

func (w *walker) loop(i, end int) int {
	o := w.o
	pending, mark := len(w.pending), len(w.names.stack)
	from := i + 1
	i = w.pattern(from, end, ";")
	if i < end && o.is(i, "in") {
		i = w.expr(i+1, end, atBrace|atSemicolon|atComma)
	}
	w.declare(pending, "")
	if i < end && o.is(i, "{") {
		w.block(i)
		i = o.after(i)
	}
	w.names.leave(mark)
	return max(i, from)
}

func (w *walker) match(i, end int) int {
	o := w.o
	i = w.expr(i+1, end, atBrace|atSemicolon|atComma)
	if i >= end || !o.is(i, "{") {
		return i
	}
	mark := len(w.names.stack)
	w.each(i, func(i, end int) int {
		i = w.arm(i, end)
		w.names.leave(mark)
		return i
	})
	return o.after(i)
}

// arm reads `pattern if guard => value`.
func (w *walker) arm(i, end int) int {
	o := w.o
	pending := len(w.pending)
	i = w.pattern(i, end, "")
	w.declare(pending, "")
	if i < end && o.is(i, "if") {
		for i++; i < end && !o.is(i, "=>"); i = max(i, i) {
			next := w.expr(i, end, atArrow|atAnd)
			if next < end && o.is(next, "&&") {
				next++
			}
			if next == i {
				return i
			}
			i = next
		}
	}
	if i < end && o.is(i, "=>") {
		return w.expr(i+1, end, atComma|atBlock)
	}
	return i
}
