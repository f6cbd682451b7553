// Package ddl reads the tables that a project declares: SQL statements, Prisma schemas, and the facts of language
// readers about SQL and models. It reads a subset in linear time and counts unread statements.
package ddl

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Column is a column of a table or a field of a model.
type Column struct {
	Name    string `json:"name"`
	Type    string `json:"type,omitempty"`
	Default string `json:"default,omitempty"`
	Stored  string `json:"stored,omitempty"` // name in the database, if different
	Refers  string `json:"refers,omitempty"` // the table or model that it refers to
	About   string `json:"about,omitempty"`
	Embeds  string `json:"embeds,omitempty"` // the struct with the columns that this one stands for; Stored is their prefix
	Key     bool   `json:"key,omitempty"`
	Unique  bool   `json:"unique,omitempty"`
	NotNull bool   `json:"required,omitempty"`
}

// Table is a table or a model.
type Table struct {
	Name, About string
	Stored      string // name of its table, if different
	File        string
	Line        int
	Columns     []Column

	dropped bool
	refers  map[string]string // models of fields
}

// IsModel reports whether a table that other models embed is also a model: it has a primary key, and columns other than keys
// and times.
func (t Table) IsModel() bool {
	key, own := false, false
	for _, c := range t.Columns {
		key = key || c.Key
		own = own || !c.Key && c.Embeds == "" && !strings.Contains(c.Type, "Time") && !strings.Contains(c.Type, "DeletedAt")
	}
	return key && own
}

// Limits. Statements beyond them count as unread.
const (
	mostTables  = 4096
	mostColumns = 2048
	mostTokens  = 1 << 16 // of a statement
	mostRenamed = 256     // renamed tables whose references are updated
)

// Schema is the result of the statements that were applied. The zero value is empty.
type Schema struct {
	// Unread counts the unreadable statements about tables, by file.
	Unread map[string]int
	// Changes lists statements that change unknown tables, by file.
	Changes map[string][]string

	byName  map[string]*Table
	all     []*Table
	file    string
	renamed int
	related bool // by fields of models, not only by columns
}

// File applies a file of statements or models by its extension.
func (s *Schema) File(file string, content []byte) {
	switch path.Ext(file) {
	case ".prisma":
		s.Prisma(file, string(content))
	case ".xml":
		s.Liquibase(file, content)
	default:
		s.SQL(file, 1, string(content))
	}
}

// Retry ends a schema: statements that came before the table that they change apply now, except a DROP.
func (s *Schema) Retry() {
	early := s.Changes
	s.Changes = nil
	for _, file := range slices.SortedFunc(maps.Keys(early), CompareFiles) {
		for _, statement := range early[file] {
			if !strings.HasPrefix(strings.ToUpper(statement), "DROP") {
				s.SQL(file, 1, statement)
			}
		}
	}
	if s.related {
		s.withoutRelations()
	}
}

// Tables lists the tables in the order of their creation.
func (s *Schema) Tables() []Table {
	var out []Table
	for _, t := range s.all {
		if !t.dropped {
			out = append(out, *t)
		}
	}
	return out
}

// Put adds or replaces a table.
func (s *Schema) Put(t Table) {
	key := keyOf(t.Name)
	was := s.byName[key]
	switch {
	case was != nil:
		*was = t
		return
	case len(s.all) >= mostTables:
		s.unread()
		return
	case s.byName == nil:
		s.byName = map[string]*Table{}
	}
	s.byName[key] = &t
	s.all = append(s.all, &t)
}

func (s *Schema) drop(name string) {
	if t := s.byName[keyOf(name)]; t != nil {
		t.dropped = true
		delete(s.byName, keyOf(name))
	}
}

func (s *Schema) rename(from, to string) {
	t := s.byName[keyOf(from)]
	if t == nil || to == "" {
		return
	}
	s.drop(to)
	delete(s.byName, keyOf(from))
	t.Name, s.byName[keyOf(to)] = to, t
	if s.renamed++; s.renamed > mostRenamed {
		return
	}
	for _, other := range s.all {
		for i := range other.Columns {
			if c := &other.Columns[i]; strings.EqualFold(c.Refers, from) {
				c.Refers = to
			}
		}
	}
}

func (s *Schema) unread() {
	if s.Unread == nil {
		s.Unread = map[string]int{}
	}
	s.Unread[s.file]++
}

func (s *Schema) later(statement string) {
	if s.Changes == nil {
		s.Changes = map[string][]string{}
	}
	s.Changes[s.file] = append(s.Changes[s.file], statement)
}

// keyOf returns the lookup key of a table: lower case, without the default schema.
func keyOf(name string) string {
	name = strings.ToLower(name)
	for _, usual := range []string{"public.", "dbo.", "main."} {
		name = strings.TrimPrefix(name, usual)
	}
	return name
}

func (t *Table) column(name string) *Column {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return &t.Columns[i]
		}
	}
	return nil
}

func (t *Table) add(c Column) bool {
	if was := t.column(c.Name); was != nil {
		*was = c
		return true
	}
	if len(t.Columns) >= mostColumns {
		return false
	}
	t.Columns = append(t.Columns, c)
	return true
}

func (t *Table) remove(name string) {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			t.Columns = append(t.Columns[:i], t.Columns[i+1:]...)
			return
		}
	}
}
