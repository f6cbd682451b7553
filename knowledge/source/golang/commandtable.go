package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// A table of flags is a list or map of structs with a loop that defines a flag for each.
const (
	// mostTableRows bounds the rows of a table: every call in the loop evaluates each of them.
	mostTableRows = 256
	// mostTableSteps bounds the evaluations of rows per file.
	mostTableSteps = 1 << 15
	// mostTableFlags bounds the flags that the tables of a file define.
	mostTableFlags = 1 << 10
	// longestCell bounds the bytes of a cell or row type, because each step may read it.
	longestCell = 1 << 10
)

type tables struct {
	steps, flags int // remaining
	places       map[*ast.StructType]map[string]place
	cells        map[*ast.CompositeLit]map[string]ast.Expr // by field name, if a literal has them
}

// place is a field's position in a struct and its zero value.
type place struct {
	at   int
	zero ast.Expr
}

type tableRow struct {
	key    ast.Expr
	whole  ast.Expr // the element as written in the table
	value  ast.Expr // the element, with variables resolved
	fields *ast.StructType
}

// table returns the rows of a loop's table, or nil.
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

// fill sets the value of a row: the element may be a variable of the file, and may omit its type.
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

// structOf returns the struct of a type declared in the file, regardless of type arguments.
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

// zeros are the zero values of omitted fields that may decide about a flag.
var zeros = lazy.Value[map[string]ast.Expr]{Make: func() map[string]ast.Expr {
	return map[string]ast.Expr{
		"string": &ast.BasicLit{Kind: token.STRING, Value: `""`}, "bool": ast.NewIdent("false"),
	}
}}

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
			at++ // an embedded field has no name but takes a position
		}
	}
	t.places[s] = places
	return places
}

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
