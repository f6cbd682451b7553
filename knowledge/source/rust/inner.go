package rust

import "strings"

var walkers map[string]func(w *walker, i, end int) int

func init() {
	walkers = map[string]func(w *walker, i, end int) int{
		"fn": (*walker).function, "struct": (*walker).data, "union": (*walker).data, "enum": (*walker).enum,
		"const": (*walker).assigned, "static": (*walker).assigned, "type": (*walker).alias, "trait": (*walker).trait,
		"impl": (*walker).implementation, "mod": (*walker).inlineModule, "extern": (*walker).foreign,
		"extern crate": (*walker).skipItem, "use": (*walker).skipItem, "macro_rules": (*walker).rules, "macro": (*walker).rules,
	}
}

// item reads the item at i, after its attributes; false if none starts there.
func (w *walker) item(i, end int) (next int, ok bool) {
	o := w.o
	if i < w.stuck {
		return i, false
	}
	rest, _ := o.visibility(i)
	at, kind := o.qualifiers(rest)
	read, ok := walkers[kind]
	if !ok || kind == "static" && (o.class(at+1) != word || o.is(at+1, "move")) || kind == "macro_rules" && !o.is(at+1, "!") {
		w.stuck = at
		return i, false
	}
	if !w.deeper() {
		return end, true
	}
	defer w.shallower()
	apart := w.apart
	if w.depth > 1 {
		w.apart++
	}
	next = max(min(read(w, at, end), end), i+1)
	w.apart = apart
	return next, true
}

// itemLetters are the first letters of item keywords.
var itemLetters = [256]byte{'f': 1, 'c': 1, 's': 1, 'u': 1, 'e': 1, 't': 1, 'm': 1}

// hoist binds the items of a block, which are in scope in all of it.
func (w *walker) hoist(i, end int) {
	o := w.o
	for ; i < end; i = o.after(i) {
		if o.toks[i].class != word || itemLetters[o.lead(i)] == 0 {
			continue
		}
		switch string(o.text(i)) {
		case "fn":
			w.names.bind(o.name(i+1), values, inner, "")
		case "const", "static":
			if o.is(i+1, "mut") {
				i++
			}
			if o.is(i+2, ":") {
				w.names.bind(o.validName(i+1), values, inner, "")
			}
		case "struct", "union", "enum", "trait", "type", "mod":
			if o.class(i+1) == word {
				w.names.bind(o.validName(i+1), types, inner, "")
				w.names.bind(o.validName(i+1), values, inner, "")
			}
		case "macro_rules":
			if o.is(i+1, "!") {
				w.names.bind(o.name(i+2), macros, inner, "")
			}
		case "use":
			i = w.imported(i, end)
		}
	}
}

func (w *walker) imported(i, end int) int {
	o := w.o
	leaves, next := o.useTree(i + 1)
	if next > end || !o.is(next, ";") {
		return i
	}
	for _, l := range leaves {
		if l.glob {
			w.globs++
			continue
		}
		path := strings.Split(l.full(), "::")
		full := w.rooted(path)
		if prefix := w.around([]byte(path[0])); prefix != "" {
			full = prefix + "." + full
		}
		for in := range spaces {
			w.names.bind(l.local(), in, alias, full)
		}
	}
	return next - 1
}

// skipItem skips an item that hoist has bound.
func (w *walker) skipItem(i, end int) int {
	for i < end && !w.o.is(i, ";") {
		i = w.o.after(i)
	}
	return i + 1
}

// each calls read with the start of each element of the list in the bracket at i, after its attributes. read returns the
// end of what it read.
func (w *walker) each(i int, read func(i, end int) int) {
	last := int(w.o.toks[i].mate)
	for i++; i < last; {
		from := i
		if i = w.attributes(i, last); i < last {
			i = read(i, last)
		}
		if i == from || i < last && w.o.is(i, ",") {
			i++
		}
	}
}

func (w *walker) function(i, end int) int {
	o := w.o
	mark, floor := len(w.names.stack), w.names.floor
	w.names.floor = mark
	i = w.generics(i+2, end)
	if i < end && o.is(i, "(") {
		w.parameters(i)
		i = o.after(i)
	}
	i = w.where(w.result(i, end), end)
	if i < end && o.is(i, "{") {
		w.block(i)
		i = o.after(i)
	}
	w.names.leave(mark)
	w.names.floor = floor
	return i
}

func (w *walker) parameters(i int) {
	o := w.o
	last := int(o.toks[i].mate)
	for i++; i < last; {
		from := i
		i = w.attributes(i, last)
		pending := len(w.pending)
		i = w.pattern(i, last, ":,")
		path := ""
		if i < last && o.is(i, ":") {
			i, path = w.typ(i+1, last)
			if o.is(i, "+") {
				i, path = w.bounds(i+1, last), ""
			}
		}
		w.declare(pending, path)
		if i < last && o.is(i, ",") || i == from {
			i++
		}
	}
}

func (w *walker) data(i, end int) int {
	o := w.o
	mark := len(w.names.stack)
	i = w.where(w.generics(i+2, end), end)
	if i < end && o.is(i, "{") {
		w.fields(i)
		w.names.leave(mark)
		return o.after(i)
	}
	if i < end && o.is(i, "(") {
		w.tupleFields(i)
		i = w.where(o.after(i), end)
	}
	w.names.leave(mark)
	return i
}

func (w *walker) fields(i int) {
	o := w.o
	last := int(o.toks[i].mate)
	for i++; i < last; {
		i, _ = o.visibility(w.attributes(i, last))
		if o.class(i) == word && o.is(i+1, ":") && i+1 < last {
			i, _ = w.typ(i+2, last)
			if o.is(i, "=") {
				i = w.expr(i+1, last, atComma)
			}
			continue
		}
		if i < last {
			i = o.after(i)
		}
	}
}

func (w *walker) tupleFields(i int) {
	o := w.o
	last := int(o.toks[i].mate)
	for i++; i < last; {
		from := i
		i, _ = o.visibility(w.attributes(i, last))
		i, _ = w.typ(i, last)
		if i < last && o.is(i, ",") || i == from {
			i++
		}
	}
}

func (w *walker) enum(i, end int) int {
	o := w.o
	mark := len(w.names.stack)
	i = w.where(w.generics(i+2, end), end)
	if i >= end || !o.is(i, "{") {
		w.names.leave(mark)
		return i
	}
	last := int(o.toks[i].mate)
	for i++; i < last; {
		i, _ = o.visibility(w.attributes(i, last))
		switch {
		case i >= last:
		case o.class(i) == word && o.is(i+1, "!") && i+2 < last:
			i = w.expr(i, last, atComma)
		case o.is(i, "{"):
			w.fields(i)
			i = o.after(i)
		case o.is(i, "("):
			w.tupleFields(i)
			i = o.after(i)
		case o.is(i, "="):
			i = w.expr(i+1, last, atComma)
		default:
			i = o.after(i)
		}
	}
	w.names.leave(mark)
	return last + 1
}

func (w *walker) assigned(i, end int) int {
	o := w.o
	if o.is(i+1, "mut") {
		i++
	}
	mark := len(w.names.stack)
	i = w.generics(i+2, end)
	if i < end && o.is(i, ":") {
		i, _ = w.typ(i+1, end)
	}
	i = w.where(i, end)
	if i < end && o.is(i, "=") {
		i = w.expr(i+1, end, atSemicolon)
	}
	w.names.leave(mark)
	return w.skipItem(i, end)
}

func (w *walker) alias(i, end int) int {
	o := w.o
	mark := len(w.names.stack)
	i = w.generics(i+2, end)
	if i < end && o.is(i, ":") {
		i = w.bounds(i+1, end)
	}
	i = w.where(i, end)
	if i < end && o.is(i, "=") {
		i, _ = w.typ(i+1, end)
		i = w.where(i, end)
	}
	w.names.leave(mark)
	return w.skipItem(i, end)
}

func (w *walker) trait(i, end int) int {
	o := w.o
	mark, self, inTrait := len(w.names.stack), w.self, w.inTrait
	name := i + 1
	w.inTrait = true
	if w.self = ""; w.heads {
		w.self = w.dotted(strings.Join(w.modules, "."), []int{name})
	}
	i = w.generics(i+2, end)
	if i < end && (o.is(i, ":") || o.is(i, "=")) {
		i = w.bounds(i+1, end)
	}
	i = w.where(i, end)
	i = w.members(i, end, !w.heads)
	w.names.leave(mark)
	w.self, w.inTrait = self, inTrait
	return i
}

func (w *walker) members(i, end int, wanted bool) int {
	o := w.o
	if i >= end || !o.is(i, "{") {
		return i
	}
	if wanted {
		w.items(i+1, int(o.toks[i].mate))
	}
	return o.after(i)
}

func (w *walker) items(i, end int) {
	o := w.o
	heads := w.heads
	w.heads = false
	for i < end {
		if o.toks[i].skip {
			i++
			continue
		}
		i = w.attributes(i, end)
		if i >= end {
			break
		}
		next, ok := w.item(i, end)
		if !ok {
			next = max(w.expr(i, end, atSemicolon), i+1)
		}
		i = next
	}
	w.heads = heads
}

func (w *walker) implementation(i, end int) int {
	o := w.o
	mark, self, inTrait := len(w.names.stack), w.self, w.inTrait
	head := i + 1
	body := head
	for body < end && !o.is(body, "{") && !o.is(body, ";") {
		body = o.after(body)
	}
	trait, at := o.implHead(head, body)
	i = w.generics(head, end)
	w.inTrait = false
	for i < end && (o.is(i, "const") || o.is(i, "!") || o.is(i, "?")) {
		i++
	}
	if at > i {
		w.typ(i, at)
	}
	i, w.self = w.typ(at, end)
	i = w.where(i, end)
	if i < end && !o.is(i, "{") && body < end {
		i = body
	}
	own := w.own
	if w.own = nil; trait != "" {
		w.own = o.memberNames(i)
	}
	i = w.members(i, end, true)
	w.own = own
	w.names.leave(mark)
	w.self, w.inTrait = self, inTrait
	return i
}

func (o *outline) memberNames(i int) map[string]bool {
	if o.class(i) != opener {
		return nil
	}
	out := map[string]bool{}
	for at := i + 1; at < int(o.toks[i].mate); at = o.after(at) {
		if o.class(at) == word && (o.is(at, "fn") || o.is(at, "type") || o.is(at, "const")) && o.class(at+1) == word {
			out[o.validName(at+1)] = true
		}
	}
	return out
}

func (w *walker) inlineModule(i, end int) int {
	return w.members(i+2, end, !w.heads)
}

func (w *walker) foreign(i, end int) int { return w.members(i+1, end, true) }
