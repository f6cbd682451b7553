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
	fact.Default, fact.Usage = p.defaultFrom(at[Default])
	fact.Help, _ = p.text(at[Help])
	p.row = row
	quoted(&fact)
	p.commandFact(fact, n)
}

// quoted reads the name of a flag's value, which its help may have in backquotes.
func quoted(fact *source.Fact) {
	before, rest, _ := strings.Cut(fact.Help, "`")
	if what, after, ok := strings.Cut(rest, "`"); ok {
		fact.Value, fact.Help = what, before+what+after
	}
}

// flagObject records a flag that a literal describes.
func (p *interpreter) flagObject(rule CommandRule, n *Node, id, of string) {
	p.see(n, id)
	p.row = nil
	o := option{Fact: source.Fact{Kind: source.Flag, ID: id, Of: of, Value: rule.Value}}
	p.optionArguments(&o, rule, n.Args)
	p.tellOption(&o, n)
}

// parses finds the flag sets that a function parses all arguments of the program with: fs.Parse(os.Args[1:]).
func (p *interpreter) parses(in *Node) {
	p.cmd.whole = map[string]bool{}
	p.everywhere(func(n *Node) {
		if n.Kind == Call && n.X.Kind == Member && n.X.Text == p.Parse && len(n.Args) == 1 && n.Args[0].Key == "1" && n.Args[0].Kind == Operator && Dotted(n.Args[0].Args[0]) == p.Arguments {
			p.cmd.whole[Dotted(n.X.X)] = true
		}
	}, in)
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
	h.id = p.cmd.fresh(id)
	if p.function == "" {
		h.typ = ownSet
	}
	p.commandFact(source.Fact{Kind: source.Command, Name: strings.TrimPrefix(name, p.Command+"-"), ID: h.id}, n) // messages say "tool-serve"
	p.joins(h.id, source.Program, n)
	return h
}
