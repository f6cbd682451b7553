package surface

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// CommandRules say how libraries build command lines.
type CommandRules struct {
	Calls   map[string]CommandRule // functions, by their names in their libraries; methods of any value begin with a dot
	Paths   bool                   // a subcommand is called by the words that lead to it, and not after a variable
	Table   map[string]Role        // the keys of objects in lists that describe options
	Row     string                 // the one that each has
	Root    map[string]bool        // variables that hold the command of the program
	Bases   map[string]string      // the library function for each base class
	Class   string                 // the class that is a command by the place of its file, and below its method that adds flags
	Adder   string
	Groups  string            // the method by which a class adds commands to itself
	Prefix  string            // the keyword of what comes before the variables of all options
	Typed   []string          // how files are written whose functions have a flag for each parameter
	Places  bool              // calls inside a subcommand call belong to the subcommand, whatever the receiver
	Types   map[string]string // what values of types are called
	Choices map[string]bool   // the packages of decorators that are about no command
}

// Part is the effect of a library call.
type Part uint8

// The parts of a command line.
const (
	Makes  Part = iota + 1 // a command
	Below                  // a subcommand of the receiver
	Same                   // the result is the receiver
	Adds                   // the command in its argument
	Sets                   // a field of the receiver
	Option                 // a flag
	Takes                  // an argument without dashes
	Plain                  // a flag of which nothing but the name counts
	Given                  // a flag that it is given, with methods that say more of it
	Parses                 // the flags in its property "options"
	Whole                  // as a decorator: the parameters are flags of the receiver
)

// CommandRule gives the effect of a call, and the roles of its arguments by keyword or position.
type CommandRule struct {
	Part  Part
	Roles map[string]Role
	Value string // the default placeholder of a flag
	Named bool   // it is called after the flag
	Dash  string // what comes before the name of a flag that is given without
}

// Role is what an argument says.
type Role uint8

// The roles of arguments.
const (
	None     Role = iota
	Called        // the name
	Usage         // the name, and the rest of the usage line behind it
	Rest          // the usage line
	Help          // a line
	Doc           // the first paragraph is the line, the others the documentation
	Also          // other names
	Hidden        // whether it is shown
	Parents       // commands whose flags it has
	Builder       // it says more of the subcommand
	Names         // the spellings of a flag
	Spec          // the same in one text, with the placeholder
	Default       // the value that holds otherwise
	Last          // the same, unless another one follows
	Value         // the placeholder of the value
	Type          // the type of the value
	Bare          // whether there is no value
	Action        // the action of argparse
	Count         // how many values there are
	Needed        // whether there has to be one
	Variable      // environment variables that set it
	Handles       // the handler of a job
	When          // its schedule
	Unit          // a part of its schedule that its keyword names
)

// commands is the state for the command lines of a file.
type commands struct {
	on      bool
	typed   bool
	facts   []source.Fact
	at      map[string]int    // the facts about commands, by their IDs
	ids     map[string]int    // how often a name was given
	done    map[*Node]string  // the calls that were read, with the commands that they give
	targets map[*Node]string  // the variables that calls are assigned to
	classes map[string]bool   // classes with a method that adds commands
	options map[string]bool   // variables that hold an option
	extends map[string]string // the library functions of classes
	told    map[string]bool   // the names of flags that were seen
	area    string            // the command whose arguments are read
	within  string            // the variable of the file that the statement gives a value
	only    string            // the parameter of the function without which what is read does not happen
	params  string            // the command whose list of parameters is added to
	root    source.Fact
}

// begin prepares for a file.
func (c *commands) begin(in Input) {
	c.on = in.Line
	for _, t := range in.Commands.Typed {
		c.typed = c.typed || c.on && strings.Contains(in.Src, t)
	}
	if !c.on {
		return
	}
	c.at, c.ids, c.done, c.targets = map[string]int{}, map[string]int{}, map[*Node]string{}, map[*Node]string{}
	c.classes, c.options, c.extends, c.told = map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}
	c.root = source.Fact{Kind: source.Command, ID: source.Program, Line: 1}
}

// finish returns all facts. Bare flags that a command describes, or hides, are left out.
func (c *commands) finish(others []source.Fact) []source.Fact {
	if c.ids[source.Program] > 0 {
		c.facts = append(c.facts, c.root)
	}
	for _, f := range others {
		if f.Kind != source.Flag || !c.told[f.Name] {
			c.facts = append(c.facts, f)
		}
	}
	return c.facts
}

func (f *finder) commandFact(fact source.Fact, at *Node) {
	c := &f.cmd
	if fact.Line = int(at.Line); at.Kind == Call {
		fact.Line = int(at.X.Line)
		if f.Commands.Paths && len(at.Args) > 0 {
			fact.Line = int(at.Args[0].Line)
		}
	}
	if fact.Kind == source.Command {
		c.at[fact.ID] = len(c.facts)
	}
	if fact.Of == source.Program {
		c.ids[source.Program]++
	}
	c.facts = append(c.facts, fact)
}

// join adds a fact that makes an ID part of a command.
func (f *finder) join(fact source.Fact, at *Node) {
	if fact.ID != fact.Of && fact.ID != "" && fact.Of != "" {
		fact.Kind = source.Join
		f.commandFact(fact, at)
	}
}

// fact is the one about a command; another one where there is none.
func (c *commands) fact(id string) *source.Fact {
	if i, ok := c.at[id]; ok {
		return &c.facts[i]
	}
	if id == source.Program {
		c.ids[id]++
		return &c.root
	}
	return &source.Fact{}
}

// parameterOf is the ID of whatever a function is called with, to add to it.
func parameterOf(function string) string { return function + "()" }

// givenTo is the ID of the argument at a position of a function.
func givenTo(function string, at int) string { return parameterOf(function + "." + strconv.Itoa(at)) }

// own is a new ID for the result of a call.
func (f *finder) own(n *Node) string {
	target := f.cmd.targets[n]
	id := target
	if outer := f.frame().name; outer != "" {
		id = outer + "." + target
	}
	if first, _, dotted := strings.Cut(target, "."); dotted && f.Self[first] {
		id = f.self(target)
	}
	return f.cmd.fresh(id, "#'")
}

// fresh is an ID that no other command has.
func (c *commands) fresh(id, mark string) string {
	c.ids[id]++
	if n := c.ids[id]; n > 1 {
		return id + mark + strings.Repeat("'", n-1)
	}
	return id
}

// held is the command in a variable; empty if unknown.
func (f *finder) held(name string) string {
	if v := f.vars[name]; v != nil && v.command != "" {
		return v.command
	}
	if f.Commands.Root[name] && f.vars[name] == nil {
		return source.Program
	}
	return ""
}

// command reads a call, once, and returns the ID of the command that a node evaluates to; empty for other values.
func (f *finder) command(n *Node) string {
	switch n.Kind {
	case Name, Member:
		name := Dotted(n)
		if id := f.held(name); id != "" || f.Commands.Paths || name == "" {
			return id
		}
		if f.Self[name] {
			for i := len(f.frames) - 1; i >= 0; i-- {
				if f.frames[i].Kind == Class {
					return f.frames[i].name
				}
			}
		}
		return f.self(name)
	case Call:
		id, done := f.cmd.done[n]
		if !done && f.depth < deepest {
			f.cmd.done[n] = ""
			f.depth++
			id = f.called(n)
			f.depth--
			f.cmd.done[n] = id
		}
		return id
	}
	return ""
}

// called reads a call of a library.
func (f *finder) called(n *Node) string {
	callee := Dotted(n.X)
	name := f.Library(callee)
	if as := f.cmd.extends[name]; as != "" {
		name = as
	}
	if rule, ok := f.Commands.Calls[name]; ok && callee != "" {
		return f.part(rule, n, "")
	}
	if n.X.Kind == Member {
		if rule, ok := f.Commands.Calls["."+n.X.Text]; ok {
			return f.part(rule, n, f.command(n.X.X))
		}
	}
	if f.Commands.Paths && n.X.Kind == Member { // any other method of a command gives the command
		return f.command(n.X.X)
	}
	if f.cmd.classes[callee] && f.cmd.targets[n] != "" {
		id := f.own(n)
		f.make(CommandRule{Roles: map[string]Role{"name": Called, "help": Doc}}, n, id)
		f.join(source.Fact{ID: callee, Of: id}, n)
		return id
	}
	first, to := true, ""
	for i, a := range n.Args { // a function may add to the first command that it is given, and take the flags of others
		if a.Key != "" && a.Is("True") && to != "" {
			f.join(source.Fact{ID: parameterOf(f.self(callee) + "." + a.Key), Of: to}, n)
		}
		if a.Kind != Name || callee == "" || f.held(a.Text) == "" {
			continue
		}
		if fact := (source.Fact{ID: parameterOf(f.self(callee)), Of: f.held(a.Text)}); !first {
			f.join(source.Fact{ID: fact.Of, Of: givenTo(f.self(callee), i), Usage: source.Hidden}, n)
		} else {
			f.join(fact, n)
		}
		to, first = cmp.Or(to, f.held(a.Text)), false
	}
	return ""
}

// part applies a rule to a call on a command.
func (f *finder) part(rule CommandRule, n *Node, on string) string {
	switch rule.Part {
	case Makes:
		return f.makesCommand(rule, n)
	case Same:
		return on
	case Below:
		return f.subcommand(rule, n, on)
	case Adds:
		if len(n.Args) > 0 {
			fact := source.Fact{ID: f.command(n.Args[0]), Of: on}
			if n.Args[0].Kind == Name && fact.ID == "" {
				fact.ID = n.Args[0].Text
			}
			if text, ok := f.literal(Arg(n.Args, "name", 1)); ok {
				fact.Name = text
			}
			if n.Args[0].Kind == Name || n.Args[0].Kind == Member {
				f.join(fact, n)
			}
		}
		if in := f.frame(); n.X.Kind == Member && f.Self[last(n.X.X)] && len(f.frames) > 1 {
			owner, _, _ := cutLast(in.name)
			f.cmd.classes[owner] = f.cmd.classes[owner] || n.X.Text == f.Commands.Groups
		}
	case Given, Parses:
		f.addsRows(n.Args, on, n)
		f.given(rule, n, on)
	case Sets:
		if f.Commands.Places {
			on = source.Program
		}
		if on != "" {
			f.fill(f.cmd.fact(on), rule, n.Args)
		}
	case Option, Plain:
		f.addsRows(n.Args, on, n)
		if in := f.frame().name; f.cmd.only != "" && on == parameterOf(in) {
			on = parameterOf(in + "." + f.cmd.only)
		}
		f.optionCall(rule, n, on)
	}
	return on
}

// makesCommand is the command that a call makes.
func (f *finder) makesCommand(rule CommandRule, n *Node) string {
	var id string
	if !f.Commands.Paths {
		id = f.own(n)
	} else if text, ok := f.literal(Arg(n.Args, "", 0)); f.cmd.targets[n] != "" && f.held(f.cmd.targets[n]) == "" && (ok || f.cmd.ids[source.Program] > 0) {
		id = f.cmd.fresh(f.cmd.targets[n], "")
	} else {
		if ok {
			f.cmd.root.Name = text
		}
		return source.Program
	}
	f.make(rule, n, id)
	return id
}

// make adds a command described by the arguments of a call.
func (f *finder) make(rule CommandRule, n *Node, id string) {
	at := len(f.cmd.facts)
	f.commandFact(source.Fact{Kind: source.Command, ID: id}, n)
	fact := f.cmd.facts[at]
	f.fill(&fact, rule, n.Args)
	f.cmd.facts[at] = fact
}

// longestCommand is how many bytes of names lead to a subcommand.
const longestCommand = 256

// subcommand is the command below another one that a call makes.
func (f *finder) subcommand(rule CommandRule, n *Node, on string) string {
	if !f.Commands.Paths {
		id := f.own(n)
		f.make(rule, n, id)
		f.join(source.Fact{ID: id, Of: on}, n)
		return id
	}
	if f.Commands.Places {
		on = cmp.Or(f.cmd.area, source.Program)
	}
	fact := source.Fact{Kind: source.Command}
	f.fill(&fact, rule, n.Args)
	word := fact.Name
	switch {
	case on == "" || fact.Usage == source.Hidden:
		return ""
	case word == "$0" || word == "*" || word != "" && strings.IndexByte("<[", word[0]) >= 0:
		return on
	case word == "" || len(on)+len(word) > longestCommand:
		return ""
	}
	fact.ID = word
	if on != source.Program {
		fact.ID = on + "." + word
	}
	fact.ID = f.cmd.fresh(fact.ID, "")
	f.commandFact(fact, n)
	f.join(source.Fact{ID: fact.ID, Of: on}, n)
	if options := f.role(rule, Builder, n.Args); options != nil && options.Kind == Map {
		f.options(f.Commands.Calls[".option"], options, fact.ID)
	}
	if fact.Help != "" && rule.Named { // another program does it
		return on
	}
	return fact.ID
}

// role is the argument that has a role.
func (f *finder) role(rule CommandRule, role Role, args []*Node) *Node {
	for i, a := range expand(args) {
		if rule.Roles[roleKey(a, i)] == role {
			return valueIn(a)
		}
	}
	return nil
}

// expand puts the entries of an object in its place.
func expand(args []*Node) []*Node {
	var out []*Node
	for _, a := range args {
		if a.Kind == Map && a.Key == "" {
			out = append(out, a.Args...)
			continue
		}
		out = append(out, a)
	}
	return out
}

func roleKey(a *Node, i int) string {
	if a.Key != "" {
		return a.Key
	}
	return strconv.Itoa(i)
}

// valueIn is what an argument, or the entry of an object, is.
func valueIn(a *Node) *Node {
	if a.Kind == Bind && a.X != nil {
		return a.X
	}
	return a
}

// literal is the text that literals spell out.
func (f *finder) literal(n *Node) (string, bool) {
	if n == nil || n.Kind != Text && n.Kind != Sum {
		return "", false
	}
	if n.Kind == Text {
		return n.Text, true
	}
	var all strings.Builder
	for _, a := range n.Args {
		if a.Kind != Text {
			return "", false
		}
		all.WriteString(a.Text)
	}
	return all.String(), true
}

// fill takes what arguments say of a command.
func (f *finder) fill(fact *source.Fact, rule CommandRule, args []*Node) {
	for i, a := range expand(args) {
		role := rule.Roles[roleKey(a, i)]
		a = valueIn(a)
		text, ok := f.literal(a)
		switch {
		case role == Parents:
			for _, p := range a.Args {
				id := f.command(p)
				if v := f.vars[p.Text]; p.Kind == Name && v != nil && v.given != "" {
					id = v.given
				}
				f.join(source.Fact{ID: id, Of: fact.ID, Usage: source.Hidden}, p)
			}
		case role == Help && !ok && (last(a) == "SUPPRESS" || a.Is("false")), role == Hidden && a.Is("True"):
			fact.Usage = source.Hidden
		case role == Called && !f.Commands.Paths:
			fact.Name = text
		case role == Usage && a.Kind == List && len(a.Args) > 0:
			text, ok = f.literal(a.Args[0])
			fallthrough
		case !ok:
			if role == Usage && ok {
				fact.Name, fact.Usage, _ = strings.Cut(strings.TrimSpace(text), " ")
			}
		case role == Called && fact.Name == "":
			fact.Name = text
		case role == Usage:
			fact.Name, fact.Usage, _ = strings.Cut(strings.TrimSpace(text), " ")
		case role == Rest:
			fact.Usage = strings.TrimSpace(strings.ReplaceAll(text, "[options]", ""))
		case role == Help:
			fact.Help = strings.Join(strings.Fields(text), " ")
		case role == Doc:
			fact.Help, fact.Doc, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
		case role == Also:
			fact.Also = text
		}
	}
}
