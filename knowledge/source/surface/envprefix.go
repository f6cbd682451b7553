package surface

import (
	"maps"
	"slices"
)

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
