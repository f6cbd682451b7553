package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// ModelRule describes how a library declares models.
type ModelRule struct {
	Library, Name string
	Base          string          // base class of models
	Table         string          // attribute with the table name
	Fields        map[string]bool // functions that create a field
	Keyword       bool            // a class is a table only with table=True, and a field needs only a type
	Joined        string          // attribute of a class that extends the model of another table and shares its key
	Call          string          // function that makes a table of its name and fields
	Typed         bool            // field functions are named after the type, and a field is required by default
}

type model struct {
	ddl.Table

	base   string
	is     bool // has a table
	joined bool // has the attribute of ModelRule.Joined
	hidden bool // a base class without a table
	only   bool // only extends a class of another file, and is a model if that is one
}

func (f *finder) models(rule *ModelRule) {
	if !strings.Contains(f.Src, rule.Library) && !(rule.Typed && f.Mentions("models import ")) && !strings.Contains(f.Src, rule.Base) && (rule.Joined == "" || !strings.Contains(f.Src, rule.Joined)) {
		return
	}
	var all []*model
	extended := map[string]bool{}
	for _, n := range f.Body {
		if n.Kind != Class {
			continue
		}
		m := f.model(rule, n)
		if all = append(all, m); m.is {
			extended[m.base] = true
		}
	}
	told := map[string]bool{}
	for i := range f.facts {
		if f.facts[i].Kind == source.Data {
			told[f.facts[i].ID] = true
		}
	}
	delete(told, "") // tables have no class
	for _, m := range all {
		if told[m.Name] || !m.is && !m.only && (!rule.Typed || !told[m.base]) && (len(m.Columns) == 0 || rule.Keyword && !extended[m.Name]) {
			continue
		}
		fact := m.Fact(rule.Name)
		fact.ID, fact.Of = m.Name, m.base
		switch {
		case m.hidden && !(rule.Keyword && m.is) || !m.is && !rule.Typed:
			fact.Usage = source.Hidden
		case m.only && !m.is:
			fact.Usage = source.Inherited
		}
		f.facts, told[m.Name] = append(f.facts, fact), true
	}
	for _, n := range f.Body {
		if n.Kind == Bind && n.X != nil && n.X.Kind == Call && rule.Call != "" && last(n.X.X) == rule.Call {
			f.calledTable(rule, n.X)
		}
	}
}

// calledTable reads Table("name", metadata, Column("name", type, …)).
func (f *finder) calledTable(rule *ModelRule, n *Node) {
	t := ddl.Table{Line: int(n.Line)}
	for i, a := range n.Args {
		if i == 0 {
			t.Name, _ = f.text(a)
		}
		if a.Kind != Call || !rule.Fields[last(a.X)] || len(a.Args) == 0 {
			continue
		}
		if name, ok := f.text(a.Args[0]); ok {
			c := ddl.Column{Name: name}
			f.columnOptions(&c, rule, last(a.X), a.Args[1:])
			t.Columns = append(t.Columns, c)
		}
	}
	if t.Name != "" && len(t.Columns) > 0 {
		f.facts = append(f.facts, t.Fact(rule.Name))
	}
}

func (f *finder) model(rule *ModelRule, n *Node) *model {
	m := &model{Table: ddl.Table{Name: n.Text, Line: int(n.Line)}}
	for _, a := range n.Args {
		switch name := Dotted(a); {
		case a.Key == "table":
			m.is = a.Is("True")
		case a.Key == "" && (name == rule.Base || strings.HasSuffix(f.Library(name), "."+rule.Base)):
			m.is, m.hidden = !rule.Keyword, rule.Keyword
		case a.Key == "" && m.base == "":
			m.base = name
		}
	}
	for _, s := range n.Body {
		switch {
		case s.Kind == Class && s.Text == "Meta":
			for _, about := range s.Body {
				f.about(m, rule, about)
			}
		case s.Kind != Bind || s.Args[0].Kind != Name:
		case s.Args[0].Text == rule.Table:
			f.about(m, rule, s)
		case s.Args[0].Text == rule.Joined:
			m.joined = true
		default:
			f.column(m, rule, s)
		}
	}
	m.only = rule.Typed && len(n.Args) == 1 && strings.Contains(f.Library(m.base), ".models.") &&
		!slices.ContainsFunc(n.Body, func(s *Node) bool { return s.Kind == Bind && s.X != nil && s.X.Kind == Call })
	m.is = m.is || m.joined && slices.ContainsFunc(m.Columns, func(c ddl.Column) bool { return c.Key && c.Refers != "" })
	return m
}

func (f *finder) about(m *model, rule *ModelRule, s *Node) {
	if s.Kind != Bind || s.X == nil {
		return
	}
	switch name := s.Args[0]; {
	case name.Is(rule.Table):
		m.Stored, _ = f.text(s.X)
		m.is = true
	case name.Is("abstract"), name.Is("proxy"):
		m.hidden = m.hidden || s.X.Is("True")
	}
}

// column reads `name = Call(…)`, `name: type = Call(…)` and `name: type`.
func (f *finder) column(m *model, rule *ModelRule, s *Node) {
	typ := ""
	if s.Type != nil {
		typ = f.Src[s.Type.From:s.Type.To]
	}
	optional := strings.Contains(typ, "None") || strings.HasPrefix(typ, "Optional")
	c := ddl.Column{Name: s.Args[0].Text, Type: typ, NotNull: typ != "" && !optional}
	mapped, isMapped := strings.CutPrefix(typ, "Mapped[")
	if isMapped {
		c.Type = strings.TrimSuffix(mapped, "]")
		c.NotNull = !optional && !strings.HasPrefix(mapped, "Optional")
	}
	owner, callee, _ := cutLast(callee(s.X))
	switch called := callee != "" && (rule.Fields[callee] || rule.Typed && strings.HasSuffix(callee, "Field")); {
	case rule.Typed && owner != "models" && !m.is: // forms have such fields too
		return
	case called:
		f.columnOptions(&c, rule, callee, s.X.Args)
	case strings.HasSuffix(strings.ToLower(callee), "relationship"), typ == "" || !rule.Keyword && !isMapped, strings.HasPrefix(typ, "ClassVar"):
		return
	case rule.Keyword && s.X != nil:
		c.Default = f.Src[s.X.From:s.X.To]
	}
	m.Columns = append(m.Columns, c)
}

func callee(n *Node) string {
	if n == nil || n.Kind != Call {
		return ""
	}
	return Dotted(n.X)
}

func (f *finder) columnOptions(c *ddl.Column, rule *ModelRule, field string, args []*Node) {
	if rule.Typed {
		c.Type, c.NotNull = field, true
	}
	for i, a := range args {
		value := f.Src[a.From:a.To]
		text, literal := f.literal(a)
		yes := a.Is("True")
		_, name, _ := cutLast(Dotted(a))
		if a.Kind == Call {
			_, name, _ = cutLast(Dotted(a.X))
		}
		switch a.Key {
		case "":
			switch {
			case rule.Typed && i == 0 && (field == "ForeignKey" || field == "OneToOneField" || field == "ManyToManyField"):
				c.Refers = strings.Trim(value, `"'`)
			case name == "ForeignKey" && a.Kind == Call && len(a.Args) > 0:
				c.Refers, _, _ = cutLast(a.Args[0].Text)
			case literal && i == 0 && !rule.Keyword && !rule.Typed:
				c.Stored = text
			case !rule.Typed && !rule.Keyword && c.Type == "" && name != "":
				c.Type = value
			case rule.Keyword && i == 0 && value != "...":
				c.Default = value
			}
		case "to":
			c.Refers = strings.Trim(value, `"'`)
		case "foreign_key":
			c.Refers, _, _ = cutLast(text)
		case "primary_key":
			c.Key, c.NotNull = yes, c.NotNull || yes
		case "unique":
			c.Unique = yes
		case "null", "nullable":
			c.NotNull = !yes
		case "default", "server_default":
			if c.Default = value; a.Kind == Func && len(a.Body) == 1 { // called for each row
				c.Default = f.Src[a.Body[0].From:a.Body[0].To]
			}
		case "db_column", "name":
			c.Stored = text
		case "help_text", "comment", "description":
			c.About = text
		case "max_length":
			if rule.Typed {
				c.Type += "(" + value + ")"
			}
		}
	}
}
