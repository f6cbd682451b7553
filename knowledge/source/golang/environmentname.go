package golang

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// named is an explicit name, in the form of facts.
type named struct {
	text string
	of   string    // list in another file that contains it, prefixed with source.Listed
	row  *tableRow // row of the table that contains it, if any
	loop *tableLoop
}

func (e *environment) over(s *ast.RangeStmt) {
	l := &tableLoop{c: e.commander, over: nameOf(s.X), values: map[string]bool{}, rows: e.table(s.X)}
	if e.changed[l.over] {
		l.over, l.rows = "", nil
	}
	if key := nameOf(s.Key); key != "" && !e.changed[key] {
		l.key, e.loops[key] = key, l
	}
	if value := nameOf(s.Value); value != "" {
		e.elements[value] = l
	}
	if value := nameOf(s.Value); value != "" && !e.changed[value] {
		l.values[value], e.loops[value] = true, l
	}
	if call, ok := s.X.(*ast.CallExpr); ok && dotted(call.Fun) == "os.Environ" {
		e.note(source.Fact{Kind: source.Reads, ID: source.Whole}, s)
	}
}

// names returns the names in an expression: one, or one for each row of a loop's table.
func (e *environment) names(x ast.Expr) []named {
	l := e.loopOf(x)
	if l == nil {
		return []named{{text: e.spelled(x, nil, nil)}}
	}
	if far := l.over; len(l.rows) == 0 && far != "" && nameOf(x) != "" && !e.locals[far] && e.vars[far] == nil && !e.isHeld(far) {
		return []named{{of: source.Listed + far}}
	}
	var out []named
	for i := range l.rows {
		if e.tables.steps--; e.tables.steps < 0 {
			break
		}
		out = append(out, named{text: e.spelled(x, l, &l.rows[i]), row: &l.rows[i], loop: l})
	}
	if len(out) == 0 {
		out = []named{{text: source.Unknown}}
	}
	return out
}

func (e *environment) isHeld(name string) bool {
	_, held := e.held[name]
	return held
}

func (e *environment) loopOf(x ast.Expr) (l *tableLoop) {
	if len(e.loops) == 0 {
		return nil
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.FuncLit, *ast.CompositeLit, *ast.IndexExpr:
			return false // arguments name no variable, and calls may nest
		}
		if name, ok := n.(*ast.Ident); ok && l == nil {
			l = e.loops[name.Name]
			if value := e.lists[name.Name]; l == nil && value != nil && !e.changed[name.Name] && value != x {
				if l = e.loops[nameOf(value)]; l == nil {
					l = e.loops[nameOf(lastAddend(value))]
				}
			}
		}
		return l == nil
	})
	return l
}

// lastAddend is the last operand of a sum: the name in a row.
func lastAddend(x ast.Expr) ast.Expr {
	if b, ok := x.(*ast.BinaryExpr); ok {
		return b.Y
	}
	return nil
}

const mostAddends = 8

// spelled returns the text of an expression for a row, with source.Unknown for computed parts; if it uses constants of
// other files, the parts are prefixed with source.Named.
func (e *environment) spelled(x ast.Expr, l *tableLoop, row *tableRow) string {
	left := mostAddends
	parts := e.parts(x, l, row, &left)
	if len(parts) == 0 {
		return source.Unknown
	}
	isText := func(part string) bool { return strings.HasPrefix(part, source.Text) || part == source.Unknown }
	if len(parts) == 1 && isText(parts[0]) {
		return strings.TrimPrefix(parts[0], source.Text)
	}
	if slices.IndexFunc(parts, func(p string) bool { return !isText(p) }) >= 0 {
		return source.Named + strings.Join(parts, "+")
	}
	return source.Joined(parts)
}

func (e *environment) parts(x ast.Expr, l *tableLoop, row *tableRow, left *int) []string {
	if *left--; *left < 0 {
		return []string{source.Unknown}
	}
	if row != nil && l.names(x) {
		x = l.of(row, x)
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return e.parts(x.X, l, row, left)
	case *ast.BinaryExpr:
		var out []string
		for _, a := range addends(x) {
			out = append(out, e.parts(a, l, row, left)...)
		}
		return out
	case *ast.Ident:
		value := e.lists[x.Name]
		switch {
		case value != nil && !e.changed[x.Name]:
			return e.parts(value, l, row, left)
		case value != nil, e.locals[x.Name], e.isHeld(x.Name), e.loops[x.Name] != nil, len(x.Name) < 2:
			return []string{source.Unknown}
		}
		if text, ok := e.constant(x.Name); ok {
			return []string{source.Text + text}
		}
		if e.vars[x.Name] == nil && e.consts[x.Name] == nil {
			return []string{x.Name}
		}
	case *ast.BasicLit:
		if text, ok := e.text(x); ok && !strings.Contains(text, "+") {
			return []string{source.Text + text}
		}
	}
	return []string{source.Unknown}
}

// fewestNames is the minimum number of variables in a table that accompanies a read of the whole environment.
const fewestNames = 3

// tabled records tables named after variables, for reads of the whole environment and for loops in other files.
func (e *environment) tabled() {
	for name, value := range e.vars {
		if lit := literalOf(value); lit != nil && name != "_" {
			e.listed(lit, source.Listed+name, 1)
		}
	}
	e.loops, e.lists, e.held = nil, nil, nil
	ast.Inspect(e.r.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if _, ok := n.Type.(*ast.MapType); ok {
				e.listed(n, source.Whole, fewestNames)
			}
		case *ast.CallExpr:
			for _, a := range n.Args {
				if call, ok := a.(*ast.CallExpr); ok && dotted(call.Fun) == "os.Environ" && !copies.Get()[dotted(n.Fun)] {
					e.note(source.Fact{Kind: source.Reads, ID: source.Whole}, n)
				}
			}
		}
		return true
	})
}

// copies are functions that take the environment for another program.
var copies = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"append": true, "slices.Concat": true, "slices.Clone": true, "slices.DeleteFunc": true, "len": true}
}}

// listed records the variables in the keys of a table, or in its elements if it has no keys; other tables are ignored.
func (e *environment) listed(lit *ast.CompositeLit, of string, fewest int) {
	if len(lit.Elts) < fewest || len(lit.Elts) > mostTableRows {
		return
	}
	var found []source.Fact
	for _, row := range e.table(lit) {
		x := row.key
		if x == nil {
			x = row.whole
		}
		text, ok := e.text(x)
		if !ok || !isVariable(text) {
			return
		}
		f := source.Fact{Kind: source.Env, Name: text, Of: of}
		f.Default, f.Help = e.cells(&row)
		f.Line = e.r.line(x.Pos())
		found = append(found, f)
	}
	if slices.ContainsFunc(found, func(f source.Fact) bool { return strings.Contains(f.Name, "_") }) {
		e.facts = append(e.facts, found...)
	}
}

var cellNames = lazy.Value[[2][]string]{Make: func() [2][]string {
	return [2][]string{{"default", "defaultvalue", "def", "fallback", "rawvalue"}, {"help", "usage", "description", "desc"}}
}}

func (e *environment) cells(row *tableRow) (value, help string) {
	if row.fields == nil {
		return "", ""
	}
	var out [2]string
	for i, names := range cellNames.Get() {
		for _, f := range row.fields.Fields.List {
			for _, n := range f.Names {
				if cell := e.tables.cell(row, n.Name); cell != nil && slices.Contains(names, strings.ToLower(n.Name)) {
					out[i] = e.defaultOf(cell)
				}
			}
		}
	}
	return out[0], firstSentence(out[1])
}
