package surface

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Rules say what calls, decorators and names mean in a language and its frameworks.
type Rules struct {
	Env         EnvRules
	Routes      RouteRules
	Config      ConfigRules
	Commands    CommandRules
	Controllers ControllerRules
	Models      ModelRules
	Exits       map[string]bool // functions that end the program with a code
	ExitWords   []string        // in the names of functions that may do so with what they are given
	Scoped      bool            // what a function makes is called after it, and typed parameters are what they say
	Predeclared map[string]bool // functions of the language
	Constants   bool            // those of functions count in the whole file
	Self        map[string]bool // what a method calls its value
	Nothing     map[string]bool // names of values that are no default

	reads, ends, owners map[string]bool // see Prepare
}

// Prepare notes the names that calls, members and subscripts have to have for their last elements where a rule is about them: others
// need not be spelled out.
func (r *Rules) Prepare() *Rules {
	r.reads, r.ends, r.owners = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, names := range []map[string]bool{r.Env.Objects, r.Env.Calls, r.Env.Methods} {
		for name := range names {
			_, name, _ = cutLast(name)
			r.reads[name] = true
		}
	}
	for name := range r.Env.All {
		_, name, _ = cutLast(name)
		r.reads[name] = true
	}
	for name := range r.Exits {
		_, name, _ = cutLast(name)
		r.ends[name] = true
	}
	for name := range r.Routes.Calls {
		owner, _, _ := cutLast(name)
		r.owners[owner] = owner != ""
	}
	return r
}

// Words are the names that a call has for its last element where a rule is about it.
func (r *Rules) Words() map[string]bool {
	out := map[string]bool{}
	for _, names := range []map[string]bool{r.reads, r.ends} {
		for name := range names {
			out[name] = !r.Env.Methods[name] && name != "get"
		}
	}
	add := func(name string) { out[name[strings.LastIndexByte(name, '.')+1:]] = true }
	for name := range r.Routes.Makers {
		add(name)
	}
	for name, rule := range r.Routes.Calls {
		if !r.Routes.Named && rule.Listed == "" {
			add(name)
		}
	}
	for name := range r.Routes.Mounts {
		if !r.Routes.Named {
			add(name)
		}
	}
	for name := range r.Controllers.Classes {
		add(name)
	}
	for name := range r.Models.Classes {
		add(name)
	}
	for name := range r.Models.Calls {
		if name != ".define" && name != ".init" && name != ".model" && name != "model" {
			add(name)
		}
	}
	for name := range r.Models.Tables {
		if name != "table" {
			add(name)
		}
	}
	add(r.Controllers.Prefix)
	add(r.Controllers.Versions)
	delete(out, "")
	return out
}

// Words are the names of calls that make a command line, whatever they are called on.
func (c *CommandRules) Words(out map[string]bool) {
	for name := range c.Calls {
		if name[0] != '@' && name[0] != '=' {
			_, name, _ = cutLast(name)
			out[name] = true
		}
	}
}

// Input is a file.
type Input struct {
	*Tree
	*Rules
	Place   func(file string) string // the ID of what another file exports as a whole; nil where nothing is imported by its file
	Sets    string                   // the key under which the file, a configuration of a tool, gives variables to code
	Line    bool                     // it may have to do with a command line
	Doc     func(name string) string // the documentation of a function
	Library func(name string) string // the dotted name of what an import binds a dotted name to; any other as it is
	Holds   map[string]bool          // the names of what imports bind to the variables of the environment
	Step    func()                   // counts what is looked at
}

// finder walks a file in the order of its source.
type finder struct {
	Input
	facts     []source.Fact
	told      map[source.Fact]bool
	globals   map[string]*Node  // what has one value in the file
	functions map[string]*Node  // those of the file, by their names
	types     map[string]string // of variables of the file
	frames    []*frame
	vars      map[string]*value
	undo      []change
	depth     int
	branch    int // how many conditions the code stands under in its function
	env       envState
	routing   routeState
	cmd       commands
	built     map[*Node]bool // calls of builders of tables that were read
}

// frame is a function or a class that is open.
type frame struct {
	*Node

	name    string // dotted
	returns string // the variable that it returns in the end
	asks    asking
}

// value is what is known of a variable.
type value struct {
	rows    []row // a loop goes over them
	router  *router
	command string // the ID of a command
	path    string // the path that it held last
	typ     string // its type
}

// change is what a variable was before.
type change struct {
	name string
	was  *value
}

// set says what is known of a variable from now on; back takes that back.
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

// row is one of a list or a map.
type row struct{ key, value *Node }

// deepest bounds the nesting of nodes that are looked into.
const deepest = 200

// Facts are what the rules say of a file.
func Facts(in Input) []source.Fact {
	f := &finder{Input: in, told: map[source.Fact]bool{}, globals: map[string]*Node{}, functions: map[string]*Node{}, vars: map[string]*value{}, built: map[*Node]bool{}}
	f.env = envState{
		each: map[*Node][]row{}, objects: map[string]bool{}, services: map[string]bool{}, fields: map[string][]row{}, given: map[string][]*Node{},
		takes: map[string]map[int]*Node{}, proxied: map[*Node]bool{},
	}
	f.types, f.routing.verbs, f.routing.adds = map[string]string{}, map[*Node][]string{}, map[string]*router{}
	f.routing.ids, f.routing.given = map[*Node]string{}, map[*Node]*router{}
	f.frames = []*frame{{Node: &Node{Body: in.Body}}}
	f.declare(in.Body, 0)
	f.cmd.begin(in)
	for name := range in.Holds {
		f.env.objects[name] = true
	}
	for _, n := range in.Body {
		if !f.Scoped {
			f.registration(n)
		}
		f.visit(n)
	}
	f.taken()
	if in.Config.Base != "" {
		f.configuration()
	}
	return f.cmd.finish(f.facts)
}

// declare takes up what the file gives one value.
func (f *finder) declare(body []*Node, depth int) {
	for _, n := range body {
		switch n.Kind {
		case Bind:
			name := ""
			if len(n.Args) == 1 && n.Args[0].Kind == Name {
				name = n.Args[0].Text
			}
			if name == "" {
				continue
			}
			_, again := f.globals[name]
			if f.globals[name] = n.X; again && !f.Constants {
				f.globals[name] = nil
			}
			if typ := f.typeOf(n.Type, n.X); typ != "" {
				f.types[name] = typ
			}
		case Func:
			f.functions[n.Text[strings.LastIndexByte(n.Text, '.')+1:]] = n
		}
		if f.Constants && depth < deepest {
			f.declare(n.Body, depth+1)
			f.declare(n.Else, depth+1)
		}
	}
}

func (f *finder) frame() *frame { return f.frames[len(f.frames)-1] }

// function is the innermost function that is open, nil where a class or the file is nearer.
func (f *finder) function() *frame {
	if in := f.frame(); in.Kind == Func && in.name != "" {
		return in
	}
	return nil
}

// self makes the name of a member of the class that is open of what is selected from its value.
func (f *finder) self(name string) string {
	first, rest, ok := strings.Cut(name, ".")
	for i := len(f.frames) - 1; ok && f.Self[first] && i >= 0; i-- {
		if in := f.frames[i]; in.Kind == Class {
			return in.name + "." + rest
		}
	}
	return name
}

func (f *finder) tell(fact source.Fact, at *Node) {
	fact.Line = int(at.Line)
	f.facts = append(f.facts, fact)
}

// once tells a fact where it is met first.
func (f *finder) once(fact source.Fact, at *Node) {
	if (fact.Name != "" || fact.Kind == source.Exit) && !f.told[fact] {
		f.told[fact] = true
		f.tell(fact, at)
	}
}

func (f *finder) statements(body []*Node) {
	for _, n := range body {
		f.visit(n)
	}
}

// conditional walks code that may not run.
func (f *finder) conditional(body []*Node) {
	f.branch++
	f.statements(body)
	f.branch--
}

// visit looks at a node and at what stands in it.
func (f *finder) visit(n *Node) {
	if n == nil || f.depth > deepest {
		return
	}
	f.Step()
	if n.Key != "" && n.Key == f.Commands.Prefix {
		if prefix, ok := f.text(valueIn(n)); ok && prefix != "" {
			f.commandFact(source.Fact{Kind: source.Env, Name: prefix + "_*", Help: "sets options"}, n)
		}
	}
	f.depth++
	defer func() { f.depth-- }()
	switch n.Kind {
	case Name:
		f.mentions(n)
	case Func, Class:
		f.open(n)
	case Bind:
		f.statements(n.Marks)
		f.bind(n)
		for _, to := range n.Args {
			f.target(to, n)
		}
	case If:
		f.visit(n.X)
		f.conditional(n.Body)
		f.conditional(n.Else)
	case For:
		f.loop(n, n.Args, n.X)
	case Block:
		f.visit(n.X)
		if n.X == nil && n.Text == "" {
			f.conditional(n.Body)
		} else {
			f.statements(n.Body)
		}
	case Or:
		for i, a := range n.Args {
			if i+1 < len(n.Args) {
				f.env.tried, f.env.otherwise = a, n.Args[i+1]
			}
			f.visit(a)
		}
	case Map:
		if f.Routes.Table[0] != nil {
			f.table(n)
		}
		f.statements(n.Args)
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
		if f.look(n) {
			return
		}
		f.visit(n.X)
		f.statements(n.Args)
	default:
		f.statements(n.Args)
	}
}

// look applies the rules to an expression; true where they have walked what stands in it.
func (f *finder) look(n *Node) (walked bool) {
	if f.read(n) {
		return false
	}
	f.passes(n)
	if n.Kind != Call {
		return false
	}
	f.exits(n)
	f.serves(n)
	f.builds(n)
	f.modelCall(n)
	if n.X.Kind == Member && f.Env.Each[n.X.Text] && len(n.Args) > 0 && n.Args[0].Kind == Func {
		f.env.each[n.Args[0]] = f.rows(n.X.X)
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

// line reads a call of a command line; true where it has walked the arguments, which belong to a subcommand.
func (f *finder) line(n *Node) bool {
	id := f.command(n)
	rule := CommandRule{}
	if n.X.Kind == Member {
		rule = f.Commands.Calls["."+n.X.Text]
		if first, _, ok := strings.Cut(Dotted(n.X), ".params."); ok {
			was := f.cmd.params
			f.cmd.params = first
			f.statements(n.Args)
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
	f.statements(n.Args)
	f.cmd.area = was
	return true
}

// mentions notes that an option which is a value is given to a command, or in a class to what that is.
func (f *finder) mentions(n *Node) {
	if !f.cmd.options[n.Text] {
		return
	}
	of := f.cmd.params
	for i := len(f.frames) - 1; of == "" && i >= 0; i-- {
		if f.frames[i].Kind == Class {
			of = f.frames[i].name
		}
	}
	f.join(source.Fact{ID: n.Text, Of: of}, n)
}

// open walks a function or a class.
func (f *finder) open(n *Node) {
	in := &frame{Node: n, name: n.Text}
	if outer := f.frame().name; outer != "" && n.Text != "" {
		in.name = outer + "." + n.Text
	}
	f.decorated(n)
	f.controlled(n)
	if n.Kind == Class && f.Models.Classes != nil {
		f.modelClass(n)
	}
	if f.cmd.on && n.Kind == Func && len(n.Marks) > 0 {
		f.commandDecorators(n, in.name)
	}
	for _, m := range n.Marks {
		f.visit(m)
	}
	for _, base := range n.Args {
		if as := f.Commands.Bases[last(base)]; n.Kind == Class && as != "" {
			f.cmd.extends[n.Text] = as
		}
	}
	f.frames = append(f.frames, in)
	for _, p := range n.Args {
		f.visit(p.X)
		f.visit(p.Type)
	}
	mark := len(f.undo)
	if f.Scoped && n.Kind == Func {
		f.typed(in)
	}
	if in.name != "" && n.Kind == Func && (f.Scoped || f.Routes.Named) {
		in.returns = returned(n)
	}
	f.parameters(in)
	for _, p := range n.Args {
		f.serviceOf(p)
		if f.cmd.on && in.Kind == Func && in.name != "" && p.Kind == Name && !f.Self[p.Text] && !f.Commands.Paths {
			f.set(p.Text, &value{command: parameterOf(in.name)})
		}
	}
	if len(n.Args) > 0 && n.Args[0].Kind == Name {
		if given, rows := f.routing.given[n], f.env.each[n]; !f.Scoped && (given != nil || rows != nil) {
			f.set(n.Args[0].Text, &value{router: given, rows: rows})
		}
	}
	f.statements(n.Body)
	f.answers(in)
	f.back(mark)
	f.frames = f.frames[:len(f.frames)-1]
}

// bind walks what variables are given, with the names of what it makes.
func (f *finder) bind(n *Node) {
	was := f.routing.list
	f.environment(n)
	if len(n.Args) == 1 {
		name := last(n.Args[0])
		if call := f.maker(n.X); call != nil {
			f.routing.ids[call] = f.scopedID(name)
		}
		for call := n.X; f.cmd.on && call != nil && call.Kind == Call; call = call.X.X {
			f.cmd.targets[call] = Dotted(n.Args[0])
			if call.X.Kind != Member || !f.Commands.Paths {
				break
			}
		}
		if f.depth == 1 || f.frame().name == "" {
			f.routing.list, f.cmd.within = name, name
		}
		if n.X != nil && n.X.Kind == Func && n.X.Text == "" && name != f.Routes.Default {
			n.X.Key = name
			if !f.Scoped {
				n.X.Text = name
			}
		}
		if name != "" && name == f.Routes.Default && n.X != nil {
			f.exports(n)
		}
	}
	if n.Key != "" && n.X != nil && n.X.Kind == Func && !f.Scoped {
		n.X.Key = n.Key
	}
	if n.Key != "" && n.Key == f.Sets && n.X != nil && n.X.Kind == Map {
		f.sets(n.X)
	}
	f.visit(n.X)
	f.routing.list, f.cmd.within = was, ""
}

// target looks at what is given a value.
func (f *finder) target(to, bind *Node) {
	if name := Dotted(to); bind.X != nil && f.cmd.on && name != "" {
		id := ""
		if bind.X.Kind == Call {
			id = f.command(bind.X)
		} else if bind.X.Kind == Name || bind.X.Kind == Member {
			id = f.held(Dotted(bind.X))
		}
		if v := (&value{command: id}); id != "" && strings.Contains(name, ".") {
			f.vars[name] = v
		} else if id != "" {
			f.set(name, v)
		}
	}
	if f.Scoped && to.Kind == Name {
		f.holds(to.Text, bind)
	}
	if bind.X != nil && (to.Kind == Name || to.Kind == Member && f.Routes.Named) {
		f.assign(to.Text, bind)
	}
	switch to.Kind {
	case Index, Member: // it is set, not read
		f.visit(to.X)
		if f.Exits[Dotted(to)] && bind.X != nil {
			f.exit(to, bind.X, "")
		}
	case Map:
		if f.isEnvironment(bind.X) {
			f.destructured(to)
		}
	case List:
		for _, a := range to.Args {
			f.target(a, bind)
		}
	}
}

// scopedID is what a variable is called outside of its function; one that the function returns is called after that.
func (f *finder) scopedID(name string) string {
	in := f.frame()
	switch {
	case in.returns == name && name != "":
		return in.name
	case !f.Scoped:
		return name
	}
	return in.name + "." + name
}

// typeOf is the type that a declaration or a value spells out.
func (f *finder) typeOf(typ, value *Node) string {
	if typ == nil && value != nil {
		switch {
		case value.Kind == List, value.Kind == Map:
			typ = value.Type
		case value.Kind == Operator && value.Text == "&":
			return f.typeOf(nil, value.Args[0])
		case value.Kind == Call && value.X.Is("new") && len(value.Args) == 1:
			typ = value.Args[0]
		}
	}
	if typ != nil && typ.Kind == Operator && typ.Text == "*" {
		typ = typ.Args[0]
	}
	return Dotted(typ)
}

// holds notes what a variable holds from now on.
func (f *finder) holds(name string, bind *Node) {
	was := f.vars[name]
	v := &value{typ: f.typeOf(bind.Type, bind.X)}
	if grows := bind.X != nil && bind.X.Kind == Sum && bind.X.Args[len(bind.X.Args)-1].Is(name); grows && was != nil {
		v.path = was.path
	}
	if text, ok := f.text(bind.X); ok && strings.HasPrefix(text, "/") {
		v.path = text
	}
	if x := bind.X; x != nil && x.Kind == Call && len(x.Args) == 1 && f.passing(last(x.X)) {
		v.path = f.path(x)
	}
	if bind.X != nil {
		v.router = f.routerOf(bind.X)
	}
	if in := f.frame(); in.Node != nil && in.Kind == Func && (v.router != nil || v.path != "" || was != nil || v.typ != "") {
		f.set(name, v)
	}
}

// typed takes up the parameters of a function, by their types.
func (f *finder) typed(in *frame) {
	if in.name == "" || in.Text == "" {
		in.name = f.frames[len(f.frames)-2].name
		if in.Node.Key != "" {
			in.name = "func"
		}
	}
	for _, p := range append(in.Else, in.Args...) {
		typ := f.typeOf(p.Type, nil)
		v := &value{typ: typ}
		if f.Routes.Types[typ[strings.LastIndexByte(typ, '.')+1:]] && strings.Contains(typ, ".") {
			v.router = f.routing.given[in.Node]
			if v.router == nil {
				v.router = &router{id: parameterOf(in.name), made: true, early: strings.HasPrefix(typ, "echo.")}
			}
		}
		f.set(p.Text, v)
	}
}

// returned is the variable that a function returns in the end.
func returned(fn *Node) string {
	if n := len(fn.Body); n > 0 && fn.Body[n-1].Kind == Return && fn.Body[n-1].X != nil && fn.Body[n-1].X.Kind == Name {
		return fn.Body[n-1].X.Text
	}
	return ""
}

// loop walks what is done for each element of a list.
func (f *finder) loop(n *Node, names []*Node, over *Node) {
	f.visit(over)
	mark, rows := len(f.undo), f.rows(over)
	for i, name := range names {
		each := &value{}
		if i == 0 {
			each.rows = rows
		}
		f.set(name.Text, each)
	}
	f.statements(n.Body)
	f.statements(n.Else)
	f.back(mark)
}
