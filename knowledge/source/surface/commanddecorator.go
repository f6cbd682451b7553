package surface

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// commandDecorators reads a function's decorators: some make it a command, others add flags.
func (f *finder) commandDecorators(n *Node, name string) {
	made, of := false, name
	rules := make([]CommandRule, len(n.Marks))
	for i, m := range n.Marks {
		callee, isCall := called(m), m.Kind == Call
		rule, known := f.Commands.Calls["@"+f.Library(Dotted(callee))]
		if !known && isCall && callee.Kind == Member && f.Library(Dotted(callee)) == Dotted(callee) {
			rule = f.Commands.Calls["@."+callee.Text]
		}
		if rules[i] = rule; rule.Part != Makes && rule.Part != Below && rule.Part != Whole {
			continue
		}
		if rule.Part == Whole && !f.cmd.typed {
			continue
		}
		made = true
		on := ""
		if rule.Part != Makes {
			on = f.command(callee.X)
		}
		if rule.Part == Whole {
			of = on
			f.typedFlags(n, of)
			continue
		}
		fact := source.Fact{Kind: source.Command, ID: name, Name: strings.ReplaceAll(strings.ToLower(n.Text), "_", "-")}
		f.documented(&fact, rule, m)
		f.commandFact(fact, n)
		if f.cmd.typed {
			f.typedFlags(n, name)
		}
		if rule.Part == Below {
			f.join(source.Fact{ID: name, Of: on}, n)
		}
	}
	if !made {
		if of = ""; f.frame().name != "" && f.frame().Kind != Class {
			of = parameterOf(f.frame().name)
		}
	}
	for i, m := range n.Marks {
		if m.Kind == Call {
			f.cmd.done[m] = ""
		}
		call := Dotted(called(m))
		switch rule := rules[i]; {
		case rule.Part == Option && m.Kind == Call && of != "":
			f.option(rule, m.Args, "", of, m)
		case rule.Part == Takes && m.Kind == Call && made:
			o := option{Fact: source.Fact{}}
			f.optionArguments(&o, rule, m.Args)
			o.argument = strings.ToUpper(o.argument)
			f.takes(o, name)
		case rule.Part == 0 && made && call != "" && !f.Commands.Choices[strings.SplitN(f.Library(call), ".", 2)[0]]:
			f.join(source.Fact{ID: parameterOf(call), Of: of}, n)
			f.join(source.Fact{ID: call, Of: of}, n)
		}
	}
}

func (f *finder) managed(n *Node) {
	fact := source.Fact{Kind: source.Command, ID: n.Text, Name: f.Command}
	for _, s := range n.Body {
		if s.Kind == Bind && s.Args[0].Is("help") {
			text, _ := f.literal(s.X)
			fact.Help = strings.Join(strings.Fields(text), " ")
		}
	}
	f.commandFact(fact, n)
	f.join(source.Fact{ID: parameterOf(n.Text + "." + f.Commands.Adder), Of: n.Text}, n)
}

func (f *finder) documented(fact *source.Fact, rule CommandRule, m *Node) {
	doc, _, _ := strings.Cut(f.Doc(fact.ID), "\f")
	fact.Doc = strings.TrimSpace(doc)
	if m.Kind == Call {
		f.fill(fact, rule, m.Args)
	}
	if fact.Help == "" {
		first, rest, _ := strings.Cut(fact.Doc, "\n\n")
		fact.Help, fact.Doc = strings.Join(strings.Fields(first), " "), strings.TrimSpace(rest)
	}
}

// typedFlags reads the parameters of a command function: those with a default, or declared as options, are flags.
func (f *finder) typedFlags(n *Node, of string) {
	for _, p := range n.Args {
		f.Step()
		if p.Kind == Name && !f.Self[p.Text] && (p.Type != nil || p.X != nil) {
			f.typedFlag(p, of)
		}
	}
}

// typedFlag reads a parameter's name, type and default.
func (f *finder) typedFlag(p *Node, of string) {
	o := option{Fact: source.Fact{Kind: source.Flag, Of: of}}
	isFlag := p.X != nil
	if isFlag {
		o.Default = f.fallback(p.X)
	}
	for _, part := range []*Node{p.Type, p.X} {
		call, rule := f.describes(part)
		if call == nil {
			continue
		}
		isValue := part == p.X
		args := call.Args
		if isValue && len(args) > 0 && args[0].Key == "" {
			o.Default = f.fallback(args[0])
		}
		if rule.Part == Takes {
			o.optional = !isValue && p.X != nil || isValue && len(args) > 0 && args[0].Key == "" && !args[0].Is("...")
			o.argument = strings.ToUpper(p.Text)
			f.takes(o, of)
			return
		}
		isFlag = true
		if isValue && len(args) > 0 && args[0].Key == "" {
			args = args[1:]
		}
		before := len(f.cmd.facts)
		f.optionArguments(&o, rule, args)
		for i := range f.cmd.facts[before:] {
			f.cmd.facts[before+i].Default = o.Default
		}
	}
	word := f.typeWord(p.Type, 0)
	switch {
	case !isFlag && word != "Context":
		f.takes(option{argument: strings.ToUpper(p.Text)}, of)
		return
	case !isFlag || word == "Context":
		return
	case word == "" && (o.Default == "True" || p.X.Is("False")):
		word = "bool"
	}
	if len(o.names) == 0 {
		name := strings.ReplaceAll(p.Text, "_", "-")
		o.names = []string{"--" + name}
		if word == "bool" {
			o.names = append(o.names, "--no-"+name)
		}
	}
	if o.Value == "" && word != "bool" {
		o.Value = f.Commands.Types[word]
	}
	if word == "bool" && o.Default == "True" && len(o.names) == 1 {
		o.Default = "true"
	}
	f.tellOption(&o, p)
}

// describes returns the call in a type or a default that configures a parameter.
func (f *finder) describes(n *Node) (*Node, CommandRule) {
	if n == nil {
		return nil, CommandRule{}
	}
	if n.Kind == Call {
		rule, ok := f.Commands.Calls["="+f.Library(Dotted(n.X))]
		if ok {
			return n, rule
		}
	}
	for _, a := range n.Args {
		if call, rule := f.describes(a); call != nil {
			return call, rule
		}
	}
	return nil, CommandRule{}
}

func (f *finder) typeWord(n *Node, depth int) string {
	if n == nil || depth > 4 {
		return ""
	}
	if name := last(n); name == "bool" || name == "Context" || f.Commands.Types[name] != "" {
		return name
	}
	for _, a := range n.Args {
		if word := f.typeWord(a, depth+1); word != "" {
			return word
		}
	}
	return ""
}
