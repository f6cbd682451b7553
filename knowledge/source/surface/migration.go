package surface

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// migration is the SQL of a chain of calls about one table.
type migration struct {
	*finder
	table   string
	creates bool
}

// builds converts the calls of a builder to SQL: createTable("x", t => { t.string("y") }) and
// createTable("x").addColumn("y", "text").
func (f *finder) builds(n *Node) {
	if !f.builder || slices.ContainsFunc(f.frames, func(in *frame) bool { return ddl.TakesBack(in.Text) || ddl.TakesBack(in.Key) }) {
		return
	}
	chain := f.chainOf(n, func(c *Node) bool {
		alone := strings.HasSuffix(c.X.Text, "Column")
		return f.Entities.Tables[c.X.Text] && len(c.Args) > 0 && (!alone || c.X.X.Kind != Call && len(c.Args) > 1 && c.Args[1].Kind == Text)
	})
	if chain == nil || !f.Entities.Tables[chain[0].X.Text] {
		return
	}
	if table, ok := f.text(chain[0].Args[0]); ok && table != "" {
		(&migration{f, ddl.Quote(table), strings.HasPrefix(chain[0].X.Text, "create")}).read(chain)
	}
}

// chainOf returns the calls of a chain from its first matching one on, once; nil without one.
func (f *finder) chainOf(n *Node, begins func(*Node) bool) (chain []*Node) {
	for c := n; c.Kind == Call && c.X.Kind == Member && len(chain) < mostRows && !f.built[c]; c = c.X.X {
		f.Step()
		if chain = append(chain, c); begins(c) {
			for _, c := range chain {
				f.built[c] = true
			}
			slices.Reverse(chain)
			return chain
		}
	}
	return nil
}

func (m *migration) read(chain []*Node) {
	first, args := chain[0], chain[0].Args[1:]
	var items []string
	switch method := first.X.Text; {
	case strings.HasPrefix(method, "drop"):
		m.tellSQL("DROP TABLE "+m.table, first)
		return
	case method == "renameTable":
		items = m.step("renameTo", args)
	case strings.HasSuffix(method, "Column"):
		items = m.step(method, args)
	}
	for _, a := range args {
		switch {
		case a.Kind == Func && len(a.Args) > 0:
			items = append(items, m.body(a)...)
		case a.Kind == Map && m.creates:
			for _, p := range a.Args {
				if p.Kind == Bind && p.Key != "" && p.X != nil {
					items = append(items, m.column(m.columnOf(p.Key, p.X)))
				}
			}
		}
	}
	for _, c := range chain[1:] {
		items = append(items, m.step(c.X.Text, c.Args)...)
	}
	if m.creates && len(items) > 0 {
		m.tellSQL("CREATE TABLE "+m.table+" ("+strings.Join(items, ", ")+")", first)
		return
	}
	for _, item := range items {
		m.tellSQL("ALTER TABLE "+m.table+" "+item, first)
	}
}

func (f *finder) tellSQL(sql string, at *Node) {
	f.tell(source.Fact{Kind: source.Data, Doc: sql}, at)
}

func (m *migration) column(c ddl.Column) string {
	if m.creates {
		return c.SQL()
	}
	return "ADD COLUMN " + c.SQL()
}

func (m *migration) body(fn *Node) (items []string) {
	m.everywhere(func(n *Node) {
		if chain := m.chainOf(n, func(c *Node) bool { return c.X.X.Is(fn.Args[0].Text) }); chain != nil {
			items = append(items, m.line(chain[0], chain[1:])...)
		}
	}, fn)
	return items
}

func (m *migration) line(first *Node, chain []*Node) []string {
	method, args := first.X.Text, first.Args
	c := ddl.Column{Type: method}
	aspect := m.Entities.Types[method]
	if len(args) > 0 {
		c.Name, _ = m.text(args[0])
	}
	if c.Key = aspect == IsKey; len(args) > 1 && (args[1].Kind == Number || aspect == HasType) {
		if c.Type = m.valueOf(args[1]); args[1].Kind == Number {
			c.Type = method + "(" + c.Type + ")"
		}
	}
	for _, call := range chain {
		if call.X.Text == "alter" {
			return nil
		}
		m.say(&c, m.Entities.Aspects[call.X.Text], call.X.Text, call.Args)
	}
	switch {
	case aspect != 0 && c.Name != "":
		return []string{m.column(c)}
	case method == "timestamps":
		return []string{m.column(ddl.Column{Name: "created_at", Type: "timestamp"}), m.column(ddl.Column{Name: "updated_at", Type: "timestamp"})}
	case method == "foreign" && c.Refers != "":
		args = append(slices.Clip(args[:min(len(args), 1)]), &Node{Kind: Text, Text: c.Refers})
	}
	return m.step(method, args)
}

func (m *migration) names(n *Node) string {
	var out []string
	for _, e := range elements(n) {
		if text, ok := m.text(e); ok {
			out = append(out, ddl.Quote(text))
		}
	}
	return strings.Join(out, ", ")
}

// step converts a table method to SQL by the rules.
func (m *migration) step(method string, args []*Node) []string {
	if method == "addColumn" && len(args) > 1 {
		name, _ := m.text(args[0])
		c := m.columnOf(name, args[1])
		if args[1].Kind == Text || args[1].Kind == Call && last(args[1].X) == "sql" {
			c = ddl.Column{Name: name, Type: m.valueOf(args[1])}
		}
		if fn := args[len(args)-1]; fn.Kind == Func && len(fn.Body) == 1 && fn.Body[0].Kind == Return {
			for call := fn.Body[0].X; call != nil && call.Kind == Call && call.X.Kind == Member; call = call.X.X {
				m.say(&c, m.Entities.Aspects[call.X.Text], call.X.Text, call.Args)
			}
		}
		return []string{m.column(c)}
	}
	var names []string
	for i, a := range args {
		names = append(names, "$"+strconv.Itoa(i), m.names(a))
	}
	text := strings.NewReplacer(names...).Replace(m.Entities.Steps[method])
	constraint, is := strings.CutPrefix(text, "ADD ")
	switch {
	case text == "", strings.Contains(text, "$"), m.creates && !is:
		return nil
	case m.creates:
		return []string{constraint}
	}
	return []string{text}
}
