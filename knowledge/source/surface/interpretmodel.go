package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
)

// TagModel describes a library that takes structs with tags for tables.
type TagModel struct {
	Library, Tag string
	Base         string       // an embedded struct with columns of its own
	Columns      []ddl.Column // of the base
	Table        string       // method that returns the name of the table
	Rows         string       // type of a column that looks like a list
}

// tagModels reads the structs of the file that are models: with the base, or with a tag.
func (p *interpreter) tagModels() {
	for _, rule := range p.TagModels {
		if !strings.Contains(p.Src, rule.Tag) {
			continue
		}
		stored, part := map[string]string{}, map[string]bool{} // of another model
		for _, n := range p.Body {
			for _, f := range n.Body {
				if n.Kind == Class && f.Text == "" {
					part[last(f.Type)] = true
				}
			}
			if owner, method, _ := cutLast(n.Text); n.Kind == Func && method == rule.Table && len(n.Body) == 1 && n.Body[0].Kind == Return && n.Body[0].X != nil {
				stored[owner], _ = p.text(n.Body[0].X)
			}
		}
		for _, n := range p.Body {
			if n.Kind == Class && !part[n.Text] && p.isModel(rule, n, 0) {
				t := ddl.Table{Name: n.Text, Stored: stored[n.Text], Line: int(n.Line), Columns: p.columns(rule, n, 0)}
				fact := t.Fact(rule.Library)
				fact.ID, fact.Line = n.Text, int(n.Line)
				p.facts = append(p.facts, fact)
			}
		}
	}
}

// deepestModel bounds the structs that embed each other.
const deepestModel = 8

func (p *interpreter) isModel(rule TagModel, n *Node, depth int) bool {
	return n != nil && depth < deepestModel && slices.ContainsFunc(n.Body, func(f *Node) bool {
		_, tagged := tags(f).Lookup(rule.Tag)
		return tagged || f.Text == "" && (Dotted(f.Type) == rule.Base || p.isModel(rule, p.classes[last(f.Type)], depth+1))
	})
}

func (p *interpreter) columns(rule TagModel, n *Node, depth int) (out []ddl.Column) {
	refers := map[string]string{}
	defer func() {
		for i := range out {
			out[i].Refers = refers[out[i].Name]
		}
	}()
	for _, f := range n.Body {
		typ := f.Type
		pointer := typ != nil && typ.Kind == Operator && typ.Text == "*"
		if pointer {
			typ = typ.Args[0]
		}
		said := settingsOf(tags(f).Get(rule.Tag))
		class := p.classes[last(typ)]
		if key := said["foreignkey"]; key != "" && typ.Kind != Operator {
			refers[key] = last(typ)
		}
		switch {
		case f.Text == "" && Dotted(typ) == rule.Base:
			out = append(out, rule.Columns...)
		case f.Text == "" || said["embedded"] != "":
			if class != nil && depth < deepestModel {
				out = append(out, p.columns(rule, class, depth+1)...)
			}
		case f.Text[0] < 'A' || f.Text[0] > 'Z', said["-"] != "", said["foreignkey"] != "", said["many2many"] != "", said["polymorphic"] != "":
		case said["type"] == "" && said["serializer"] == "" && (typ.Kind == Operator && p.written(typ) != rule.Rows || class != nil && len(class.Body) > 0): // another model
		default:
			c := ddl.Column{Name: f.Text, Type: p.written(f.Type), Stored: said["column"], Default: said["default"], About: said["comment"]}
			c.Key = said["primarykey"] != "" || said["primary_key"] != ""
			c.Unique = said["unique"] != "" || said["uniqueindex"] != ""
			c.NotNull = said["not null"] != "" || c.Key
			if said["type"] != "" {
				c.Type = said["type"]
			}
			out = append(out, c)
		}
	}
	return out
}

func (p *interpreter) written(n *Node) string {
	if n == nil || int(n.To) > len(p.Src) || n.From >= n.To {
		return Dotted(n)
	}
	return p.Written(n)
}

// settingsOf splits a tag such as "column:name;not null" by its names in lower case. A name alone has itself as value.
func settingsOf(tag string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(tag, ";") {
		name, value, ok := strings.Cut(part, ":")
		if name = strings.ToLower(strings.TrimSpace(name)); !ok {
			value = name
		}
		if name != "" {
			out[name] = strings.TrimSpace(value)
		}
	}
	return out
}
