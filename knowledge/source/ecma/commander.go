package ecma

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// commander reads the command lines that commander and yargs build: chains of calls, in which a subcommand is either what the
// chain goes on with (commander) or what stands in the brackets of `command` (yargs).
type commander struct {
	x     *extractor
	yargs bool
	held  map[string]string // what variables hold, by name
	areas []area            // the arguments of yargs' command, by the ID of that command
	done  map[int]bool      // the methods that were read with their chains
	names map[string]bool   // the IDs
	again map[string]int    // how often a name was given that is taken
	at    map[string]int    // the facts about commands, by their IDs
	told  map[string]bool   // the flags that are told, or hidden
	root  source.Fact
	facts []source.Fact
}

// commands adds what the file says of a command line.
func (x *extractor) commands() {
	c := &commander{x: x, held: map[string]string{}, done: map[int]bool{}, names: map[string]bool{}, again: map[string]int{}, at: map[string]int{}, told: map[string]bool{}}
	is := false
	for _, imp := range x.imports {
		switch imp.Path {
		case "commander", "@commander-js/extra-typings":
			is = true
		case "yargs", "yargs/yargs":
			is, c.yargs = true, true
		}
	}
	if !is && !(bytes.Contains(x.src, []byte("program")) && bytes.Contains(x.src, []byte(".option("))) { // a function may be given it
		return
	}
	c.root = source.Fact{Kind: source.Command, ID: source.Program, Line: 1}
	c.held["program"] = source.Program
	for i := range x.t {
		if x.t[i].kind == tIdent {
			c.word(i)
		}
	}
	if c.names[source.Program] {
		c.facts = append(c.facts, c.root)
	}
	kept := x.facts[:0]
	for _, f := range x.facts {
		if f.Kind != source.Flag || !c.told[f.Name] {
			kept = append(kept, f)
		}
	}
	x.facts = append(kept, c.facts...)
}

// word reads the chain that begins with the name at i.
func (c *commander) word(i int) {
	x := c.x
	if c.yargs {
		c.yargsCall(i)
		return
	}
	if x.afterDot(i) {
		return
	}
	name := x.text(i)
	switch {
	case name == "Command" && x.at(i-1).isKeyword(kNew) && x.at(i+1).isPunct('('):
		target := c.target(i - 2)
		id := source.Program
		text, ok := x.textOf(i + 2)
		switch {
		case target != "" && c.held[target] == "" && (ok || c.names[source.Program]):
			id = target // a command of its own, which another one adds
			c.add(source.Fact{Kind: source.Command, ID: id, Name: text}, i)
		case ok:
			c.root.Name = text
		}
		end := x.skip(i + 1)
		if target != "" {
			c.held[target] = id
		}
		c.chain(end, id)
	case c.held[name] != "" && x.at(i+1).isPunct('.'):
		id := c.chain(i+1, c.held[name])
		if target := c.target(i - 1); target != "" {
			c.held[target] = id
		}
	}
}

// target is the variable in `const name =` that ends at i.
func (c *commander) target(i int) string {
	if c.x.at(i).isPunct('=') && c.x.at(i-1).kind == tIdent {
		return c.x.text(i - 1)
	}
	return ""
}

// chain reads the methods that are called on a command, and returns the one that it ends with.
func (c *commander) chain(i int, id string) string {
	x := c.x
	for x.at(i).isPunct('.') && x.at(i+1).kind == tIdent && x.at(i+2).isPunct('(') && !c.done[i+1] {
		c.done[i+1] = true
		id = c.method(x.text(i+1), i+3, int(x.at(i+2).match), id)
		i = x.skip(i + 2)
	}
	return id
}

// method reads one method of a command whose arguments stand between tokens.
func (c *commander) method(name string, from, to int, id string) string {
	x := c.x
	text, ok := c.plainText(from)
	second := x.skipExpression(from) + 1
	switch name {
	case "name":
		if f := c.fact(id); ok && f.Name == "" {
			f.Name = text
		}
	case "description", "summary":
		if f := c.fact(id); ok {
			f.Help = strings.Join(strings.Fields(text), " ")
		}
	case "usage":
		if f := c.fact(id); ok {
			f.Usage = strings.TrimSpace(strings.ReplaceAll(text, "[options]", ""))
		}
	case "alias":
		if f := c.fact(id); ok {
			f.Also = text
		}
	case "command":
		if !ok {
			return "" // nobody knows what follows
		}
		word, usage, _ := strings.Cut(strings.TrimSpace(text), " ")
		f := source.Fact{Kind: source.Command, ID: c.below(id, word), Name: word, Usage: usage}
		if f.ID == "" {
			return ""
		}
		about, executable := c.plainText(second)
		if executable = executable && second < to; executable {
			f.Help = about
		}
		c.add(f, from)
		c.join(f.ID, id, from)
		if !executable {
			return f.ID
		}
	case "addCommand":
		if x.at(from).kind == tIdent && (x.at(from+1).isPunct(')') || x.at(from+1).isPunct(',')) {
			held := c.held[x.text(from)]
			if held == "" {
				held = x.text(from)
			}
			c.join(held, id, from)
		}
	case "option", "requiredOption":
		if ok {
			f := source.Fact{Kind: source.Flag, Of: id}
			if help, is := c.plainText(second); is && second < to {
				f.Help = help
				if third := x.skipExpression(second) + 1; third < to {
					last := third
					if at := x.skipExpression(third) + 1; at < to {
						last = at // behind a function that parses
					}
					f.Default = x.plain(last)
				}
			}
			c.flag(f, text, from)
		}
	case "addOption":
		if x.at(from).isKeyword(kNew) && x.textIs(from+1, "Option") && x.at(from+2).isPunct('(') {
			c.option(from+2, id)
		}
	}
	return id
}

// option reads new Option("-p, --port <n>", "help").default(80), whose bracket is at open.
func (c *commander) option(open int, id string) {
	x := c.x
	spec, ok := c.plainText(open + 1)
	if !ok {
		return
	}
	f := source.Fact{Kind: source.Flag, Of: id}
	if second := x.skipExpression(open+1) + 1; second < int(x.at(open).match) {
		f.Help, _ = c.plainText(second)
	}
	hidden := false
	for i := x.skip(open); x.at(i).isPunct('.') && x.at(i+2).isPunct('('); i = x.skip(i + 2) {
		switch x.text(i + 1) {
		case "default":
			f.Default = x.plain(i + 3)
		case "env":
			if name, ok := x.textOf(i + 3); ok {
				c.facts = append(c.facts, source.Fact{Kind: source.Env, Name: name, Line: int(x.t[i].line)})
			}
		case "hideHelp":
			hidden = !x.textIs(i+3, "false")
		}
	}
	if hidden {
		f.Usage = source.Hidden
	}
	c.flag(f, spec, open)
}

// plainText is the text of literals at i, also of several that are added.
func (c *commander) plainText(i int) (string, bool) {
	x := c.x
	text, ok := x.textOf(i)
	for ok && x.at(i+1).isPunct('+') {
		var more string
		if more, ok = x.textOf(i + 2); ok {
			text, i = text+more, i+2
		}
	}
	if next := x.at(i + 1); !ok || next.kind != tPunct || next.id != ',' && next.id != ')' && next.id != '}' && next.id != ']' {
		return "", false
	}
	return text, true
}

// flag adds the flag that "-p, --port <n>" describes.
func (c *commander) flag(f source.Fact, spec string, at int) {
	names, value := spec, ""
	if i := strings.IndexAny(spec, "<["); i >= 0 {
		names, value = spec[:i], strings.Trim(spec[i:], "<>[].")
	}
	var short string
	for word := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ' ' || r == ',' || r == '|' || r == '=' }) {
		switch {
		case !strings.HasPrefix(word, "-"):
		case strings.HasPrefix(word, "--") && f.Name == "":
			f.Name = word
		case short == "":
			short = word
		}
		c.told[word] = true
	}
	if f.Name == "" {
		f.Name, short = short, ""
	}
	f.Also, f.Value = short, value
	f.Help = strings.Join(strings.Fields(f.Help), " ")
	if f.Name != "" && f.Usage != source.Hidden && f.Of != "" {
		c.add(f, at)
	}
}

// longestCommand is how many bytes of names lead to a subcommand.
const longestCommand = 256

// below is a new ID for a subcommand; empty where it lies too deep.
func (c *commander) below(id, name string) string {
	own := name
	if id != source.Program {
		own = id + "." + name
	}
	if len(own) > longestCommand {
		return ""
	}
	if c.names[own] {
		c.again[own]++
		own += "'" + strconv.Itoa(c.again[own])
	}
	return own
}

// fact is the one about a command; the root's when there is none.
func (c *commander) fact(id string) *source.Fact {
	if id == source.Program {
		c.names[id] = true
		return &c.root
	}
	if i, ok := c.at[id]; ok {
		return &c.facts[i]
	}
	return &source.Fact{}
}

func (c *commander) join(id, of string, at int) {
	if of != "" && id != of {
		c.add(source.Fact{Kind: source.Join, ID: id, Of: of}, at)
	}
}

func (c *commander) add(f source.Fact, at int) {
	f.Line = int(c.x.t[at].line)
	if f.Kind == source.Command {
		c.at[f.ID] = len(c.facts)
	}
	c.facts = append(c.facts, f)
	if f.ID != "" {
		c.names[f.ID] = true
	}
	if f.Of == source.Program {
		c.names[source.Program] = true
	}
}

// textOf is the text of the literal at i.
func (x *extractor) textOf(i int) (string, bool) {
	if t := x.at(i); i < 0 || t.kind != tString && t.kind != tTemplate {
		return "", false
	}
	return unquote([]byte(x.text(i))), true
}

// plain is the value of the literal at i, with which an expression ends.
func (x *extractor) plain(i int) string {
	text := x.text(i)
	switch t := x.at(i); {
	case t.kind == tString:
		text = unquote([]byte(text))
	case t.kind == tNumber, text == "true":
	default:
		return ""
	}
	if next := x.at(i + 1); next.kind == tPunct && !next.has(fNewline) {
		switch next.id {
		case ',', ';', ')', ']', '}':
		default:
			return ""
		}
	}
	return text
}

// longestRegistry is how many elements a dotted name has that anything is registered with.
const longestRegistry = 24

// dottedName reads a dotted name, and returns where it ends.
func (x *extractor) dottedName(i int) (string, int) {
	if x.at(i).kind != tIdent {
		return "", i
	}
	name := x.text(i)
	i++
	for range longestRegistry {
		if !x.at(i).isPunct('.') || x.at(i+1).kind != tIdent {
			break
		}
		name += "." + x.text(i+1)
		i += 2
	}
	return name, i
}

// area is a part of the source that belongs to a command.
type area struct {
	span
	id string
}
