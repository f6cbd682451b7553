package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func registers(name string) bool {
	rest, ok := strings.CutPrefix(name[strings.LastIndexByte(name, '.')+1:], "register")
	return ok && (rest == "" || rest[0] == '_' || rest[0] >= 'A' && rest[0] <= 'Z')
}

// longestRegistered bounds a registration's name in bytes; a longer text is not a name.
const longestRegistered = 200

// registration adds the registrations made at import time by a statement or by a declaration's decorators.
func (f *finder) registration(n *Node) {
	switch n.Kind {
	case Bind:
		n = n.X
	case Func, Class:
		for _, m := range n.Marks {
			f.registered(m, n.Text)
		}
		return
	}
	if n != nil && n.Kind == Call {
		f.registered(n, "")
	}
}

func (f *finder) registered(n *Node, what string) {
	callee := called(n)
	fact := source.Fact{Kind: source.Register, Of: Dotted(callee), ID: what}
	_, mounts := f.Routes.Mounts["."+last(callee)]
	views := f.Routes.Calls["."+last(callee)].Views && callee.Kind == Member
	mounts = mounts || views && f.routerOf(callee.X) != nil && f.routerOf(callee.X).made
	if fact.Of == "" || !registers(fact.Of) || mounts && callee.Kind == Member && f.routerOf(callee.X) != nil {
		return // route facts have more detail
	}
	for i, a := range n.Args {
		switch {
		case n.Kind != Call:
		case a.Kind == Text && (a.Key == "name" || a.Key == "" && i == 0):
			if fact.Name = a.Text; len(a.Text) > longestRegistered {
				return
			}
		case fact.ID == "" && a.Key == "" && a.Kind == Call:
			fact.ID = Dotted(a.X)
		case fact.ID == "" && a.Key == "":
			fact.ID = Dotted(a)
		}
	}
	if fact.Name != "" || fact.ID != "" {
		f.tell(fact, n)
	}
}

// ConfigRules describe which classes are filled from a configuration or from the environment.
type ConfigRules struct {
	Package string // package of the base classes
	Env     string // base class of settings from the environment
	Base    string // base class of other configurations, which also need a matching name or use
	Prefix  string // name of the prefix of their variables
	Field   string // call that describes a field
}

type settings struct {
	*Node

	env    bool
	prefix string
	fields []source.Fact
}

// configuration adds the configuration keys that classes declare as fields.
func (f *finder) configuration() {
	var all []*settings
	for _, n := range f.Body {
		if n.Kind != Class || len(n.Args) == 0 {
			continue
		}
		s := &settings{Node: n}
		known, is := f.Mentions(f.Config.Package), false
		for _, base := range n.Args {
			name := last(base)
			own := strings.HasSuffix(name, "Settings") && strings.HasSuffix(n.Text, "Settings") && (known || name != "Settings")
			s.env = s.env || known && name == f.Config.Env || own
			is = is || s.env || known && name == f.Config.Base
		}
		if !is {
			continue
		}
		f.prefix(n.Body, s)
		for _, field := range n.Body {
			if field.Kind == Bind && field.Type != nil && field.Args[0].Kind == Name {
				f.setting(s, field)
			}
		}
		all = append(all, s)
	}
	told := map[string]bool{}
	for _, s := range all {
		if s.env || IsConfigName(s.Text) {
			told[s.Text] = true
			f.tell(source.Fact{Kind: source.Config, ID: s.Text, Of: source.Program}, s.Node)
		}
	}
	for n := len(all) - 1; n >= 0; n-- { // nested classes precede their holders
		s := all[n]
		for _, fact := range s.fields {
			if !told[s.Text] {
				break
			}
			told[fact.ID] = true
			f.Steps(len(s.prefix) / textOfStep)
			name := s.prefix + fact.Name
			if fact.Also != "" {
				name, fact.Also = fact.Also, ""
			}
			f.facts = append(f.facts, fact)
			if s.env {
				f.facts = append(f.facts, source.Fact{Kind: source.Env, Name: strings.ToUpper(name), Default: fact.Default, Usage: fact.Usage, Help: fact.Help, Line: fact.Line})
			}
		}
	}
}

// prefix reads the prefix of a class's variables.
func (f *finder) prefix(body []*Node, s *settings) {
	for _, n := range body {
		switch {
		case n.Kind == Class:
			f.prefix(n.Body, s)
		case n.Kind != Bind || n.X == nil:
		case n.Args[0].Is(f.Config.Prefix):
			s.prefix, _ = f.text(n.X)
		case n.X.Kind == Call:
			if a := Arg(n.X.Args, f.Config.Prefix, -1); a != nil {
				s.prefix, _ = f.text(a)
			}
		}
	}
}

// longestType bounds a type in a fact, in bytes.
const longestType = 60

func (f *finder) setting(s *settings, n *Node) {
	name := n.Args[0].Text
	if name == "model_config" || strings.HasPrefix(name, "_") || last(n.Type) == "ClassVar" || n.Type.Kind == Index && last(n.Type.X) == "ClassVar" {
		return
	}
	fact := source.Fact{Kind: source.Config, Name: name, Of: s.Text, Line: int(n.Line)}
	typ := f.Src[n.Type.From:n.Type.To]
	if len(typ) <= longestType && !strings.Contains(typ, "\n") {
		fact.Value = f.Written(n.Type)
	}
	if n.Type.Kind == Name {
		fact.ID = n.Type.Text
	}
	switch {
	case n.X == nil:
		if !strings.Contains(typ, "None") && !strings.Contains(typ, "Optional") {
			fact.Usage = source.Required
		}
	case n.X.Kind == Call && n.X.X.Is(f.Config.Field):
		f.describedField(&fact, n.X.Args)
	default:
		fact.Default, fact.Usage = f.otherwise(n.X)
	}
	s.fields = append(s.fields, fact)
}

// describedField reads Field(default, description="…").
func (f *finder) describedField(fact *source.Fact, args []*Node) {
	fact.Usage = source.Required
	if a := Arg(args, "default", 0); a != nil && !a.Is("...") {
		fact.Default, fact.Usage = f.otherwise(a)
	} else if Arg(args, "default_factory", -1) != nil {
		fact.Usage = source.Computed
	}
	for _, part := range []struct {
		key string
		to  *string
	}{{"description", &fact.Help}, {"alias", &fact.Also}, {"validation_alias", &fact.Also}} {
		if text, ok := f.text(Arg(args, part.key, -1)); ok && text != "" {
			*part.to = text
		}
	}
	if fact.Also != "" {
		fact.Name = fact.Also
	}
}

// IsConfigName reports whether a class name suggests a configuration.
func IsConfigName(name string) bool {
	return endsIn(strings.ToLower(name), "config", "configuration", "settings")
}

func endsIn(name string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(name, word) })
}
