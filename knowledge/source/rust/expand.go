package rust

import (
	"maps"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// expanded returns the public symbols that calls of the file's own macros declare in modules and impl blocks.
func (o *outline) expanded(symbols []source.Symbol) (out []source.Symbol) {
	macros, known := map[string]*item{}, map[string]bool{}
	for _, it := range o.items {
		known[it.name] = true
		if it.form == macro {
			macros[it.name[strings.LastIndexByte(it.name, '.')+1:]] = it
		}
	}
	e := expander{outline: o, room: 1 << 18}
	for _, call := range o.loose {
		m, s, args := macros[o.name(call.rest)], call.scope, call.rest+2
		if m == nil || !o.is(args-1, "!") || o.class(args) != opener || !s.exported || s.kind != inModule && s.kind != inImpl {
			continue
		}
		e.out.Reset()
		if e.call(m, args); e.room <= 0 { // the rest is not certain
			o.problem.Report(int32(o.toks[call.first].line), "the macros of the file make too much, and the rest is not listed")
			break
		}
		body, prefix := e.out.String(), s.prefix
		if s.kind == inImpl {
			body = string(o.src[o.toks[s.head].start:o.toks[s.headEnd].start]) + "{" + body + "}"
			prefix = prefix[:strings.LastIndexByte(s.name(), '.')+1]
		}
		made := &outline{meter: o.meter.For(len(body)), src: []byte(body), problem: &problem{}}
		made.toks = balance(made.src, lex(made.meter, made.src, made.problem), made.problem)
		made.run()
		made.frame()
		for _, sym := range made.symbols() {
			sym.Name, sym.Guard = prefix+sym.Name, both(o.guard(call), sym.Guard)
			sym.Line, sym.End = int(o.toks[call.first].line), int(o.toks[call.end-1].line)
			if sym.Exported && !known[sym.Name] {
				known[sym.Name] = true
				out = append(out, sym)
			}
		}
	}
	return out
}

// captures are the values of a macro's variables: tokens, or the captures of each iteration of a repetition.
type captures map[string]capture

type capture struct {
	span
	each []captures
}

type expander struct {
	*outline
	out  strings.Builder
	room int // steps that are left, for the whole file
}

// call writes the expansion of the arguments in a bracket by the first matching rule of a macro.
func (e *expander) call(m *item, args int) {
	for _, r := range e.rules(m) {
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
		case e.class(at) == outerDoc && e.is(i, "#"): // #[$name:meta]
			c[e.name(i+3)] = capture{span: span{From: at, To: at + 1}}
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
	i := at
	for depth := 0; i < end; i = e.after(i) {
		switch text := string(e.text(i)); {
		case text == "<":
			depth++
		case text == ">":
			depth--
		case depth == 0 && (text == stop || text == "," || text == ";" || text == "=>"):
			return i
		}
	}
	return i
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
