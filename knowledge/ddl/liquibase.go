package ddl

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// changed is a change of a Liquibase changelog: an element with its attributes, and the columns inside.
type changed struct {
	kind    string
	with    map[string]string
	columns []Column
	line    int
}

// Liquibase applies the changes of an XML changelog, without preconditions and rollbacks.
func (s *Schema) Liquibase(file string, src []byte) {
	s.file = file
	src = bytes.ToValidUTF8(src, []byte("?"))
	if head, _, ok := bytes.Cut(src, []byte("?>")); ok && bytes.HasPrefix(head, []byte("<?xml")) {
		copy(src, bytes.Repeat([]byte{' '}, len(head)+2)) // encoding/xml refuses version 1.1
	}
	d := xml.NewDecoder(bytes.NewReader(src))
	d.Strict = false
	var c *changed
	line, counted := 1, int64(0)
	for {
		t, err := d.RawToken()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.unread()
			}
			return
		}
		line += bytes.Count(src[counted:d.InputOffset()], []byte{'\n'})
		counted = d.InputOffset()
		switch t := t.(type) {
		case xml.StartElement:
			c = c.open(t, line)
		case xml.CharData:
			if c != nil && c.kind == "sql" {
				s.SQL(file, c.line, string(t))
			}
		case xml.EndElement:
			if c != nil && c.kind == t.Name.Local {
				s.change(c)
				c = nil
			}
		}
	}
}

// open begins a change, or adds an element to the open one.
func (c *changed) open(t xml.StartElement, line int) *changed {
	with := map[string]string{}
	for _, a := range t.Attr {
		with[a.Name.Local] = a.Value
	}
	kind := t.Name.Local
	_, known := changes[kind]
	switch {
	case c == nil && known:
		return &changed{kind: kind, with: with, line: line}
	case c != nil && kind == "column" && len(c.columns) < mostColumns:
		c.columns = append(c.columns, columnWith(with))
	case c != nil && kind == "constraints" && len(c.columns) > 0:
		c.columns[len(c.columns)-1].constrain(with)
	}
	return c
}

func columnWith(with map[string]string) Column {
	c := Column{Name: with["name"], Type: with["type"], About: shorten(with["remarks"])}
	c.Default = shorten(cmp.Or(with["defaultValue"], with["defaultValueNumeric"], with["defaultValueBoolean"], with["defaultValueComputed"], with["defaultValueDate"]))
	return c
}

func (c *Column) constrain(with map[string]string) {
	c.Key = with["primaryKey"] == "true"
	c.Unique = with["unique"] == "true"
	c.NotNull = with["nullable"] == "false" || c.Key
	to, _, _ := strings.Cut(with["references"], "(")
	c.Refers = cmp.Or(with["referencedTableName"], strings.TrimSpace(to))
}

// change applies a change to its table.
func (s *Schema) change(c *changed) {
	apply := changes[c.kind]
	name := cmp.Or(c.with["tableName"], c.with["baseTableName"], c.with["oldTableName"])
	switch {
	case strings.Contains(" sql rollback preConditions ", " "+c.kind+" "):
	case name == "":
		s.unread()
	case c.kind == "createTable":
		t := Table{Name: name, About: shorten(c.with["remarks"]), File: s.file, Line: c.line}
		apply(&t, c)
		s.Put(t)
	case s.byName[keyOf(name)] == nil:
		s.later(c.kind + " " + name)
	case c.kind == "dropTable":
		s.drop(name)
	case c.kind == "renameTable":
		s.rename(name, c.with["newTableName"])
	default:
		apply(s.byName[keyOf(name)], c)
	}
}

func addColumns(t *Table, c *changed) {
	for _, column := range c.columns {
		t.add(column)
	}
}

// changes maps the elements of a changelog to their effect on a table.
var changes = map[string]func(t *Table, c *changed){
	"sql": nil, "rollback": nil, "preConditions": nil, "dropTable": nil, "renameTable": nil,
	"createTable": addColumns,
	"addColumn":   addColumns,
	"dropColumn": func(t *Table, c *changed) {
		t.remove(c.with["columnName"])
		for _, column := range c.columns {
			t.remove(column.Name)
		}
	},
	"renameColumn":            each("oldColumnName", func(c *Column, with map[string]string) { c.Name = with["newColumnName"] }),
	"modifyDataType":          each("columnName", func(c *Column, with map[string]string) { c.Type = with["newDataType"] }),
	"addPrimaryKey":           each("columnNames", func(c *Column, _ map[string]string) { c.Key, c.NotNull = true, true }),
	"addNotNullConstraint":    each("columnName", func(c *Column, _ map[string]string) { c.NotNull = true }),
	"dropNotNullConstraint":   each("columnName", func(c *Column, _ map[string]string) { c.NotNull = false }),
	"addUniqueConstraint":     each("columnNames", func(c *Column, with map[string]string) { c.Unique = !strings.Contains(with["columnNames"], ",") }),
	"addForeignKeyConstraint": each("baseColumnNames", func(c *Column, with map[string]string) { c.Refers = with["referencedTableName"] }),
}

// each changes the columns that an attribute names.
func each(attribute string, change func(c *Column, with map[string]string)) func(t *Table, c *changed) {
	return func(t *Table, c *changed) {
		for _, name := range words(c.with[attribute]) {
			if column := t.column(name); column != nil {
				change(column, c.with)
			}
		}
	}
}
