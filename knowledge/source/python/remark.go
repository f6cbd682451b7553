package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// remark is a documentation comment of an assignment, `#: The size.`, above it or at its end.
type remark struct {
	line       int32
	start, end int32
	alone      bool
}

const remarkMark = "#:"

// remarkAt records the remark that begins here and ends at end.
func (x *reader) remarkAt(end int, alone bool) {
	if strings.HasPrefix(x.src[x.pos:end], remarkMark) && x.brackets.Len() == 0 {
		x.remarks = append(x.remarks, remark{x.line, int32(x.pos + len(remarkMark)), int32(end), alone})
	}
}

// remarked returns the remarks for a line: at its end, or directly above. Lines must be queried in order.
func (x *reader) remarked(l line) string {
	from := x.remark
	for ; x.remark < len(x.remarks) && x.remarks[x.remark].line < l.start; x.remark++ {
		r := x.remarks[x.remark]
		if x.remark > from && (!r.alone || x.remarks[x.remark-1].line != r.line-1 || !x.remarks[x.remark-1].alone) {
			from = x.remark
		}
	}
	above := x.remarks[from:x.remark]
	for x.remark < len(x.remarks) && x.remarks[x.remark].line <= l.last {
		r := x.remarks[x.remark]
		if x.remark++; !r.alone {
			return x.remarkText([]remark{r})
		}
	}
	if n := len(above); n == 0 || !above[n-1].alone || above[n-1].line != l.start-1 {
		return ""
	}
	return x.remarkText(above)
}

func (x *reader) remarkText(list []remark) string {
	lines := make([]string, len(list))
	for i, r := range list {
		lines[i] = x.src[r.start:r.end]
	}
	return cleanDoc(strings.Join(lines, "\n"))
}

type assigning struct {
	level   int32
	symbols int // start of its symbols
	end     int
	given   int // its first instance attribute
}

// document applies a remark or a following string to the assignments of the last line, and reports whether there were
// any.
func (x *reader) document(doc string) bool {
	b := &x.bound
	end := max(b.end, b.symbols) // an unfinished assignment has none
	if doc == "" || end == b.symbols && b.given == len(x.given) {
		return false
	}
	for _, list := range [][]source.Symbol{x.symbols[b.symbols:end], x.given[b.given:]} {
		for i := range list {
			if sym := &list[i]; sym.Doc == "" {
				sym.Doc, sym.Content, sym.Deprecated = doc, x.digestOf(string(sym.Content), doc), deprecatedIn(doc)
			}
		}
	}
	b.given = len(x.given)
	return true
}

// givenSymbols returns instance attributes, except those declared in their class. A class attribute without
// documentation gets that of the instance attribute.
func (x *reader) givenSymbols() []source.Symbol {
	if len(x.given) == 0 {
		return nil
	}
	declared := map[string]*source.Symbol{}
	for i := range x.symbols {
		declared[x.symbols[i].Name] = &x.symbols[i]
	}
	var out []source.Symbol
	for i := range x.given {
		s := &x.given[i]
		switch was := declared[s.Name]; {
		case was == nil:
			out = append(out, *s)
		case was.Doc == "" && was.Kind == source.Field:
			was.Doc, was.Deprecated, was.Content = s.Doc, s.Deprecated, x.digestOf(string(was.Content), s.Doc)
		}
		if declared[s.Name] == nil {
			declared[s.Name] = s
		}
	}
	return out
}
