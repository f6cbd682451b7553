package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// remark is a comment by which authors document what is assigned: `#: The size.`, above it or behind it.
type remark struct {
	line       int32
	start, end int32 // of the text
	alone      bool  // on its line
}

// remarkMark begins such a comment.
const remarkMark = "#:"

// remarkAt takes up the comment that begins here and ends at end.
func (x *reader) remarkAt(end int, alone bool) {
	if strings.HasPrefix(x.src[x.pos:end], remarkMark) && x.brackets.Len() == 0 {
		x.remarks = append(x.remarks, remark{x.line, int32(x.pos + len(remarkMark)), int32(end), alone})
	}
}

// remarked is what remarks say of a line: the one behind it, or those right above it. Lines are asked for in their order.
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

// assigning is what the line before assigns, which a string below it may document.
type assigning struct {
	level   int32
	symbols int // from where on they are its own
	end     int
	self    *assigned // what it gives an instance, where it stands in __init__
	class   string    // the prefix of names in that one's class
}

// document takes what a remark, or a string below, says of what the last line assigns, and reports whether there is something.
func (x *reader) document(doc string) bool {
	b := &x.bound
	if doc == "" || b.end == b.symbols && b.self == nil {
		return false
	}
	for i := b.symbols; i < b.end; i++ {
		if sym := &x.symbols[i]; sym.Doc == "" {
			sym.Doc, sym.Content, sym.Deprecated = doc, x.digestOf(string(sym.Content), doc), deprecatedIn(doc)
		}
	}
	if b.self != nil {
		x.give(b.self, b.class, doc)
		b.self = nil
	}
	return true
}

// give declares what __init__ gives an instance and documents.
func (x *reader) give(a *assigned, class, doc string) {
	local := x.text(a.name)
	if !visibleMember(local) {
		return
	}
	x.evaluate(a, nil)
	sym := x.symbolOf(a, class, local, inClass)
	sym.Doc, sym.Content, sym.Deprecated = doc, x.digestOf(string(sym.Content), doc), deprecatedIn(doc)
	x.given = append(x.given, sym)
}

// initializer is what the names of what is in __init__ begin with, behind those of the class.
const initializer = "__init__."

// selfAssigned reads `self.name = value` and `self.name: type = value` in __init__.
func (x *reader) selfAssigned(from, to int) {
	class, in := strings.CutSuffix(x.top().prefix, initializer)
	if !in || class == "" || !x.isName(from, to) || x.text(from) != "self" || !x.is(from+1, to, ".") || !x.isName(from+2, to) {
		return
	}
	a := assigned{name: from + 2, statement: from, statementEnd: to}
	switch {
	case x.is(from+3, to, "="):
		a.operator, a.value, a.valueEnd = "=", from+4, to
	case x.is(from+3, to, ":"):
		a.annotation, a.annotationEnd = from+4, to
		if eq := x.topLevel(from+4, to, "="); eq < to {
			a.annotationEnd, a.operator, a.value, a.valueEnd = eq, "=", eq+1, to
		}
	default:
		return
	}
	x.bound.self, x.bound.class = &a, class
}

// givenSymbols are what instances are given, but for what their classes declare already. That takes the words, where it has none.
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
