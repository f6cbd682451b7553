package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// seen is a literal that has an ID.
type seen struct {
	id         string
	generation int
}

// mostTableFlags bounds the flags that the tables of a file define.
const mostTableFlags = 1 << 10

func (p *interpreter) joins(id, of string, at *Node) {
	p.row = nil
	p.join(source.Fact{ID: id, Of: of}, at)
}

// libraryType returns the name of a type or function of a library, or "".
func (p *interpreter) libraryType(n *Node) string {
	if n = pointed(n); n != nil && n.Kind == Member && n.X.Kind == Name && p.Packages[n.X.Text] != "" {
		return p.Packages[n.X.Text] + "." + n.Text
	}
	return ""
}

func (p *interpreter) object(literal *Node) CommandRule {
	return p.Commands.Objects[p.libraryType(literal.Type)]
}

// element returns what the elements of a table are.
func (p *interpreter) element(table *Node) CommandRule {
	return p.Commands.Objects[p.libraryType(table.Type.Args[len(table.Type.Args)-1])]
}

// parameter returns what is known about a parameter by its type.
func (p *interpreter) parameter(typ *Node) *holding {
	name := p.libraryType(typ)
	dash, set := p.Commands.Sets[name]
	switch {
	case set:
		return &holding{id: parameterOf(p.function), set: true, single: dash == "-"}
	case p.Commands.Objects[name].Part == Makes:
		return &holding{id: parameterOf(p.function)}
	}
	return &holding{typ: p.typeID(typ)}
}

// isSeen reports whether a literal already has an ID, in a loop for the same row.
func (p *interpreter) isSeen(n *Node) bool {
	s, ok := p.cmd.seen[n]
	return ok && (s.generation == p.generation || p.loop == nil || n.From < p.loop.X.To)
}

func (p *interpreter) see(n *Node, id string) { p.cmd.seen[n] = seen{id, p.generation} }

// hold returns what a variable with the ID holds.
func (p *interpreter) hold(id string, value *Node) holding {
	if !p.Line {
		return holding{typ: p.typeOf(value)}
	}
	switch {
	case isLiteral(value):
		return p.holdLiteral(id, value)
	case value.Kind == Call:
		if p.Appends[Dotted(value.X)] && slices.ContainsFunc(p.elements(value), func(n *Node) bool { return p.option(n) != nil }) {
			p.list(value, id)
			return holding{id: id}
		}
		if h, ok := p.appended(value); ok {
			return h
		}
		if id, ok := p.chained(id, value); ok {
			return holding{id: id}
		}
		switch rule := p.Commands.Calls[p.libraryType(value.X)]; {
		case rule.Part == Groups && len(value.Args) > 0:
			return p.newSet(id, rule, value)
		case rule.Part == Makes:
			id = p.cmd.fresh(id)
			p.command(p.Commands.Objects[rule.Value], id, value)
			return holding{id: id}
		}
	}
	if id, ok := p.setOf(value); ok {
		return holding{id: id, set: true}
	}
	if h := p.locals[value.Text]; value.Kind == Name && h != nil {
		return *h
	}
	return holding{id: p.commandID(value), typ: p.typeOf(value)}
}

func (p *interpreter) holdLiteral(id string, value *Node) holding {
	object := p.object(value)
	switch {
	case isTable(value):
		if object = p.element(value); object.Part == 0 || p.isSeen(value) {
			return holding{}
		}
		if object.Part == Makes {
			id = p.cmd.fresh(id)
		}
		p.list(value, id)
		return holding{id: id, list: object.Part == Makes}
	case p.isSeen(value):
		return holding{id: p.cmd.seen[value].id}
	case object.Part == Makes:
		id = p.cmd.fresh(id)
		p.command(object, id, value)
		return holding{id: id}
	case object.Part == Option:
		p.flagObject(object, value, id, "")
		return holding{id: id}
	}
	if typ := p.typeID(value.Type); value.Type != nil && typ != "" && !strings.Contains(typ, ".") {
		for _, a := range value.Args { // commands in fields have the type's name
			if a.Kind == Bind && isLiteral(a.X) && a.Args[0].Kind == Name {
				p.hold(typ+"."+a.Key, a.X)
			}
		}
	}
	return holding{typ: p.typeOf(value)}
}

func (p *interpreter) appended(n *Node) (holding, bool) {
	if !p.Appends[Dotted(n.X)] || len(n.Args) == 0 {
		return holding{}, false
	}
	to := n.Args[0]
	h := p.locals[to.Text]
	switch {
	case to.Kind == Name && h == nil && !p.Nothing[to.Text]: // a variable of the package
		h = &holding{id: to.Text}
	case to.Kind != Name || h == nil || !h.list:
		return holding{}, true
	}
	for _, a := range n.Args[1:] {
		p.joins(p.commandID(a), h.id, a)
	}
	return *h, true
}

// commandID returns the ID of the command, or list of commands, in an expression, or "".
func (p *interpreter) commandID(n *Node) string {
	switch n.Kind {
	case Operator:
		if n.Text == "&" {
			return p.commandID(n.Args[0])
		}
	case List, Map:
		if p.object(n).Part == Makes {
			return p.holdLiteral(p.function+".", n).id
		}
	case Name:
		switch h := p.locals[n.Text]; {
		case h == nil && !p.Nothing[n.Text]:
			return n.Text
		case h != nil && !h.set:
			return h.id
		}
	case Call:
		return p.made(n)
	case Member:
		return p.member(n)
	}
	return ""
}

// setOf returns the command of a flag set, or "" if it is unknown.
func (p *interpreter) setOf(n *Node) (id string, ok bool) {
	switch n.Kind {
	case Name:
		h := p.locals[n.Text]
		switch {
		case h != nil && h.set:
			return h.id, true
		case h != nil:
			return "", h.id == "" && p.isSetName(n.Text)
		case p.Commands.Dashes[p.Packages[n.Text]] != "":
			return source.Program, true
		case p.types[n.Text] == ownSet:
			return n.Text, true
		}
		return "", p.isSetName(n.Text)
	case Member:
		if n.Text == p.Commands.Default && p.libraryType(n) != "" {
			return source.Program, true
		}
		return "", p.isSetName(n.Text)
	case Call:
		if n.X.Kind != Member || !p.Commands.Methods[n.X.Text] {
			return "", false
		}
		if h := p.locals[n.X.X.Text]; n.X.X.Kind == Name && h != nil && h.list {
			return "", true // of all in the list
		}
		return p.commandID(n.X.X), true
	}
	return "", false
}

func (p *interpreter) isSetName(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(p.Commands.Named, name) || strings.HasSuffix(name, "flagset") || strings.HasSuffix(name, "flags")
}

// ownSet is the pseudo-type of a package variable that holds a flag set.
const ownSet = "*set"

func (p *interpreter) call(n *Node) {
	p.starts(n)
	p.decodes(n)
	p.reads(n)
	p.prefixed(n)
	if !p.Line {
		return
	}
	if _, ok := p.chained(p.function+".", n); ok {
		return
	}
	rule := p.Commands.Calls[p.libraryType(n.X)]
	if n.X.Kind == Member && rule.Part != Root {
		rule = p.Commands.Calls["."+n.X.Text]
	}
	switch rule.Part {
	case Adds:
		if parent := p.commandID(n.X.X); parent != "" {
			for _, a := range n.Args {
				p.joins(p.commandID(a), parent, a)
			}
		}
		return
	case Hides, Same:
		of, ok := p.setOf(n.X.X)
		if !ok || len(n.Args) == 0 {
			return
		}
		if id, ok := p.setOf(n.Args[0]); ok && rule.Part == Same {
			p.joins(id, of, n)
		} else if name, ok := p.text(n.Args[0]); ok {
			p.cmd.hidden[of+" "+name] = true
		}
		return
	case Option:
		if of, ok := p.setOf(n.X.X); ok {
			p.flagCall(rule, of, n)
			return
		}
	case Root:
		if len(n.Args) > 0 {
			p.root(n)
			return
		}
	}
	if made := p.made(n); made != "" {
		for _, a := range n.Args { // a function may add to the command or its flags
			if of := p.passedOn(a); of != "" {
				p.joins(parameterOf(made), of, n)
				return
			}
		}
	}
}

// passedOn returns the command that an argument passes. The argument must be the command or its flags, not a function
// field of a command.
func (p *interpreter) passedOn(n *Node) string {
	switch n.Kind {
	case Name:
		if h := p.locals[n.Text]; h != nil && !h.list && h.typ == "" {
			return h.id
		}
	case Member:
		if n.Text == p.Commands.Default && p.libraryType(n) != "" {
			return source.Program
		}
	case Call:
		id, _ := p.setOf(n)
		return id
	}
	return ""
}

func (p *interpreter) literal(n *Node) {
	if n.Type != nil && n.Type.Kind == Operator && n.Type.Text == "map" && n.Kind == Map {
		p.listed(n, source.Whole, fewestNames)
	}
	if p.Line && p.object(n).Part == Makes {
		p.holdLiteral(p.function+".", n)
	}
}

// command records a command, and the fields of its literal.
func (p *interpreter) command(rule CommandRule, id string, n *Node) {
	p.see(n, id)
	p.row, p.cmd.kinds[id] = nil, rule
	if p.make(rule, n, id); n.Kind == Map {
		p.under(rule, n.Args, id)
	}
}

// under adds the flags and commands in the fields of a command.
func (p *interpreter) under(rule CommandRule, fields []*Node, id string) {
	for _, a := range fields {
		if a.Kind == Bind && rule.Roles[a.Key] == Under {
			p.list(a.X, id)
		}
	}
}

// assignField records a field of a command, or what a field of a type holds.
func (p *interpreter) assignField(to, value *Node) {
	if !p.Line {
		return
	}
	if owner := p.commandID(to.X); owner != "" {
		if rule := p.cmd.kinds[owner]; rule.Roles[to.Text] != None {
			field := []*Node{{Kind: Bind, Key: to.Text, X: value}}
			p.fill(p.cmd.fact(owner), rule, field)
			p.under(rule, field, owner)
			return
		}
	}
	if id := p.member(to); id != "" {
		p.hold(id, value)
	}
}

// elements returns the elements of a list, and those appended to it.
func (p *interpreter) elements(n *Node) []*Node {
	if n.Kind == Call && p.Appends[Dotted(n.X)] && len(n.Args) > 0 && p.depth < deepest {
		p.depth++
		defer func() { p.depth-- }()
		return slices.Concat(p.elements(n.Args[0]), n.Args[1:])
	}
	if isLiteral(n) {
		return n.Args
	}
	return []*Node{n}
}

// option returns the literal of a flag, also in a call that wraps it; nil for others.
func (p *interpreter) option(n *Node) *Node {
	if n.Kind == Call && len(n.Args) == 1 {
		n = n.Args[0]
	}
	if isLiteral(n) && p.object(n).Part == Option {
		return n
	}
	return nil
}

// list adds the flags and commands of a list to a command. Elements may omit their type.
func (p *interpreter) list(n *Node, of string) {
	for _, a := range p.elements(n) {
		if isLiteral(a) && a.Type == nil && isTable(n) {
			a.Type = n.Type.Args[0]
		}
		if o := p.option(a); o != nil {
			a = o
		}
		switch {
		case !isLiteral(a):
			p.joins(p.commandID(a), of, a)
		case isTable(a):
			if p.element(a).Part != 0 {
				p.list(a, of)
			}
		case p.object(a).Part == Option:
			p.flagObject(p.object(a), a, "", of)
		case p.isSeen(a):
			p.joins(p.commandID(a), of, a)
		default:
			id, object := p.cmd.fresh(of+"."), p.object(a)
			if object.Part != Makes {
				object = p.cmd.kinds[of]
			}
			p.command(object, id, a)
			p.joins(id, of, a)
		}
	}
	if isLiteral(n) {
		p.see(n, of)
	}
}
