package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// predeclared name no declaration of a repository.
var predeclared = map[string]bool{
	"void": true, "boolean": true, "byte": true, "short": true, "char": true, "int": true, "long": true,
	"float": true, "double": true, "var": true, "String": true, "Object": true,
}

// beforeType are the words that a type follows rather than a name that is being declared.
var beforeType = map[string]bool{
	"extends": true, "implements": true, "throws": true, "super": true, "permits": true, "new": true,
	"instanceof": true, "default": true, "final": true,
}

// beforeName are the words after which a declaration gives its own name.
var beforeName = map[string]bool{"class": true, "interface": true, "enum": true, "record": true}

// refs are the names in the interface of a declaration that may be declared elsewhere.
func (p *parser) refs(c decl) []string {
	notes, _, _ := p.header(c)
	var out []string
	for _, s := range notes {
		out = p.names(s, true, out)
	}
	head := c.head
	if c.kind == source.Method && c.components == head.From+1 || head.To == head.From+1 && c.components == 0 && c.declared.To == 0 {
		head.From++ // a constructor's own name
	}
	out = p.names(head, false, out)
	if p.showsValue(c) {
		out = p.names(c.value, true, out)
	}
	for _, m := range c.members {
		out = p.names(span{From: m.From, To: m.To - 1}, true, out)
	}
	return sortedUnique(out)
}

// names collects the qualified names in s. Left out are the attributes of annotations and, outside of expressions,
// names that are being declared: those that follow a type.
func (p *parser) names(s span, expression bool, out []string) []string {
	noted := false // the chain before was the name of an annotation
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
		selected := p.kind(from-1) == '.' // from what is no name: a call, type arguments
		declares := p.kind(i+1) == '=' || from > s.From && !expression && !noted && !isNote && p.declares(from)
		if name := p.chain(from, i); name != "" && !declares && !selected {
			out = append(out, name)
		}
		noted = isNote
	}
	return out
}

// declares reports whether the word at i is a name that its declaration introduces.
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

// chain is the qualified name from token from to token to, "" when it names nothing that a repository declares.
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
