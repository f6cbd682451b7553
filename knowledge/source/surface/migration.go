package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// migration is what a chain of calls says of a table, in SQL.
type migration struct {
	*finder
	table   string
	creates bool
	items   []string
}

// builds writes the calls of a builder as SQL: createTable("x", t => { t.string("y") }) and createTable("x").addColumn("y", "text").
func (f *finder) builds(n *Node) {
	if !f.builder || slices.ContainsFunc(f.frames, func(in *frame) bool { return ddl.TakesBack(in.Text) || ddl.TakesBack(in.Key) }) {
		return
	}
	var chain []*Node
	for c := n; c.Kind == Call && c.X.Kind == Member && len(chain) < mostRows; c = c.X.X {
		if chain = append(chain, c); f.built[c] {
			return
		}
		if alone := strings.HasSuffix(c.X.Text, "Column"); !f.Entities.Tables[c.X.Text] || len(c.Args) == 0 ||
			alone && (c.X.X.Kind == Call || len(c.Args) < 2 || c.Args[1].Kind != Text) {
			continue
		}
		m := migration{finder: f}
		var ok bool
		if m.table, ok = f.text(c.Args[0]); ok && m.table != "" {
			f.built[c] = true
			slices.Reverse(chain)
			m.begin(chain)
		}
		return
	}
}

// begin reads the call that names the table, and those behind it.
func (m *migration) begin(chain []*Node) {
	first := chain[0]
	args := first.Args[1:]
	switch method := first.X.Text; {
	case strings.HasPrefix(method, "drop"):
		m.tellSQL("DROP TABLE "+ddl.Quote(m.table), first)
		return
	case strings.HasPrefix(method, "rename") && len(args) > 0:
		m.tellSQL("ALTER TABLE "+ddl.Quote(m.table)+" RENAME TO "+ddl.Quote(m.valueOf(args[0])), first)
		return
	case strings.HasPrefix(method, "create"):
		m.creates = true
	case len(args) == 0 && len(chain) == 1:
		return
	case !strings.HasPrefix(method, "alter") && method != "table":
		m.step(first.X.Text, args)
	}
	for _, a := range args {
		switch {
		case a.Kind == Func && len(a.Args) > 0:
			m.body(a)
		case a.Kind == Map && m.creates:
			for _, p := range a.Args {
				if p.Kind == Bind && p.Key != "" && p.X != nil {
					m.column(m.columnOf(p.Key, p.X))
				}
			}
		}
	}
	for _, c := range chain[1:] {
		m.step(c.X.Text, c.Args)
	}
	switch {
	case m.creates && len(m.items) > 0:
		m.tellSQL("CREATE TABLE "+ddl.Quote(m.table)+" ("+strings.Join(m.items, ", ")+")", first)
	case !m.creates:
		for _, item := range m.items {
			m.tellSQL("ALTER TABLE "+ddl.Quote(m.table)+" "+item, first)
		}
	}
}

func (f *finder) tellSQL(sql string, at *Node) {
	f.tell(source.Fact{Kind: source.Data, Doc: sql}, at)
}

// add adds an item of the table.
func (m *migration) add(item string) {
	if !m.creates {
		item = "ADD " + item
	}
	m.items = append(m.items, item)
}

func (m *migration) column(c ddl.Column) {
	if m.creates {
		m.items = append(m.items, c.SQL())
	} else {
		m.items = append(m.items, "ADD COLUMN "+c.SQL())
	}
}

// body reads the function that is given the builder of a table.
func (m *migration) body(fn *Node) {
	m.everywhere(fn, 0, func(n *Node) {
		var chain []*Node
		c := n
		for ; c.Kind == Call && c.X.Kind == Member && !m.built[c]; c = c.X.X {
			chain = append(chain, c)
		}
		if len(chain) == 0 || !c.Is(fn.Args[0].Text) {
			return
		}
		for _, c := range chain {
			m.built[c] = true
		}
		slices.Reverse(chain)
		m.describedItem(chain)
	})
}

// describedItem reads what a chain of calls says of one column, or of the table.
func (m *migration) describedItem(chain []*Node) {
	method, args := chain[0].X.Text, chain[0].Args
	aspect := m.Entities.Types[method]
	if aspect == 0 || len(args) == 0 {
		if method == "timestamps" {
			m.column(ddl.Column{Name: "created_at", Type: "timestamp"})
			m.column(ddl.Column{Name: "updated_at", Type: "timestamp"})
			return
		}
		m.step(method, args)
		if method == "foreign" {
			m.foreign(args, chain[1:])
		}
		return
	}
	name, ok := m.text(args[0])
	if !ok {
		return
	}
	c := ddl.Column{Name: name, Type: method, Key: aspect == IsKey}
	if len(args) > 1 && (args[1].Kind == Number || aspect == HasType) {
		if c.Type = m.valueOf(args[1]); args[1].Kind == Number {
			c.Type = method + "(" + c.Type + ")"
		}
	}
	for _, call := range chain[1:] {
		if call.X.Text == "alter" {
			return
		}
		m.say(&c, m.Entities.Aspects[call.X.Text], call.X.Text, call.Args)
	}
	m.column(c)
}

// foreign reads t.foreign("user_id").references("id").inTable("users").
func (m *migration) foreign(args []*Node, chain []*Node) {
	var c ddl.Column
	for _, call := range chain {
		m.say(&c, m.Entities.Aspects[call.X.Text], call.X.Text, call.Args)
	}
	if c.Refers != "" && len(args) > 0 {
		m.add("FOREIGN KEY (" + m.names(args[0]) + ") REFERENCES " + ddl.Quote(c.Refers))
	}
}

// names are quoted names with commas between them.
func (m *migration) names(n *Node) string {
	var out []string
	for _, e := range elements(n) {
		if text, ok := m.text(e); ok {
			out = append(out, ddl.Quote(text))
		}
	}
	return strings.Join(out, ", ")
}

// step reads a method of a builder that says something of the table.
func (m *migration) step(method string, args []*Node) {
	if len(args) == 0 {
		return
	}
	name, ok := m.text(args[0])
	constraint := args[len(args)-1]
	switch {
	case method == "addColumn" && ok && len(args) > 1:
		var c ddl.Column
		if args[1].Kind == Map || args[1].Kind == Member {
			c = m.columnOf(name, args[1])
		} else {
			c = ddl.Column{Name: name, Type: m.valueOf(args[1])}
		}
		if fn := args[len(args)-1]; fn.Kind == Func && len(fn.Body) == 1 && fn.Body[0].Kind == Return && fn.Body[0].X != nil {
			for call := fn.Body[0].X; call.Kind == Call && call.X.Kind == Member; call = call.X.X {
				m.say(&c, m.Entities.Aspects[call.X.Text], call.X.Text, call.Args)
			}
		}
		m.column(c)
	case (method == "dropColumn" || method == "removeColumn" || method == "dropColumns") && !m.creates:
		for _, a := range args {
			for _, e := range elements(a) {
				if text, ok := m.text(e); ok {
					m.items = append(m.items, "DROP COLUMN "+ddl.Quote(text))
				}
			}
		}
	case method == "renameColumn" && ok && len(args) > 1:
		m.items = append(m.items, "RENAME COLUMN "+ddl.Quote(name)+" TO "+ddl.Quote(m.valueOf(args[1])))
	case method == "renameTo" && ok:
		m.items = append(m.items, "RENAME TO "+ddl.Quote(name))
	case method == "addPrimaryKeyConstraint", method == "primary":
		m.add("PRIMARY KEY (" + m.names(constraint) + ")")
	case method == "addUniqueConstraint" && len(args) > 1:
		m.add("UNIQUE (" + m.names(args[1]) + ")")
	case method == "unique":
		m.add("UNIQUE (" + m.names(args[0]) + ")")
	case method == "addForeignKeyConstraint" && len(args) > 2:
		m.add("FOREIGN KEY (" + m.names(args[1]) + ") REFERENCES " + m.names(args[2]))
	}
}
