package ecma

import (
	"bytes"
	"slices"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// data finds the tables that SQL string literals create, except in functions that revert a migration.
func (x *extractor) data() {
	mentions := ddl.Mentions(func(text string) bool { return bytes.Contains(x.src, []byte(text)) })
	if !mentions && len(x.sql) == 0 {
		return
	}
	slices.SortStableFunc(x.sql, func(a, b source.Fact) int { return a.Line - b.Line })
	var s ddl.Schema
	calls := func(line int) {
		for len(x.sql) > 0 && x.sql[0].Line <= line {
			s.SQL("", x.sql[0].Line, x.sql[0].Doc)
			x.sql = x.sql[1:]
		}
	}
	isText := func(i int) bool { return x.at(i).kind == tString || x.at(i).kind == tTemplate }
	for i := 0; mentions && i < len(x.t); i++ {
		if x.t[i].kind == tIdent && !x.at(i+1).isPunct('.') && ddl.TakesBack(x.text(i)) {
			i = x.behindBody(i)
			continue
		}
		if x.t[i].kind == tTemplateHead {
			s.SQL("", int(x.t[i].line), unquote([]byte(x.text(i)+"`"))+ddl.Computed)
			continue
		}
		if !isText(i) {
			continue
		}
		line, all := int(x.t[i].line), unquote([]byte(x.text(i)))
		calls(line)
		for x.at(i+1).isPunct('+') && isText(i+2) {
			i += 2
			all += unquote([]byte(x.text(i)))
		}
		if x.at(i + 1).isPunct('+') {
			all += ddl.Computed
		}
		s.SQL("", line, all)
	}
	calls(len(x.src))
	x.facts = append(x.facts, s.Facts()...)
}

// mostHead bounds the tokens before a function body, excluding bracketed ones.
const mostHead = 16

// behindBody returns the end of the function body named by token i, as in `down(x) {` and `down = async (x) => {`, or
// i.
func (x *extractor) behindBody(i int) int {
	for j := i + 1; j < min(i+mostHead, len(x.t)); {
		t := x.t[j]
		switch {
		case t.isPunct('{') && t.match > int32(j):
			return int(t.match)
		case t.isPunct(';'), t.isPunct(','), t.isPunct('}'), t.isPunct(')'):
			return i
		case t.match > int32(j):
			j = int(t.match)
		}
		j++
	}
	return i
}
