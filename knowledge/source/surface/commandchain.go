package surface

import (
	"strconv"

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
