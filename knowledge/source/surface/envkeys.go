package surface

import (
	"maps"
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

// typedKeys adds the keys in constants of a type whose methods read the key that their receiver holds:
// func (k Key) String() string { return viper.GetString(string(k)) }.
func (p *interpreter) typedKeys() {
	library, fallbacks := map[string]string{}, map[string]bool{} // by type, and by method
	for _, fn := range p.Body {
		if fn.Kind != Func || len(fn.Else) == 0 {
			continue
		}
		p.everywhere(func(c *Node) {
			if rule, ok := p.keyOf(c, fn.Else[0].Text); ok {
				typ, method, _ := cutLast(fn.Text)
				library[typ] = rule.Package
				fallbacks[method] = fallbacks[method] || rule.Part == Fallbacks
			}
		}, fn)
	}
	if len(library) == 0 {
		return
	}
	absent := map[string]absence{}
	p.everywhere(func(c *Node) {
		if c.Kind == Call && c.X.Kind == Member && fallbacks[c.X.Text] && c.X.X.Kind == Name && len(c.Args) == 1 {
			absent[c.X.X.Text] = p.absenceOf(c.Args[0])
		}
	}, p.Body...)
	for _, name := range slices.Sorted(maps.Keys(p.file)) {
		b := p.file[name]
		key, ok := p.text(b.X)
		if of := library[Dotted(b.Type)]; b.Text == "const" && of != "" && ok && key != "" {
			not := absent[name]
			p.tell(source.Fact{Kind: source.Config, ID: "*" + of, Of: source.Program}, b)
			p.tell(source.Fact{Kind: source.Config, Name: key, Of: "*" + of, Default: not.value, Usage: not.usage}, b)
			p.tell(source.Fact{Kind: source.Env, Name: key, Of: source.Keys + of, Default: not.value, Usage: not.usage, Help: "overrides the key " + key}, b)
		}
	}
}

// keyOf returns the rule of a call that reads the key in a variable, converted to a text, or gives it a default.
func (p *interpreter) keyOf(c *Node, variable string) (KeyRule, bool) {
	if c.Kind != Call || c.X.Kind != Member || len(c.Args) == 0 {
		return KeyRule{}, false
	}
	rule := p.Keys[c.X.Text]
	key := c.Args[0]
	converts := key.Kind == Call && key.X.Is(p.TextType) && len(key.Args) == 1 && key.Args[0].Is(variable)
	return rule, converts && (rule.Part == Gets || rule.Part == Fallbacks) && p.Imports[rule.Package] && strings.HasPrefix(Dotted(c.X), rule.Package+".")
}

// prefixed records the prefix of the variables of a type: env.ParseWithOptions(&config, env.Options{Prefix: "SHOP_"}).
func (p *interpreter) prefixed(n *Node) {
	if len(n.Args) == 0 || len(p.OptionsType) == 0 {
		return
	}
	callee, options := n.X, p.resolve(n.Args[len(n.Args)-1])
	given := n.Args[0]
	if callee.Kind == Index {
		callee, given = callee.X, callee.Args[0]
	}
	if options != nil && options.Kind == Operator && options.Text == "&" {
		options = options.Args[0]
	}
	if callee.Kind != Member || !isStruct(options) || options.Type == nil {
		return
	}
	var prefix string
	var ok bool
	switch Dotted(options.Type) {
	case Dotted(callee.X) + "." + p.OptionsType:
		prefix, ok = p.text(p.field(options, p.OptionsPrefix))
	case Dotted(callee.X) + "." + p.LookupType:
		if given = p.field(options, p.LookupTarget); given != nil {
			prefix, ok = p.lookedUp(p.field(options, p.LookupSource), mostNested)
		}
	}
	if !ok {
		return
	}
	if typ := p.structIn(given); typ != "" && len(p.tagged[typ]) < mostNested && !slices.Contains(p.tagged[typ], prefix) {
		p.tagged[typ] = append(p.tagged[typ], prefix)
	}
}

// lookedUp returns the prefix in envconfig.MultiLookuper(…, envconfig.PrefixLookuper("SHOP_", …)).
func (p *interpreter) lookedUp(n *Node, depth int) (prefix string, ok bool) {
	if n != nil && n.Kind == Name {
		n = p.resolve(n)
	}
	if n == nil || n.Kind != Call || depth == 0 {
		return "", false
	}
	if n.X.Kind == Member && n.X.Text == p.LookupPrefix && len(n.Args) > 0 {
		return p.text(n.Args[0])
	}
	for _, a := range n.Args {
		if prefix, ok := p.lookedUp(a, depth-1); ok {
			return prefix, true
		}
	}
	return "", false
}

// tagTypes reads the tags of the types of the file, with the prefixes that calls and outer types give them.
func (p *interpreter) tagTypes() {
	outer := map[string][]*Node{} // fields by their type, with the name of the outer type
	names := slices.Sorted(maps.Keys(p.classes))
	for _, name := range names {
		for _, f := range p.classes[name].Body {
			if inner := pointed(f.Type); inner != nil && inner.Kind == Name && inner.Text != name && p.classes[inner.Text] != nil {
				outer[inner.Text] = append(outer[inner.Text], &Node{Text: name, Key: tags(f).Get(p.TagPrefix)})
			}
		}
	}
	prefixes := maps.Clone(p.tagged)
	for range mostNested {
		prefixes = p.nestedPrefixes(names, outer, prefixes)
	}
	for _, name := range names {
		for _, prefix := range prefixes[name] {
			p.tagFields(p.classes[name].Body, prefix, 0)
		}
	}
}

// nestedPrefixes returns the prefixes of types with those of the types around them, or one empty prefix.
func (p *interpreter) nestedPrefixes(names []string, outer map[string][]*Node, prefixes map[string][]string) map[string][]string {
	nested := map[string][]string{}
	for _, name := range names {
		out := slices.Clone(p.tagged[name])
		for _, f := range outer[name] {
			for _, prefix := range prefixes[f.Text] {
				p.Steps(1 + len(prefix)/textOfStep)
				if prefix += f.Key; prefix != "" && len(out) <= mostNested && !slices.Contains(out, prefix) {
					out = append(out, prefix)
				}
			}
		}
		if nested[name] = out; len(out) == 0 {
			nested[name] = []string{""}
		}
	}
	return nested
}
