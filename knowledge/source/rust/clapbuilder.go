package rust

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// builders reads clap's builder calls: Command::new("x").arg(…).subcommand(…).
type builders struct {
	*facts

	ids map[string]bool
}

// chained returns the first call of a chain, and the arguments of its methods by name.
func chained(n *surface.Node) (first *surface.Node, args map[string][]*surface.Node) {
	var calls []*surface.Node
	for ; n.X.Kind == surface.Member && n.X.X.Kind == surface.Call; n = n.X.X {
		calls = append(calls, n)
	}
	args = map[string][]*surface.Node{}
	for _, c := range slices.Backward(calls) {
		args[c.X.Text] = append(args[c.X.Text], c.Args...)
	}
	return n, args
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
		for ; n.Kind == surface.Call && n.X.Kind == surface.Member && n.X.X.Kind == surface.Call; n = n.X.X {
			b.visit(function, n.Args...)
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
	first, args := chained(n)
	switch lastTwo(surface.Dotted(first.X)) {
	case "Command.new", "App.new", "SubCommand.with_name":
		if above != "" {
			id = above + "." + textOf(first.Args)
		}
		return b.command(first, args, id, above, b.o.src[n.From:n.To])
	case "Arg.new", "Arg.with_name":
		b.flag(first, args, above)
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

func isTrueIn(args []*surface.Node) bool { return textOf(args) == isTrue }

func (b *builders) command(first *surface.Node, args map[string][]*surface.Node, id, above string, written []byte) bool {
	f := source.Fact{
		Kind: source.Command, ID: id, Name: cmp.Or(textOf(args["bin_name"]), textOf(first.Args)), Help: strings.Join(strings.Fields(textOf(args["about"])), " "),
		Doc: strings.TrimSpace(textOf(args["long_about"])), Also: textOf(args["visible_alias"]),
	}
	if isTrueIn(args["hide"]) || isTrueIn(args["hidden"]) {
		f.Usage = source.Hidden
	}
	is := above != "" || bytes.Contains(written, []byte("Arg::"))
	for word := range surface.Set("about version author subcommand subcommands subcommand_required arg_required_else_help") {
		is = is || args[word] != nil
	}
	if !is || id == "" || b.ids[id] {
		return false // a command of the operating system
	}
	b.ids[id] = true
	b.say(f, first)
	if above != "" {
		b.say(source.Fact{Kind: source.Join, ID: id, Of: above}, first)
	}
	for _, word := range []string{"arg", "args", "subcommand", "subcommands"} {
		for _, x := range args[word] {
			b.part(x, "", id)
		}
	}
	return true
}

func (b *builders) flag(first *surface.Node, args map[string][]*surface.Node, of string) {
	f := source.Fact{
		Kind: source.Flag, Of: of, Value: cmp.Or(textOf(args["value_name"]), strings.ToUpper(textOf(first.Args))), Default: textOf(args["default_value"]),
		Help: strings.Join(strings.Fields(textOf(args["help"])), " "),
	}
	f.Doc = longHelp(f.Help, textOf(args["long_help"]))
	action := args["action"]
	if len(action) > 0 && !takes(surface.Dotted(action[0]), true) ||
		args["takes_value"] != nil && !isTrueIn(args["takes_value"]) ||
		surface.Dotted(first.X) == "Arg.with_name" && !isTrueIn(args["takes_value"]) && args["value_name"] == nil && args["default_value"] == nil && args["possible_values"] == nil {
		f.Value = ""
	}
	if env := textOf(args["env"]); env != "" {
		b.say(source.Fact{Kind: source.Env, Name: env, Default: f.Default, Help: f.Help}, first)
	}
	f.Name, f.Also = spellings(textOf(args["long"]), textOf(args["short"]), textOf(args["visible_alias"]))
	if f.Name != "" && !isTrueIn(args["hide"]) && !isTrueIn(args["hidden"]) {
		b.say(f, first)
	}
}

// spellings returns the name of a flag, and its other names.
func spellings(long, short, alias string) (name, also string) {
	var names []string
	for _, name := range [][2]string{{"--", strings.TrimPrefix(long, "--")}, {"-", short}, {"--", alias}} {
		if name[1] != "" {
			names = append(names, name[0]+name[1])
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	return names[0], strings.Join(names[1:], ", ")
}
