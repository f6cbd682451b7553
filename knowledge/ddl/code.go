package ddl

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// Mentions reports whether a source may hold SQL about tables; contains reports whether the source has a text.
func Mentions(contains func(text string) bool) bool {
	return (contains("TABLE") || contains("table ")) && slices.ContainsFunc([]string{
		"CREATE TABLE", "create table", "ALTER TABLE", "alter table", "DROP TABLE", "drop table", "UNLOGGED TABLE",
	}, contains)
}

// TakesBack reports whether a function has the name of a down migration, whose DROP statements do not count.
func TakesBack(function string) bool {
	function = strings.ToLower(function)
	return strings.HasPrefix(function, "down") || strings.HasSuffix(function, "down") || strings.HasPrefix(function, "rollback")
}

// Computed replaces a computed part of a string.
const Computed = " % "

// The values of table facts that are about SQL, not a model.
const (
	inSQL    = "SQL"
	changing = "change" // for tables of other files
	unread   = "unread"
)

// Facts returns the tables that the strings of a file create, its changes of other tables, and the number of unread
// statements.
func (s *Schema) Facts() []source.Fact {
	var out []source.Fact
	for _, t := range s.Tables() {
		out = append(out, t.Fact(inSQL))
	}
	for file := range s.Changes {
		out = append(out, source.Fact{Kind: source.Data, Name: changing, Usage: changing, Doc: strings.Join(s.Changes[file], ";\n"), Line: 1})
	}
	for file := range s.Unread {
		out = append(out, source.Fact{Kind: source.Data, Name: unread, Usage: unread, Default: strconv.Itoa(s.Unread[file]), Line: 1})
	}
	return out
}

// Fact returns the table, or the model of a kind, as a reader's fact.
func (t *Table) Fact(kind string) source.Fact {
	lines := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		c.Type, c.Default, c.About = shorten(c.Type), shorten(c.Default), shorten(c.About)
		line, err := json.Marshal(c)
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(line))
	}
	return source.Fact{Kind: source.Data, Name: t.Name, Also: t.Stored, Value: kind, Help: t.About, Doc: strings.Join(lines, "\n"), Line: t.Line}
}

// Within returns the column of an embedded struct in a field, whose type may have a type argument and whose columns a prefix.
func (c Column) Within(field, typ, prefix string) Column {
	if _, argument, ok := strings.Cut(strings.TrimSuffix(typ, "]"), "["); ok && len(c.Type) == 1 {
		c.Type = argument
	}
	if prefix == "" {
		return c
	}
	if c.Stored == "" {
		c.Stored = source.Separated(c.Name, '_')
	}
	c.Name, c.Stored = field+"."+c.Name, prefix+c.Stored
	return c
}

// Quote quotes a name with its schema.
func Quote(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		parts[i] = quoteName(p)
	}
	return strings.Join(parts, ".")
}

// SQL writes the column as in CREATE TABLE.
func (c Column) SQL() string {
	out := quoteName(c.Name) + " " + c.Type
	for _, part := range []struct {
		is   bool
		text string
	}{
		{c.NotNull, " NOT NULL"}, {c.Key, " PRIMARY KEY"}, {c.Unique, " UNIQUE"}, {c.Default != "", " DEFAULT " + c.Default}, {c.Refers != "", " REFERENCES " + Quote(c.Refers)},
	} {
		if part.is {
			out += part.text
		}
	}
	return out
}

// longest bounds the bytes of a type, a default or a comment.
const longest = 160

func shorten(s string) string {
	if s = strings.Join(strings.Fields(s), " "); len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// Describe adds the first sentences of the documentation to the models among facts.
func Describe(facts []source.Fact, symbols []source.Symbol) {
	var docs map[string]string
	for i := range facts {
		f := &facts[i]
		if f.Kind != source.Data || f.ID == "" || f.Help != "" {
			continue
		}
		if docs == nil {
			docs = map[string]string{}
			for _, s := range slices.Backward(symbols) {
				docs[s.Name] = s.Doc
			}
		}
		if doc := docs[f.ID]; doc != "" {
			doc, _, _ = strings.Cut("\n"+doc, "\n@") // tags
			if f.Help = markdown.FirstSentence(strings.TrimSpace(doc)); strings.Contains(f.Help, "{@") {
				f.Help = ""
			}
		}
	}
}

// Fact is a decoded fact about tables.
type Fact struct {
	Table
	Model   string // kind of the model, empty for an SQL table
	Changes string // SQL that changes tables of other files
	Unread  int
}

// FromFact decodes the fields of a fact that Fact or Facts returned.
func FromFact(name, also, value, fallback, usage, help, doc string) Fact {
	switch usage {
	case changing:
		return Fact{Changes: doc}
	case unread:
		n, _ := strconv.Atoi(fallback)
		return Fact{Unread: n}
	}
	f := Fact{Table: Table{Name: name, Stored: also, About: help}}
	if value != inSQL {
		f.Model = value
	}
	for line := range strings.SplitSeq(doc, "\n") {
		var c Column
		if json.Unmarshal([]byte(line), &c) == nil { // other lines were not columns when they were written
			f.Columns = append(f.Columns, c)
		}
	}
	return f
}

// CompareFiles orders migrations by name, with numbers by value: "V2__b.sql" comes before "V10__a.sql".
func CompareFiles(a, b string) int {
	x, y := parts.FindAllString(a, -1), parts.FindAllString(b, -1)
	return cmp.Or(slices.CompareFunc(x, y, func(p, q string) int {
		m, n := strings.TrimLeft(p, "0"), strings.TrimLeft(q, "0")
		if isDigits(p) && isDigits(q) {
			return cmp.Or(len(m)-len(n), strings.Compare(m, n))
		}
		return strings.Compare(p, q)
	}), strings.Compare(a, b))
}

var parts = lazyregexp.New(`\d+|\D+`)

func isDigits(s string) bool { return s[0] >= '0' && s[0] <= '9' }
