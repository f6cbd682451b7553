package rust

import (
	"bytes"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// macroForm is the kind of a standard macro's arguments.
type macroForm uint8

const (
	unknownForm macroForm = iota
	expressions
	formatted // expressions, one of them a format string
	matching  // an expression and a pattern
	nothing   // text or irrelevant tokens
	itemForm
)

var standardMacros = func() map[string]macroForm {
	m := map[string]macroForm{"matches": matching, "thread_local": itemForm}
	for form, names := range map[macroForm]string{
		expressions: "vec dbg assert_eq assert_ne debug_assert_eq debug_assert_ne addr_of addr_of_mut pin ready offset_of try",
		formatted: "format print println eprint eprintln write writeln panic todo unimplemented unreachable assert " +
			"debug_assert format_args assert_eq assert_ne debug_assert_eq debug_assert_ne",
		nothing: "stringify concat include include_str include_bytes env option_env cfg line column file module_path " +
			"compile_error global_asm asm concat_idents",
	} {
		for _, name := range strings.Fields(names) {
			m[name] = max(m[name], form)
		}
	}
	return m
}()

func (w *walker) macroCall(segments []int, i, end int) int {
	o := w.o
	i++
	if i < end && o.class(i) == word {
		i++
	}
	if i >= end || o.class(i) != opener {
		return i
	}
	if last := segments[len(segments)-1]; o.is(last, "bail") || o.is(last, "panic") || o.is(last, "unreachable") {
		w.fails++
		defer func() { w.fails-- }()
	}
	form := w.form(segments)
	mark := len(w.found.List)
	w.refer(segments, macros, source.AsCall)
	w.callsAt(mark, i)
	last := int(o.toks[i].mate)
	switch form {
	case nothing:
	case itemForm:
		w.items(i+1, last)
	case expressions:
		w.elements(i+1, last)
	case formatted:
		w.format(i)
	case matching:
		w.matches(i)
	default:
		w.open++
		if o.is(i, "{") {
			w.block(i)
		} else {
			w.elements(i+1, last)
		}
		w.open--
	}
	return o.after(i)
}

func (w *walker) form(segments []int) macroForm {
	o := w.o
	last := bare(o.text(segments[len(segments)-1]))
	if bytes.HasPrefix(last, []byte("cfg_")) {
		return expressions
	}
	if len(segments) > 1 {
		if first := o.text(segments[0]); string(first) != "std" && string(first) != "core" && string(first) != "alloc" {
			return unknownForm
		}
		return standardMacros[string(last)]
	}
	if _, ok := w.known[string(last)]; ok || w.names.find(macros, last) != nil || w.around(last) != "" {
		return unknownForm
	}
	return standardMacros[string(last)]
}

// format reads the arguments of a formatting macro: the text may capture variables, and arguments may have names.
func (w *walker) format(i int) {
	o := w.o
	last := int(o.toks[i].mate)
	mark := len(w.names.stack)
	for at := i + 1; at+1 < last; at = o.after(at) {
		if o.class(at) == word && o.is(at+1, "=") && o.is(at-1, ",") {
			w.names.bind(o.validName(at), values, variable, "")
		}
	}
	captured := false
	for i++; i < last; {
		if o.class(i) == word && o.is(i+1, "=") && i+1 < last {
			i += 2
		}
		if o.class(i) == text && !captured && (o.is(i+1, ",") || i+1 == last) {
			captured = true
			w.captures(i)
		}
		next := w.expr(i, last, atComma)
		i = max(next, i+1)
		if next < last && o.is(next, ",") {
			i = next + 1
		}
	}
	w.names.leave(mark)
}

// placeholder matches what a format string has in braces, and what looks like it. widths matches the names in its format.
var (
	placeholder = lazyregexp.New(`\{\{|\\u\{[^}]*\}|\{\s*([^:}]*?)\s*(?::([^}]*))?\}`)
	widths      = lazyregexp.New(`(\w+)\$`)
	identifier  = lazyregexp.New(`^[\pL_]\w*$`)
)

// captures records the names in a format string: {name}, {name:?}, {:width$}.
func (w *walker) captures(i int) {
	for _, m := range placeholder.FindAllStringSubmatch(string(w.o.text(i)), -1) {
		w.capture(i, []byte(m[1]))
		for _, width := range widths.FindAllStringSubmatch(m[2], -1) {
			w.capture(i, []byte(width[1]))
		}
	}
}

func (w *walker) capture(i int, name []byte) {
	if !identifier.Match(name) || w.names.find(values, name) != nil {
		return
	}
	if w.open == 0 && string(name) != "self" {
		prefix := w.around(name)
		path := toValid(string(name))
		if prefix != "" {
			path = prefix + "." + path
		}
		w.emit(path, source.AsValue, i)
	}
}

// matches reads matches!(value, pattern if condition).
func (w *walker) matches(i int) {
	o := w.o
	last := int(o.toks[i].mate)
	mark, pending := len(w.names.stack), len(w.pending)
	i = w.expr(i+1, last, atComma)
	if i < last && o.is(i, ",") {
		i = w.pattern(i+1, last, ",")
		w.declare(pending, "")
		if i < last && o.is(i, "if") {
			w.elements(i+1, last)
		}
	}
	w.names.leave(mark)
}

func (w *walker) attributes(i, end int) int {
	behind := w.o.attributes(end, i)
	for a := range w.o.attributesIn(i, behind) {
		w.attribute(a)
	}
	return behind
}

// attribute records derived macros and attribute macros.
func (w *walker) attribute(a span) {
	o := w.o
	name := o.text(a.From)
	switch {
	case o.class(a.From) != word || a.From >= a.To:
	case string(name) == "derive" && o.is(a.From+1, "("):
		for at := a.From + 2; at < a.To-1; {
			if o.class(at) != word {
				at++
				continue
			}
			at = w.attributeMacro(at, a.To)
		}
	case string(name) == "cfg_attr" && o.is(a.From+1, "("):
		last := int(o.toks[a.From+1].mate)
		for at := a.From + 2; at < last; at = o.after(at) {
			if o.is(at, ",") && o.class(at+1) == word && w.depth < maxNesting {
				w.depth++
				w.attribute(span{From: at + 1, To: last})
				w.depth--
			}
		}
	case toolAttributes[string(name)]:
	case o.is(a.From+1, "::") || o.uses[string(name)] != "":
		w.attributeMacro(a.From, a.To)
	}
}

func (w *walker) attributeMacro(i, end int) int {
	segments, next := w.segments(i, end, false)
	if len(segments) > 1 || w.o.uses[string(w.o.text(i))] != "" || !standardDerives[string(w.o.text(i))] {
		w.refer(segments, macros, source.AsCall)
	}
	return next
}
