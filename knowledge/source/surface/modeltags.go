package surface

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

// TagModel describes a library that takes structs with tags for tables.
type TagModel struct {
	Library, Tag string
	Base         string       // an embedded struct with columns of its own
	Columns      []ddl.Column // of the base
	Table        string       // method that returns the name of the table
	Rows         string       // type of a column that looks like a list
	Spaced       bool         // settings are words without a colon, and a quoted one is the name of the column
}

// tagModels reads the structs of the file that are models: with the base, or with a tag.
func (p *interpreter) tagModels() {
	for _, rule := range p.TagModels {
		if !strings.Contains(p.Src, rule.Tag) || strings.HasPrefix(p.Package, "migration") { // of earlier states
			continue
		}
		stored, part := map[string]string{}, map[string]bool{} // of another model
		for _, n := range p.Body {
			for _, f := range n.Body {
				if n.Kind == Class && (f.Text == "" || rule.settings(f)["embedded"] != "") {
					part[last(plain(f.Type))] = true
				}
			}
			if owner, method, _ := cutLast(n.Text); n.Kind == Func && method == rule.Table && len(n.Body) == 1 && n.Body[0].Kind == Return && n.Body[0].X != nil {
				stored[owner], _ = p.text(n.Body[0].X)
			}
		}
		for _, n := range p.Body {
			if n.Kind != Class || !p.isModel(rule, n, 0) || rule.Spaced && stored[n.Text] == "" && !rule.keeps(n) {
				continue
			}
			t := ddl.Table{Name: n.Text, Stored: stored[n.Text], Line: int(n.Line)}
			joins := map[string]string{}
			t.Columns = p.columns(rule, n, joins, 0)
			fact := t.Fact(rule.Library)
			p.count(&fact)
			if fact.ID, fact.Line = n.Text, int(n.Line); t.Stored == "" && (part[n.Text] && !t.IsModel() || n.Key != "") {
				fact.Usage = source.Hidden
			}
			p.facts = append(p.facts, fact)
			for _, name := range slices.Sorted(maps.Keys(joins)) {
				if between := (ddl.Table{Name: name, About: "Joins " + n.Text + " and " + joins[name], Line: t.Line}); fact.Usage == "" {
					p.facts = append(p.facts, between.Fact(rule.Library))
				}
			}
		}
	}
}

// pointed returns a type without its pointer.
func pointed(typ *Node) *Node {
	if typ != nil && typ.Kind == Operator && typ.Text == "*" {
		return typ.Args[0]
	}
	return typ
}

// plain returns a type without its pointer, its type arguments and the list around it.
func plain(typ *Node) *Node {
	for left := longestName; typ != nil && left > 0; left-- {
		switch {
		case typ.Kind == Operator && typ.Text != "map":
			typ = typ.Args[0]
		case (typ.Kind == Unknown || typ.Kind == Index) && typ.X != nil:
			typ = typ.X
		default:
			return typ
		}
	}
	return nil
}

func (p *interpreter) isModel(rule TagModel, n *Node, depth int) bool {
	return n != nil && depth < mostNested && slices.ContainsFunc(n.Body, func(f *Node) bool {
		p.Step()
		_, tagged := tags(f).Lookup(rule.Tag)
		return tagged || f.Text == "" && (rule.Base != "" && Dotted(f.Type) == rule.Base || p.isModel(rule, p.classes[last(plain(f.Type))], depth+1))
	})
}

// keeps reports whether a struct without the name of a table is one: it has a key, and extends no other.
func (rule TagModel) keeps(n *Node) bool {
	key := false
	for _, f := range n.Body {
		said := rule.settings(f)
		if said["embedded"] != "" {
			return false
		}
		key = key || said["primarykey"] != ""
	}
	return key
}

// columns returns the columns of a struct, and adds the tables that join it with others.
func (p *interpreter) columns(rule TagModel, n *Node, joins map[string]string, depth int) (out []ddl.Column) {
	refers := map[string]string{}
	defer func() {
		for i := range out {
			out[i].Refers = cmp.Or(refers[out[i].Name], out[i].Refers)
		}
	}()
	for _, f := range n.Body {
		p.Step()
		typ := pointed(f.Type)
		said := rule.settings(f)
		class, inner := p.classes[last(typ)], last(plain(typ))
		if key := said["foreignkey"]; key != "" && typ.Kind != Operator {
			refers[key] = last(typ)
		}
		switch {
		case said["-"] != "":
		case f.Text == "" && rule.Base != "" && Dotted(typ) == rule.Base:
			out = append(out, rule.Columns...)
		case f.Text == "" || said["embedded"] != "":
			own, prefix := p.classes[inner], said["embeddedprefix"]
			if own == nil && inner != "" {
				out = append(out, ddl.Column{Name: cmp.Or(f.Text, inner), Type: p.Written(f.Type), Stored: prefix, Embeds: inner})
			} else if own != nil && depth < mostNested {
				for _, c := range p.columns(rule, own, joins, depth+1) {
					p.Steps(stepsOfColumn)
					out = append(out, c.Within(f.Text, p.Written(f.Type), prefix))
				}
			}
		case said["many2many"] != "":
			joins[said["many2many"]] = inner
		case f.Text[0] < 'A' || f.Text[0] > 'Z', said["foreignkey"] != "", said["polymorphic"] != "":
		case said["type"] == "" && said["serializer"] == "" && (typ.Kind == Operator && p.Written(typ) != rule.Rows || class != nil && len(class.Body) > 0): // another model
		default:
			c := ddl.Column{Name: f.Text, Type: p.Written(f.Type), Stored: said["column"], Default: said["default"], About: said["comment"]}
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

// settings returns the settings in the tag of a field.
func (rule TagModel) settings(f *Node) map[string]string {
	tag := tags(f).Get(rule.Tag)
	if !rule.Spaced {
		return settingsOf(tag)
	}
	out, words := map[string]string{}, strings.Fields(tag)
	for i := 0; i < len(words); i++ {
		word := strings.ToLower(words[i])
		name, _, _ := strings.Cut(word, "(")
		switch as, known := spaced[name]; {
		case len(word) > 2 && word[0] == '\'':
			out["column"] = strings.Trim(words[i], "'")
		case name == "default" && i+1 < len(words):
			i++
			out["default"] = strings.Trim(words[i], "'")
		case name == "not" && i+1 < len(words):
			i++
			out["not null"] = word
		case known && as != "":
			out[as] = word
		case !known && out["type"] == "":
			out["type"] = words[i]
		}
	}
	return out
}

// spaced are the words of XORM as settings of GORM; empty if they say nothing about a column. Others are types.
var spaced = map[string]string{
	"pk": "primarykey", "unique": "unique", "notnull": "not null", "extends": "embedded", "-": "-", "null": "", "index": "", "autoincr": "", "created": "", "updated": "",
	"deleted": "", "version": "", "comment": "", "collate": "", "<-": "", "->": "", "utc": "", "local": "", "nocache": "", "cache": "",
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
