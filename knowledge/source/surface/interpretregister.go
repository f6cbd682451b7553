package surface

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// starter finds registrations at program start: in variables, initial functions, the main function, and the functions of
// the file that these call. Conditional or later registrations do not count.
type starter struct {
	*interpreter

	functions map[string]*Node
	entered   map[string]bool
	initial   bool // the current code runs before the main function
}

// registrations adds the file's registrations, and the names that its types declare for themselves.
func (p *interpreter) registrations() {
	s := &starter{p, map[string]*Node{}, map[string]bool{}, true}
	p.function, p.locals = "", map[string]*holding{}
	var starts []*Node
	for _, n := range p.Body {
		switch {
		case n.Kind != Func:
		case len(n.Else) > 0 || strings.Contains(n.Text, "."):
			s.naming(n)
		case n.Text == p.Initial, n.Text == p.Main && p.Package == p.Main:
			starts = append(starts, n)
		default:
			s.functions[n.Text] = n
		}
	}
	if !strings.Contains(p.Src, "egister") && !strings.Contains(p.Src, ".Add") {
		return
	}
	for _, n := range p.Body {
		if n.Kind == Bind && n.Text == "var" {
			s.expression(n.X, 0)
		}
	}
	for _, n := range starts {
		s.initial = n.Text == p.Initial
		s.enters(n)
	}
}

// enters follows the unconditional statements of a function.
func (s *starter) enters(n *Node) {
	outer := s.locals
	s.locals = map[string]*holding{}
	for _, a := range n.Args {
		s.locals[a.Text] = &holding{}
	}
	everywhere(s.Step, n, 0, func(c *Node) {
		if c.Kind == Bind && c.Text != "=" || c.Kind == For || c.Kind == Func {
			for _, a := range c.Args {
				if a.Kind == Name {
					s.locals[a.Text] = &holding{}
				}
			}
		}
	})
	for _, c := range n.Body {
		switch c.Kind {
		case If, For, Block, Class:
		default:
			s.expression(c, 0)
		}
	}
	s.locals = outer
}

// mostEntered bounds the functions reached from program start, because each may call the next.
const mostEntered = 64

func (s *starter) expression(n *Node, depth int) {
	if n == nil || n.Kind == Func || depth > deepest {
		return
	}
	s.Step()
	if n.Kind == Call {
		if name := n.X.Text; n.X.Kind == Name && s.locals[name] == nil && !s.entered[name] && s.functions[name] != nil && len(s.entered) < mostEntered {
			s.entered[name] = true
			s.enters(s.functions[name])
		}
		s.registers(n)
	}
	s.expression(n.X, depth+1)
	for _, a := range n.Args {
		s.expression(a, depth+1)
	}
}

func (s *starter) registers(n *Node) {
	registry, adds := s.registry(n.X)
	if registry == "" || len(n.Args) == 0 {
		return
	}
	if name, ok := s.nameOf(n.Args[0]); ok {
		what := ""
		for _, a := range n.Args[1:] {
			if id, _ := s.registered(a, 0); what == "" {
				what = id
			}
		}
		if !adds || what != "" {
			s.tell(source.Fact{Kind: source.Register, Name: name, Of: registry, ID: what}, n)
		}
		return
	}
	for _, a := range n.Args {
		id, name := s.registered(a, 0)
		if name != "" {
			id = "" // an option of the registration, not the item
		}
		if !adds && id+name != "" && a.Kind != Member { // a member is usually the registry rather than the item
			s.tell(source.Fact{Kind: source.Register, Name: name, Of: registry, ID: id}, a)
		}
	}
}

// registry returns the function that a call registers something with, judged by its name. Before the main function,
// adding a named item to another package counts as well.
func (s *starter) registry(n *Node) (name string, adds bool) {
	switch n.Kind {
	case Index:
		return s.registry(n.X)
	case Name:
		if s.locals[n.Text] == nil && isVerb(n.Text, "register") {
			return n.Text, false
		}
	case Member:
		name = Dotted(n.X)
		first, _, nested := strings.Cut(name, ".")
		switch pkg := s.Imports[first]; {
		case name == "" || s.locals[first] != nil || nested && (!pkg || strings.Count(name, ".") > 1):
		case isVerb(n.Text, "register"):
			return name + "." + n.Text, false
		case s.initial && pkg && !nested && isVerb(n.Text, "add") && unicode.IsUpper(rune(n.Text[0])):
			return name + "." + n.Text, true
		}
	}
	return "", false
}

// isVerb reports whether a name begins with a verb as a separate word: Register, MustRegister, registerAll, but not
// registered.
func isVerb(name, verb string) bool {
	if len(name) >= len("Must")+len(verb) && strings.EqualFold(name[:len("Must")], "must") {
		name = name[len("Must"):]
	}
	if len(name) < len(verb) || !strings.EqualFold(name[:len(verb)], verb) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(name[len(verb):])
	return len(name) == len(verb) || !unicode.IsLower(next)
}

// registered returns the type, function or variable that an argument names, and the name in its literal.
func (s *starter) registered(n *Node, depth int) (id, name string) {
	switch {
	case depth > longestName:
	case isLiteral(n):
		return s.named(n.Type), s.ownName(n)
	case n.Kind == Func && len(n.Body) == 1 && n.Body[0].Kind == Return && n.Body[0].X != nil && len(n.Body[0].Args) == 0 && n.Body[0].X.Kind != Func:
		id, _ = s.registered(n.Body[0].X, depth+1)
		return id, ""
	case n.Kind == Call && n.X.Is("new") && len(n.Args) == 1:
		return s.named(n.Args[0]), ""
	case n.Kind == Call:
		return s.named(n.X), ""
	case n.Kind == Name, n.Kind == Member:
		return s.named(n), ""
	}
	return "", ""
}

func (s *starter) named(n *Node) string {
	for left := longestName; n != nil && left > 0; left-- {
		switch {
		case n.Kind == Operator && n.Text == "*" && len(n.Args) == 1:
			n = n.Args[0]
			continue
		case n.Kind == Index, n.Kind == Unknown:
			n = n.X
			continue
		case n.Kind == Name:
			if b := s.file[n.Text]; b != nil && b.Text == "const" || s.locals[n.Text] != nil || s.Basic[n.Text] || s.Predeclared[n.Text] || s.Nothing[n.Text] {
				return ""
			}
			return n.Text
		case n.Kind == Member && n.X.Kind == Name && s.Imports[n.X.Text] && s.locals[n.X.Text] == nil:
			return Dotted(n)
		}
		break
	}
	return ""
}

func (s *starter) nameOf(n *Node) (string, bool) {
	text, ok := s.text(n)
	return text, ok && text != "" && len(text) <= longestRegistered
}

func (s *starter) ownName(literal *Node) string {
	found := ""
	for _, a := range literal.Args {
		if a.Kind != Bind || a.Args[0].Kind != Name || !s.NameFields[a.Key] {
			continue
		}
		text, ok := s.nameOf(a.X)
		if !ok || found != "" {
			return ""
		}
		found = text
	}
	return found
}

// naming records the name of a type whose method returns only that name.
func (s *starter) naming(n *Node) {
	typ, method, _ := strings.Cut(n.Text, ".")
	if len(n.Body) != 1 || n.Body[0].Kind != Return || n.Body[0].X == nil || len(n.Body[0].Args) > 0 || len(n.Args) > 0 || typ == "" {
		return
	}
	value := n.Body[0].X
	fact := source.Fact{Kind: source.Naming, ID: typ}
	if isLiteral(value) {
		fact.Name, fact.Of = s.ownName(value), s.named(value.Type)
	} else if s.NameFields[method] {
		fact.Name, _ = s.nameOf(value)
	}
	if fact.Name != "" {
		s.tell(fact, n)
	}
}
