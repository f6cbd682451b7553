package surface

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// startup holds what functions of the file register, and call, without a condition. Only what runs at program start counts:
// variables, initial functions, the main function, and the functions of the file that these call.
type startup struct {
	registered map[string][]registration
	calls      map[string][]string
}

type registration struct {
	source.Fact

	adds bool // counts only before the main function
}

// registrations adds the file's registrations, and the names that its types declare for themselves.
func (p *interpreter) registrations() {
	entered := map[string]bool{}
	p.reached("", true, entered)
	for _, n := range p.Body {
		switch {
		case n.Kind != Func:
		case len(n.Else) > 0 || strings.Contains(n.Text, "."):
			p.naming(n)
		case n.Text == p.Initial, n.Text == p.Main && p.Package == p.Main:
			p.reached(n.Text, n.Text == p.Initial, entered)
		}
	}
}

// mostEntered bounds the functions reached from program start, because each may call the next.
const mostEntered = 64

func (p *interpreter) reached(function string, initial bool, entered map[string]bool) {
	if entered[function] || len(entered) > mostEntered {
		return
	}
	entered[function] = true
	for _, r := range p.starting.registered[function] {
		if initial || !r.adds {
			p.tell(r.Fact, &Node{Line: int32(r.Line)})
		}
	}
	for _, called := range p.starting.calls[function] {
		p.reached(called, initial, entered)
	}
}

// starts records the registrations of an unconditional call, or the function that it calls.
func (p *interpreter) starts(n *Node) {
	if p.branch > 0 {
		return
	}
	if n.X.Kind == Name && p.locals[n.X.Text] == nil {
		p.starting.calls[p.function] = append(p.starting.calls[p.function], n.X.Text)
	}
	registry, adds := p.registry(n.X)
	if registry == "" || len(n.Args) == 0 {
		return
	}
	register := func(name, id string, at *Node) {
		fact := source.Fact{Kind: source.Register, Name: name, Of: registry, ID: id, Line: int(at.Line)}
		p.starting.registered[p.function] = append(p.starting.registered[p.function], registration{fact, adds})
	}
	if name, ok := p.nameOf(n.Args[0]); ok {
		what := ""
		for _, a := range n.Args[1:] {
			if id, _ := p.registered(a, 0); what == "" {
				what = id
			}
		}
		if !adds || what != "" {
			register(name, what, n)
		}
		return
	}
	for _, a := range n.Args {
		id, name := p.registered(a, 0)
		if name != "" {
			id = "" // an option of the registration, not the item
		}
		if !adds && id+name != "" && a.Kind != Member { // a member is usually the registry rather than the item
			register(name, id, a)
		}
	}
}

// registry returns the function that a call registers something with, judged by its name; adds for one that adds a named
// item to another package.
func (p *interpreter) registry(n *Node) (name string, adds bool) {
	switch n.Kind {
	case Index:
		return p.registry(n.X)
	case Name:
		if p.locals[n.Text] == nil && isVerb(n.Text, "register") {
			return n.Text, false
		}
	case Member:
		name = Dotted(n.X)
		first, _, nested := strings.Cut(name, ".")
		switch pkg := p.Imports[first]; {
		case name == "" || p.locals[first] != nil || nested && (!pkg || strings.Count(name, ".") > 1):
		case isVerb(n.Text, "register"):
			return name + "." + n.Text, false
		case pkg && !nested && isVerb(n.Text, "add") && unicode.IsUpper(rune(n.Text[0])):
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

// isPredicate reports whether a variable has the name of a condition: hasPassword.
func isPredicate(name string) bool {
	return slices.ContainsFunc([]string{"has", "is", "should", "can"}, func(verb string) bool { return isVerb(name, verb) })
}

// isScalar reports whether a value is a literal text, number or truth value.
func isScalar(n *Node) bool {
	return n.Kind == Text || n.Kind == Number || strings.EqualFold(n.Text, "true") || strings.EqualFold(n.Text, "false")
}

// registered returns the type, function or variable that an argument names, and the name in its literal.
func (p *interpreter) registered(n *Node, depth int) (id, name string) {
	switch {
	case depth > longestName:
	case isLiteral(n):
		return p.named(n.Type), p.ownName(n)
	case n.Kind == Func && len(n.Body) == 1 && n.Body[0].Kind == Return && n.Body[0].X != nil && len(n.Body[0].Args) == 0 && n.Body[0].X.Kind != Func:
		id, _ = p.registered(n.Body[0].X, depth+1)
		return id, ""
	case n.Kind == Call && n.X.Is("new") && len(n.Args) == 1:
		return p.named(n.Args[0]), ""
	case n.Kind == Call:
		return p.named(n.X), ""
	case n.Kind == Name, n.Kind == Member:
		return p.named(n), ""
	}
	return "", ""
}

// named returns the name of a type, a function or a variable that is neither a constant nor local.
func (p *interpreter) named(n *Node) string {
	switch n = plain(n); {
	case n == nil:
	case n.Kind == Name:
		if b := p.file[n.Text]; b != nil && b.Text == "const" || p.locals[n.Text] != nil || p.Basic[n.Text] || p.Predeclared[n.Text] || p.Nothing[n.Text] {
			return ""
		}
		return n.Text
	case n.Kind == Member && n.X.Kind == Name && p.Imports[n.X.Text] && p.locals[n.X.Text] == nil:
		return Dotted(n)
	}
	return ""
}

func (p *interpreter) nameOf(n *Node) (string, bool) {
	text, ok := p.text(n)
	return text, ok && text != "" && len(text) <= longestRegistered
}

func (p *interpreter) ownName(literal *Node) string {
	found := ""
	for _, a := range literal.Args {
		if a.Kind != Bind || a.Args[0].Kind != Name || !p.NameFields[a.Key] {
			continue
		}
		text, ok := p.nameOf(a.X)
		if !ok || found != "" {
			return ""
		}
		found = text
	}
	return found
}

// naming records the name of a type whose method returns only that name.
func (p *interpreter) naming(n *Node) {
	typ, method, _ := strings.Cut(n.Text, ".")
	if len(n.Body) != 1 || n.Body[0].Kind != Return || n.Body[0].X == nil || len(n.Body[0].Args) > 0 || len(n.Args) > 0 || typ == "" {
		return
	}
	value := n.Body[0].X
	fact := source.Fact{Kind: source.Naming, ID: typ}
	if isLiteral(value) {
		fact.Name, fact.Of = p.ownName(value), p.named(value.Type)
	} else if p.NameFields[method] {
		fact.Name, _ = p.nameOf(value)
	}
	if fact.Name != "" {
		p.tell(fact, n)
	}
}
