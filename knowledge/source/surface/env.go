package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// EnvRules describe how code reads environment variables.
type EnvRules struct {
	Objects  map[string]bool     // values whose subscripts are variables
	Members  bool                // their members are variables too
	Methods  map[string]bool     // methods of these values that take a name and a default
	Calls    map[string]bool     // functions that take a name and a default
	Built    map[string]bool     // those that the compiler evaluates
	Setters  map[string]bool     // functions that set a variable
	All      map[string][]string // functions and values that read certain variables
	Fails    bool                // a subscript of a missing variable fails
	Converts map[string]bool     // functions that convert their first argument, and methods that convert a text
	Pairs    map[string]bool     // functions and methods that return the keys or pairs of a map
	Each     map[string]bool     // methods that call a function for each element
	Own      map[string]bool     // names that are not environment variables
	Packages []string            // packages whose functions read the variable named by their argument
	Callers  map[string]bool     // names of these functions, or of the values that have them
	Plain    bool                // only functions without a receiver read variables
	Service  string              // package of the Types
	Types    map[string]bool     // types whose Getters read variables
	Getters  map[string]bool
	Proxies  map[string]bool   // functions that make a proxy object, whose members are computed by the "get" of their second argument
	Prefixes map[string]string // functions that are given the prefix of a configuration's variables: keyword, or "" for the first argument
	Tables   map[string]bool   // functions whose arguments describe variables, and keywords of such arguments
}

type envState struct {
	interpolates     bool  // a class of the file takes configuration options from the environment
	tried, otherwise *Node // an expression, and its fallback
	condition        *Node // of a branch
	codes            int
	objects          map[string]bool // values that have the variables, by dotted name and its last element
	services         map[string]bool // values that have Getters, likewise
	fields           map[string][]row
	proxied          map[*Node]bool
	given            map[string][]*Node       // calls of functions, by name
	takes            map[string]map[int]*Node // argument positions, other than the first, that name a variable
}

// asking describes how a function uses its parameters to read a variable.
type asking struct {
	key, fallback string // its first two parameters
	otherwise     *Node  // default of the second
	reads         bool   // reads the variable named by key
	of            string // function to which it passes key
	returned      bool   // the second parameter is the fallback
	required      bool   // fails if the variable is missing
	value         string
	usage         string
}

// parameters prepares the parameters of a function that may name a variable and its default.
func (f *finder) parameters(in *frame) {
	if in.Kind != Func {
		return
	}
	args := in.Args
	if len(args) > 0 && f.Self[args[0].Text] {
		args = args[1:]
	}
	if len(args) > 0 {
		in.asks.key = args[0].Text
	}
	if len(args) > 1 {
		in.asks.fallback, in.asks.otherwise = args[1].Text, args[1].X
	}
}

func (f *finder) answers(in *frame) {
	a := in.asks
	if in.Kind != Func || in.name == "" || !a.reads && a.of == "" {
		return
	}
	fact := source.Fact{Kind: source.Reads, ID: in.name, Of: a.of, Default: a.value, Usage: a.usage}
	if a.required {
		fact.Usage = source.Required
	}
	if a.returned {
		fact.Value, fact.Usage = source.Fallback, ""
		fact.Default, _ = f.otherwise(a.otherwise)
	}
	f.tell(fact, in.Node)
}

// variable returns the name of the variable that an expression reads, and its default.
func (f *finder) variable(n *Node) (name, fallback *Node) {
	if n.Kind == Call && f.Env.Getters[last(n.X)] && n.X.Kind == Member && f.env.services[Dotted(n.X.X)] && len(n.Args) > 0 {
		if name := n.Args[0]; name.Kind == Text && !IsVariable(name.Text) || name.Kind == List {
			return nil, nil
		}
		return n.Args[0], Arg(n.Args, "", 1)
	}
	switch n.Kind {
	case Index:
		if len(n.Args) == 1 && f.isEnvironment(n.X) {
			return n.Args[0], nil
		}
	case Member:
		if f.Env.Members && f.isEnvironment(n.X) && !f.Env.Own[Dotted(n)] {
			return &Node{Kind: Text, Text: n.Text, Line: n.Line}, nil
		}
	case Call:
		callee := f.Library(Dotted(n.X))
		owner, method, _ := cutLast(callee)
		if len(n.Args) > 0 && (f.Env.Calls[callee] || f.Env.Methods[method] && f.Env.Objects[owner]) {
			return n.Args[0], Arg(n.Args, "default", 1)
		}
	case Operator:
		if (n.Text == "in") && len(n.Args) == 2 && f.Env.Objects[f.Library(Dotted(n.Args[1]))] && n.Args[0].Kind == Text {
			return n.Args[0], nil
		}
	}
	return nil, nil
}

func cutLast(name string) (owner, member string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:], i >= 0
}

// read records the variables that an expression reads, and reports whether there are any.
func (f *finder) read(n *Node) bool {
	if f.Env.Calls == nil {
		return false
	}
	name, fallback := f.variable(n)
	if name == nil {
		f.through(n)
		for _, v := range f.Env.All[f.Library(Dotted(n.X))] {
			f.once(source.Fact{Kind: source.Env, Name: v}, n)
		}
		return false
	}
	if n.Kind == Call && f.eachRow(n, func(call *Node) { f.read(call) }) {
		return true
	}
	or := f.or(n)
	fails := n.Kind == Index && f.Env.Fails
	if fallback == nil {
		fallback = or
	}
	value, usage := f.otherwise(fallback)
	if in := f.function(); in != nil && name.Kind == Name && name.Text == in.asks.key {
		in.asks.reads, in.asks.of, in.asks.required = true, "", fails
		in.asks.value, in.asks.usage = value, usage
		if fallback != nil && fallback.Is(in.asks.fallback) {
			in.asks.returned = true
		}
		return true
	}
	if in := f.frames[max(len(f.frames)-2, 0)]; name.Kind == Name && in.Kind == Class && len(in.Args) > 0 && strings.HasSuffix(last(in.Args[0]), "Interpolation") {
		f.env.interpolates = true
		return true
	}
	if in := f.function(); in != nil && name.Kind == Sum && len(name.Args) == 2 {
		for i, a := range name.Args {
			if affix, ok := f.text(name.Args[1-i]); ok && in.asks.key != "" && a.Is(in.asks.key) {
				if i == 0 {
					affix = source.Unknown + affix
				} else {
					affix += source.Unknown
				}
				f.once(source.Fact{Kind: source.Reads, ID: in.name, Name: affix}, n)
			}
		}
	}
	if fails && or == nil && f.branch == 0 && !f.frame().left {
		usage = source.Required
	}
	if f.parameter(name) {
		return true
	}
	if rows := f.rowsOf(name); len(rows) > 0 {
		for _, r := range rows {
			own, of := value, usage
			if fallback != nil && fallback.Kind == Name && r.value != nil && f.vars[fallback.Text] != nil {
				own, of = f.otherwise(r.value)
			}
			f.once(source.Fact{Kind: source.Env, Name: r.key.Text, Default: own, Usage: of}, n)
		}
		return true
	}
	fact := source.Fact{Kind: source.Env, Name: f.spelled(name), Default: value, Usage: usage}
	if n.Kind == Call && f.Env.Built[f.Library(Dotted(n.X))] {
		fact.Guard = source.AtBuild
	}
	f.once(fact, n)
	return true
}

// converted records that the second argument of a call is the fallback of the first: toNumber(process.env.TTL, 30).
func (f *finder) converted(n *Node) {
	word, ok := strings.CutPrefix(last(n.X), "to")
	if !ok || len(n.Args) != 2 || f.Env.Converts == nil || n.X.Kind != Name || word == "" || word[0] < 'A' || word[0] > 'Z' {
		return
	}
	if or := n.Args[1]; or.Kind == Number || or.Is("true") || or.Is("false") {
		f.env.tried, f.env.otherwise = n.Args[0], or
	}
}

// prefixed records the prefix of the variables that fill a configuration.
func (f *finder) prefixed(n *Node) {
	keyword, ok := f.Env.Prefixes[f.Library(Dotted(n.X))]
	if !ok {
		return
	}
	position := 0
	if keyword != "" {
		position = -1
	}
	text, _ := f.text(Arg(n.Args, keyword, position))
	if name := strings.ToUpper(strings.TrimRight(text, "_")); IsVariable(name) {
		f.once(source.Fact{Kind: source.Env, Name: name + "_" + source.Unknown, Help: "overrides keys of the configuration"}, n)
	}
}

// rowsOf returns the values that a loop variable takes, or those of a field in all values of the file.
func (f *finder) rowsOf(n *Node) []row {
	if n.Kind == Member {
		return f.field(n.Text)
	}
	if v := f.vars[n.Text]; n.Kind == Name && v != nil {
		return v.rows
	}
	return nil
}

func (f *finder) or(n *Node) *Node {
	tried := f.env.tried
	for left := longestName; tried != nil && tried != n && tried.Kind == Call && left > 0; left-- {
		switch { // conversions
		case f.Routes.Functions && tried.X.Kind == Member && tried.X.X.Kind == Call, tried.X.Kind == Member && f.Env.Converts["."+tried.X.Text]:
			tried = tried.X.X
		case f.Env.Converts[last(tried.X)] && len(tried.Args) > 0:
			tried = tried.Args[0]
		default:
			return nil
		}
	}
	if tried == n && n.Kind != Operator {
		return f.env.otherwise
	}
	return nil
}

func (f *finder) destructured(pattern *Node) {
	for _, p := range pattern.Args {
		fact := source.Fact{Kind: source.Env, Name: source.Unknown} // the rest of the pattern
		if p.Kind == Bind && p.Key != "" {
			fact.Name = p.Key
			if p.X != nil && p.X.Kind == Bind {
				fact.Default, fact.Usage = f.otherwise(p.X.X)
			}
		}
		f.tell(fact, p)
	}
}

// sets records the variables that a tool's configuration defines for code.
func (f *finder) sets(object *Node) {
	for _, p := range object.Args {
		name := p.Key
		for o := range f.Env.Objects {
			name = strings.TrimPrefix(name, o+".")
		}
		if name != "" {
			f.tell(source.Fact{Kind: source.Sets, Name: name}, p)
		}
	}
}

// passes records that the second parameter of a function is the fallback.
func (f *finder) passes(n *Node) {
	in := f.function()
	if in == nil || in.asks.fallback == "" {
		return
	}
	is := false
	switch n.Kind {
	case Return:
		is = n.X.Is(in.asks.fallback)
	case Call:
		is = len(n.Args) > 1 && n.Args[0].Is(in.asks.key) && n.Args[1].Is(in.asks.fallback) && !f.Env.Setters[last(n.X)]
	case Operator:
		is = n.Text == "if" && len(n.Args) == 3 && (n.Args[0].Is(in.asks.fallback) || n.Args[2].Is(in.asks.fallback))
	}
	in.asks.returned = in.asks.returned || is
}

func (f *finder) asked(n *Node) {
	if len(n.Args) == 0 || n.Args[0].Key != "" {
		return
	}
	if f.Env.Types != nil && n.X.Kind == Name {
		f.env.given[n.X.Text] = append(f.env.given[n.X.Text], n)
	}
	name, in := n.Args[0], f.function()
	if c := f.constant(name); c != nil && c.Kind == Text && (in == nil || !name.Is(in.asks.key)) {
		name = c
	}
	if name.Kind == Text && !IsVariable(name.Text) || name.Kind != Text && (in == nil || !name.Is(in.asks.key)) {
		return
	}
	callee := f.inherited(Dotted(n.X))
	if callee == "" || f.Env.Plain && n.X.Kind != Name && !f.Self[last(n.X.X)] {
		return
	}
	about := mentionsEnvironment(callee)
	switch {
	case name.Kind == Text && (about || strings.Contains(name.Text, "_") || asksSetting(callee)):
		fact := source.Fact{Kind: source.Env, Name: name.Text, Of: callee}
		fallback := Arg(n.Args, "default", 1)
		if fallback == nil {
			fallback = f.or(n)
		}
		fact.Default, fact.Usage = f.otherwise(fallback)
		if first, _, _ := strings.Cut(callee, "."); f.Env.Callers[first] && slices.ContainsFunc(f.Env.Packages, f.Mentions) {
			if fact.Of = ""; fact.Default == "" && len(n.Args) == 1 {
				fact.Usage = source.Required
			}
		}
		f.tell(fact, n)
	case in != nil && !in.asks.reads && about && name.Is(in.asks.key) && callee != in.name:
		in.asks.of = callee
	}
}

// asksSetting reports whether a function's name suggests that it returns a setting.
func asksSetting(callee string) bool {
	name := strings.ToLower(callee[strings.LastIndexByte(callee, '.')+1:])
	return slices.ContainsFunc([]string{"config", "setting", "secret"}, func(w string) bool { return strings.Contains(name, w) })
}

// IsVariable reports whether a text is spelled like an environment variable.
func IsVariable(name string) bool {
	return len(name) > 1 && name[0] >= 'A' && name[0] <= 'Z' && strings.Trim(name, capitals+"_0123456789") == ""
}

// environmental are the ways in which the name of a function mentions the environment, but not a token value.
var environmental = lazyregexp.New(`Env|ENV|(^|[^A-Za-z])env|(get|must|lookup|has|load|from)env`)

// mentionsEnvironment reports whether the name of a function says that it reads environment variables.
func mentionsEnvironment(name string) bool {
	return strings.Contains(strings.ToLower(name), "env") && environmental.MatchString(name)
}
