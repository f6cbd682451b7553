package surface

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// EntityRules describe how code declares tables and models.
type EntityRules struct {
	Classes map[string]string     // kinds of models, by class decorator
	Fields  map[string]Aspect     // decorators of column fields
	Calls   map[string]EntityCall // functions and methods
	Aspects map[string]Aspect     // methods and keys of a column description
	Tables  map[string]bool       // methods that create or change a table
	Steps   map[string]string     // other methods, in SQL; $0 stands for the names in the first argument
	Types   map[string]Aspect     // builder methods that add a column of that type
}

// EntityCall is a call with a model name and an object, or a schema around one, that lists the columns.
type EntityCall struct {
	Kind  string
	Typed string // prefix of column types, to distinguish calls of the same form
}

// Aspect is a property of a column.
type Aspect uint8

const (
	Plainly Aspect = iota + 1
	IsKey
	IsNeeded
	IsOptional
	IsUnique
	HasDefault
	HasType
	RefersTo
	// RefersOnce is RefersTo for the side of a relation that may have no column.
	RefersOnce
	StoredAs
	IsAbout
)

// columnOf returns the column described by a chain of calls, an object or a type.
func (f *finder) columnOf(name string, v *Node) ddl.Column {
	c := ddl.Column{Name: name}
	for depth := 0; v != nil && v.Kind == Call && depth < mostParts; depth++ {
		if aspect := f.Entities.Aspects[last(v.X)]; aspect != 0 && v.X.Kind == Member {
			f.say(&c, aspect, v.X.Text, v.Args)
			v = v.X.X
			continue
		}
		if c.Type = last(v.X); len(v.Args) > 0 {
			c.Stored, _ = f.text(v.Args[0])
		}
		f.sayAll(&c, v.Args)
		break
	}
	switch {
	case v == nil:
	case v.Kind == Map:
		f.sayAll(&c, []*Node{v})
		c.Type = cmp.Or(c.Type, "object")
	case v.Kind != Call:
		f.say(&c, HasType, "", []*Node{v})
	}
	if c.Stored == name {
		c.Stored = ""
	}
	return c
}

func (f *finder) sayAll(c *ddl.Column, args []*Node) {
	for _, a := range args {
		for _, p := range a.Args {
			if aspect := f.Entities.Aspects[p.Key]; a.Kind == Map && p.Kind == Bind && aspect != 0 && p.X != nil {
				f.say(c, aspect, p.Key, []*Node{p.X})
			}
		}
	}
}

func (f *finder) say(c *ddl.Column, aspect Aspect, word string, args []*Node) {
	yes, value := true, ""
	if len(args) > 0 {
		yes, value = !args[0].Is("false"), f.valueOf(args[0])
	}
	switch aspect {
	case IsKey:
		c.Key, c.NotNull = yes, c.NotNull || yes
	case IsNeeded:
		c.NotNull = yes
	case IsOptional:
		c.NotNull = !yes
	case IsUnique:
		c.Unique = yes
	case HasDefault:
		c.Default = cmp.Or(value, strings.ToLower(strings.TrimPrefix(word, "default"))+"()")
	case HasType:
		c.Type = strings.TrimPrefix(strings.TrimPrefix(value, "DataTypes."), "Sequelize.")
	case StoredAs:
		c.Stored = value
	case IsAbout:
		c.About = value
	case RefersTo:
		if to := f.refersTo(args); to != "" {
			c.Refers = to
		}
	}
}

// refersTo returns the table or model in arguments: "users.id", () => users.id, { model: "users" }. A bare column name
// does not count.
func (f *finder) refersTo(args []*Node) string {
	if len(args) == 0 {
		return ""
	}
	n := args[0]
	if to := property(args, "model"); to != nil {
		n = to
	} else if n.Kind == Func && len(n.Body) == 1 && n.Body[0].X != nil {
		n = n.Body[0].X
	}
	if text, ok := f.text(n); ok {
		table, _, _ := strings.Cut(strings.TrimSuffix(text, "id"), ".")
		return table
	}
	first, _, _ := strings.Cut(Dotted(n), ".")
	if c := f.globals[first]; c != nil && c.Kind == Call && len(c.Args) > 0 && c.Args[0].Kind == Text {
		return c.Args[0].Text
	}
	return first
}

// valueOf returns a default as users write it: a text, the content of an SQL template, or the code.
func (f *finder) valueOf(n *Node) string {
	if n.Kind == Call && len(n.Args) == 1 && n.Args[0].Kind == Text && (last(n.X) == "sql" || last(n.X) == "raw" || last(n.X) == "literal") {
		n = n.Args[0]
	}
	if text, ok := f.text(n); ok {
		return cmp.Or(text, `""`)
	}
	return f.Written(n)
}

// stepsOfColumn is how many steps a column counts for: it is written out for each table.
const stepsOfColumn = 16

// entityCall adds the model that a call declares: define("Name", {…}) or Name.init({…}, { sequelize }).
func (f *finder) entityCall(n *Node) {
	rule, ok := f.Entities.Calls[last(n.X)]
	if !ok || len(n.Args) < 2 || rule.Typed != "" && (n.X.Kind != Member || !f.Mentions(rule.Typed)) {
		return
	}
	t, columns := ddl.Table{Line: int(n.Line)}, f.objectIn(n.Args[1], 0)
	if t.Name, ok = f.text(n.Args[0]); !ok && rule.Typed != "" {
		t.Name, columns, ok = Dotted(n.X.X), f.objectIn(n.Args[0], 0), property(n.Args[1:], "sequelize") != nil
		if in := f.class(); in != nil && (t.Name == "super" || f.Self[t.Name]) {
			t.Name = in.Text
		}
		if name, named := f.text(property(n.Args[1:], "modelName")); named {
			t.Name = name
		}
	}
	if !ok || columns == nil || t.Name == "" {
		return
	}
	typed := rule.Typed == ""
	for _, p := range columns.Args {
		f.Steps(stepsOfColumn)
		if p.Kind == Bind && p.Key != "" && p.X != nil {
			t.Columns = append(t.Columns, f.columnOf(p.Key, p.X))
			typed = typed || strings.Contains(f.Written(p.X), rule.Typed)
		}
	}
	if t.Stored, _ = f.text(property(n.Args[1:], "tableName")); typed {
		f.facts = append(f.facts, t.Fact(rule.Kind))
	}
}

// objectIn returns the object of a value, also through constants, function results and calls.
func (f *finder) objectIn(n *Node, depth int) *Node {
	switch n = f.follow(n); {
	case n == nil || depth > 4:
	case n.Kind == Map:
		return n
	case n.Kind == Call && len(n.Args) > 0:
		return f.objectIn(n.Args[0], depth+1)
	case n.Kind == Func && len(n.Body) == 1 && n.Body[0].Kind == Return:
		return f.objectIn(n.Body[0].X, depth+1)
	}
	return nil
}

// entityClass adds the model that a class declares by its decorators or base class.
func (f *finder) entityClass(n *Node) {
	kind, t := "", ddl.Table{Name: n.Text, Line: int(n.Line)}
	for _, m := range n.Marks {
		if k := f.Entities.Classes[last(called(m))]; k != "" && m.Kind == Call {
			kind = k
			for _, stored := range []*Node{Arg(m.Args, "", 0), property(m.Args, "name"), property(m.Args, "tableName"), property(m.Args, "collection")} {
				if text, ok := f.text(stored); ok && text != n.Text {
					t.Stored = text
				}
			}
		}
	}
	for _, p := range n.Body {
		if p.Kind == Bind && len(p.Marks) > 0 {
			f.entityField(&t, p)
		}
	}
	if n.Text == "" || kind == "" && (len(t.Columns) == 0 || len(n.Marks) > 0) {
		return
	}
	fact := t.Fact(cmp.Or(kind, "TypeORM"))
	if fact.ID = n.Text; len(n.Args) > 0 {
		fact.Of = Dotted(n.Args[0])
	}
	if kind == "" {
		fact.Usage = source.Hidden
	}
	f.facts = append(f.facts, fact)
}

func (f *finder) entityField(t *ddl.Table, p *Node) {
	c, is := ddl.Column{Name: p.Key, NotNull: true}, false
	if p.Type != nil {
		c.Type = f.Written(p.Type)
	}
	for _, m := range p.Marks {
		aspect := f.Entities.Fields[last(called(m))]
		if aspect == 0 || m.Kind != Call {
			continue
		}
		is = is || aspect != RefersOnce
		switch aspect {
		case IsKey, IsOptional:
			f.say(&c, aspect, "", nil)
		case RefersTo, RefersOnce:
			c.Refers, c.NotNull = f.refersTo(m.Args), false
		}
		if len(m.Args) > 0 && m.Args[0].Kind == Text && aspect == Plainly {
			c.Type = m.Args[0].Text
		}
		f.sayAll(&c, m.Args)
	}
	if c.Stored == c.Name {
		c.Stored = ""
	}
	if is {
		t.Columns = append(t.Columns, c)
	}
}
