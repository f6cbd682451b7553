package surface

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// option is a flag under construction.
type option struct {
	source.Fact

	names            []string
	stated           bool // explicit placeholder
	typed            string
	bare, hidden     bool
	optional, needed bool
	many             bool
	argument         string // name of a positional argument
}

func (f *finder) optionCall(rule CommandRule, n *Node, on string) {
	id, in := "", f.frame()
	if n.X.Kind == Name || !f.Commands.Paths && strings.Contains(f.Library(Dotted(n.X)), ".") && f.Commands.Calls[f.Library(Dotted(n.X))].Part == Option {
		target := cmp.Or(f.cmd.targets[n], f.cmd.within)
		switch {
		case target != "" && in.name == "":
			id = target
			f.cmd.options[target] = true
		case in.name != "" && in.Kind != Class && target == "":
			on = parameterOf(in.name)
		}
	}
	if f.Commands.Places {
		on = cmp.Or(f.cmd.area, source.Program)
		if len(n.Args) > 0 && n.Args[0].Kind == Map {
			f.options(rule, n.Args[0], on)
			return
		}
	}
	f.option(rule, n.Args, id, on, n)
}

// parses reads the options of a call that parses the arguments of the program, or others of an unknown command:
// { options: { port: { short: "p" } } }.
func (f *finder) parses(rule CommandRule, n *Node) {
	of, options := source.Program, property(n.Args, "options")
	if args := property(n.Args, "args"); args != nil && f.frame().name != "" && !strings.Contains(f.Written(args), f.Commands.Args) {
		of = ""
	}
	if options = f.follow(options); options != nil && options.Kind == Map {
		f.options(rule, options, of)
	}
}

// given reads an option object in a call: new Option("-p, --port <n>", "help").default(80).
func (f *finder) given(rule CommandRule, n *Node, on string) {
	if len(n.Args) != 1 {
		return
	}
	var calls []*Node
	call := n.Args[0]
	for ; call.Kind == Call && call.X.Kind == Member; call = call.X.X {
		calls = append(calls, call)
	}
	if call.Kind == Call {
		f.option(rule, append(slices.Clone(call.Args), configured(calls, rule)...), "", on, call)
	}
}

// options reads an object whose entries describe flags.
func (f *finder) options(rule CommandRule, object *Node, of string) {
	for _, p := range object.Args {
		if p.Kind == Bind && p.Key != "" && p.X != nil && p.X.Kind == Map {
			f.option(rule, []*Node{{Kind: Text, Text: p.Key, Line: p.Line}, p.X}, "", of, p)
		}
	}
}

// option adds the flag described by arguments; if its command is unknown, without details.
func (f *finder) option(rule CommandRule, args []*Node, id, of string, at *Node) {
	o := option{Fact: source.Fact{Kind: source.Flag, ID: id, Of: of, Value: rule.Value}}
	f.optionArguments(&o, rule, args)
	if rule.Named {
		o.Help = interpolated(o.Help, o.Default)
	}
	if rule.Part == Plain || id+of == "" && rule.Part != Parses {
		for _, name := range o.names {
			f.once(source.Fact{Kind: source.Flag, Name: name}, at)
		}
		return
	}
	if o.argument != "" && len(o.names) == 0 && rule.Named {
		f.takes(o, of)
		return
	}
	switch {
	case o.bare:
		o.Value = ""
	case o.typed != "" && rule.Value != "" && o.Value == rule.Value && !o.stated:
		o.Value = o.typed
	case rule.Named && o.Value == "" && len(o.names) > 0:
		long := max(slices.IndexFunc(o.names, func(n string) bool { return strings.HasPrefix(n, "--") }), 0)
		o.Value = strings.ToUpper(strings.ReplaceAll(strings.TrimLeft(o.names[long], "-"), "-", "_"))
	}
	f.tellOption(&o, at)
}

// interpolated fills in the default of a flag where its help refers to it. A remark about an unknown one goes.
func interpolated(help, otherwise string) string {
	if otherwise == "" {
		help = defaultRemark.ReplaceAllString(help, "")
	} else {
		help = defaultMark.ReplaceAllStringFunc(help, func(string) string { return otherwise })
	}
	return strings.ReplaceAll(help, "%%", "%")
}

var (
	defaultMark   = lazyregexp.New(`%\(default\)[a-z]`)
	defaultRemark = lazyregexp.New(`(?i)\s*[\[(][^\[\]()]*%\(default\)[a-z][^\[\]()]*[\])]|,?\s*\bdefaults? ?(?:to|is|:)\s*%\(default\)[a-z]`)
)

func (f *finder) tellOption(o *option, at *Node) {
	for _, n := range o.names {
		f.cmd.told[n] = true
	}
	if len(o.names) == 0 || o.hidden {
		return
	}
	main := max(slices.IndexFunc(o.names, func(n string) bool { return strings.HasPrefix(n, "--") }), 0)
	o.Name = o.names[main]
	o.Also = strings.Join(slices.Delete(o.names, main, main+1), ", ")
	f.commandFact(o.Fact, at)
}

// dashed adds one or two dashes, by the length of the name.
func dashed(name string) string {
	switch {
	case strings.HasPrefix(name, "-"):
		return name
	case len(name) == 1:
		return "-" + name
	}
	return "--" + name
}

func (f *finder) optionArguments(o *option, rule CommandRule, args []*Node) {
	begin := len(f.cmd.facts)
	defer func() { // its variables have its description
		for i := range f.cmd.facts[begin:] {
			v := &f.cmd.facts[begin+i]
			v.Help, v.Default = o.Help, o.Default
		}
	}()
	for i, a := range expand(args) {
		role, any := rule.Roles[roleKey(a, i)]
		if !any && a.Key == "" {
			role = rule.Roles["*"]
		}
		a = valueIn(a)
		text, ok := f.literal(a)
		if !ok && role == Help {
			text = f.pieces(a)
		}
		switch role {
		case Names:
			f.names(o, rule, a, text, i == 0)
		case Spec:
			o.spec(text)
		case Help:
			o.Help = strings.Join(strings.Fields(text), " ")
			if f.flow != nil && rule.Library == "" {
				quoted(&o.Fact)
			}
			o.hidden = o.hidden || last(a) == "SUPPRESS"
		case Default, Last:
			if a.Kind == Func || role == Last && a.Kind == Name && !ok {
				continue // it parses the value
			}
			if f.flow == nil {
				o.Default = f.fallback(a)
			} else if role == Last || o.Default == "" {
				o.Default, o.Usage = f.flow.defaultFrom(a)
			}
			if a.Kind == Number {
				o.typed = "INTEGER"
				if strings.ContainsAny(o.Default, ".e") {
					o.typed = "FLOAT"
				}
			}
			o.optional = o.optional || !a.Is("None") && !a.Is("...")
		case Value:
			if ok {
				o.Value, o.stated = text, true
			}
		case Type:
			if f.flow != nil {
				o.Value = f.Commands.Types[strings.TrimSuffix(a.Key, "Var")]
			} else {
				f.valueType(o, a, text)
			}
		case Bare:
			o.bare = o.bare || !a.Is("False") && !a.Is("false")
		case Action:
			f.action(o, a, text)
		case Count:
			o.many = a.Kind != Number && text != "?" || a.Kind == Number && a.Text != "1"
			o.optional = o.optional || a.Kind == Operator || text == "?" || text == "*"
		case Needed:
			o.needed = a.Is("True") || a.Is("true")
			o.optional = o.optional || !o.needed
		case Variable:
			for _, v := range append(slices.Clone(a.Args), a) {
				text, _ := f.literal(v)
				for name := range strings.SplitSeq(text, ",") {
					if name = strings.TrimSpace(name); name != "" {
						f.commandFact(source.Fact{Kind: source.Env, Name: name}, v)
					}
				}
			}
		case Hidden:
			o.hidden = o.hidden || a.Is("True") || a.Is("true")
		}
	}
}

// names reads the spellings of a flag: "-a/--all", or a list. A name without dashes is a positional argument.
func (f *finder) names(o *option, rule CommandRule, a *Node, text string, first bool) {
	if a.Kind == List {
		for _, e := range a.Args {
			text, _ := f.literal(e)
			f.names(o, rule, e, text, false)
		}
		return
	}
	if rule.Dash != "" && text != "" {
		for name := range strings.SplitSeq(text, ",") {
			if name = strings.TrimSpace(name); strings.Trim(name, "-") != "" {
				o.names = append(o.names, dashed(name))
			}
		}
		return
	}
	if first && text != "" && text[0] != '-' {
		o.argument = text
		return
	}
	for n := range strings.SplitSeq(text, "/") {
		if n = strings.TrimSpace(n); strings.HasPrefix(n, "-") {
			o.names = append(o.names, n)
		}
	}
	o.bare = o.bare || strings.Contains(text, "/") && rule.Value != ""
}

func (o *option) spec(text string) {
	if i := strings.IndexAny(text, "<["); i >= 0 {
		o.Value = strings.Trim(text[i:], "<>[].")
		text = text[:i]
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' || r == '|' || r == '=' }) {
		if strings.HasPrefix(word, "-") {
			o.names = append(o.names, word)
		}
	}
}

func (f *finder) fallback(a *Node) string {
	if c := f.constant(a); c != nil && !f.varying[a.Text] {
		a = c
	}
	if text, ok := f.literal(a); ok {
		return text
	}
	switch {
	case a.Kind == Number, a.Is("True"), a.Is("true"):
		return a.Text
	case a.Kind == Operator && a.Text == "-" && len(a.Args) == 1 && a.Args[0].Kind == Number:
		return "-" + a.Args[0].Text
	}
	return ""
}

// valueType reads the type of a value: click.Path(), int, "number".
func (f *finder) valueType(o *option, a *Node, text string) {
	if f.Commands.Paths {
		if text != "boolean" && text != "count" {
			o.Value = text
		}
		return
	}
	o.Value, o.stated = "VALUE", true
	if a.Kind == Call {
		a = a.X
	}
	if word := f.Commands.Types[f.typeWord(a, 0)]; word != "" {
		o.Value = word
	}
}

// action reads the action of a flag: a flag that stores a constant has no value.
func (f *finder) action(o *option, a *Node, text string) {
	switch text {
	case "count", "help", "version", "append_const":
		o.bare = true
	}
	o.bare = o.bare || strings.HasPrefix(text, "store_")
	if last(a) == "BooleanOptionalAction" {
		o.bare = true
		for _, n := range o.names {
			if long, ok := strings.CutPrefix(n, "--"); ok {
				o.names = append(o.names, "--no-"+long)
			}
		}
	}
}

// takes adds a positional argument to the usage line of a command in the file.
func (f *finder) takes(o option, of string) {
	text := o.argument
	if o.stated {
		text = o.Value
	}
	if o.many {
		text += "..."
	}
	if o.optional && !o.needed {
		text = "[" + text + "]"
	}
	if fact := f.cmd.fact(of); fact.Usage != source.Hidden {
		f.count(fact)
		fact.Usage = strings.TrimSpace(fact.Usage + " " + text)
	}
}

// usage splits a usage line into the name of a command and its arguments.
func usage(fact *source.Fact, line string) {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if fact.Name = name; fact.Usage != source.Hidden {
		fact.Usage = strings.TrimSpace(rest)
	}
}
