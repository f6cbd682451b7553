package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// data finds tables created by SQL strings, and JPA entities.
func (p *parser) data() []source.Fact {
	contains := func(text string) bool { return strings.Contains(p.src, text) }
	var out []source.Fact
	if ddl.Mentions(contains) {
		var s ddl.Schema
		for i := int32(0); int(i) < len(p.toks); i++ {
			if !p.isText(i) {
				continue
			}
			from, all := i, p.written(i)
			for p.kind(i+1) == '+' && p.isText(i+2) {
				i += 2
				all += p.written(i)
			}
			if p.kind(i+1) == '+' {
				all += ddl.Computed
			}
			s.SQL("", int(p.line(from)), all)
		}
		out = s.Facts()
	}
	for _, in := range stores {
		if contains(in.imported) {
			out = append(out, p.entities(in)...)
		}
	}
	return out
}

func (p *parser) isText(i int32) bool { return p.kind(i) == text || p.kind(i) == block }

// written returns a string's value; it resolves only escaped newlines and quotes.
func (p *parser) written(i int32) string {
	s := p.text(i)
	for _, quotes := range []string{`"""`, `"`} {
		if inner, ok := strings.CutPrefix(s, quotes); ok {
			return p.shown(strings.NewReplacer(`\n`, "\n", `\"`, `"`, "\\\n", "").Replace(strings.TrimSuffix(inner, quotes)))
		}
	}
	return ""
}

// store describes how annotations of a library map types to tables.
type store struct {
	library, imported string
	entity, table     map[string]bool // annotations of types, and those with the name of the table
}

var stores = []store{
	{"JPA", "persistence", map[string]bool{"Entity": true}, map[string]bool{"Table": true}},
	{"MongoDB", "data.mongodb", map[string]bool{"Document": true}, map[string]bool{"Document": true}},
	{"Spring Data", "data.relational", map[string]bool{"Table": true}, map[string]bool{"Table": true}},
	{"Cassandra", "data.cassandra", map[string]bool{"Table": true}, map[string]bool{"Table": true}},
}

var (
	// baseAnnotations mark types that contribute fields to others.
	baseAnnotations  = map[string]bool{"MappedSuperclass": true, "Embeddable": true}
	transient        = map[string]bool{"Transient": true}
	columnAnnotation = map[string]bool{"Column": true, "JoinColumn": true, "Field": true}
	referring        = map[string]bool{"ManyToOne": true, "OneToOne": true, "DBRef": true, "DocumentReference": true}
	nameAttributes   = map[string]bool{"name": true, "value": true, "collection": true}
)

// entities returns the types that a library stores, and their base types, with fields.
func (p *parser) entities(in store) []source.Fact {
	tables := map[string]*ddl.Table{}
	var order []decl
	for _, d := range p.decls {
		_, entity := p.annotated(d.mods, in.entity)
		_, base := p.annotated(d.mods, baseAnnotations)
		if isType(d.kind) && (entity || base) {
			tables[d.name] = &ddl.Table{Name: d.name, Line: int(p.line(d.head.From))}
			order = append(order, d)
			continue
		}
		t := tables[d.scope]
		if _, not := p.annotated(d.mods, transient); t == nil || d.kind != source.Field || d.mods.bits&static != 0 || not {
			continue
		}
		t.Columns = append(t.Columns, p.mappedField(d))
	}
	var out []source.Fact
	for _, d := range order {
		t := tables[d.name]
		if a, ok := p.annotated(d.mods, in.table); ok {
			for attribute, at := range p.attributes(a) {
				if nameAttributes[attribute] {
					t.Stored = p.single(at)
				}
			}
		}
		f := t.Fact(in.library)
		f.ID, f.Of = d.name, p.extends(d)
		if _, entity := p.annotated(d.mods, in.entity); !entity {
			f.Usage = source.Hidden
		}
		out = append(out, f)
	}
	return out
}

func (p *parser) extends(d decl) string {
	for i := d.head.From; i+1 < d.head.To; i++ {
		if p.isWord(i, "extends") {
			name, _ := p.dotted(i + 1)
			return p.shown(name)
		}
	}
	return ""
}

func (p *parser) mappedField(d decl) ddl.Column {
	var typ strings.Builder
	for i := d.head.From; i < d.head.To; i++ {
		typ.WriteString(p.text(i))
	}
	c := ddl.Column{Name: d.name[strings.LastIndexByte(d.name, '.')+1:], Type: p.shown(strings.ReplaceAll(typ.String(), ",", ", "))}
	_, elsewhere := p.annotated(d.mods, map[string]bool{"OneToMany": true, "ManyToMany": true}) // the columns are in another table
	for _, a := range p.annotations(d.mods) {
		switch {
		case elsewhere:
		case a.name == "Id" || a.name == "EmbeddedId":
			c.Key, c.NotNull = true, true
		case referring[a.name]:
			c.Refers = c.Type
		case columnAnnotation[a.name]:
			for attribute, at := range p.attributes(a) {
				switch attribute {
				case "name", "value":
					c.Stored = p.single(at)
				case "nullable":
					c.NotNull = p.isWord(at.From, "false")
				case "unique":
					c.Unique = p.isWord(at.From, "true")
				}
			}
		}
	}
	return c
}
