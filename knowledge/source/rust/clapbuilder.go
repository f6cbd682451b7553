package rust

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// builders reads the calls of the crate getopts, and clap's builder calls: Command::new("x").arg(…).subcommand(…).
type builders struct {
	*facts

	ids map[string]bool
}

// chained returns the first call of a chain, the settings by the names of its methods, and the arguments with the parts of
// a command.
func chained(n *surface.Node) (first *surface.Node, settings map[string]string, parts []*surface.Node) {
	settings = map[string]string{}
	var calls []*surface.Node
	for ; n.X.Kind == surface.Member && n.X.X.Kind == surface.Call; n = n.X.X {
		calls = append(calls, n)
	}
	for _, c := range slices.Backward(calls) {
		switch name := c.X.Text; name {
		case "arg", "args", "subcommand", "subcommands":
			settings[name], parts = "", append(parts, c.Args...)
		case "action":
			settings[name] = ""
			if len(c.Args) > 0 {
				settings[name] = surface.Dotted(c.Args[0])
			}
		default:
			settings[name] = textOf(c.Args)
		}
	}
	return n, settings, parts
}

// visit finds the chains in nodes of a function.
func (b *builders) visit(function string, nodes ...*surface.Node) {
	for _, n := range nodes {
		switch {
		case n == nil || b.part(n, function, ""):
			continue
		case n.Kind == surface.Func && n.Text != "":
			b.visit(n.Text, n.Body...)
			continue
		}
		b.getopt(n)
		for ; n.Kind == surface.Call && n.X.Kind == surface.Member && n.X.X.Kind == surface.Call; n = n.X.X {
			b.visit(function, n.Args...)
			b.getopt(n.X.X)
		}
		b.visit(function, n.X)
		b.visit(function, n.Args...)
		b.visit(function, n.Body...)
		b.visit(function, n.Else...)
	}
}

// part reads a command or flag; a function without arguments makes a part of the command above.
func (b *builders) part(n *surface.Node, id, above string) bool {
	if n.Kind == surface.List && above != "" {
		for _, x := range n.Args {
			b.part(x, id, above)
		}
	}
	if n.Kind != surface.Call {
		return false
	}
	first, settings, parts := chained(n)
	switch lastTwo(surface.Dotted(first.X)) {
	case "Command.new", "App.new", "SubCommand.with_name":
		if above != "" {
			id = above + "." + textOf(first.Args)
		}
		return b.command(first, settings, parts, id, above, b.o.src[n.From:n.To])
	case "Arg.new", "Arg.with_name":
		b.argument(first, settings, above)
		return true
	}
	if made := surface.Dotted(first.X); above != "" && len(first.Args) == 0 && made != "" {
		b.say(source.Fact{Kind: source.Join, ID: made, Of: above}, first)
	}
	return false
}

func (b *builders) say(f source.Fact, at *surface.Node) {
	f.Line = int(at.Line)
	b.list = append(b.list, f)
}

// textOf returns the literal that is the only argument of a call.
func textOf(args []*surface.Node) string {
	if len(args) != 1 || args[0].Kind != surface.Text && args[0].Kind != surface.Number && !args[0].Is(isTrue) {
		return ""
	}
	return strings.Trim(args[0].Text, "'")
}

func (b *builders) command(first *surface.Node, s map[string]string, parts []*surface.Node, id, above string, written []byte) bool {
	f := source.Fact{
		Kind: source.Command, ID: id, Name: cmp.Or(s["bin_name"], textOf(first.Args)), Help: strings.Join(strings.Fields(s["about"]), " "),
		Doc: strings.TrimSpace(s["long_about"]), Also: s["visible_alias"],
	}
	if isHidden(s) {
		f.Usage = source.Hidden
	}
	is := above != "" || bytes.Contains(written, []byte("Arg::")) ||
		hasAny(s, "about", "version", "author", "subcommand", "subcommands", "subcommand_required", "arg_required_else_help")
	if !is || id == "" || b.ids[id] {
		return false // a command of the operating system
	}
	b.ids[id] = true
	b.say(f, first)
	if above != "" {
		b.say(source.Fact{Kind: source.Join, ID: id, Of: above}, first)
	}
	for _, x := range parts {
		b.part(x, "", id)
	}
	return true
}

func (b *builders) argument(first *surface.Node, s map[string]string, of string) {
	f := source.Fact{Kind: source.Flag, Of: of, Line: int(first.Line), Default: s["default_value"], Help: strings.Join(strings.Fields(s["help"]), " "), Doc: s["long_help"]}
	usual := surface.Dotted(first.X) != "Arg.with_name" || hasAny(s, "value_name", "default_value", "possible_values")
	if value, has := s["takes_value"]; has {
		usual = value == isTrue
	}
	if takes(s, usual) {
		f.Value = cmp.Or(s["value_name"], strings.ToUpper(textOf(first.Args)))
	}
	b.flag(f, s)
}

// getopts are the methods of the crate of that name that declare a flag, with whether it takes a value.
var getopts = map[string]bool{"optflag": false, "optflagmulti": false, "optflagopt": true, "optopt": true, "optmulti": true, "reqopt": true}

// getopt reads a flag of the crate getopts: opts.optopt("p", "port", "the port to listen on", "PORT").
func (b *builders) getopt(n *surface.Node) {
	const help, hint = 2, 3
	if n.Kind != surface.Call || n.X.Kind != surface.Member || len(n.Args) <= help {
		return
	}
	valued, is := getopts[n.X.Text]
	if !is {
		return
	}
	f := source.Fact{Kind: source.Flag, Of: source.Program, Line: int(n.Line), Help: strings.Join(strings.Fields(textOf(n.Args[help:hint])), " ")}
	if valued && len(n.Args) > hint {
		f.Value = textOf(n.Args[hint:])
	}
	b.flag(f, map[string]string{"short": textOf(n.Args[:1]), "long": textOf(n.Args[1:help])})
}

// spellings returns the name of a flag, and its other names.
func spellings(s map[string]string) (name, also string) {
	var names []string
	for _, of := range [][2]string{{"--", "long"}, {"-", "short"}, {"--", "visible_alias"}, {"-", "visible_short_alias"}} {
		if name := strings.TrimPrefix(s[of[1]], of[0]); name != "" {
			names = append(names, of[0]+name)
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	return names[0], strings.Join(names[1:], ", ")
}
