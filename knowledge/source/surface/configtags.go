package surface

import (
	"reflect"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

func tags(f *Node) reflect.StructTag { return reflect.StructTag(f.Key) }

// structType reads the tags of a type's fields.
func (p *interpreter) structType(typ *Node) {
	switch {
	case typ == nil:
	case typ.Kind == Class:
		if !p.built[typ] {
			p.built[typ] = true
			p.tagFields(typ.Body, "", 0)
		}
	case typ.Kind == Operator:
		for _, a := range typ.Args {
			p.structType(a)
		}
	}
}

// configuration adds the keys that the tags of types declare, if a file certainly has them.
func (p *interpreter) configuration() {
	inside := p.insideDecoded()
	for _, n := range p.Body {
		if n.Kind != Class || len(n.Body) == 0 || n.Key != "" {
			continue
		}
		own := p.configTag(n)
		loose := own == p.ConfigTags[len(p.ConfigTags)-1] // also of other data
		config, decoded := isConfigType(n.Text), p.decoded[n.Text]
		if own == "" || loose && !(decoded && config || inside[n.Text]) {
			continue
		}
		if !loose && config || decoded && (config || isConfigType(p.Package)) {
			p.tell(source.Fact{Kind: source.Config, ID: n.Text, Of: source.Program}, n)
		}
		p.keys(n.Text, "", n.Body, 0)
	}
}

// configTag returns the first tag for keys that the fields of a type have, or "".
func (p *interpreter) configTag(class *Node) string {
	for _, tag := range p.ConfigTags {
		if slices.ContainsFunc(class.Body, func(f *Node) bool { _, ok := tags(f).Lookup(tag); return ok }) {
			return tag
		}
	}
	return ""
}

// insideDecoded returns the types of the file that a decoded configuration holds.
func (p *interpreter) insideDecoded() map[string]bool {
	out := map[string]bool{}
	var list []string
	for name := range p.decoded {
		if isConfigType(name) {
			list = append(list, name)
		}
	}
	for ; len(list) > 0; list = list[1:] {
		class := p.classes[list[0]]
		if class == nil {
			continue
		}
		for _, f := range class.Body {
			p.Step()
			typ, _ := elementOf(f.Type)
			if id := p.typeID(typ); p.classes[id] != nil && !out[id] {
				out[id] = true
				list = append(list, id)
			}
		}
	}
	return out
}

// elementOf returns the type of the elements of a list or map, and what stands for one in the path of a key.
func elementOf(typ *Node) (of *Node, as string) {
	if of = pointed(typ); of.Kind == Operator && len(of.Args) > 0 {
		switch of.Text {
		case "[]":
			return pointed(of.Args[0]), "[]"
		case "map":
			return pointed(of.Args[len(of.Args)-1]), ".*"
		}
	}
	return of, ""
}

// isDefault reports whether the name of a variable or constant says that it has defaults.
func isDefault(name string) bool {
	lower := strings.ToLower(name)
	return strings.Contains(lower, "default") || isConfigType(name) || strings.HasSuffix(lower, "preferences")
}

func isConfigType(name string) bool {
	return IsConfigName(name) || endsIn(strings.ToLower(name), "options", "conf")
}

// keys adds the fields of a type or a nested struct.
func (p *interpreter) keys(of, prefix string, fields []*Node, depth int) {
	names := map[string]bool{}
	for i, f := range fields {
		key, options := "", ""
		for _, tag := range p.ConfigTags {
			if text, ok := tags(f).Lookup(tag); ok {
				key, options, _ = strings.Cut(text, ",")
				break
			}
		}
		if key == "" && f.Text != "" && f.Type.Kind == Class && options == "" && p.configTag(f.Type) != "" {
			key = strings.ToLower(f.Text) // decoders find it without a tag
		}
		inline := strings.Contains(options, "inline") || strings.Contains(options, "squash") || f.Text == "" && key == ""
		if key == "-" || key == "" && !inline {
			continue
		}
		if inline {
			key = ""
		}
		if f.Type.Kind == Class && depth < mostNested {
			below := prefix
			if !inline {
				below += key + "."
			}
			p.keys(of, below, f.Type.Body, depth+1)
			continue
		}
		typ, as := elementOf(f.Type)
		fact := source.Fact{Kind: source.Config, Name: prefix + key, Of: of, ID: p.typeID(typ), Also: as, Value: p.typeText(f.Type), Help: markdown.FirstSentence(p.docOf(i, fields, names))}
		if p.Basic[fact.ID] || fact.ID == "" {
			fact.ID, fact.Also = "", ""
		}
		for _, form := range append(p.TagForms, TagForm{Value: "default"}) {
			if fact.Default == "" {
				fact.Default = tags(f).Get(form.Value)
			}
		}
		if inline {
			if fact.ID == "" || prefix != "" {
				continue
			}
			if options == "" || !strings.Contains(fact.Value, ".") {
				fact.Value = ""
			}
		}
		p.tell(fact, f)
	}
}

func (p *interpreter) typeText(typ *Node) string {
	typ = pointed(typ)
	text := p.Src[typ.From:typ.To]
	if len(text) > longestType || slices.ContainsFunc([]string{"func", "chan", "<-", "interface"}, func(word string) bool { return strings.HasPrefix(text, word) }) {
		return ""
	}
	if of, _, ok := strings.Cut(text, "struct {"); ok {
		return of + "struct"
	}
	return p.Written(typ)
}

// decodes records the types of the variables that a call reads from a configuration: yaml.Unmarshal(b, &c).
func (p *interpreter) decodes(n *Node) {
	if n.X.Kind != Member || !p.Decodes[n.X.Text] {
		return
	}
	x := n.X.X
	for left := longestName; left > 0 && (x.Kind == Call || x.Kind == Member); left-- {
		x = x.X
	}
	if x.Kind != Name || !(p.Decoders[x.Text] && p.Imports[x.Text] || x.Text == "v" && p.Imports["viper"]) {
		return
	}
	for _, a := range n.Args {
		if a.Kind == Operator && len(a.Args) == 1 {
			a = a.Args[0]
		}
		if h := p.locals[a.Text]; a.Kind == Name && h != nil && h.typ != "" {
			p.decoded[h.typ] = true
		}
	}
}

// holds records the values of constants named after a default, and of the fields of configuration variables: flags in
// other files may use them as defaults.
func (p *interpreter) holds() {
	changed := map[string]bool{}
	told := 0
	tell := func(id string, value *Node) {
		if value == nil || value.To-value.From > longestCell || told == mostRows {
			return
		}
		if text := p.defaultOf(value); text != "" {
			told++
			p.tell(source.Fact{Kind: source.Holds, ID: id, Default: text}, value)
		}
	}
	for _, n := range p.Body {
		if n.Kind == Func && n.Text == p.Initial {
			p.everywhere(func(c *Node) {
				for _, to := range c.Args {
					if to.Kind == Member {
						to = to.X
					}
					changed[to.Text] = changed[to.Text] || c.Kind == Bind && c.Text == "="
				}
			}, n)
		}
	}
	for _, n := range p.Body {
		if n.Kind != Bind || n.X == nil || len(n.Args) != 1 {
			continue
		}
		name := n.Args[0].Text
		constant := n.Text == "const"
		switch {
		case !isDefault(name), constant && !strings.Contains(strings.ToLower(name), "default"):
		case constant:
			tell(name, n.X)
		case !changed[name]:
			lit := n.X
			if lit.Kind == Call && lit.X.Kind == Name {
				lit = p.makers[lit.X.Text]
			}
			for i := 0; isLiteral(lit) && i < len(lit.Args); i++ {
				if a := lit.Args[i]; a.Kind == Bind && a.Args[0].Kind == Name {
					tell(name+"."+a.Key, a.X)
				}
			}
		}
	}
}
