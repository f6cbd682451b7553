package surface

import (
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// chained reads a chain of calls that describes a command, a flag or an argument:
// app.Flag("port", "The port.").Default("80").Int(). It returns the ID of the command, or "".
func (p *interpreter) chained(id string, n *Node) (made string, ok bool) {
	var calls []*Node
	for left := longestName; left > 0 && n.Kind == Call && n.X.Kind == Member; n, left = n.X.X, left-1 {
		rule := p.Commands.Calls["."+n.X.Text]
		if library := p.Commands.Calls[p.libraryType(n.X)]; library.Part == Makes {
			rule = library
		}
		switch {
		case rule.Library == "" || p.Packages[rule.Library] == "":
			calls = append(calls, n)
			continue
		case p.isSeen(n):
			return p.cmd.seen[n].id, true
		}
		of := p.builder(n.X.X)
		whole := *n
		whole.Args = append(n.Args[:len(n.Args):len(n.Args)], configured(calls, rule)...)
		switch name, ok := p.text(Arg(n.Args, "", 0)); {
		case rule.Part == Makes:
			if id = p.cmd.fresh(id); !ok { // the file name of the program
				id = source.Program
			}
			p.command(rule, id, &whole)
		case of == "" || name == "" || len(n.Args) < 2:
			return "", false
		case rule.Part == Below:
			id = p.cmd.fresh(id)
			p.command(rule, id, &whole)
			p.joins(id, of, n)
		default:
			id = ""
			o := option{Fact: source.Fact{Kind: source.Flag, Of: of}, argument: name, optional: true}
			p.row = nil
			if p.optionArguments(&o, rule, whole.Args); rule.Part == Given {
				p.tellOption(&o, n)
			} else {
				p.takes(o, of)
			}
		}
		p.see(n, id)
		return id, true
	}
	return "", false
}

// builder returns the command on which a chain of calls is based, or "".
func (p *interpreter) builder(n *Node) string {
	switch {
	case n.Kind == Name && p.Packages[n.Text] != "", n.Kind == Member && n.Text == p.Commands.Default && p.libraryType(n) != "":
		return source.Program
	case n.Kind == Call:
		id, _ := p.chained(p.function+".", n)
		return id
	case n.Kind == Name && p.Imports[n.Text]:
		return ""
	}
	return p.commandID(n)
}

// configured returns the arguments of the calls of a chain, with the names of the methods as keywords.
func configured(calls []*Node, rule CommandRule) (args []*Node) {
	for _, call := range calls {
		said := &Node{Kind: Name, Text: "true", Line: call.Line}
		switch {
		case len(call.Args) > 0:
			copied := *call.Args[0]
			said = &copied
		case rule.Roles[call.X.Text] == Default:
			continue // none
		}
		if text, err := strconv.Unquote(said.Text); said.Kind == Number && err == nil { // a character
			said.Kind, said.Text = Text, text
		}
		said.Key = call.X.Text
		args = append(args, said)
	}
	return args
}

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
