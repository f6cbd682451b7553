package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// data finds the tables that SQL in the strings of the file creates, and its models.
func (x *reader) data() {
	contains := func(text string) bool { return strings.Contains(x.src, text) }
	if ddl.Mentions(contains) {
		x.statements()
	}
	for _, k := range modelKinds {
		if contains(k.library) || contains(k.base) {
			m := &modeller{reader: x, kind: k}
			m.read()
		}
	}
}

// statements reads the strings of the file, but for documentation and functions that take a migration back.
func (x *reader) statements() {
	var s ddl.Schema
	skip := int32(-1) // the level of a function that is left out
	for _, l := range x.lines {
		first, end := int(l.first), int(l.end)
		if skip >= 0 && l.level > skip {
			continue
		}
		skip = -1
		if x.is(first, end, "def") && x.isName(first+1, end) && (ddl.TakesBack(x.text(first+1)) || x.text(first+1) == "downgrade") {
			skip = l.level
			continue
		}
		for i := first; i < end; i++ {
			if x.toks[i].kind != str || i == first {
				continue
			}
			from, all := i, ""
			for ; i < end && (x.toks[i].kind == str || x.is(i, end, "+")); i++ {
				all += x.literalAt(i)
			}
			s.SQL("", int(x.toks[from].line), valid(all))
		}
	}
	x.facts = append(x.facts, s.Facts()...)
}

// modelKind is how a library declares models.
type modelKind struct {
	library, name string
	base          string // the class that models extend
	table         string // the attribute with the name of the table
	// fields are what makes a field when called.
	fields map[string]bool
	// keyword says that a class is a table only with table=True, and that a field needs a type alone.
	keyword bool
	// django says that what makes a field is called after its type, and that a field is required unless it says otherwise.
	django bool
}

var modelKinds = []modelKind{
	{library: "django", name: "Django", base: "models.Model", table: "db_table", django: true, fields: map[string]bool{"ForeignKey": true}},
	{library: "sqlmodel", name: "SQLModel", base: "SQLModel", table: "__tablename__", keyword: true, fields: map[string]bool{"Field": true}},
	{library: "sqlalchemy", name: "SQLAlchemy", base: "db.Model", table: "__tablename__", fields: map[string]bool{"Column": true, "mapped_column": true}},
}

// modeller finds the models of one kind in a file.
type modeller struct {
	*reader
	kind modelKind
	all  []*model
}

// model is a class that may be a model.
type model struct {
	ddl.Table
	level  int32
	meta   bool // the lines below are of its Meta
	base   string
	is     bool // it has a table
	hidden bool // others extend it, and it has no table of its own
}

func (m *modeller) read() {
	var open *model
	for _, l := range m.lines {
		first, end := int(l.first), int(l.end)
		if first >= end {
			continue
		}
		if open != nil && l.level <= open.level {
			open = nil
		}
		switch {
		case m.is(first, end, "class") && m.isName(first+1, end) && open == nil:
			open = m.class(l)
		case open == nil:
		case m.is(first, end, "class"):
			open.meta = m.isName(first+1, end) && m.text(first+1) == "Meta"
		case open.meta && l.level == open.level+2 || l.level == open.level+1 && m.isName(first, end) && m.text(first) == m.kind.table:
			m.about(open, first, end)
		case l.level == open.level+1:
			if open.meta = false; m.isName(first, end) {
				m.field(open, first, end)
			}
		}
	}
	m.tell()
}

// class takes up a class of the file.
func (m *modeller) class(l line) *model {
	first, end := int(l.first), int(l.end)
	c := &model{Table: ddl.Table{Name: m.text(first + 1), Line: int(m.toks[first].line)}, level: l.level}
	m.all = append(m.all, c)
	if !m.is(first+2, end, "(") {
		return c
	}
	for _, a := range m.arguments(first + 2) {
		name, _ := m.dottedName(a.from, a.to)
		switch {
		case a.key == "table":
			c.is = m.is(a.from, a.to, "True")
		case a.key == "" && name == m.kind.base:
			c.is, c.hidden = !m.kind.keyword, m.kind.keyword
		case a.key == "" && c.base == "":
			c.base = name
		}
	}
	return c
}

// about reads what a class says of its table.
func (m *modeller) about(c *model, first, end int) {
	if !m.isName(first, end) || !m.is(first+1, end, "=") {
		return
	}
	switch m.text(first) {
	case m.kind.table:
		c.Stored, c.is = valid(m.literalAt(first+2)), true
	case "abstract":
		c.hidden = m.is(first+2, end, "True")
	}
}

// field reads `name = Call(…)`, `name: type = Call(…)` and `name: type`.
func (m *modeller) field(c *model, first, end int) {
	at, typ := first+1, ""
	if m.is(at, end, ":") {
		if at = m.topLevel(first+2, end, "="); at > first+2 {
			typ = valid(m.src[m.toks[first+2].start:m.toks[at-1].end])
		}
	}
	column := ddl.Column{Name: m.text(first), Type: typ, NotNull: typ != "" && !strings.Contains(typ, "None") && !strings.HasPrefix(typ, "Optional")}
	mapped, isMapped := strings.CutPrefix(typ, "Mapped[")
	if isMapped {
		column.Type = strings.TrimSuffix(mapped, "]")
		column.NotNull = !strings.Contains(typ, "None") && !strings.HasPrefix(mapped, "Optional")
	}
	callee, open := "", end
	if at < end {
		callee, open = m.dottedName(at+1, end)
	}
	dot := strings.LastIndexByte(callee, '.')
	owner, callee := callee[:max(dot, 0)], callee[dot+1:]
	called := m.is(open, end, "(") && (m.kind.fields[callee] || m.kind.django && strings.HasSuffix(callee, "Field"))
	if m.kind.django && owner != "models" && !c.is { // forms have such fields too
		return
	}
	switch {
	case called:
		m.options(&column, callee, open)
	case strings.HasSuffix(strings.ToLower(callee), "relationship"), typ == "" || !m.kind.keyword && !isMapped, strings.HasPrefix(typ, "ClassVar"):
		return
	case m.kind.keyword && at < end:
		column.Default = valid(m.src[m.toks[at+1].start:m.toks[end-1].end])
	}
	c.Columns = append(c.Columns, column)
}

// options reads the arguments of the call that makes a field.
func (m *modeller) options(c *ddl.Column, callee string, open int) {
	django := m.kind.django
	if django {
		c.Type, c.NotNull = callee, true
	}
	for n, a := range m.arguments(open) {
		text, literal := m.literal(a)
		value := valid(m.src[m.toks[a.from].start:m.toks[a.to-1].end])
		yes := value == "True"
		switch a.key {
		case "":
			name, next := m.dottedName(a.from, a.to)
			switch name = name[strings.LastIndexByte(name, '.')+1:]; {
			case django && n == 0 && (callee == "ForeignKey" || callee == "OneToOneField" || callee == "ManyToManyField"):
				c.Refers = valid(strings.Trim(value, `"'`))
			case name == "ForeignKey" && m.is(next, a.to, "("):
				c.Refers = tableOf(m.literalAt(next + 1))
			case literal && n == 0 && !m.kind.keyword && !django:
				c.Stored = valid(text)
			case !django && !m.kind.keyword && c.Type == "" && name != "":
				c.Type = value
			case m.kind.keyword && n == 0 && value != "...":
				c.Default = value
			}
		case "to":
			c.Refers = valid(strings.Trim(value, `"'`))
		case "foreign_key":
			c.Refers = tableOf(text)
		case "primary_key":
			c.Key, c.NotNull = yes, c.NotNull || yes
		case "unique":
			c.Unique = yes
		case "null", "nullable":
			c.NotNull = !yes
		case "default", "server_default":
			c.Default = value
		case "db_column", "name":
			c.Stored = valid(text)
		case "help_text", "comment", "description":
			c.About = valid(text)
		case "max_length":
			if django {
				c.Type += "(" + value + ")"
			}
		}
	}
}

// tableOf is the table of a column with its name: "users.id".
func tableOf(column string) string {
	return valid(column[:max(strings.LastIndexByte(column, '.'), 0)])
}

// tell tells the models of the file, and the classes that they extend.
func (m *modeller) tell() {
	extended := map[string]bool{}
	for _, c := range m.all {
		// a table whose key is that of another one extends the model of that
		c.is = c.is || m.kind.library == "sqlalchemy" && c.base != "" && slices.ContainsFunc(c.Columns, func(c ddl.Column) bool { return c.Key && c.Refers != "" })
		if c.is {
			extended[c.base] = true
		}
	}
	for _, c := range m.all {
		told := slices.ContainsFunc(m.reader.facts, func(f source.Fact) bool { return f.Kind == source.Data && f.ID == c.Name })
		if told || !c.is && (len(c.Columns) == 0 || m.kind.keyword && !extended[c.Name]) {
			continue
		}
		f := c.Fact(m.kind.name)
		f.ID, f.Of = c.Name, c.base
		if c.hidden && !(m.kind.keyword && c.is) || !c.is && !m.kind.django {
			f.Usage = source.Hidden
		}
		m.reader.facts = append(m.reader.facts, f)
	}
}

// argument is one of a call: its keyword, and its tokens.
type argument struct {
	key      string
	from, to int
}

// mostTokens is how many tokens of a call are looked at: calls may stand in one another.
const mostTokens = 4096

// arguments are those of the call whose bracket is token open.
func (x *reader) arguments(open int) []argument {
	var out []argument
	depth, from := 0, open+1
	for i := open; i < min(len(x.toks), open+mostTokens); i++ {
		depth += x.depth(i)
		if depth > 0 && (depth > 1 || !x.is(i, len(x.toks), ",")) {
			continue
		}
		if from < i {
			a := argument{from: from, to: i}
			if x.isName(from, i) && x.is(from+1, i, "=") {
				a = argument{x.text(from), from + 2, i}
			}
			out = append(out, a)
		}
		from = i + 1
		if depth == 0 {
			break
		}
	}
	return out
}

// literal is the text of an argument that is made of literals alone, which may stand side by side or be added.
func (m *modeller) literal(a argument) (string, bool) {
	var b strings.Builder
	for i := a.from; i < a.to; i++ {
		switch {
		case m.toks[i].kind == str:
			v, ok := stringValue(m.text(i))
			if !ok {
				return "", false
			}
			b.WriteString(v)
		case !m.is(i, a.to, "(") && !m.is(i, a.to, ")") && !m.is(i, a.to, "+"):
			return "", false
		}
	}
	return valid(b.String()), a.from < a.to
}

// longestChain is how many elements a dotted name has that anything is registered with.
const longestChain = 24

// dottedName reads a dotted name, and returns where it ends.
func (m *modeller) dottedName(i, end int) (name string, next int) {
	if !m.isName(i, end) {
		return "", i
	}
	name = m.text(i)
	i++
	for range longestChain {
		if !m.is(i, end, ".") || !m.isName(i+1, end) {
			break
		}
		name += "." + m.text(i+1)
		i += 2
	}
	return name, i
}

// literalAt returns the value of the string literal at token i, "" when there is none.
func (x *reader) literalAt(i int) string {
	if i < 0 || i >= len(x.toks) || x.toks[i].kind != str {
		return ""
	}
	v, _ := stringValue(x.text(i))
	return v
}
