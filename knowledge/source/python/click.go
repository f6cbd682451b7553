package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// decorated reads the decorators of a function: those of click make a command of it, or add a flag to what it decorates.
func (c *commander) decorated(name string, at int, decorators []int) {
	command, of := false, name
	for _, i := range decorators {
		call, open := c.decorator(i)
		lib := c.library(call)
		receiver, method := "", call
		if dot := strings.LastIndexByte(call, '.'); dot >= 0 {
			receiver, method = call[:dot], call[dot+1:]
		}
		if lib != "click.command" && lib != "click.group" && (receiver == "" || lib != "" || method != "command" && method != "group" && method != "callback") || open < 0 && lib == "" {
			continue
		}
		command = true
		if method == "callback" && c.usesTyper() {
			of = c.parser(receiver) // what it is given are flags of the whole
			c.typer(at+1, of)
			continue
		}
		f := source.Fact{Kind: source.Command, ID: name, Name: commandName(name)}
		c.describe(&f, open)
		if method == "callback" {
			f.Name, f.Help = "", ""
		}
		c.add(f, at)
		if c.usesTyper() {
			c.typer(at+1, name)
		}
		if lib == "" && method != "callback" {
			c.join(source.Fact{ID: name, Of: c.parser(receiver)}, at)
		}
	}
	if !command {
		of = ""
		if outer := c.frame(); outer.name != "" && !outer.class {
			of = parameterOf(outer.name)
		}
	}
	for _, i := range decorators {
		call, open := c.decorator(i)
		switch lib := c.library(call); {
		case lib == "click.option" || lib == "click.version_option" && open < 0:
			if open >= 0 && of != "" {
				c.option(open, "", of)
			}
		case lib == "click.argument" && open >= 0 && command:
			c.clickArgument(open, name)
		case lib == "" && command && call != "" && !strings.HasSuffix(call, ".command") && !strings.HasSuffix(call, ".group") && !strings.HasSuffix(call, ".callback"):
			c.join(source.Fact{ID: parameterOf(call), Of: of}, at)
			c.join(source.Fact{ID: call, Of: of}, at)
		}
	}
}

// decorator is the name in a decorator's line, and the bracket behind it, -1 when it is not called.
func (c *commander) decorator(line int) (name string, open int) {
	l := c.lines[line]
	i, end := int(l.first)+1, int(l.end)
	if !c.isName(i, end) {
		return "", -1
	}
	for c.is(i+1, end, ".") && c.isName(i+2, end) {
		i += 2
	}
	name, _ = c.chain(i)
	if c.is(i+1, end, "(") {
		return name, i + 1
	}
	return name, -1
}

// commandName is what click calls a command after its function.
func commandName(function string) string {
	function = function[strings.LastIndexByte(function, '.')+1:]
	return strings.ReplaceAll(strings.ToLower(function), "_", "-")
}

// describe takes what the arguments of a decorator say of a command, and the documentation of its function.
func (c *commander) describe(f *source.Fact, open int) {
	doc, _, _ := strings.Cut(c.docs[f.ID], "\f")
	f.Doc = strings.TrimSpace(doc)
	if open >= 0 {
		for n, a := range c.arguments(open) {
			text, ok := c.literal(a)
			switch {
			case a.key == "name" || a.key == "" && n == 0:
				f.Name = ""
				if ok {
					f.Name = text
				}
			case a.key == "help" && ok:
				f.Doc = strings.TrimSpace(text)
			case a.key == "short_help" && ok:
				f.Help = text
			case a.key == "hidden" && c.is(a.from, a.to, "True"):
				f.Usage = source.Hidden
			}
		}
	}
	if f.Help == "" {
		first, rest, _ := strings.Cut(f.Doc, "\n\n")
		f.Help, f.Doc = strings.Join(strings.Fields(first), " "), strings.TrimSpace(rest)
	}
}

// clickTypes are what click calls the values of types.
var clickTypes = map[string]string{"int": "INTEGER", "float": "FLOAT", "str": "TEXT", "Path": "PATH", "File": "FILENAME", "INT": "INTEGER", "STRING": "TEXT", "UUID": "UUID", "FLOAT": "FLOAT", "DateTime": "DATE"}

// option reads the call that makes a flag of click.
func (c *commander) option(open int, id, of string) {
	f := source.Fact{Kind: source.Flag, ID: id, Of: of, Value: "TEXT"}
	var names []string
	typed, stated := "", false // by the default, and by what says it
	for _, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case a.key == "" && (c.is(a.from, a.to, "[") || c.is(a.from, a.to, "(")) && !ok, a.key == "param_decls":
			for i := a.from + 1; i < a.to; i++ {
				for n := range strings.SplitSeq(c.literalAt(i), "/") {
					if n = strings.TrimSpace(n); strings.HasPrefix(n, "-") {
						names = append(names, n)
					}
				}
				if strings.Contains(c.literalAt(i), "/") {
					f.Value = ""
				}
			}
		case a.key == "" && ok:
			for n := range strings.SplitSeq(text, "/") {
				if n = strings.TrimSpace(n); strings.HasPrefix(n, "-") {
					names = append(names, n)
				}
			}
			if strings.Contains(text, "/") {
				f.Value = ""
			}
		case a.key == "help" && ok:
			f.Help = strings.Join(strings.Fields(text), " ")
		case a.key == "default":
			f.Default = c.fallback(a)
			if a.to == a.from+1 && c.toks[a.from].kind == number {
				typed = "INTEGER"
				if strings.ContainsAny(f.Default, ".e") {
					typed = "FLOAT"
				}
			}
		case a.key == "is_flag" && c.is(a.from, a.to, "True"), a.key == "count" && c.is(a.from, a.to, "True"), a.key == "flag_value":
			f.Value = ""
		case a.key == "metavar" && ok:
			f.Value, stated = text, true
		case a.key == "type" && a.to > a.from:
			f.Value, stated = "VALUE", true
			for i := a.from; i < min(a.to, a.from+3); i++ {
				if word := clickTypes[c.text(i)]; word != "" {
					f.Value = word
				}
			}
		case a.key == "envvar" && ok:
			c.add(source.Fact{Kind: source.Env, Name: text}, open)
		case a.key == "hidden" && c.is(a.from, a.to, "True"):
			c.hide(names)
			return
		}
	}
	if typed != "" && f.Value == "TEXT" && !stated {
		f.Value = typed
	}
	c.flag(f, names, open)
}

// hide notes flags that are for nobody to see.
func (c *commander) hide(names []string) {
	for _, n := range names {
		c.told[n] = true
	}
}

// flag adds a flag under the first of its long names.
func (c *commander) flag(f source.Fact, names []string, at int) {
	if len(names) == 0 {
		return
	}
	main := max(slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, "--") }), 0)
	f.Name = names[main]
	f.Also = strings.Join(slices.Delete(names, main, main+1), ", ")
	c.add(f, at)
}

// fallback is a default that literals spell out.
func (c *commander) fallback(a argument) string {
	if text, ok := c.literal(a); ok {
		return text
	}
	at, sign := a.from, ""
	if c.is(at, a.to, "-") {
		at, sign = at+1, "-"
	}
	switch {
	case at+1 != a.to:
	case c.toks[at].kind == number:
		return sign + c.text(at)
	case c.is(at, a.to, "True"):
		return "True"
	}
	return ""
}
