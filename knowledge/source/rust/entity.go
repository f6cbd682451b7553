package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
)

var entityWords = set("sea_orm")

// entity reads a struct with the derive DeriveEntityModel, and the relations of an enum in the same file.
func (f *facts) entity(attrs, at, open int) {
	o := f.o
	c := &clap{facts: f, words: entityWords}
	if o.is(at, "enum") {
		c.members(open, func(attrs, name, _ int) { c.relation(c.settings(attrs, name)) })
		return
	}
	f.tabled()
	f.table = ddl.Table{Name: c.settings(attrs, at)["table_name"], Line: int(o.toks[at].line)}
	c.members(open, func(attrs, name, end int) {
		s := c.settings(attrs, name)
		typ := c.typeAt(name+2, end)
		if !o.is(name+1, ":") || s["ignore"] != "" || typ == "HasOne" || typ == "HasMany" {
			return
		}
		column := ddl.Column{
			Name: toValid(strings.TrimPrefix(o.name(name), "r#")), Type: f.typeText(name+2, end), Stored: s["column_name"], Default: s["default_value"],
			Key: s["primary_key"] == isTrue, Unique: s["unique"] == isTrue, NotNull: !o.is(name+2, "Option") && s["nullable"] != isTrue,
		}
		f.table.Columns = append(f.table.Columns, column)
	})
}

// relation gives a column its reference: belongs_to = "super::user::Entity", from = "Column::UserId".
func (c *clap) relation(s map[string]string) {
	to, _ := strings.CutSuffix(s["belongs_to"], "::Entity")
	from := c.spelled(strings.TrimPrefix(s["from"], "Column::"), "snake_case")
	for i := range c.table.Columns {
		if column := &c.table.Columns[i]; to != "" && column.Name == from {
			column.Refers = to[strings.LastIndexByte(to, ':')+1:]
		}
	}
}

// tabled adds the table of the entity that was read last.
func (f *facts) tabled() {
	if f.table.Name != "" {
		f.list = append(f.list, f.table.Fact("SeaORM"))
	}
}
