package rust

import "strings"

var walkers map[string]func(w *walker, i, end int) int

func init() {
	walkers = map[string]func(w *walker, i, end int) int{
		"fn": (*walker).function, "struct": (*walker).declares, "union": (*walker).declares, "enum": (*walker).declares,
		"const": (*walker).declares, "static": (*walker).declares, "type": (*walker).declares, "trait": (*walker).trait,
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

// declares reads an item with a name: its generic parameters, its types and its value or body.
func (w *walker) declares(i, end int) int {
	o, kind := w.o, string(w.o.text(i))
	if o.is(i+1, "mut") {
		i++
	}
	mark := len(w.names.stack)
	defer func() { w.names.leave(mark) }()
	for i = w.generics(i+2, end); i < end; {
		switch string(o.text(i)) {
		case "(":
			if kind == "fn" {
				w.parameters(i)
			} else {
				w.types(i)
			}
			i = o.after(i)
		case "->":
			i = w.result(i, end)
		case "where":
			i = w.where(i, end)
		case ":":
			i = w.bounds(i+1, end)
		case "=":
			if !assigns[kind] {
				i = w.bounds(i+1, end)
			} else {
				i = w.expr(i+1, end, atSemicolon)
			}
		case "{":
			w.body(kind, i)
			return o.after(i)
		default: // the end, or part of a macro
			if kind == "type" || assigns[kind] {
				return w.skipItem(i, end)
			}
			return i
		}
	}
	return i
}

var assigns = set("const", "static")

// body reads what an item has in braces.
func (w *walker) body(kind string, i int) {
	switch kind {
	case "fn":
		w.block(i)
	case "enum":
		w.each(i, w.variant)
	case "trait":
		if !w.heads {
			w.items(i+1, int(w.o.toks[i].mate))
		}
	default:
		w.types(i)
	}
}

func (w *walker) variant(i, end int) int {
	o := w.o
	i, _ = o.visibility(i)
	if o.is(i+1, "!") && i+2 < end {
		return w.expr(i, end, atComma)
	}
	i = o.after(i)
	if i < end && (o.is(i, "{") || o.is(i, "(")) {
		w.types(i)
		i = o.after(i)
	}
	if i < end && o.is(i, "=") {
		i = w.expr(i+1, end, atComma)
	}
	return i
}

func (w *walker) function(i, end int) int {
	floor := w.names.floor
	w.names.floor = len(w.names.stack)
	i = w.declares(i, end)
	w.names.floor = floor
	return i
}

func (w *walker) parameters(i int) {
	w.each(i, func(i, end int) int { return w.typed(i, end, ":,") })
}

// typed reads a pattern that may have a type, and binds its names.
func (w *walker) typed(i, end int, stop string) int {
	pending, path := len(w.pending), ""
	if i = w.pattern(i, end, stop); i < end && w.o.is(i, ":") {
		i, path = w.typ(i+1, end)
		for i < end && w.o.is(i, "+") {
			i, path = w.bounds(i+1, end), ""
		}
	}
	w.declare(pending, path)
	return i
}

func (w *walker) trait(i, end int) int {
	self, inTrait := w.self, w.inTrait
	w.inTrait = true
	if w.self = ""; w.heads {
		w.self = w.dotted(strings.Join(w.modules, "."), []int{i + 1})
	}
	i = w.declares(i, end)
	w.self, w.inTrait = self, inTrait
	return i
}

// skipItem skips an item that hoist has bound.
func (w *walker) skipItem(i, end int) int { return w.o.to(";", i, end) + 1 }

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
	body := o.to("{", head, end)
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
