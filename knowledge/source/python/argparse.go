package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// statement reads the calls of a line that is no decorator and no header.
func (c *commander) statement(first, end int) {
	target := ""
	for i := first; i < end; i++ {
		if c.is(i, end, "=") {
			if i > first && c.isName(i-1, end) {
				if name, ok := c.chain(i - 1); ok && i-1-2*strings.Count(name, ".") == first {
					target = name
				}
			}
			break
		}
		if c.is(i, end, "(") || c.is(i, end, "[") {
			break
		}
	}
	for i := first; i < end; i++ {
		if c.isName(i, end) && c.is(i+1, end, "(") {
			c.call(i, target)
			continue
		}
	}
}

// self makes the name of a member of the class that is read of what is selected from self.
func (c *commander) self(name string) string {
	rest, member := strings.CutPrefix(name, "self.")
	if !member && name != "self" {
		return name
	}
	for i := len(c.frames) - 1; i >= 0; i-- {
		switch {
		case c.frames[i].class && member:
			return c.frames[i].name + "." + rest
		case c.frames[i].class:
			return c.frames[i].name
		}
	}
	return name
}

// parser is the ID of what a name stands for: a command, or a part of one.
func (c *commander) parser(name string) string {
	if id := c.lookup(name); id != "" {
		return id
	}
	return c.self(name)
}

// hold notes what a variable holds from now on.
func (c *commander) hold(target, id string) {
	if target == "" {
		return
	}
	if strings.Contains(target, ".") {
		c.frames[0].held[target] = id
		return
	}
	c.frame().held[target] = id
}

// own is a new ID for what a variable, or nothing, holds.
func (c *commander) own(target string) string {
	id := c.scoped(target)
	if strings.HasPrefix(target, "self.") {
		id = c.self(target)
	}
	c.ids[id]++
	if n := c.ids[id]; n > 1 {
		return id + "#" + strings.Repeat("'", n)
	}
	return id
}

// call reads a call whose function's name ends at a token.
func (c *commander) call(i int, target string) {
	name, whole := c.chain(i)
	open, lib := i+1, ""
	if whole {
		lib = c.library(name)
	}
	receiver, method := "", name
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		receiver, method = name[:dot], name[dot+1:]
	}
	switch {
	case lib == "argparse.ArgumentParser":
		c.argumentParser(open, target)
	case lib == "typer.Typer":
		id := c.own(target)
		f := source.Fact{Kind: source.Command, ID: id}
		for _, a := range c.arguments(open) {
			if text, ok := c.literal(a); ok && a.key == "name" {
				f.Name = text
			} else if ok && a.key == "help" {
				f.Help = strings.Join(strings.Fields(text), " ")
			}
		}
		c.add(f, i)
		c.hold(target, id)
	case lib == "click.option" || lib == "click.Option" && target != "" && c.frame().name == "":
		c.options[target] = lib == "click.Option"
		id, of := "", ""
		if outer := c.frame(); target != "" && outer.name == "" {
			id = target
		} else if outer.name != "" && !outer.class {
			of = parameterOf(outer.name)
		}
		if id+of != "" {
			c.option(open, id, of)
		}
	case !whole || receiver == "" && lib == "":
		if c.classes[name] && target != "" {
			c.instance(name, target, open)
			return
		}
		c.passed(name, open)
	default:
		c.method(receiver, method, open, target)
	}
}

// instance is a value of a class of the file, which may be a command that adds others to itself.
func (c *commander) instance(class, target string, open int) {
	f := source.Fact{Kind: source.Command, ID: c.own(target)}
	for _, a := range c.arguments(open) {
		if text, ok := c.literal(a); ok && a.key == "name" {
			f.Name = text
		} else if ok && a.key == "help" {
			f.Help, f.Doc, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
		}
	}
	c.add(f, open)
	c.join(source.Fact{ID: class, Of: f.ID}, open)
	c.hold(target, f.ID)
}

// method reads a call of a method that parsers and groups have.
func (c *commander) method(receiver, method string, open int, target string) {
	of := c.parser(receiver)
	switch method {
	case "add_argument":
		c.argument(open, of)
	case "add_subparsers", "add_argument_group", "add_mutually_exclusive_group":
		c.hold(target, of)
	case "add_parser":
		c.subparser(open, of, target)
	case "add_command", "add_typer":
		arguments := c.arguments(open)
		if len(arguments) == 0 || !c.isName(arguments[0].from, arguments[0].to) {
			return
		}
		child, ok := c.chain(arguments[0].to - 1)
		if !ok {
			return
		}
		f := source.Fact{ID: c.parser(child), Of: of}
		for n, a := range arguments {
			if text, ok := c.literal(a); ok && (a.key == "name" || a.key == "" && n == 1) {
				f.Name = text
			}
		}
		c.join(f, open)
	default:
		c.passed(receiver+"."+method, open)
	}
}

// passed notes that a function is called with a parser, which it may add to.
func (c *commander) passed(function string, open int) {
	for _, a := range c.arguments(open) {
		if a.to != a.from+1 || !c.isName(a.from, a.to) {
			continue
		}
		if of := c.lookup(c.text(a.from)); of != "" {
			c.join(source.Fact{ID: parameterOf(c.self(function)), Of: of}, open)
			return
		}
	}
}

// argumentParser reads the call that makes a parser.
func (c *commander) argumentParser(open int, target string) {
	f := source.Fact{Kind: source.Command, ID: c.own(target)}
	for _, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case a.key == "prog" && ok:
			f.Name = text
		case a.key == "description" && ok:
			f.Help = strings.Join(strings.Fields(text), " ")
		case a.key == "parents":
			c.parents(a, f.ID)
		}
	}
	c.add(f, open)
	c.hold(target, f.ID)
}

// parents makes the flags of other parsers those of one.
func (c *commander) parents(a argument, of string) {
	for i := a.from; i < a.to; i++ {
		if c.isName(i, a.to) && !c.is(i+1, a.to, "(") {
			c.join(source.Fact{ID: c.parser(c.text(i)), Of: of}, i)
		}
	}
}

// subparser reads the call that makes a subcommand.
func (c *commander) subparser(open int, of, target string) {
	f := source.Fact{Kind: source.Command, ID: c.own(target)}
	for n, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case (n == 0 && a.key == "" || a.key == "name") && ok:
			f.Name = text
		case a.key == "help" && ok:
			f.Help = strings.Join(strings.Fields(text), " ")
		case a.key == "help": // computed, or suppressed
			if c.text(a.to-1) == "SUPPRESS" {
				f.Usage = source.Hidden
			}
		case a.key == "parents":
			c.parents(a, f.ID)
		}
	}
	c.add(f, open)
	c.join(source.Fact{ID: f.ID, Of: of}, open)
	c.hold(target, f.ID)
}

// argument reads the call that adds a flag to a parser.
func (c *commander) argument(open int, of string) {
	f := source.Fact{Kind: source.Flag, Of: of}
	var names []string
	value := ""
	bare := false
	for n, a := range c.arguments(open) {
		text, ok := c.literal(a)
		switch {
		case n == 0 && a.key == "" && ok && text != "" && text[0] != '-':
			c.parserArgument(text, open, of)
			return
		case a.key == "" && ok && strings.HasPrefix(text, "-"):
			names = append(names, text)
		case a.key == "action":
			bare = ok && (strings.HasPrefix(text, "store_") || text == "count" || text == "help" || text == "version" || text == "append_const")
			if c.text(a.to-1) == "BooleanOptionalAction" {
				bare = true
				for _, n := range names {
					if long, ok := strings.CutPrefix(n, "--"); ok {
						names = append(names, "--no-"+long)
					}
				}
			}
		case a.key == "metavar" && ok:
			value = text
		case a.key == "default":
			f.Default = c.fallback(a)
		case a.key == "help" && ok:
			f.Help = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "%%", "%")
		case a.key == "help" && c.text(a.to-1) == "SUPPRESS":
			c.hide(names)
			return
		}
	}
	if len(names) == 0 {
		return
	}
	if !bare {
		f.Value = value
		if value == "" {
			f.Value = strings.ToUpper(strings.ReplaceAll(strings.TrimLeft(longest(names), "-"), "-", "_"))
		}
	}
	c.flag(f, names, open)
}

// longest is the first of the names with two dashes, which argparse calls the value after.
func longest(names []string) string {
	for _, n := range names {
		if strings.HasPrefix(n, "--") {
			return n
		}
	}
	return names[0]
}
