package surface

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// CommandRules describe how libraries build command lines.
type CommandRules struct {
	Calls   map[string]CommandRule // functions by library name; methods of any value begin with a dot
	Paths   bool                   // a subcommand's ID is its command path, not its variable
	Table   map[string]Role        // keys of option objects in lists
	Row     string                 // key that every such object has
	Root    map[string]bool        // variables that hold the program's command
	Bases   map[string]string      // library function by base class
	Class   string                 // class that is a command by its file's path, plus the suffix of its method that adds flags
	Adder   string
	Groups  string                 // method by which a class adds commands to itself
	Prefix  string                 // keyword of the prefix of all option variables
	Typed   []string               // forms of files whose functions have a flag per parameter
	Places  bool                   // calls inside a subcommand call belong to the subcommand, whatever the receiver
	Types   map[string]string      // placeholder by type
	Choices map[string]bool        // packages of decorators unrelated to commands
	Objects map[string]CommandRule // literals by type
	Sets    map[string]string      // types of flag sets, with their dashes
	Dashes  map[string]string      // dashes of the flags of the program, by library
	Default string                 // variable with the flags of the program
	Methods map[string]bool        // methods that return the flags of a command
	Named   []string               // usual names of flag sets
	Args    string                 // the arguments of the program
}

// Part is the effect of a library call.
type Part uint8

// Parts of a command line.
const (
	Makes Part = iota + 1
	Below      // a subcommand of the receiver
	Same       // the result is the receiver
	Adds       // the command in its argument
	Sets
	Option // a flag
	Takes
	Plain  // a flag of which only the name counts
	Given  // a flag passed as an object whose methods configure it
	Parses // the flags in its property "options"
	Groups // a set of flags
	Hides  // the flag named by its argument
	Root   // the command line of the program, by the type of its argument
	Whole  // as a decorator: the parameters are flags of the receiver
	Global // a flag of the program, wherever the call is
)

// CommandRule describes the effect of a call, and the roles of its arguments by keyword or position.
type CommandRule struct {
	Part  Part
	Roles map[string]Role
	Value string // default placeholder of a flag
	Named bool   // its ID is the name of the flag
	Dash  string // added to a flag name without dashes

	Library string // calls are chained and need its import, see interpreter.chained
}

// commands are those of the file. If values are followed, the ID of one is the variable that holds it or the function that
// returns it.
type commands struct {
	on      bool
	typed   bool
	facts   []source.Fact
	at      map[string]int    // command facts, by ID
	ids     map[string]int    // uses of each name
	done    map[*Node]string  // calls already read, with their commands
	targets map[*Node]string  // variables to which calls are assigned
	classes map[string]bool   // classes with a method that adds commands
	options map[string]bool   // variables that hold an option
	extends map[string]string // library functions of classes
	told    map[string]bool   // flag names seen so far
	area    string            // command whose arguments are being read
	within  string            // file-level variable that the statement assigns
	exports string            // variable with a named command that the file exports and does not run
	only    string            // parameter of the function that guards the current code
	params  string            // command whose parameter list is being extended
	root    source.Fact

	// if values are followed
	kinds  map[string]CommandRule
	hidden map[string]bool // flags by owner and name
	seen   map[*Node]seen
	rows   int             // remaining flags of tables
	whole  map[string]bool // sets that the current function parses the arguments of the program with
}

func (c *commands) begin(in Input) {
	c.on = in.Line && in.Main == ""
	for _, t := range in.Commands.Typed {
		c.typed = c.typed || c.on && strings.Contains(in.Src, t)
	}
	if !in.Line {
		return
	}
	c.at, c.ids, c.done, c.targets = map[string]int{}, map[string]int{}, map[*Node]string{}, map[*Node]string{}
	c.classes, c.options, c.extends, c.told = map[string]bool{}, map[string]bool{}, map[string]string{}, map[string]bool{}
	c.root = source.Fact{Kind: source.Command, ID: source.Program, Line: 1}
	c.kinds, c.hidden, c.seen, c.rows = map[string]CommandRule{}, map[string]bool{}, map[*Node]seen{}, mostTableFlags
}

// finish returns all facts. It drops bare flags that a command describes or hides.
func (c *commands) finish(others []source.Fact) []source.Fact {
	if c.on && c.ids[source.Program] > 0 || c.root.Usage != "" {
		c.facts = append(c.facts, c.root)
	}
	for _, f := range others {
		if f.Kind != source.Flag || !c.told[f.Name] {
			c.facts = append(c.facts, f)
		}
	}
	return slices.DeleteFunc(c.facts, func(f source.Fact) bool {
		return f.Kind == source.Flag && c.hidden[f.Of+" "+strings.TrimLeft(f.Name, "-")]
	})
}

func (f *finder) commandFact(fact source.Fact, at *Node) {
	c := &f.cmd
	if f.count(&fact); len(c.facts) > source.MostFacts {
		return
	}
	if fact.Line = int(at.Line); at.Kind == Call {
		fact.Line = int(at.X.Line)
		if f.Commands.Paths && len(at.Args) > 0 {
			fact.Line = int(at.Args[0].Line)
		}
	}
	if p := f.flow; p != nil && fact.Kind != source.Env {
		if fact.Guard = p.guard; fact.Guard == "" && p.row == nil {
			fact.Guard = p.rowGuard
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

func (f *finder) join(fact source.Fact, at *Node) {
	if fact.ID != fact.Of && fact.ID != "" && fact.Of != "" {
		fact.Kind = source.Join
		f.commandFact(fact, at)
	}
}

// fact returns the fact about a command, or a scratch one if there is none.
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

func parameterOf(function string) string { return function + "()" }

// givenTo is the ID of the argument at a position of a function.
func givenTo(function string, at int) string { return parameterOf(function + "." + strconv.Itoa(at)) }

func (f *finder) own(n *Node) string {
	target := f.cmd.targets[n]
	id := target
	if outer := f.frame().name; outer != "" {
		id = outer + "." + target
	}
	if first, _, dotted := strings.Cut(target, "."); dotted && f.Self[first] {
		id = f.self(target)
	}
	return f.cmd.fresh(id)
}

// fresh returns an ID that no other command has.
func (c *commands) fresh(id string) string {
	c.ids[id]++
	if n := c.ids[id]; n > 1 {
		return id + "#" + strconv.Itoa(n)
	}
	return id
}

// held returns the command in a variable, or "".
func (f *finder) held(name string) string {
	if v := f.vars[name]; v != nil && v.command != "" {
		return v.command
	}
	if f.Commands.Root[name] && f.vars[name] == nil && name != f.cmd.exports {
		return source.Program
	}
	if _, made := f.cmd.at[name]; made && !f.Commands.Paths && f.functions[name] != nil && f.vars[name] == nil {
		return name // by a decorator
	}
	return ""
}

// command reads a call once and returns the ID of its command, or "".
func (f *finder) command(n *Node) string {
	switch n.Kind {
	case Name, Member:
		name := Dotted(n)
		if id := f.held(name); id != "" || f.Commands.Paths || name == "" {
			return id
		}
		if in := f.class(); f.Self[name] && in != nil {
			return in.name
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
	if f.Commands.Paths && n.X.Kind == Member { // any other method returns its command
		return f.command(n.X.X)
	}
	if f.cmd.classes[callee] && f.cmd.targets[n] != "" {
		id := f.own(n)
		f.make(CommandRule{Roles: map[string]Role{"name": Called, "help": Help}}, n, id)
		f.join(source.Fact{ID: callee, Of: id}, n)
		return id
	}
	to := ""
	for i, a := range n.Args { // a function may add to the first command argument, and take the flags of others
		held := f.held(a.Text)
		switch {
		case to != "" && a.Key != "" && a.Is("True"):
			f.join(source.Fact{ID: parameterOf(f.self(callee) + "." + a.Key), Of: to}, n)
		case a.Kind != Name || callee == "" || held == "":
		case to == "":
			to = held
			f.join(source.Fact{ID: parameterOf(f.self(callee)), Of: to}, n)
		default:
			f.join(source.Fact{ID: held, Of: givenTo(f.self(callee), i), Usage: source.Hidden}, n)
		}
	}
	if fn := f.functions[callee]; fn != nil { // it may return a command that it made
		id := fn.Text + "." + returned(fn)
		if _, made := f.cmd.at[id]; made {
			return id
		}
	}
	return ""
}

// part applies a rule to a call on a command.
func (f *finder) part(rule CommandRule, n *Node, on string) string {
	switch rule.Part {
	case Makes:
		return f.makesCommand(rule, n)
	case Same:
		name := f.cmd.root.Name
		if at, ok := f.cmd.at[on]; ok {
			name = f.cmd.facts[at].Name
		}
		f.unnamedCode(source.Action, name, f.role(rule, Runs, n.Args))
		return on
	case Below:
		return f.subcommand(rule, n, on)
	case Adds:
		if len(n.Args) > 0 {
			fact := source.Fact{ID: f.command(n.Args[0]), Of: on}
			place := f.required(n.Args[0])
			if n.Args[0].Kind == Member && n.Args[0].Text == f.Routes.Default {
				place = f.required(n.Args[0].X)
			}
			if n.Args[0].Kind == Name && fact.ID == "" {
				fact.ID = n.Args[0].Text
			}
			fact.ID = cmp.Or(place, fact.ID)
			if text, ok := f.literal(Arg(n.Args, "name", 1)); ok {
				fact.Name = text
			}
			if n.Args[0].Kind == Name || n.Args[0].Kind == Member || place != "" {
				f.join(fact, n)
			}
		}
		if in := f.frame(); n.X.Kind == Member && f.Self[last(n.X.X)] && len(f.frames) > 1 {
			owner, _, _ := cutLast(in.name)
			f.cmd.classes[owner] = f.cmd.classes[owner] || n.X.Text == f.Commands.Groups
		}
	case Parses:
		f.parses(rule, n)
	case Given:
		f.addsRows(n.Args, on, n)
		f.given(rule, n, on)
	case Sets:
		if f.Commands.Places {
			on = source.Program
		}
		if on != "" {
			f.fill(f.cmd.fact(on), rule, n.Args)
		}
	case Global:
		f.option(rule, n.Args, "", source.Program, n)
	case Option, Plain:
		f.addsRows(n.Args, on, n)
		if in := f.frame().name; f.cmd.only != "" && on == parameterOf(in) {
			on = parameterOf(in + "." + f.cmd.only)
		}
		f.optionCall(rule, n, on)
	}
	return on
}

// makesCommand returns the command that a call creates.
func (f *finder) makesCommand(rule CommandRule, n *Node) string {
	var id string
	if !f.Commands.Paths {
		id = f.own(n)
	} else if text, ok := f.literal(Arg(n.Args, "", 0)); f.cmd.targets[n] != "" && f.held(f.cmd.targets[n]) == "" && (ok || f.cmd.ids[source.Program] > 0) {
		id = f.cmd.fresh(f.cmd.targets[n])
	} else {
		if ok {
			f.cmd.root.Name = text
		}
		return source.Program
	}
	f.make(rule, n, id)
	return id
}

func (f *finder) make(rule CommandRule, n *Node, id string) {
	at := len(f.cmd.facts)
	f.commandFact(source.Fact{Kind: source.Command, ID: id}, n)
	fact := f.cmd.facts[at]
	f.fill(&fact, rule, n.Args)
	f.cmd.facts[at] = fact
}

// longestCommand bounds the bytes of a subcommand's path.
const longestCommand = 256

// subcommand returns the subcommand that a call creates.
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
	fact.ID = f.cmd.fresh(fact.ID)
	f.commandFact(fact, n)
	f.join(source.Fact{ID: fact.ID, Of: on}, n)
	if options := f.role(rule, Builder, n.Args); options != nil && options.Kind == Map {
		f.options(f.Commands.Calls[".option"], options, fact.ID)
	}
	if fact.Help != "" && rule.Named { // implemented by another program
		return on
	}
	return fact.ID
}

func (f *finder) role(rule CommandRule, role Role, args []*Node) *Node {
	for i, a := range expand(args) {
		if rule.Roles[roleKey(a, i)] == role {
			return valueIn(a)
		}
	}
	return nil
}

// expand replaces an object by its entries.
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

func valueIn(a *Node) *Node {
	if a.Kind == Bind && a.X != nil {
		return a.X
	}
	return a
}

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
		case role == Help && !ok && f.pieces(a) != "":
			fact.Help = strings.Join(strings.Fields(f.pieces(a)), " ")
		case role == Help && !ok && (last(a) == "SUPPRESS" || a.Is("false")), role == Hidden && (a.Is("True") || a.Is("true")), role == Gone:
			fact.Usage = source.Hidden
		case role == Called && !f.Commands.Paths:
			fact.Name = text
		case role == Also && a.Kind == List:
			fact.Also = strings.Join(f.literals(a), ", ")
		case role == Usage && a.Kind == List && len(a.Args) > 0:
			text, _ = f.literal(a.Args[0])
			usage(fact, text)
		case role == Usage && a.Kind == Sum && !ok: // the first word may be known even if the rest is computed
			text, _ = f.literal(a.Args[0])
			if name, _, whole := strings.Cut(strings.TrimLeft(text, " "), " "); whole {
				fact.Name = name
			}
		case !ok: // perhaps a constant of another file
			switch name := f.elsewhere(a, a); {
			case name == "":
			case role == Usage, role == Called:
				fact.Name = source.Named + name
			case role == Help:
				fact.Help = source.Named + name
			}
		case role == Called && fact.Name == "":
			fact.Name = text
		case role == Usage:
			usage(fact, text)
		case role == Rest && fact.Usage != source.Hidden:
			fact.Usage = strings.Join(strings.Fields(strings.ReplaceAll(text, "[options]", "")), " ")
		case role == Help:
			fact.Help = strings.Join(strings.Fields(text), " ")
		case role == Long:
			fact.Doc = strings.TrimSpace(text)
		case role == Also:
			fact.Also = text
		}
	}
	f.unnamedCode(source.Action, fact.Name, f.role(rule, Runs, args))
}
