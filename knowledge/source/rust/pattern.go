package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// pattern reads a pattern up to an operator in stop, =>, a word that cannot be part of it, or the end. It appends
// bound names to w.pending.
func (w *walker) pattern(i, end int, stop string) int {
	if !w.deeper() {
		return min(i+1, end)
	}
	defer w.shallower()
	o := w.o
	for i < end {
		t := o.toks[i]
		switch t.class {
		case word:
			next := w.patternWord(i, end)
			if next == i {
				return i
			}
			i = next
		case opener:
			if o.src[t.start] == '{' {
				return i
			}
			w.patterns(i)
			i = o.after(i)
		case closer:
			return i
		case punct:
			c := o.src[t.start]
			switch {
			case t.end-t.start == 1 && strings.IndexByte(stop, c) >= 0, c == '=' && o.is(i, "=>"):
				return i
			case c == '#':
				i = max(w.attributes(i, end), i+1)
			case c == '$':
				i = w.dollar(i, end)
			case c == '<':
				i = w.qualified(i, end)
			default:
				i++
			}
		default:
			i++
		}
	}
	return i
}

func (w *walker) patterns(i int) {
	w.each(i, func(i, end int) int { return w.pattern(i, end, ",") })
}

// patternWord reads a path, a binding or a pattern keyword; it returns i at the end of the pattern.
func (w *walker) patternWord(i, end int) int {
	o := w.o
	name := string(o.text(i))
	switch name {
	case "ref", "mut", "box", "true", "false", "_":
		return i + 1
	case "if", "in", "else", "let":
		return i
	case "const":
		if o.is(i+1, "{") {
			w.block(i + 1)
			return o.after(i + 1)
		}
		return i + 1
	}
	if keywords[name] {
		return i
	}
	segments, next := w.segments(i, end, false)
	switch {
	case o.is(next, "!") && next+1 < end && o.class(next+1) == opener:
		return w.macroCall(segments, next, end)
	case next < end && o.is(next, "("):
		w.refer(segments, values, source.AsType)
		w.patterns(next)
		return o.after(next)
	case next < end && o.is(next, "{"):
		w.refer(segments, types, source.AsType)
		w.fieldPatterns(next)
		return o.after(next)
	case len(segments) > 1 || o.is(i-1, "::") || w.constantPattern(i, next, end):
		w.refer(segments, values, source.AsValue)
	case name != "self":
		w.pending = append(w.pending, o.validName(i))
	}
	return next
}

// constantPattern reports whether the single name at i is a constant, unit struct or variant rather than a binding.
func (w *walker) constantPattern(i, next, end int) bool {
	o := w.o
	name := o.name(i)
	if o.is(i-1, "..=") || o.is(i-1, "..") || next < end && (o.is(next, "..=") || o.is(next, "..")) {
		return true
	}
	if next < end && o.is(next, "@") || o.is(i-1, "mut") || o.is(i-1, "ref") {
		return false
	}
	at, ok := w.known[name]
	if prefix := w.around([]byte(name)); prefix != "" {
		at, ok = w.known[prefix+"."+name]
	}
	if ok {
		return w.kinds[at] == source.Const || w.kinds[at] == source.Var || w.kinds[at] == source.Struct
	}
	if b := w.names.find(values, []byte(name)); b != nil && b.meaning != variable && capital(name) {
		return true
	}
	if !capital(name) {
		return false
	}
	return o.uses[name] != "" || predeclared[name] || o.globs || w.globs > 0
}

// fieldPatterns reads the fields of a struct pattern: `a`, `ref mut a`, `a: pattern`, `..`.
func (w *walker) fieldPatterns(i int) {
	o := w.o
	w.each(i, func(i, end int) int {
		switch {
		case (o.class(i) == word || o.class(i) == literal) && o.is(i+1, ":"):
			return max(w.pattern(i+2, end, ","), i+2)
		case o.class(i) != word:
			return o.after(i)
		case !o.is(i, "ref") && !o.is(i, "mut") && !o.is(i, "box"):
			w.pending = append(w.pending, o.validName(i))
		}
		return i + 1
	})
}
