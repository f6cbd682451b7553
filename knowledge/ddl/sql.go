package ddl

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// SQL applies the statements of a text that starts at a line of a file.
func (s *Schema) SQL(file string, line int, src string) {
	if s.file = file; !aboutTables.MatchString(src) {
		return
	}
	var statement []token
	scan(src, line, func(t token) {
		switch {
		case t.kind != ';':
			if len(statement) <= mostTokens && (len(statement) == 0 || begins(statement[0])) {
				statement = append(statement, t)
			}
			return
		case len(statement) > mostTokens:
			s.unread()
		case len(statement) > 0:
			s.statement(&parser{t: statement})
		}
		statement = statement[:0]
	})
}

// aboutTables matches SQL with a statement about a table. Most other SQL only inserts rows.
var aboutTables = lazyregexp.New(`(?i)(create|alter|drop|rename)\s[\w\s]*table`)

// begins reports whether a statement with this first token may be about a table.
func begins(t token) bool {
	return t.kind == word && slices.ContainsFunc([]string{"create", "alter", "drop", "rename"}, func(w string) bool { return strings.EqualFold(w, t.text) })
}

func (s *Schema) statement(p *parser) {
	line := p.t[0].line
	switch {
	case p.take("create"):
		s.create(p, line)
	case p.take("alter", "table"):
		p.take("if", "exists")
		p.take("only")
		s.alter(p)
	case p.take("drop", "table"):
		p.take("if", "exists")
		for more := true; more; more = p.punct(',') {
			at := p.i
			name := p.name()
			if s.byName[keyOf(name)] == nil && name != "" {
				s.later(write(p.t[:2]) + " " + write(p.t[at:p.i]))
			}
			s.drop(name)
		}
	case p.take("rename", "table"):
		for more := true; more; more = p.punct(',') {
			from := p.name()
			if p.take("to") {
				s.rename(from, p.name())
			}
		}
	}
}

// create reads the rest of a CREATE statement. Temporary tables and other objects are ignored.
func (s *Schema) create(p *parser, line int) {
	virtual := false
	for !p.take("table") {
		switch {
		case p.take("or"), p.take("replace"), p.take("unlogged"), p.take("foreign"), p.take("external"), p.take("column"), p.take("memory"), p.take("cached"):
		case p.take("virtual"):
			virtual = true
		default:
			return
		}
	}
	maybe := p.take("if", "not", "exists")
	name := p.name()
	if name == "" || virtual {
		if len(p.t) > 2 || virtual {
			s.unread()
		}
		return
	}
	if p.take("partition", "of") || maybe && s.byName[keyOf(name)] != nil {
		return
	}
	if p.take("on", "cluster") {
		p.name()
	}
	t := Table{Name: name, File: s.file, Line: line}
	read := false
	switch {
	case p.peek().kind == '(':
		items, closed := p.items()
		read = !(len(items) > 0 && items[0].is("select")) && t.declare(items) && closed
	case !p.is("as") && !p.is("like") && !p.is("of"): // these take their columns from another object
		return // prose that starts with the same words
	}
	if !read || len(t.Columns) == 0 {
		s.unread()
	}
	for ; p.i < len(p.t); p.i++ { // ENGINE=InnoDB COMMENT='…'
		if p.take("comment") {
			p.punct('=')
			if p.peek().kind == text {
				t.About = unquoted(p.peek().text)
			}
		}
	}
	s.Put(t)
}

// declare adds the columns and constraints of a table. It reports whether it could read all of them.
func (t *Table) declare(items []*parser) bool {
	ok := true
	var rest []*parser
	for _, p := range items {
		if p.constraint() {
			rest = append(rest, p)
			continue
		}
		c, read := p.column()
		ok = read && t.add(c) && ok
	}
	for _, p := range rest {
		t.constrain(p)
	}
	return ok
}

func (t *Table) constrain(p *parser) {
	if p.take("constraint") && p.peek().kind != '(' && !p.is("primary", "key") && !p.is("unique") && !p.is("foreign", "key") && !p.is("check") {
		p.name()
	}
	primary, unique := p.take("primary", "key"), p.take("unique")
	if !primary && !unique && !p.take("foreign", "key") {
		return
	}
	for p.i < len(p.t) && p.peek().kind != '(' {
		p.i++
	}
	items, _ := p.items()
	refers := ""
	if p.take("references") {
		refers = p.name()
	}
	for _, item := range items {
		c := t.column(item.name())
		if c == nil {
			continue
		}
		switch {
		case primary:
			c.Key, c.NotNull = true, true
		case unique && len(items) == 1:
			c.Unique = true
		case refers != "":
			c.Refers = refers
		}
	}
}

func (s *Schema) alter(p *parser) {
	name := p.name()
	t := s.byName[keyOf(name)]
	if t == nil {
		switch {
		case name == "" && len(p.t) > 2:
			s.unread()
		case slices.ContainsFunc([]string{"add", "alter", "change", "drop", "modify", "rename"}, func(w string) bool { return p.is(w) }):
			s.later(write(p.t))
		}
		return
	}
	if p.take("rename", "to") || p.take("rename", "as") {
		s.rename(name, p.name())
		return
	}
	for {
		if !t.change(p) {
			s.unread()
		}
		for depth := 0; p.i < len(p.t) && (depth > 0 || p.peek().kind != ','); p.i++ {
			depth += depthOf(p.peek())
		}
		if !p.punct(',') {
			return
		}
	}
}

// change applies one action of ALTER TABLE. It returns false for an unreadable one that may concern columns.
func (t *Table) change(p *parser) bool {
	switch {
	case p.take("add"):
		column := p.take("column")
		p.take("if", "not", "exists")
		if p.peek().kind == '(' {
			items, closed := p.items()
			return t.declare(items) && closed
		}
		item := p.action()
		if !column && item.constraint() {
			t.constrain(item)
			return true
		}
		c, ok := item.column()
		return ok && t.add(c)
	case p.take("drop"):
		if !p.take("column") && (p.is("constraint") || p.is("primary") || p.is("foreign") || p.is("index") || p.is("key") || p.is("check") || p.is("partition")) {
			return true
		}
		p.take("if", "exists")
		t.remove(p.name())
	case p.take("rename"):
		p.take("column")
		if c := t.column(p.name()); p.take("to") && c != nil {
			c.Name = p.name()
		}
	case p.take("alter"):
		p.take("column")
		return t.alterColumn(p)
	case p.take("modify"):
		p.take("column")
		c, ok := p.action().column()
		return ok && t.add(c)
	case p.take("change"):
		p.take("column")
		old := t.column(p.name())
		c, ok := p.action().column()
		if ok && old != nil {
			*old = c
		}
		return ok
	}
	return true // owners, triggers, storage
}

func (t *Table) alterColumn(p *parser) bool {
	c := t.column(p.name())
	if c == nil {
		return true
	}
	switch {
	case p.take("set", "not", "null"):
		c.NotNull = true
	case p.take("drop", "not", "null"):
		c.NotNull = false
	case p.take("drop", "default"):
		c.Default = ""
	case p.take("set", "default"):
		c.Default = join(p.until(stops, 1))
	case p.take("set", "data", "type"), p.take("type"):
		c.Type = join(p.until(stops, 1))
	case p.peek().kind == word && !p.is("set") && !p.is("drop") && !p.is("add"), p.peek().kind == quoted:
		c.Type = join(p.until(stops, 1))
	}
	return true
}
