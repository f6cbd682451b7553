package surface

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Input is a file to analyse.
type Input struct {
	*Tree
	*Rules
	Place      func(file string) string // the ID of another file's default export; nil if files are not imported by path
	Sets       string                   // key under which the file, a tool's configuration, defines variables for code
	Defaults   bool                     // its name says that it has default settings, Configures also its folder
	Configures bool
	Command    string                                  // name of the program, or of the command that a class of the file defines, by the file's path
	Line       bool                                    // may define a command line
	Doc        func(name string) string                // documentation of a function
	Library    func(name string) string                // resolves an imported dotted name to its library name; other names are unchanged
	Unnamed    func(k source.Kind, of string, n *Node) // takes the function literal that handles a route or a command; nil if none is wanted
	Holds      map[string]bool                         // local names of imports that hold the environment
	Steps      func(n int)                             // counts steps, which are limited

	Package  string            // its name
	Imports  map[string]bool   // local names of packages
	Packages map[string]string // command-line libraries, by local name
	Single   bool              // all of these have flags with one dash
}

type finder struct {
	Input
	facts     []source.Fact
	told      map[source.Fact]bool
	globals   map[string]*Node // values of names assigned once
	varying   map[string]bool  // globals that functions change
	classes   map[string]*Node
	functions map[string]*Node
	types     map[string]string
	frames    []*frame
	vars      map[string]*value
	undo      []change
	depth     int
	branch    int // number of enclosing conditions
	env       envState
	routing   routeState
	cmd       commands
	over      map[*Node]*Node // collections for whose elements functions are called
	looping   loop
	rowsRead  int
	handedOut int               // see mostLiterals
	queues    map[string]string // names of queues, by variable
	rowNames  map[*Node]string  // names of maps, by the calls that are their values
	unnamed   map[*Node][]int   // unnamed jobs, by the scheduling function
	builder   bool              // the file may call table builders
	built     map[*Node]bool    // calls already read: table builders, descriptions of variables
	server    bool              // the file is of a server
	registers bool              // the file may register view sets

	fieldTypes map[*Node]map[string]*Node // of the fields of classes that were asked for one
	flow       *interpreter               // nil in a language without FlowRules
}

type frame struct {
	*Node

	name    string // dotted
	returns string // variable that it returns last
	asks    asking
	unsure  int  // enclosing conditions
	left    bool // a condition may have ended it without a failure
}

type value struct {
	rows    []row // rows over which a loop iterates
	router  *router
	command string // ID of a command
	given   string // ID of a parameter used as a set of flags
	text    *Node  // literal that it holds
	path    string // path that it held last
	handler string // the call that made it, if that may be a handler
	typ     string // of the value, or the function that returns it
	element string // type of the elements of a list
	result  bool   // of a function
}

type change struct {
	name string
	was  *value
}

func (f *finder) set(name string, v *value) {
	f.undo = append(f.undo, change{name, f.vars[name]})
	f.vars[name] = v
}

func (f *finder) back(mark int) {
	for i := len(f.undo) - 1; i >= mark; i-- {
		f.vars[f.undo[i].name] = f.undo[i].was
	}
	f.undo = f.undo[:mark]
}

type row struct{ key, value *Node }

// deepest bounds the nesting of nodes.
const deepest = 200

// Facts applies the rules to a file.
func Facts(in Input) []source.Fact {
	f := &finder{
		Input: in, told: map[source.Fact]bool{}, globals: map[string]*Node{}, varying: map[string]bool{}, functions: map[string]*Node{}, classes: map[string]*Node{},
		vars: map[string]*value{}, built: map[*Node]bool{}, queues: map[string]string{}, rowNames: map[*Node]string{}, unnamed: map[*Node][]int{}, over: map[*Node]*Node{}, fieldTypes: map[*Node]map[string]*Node{},
		types: map[string]string{}, frames: []*frame{{Node: &Node{Body: in.Body}}},
		env: envState{
			objects: map[string]bool{}, services: map[string]bool{}, given: map[string][]*Node{}, takes: map[string]map[int]*Node{}, proxied: map[*Node]bool{},
		},
		routing: routeState{
			ids: map[*Node]string{}, given: map[*Node]*router{}, passing: map[*Node]bool{}, verbs: map[*Node][]string{}, adds: map[string]*router{},
			looped: map[*Node]bool{},
		},
	}
	maps.Copy(f.env.objects, in.Holds)
	f.builder = in.Entities.Tables != nil && (strings.Contains(in.Src, "Table") || strings.Contains(in.Src, "Column"))
	f.server = f.isServer()
	f.registers = in.Routes.Calls[".register"].Views && strings.Contains(in.Src, ".register(")
	f.declare(in.Body, 0)
	if !f.Local && !f.Alone {
		f.changed(in.Body)
	}
	f.cmd.begin(in)
	if in.Main != "" {
		f.flow = newInterpreter(f)
	}
	for _, n := range in.Body {
		f.exportsCommand(n)
	}
	for _, n := range in.Body {
		if !f.Scoped {
			f.registration(n)
		}
		if f.flow != nil {
			f.flow.enter(n)
		}
		f.statements([]*Node{n})
	}
	if f.flow != nil {
		f.flow.finish()
	}
	for _, n := range f.routing.tables {
		if !f.routing.looped[n] {
			f.table(n)
		}
	}
	f.nameJobs()
	f.callHelpers()
	f.constructed(in.Body)
	f.rooted()
	f.taken()
	f.optionTables()
	f.settingLiterals()
	if in.Config.Base != "" {
		f.configuration()
	}
	for i := range in.Models {
		f.models(&in.Models[i])
	}
	facts := f.cmd.finish(f.facts)
	for i := range facts {
		f.count(&facts[i])
		for _, text := range facts[i].Texts() {
			*text = strings.Clone(strings.ToValidUTF8(*text, "\ufffd")) // do not retain the source
		}
	}
	return facts
}

// isSwitch reports whether a node is a parameter with the default False.
func (f *finder) isSwitch(n *Node) bool {
	f.Steps(len(f.frame().Args))
	return n != nil && n.Kind == Name && slices.ContainsFunc(f.frame().Args, func(p *Node) bool { return p.Is(n.Text) && p.X.Is("False") })
}

func (f *finder) tell(fact source.Fact, at *Node) {
	if f.count(&fact); len(f.facts) > source.MostFacts {
		return
	}
	fact.Line = int(at.Line)
	f.facts = append(f.facts, fact)
}

func (f *finder) once(fact source.Fact, at *Node) {
	if (fact.Name != "" || fact.Kind == source.Exit) && !f.told[fact] {
		f.told[fact] = true
		f.tell(fact, at)
	}
}

// statements visits statements, and reports whether control leaves them for a row of a table.
func (f *finder) statements(body []*Node) (left bool) {
	if f.flow != nil {
		return f.flow.block(body)
	}
	f.each(body)
	return false
}

func (f *finder) each(nodes []*Node) {
	for _, n := range nodes {
		f.visit(n)
	}
}

func (f *finder) conditional(body []*Node) (left bool) {
	var shadowed []change // by variables of the block
	for _, n := range body {
		if f.Scoped && n.Kind == Bind && n.Text == ":=" {
			for _, to := range n.Args {
				shadowed = append(shadowed, change{to.Text, f.vars[to.Text]})
			}
		}
	}
	f.branch++
	left = f.statements(body)
	f.branch--
	for _, outer := range shadowed {
		f.vars[outer.name] = outer.was
	}
	return left
}

// choice visits a body that only runs under a condition.
func (f *finder) choice(n *Node, body []*Node) (left bool) {
	in := f.frame()
	in.unsure++
	left = f.conditional(body)
	in.unsure--
	in.left = in.left || len(body) > 0 && body[len(body)-1].Kind == Return && !f.fails(body[len(body)-1]) &&
		!(n.X != nil && n.X.Kind == Operator && n.X.Text == "!=" && n.X.Args[len(n.X.Args)-1].Is("nil")) // an error
	return left
}

func (f *finder) visit(n *Node) {
	if n == nil || f.depth > deepest {
		return
	}
	f.Step()
	if n.Key != "" && n.Kind == Map {
		f.listedJobs(n.Key, n)
	}
	if n.Key != "" && n.Key == f.Commands.Prefix {
		if prefix, ok := f.text(valueIn(n)); ok && prefix != "" {
			f.commandFact(source.Fact{Kind: source.Env, Name: prefix + "_*", Help: "sets options"}, n)
		}
	}
	f.depth++
	defer func() { f.depth-- }()
	if f.flow != nil {
		f.flow.meets(n)
	}
	switch n.Kind {
	case Name:
		f.mentions(n)
	case Func, Class:
		if f.flow == nil || n.Kind == Func {
			f.open(n)
		}
	case Bind:
		if len(n.Args) == 1 && isPredicate(n.Args[0].Text) && n.X != nil && n.X.Kind == Or && !isScalar(n.X.Args[len(n.X.Args)-1]) {
			f.env.condition = n.X
		}
		f.each(n.Marks)
		if f.Alone {
			f.visit(n.X)
			f.each(n.Args)
			return
		}
		f.bind(n)
		for _, to := range n.Args {
			f.target(to, n)
		}
	case If:
		f.env.condition = n.X
		f.visit(n.X)
		was := f.cmd.only
		if f.isSwitch(n.X) {
			f.cmd.only = n.X.Text
		}
		f.choice(n, n.Body)
		f.cmd.only = was
		f.choice(n, n.Else)
	case For:
		f.loop(n, n.Args, n.X)
	case Block:
		f.visit(n.X)
		if f.flow != nil || n.X == nil && n.Text == "" {
			f.conditional(n.Body)
		} else {
			f.statements(n.Body)
		}
	case Or:
		for i, a := range n.Args {
			if i+1 < len(n.Args) && f.env.condition != n {
				f.env.tried, f.env.otherwise = a, n.Args[i+1]
			}
			f.visit(a)
		}
	case List:
		f.paired(n)
		f.each(n.Args)
	case Map:
		if f.Routes.Table[0] != nil {
			f.routing.tables = append(f.routing.tables, n)
		}
		f.rowJobs(n)
		f.each(n.Args)
	case Call, Index, Member, Operator, Return:
		if n.Kind == Return {
			f.returned(n)
		}
		if n.Text == "del" && n.Kind == Operator {
			for _, a := range n.Args {
				f.target(a, n)
			}
			return
		}
		if n.Text == "if" && n.Kind == Operator && len(n.Args) == 3 {
			f.env.condition = n.Args[1]
		}
		if f.look(n) {
			return
		}
		f.visit(n.X)
		f.each(n.Args)
		if f.flow != nil && n.Kind == Call {
			f.flow.hands(n)
		}
	default:
		f.each(n.Args)
	}
}

// look applies the rules to an expression; true if they walked its children.
func (f *finder) look(n *Node) (walked bool) {
	if f.Alone || f.interpolated(n) || f.read(n) {
		return false
	}
	f.passes(n)
	if n.Kind != Call {
		return false
	}
	f.exits(n)
	f.serves(n)
	f.builds(n)
	f.entityCall(n)
	f.calledJob(n)
	f.prefixed(n)
	f.converted(n)
	if n.X.Kind == Member && f.Env.Each[n.X.Text] && len(n.Args) > 0 && n.Args[0].Kind == Func {
		f.over[n.Args[0]] = n.X.X
	}
	if f.Env.Calls != nil {
		f.asked(n)
	}
	if f.Env.Tables != nil {
		f.variableTable(n)
	}
	if f.cmd.on && f.line(n) {
		return true
	}
	return f.route(n)
}

// line reads a command line call; true if it walked the arguments because they belong to a subcommand.
func (f *finder) line(n *Node) bool {
	id := f.command(n)
	rule := CommandRule{}
	if n.X.Kind == Member {
		rule = f.Commands.Calls["."+n.X.Text]
		if first, _, ok := strings.Cut(Dotted(n.X), ".params."); ok {
			was := f.cmd.params
			f.cmd.params = first
			f.each(n.Args)
			f.cmd.params = was
			return true
		}
	}
	if rule.Part != Below || !f.Commands.Places {
		return false
	}
	f.visit(n.X)
	was := f.cmd.area
	f.cmd.area = id
	f.each(n.Args)
	f.cmd.area = was
	return true
}

// mentions joins an option in a variable to the command or class that uses it.
func (f *finder) mentions(n *Node) {
	if !f.cmd.options[n.Text] {
		return
	}
	of := f.cmd.params
	if in := f.class(); of == "" && in != nil {
		of = in.name
	}
	f.join(source.Fact{ID: n.Text, Of: of}, n)
}

func (f *finder) open(n *Node) {
	in := &frame{Node: n, name: n.Text}
	if outer := f.frame().name; outer != "" && n.Text != "" {
		in.name = outer + "." + n.Text
	}
	f.decorated(n)
	f.controlled(n)
	if n.Kind == Class && f.Entities.Classes != nil {
		f.entityClass(n)
	}
	if n.Kind == Class {
		f.viewClass(n)
		f.inheritedJob(n)
	} else if f.Routes.Plain && len(n.Args) == 1 && f.functions[n.Text] == n && f.passing(n.Text) {
		f.tell(source.Fact{Kind: source.Holds, ID: n.Text, Default: "/"}, n)
	}
	f.decoratedJob(n)
	if f.cmd.on && n.Kind == Func && len(n.Marks) > 0 {
		f.commandDecorators(n, in.name)
	}
	f.each(n.Marks)
	if f.cmd.on && n.Kind == Class && n.Text == f.Commands.Class && f.Command != "" {
		f.managed(n)
	}
	for _, base := range n.Args {
		if as := f.Commands.Bases[last(base)]; f.cmd.on && n.Kind == Class && as != "" {
			f.cmd.extends[n.Text] = as
		}
	}
	f.frames = append(f.frames, in)
	for _, p := range n.Args {
		if f.flow == nil {
			f.visit(p.X)
			f.visit(p.Type)
		}
	}
	mark := len(f.undo)
	if f.Scoped && n.Kind == Func {
		f.typed(in)
	}
	if in.name != "" && n.Kind == Func {
		in.returns = returned(n)
	}
	f.parameters(in)
	for i, p := range n.Args {
		f.serviceOf(p)
		if len(n.Args) > 0 && f.Self[n.Args[0].Text] {
			i--
		}
		if in.Kind != Func || in.name == "" || p.Kind != Name || f.Self[p.Text] {
			continue
		}
		v := &value{}
		if f.cmd.on && !f.Commands.Paths {
			v.command, v.given = parameterOf(in.name), givenTo(in.name, i)
		}
		if f.Routes.Handed {
			v.router = &router{id: parameterOf(in.name)}
		}
		if v.command != "" || v.router != nil {
			f.set(p.Text, v)
		}
	}
	if len(n.Args) > 0 && n.Args[0].Kind == Name {
		if given, rows := f.routing.given[n], f.rows(f.over[n]); !f.Scoped && (given != nil || rows != nil) {
			f.set(n.Args[0].Text, &value{router: given, rows: rows})
		}
	}
	if f.flow != nil && n.Kind == Func && n.Text == "" {
		f.flow.closure(n)
	} else {
		f.overTable(f.over[n], Arg(n.Args, "", 0), func() { f.statements(n.Body) })
	}
	f.answers(in)
	f.back(mark)
	f.frames = f.frames[:len(f.frames)-1]
}
