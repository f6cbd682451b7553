package java

import (
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

var (
	// mapping annotations give a type the keys below a prefix: of Spring, and of MicroProfile and Quarkus.
	mapping = map[string]bool{"ConfigurationProperties": true, "ConfigMapping": true}
	// asked annotations name the key of a field or a parameter.
	asked       = map[string]bool{"Value": true, "ConfigProperty": true, "ConditionalOnProperty": true}
	renaming    = map[string]bool{"WithName": true, "Name": true}
	defaulting  = map[string]bool{"WithDefault": true, "DefaultValue": true}
	placeholder = lazyregexp.New(`^[$]\{([^:{}]+)(?::([^{}]*))?\}$`)
)

// configuration finds the keys of types with a prefix, and of fields and parameters that name a key.
func (p *parser) configuration() []source.Fact {
	words := []string{"ConfigurationProperties", "ConfigMapping", "@Value", "@ConfigProperty", "@ConditionalOnProperty", "void set"}
	if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(p.src, word) }) {
		return nil
	}
	p.lombok = strings.Contains(p.src, "lombok.")
	out := p.keysAsked()
	types, quarkus := map[string]bool{}, map[string]bool{}
	members := map[string][]*decl{} // by scope
	p.literals = map[string]*decl{}
	for i := range p.decls {
		d := &p.decls[i]
		members[d.scope] = append(members[d.scope], d)
		if d.mods.bits&static != 0 && d.value.To-d.value.From == 2 && p.kind(d.value.From+1) != word {
			p.literals[d.name] = d
		}
		if isType(d.kind) {
			types[d.name] = true
		}
		if a, ok := p.annotated(d.mods, mapping); ok && (isType(d.kind) || d.kind == source.Method && p.typeOf(d) != "void") {
			of, typ := d.name, ""
			if isType(d.kind) {
				quarkus[d.name] = a.name == "ConfigMapping"
			} else {
				of, typ = p.typeOf(d), p.typeOf(d)
			}
			prefix := ""
			for attribute, at := range p.attributes(a) {
				if attribute == "prefix" || attribute == "value" {
					prefix = p.single(at)
				}
			}
			line := int(p.line(d.head.From))
			out = append(out, source.Fact{Kind: source.Config, ID: d.name + ".prefix", Of: source.Program, Line: line},
				source.Fact{Kind: source.Config, ID: of, Of: d.name + ".prefix", Name: prefix, Value: typ, Line: line})
		}
	}
	settable := map[string]bool{}
	for i := range p.decls {
		d := &p.decls[i]
		out = append(out, p.bean(d, members[d.name], quarkus, settable)...)
	}
	for i := range p.decls {
		d := &p.decls[i]
		required, mapped := false, false
		for scope := d.scope; scope != "" && !mapped; scope = scope[:max(strings.LastIndexByte(scope, '.'), 0)] {
			required, mapped = quarkus[scope]
		}
		if !mapped || d.kind != source.Method && d.kind != source.Field || d.mods.bits&static != 0 || d.kind == source.Method != required {
			continue
		}
		if settable[d.scope] && (!settable[d.name] || helper.MatchString(p.typeOf(d))) || p.text(d.all.To-1) == "}" { // a method with a body, or an initializer that opens a block
			continue
		}
		out = append(out, p.keyOf(d, types, required))
	}
	return out
}

// bean notes the fields with a setter of a class whose instances may get their configuration from a method elsewhere: it has a
// constructor with parameters, or the name of a configuration. What it extends has keys, too.
func (p *parser) bean(d *decl, members []*decl, mapped, settable map[string]bool) (out []source.Fact) {
	if _, is := mapped[d.name]; is || d.kind != source.Class || dataName.MatchString(d.name) {
		return nil
	}
	simple, made := d.name[strings.LastIndexByte(d.name, '.')+1:], surface.IsConfigName(d.name) || strings.HasSuffix(d.name, "Properties")
	var fields []string
	for _, m := range members {
		name := strings.TrimPrefix(m.name, d.name+".")
		made = made || name == simple && m.components > 0 && p.kind(m.components+1) != ')'
		if rest, is := strings.CutPrefix(name, "set"); is && m.kind == source.Method && rest != "" {
			fields = append(fields, d.name+"."+strings.ToLower(rest[:1])+rest[1:])
		}
	}
	if !made || len(fields) == 0 {
		return nil
	}
	mapped[d.name], settable[d.name] = false, true
	for _, f := range fields {
		settable[f] = true
	}
	for i := d.head.From; i < d.head.To; i++ {
		if p.isWord(i, "extends") {
			out = append(out, source.Fact{Kind: source.Config, ID: p.text(i + 1), Of: d.name, Line: int(p.line(i))})
		}
	}
	return out
}

// dataName matches the names of classes with data.
var dataName = lazyregexp.New(`(?:Exception|Error|Event|Entity|Dto|DTO|VO|Vo|Request|Response|Result|Model|Builder|Message)$`)

// helper matches the types of values that no configuration holds.
var helper = lazyregexp.New(`(?:Template|Client|Repository|Factory|Converter|Handler|Service|Sender|Mapper)$`)

// typeOf returns the type of a field or method.
func (p *parser) typeOf(d *decl) string {
	name := d.name[strings.LastIndexByte(d.name, '.')+1:]
	var typ strings.Builder
	for i := d.head.From; i < d.head.To && !(p.kind(i+1) == '(' && p.isWord(i, name)); i++ {
		typ.WriteString(p.text(i))
	}
	return typ.String()
}

// longestList bounds the text of a default that is a list, in bytes.
const longestList = 200

// initial returns the value of a field: a literal, a list of them, or a constant of the file. A value is "" if it is none.
func (p *parser) initial(d *decl) (text string, ok bool) {
	from, to := d.value.From+1, d.value.To
	if p.kind(from) == '{' {
		for i := from + 1; i < to-1; i++ {
			if text += strings.Trim(p.text(i), `"`); p.kind(i) == word || len(text) > longestList {
				return "", false
			}
		}
		return text, true
	}
	if to-from != 1 {
		return "", false
	}
	text = strings.Trim(p.text(from), `"`)
	if p.kind(from) != word || text == "true" || text == "false" {
		return text, true
	}
	if c := p.literals[d.scope+"."+text]; c != nil {
		return strings.Trim(p.text(c.value.From+1), `"`), true
	}
	return "", text == "null"
}

// keyOf returns the key of a field of a class, or of a method of an interface.
func (p *parser) keyOf(d *decl, types map[string]bool, required bool) source.Fact {
	name := d.name[strings.LastIndexByte(d.name, '.')+1:]
	f := source.Fact{Kind: source.Config, Of: d.scope, Name: kebab(name), Value: p.shown(strings.ReplaceAll(p.typeOf(d), ",", ", ")), Line: int(p.line(d.head.From))}
	if rest, is := strings.CutPrefix(name, "is"); is && f.Value == "boolean" && rest != "" && unicode.IsUpper(rune(rest[0])) && p.lombok {
		f.Name = kebab(strings.ToLower(rest[:1]) + rest[1:]) // Lombok names the property after the getter
	}
	f.Help = markdown.Setting(p.doc(d.all.From), "java")
	if a, ok := p.annotated(d.mods, renaming); ok {
		for _, at := range p.attributes(a) {
			f.Name = p.single(at)
		}
	}
	for scope := d.scope; ; { // a type that is declared around the key
		if types[scope+"."+f.Value] {
			f.ID = scope + "." + f.Value
		}
		at := strings.LastIndexByte(scope, '.')
		if f.ID != "" || at < 0 {
			break
		}
		scope = scope[:at]
	}
	if f.ID == "" && types[f.Value] {
		f.ID = f.Value
	}
	a, defaults := p.annotated(d.mods, defaulting)
	switch {
	case defaults:
		for _, at := range p.attributes(a) {
			f.Default = p.single(at)
		}
	case d.value.To > d.value.From:
		if text, ok := p.initial(d); ok {
			f.Default = text
		} else if f.ID == "" {
			f.Usage = source.Computed
		}
	case required && f.ID == "" && !strings.HasPrefix(f.Value, "Optional"):
		f.Usage = source.Required
	}
	return f
}

// keysAsked finds @Value("${key:default}"), @ConfigProperty(name = "key", defaultValue = "default") and the keys of conditions.
func (p *parser) keysAsked() (out []source.Fact) {
	const values = "values.of.the.file" // no type has such a name
	for i := int32(0); int(i) < len(p.toks); i++ {
		if p.kind(i) != '@' || p.kind(i+1) != word || !asked[p.text(i+1)] || p.kind(i+2) != '(' {
			continue
		}
		f, prefix := source.Fact{Kind: source.Config, Of: values, Line: int(p.line(i))}, ""
		for attribute, at := range p.attributes(annotation{span: span{From: i, To: max(i+3, p.ends[i+2])}, args: i + 2}) {
			switch text := p.single(at); attribute {
			case "value":
				if m := placeholder.FindStringSubmatch(text); m != nil {
					f.Name, f.Default = m[1], m[2]
				} else if p.text(i+1) != "Value" {
					f.Name = text
				}
			case "prefix":
				prefix = strings.TrimSuffix(text, ".") + "."
			case "name":
				f.Name = text
			case "defaultValue":
				f.Default = text
			}
		}
		if f.Name == "" || prefix == "." {
			continue
		}
		f.Name = prefix + f.Name
		if out == nil {
			out = append(out, source.Fact{Kind: source.Config, ID: values, Of: source.Program, Line: f.Line})
		}
		out = append(out, f)
	}
	return out
}

// kebab returns a name in the form of configuration files: maxAge is max-age.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
