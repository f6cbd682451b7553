package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// A table of flags is a list of structs, or a map of them, over which a loop goes that defines a flag for each.
const (
	// mostTableRows is how many rows a table may have: each is looked at for each call in the loop.
	mostTableRows = 256
	// mostTableSteps is how often the rows of a file's tables are looked at, for a flag or for a condition.
	mostTableSteps = 1 << 15
	// mostTableFlags is how many flags the tables of a file may define together.
	mostTableFlags = 1 << 10
	// longestCell is how many bytes a cell of a table may have, or the type of its rows: each step may read it.
	longestCell = 1 << 10
)

// tables are those that a file has, as far as they were asked for.
type tables struct {
	steps, flags int // that are left
	places       map[*ast.StructType]map[string]place
	cells        map[*ast.CompositeLit]map[string]ast.Expr // by the names of the fields, where a literal has them
}

// place is where a field stands in a struct, and what it holds where a literal leaves it out.
type place struct {
	at   int
	zero ast.Expr
}

// tableRow is an element of a table.
type tableRow struct {
	key    ast.Expr // of a map
	whole  ast.Expr // the element, as the table has it
	value  ast.Expr // the element, also where the table has a variable
	fields *ast.StructType
}

// table are the rows of what a loop goes over; none where that is no table of the file.
func (c *commander) table(e ast.Expr) []tableRow {
	if name, ok := e.(*ast.Ident); ok {
		value, local := c.lists[name.Name]
		if _, hidden := c.held[name.Name]; !local && !hidden {
			value = c.vars[name.Name]
		}
		e = value
	}
	lit := literalOf(e)
	if lit == nil || len(lit.Elts) > mostTableRows {
		return nil
	}
	var of ast.Expr
	switch typ := lit.Type.(type) {
	case *ast.ArrayType:
		of = typ.Elt
	case *ast.MapType:
		of = typ.Value
	default:
		return nil
	}
	rows := make([]tableRow, 0, len(lit.Elts))
	for _, x := range lit.Elts {
		var row tableRow
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			row.key, x = kv.Key, kv.Value
		}
		c.fill(&row, x, of)
		rows = append(rows, row)
	}
	return rows
}

// fill notes what an element of a table is, which may be a variable of the file, and may leave its type to the table.
func (c *commander) fill(row *tableRow, e, of ast.Expr) {
	row.whole, row.value = e, e
	if name, ok := e.(*ast.Ident); ok && c.vars[name.Name] != nil {
		row.value = c.vars[name.Name]
	}
	if lit := literalOf(row.value); lit != nil {
		if lit.Type != nil {
			of = lit.Type
		}
		row.fields = c.structOf(of)
	}
}

// typ is the type that the element says it has: "*option[bool]".
func (row *tableRow) typ() string {
	lit := literalOf(row.value)
	if lit == nil || lit.Type == nil || lit.Type.End()-lit.Type.Pos() > longestCell {
		return ""
	}
	if lit == row.value {
		return types.ExprString(lit.Type)
	}
	return "*" + types.ExprString(lit.Type)
}

// structOf is the struct that a type of the file is, whatever the arguments of the type are.
func (c *commander) structOf(e ast.Expr) *ast.StructType {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if s, ok := e.(*ast.StructType); ok {
		return s
	}
	if pkg, name := splitType(e); pkg == nil && name != nil {
		return c.types[name.Name]
	}
	return nil
}

// zeros are what fields hold that a literal leaves out, where that may decide about a flag.
var zeros = lazy.Value[map[string]ast.Expr]{Make: func() map[string]ast.Expr {
	return map[string]ast.Expr{
		"string": &ast.BasicLit{Kind: token.STRING, Value: `""`}, "bool": ast.NewIdent("false"),
	}
}}

// placesOf are the fields of a struct by their names.
func (t *tables) placesOf(s *ast.StructType) map[string]place {
	places, known := t.places[s]
	if known {
		return places
	}
	places = map[string]place{}
	at := 0
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			places[n.Name] = place{at, zeros.Get()[lastName(f.Type)]}
			at++
		}
		if len(f.Names) == 0 {
			at++ // what is embedded has no name of its own, and a value all the same
		}
	}
	t.places[s] = places
	return places
}

// cell is what a field of a row holds; nil where that is not known.
func (t *tables) cell(row *tableRow, field string) ast.Expr {
	if row.fields == nil {
		return nil
	}
	lit := literalOf(row.value)
	of, known := t.placesOf(row.fields)[field]
	if !known {
		return nil
	}
	e := of.zero
	if named := t.named(lit); named[field] != nil {
		e = named[field]
	} else if len(named) == 0 && of.at < len(lit.Elts) {
		e = lit.Elts[of.at]
	}
	if e == nil || e.End()-e.Pos() > longestCell {
		return nil
	}
	return e
}

// named are the fields that a literal names.
func (t *tables) named(lit *ast.CompositeLit) map[string]ast.Expr {
	cells, known := t.cells[lit]
	if known {
		return cells
	}
	cells = map[string]ast.Expr{}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				cells[key.Name] = kv.Value
			}
		}
	}
	t.cells[lit] = cells
	return cells
}
