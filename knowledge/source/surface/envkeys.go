package surface

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// variables reads calls on a value that has the configuration: prefixes, bound variables, defaults of keys.
func (p *interpreter) variables(n *Node) {
	if n.X.Kind != Member || len(p.Keys) == 0 {
		return
	}
	rule, ok := p.Keys[n.X.Text]
	if !ok || len(n.Args) < rule.Least || rule.Most > 0 && len(n.Args) > rule.Most || rule.Package != "" && !p.Imports[rule.Package] {
		return
	}
	owner := Dotted(n.X.X)
	switch rule.Part {
	case Prefixes:
		p.prefixes[owner], _ = p.text(n.Args[0])
	case Automatic:
		if owner != "" {
			p.env.auto = append(p.env.auto, n)
		}
	case Named:
		if prefix, ok := p.text(n.Args[0]); ok && IsVariable(prefix) {
			p.tell(source.Fact{Kind: source.Env, Name: prefix + "*", Help: "overrides keys of the configuration"}, n)
		}
	case Binds:
		p.env.bound = append(p.env.bound, n)
	case Replaces:
		p.env.replaced[owner] = p.replacer(n.Args[0])
	case Fallbacks, Gets, Fixes:
		name, ok := p.text(n.Args[0])
		if !ok || rule.Owner != "" && owner != rule.Package && p.typeOf(n.X.X) != rule.Owner {
			return
		}
		not, of := absence{}, "*"+rule.Package
		if rule.Part == Fallbacks {
			not = p.absenceOf(n.Args[1])
			p.tell(source.Fact{Kind: source.Config, ID: of, Of: source.Program}, n)
			p.tell(source.Fact{Kind: source.Config, Name: name, Of: of, Default: not.value, Usage: not.usage}, n)
		}
		switch {
		case rule.Part != Fixes:
			p.tell(source.Fact{Kind: source.Env, Name: name, Of: source.Keys + rule.Package, Default: not.value, Usage: not.usage, Help: "overrides the key " + name}, n)
		case p.branch == 0 && len(n.Args) > 1:
			if _, text := p.text(n.Args[1]); text || n.Args[1].Kind == Number || n.Args[1].Is("true") || n.Args[1].Is("false") {
				p.env.fixed[name] = true
			}
		}
	}
}

// replacer returns the texts that an expression replaces, and source.Snake if a function of the file separates words.
func (p *interpreter) replacer(n *Node) string {
	var pairs []string
	for _, a := range n.Args {
		text, ok := p.text(a)
		if !ok || n.Kind != Call || text == "" || strings.Contains(text, " ") {
			pairs = nil
			break
		}
		pairs = append(pairs, text)
	}
	if len(pairs) > 0 && len(pairs)%2 == 0 {
		return strings.Join(pairs, " ")
	}
	found := source.Unknown
	search := func(c *Node) {
		if c.Kind == Call && p.Snakes[Dotted(c.X)] {
			found = source.Snake
		}
	}
	p.everywhere(func(c *Node) {
		for _, f := range p.Body {
			if f.Kind == Func && c.Kind == Call && c.X.Is(f.Text) {
				p.everywhere(search, f)
			}
		}
		search(c)
	}, n)
	return found
}

// finish adds the variables that depend on prefixes, and the lists named after variables.
func (e *environment) finish(p *interpreter) {
	p.facts = slices.DeleteFunc(p.facts, func(f source.Fact) bool { return strings.HasPrefix(f.Of, source.Keys) && e.fixed[f.Name] })
	help := "overrides keys of the configuration"
	if p.Bound != "" && strings.Contains(p.Src, "."+p.Bound) {
		help = "overrides flags and keys of the configuration"
	}
	for _, n := range e.auto {
		owner, of := Dotted(n.X.X), source.Unknown
		if prefix := strings.ToUpper(p.prefixes[owner]); prefix != "" {
			of = prefix + "_" + of
			p.tell(source.Fact{Kind: source.Env, Name: of, Help: help}, n)
		}
		if rule := p.Keys[n.X.Text]; p.Imports[rule.Package] && e.replaced[owner] != source.Unknown {
			p.tell(source.Fact{Kind: source.Reads, ID: source.Keys + rule.Package, Name: of, Value: e.replaced[owner]}, n)
		}
	}
	p.typedKeys()
	for _, n := range e.bound {
		p.binds(n, p.prefixes[Dotted(n.X.X)])
	}
	p.locals = map[string]*holding{}
	for name, b := range p.file {
		if isTable(b.X) && name != "_" && b.Text != "const" {
			p.listed(b.X, source.Listed+name, 1)
		}
	}
}

// binds adds the variables that a call binds to a key: named ones, or one derived from the key.
func (p *interpreter) binds(n *Node, prefix string) {
	key, ok := p.text(n.Args[0])
	if len(n.Args) == 1 && ok {
		name := key
		if prefix != "" {
			name = prefix + "_" + key
		}
		if replaced := p.env.replaced[Dotted(n.X.X)]; replaced != source.Unknown {
			p.tell(source.Fact{Kind: source.Env, Name: source.KeyVariable(name, replaced), Help: "overrides the key " + key}, n)
		}
		return
	}
	for _, a := range n.Args[1:] {
		p.tell(source.Fact{Kind: source.Env, Name: p.spelled(a), Help: "overrides the key " + key}, n)
	}
}
