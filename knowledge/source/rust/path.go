package rust

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

const maxSegments = 32

// segments reads a path and returns its name tokens. In a type, generic arguments follow a name directly; elsewhere they
// follow ::.
func (w *walker) segments(i, end int, inType bool) (segments []int, next int) {
	o, mark := w.o, len(w.path)
	arguments := func() {
		names := len(w.path)
		i = w.arguments(i, end)
		w.path = w.path[:names]
	}
	for {
		w.path = append(w.path, i)
		i++
		if inType && i < end && o.lead(i) == '<' && (!o.is(i+1, "=") || o.toks[i+1].start > o.toks[i].end) {
			arguments()
		}
		if i >= end || o.lead(i) != ':' || !o.is(i, "::") {
			break
		}
		i++
		if i < end && o.lead(i) == '<' {
			if arguments(); i >= end || !o.is(i, "::") {
				break
			}
			i++
		}
		if i >= end || o.class(i) != word {
			break
		}
	}
	return w.path[mark:], i
}

// refer records a path. The first of several names is a type or module.
func (w *walker) refer(segments []int, in space, kind source.How) {
	if path := w.meant(segments, in, kind); path != "" {
		w.emit(path, kind, segments[0])
	}
}

// meant returns the certain reference of a path. It returns "" if the name is bound here or may mean anything; in
// that case it records an open reference.
func (w *walker) meant(segments []int, in space, kind source.How) string {
	o := w.o
	if len(segments) > maxSegments {
		return ""
	}
	if len(segments) > 1 {
		in = types
	}
	first := bare(o.text(segments[0]))
	before := o.lead(segments[0] - 1)
	global := before == ':' && o.is(segments[0]-1, "::")
	last := segments[len(segments)-1]
	macroRoot := before == '$' && string(first) == "crate"
	if !global {
		if done, path := w.bound(segments, first, in, kind); done {
			return path
		}
	}
	switch {
	case w.open > 0 && !macroRoot:
		w.emitOpen(last, kind)
		return ""
	case string(first) == "self" && len(segments) == 1:
		return ""
	case string(first) == "self", string(first) == "super", string(first) == "crate":
		names := make([]string, len(segments))
		for i, at := range segments {
			names[i] = o.validName(at)
		}
		return w.rooted(names)
	case string(first) == "Self":
		return w.ofSelf(segments, kind)
	}
	if global {
		return w.dotted("", segments)
	}
	return w.free(segments, first, in, kind)
}

// bound resolves a path whose first name is bound locally; done is false for a free name.
func (w *walker) bound(segments []int, first []byte, in space, kind source.How) (done bool, path string) {
	b := w.names.find(in, first)
	if b == nil {
		return false, ""
	}
	switch {
	case b.meaning == parameter && len(segments) > 1:
		w.emitOpen(segments[len(segments)-1], kind)
	case b.meaning == alias && w.open > 0:
		w.emitOpen(segments[len(segments)-1], kind)
	case b.meaning == alias:
		return true, w.dotted(b.path, segments[1:])
	}
	return true, ""
}

func (w *walker) ofSelf(segments []int, kind source.How) string {
	switch {
	case len(segments) > 1 && w.own[w.o.name(segments[1])]:
		return ""
	case len(segments) > 1 && w.self == "":
		w.emitOpen(segments[len(segments)-1], kind)
		return ""
	case len(segments) == 1 && w.inTrait:
		return ""
	}
	return w.dotted(w.self, segments[1:])
}

func (w *walker) free(segments []int, first []byte, in space, kind source.How) string {
	prefix := w.around(first)
	// an imported module does not shadow a primitive type
	if prefix == "" && (w.o.uses[string(first)] == "" || len(segments) == 1 && builtin[string(first)]) {
		if at, ok := w.known[string(first)]; !ok || in == macros && w.kinds[at] != source.Macro {
			if in == macros && (ok || standardMacros[string(first)] != 0) || in != macros && predeclared[string(first)] {
				return ""
			}
			if w.globs > 0 && !builtin[string(first)] {
				w.emitOpen(segments[len(segments)-1], kind)
				return ""
			}
		}
	}
	return w.dotted(prefix, segments)
}

// around returns the innermost inline module that declares a name, or "".
func (w *walker) around(first []byte) string {
	for n := len(w.modules); n > 0; n-- {
		if _, ok := w.known[dotted(w.modules[:n], string(first))]; ok {
			return strings.Join(w.modules[:n], ".")
		}
	}
	return ""
}

// rooted returns the dotted form of a path that starts with crate, self or super, relative to the file.
func (w *walker) rooted(names []string) string {
	rest, modules, inside := climb(names, w.modules)
	if inside && len(rest) < len(names) {
		rest = slices.Concat(modules, rest)
	}
	return strings.Join(rest, ".")
}

// climb follows the leading self and super of a path in nested modules, and returns the rest of the path with the
// modules that it starts from. inside is false if the path leaves the outermost module.
func climb(names, modules []string) (rest, in []string, inside bool) {
	for rest, in = names, modules; len(rest) > 0 && (rest[0] == "self" || rest[0] == "super"); rest = rest[1:] {
		if rest[0] == "super" {
			if len(in) == 0 {
				return rest, nil, false
			}
			in = in[:len(in)-1]
		}
	}
	return rest, in, true
}

// dotted joins prefix and segments. It interns the results.
func (w *walker) dotted(prefix string, segments []int) string {
	b := append(w.spelled[:0], prefix...)
	for _, at := range segments {
		if len(b) > 0 {
			b = append(b, '.')
		}
		b = append(b, bare(w.o.text(at))...)
	}
	w.spelled = b
	return toValid(w.words.Text(w.words.NumberOf(b)))
}

func (w *walker) emitOpen(at int, kind source.How) {
	if name := w.dotted("", []int{at}); !keywords[name] && !relative[name] && name != "Self" && !predeclared[name] {
		w.emit(name, kind|source.AsOpen, at)
	}
}

func (w *walker) member(path string, at int) {
	if path == "" || w.open > 0 {
		w.emit(w.dotted("", []int{at}), source.AsCall|source.AsOpen, at)
		return
	}
	w.emit(w.dotted(path, []int{at}), source.AsCall, at)
}
