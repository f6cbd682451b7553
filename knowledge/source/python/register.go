package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// registrations adds what the file gives to registries when it is imported: by a decorator, or by a call that is a statement of its
// own or the value of a variable. What stands in a block may not be done at all.
func (x *reader) registrations() {
	if !strings.Contains(x.src, "register") {
		return
	}
	c := &commander{reader: x}
	var waiting []int
	for i, l := range x.lines {
		first, end := int(l.first), int(l.end)
		switch {
		case l.level > 0 || first >= end:
			continue
		case c.is(first, end, "@"):
			waiting = append(waiting, i)
			continue
		}
		head := first
		if c.is(head, end, "async") {
			head++
		}
		switch {
		case (c.is(head, end, "def") || c.is(head, end, "class")) && c.isName(head+1, end):
			for _, d := range waiting {
				at := int(x.lines[d].first)
				c.registration(at+1, int(x.lines[d].end), c.text(head+1), at)
			}
		case c.isName(first, end) && c.is(first+1, end, "="):
			c.statementCall(first+2, end)
		default:
			c.statementCall(first, end)
		}
		waiting = nil
	}
}

// statementCall reads a statement, or a value, that is a call.
func (c *commander) statementCall(i, end int) {
	if _, next := c.dottedName(i, end); c.is(next, end, "(") {
		c.registration(i, end, "", i)
	}
}

// registration reads the function that is named at token i, with the arguments behind it, if there are any.
func (c *commander) registration(i, end int, what string, at int) {
	name, next := c.dottedName(i, end)
	if !c.is(next, end, "(") {
		next = -1
	}
	c.registered(name, next, what, at)
}

// longestChain is how many elements a dotted name has that anything is registered with.
const longestChain = 24

// dottedName reads a dotted name, and returns where it ends.
func (c *commander) dottedName(i, end int) (name string, next int) {
	if !c.isName(i, end) {
		return "", i
	}
	name = c.text(i)
	i++
	for range longestChain {
		if !c.is(i, end, ".") || !c.isName(i+1, end) {
			break
		}
		name += "." + c.text(i+1)
		i += 2
	}
	return name, i
}

// registered notes a registration with a function, with the arguments behind a bracket, if there is one. A decorator registers what it
// stands above.
func (c *commander) registered(registry string, open int, what string, at int) {
	verb := registry[strings.LastIndexByte(registry, '.')+1:]
	if _, mounts := mounting[verb]; mounts || verb != "register" && !strings.HasPrefix(verb, "register_") {
		return // routes are told of as such
	}
	f := source.Fact{Kind: source.Register, Of: registry, ID: what, Line: int(c.toks[at].line)}
	if open >= 0 {
		for n, a := range c.arguments(open) {
			text, ok := c.literal(a)
			switch {
			case ok && text != "" && len(text) <= longestName && (a.key == "name" || a.key == "" && n == 0):
				f.Name = text
			case !ok && f.ID == "" && a.key == "":
				f.ID = c.named(a)
			}
		}
	}
	if f.Name != "" || f.ID != "" {
		c.reader.facts = append(c.reader.facts, f)
	}
}

// longestName is how many bytes a name has that something is registered under: what is longer is a text.
const longestName = 200

// named is what an argument names, or what it calls to get a value.
func (c *commander) named(a argument) string {
	name, next := c.dottedName(a.from, a.to)
	depth := 0
	for k := next; k < a.to; k++ { // all that may stand behind it are the arguments of one call
		if depth += c.depth(k); k == next && !c.is(k, a.to, "(") || depth == 0 && k+1 < a.to {
			return ""
		}
	}
	return name
}
