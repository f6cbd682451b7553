package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// predeclared are names that no repository declares.
var predeclared = map[string]bool{
	"void": true, "boolean": true, "byte": true, "short": true, "char": true, "int": true, "long": true,
	"float": true, "double": true, "var": true, "String": true, "Object": true,
}

// beforeType are words followed by a type rather than a declared name.
var beforeType = map[string]bool{
	"extends": true, "implements": true, "throws": true, "super": true, "permits": true, "new": true,
	"instanceof": true, "default": true, "final": true,
}

// beforeName are words followed by the declared name.
var beforeName = map[string]bool{"class": true, "interface": true, "enum": true, "record": true}

func (p *parser) refs(c decl) []string {
	notes, _, _ := p.header(c)
	var out []string
	for _, s := range notes {
		out = p.names(s, true, out)
	}
	head := c.head
	if c.kind == source.Method && c.components == head.From+1 || head.To == head.From+1 && c.components == 0 && c.declared.To == 0 {
		head.From++ // a constructor's name
	}
	out = p.names(head, false, out)
	if p.showsValue(c) {
		out = p.names(c.value, true, out)
	}
	for _, m := range c.members {
		out = p.names(span{From: m.From, To: m.To - 1}, true, out)
	}
	return source.Unique(out)
}

// names collects the qualified names in s, except annotation attributes and, outside expressions, declared names,
// which follow a type.
func (p *parser) names(s span, expression bool, out []string) []string {
	noted := false // the previous chain was an annotation's name
	for i := s.From; i < s.To; i++ {
		if p.kind(i) != word {
			noted = noted && p.kind(i) == '.'
			continue
		}
		from := i
		for i+2 < s.To && p.kind(i+1) == '.' && p.kind(i+2) == word {
			i += 2
		}
		isNote := p.kind(from-1) == '@' && !beforeName[p.text(from)]
		selected := p.kind(from-1) == '.' // selected from a call or type arguments
		declares := p.kind(i+1) == '=' || from > s.From && !expression && !noted && !isNote && p.declares(from)
		if name := p.chain(from, i); name != "" && !declares && !selected {
			out = append(out, name)
		}
		noted = isNote
	}
	return out
}

func (p *parser) declares(i int32) bool {
	switch p.kind(i - 1) {
	case word:
		before := p.text(i - 1)
		return beforeName[before] || !beforeType[before] && modifierBits[before] == 0
	case '>', ']':
		return p.kind(i+1) != '.'
	case operator:
		return p.text(i-1) == "..."
	}
	return false
}

// chain returns the qualified name of the tokens, or "" if no repository declares it.
func (p *parser) chain(from, to int32) string {
	first := p.text(from)
	if reserved[first] || predeclared[first] || beforeName[first] || beforeType[first] {
		return ""
	}
	if from == to {
		return p.name(from)
	}
	var b strings.Builder
	for i := from; i <= to; i += 2 {
		if s := p.text(i); reserved[s] {
			break // X.class, X.this
		}
		if i > from {
			b.WriteByte('.')
		}
		b.WriteString(p.name(i))
	}
	return b.String()
}
