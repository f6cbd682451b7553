package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// positional is an argument of a command that has no dashes.
type positional struct {
	name     string // as users see it
	optional bool
	many     bool
}

// usage is the argument in a usage line.
func (p positional) usage() string {
	text := p.name
	if p.many {
		text += "..."
	}
	if p.optional {
		text = "[" + text + "]"
	}
	return text
}

// take adds an argument to the usage line of a command of the file. One of a parameter's parser belongs to no command that is known.
func (c *commander) take(p positional, of string) {
	for i := len(c.facts) - 1; i >= 0 && p.name != ""; i-- {
		if f := &c.facts[i]; f.Kind == source.Command && f.ID == of {
			if f.Usage != source.Hidden {
				f.Usage = strings.TrimSpace(f.Usage + " " + p.usage())
			}
			return
		}
	}
}

// clickArgument reads click.argument("name", nargs=-1, required=False, metavar="X").
func (c *commander) clickArgument(open int, of string) {
	var p positional
	required := false
	for n, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case a.key == "" && n == 0 && ok:
			p.name = strings.ToUpper(text)
		case a.key == "metavar" && ok:
			p.name = text
		case a.key == "nargs":
			p.many = !c.is(a.from, a.to, "1")
			p.optional = p.optional || c.is(a.from, a.to, "-")
		case a.key == "required":
			required = c.is(a.from, a.to, "True")
			p.optional = p.optional || !required
		case a.key == "default" && !c.is(a.from, a.to, "None"):
			p.optional = true
		}
	}
	p.optional = p.optional && !required
	c.take(p, of)
}

// parserArgument reads parser.add_argument("name", nargs="?", metavar="X") where the name has no dashes.
func (c *commander) parserArgument(name string, open int, of string) {
	p := positional{name: name}
	for _, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case a.key == "metavar" && ok:
			p.name = text
		case a.key == "nargs":
			p.optional = ok && (text == "?" || text == "*")
			p.many = ok && (text == "*" || text == "+" || text == "...") || !ok
		}
	}
	c.take(p, of)
}
