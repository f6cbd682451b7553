package rust

import (
	"maps"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// expanded returns the public symbols that calls of the file's own macros declare in modules and impl blocks.
func (o *outline) expanded(symbols []source.Symbol) (out []source.Symbol) {
	known := map[string]bool{}
	for _, it := range o.items {
		known[it.name] = true
	}
	o.expansions(func(call, _ *item, body string) {
		s := call.scope
		prefix := s.prefix
		if s.kind == inImpl {
			body = string(o.src[o.toks[s.head].start:o.toks[s.headEnd].start]) + "{" + body + "}"
			prefix = prefix[:strings.LastIndexByte(s.name(), '.')+1]
		}
		made := o.reread(body)
		made.frame()
		for _, sym := range made.symbols() {
			sym.Name, sym.Guard = prefix+sym.Name, both(o.guard(call), sym.Guard)
			sym.Line, sym.End = int(o.toks[call.first].line), int(o.toks[call.end-1].line)
			if sym.Exported && !known[sym.Name] {
				known[sym.Name] = true
				out = append(out, sym)
			}
		}
	})
	return out
}

// macros returns the macros of the file by name.
func (o *outline) macros() map[string]*item {
	out := map[string]*item{}
	for _, it := range o.items {
		if it.form == macro {
			out[it.name[strings.LastIndexByte(it.name, '.')+1:]] = it
		}
	}
	return out
}

// expansions calls a function with the expansion of each call of the file's own macros in modules and impl blocks.
func (o *outline) expansions(found func(call, macro *item, body string)) {
	e := expander{outline: o, room: mostSteps}
	macros := o.macros()
	for _, call := range o.loose {
		m, s, args := macros[o.name(call.rest)], call.scope, call.rest+2
		if m == nil || !o.is(args-1, "!") || o.class(args) != opener || !s.exported || s.kind != inModule && s.kind != inImpl {
			continue
		}
		e.out.Reset()
		if e.call(m, args); e.room <= 0 { // the rest is not certain
			o.problem.Report(int32(o.toks[call.first].line), "the macros of the file make too much, and the rest is not listed")
			return
		}
		found(call, m, e.out.String())
	}
}

// reread reads the source that a macro makes.
func (o *outline) reread(body string) *outline {
	made := &outline{meter: o.meter.For(len(body)), src: []byte(body), problem: &problem{}}
	made.toks = balance(made.src, lex(made.meter, made.src, made.problem), made.problem)
	made.run()
	return made
}

// mostReread bounds the bytes of macros and calls that are read again for variables.
const mostReread = 2 << 20

// mostNestedMacros bounds the macro calls inside each other.
const mostNestedMacros = 3

// variables finds the environment variables that expansions of the file's own macros read. Names may be made of the
// arguments of a call, which then have the line and the documentation.
func (f *facts) variables() {
	o, left := f.o, mostReread
	o.expansions(func(call, m *item, body string) {
		definition := string(o.src[o.toks[m.first].start:o.toks[m.end-1].end])
		if !strings.Contains(definition, "env") {
			return
		}
		if left -= len(definition) + len(body); left < 0 {
			return
		}
		for range mostNestedMacros {
			made := o.reread(definition + "\n" + body)
			e := expander{outline: made, room: mostSteps, inner: made.macros()}
			i := 0
			for i < len(made.toks) && int(made.toks[i].start) <= len(definition) {
				i++
			}
			e.write(i, len(made.toks), nil)
			if body = e.out.String(); e.room <= 0 {
				return
			}
		}
		made, said := o.reread(body), map[string]int{}
		for i := call.rest; i < call.end; i++ {
			if name := strings.ToUpper(o.name(i)); said[name] == 0 && o.is(i+1, ":") {
				said[name] = i
			}
		}
		for _, x := range surface.Facts(surface.Input{Rules: frameworks.Get(), Tree: made.translated(), Steps: made.meter.Steps, Library: o.library}) {
			if i := said[x.Name]; x.Kind == source.Env {
				if x.Line = int(o.toks[call.first].line); i > 0 {
					from := i
					for o.class(from-1) == outerDoc {
						from--
					}
					x.Line, x.Help = int(o.toks[i].line), markdown.FirstSentence(o.doc(from, i, outerDoc))
				}
				f.list = append(f.list, x)
			}
		}
	})
}

// captures are the values of a macro's variables: tokens, or the captures of each iteration of a repetition.
type captures map[string]capture

type capture struct {
	span
	each []captures
}

type expander struct {
	*outline
	out   strings.Builder
	room  int              // steps that are left, for the whole file
	inner map[string]*item // macros whose calls are expanded too
}

const mostSteps = 1 << 18

// call writes the expansion of the arguments in a bracket by the first matching rule of a macro.
func (e *expander) call(m *item, args int) {
	for _, r := range e.rules(m.head) {
		c, end := captures{}, int(e.toks[args].mate)
		if at := e.match(r.From+1, r.To-1, args+1, end, c); at == end && e.class(r.To+1) == opener {
			e.write(r.To+2, int(e.toks[r.To+1].mate), c)
			return
		}
	}
}

// match reads arguments by a pattern and returns the token after them, or -1.
func (e *expander) match(i, to, at, end int, c captures) int {
	for e.room--; i < to && at >= 0; e.room-- {
		switch {
		case e.room < 0:
			return -1
		case e.is(i, "$") && e.is(i+1, "("):
			next, separator := e.repetition(i + 1)
			var list []captures
			for from := at; from >= 0; {
				one := captures{}
				if from = e.match(i+2, int(e.toks[i+1].mate), from, end, one); from <= at {
					break
				}
				list, at = append(list, one), from
				if separator != "" && (at >= end || !e.is(at, separator)) {
					break
				} else if separator != "" {
					from++
				}
			}
			for _, one := range list {
				for name := range one {
					c[name] = capture{each: list}
				}
			}
			i = next
		case e.is(i, "$") && e.is(i+2, ":"):
			to := e.fragment(string(e.text(i+3)), string(e.text(i+4)), at, end)
			c[e.name(i+1)] = capture{span: span{From: at, To: to}}
			i, at = i+4, to
		case at >= end:
			return -1
		case e.class(at) == outerDoc && e.is(i, "#"): // #[$name:meta], #[doc = $name:literal]
			name := i + 2
			for !e.is(name, "$") && name < to {
				name++
			}
			c[e.name(name+1)] = capture{span: span{From: at, To: at + 1}}
			i, at = e.after(i+1), at+1
		case !e.is(at, string(e.text(i))):
			return -1
		case e.class(i) == opener && e.match(i+1, int(e.toks[i].mate), at+1, int(e.toks[at].mate), c) != int(e.toks[at].mate):
			return -1
		default:
			i, at = e.after(i), e.after(at)
		}
	}
	return at
}

// repetition returns the token after `(…),*` and the separator.
func (e *expander) repetition(open int) (next int, separator string) {
	next = e.after(open)
	if text := string(e.text(next)); text != "*" && text != "+" && text != "?" {
		next, separator = next+1, text
	}
	return next + 1, separator
}

// fragment returns the token after a fragment, or -1. Types and expressions reach to the next word of the pattern.
func (e *expander) fragment(kind, stop string, at, end int) int {
	switch kind {
	case "vis":
		next, _ := e.visibility(at)
		return next
	case "ident", "lifetime", "literal", "tt", "block":
		if at >= end || kind == "ident" && e.class(at) != word {
			return -1
		}
		return e.after(at)
	}
	return e.outside(at, end, stop, ",", ";", "=>")
}

func (e *expander) write(i, end int, c captures) {
	for e.room--; i < end && e.room > 0; e.room-- {
		of, bound := c[e.name(i+1)]
		switch {
		case e.is(i, "$") && e.is(i+1, "("):
			var list []captures
			for j := i + 2; j < int(e.toks[i+1].mate) && list == nil; j++ {
				if e.is(j, "$") {
					list = c[e.name(j+1)].each
				}
			}
			next, separator := e.repetition(i + 1)
			for n, one := range list {
				if n > 0 {
					e.out.WriteString(separator)
				}
				if e.room -= len(c) + len(one); e.room <= 0 {
					return
				}
				all := maps.Clone(c)
				maps.Copy(all, one)
				e.write(i+2, int(e.toks[i+1].mate), all)
			}
			i = next
		case e.is(i, "$") && bound:
			if i += 2; of.To > of.From && e.class(of.From) == outerDoc {
				e.out.WriteString("doc = " + strconv.Quote(strings.TrimPrefix(string(e.text(of.From)), "///")))
			} else if of.To > of.From {
				e.out.Write(e.src[e.toks[of.From].start:e.toks[of.To-1].end])
				e.room -= of.To - of.From
			}
		case e.inner[e.name(i)] != nil && e.is(i+1, "!") && e.class(i+2) == opener:
			e.call(e.inner[e.name(i)], i+2)
			i = e.after(i + 2)
		case e.class(i) == opener:
			e.out.Write(e.text(i))
			e.write(i+1, int(e.toks[i].mate), c)
			e.out.Write(e.text(int(e.toks[i].mate)))
			i = e.after(i)
		case e.is(i, "$"): // $crate
			i++
		default:
			e.out.Write(e.text(i))
			if i++; e.class(i-1) >= outerDoc {
				e.out.WriteByte('\n')
			}
		}
		e.out.WriteByte(' ')
	}
}
