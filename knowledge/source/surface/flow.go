package surface

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// interpreter knows the certain values of the variables of a file whose statements are followed in order. A loop over a
// literal table runs once per row.
type interpreter struct {
	*finder

	file       map[string]*Node  // the constants and variables of the file; nil if it changes the value
	makers     map[string]*Node  // literals that functions return
	types      map[string]string // of variables of the file
	results    map[string]string // types of libraries that functions of the file return
	locals     map[string]*holding
	function   string
	returns    string                     // variable that it returns
	steps      int                        // remaining visits in loops
	guard      string                     // condition of the code
	rowGuard   string                     // condition about rows
	unsure     int                        // enclosing conditions about rows that may not hold
	row        *Node                      // row of the last value, if it is of a table
	generation int                        // counts rows of tables
	loop       *Node                      // innermost loop over a table
	cells      map[*Node]map[string]*Node // fields of literals
	sums       map[*Node]*string          // texts of constants; nil if unknown
	env        environment                // see env
	decoded    map[string]bool            // types that are read from a file
	prefixes   map[string]string          // of variables, by the value that has the configuration
	tagged     map[string][]string        // prefixes of variables, by the type with their tags
	starting   startup
}

// holding is the content of a local variable.
type holding struct {
	value     *Node // nil if uncertain
	row       *Node // row of a table that contains it
	branch    int
	id        string // of a command, or of the command that owns the flags; empty if unknown
	set       bool   // flags of a command
	single    bool   // flags have one dash
	list      bool   // commands
	typ       string // type declared in the package
	parameter bool   // of the function
	far       string // list of another file that contains it
}

const (
	// mostLoopSteps bounds the visits of nodes in loops over tables.
	mostLoopSteps = 1 << 17
	// longestCell bounds the bytes of a value that is evaluated for each use.
	longestCell = 1 << 10
)

func newInterpreter(f *finder) *interpreter {
	p := &interpreter{
		finder: f, file: map[string]*Node{}, makers: map[string]*Node{}, types: map[string]string{}, results: maps.Clone(f.Made), cells: map[*Node]map[string]*Node{},
		steps: mostLoopSteps, decoded: map[string]bool{}, sums: map[*Node]*string{}, prefixes: map[string]string{}, tagged: map[string][]string{},
		starting: startup{map[string][]registration{}, map[string][]string{}},
		env:      environment{replaced: map[string]string{}, fixed: map[string]bool{}},
	}
	for _, n := range f.Body {
		p.declare(n)
	}
	p.holds()
	return p
}

// finish adds the facts that need the whole file.
func (p *interpreter) finish() {
	p.env.finish(p)
	p.tagTypes()
	p.configuration()
	p.registrations()
	p.structs()
	p.tagModels()
}

func (p *interpreter) declare(n *Node) {
	switch {
	case n.Kind == Bind && len(n.Args) == 1:
		p.file[n.Args[0].Text] = n
	case n.Kind == Func:
		if typ := p.typeID(n.Type); typ != "" && slices.Contains(slices.Collect(maps.Values(p.Made)), typ) {
			p.results[n.Text] = typ
		}
		if len(n.Body) == 1 && n.Body[0].Kind == Return && len(n.Else) == 0 && isLiteral(n.Body[0].X) {
			p.makers[n.Text] = n.Body[0].X
		}
	}
}

// enter begins a declaration of the file.
func (p *interpreter) enter(n *Node) {
	p.function, p.returns, p.locals, p.branch, p.guard = "", "", map[string]*holding{}, 0, ""
	p.env.asking = map[string]bool{}
	p.env.absent = map[*Node]absence{}
	p.env.keys, p.env.fallback, p.env.returned = nil, "", false
	if n.Kind != Func {
		return
	}
	p.function, p.returns, p.env.function = n.Text, returned(n), n.Text
	for _, a := range append(n.Else, n.Args...) {
		p.locals[a.Text] = p.parameter(a.Type)
		p.locals[a.Text].parameter = true
	}
	p.parameters(n)
	if p.Line {
		p.parses(n)
	}
}

// block follows statements in order, and reports whether control leaves them for a row.
func (p *interpreter) block(list []*Node) (left bool) {
	if p.depth > deepest {
		return false
	}
	p.depth++
	defer func() { p.depth-- }()
	for i, n := range list {
		switch {
		case n.Kind == Bind:
			p.binding(list, i)
			p.bind(n)
			p.visit(n)
		case n.Kind == If:
			left = p.branches(n)
		case n.Kind == Block && n.Text == "case":
			unsure := p.unsure
			if p.loop != nil && slices.ContainsFunc(list, func(c *Node) bool {
				return c.From == n.From && slices.ContainsFunc(slices.Concat(c.Marks, c.Args), p.about)
			}) {
				p.unsure++
			}
			p.choice(n, n.Body)
			p.unsure = unsure
		default:
			p.visit(n)
		}
		if left {
			break
		}
	}
	return left || p.leaves(list)
}

// leaves reports whether control never continues after statements.
func (p *interpreter) leaves(list []*Node) bool {
	if len(list) == 0 {
		return false
	}
	n := list[len(list)-1]
	return n.Kind == Return || n.Kind == Block && n.Text != "{" && n.Text != "case" && n.Text != "" || n.Kind == Call && p.Panics[Dotted(n.X)]
}

// meets applies the rules for values to a node before its parts are visited.
func (p *interpreter) meets(n *Node) {
	if p.loop != nil {
		p.steps--
	}
	switch n.Kind {
	case Class:
		if n.Text != "" && p.function != "" {
			p.classes[n.Text] = n
		}
	case Return:
		if n.X != nil {
			p.hold(p.function, n.X)
		}
	case List, Map:
		p.literal(n)
	case Call:
		p.call(n)
	case Member:
		p.readsAll(n)
	}
	if n.Kind == Bind || n.Kind == Class || isLiteral(n) {
		p.structType(n.Type)
	}
}

// closure follows a function literal, whose parameters shadow outer variables.
func (p *interpreter) closure(n *Node) {
	shadowed := map[string]*holding{}
	for _, a := range n.Args {
		shadowed[a.Text] = p.locals[a.Text]
		p.locals[a.Text] = &holding{typ: p.typeID(a.Type)}
	}
	function, returns := p.function, p.returns
	p.function, p.returns = "func", "" // its result is not the outer function's result
	p.conditional(n.Body)
	p.function, p.returns = function, returns
	for name, h := range shadowed {
		if p.locals[name] = h; h == nil {
			delete(p.locals, name)
		}
	}
}

func (p *interpreter) bind(n *Node) {
	for i, to := range n.Args {
		value := n.X
		if i > 0 || n.Text == "+=" {
			value = nil
		}
		p.assign(to, value, n)
	}
}

// assign records the value of a variable, or of a field of a known value.
func (p *interpreter) assign(to, value, n *Node) {
	if to.Kind == Member {
		p.change(to.X)
		if value != nil {
			p.assignField(to, value)
		}
		return
	}
	if to.Kind != Name || to.Text == "_" {
		return
	}
	was := p.locals[to.Text]
	define := n.Text == ":=" || p.function != "" && (n.Text == "var" || n.Text == "const")
	id := to.Text
	if define || was != nil {
		if id = p.function + "." + to.Text; to.Text == p.returns {
			id = p.function
		}
	}
	if was != nil && value != nil && value.Is(to.Text) && define { // a copy for the body of a loop
		return
	}
	h := &holding{branch: p.branch}
	if value != nil {
		held := p.hold(id, value)
		h.id, h.set, h.single, h.list, h.typ = held.id, held.set, held.single, held.list, held.typ
		p.row = nil
		if was == nil || define || p.branch <= was.branch {
			h.value = p.certain(value)
		}
		h.row = p.row
		p.row = nil
	}
	if n.Type != nil {
		h.typ = p.typeID(n.Type)
	}
	if !define && was == nil {
		if p.file[to.Text] != nil && p.function != "" && !p.appendsTo(to.Text, value) {
			p.file[to.Text] = &Node{Kind: Bind, Text: "changed"}
		}
		if p.function == "" {
			p.types[to.Text] = h.typ
		}
		return
	}
	if was != nil && !define {
		h.branch, h.parameter = was.branch, was.parameter
	}
	p.locals[to.Text] = h
}

func (p *interpreter) appendsTo(name string, n *Node) bool {
	return n != nil && n.Kind == Call && p.Appends[Dotted(n.X)] && len(n.Args) > 0 && n.Args[0].Is(name)
}

// change forgets the fields of a variable.
func (p *interpreter) change(n *Node) {
	if n.Kind == Operator && len(n.Args) == 1 {
		n = n.Args[0]
	}
	if n.Kind != Name {
		return
	}
	if h := p.locals[n.Text]; h != nil {
		if isStruct(h.value) {
			changed := *h
			changed.value = nil
			p.locals[n.Text] = &changed
		}
	} else if b := p.file[n.Text]; b != nil && b.Text != "const" && (b.X == nil || !isTable(b.X)) {
		p.file[n.Text] = &Node{Kind: Bind, Text: "changed"}
	}
}

// hands forgets the fields of the variables that a call may change.
func (p *interpreter) hands(n *Node) {
	if p.Predeclared[Dotted(n.X)] {
		return
	}
	if n.X.Kind == Member {
		p.change(n.X.X)
	}
	for _, a := range n.Args {
		p.change(a)
	}
}

// branches follows a condition: in a loop over a table, what runs for the row. It returns true if the rest does not.
func (p *interpreter) branches(n *Node) (left bool) {
	p.visit(n.X)
	p.dispatched(n)
	guard, rowGuard := p.guard, p.rowGuard
	defer func() { p.guard, p.rowGuard = guard, rowGuard }()
	about, is, cond := p.loop != nil && p.about(n.X), unknown, p.condition(n.X)
	x := n.X
	switch {
	case about:
		is, p.rowGuard = p.truth(x), cond
	case x.Kind == Operator && x.Text == "==" && Dotted(x.Args[0]) == p.Platform:
		p.guard, _ = p.text(x.Args[1])
	case !strings.Contains(cond, p.Arguments):
		p.guard = cond
	}
	if about && is == unknown {
		p.unsure++
	}
	if is != no {
		left = p.choice(n, n.Body)
	}
	p.guard, p.rowGuard = guard, rowGuard
	if is != yes {
		p.choice(n, n.Else)
	}
	if about && is == unknown && !left {
		p.unsure--
	}
	return left && is == yes
}

const longestCondition = 80

func (p *interpreter) condition(n *Node) string {
	text := p.Src[n.From:n.To]
	if len(text) > longestCondition {
		return strings.ToValidUTF8(text[:longestCondition], "\ufffd") + "…"
	}
	return p.Written(n)
}

// iterate follows a loop, once for each row of a literal table.
func (p *interpreter) iterate(n *Node) {
	p.readsWhole(n.X)
	over := p.resolve(n.X)
	var names [2]string
	for i, a := range n.Args[:min(len(n.Args), 2)] {
		if a.Kind == Name {
			names[i] = a.Text
		}
	}
	set := func(i int, h *holding) {
		if h.branch = p.branch; names[i] != "" && names[i] != "_" {
			p.locals[names[i]] = h
		}
	}
	typ := p.tableType(over)
	if typ == nil || len(over.Args) == 0 || len(over.Args) > mostRows || p.steps < 0 {
		far := ""
		if n.X != nil && n.X.Kind == Name && !p.here(n.X.Text) && len(n.Args) > 0 {
			far = source.Listed + n.X.Text
		}
		for i := range names {
			set(i, &holding{far: far})
		}
		p.conditional(n.Body)
		return
	}
	outer, row := p.loop, p.row
	element := typ.Args[len(typ.Args)-1]
	for i, a := range over.Args {
		p.generation++
		p.loop, p.env.absent = n, map[*Node]absence{}
		value := a
		set(0, &holding{row: a})
		if a.Kind == Bind {
			value = a.X
			set(0, &holding{row: a, value: a.Args[0]})
		}
		if i > 0 && p.steps < 0 {
			break
		}
		if isLiteral(value) && value.Type == nil {
			value.Type = element
		}
		h := &holding{row: a, value: p.resolve(value)}
		held := p.hold(p.function+".", value)
		h.id, h.list, h.typ = held.id, held.list, held.typ
		set(1, h)
		unsure := p.unsure
		p.branch++
		p.block(n.Body)
		p.branch--
		p.unsure = unsure
	}
	p.loop, p.row = outer, row
}
