package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// typer reads the parameters of a function that typer makes a command of, whose brackets open at a token: those with a default,
// or that say so, are flags.
func (c *commander) typer(open int, of string) {
	for _, a := range c.arguments(open) {
		if a.key != "" { // without a type
			c.typerFlag(argument{a.key, a.from - 2, a.from - 2}, argument{from: a.from, to: a.to}, of)
			continue
		}
		if !c.isName(a.from, a.to) || !c.is(a.from+1, a.to, ":") {
			continue
		}
		typ := argument{key: c.text(a.from), from: a.from + 2, to: a.to}
		value := argument{from: a.to, to: a.to}
		for i, depth := a.from+2, 0; i < a.to; i++ {
			if depth += c.depth(i); depth == 0 && c.is(i, a.to, "=") {
				typ.to, value.from = i, i+1
				break
			}
		}
		c.typerFlag(typ, value, of)
	}
}

// typerFlag reads a parameter: its name and type, and its default.
func (c *commander) typerFlag(typ, value argument, of string) {
	f := source.Fact{Kind: source.Flag, Of: of, Default: c.fallback(value)}
	var names []string
	flag := value.from < value.to
	for _, part := range []argument{typ, value} {
		for i := part.from; i < part.to; i++ {
			if !c.isName(i, part.to) || !c.is(i+1, part.to, "(") {
				continue
			}
			name, _ := c.chain(i)
			switch c.library(name) {
			case "typer.Argument":
				p := positional{name: strings.ToUpper(typ.key)}
				given := c.arguments(i + 1)
				p.optional = part == typ && value.from < value.to || part == value && len(given) > 0 && given[0].key == "" && !c.is(given[0].from, given[0].to, "...")
				c.take(p, of)
				return
			case "typer.Option":
				flag = true
				var hidden bool
				if names, hidden = c.typerOption(i+1, &f, part == value); hidden {
					c.hide(names)
					return
				}
			}
		}
	}
	word := ""
	for i := typ.from; i < typ.to && i < typ.from+8; i++ {
		if t := c.text(i); t == "bool" || t == "Context" || clickTypes[t] != "" {
			word = t
			break
		}
	}
	if !flag && word != "Context" {
		c.take(positional{name: strings.ToUpper(typ.key)}, of)
	}
	if !flag || word == "Context" {
		return
	}
	if word == "" && (f.Default == "True" || c.is(value.from, value.to, "False")) {
		word = "bool"
	}
	if len(names) == 0 {
		name := strings.ReplaceAll(typ.key, "_", "-")
		names = []string{"--" + name}
		if word == "bool" {
			names = append(names, "--no-"+name)
		}
	}
	if f.Value == "" && word != "bool" {
		f.Value = clickTypes[word]
	}
	if word == "bool" && f.Default == "True" && len(names) == 1 {
		f.Default = "true"
	}
	c.flag(f, names, typ.from)
}

// typerOption takes what a call of typer.Option says: the names, and whether it is hidden. The first argument is the default where
// the call stands for the parameter's value.
func (c *commander) typerOption(open int, f *source.Fact, isValue bool) (names []string, hidden bool) {
	for n, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case a.key == "" && n == 0 && isValue, a.key == "default":
			f.Default = c.fallback(a)
		case a.key == "" && ok:
			for name := range strings.SplitSeq(text, "/") {
				if name = strings.TrimSpace(name); strings.HasPrefix(name, "-") {
					names = append(names, name)
				}
			}
		case a.key == "help" && ok:
			f.Help = strings.Join(strings.Fields(text), " ")
		case a.key == "metavar" && ok:
			f.Value = text
		case a.key == "envvar":
			for i := a.from; i < a.to; i++ {
				if name := c.literalAt(i); name != "" {
					c.add(source.Fact{Kind: source.Env, Name: name, Default: f.Default}, i)
				}
			}
		case a.key == "hidden" && c.is(a.from, a.to, "True"):
			hidden = true
		}
	}
	return names, hidden
}

// usesTyper reports whether the file makes commands with typer.
func (c *commander) usesTyper() bool {
	for _, lib := range c.libs {
		if lib == "typer" || strings.HasPrefix(lib, "typer.") {
			return true
		}
	}
	return false
}

// prefixes notes the prefix under which click reads a variable for each option.
func (c *commander) prefixes(first, end int) {
	for i := first; i+2 < end; i++ {
		named := c.isName(i, end) && c.text(i) == "auto_envvar_prefix" && c.is(i+1, end, "=")
		listed := c.toks[i].kind == str && c.is(i+1, end, ":") && c.literalAt(i) == "auto_envvar_prefix"
		if prefix := c.literalAt(i + 2); (named || listed) && prefix != "" {
			c.add(source.Fact{Kind: source.Env, Name: prefix + "_*", Help: "sets options"}, i)
		}
	}
}

// given notes that options which are values are given to a command: `cmd.params.append(option)`, or in a class to what it is.
func (c *commander) given(first, end int) {
	if len(c.options) == 0 {
		return
	}
	of := ""
	for i := first; i < end; i++ {
		switch {
		case !c.isName(i, end):
		case c.text(i) == "params" && c.is(i-1, end, ".") && c.isName(i-2, end) && i-2 == first:
			of = c.text(first)
		case c.options[c.text(i)] && i > first:
			if of == "" {
				of = c.self("self")
			}
			if of != "self" {
				c.join(source.Fact{ID: c.text(i), Of: of}, i)
			}
		}
	}
}
