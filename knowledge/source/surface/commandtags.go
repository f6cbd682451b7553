package surface

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/source"
)

// root records the struct of the program's command line, with its name and description.
func (p *interpreter) root(n *Node) {
	typ := p.structIn(n.Args[0])
	if typ == "" {
		return
	}
	fact := source.Fact{Kind: source.Command, ID: source.Program}
	for _, a := range n.Args[1:] {
		if a.Kind == Call {
			p.fill(&fact, p.Commands.Calls[p.libraryType(a.X)], a.Args)
		}
	}
	p.commandFact(fact, n)
	p.joins(typ, source.Program, n)
}

// structIn returns the type of the struct that an argument points to.
func (p *interpreter) structIn(arg *Node) string {
	if arg.Kind == Operator && arg.Text == "&" {
		arg = arg.Args[0]
	}
	if arg.Kind == Name && p.classes[arg.Text] != nil {
		return arg.Text // variable of an anonymous type
	}
	return p.typeOf(arg)
}

// structs reads the types whose tags describe a command line.
func (p *interpreter) structs() {
	if !p.Line {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.classes)) {
		fields := p.classes[name].Body
		if slices.ContainsFunc(fields, func(f *Node) bool {
			_, cmd := tags(f).Lookup("cmd")
			_, help := tags(f).Lookup("help")
			_, extended := tags(f).Lookup("option") // passed as -o store.key=value
			_, long := tags(f).Lookup("long")
			return cmd || (help || long) && !extended
		}) {
			p.taggedCommand(name, "", fields, 0)
		}
	}
}

// taggedCommand reads the fields of a struct as parts of the command with the ID.
func (p *interpreter) taggedCommand(of, prefix string, fields []*Node, depth int) {
	explicit := slices.ContainsFunc(fields, func(f *Node) bool { return tags(f).Get("long") != "" })
	for _, f := range fields {
		t := tags(f)
		_, embed := t.Lookup("embed")
		switch {
		case t.Get("kong") == "-" || t.Get("hidden") != "" || depth > mostNested:
		case f.Text == "" || embed || t.Get("group") != "" && explicit:
			if f.Type.Kind == Class {
				p.taggedCommand(of, prefix+t.Get("prefix"), f.Type.Body, depth+1)
			} else if prefix+t.Get("prefix") == "" {
				p.joins(p.typeID(f.Type), of, f)
			}
		case explicit && t.Get("long") == "":
		case unicode.IsUpper([]rune(f.Text)[0]):
			p.taggedField(of, prefix, f, depth)
		}
	}
}

func (p *interpreter) taggedField(of, prefix string, f *Node, depth int) {
	t := tags(f)
	help := cmp.Or(t.Get("help"), t.Get("description"))
	name := cmp.Or(t.Get("name"), t.Get("long"), source.Separated(f.Text, '-'))
	if _, ok := t.Lookup("cmd"); ok {
		id := of + "." + f.Text
		p.commandFact(source.Fact{Kind: source.Command, Name: name, ID: id, Also: strings.ReplaceAll(t.Get("aliases"), ",", ", "), Help: help}, f)
		p.joins(id, of, f)
		if f.Type.Kind == Class {
			p.taggedCommand(id, prefix, f.Type.Body, depth+1)
		} else {
			p.joins(p.typeID(f.Type), id, f)
		}
		return
	}
	if env := t.Get("env"); env != "" {
		for v := range strings.SplitSeq(env, ",") {
			p.tell(source.Fact{Kind: source.Env, Name: strings.TrimSpace(v), Default: t.Get("default"), Help: help}, f)
		}
	}
	if _, ok := t.Lookup("arg"); ok {
		return
	}
	flag := source.Fact{Kind: source.Flag, Name: "--" + prefix + name, Of: of, Help: help, Default: t.Get("default"), Value: t.Get("placeholder")}
	if typ := pointed(f.Type); flag.Value == "" && typ.Kind == Name && typ.Text != "bool" {
		flag.Value = typ.Text
	}
	if short := t.Get("short"); short != "" {
		flag.Also = "-" + short
	}
	p.commandFact(flag, f)
}
