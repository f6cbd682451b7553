package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// commander finds the commands that a file makes with click, typer or argparse, and their flags. A command of click is called
// after its function, a parser after the variable that holds it.
type commander struct {
	*reader
	frames  []callable
	facts   []source.Fact
	libs    map[string]string // the local names of the libraries
	ids     map[string]int
	docs    map[string]string // of the file's functions
	classes map[string]bool   // those of the file that add commands to themselves
	told    map[string]bool   // the names of the flags that were seen
	options map[string]bool   // variables that hold an option of click
	waiting []int             // the lines of the decorators that what follows has
}

// callable is a function or a class that is open, and what its variables hold.
type callable struct {
	level int32
	name  string // dotted, of the module's own names
	class bool
	held  map[string]string // IDs by variable
}

// commands adds what the file says of command lines.
func (x *reader) commands() {
	if !strings.Contains(x.src, "argparse") && !strings.Contains(x.src, "add_argument(") && !strings.Contains(x.src, "click") && !strings.Contains(x.src, "typer") {
		return
	}
	c := &commander{reader: x, libs: map[string]string{}, ids: map[string]int{}, docs: map[string]string{}, told: map[string]bool{}, classes: map[string]bool{}, options: map[string]bool{}}
	for i := range x.symbols {
		c.docs[x.symbols[i].Name] = x.symbols[i].Doc
	}
	c.findGroups()
	for local, b := range x.bindings() {
		for _, lib := range []string{"click", "typer", "argparse", "rich_click", "asyncclick"} {
			switch {
			case b.module == lib && b.member != "":
				c.libs[local] = lib + "." + b.member
			case b.module == lib || b.module == "" && local == lib:
				c.libs[local] = lib
			}
		}
	}
	for local, lib := range c.libs {
		c.libs[local] = strings.Replace(strings.Replace(lib, "rich_click", "click", 1), "asyncclick", "click", 1)
	}
	c.frames = []callable{{level: -1, held: map[string]string{}}}
	for i := range x.lines {
		c.line(i)
	}
	x.facts = append(c.withoutFlags(x.facts), c.facts...)
}

// withoutFlags leaves out of facts the flags that the commander tells with more, or that their author hides.
func (c *commander) withoutFlags(facts []source.Fact) []source.Fact {
	for _, f := range c.facts {
		if f.Kind == source.Flag {
			c.told[f.Name] = true
			for also := range strings.SplitSeq(f.Also, ", ") {
				c.told[also] = true
			}
		}
	}
	return slices.DeleteFunc(facts, func(f source.Fact) bool { return f.Kind == source.Flag && c.told[f.Name] })
}

// mostBases is how many tokens the header of a class has that is looked at.
const mostBases = 32

// findGroups finds the classes that are parsers themselves, and those that add commands to themselves.
func (c *commander) findGroups() {
	class, level := "", int32(0)
	for _, l := range c.lines {
		first, end := int(l.first), int(l.end)
		switch {
		case first >= end:
		case c.is(first, end, "class") && c.isName(first+1, end):
			class, level = c.text(first+1), l.level
			if end-first < mostBases && strings.Contains(c.src[c.toks[first].start:c.toks[end-1].end], "ArgumentParser)") {
				c.libs[class] = "argparse.ArgumentParser"
			}
		case l.level <= level:
			class = ""
		case class != "" && c.isName(first, end) && c.text(first) == "self" && c.isName(first+2, end) && c.text(first+2) == "add_command":
			c.classes[class] = true
		}
	}
}

func (c *commander) frame() *callable { return &c.frames[len(c.frames)-1] }

// line reads one logical line.
func (c *commander) line(i int) {
	l := c.lines[i]
	first, end := int(l.first), int(l.end)
	if first >= end {
		return
	}
	for len(c.frames) > 1 && c.frame().level >= l.level {
		c.frames = c.frames[:len(c.frames)-1]
	}
	if c.is(first, end, "@") {
		c.waiting = append(c.waiting, i)
		return
	}
	head := first
	if c.is(head, end, "async") {
		head++
	}
	decorators := c.waiting
	c.waiting = nil
	c.prefixes(first, end)
	if (c.is(head, end, "def") || c.is(head, end, "class")) && c.isName(head+1, end) {
		c.open(l, head, decorators)
		if body := int(l.colon) + 1; l.colon >= 0 && body < end {
			c.statement(body, end)
		}
		return
	}
	c.given(first, end)
	c.statement(first, end)
}

// open takes up a function or a class.
func (c *commander) open(l line, head int, decorators []int) {
	name := c.text(head + 1)
	if outer := c.frame(); outer.name != "" {
		name = outer.name + "." + name
	}
	f := callable{level: l.level, name: name, class: c.is(head, int(l.end), "class"), held: map[string]string{}}
	if !f.class && c.is(head+2, int(l.end), "(") {
		for _, a := range c.arguments(head + 2) {
			if a.from < a.to && c.isName(a.from, a.to) {
				f.held[c.text(a.from)] = parameterOf(name)
			} else if a.key != "" {
				f.held[a.key] = parameterOf(name)
			}
		}
		delete(f.held, "self")
		c.decorated(name, head+1, decorators)
	}
	c.frames = append(c.frames, f)
}

// parameterOf is the ID of whatever a function is called with, to add to it.
func parameterOf(function string) string { return function + "()" }

// lookup is what a variable holds; empty where nobody knows.
func (c *commander) lookup(variable string) string {
	for i := len(c.frames) - 1; i >= 0; i-- {
		if id, ok := c.frames[i].held[variable]; ok {
			return id
		}
	}
	return ""
}

// scoped is the name of something in the function that is read.
func (c *commander) scoped(name string) string {
	if outer := c.frame().name; outer != "" {
		return outer + "." + name
	}
	return name
}

// argument is one of a call: its keyword, and its tokens.
type argument struct {
	key      string
	from, to int
}

// mostTokens is how many tokens of a call are looked at: calls may stand in one another.
const mostTokens = 4096

// arguments are those of the call whose bracket is token open.
func (x *reader) arguments(open int) []argument {
	var out []argument
	depth, from := 0, open+1
	for i := open; i < min(len(x.toks), open+mostTokens); i++ {
		depth += x.depth(i)
		if depth > 0 && (depth > 1 || !x.is(i, len(x.toks), ",")) {
			continue
		}
		if from < i {
			a := argument{from: from, to: i}
			if x.isName(from, i) && x.is(from+1, i, "=") {
				a = argument{x.text(from), from + 2, i}
			}
			out = append(out, a)
		}
		from = i + 1
		if depth == 0 {
			break
		}
	}
	return out
}

// literal is the text of an argument that is made of literals alone, which may stand side by side or be added.
func (c *commander) literal(a argument) (string, bool) {
	var b strings.Builder
	for i := a.from; i < a.to; i++ {
		switch {
		case c.toks[i].kind == str:
			v, ok := stringValue(c.text(i))
			if !ok {
				return "", false
			}
			b.WriteString(v)
		case !c.is(i, a.to, "(") && !c.is(i, a.to, ")") && !c.is(i, a.to, "+"):
			return "", false
		}
	}
	return valid(b.String()), a.from < a.to
}

// chain is the dotted name that ends at token i; false where something else than names stands before.
func (c *commander) chain(i int) (string, bool) {
	name := c.text(i)
	for c.is(i-1, len(c.toks), ".") {
		if !c.isName(i-2, len(c.toks)) {
			return name, false
		}
		name = c.text(i-2) + "." + name
		i -= 2
	}
	return name, true
}

// member resolves the beginning of a dotted name to the library that it comes from.
func (c *commander) library(name string) string {
	first, rest, dotted := strings.Cut(name, ".")
	lib := c.libs[first]
	if lib == "" || !dotted {
		return lib
	}
	return lib + "." + rest
}

func (c *commander) add(f source.Fact, i int) {
	f.Line = int(c.toks[i].line)
	c.facts = append(c.facts, f)
}

func (c *commander) join(f source.Fact, i int) {
	if f.ID != f.Of && f.ID != "" && f.Of != "" {
		f.Kind = source.Join
		c.add(f, i)
	}
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
