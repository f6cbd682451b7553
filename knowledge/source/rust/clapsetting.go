package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// settings returns the values of the attributes, also of conditional ones; an attribute without a value has "true", a
// computed value is empty.
func (c *clap) settings(from, to int) map[string]string {
	o, out := c.o, map[string]string{}
	c.scratch.outline = o
	for a := range o.attributesIn(from, to) {
		of := o.lastSegment(a)
		if !c.words[of] && of != "cfg_attr" || !o.is(a.From+1, "(") {
			continue
		}
		c.scratch.Reset("")
		c.setting(c.scratch.list(a.From+1), of, out)
	}
	return out
}

func (c *clap) setting(list []*surface.Node, of string, out map[string]string) {
	for _, x := range list {
		switch name := surface.Dotted(x.X); {
		case x.Kind == surface.Call && of == "cfg_attr":
			if c.words[name] {
				c.setting(x.Args, name, out)
			}
		case of == "cfg_attr":
		case x.Kind == surface.Name && strings.HasPrefix(x.Text, "default_value"): // Default::default()
		case x.Kind == surface.Name:
			out[x.Text] = isTrue
		case x.Kind == surface.Bind && x.Key == "action":
			out[x.Key] = surface.Dotted(x.X)
		case x.Kind == surface.Bind:
			if out[x.Key] = textOf([]*surface.Node{x.X}); out[x.Key] == "" {
				out[x.Key] = c.valueOf(x.X, deepestValue)
			}
		case x.Kind == surface.Call:
			out[name] = textOf(x.Args)
		}
	}
}

const isTrue = "true"

// wrapping are generic types that only wrap the relevant type.
var wrapping = map[string]bool{"Option": true, "Box": true, "Vec": true, "Arc": true}

func (c *clap) typeAt(i, end int) string {
	o, name := c.o, ""
	for ; i < end && (o.class(i) == word || o.is(i, "::") || o.is(i, "<")); i++ {
		switch {
		case o.is(i, "<"):
			if !wrapping[name] {
				return name
			}
			name = ""
		case o.class(i) == word:
			name = toValid(o.name(i))
		}
	}
	return name
}

// spelled converts a name to the form that users type.
func (c *clap) spelled(name, as string) string {
	if c.rename != "" && c.rename != isTrue {
		as = c.rename
	}
	joined := strings.ReplaceAll(source.Separated(name, '_'), "__", "_")
	switch as {
	case "snake_case", "snake":
		return joined
	case "lower", "lowercase":
		return strings.ReplaceAll(joined, "_", "")
	case "verbatim":
		return name
	}
	return strings.ReplaceAll(joined, "_", "-")
}
