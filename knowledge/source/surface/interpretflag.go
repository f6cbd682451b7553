package surface

import (
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// flagCall records the flag that a call defines.
func (p *interpreter) flagCall(rule CommandRule, of string, n *Node) {
	var at [Variable]*Node
	for i, a := range n.Args {
		at[rule.Roles[strconv.Itoa(i)]] = a
	}
	if at[Names] == nil || at[Help] == nil {
		return
	}
	p.row = nil
	name, ok := p.text(at[Names])
	row := p.row
	switch {
	case !ok || name == "" || strings.ContainsAny(name, " /") || row != nil && (p.unsure > 0 || p.cmd.rows == 0):
		return
	case row != nil:
		p.cmd.rows--
	}
	fact := source.Fact{Kind: source.Flag, Name: "--" + name, Of: of, Value: rule.Value}
	if set := n.X.X; set.Kind == Name && (p.Commands.Dashes[p.Packages[set.Text]] == "-" || p.locals[set.Text] != nil && p.locals[set.Text].single || p.Single) {
		fact.Name = "-" + name
	}
	if short, ok := p.text(at[Also]); ok && short != "" {
		fact.Also = "-" + short
	}
	fact.Default, fact.Usage = p.fallback(at[Default])
	fact.Help, _ = p.text(at[Help])
	p.row = row
	p.tellFlag(fact, n)
}

// tellFlag records a flag. Its help may name the value in backquotes.
func (p *interpreter) tellFlag(fact source.Fact, at *Node) {
	before, rest, _ := strings.Cut(fact.Help, "`")
	if what, after, ok := strings.Cut(rest, "`"); ok {
		fact.Value, fact.Help = what, before+what+after
	}
	p.tell(fact, at)
}

// flagObject records a flag that a literal describes.
func (p *interpreter) flagObject(object Object, n *Node, id, of string) {
	p.see(n, id)
	fact := source.Fact{Kind: source.Flag, ID: id, Of: of, Value: object.Value}
	var names []string
	p.row = nil
	begin := len(p.facts)
	for _, a := range n.Args {
		if a.Kind != Bind {
			continue
		}
		text, _ := p.text(a.X)
		switch object.Roles[a.Key] {
		case Names: // may contain several
			for name := range strings.SplitSeq(text, ",") {
				names = append(names, strings.TrimSpace(name))
			}
		case Also:
			names = append(names, p.texts(a.X)...)
		case Help:
			fact.Help = text
		case Default:
			if fact.Default == "" {
				fact.Default, fact.Usage = p.fallback(a.X)
			}
		case Last:
			fact.Default, fact.Usage = text, ""
		case Variable:
			p.variablesOf(a.X)
		case Hidden:
			if a.X.Is("true") {
				return
			}
		}
	}
	for i := begin; i < len(p.facts); i++ { // its variables have its description
		p.facts[i].Help, p.facts[i].Default = strings.ReplaceAll(fact.Help, "`", ""), fact.Default
	}
	if len(names) == 0 || names[0] == "" {
		return
	}
	for i, name := range names {
		names[i] = dashed(name)
	}
	fact.Name, fact.Also = names[0], strings.Join(names[1:], ", ")
	p.tellFlag(fact, n)
}

func (p *interpreter) variablesOf(n *Node) {
	list := p.elements(n)
	if n.Kind == Call && p.Commands.Calls[p.libraryType(n.X)].Part == Takes {
		list = n.Args
	}
	for _, a := range list {
		text, _ := p.text(a)
		for name := range strings.SplitSeq(text, ",") {
			if name = strings.TrimSpace(name); name != "" {
				p.tell(source.Fact{Kind: source.Env, Name: name}, a)
			}
		}
	}
}

// parses finds the flag sets that a function parses all arguments of the program with: fs.Parse(os.Args[1:]).
func (p *interpreter) parses(in *Node) {
	p.cmd.whole = map[string]bool{}
	everywhere(p.Step, in, 0, func(n *Node) {
		if n.Kind == Call && n.X.Kind == Member && n.X.Text == p.Parse && len(n.Args) == 1 && n.Args[0].Key == "1" && n.Args[0].Kind == Operator && Dotted(n.Args[0].Args[0]) == p.Arguments {
			p.cmd.whole[Dotted(n.X.X)] = true
		}
	})
}

// newSet records a named flag set as that of its command. One with a computed name, or for all arguments, belongs to the
// program.
func (p *interpreter) newSet(id string, rule CommandRule, n *Node) holding {
	h := holding{id: id, set: true, single: rule.Dash == "-"}
	name, _ := p.text(n.Args[0])
	whole := p.cmd.whole[id[strings.LastIndexByte(id, '.')+1:]]
	switch {
	case name == "" || strings.Contains(name, "/") || whole:
		if n.Args[0].Kind != Text || whole {
			h.id = source.Program
		}
		return h
	case p.Package != p.Main:
		h.id = "" // sets created for a library need no command
		return h
	}
	h.id = p.fresh(id)
	if p.function == "" {
		h.typ = ownSet
	}
	p.tell(source.Fact{Kind: source.Command, Name: name, ID: h.id}, n)
	p.joins(h.id, source.Program, n)
	return h
}
