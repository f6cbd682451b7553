package surface

import (
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

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
