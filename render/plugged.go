package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// pluggedPart names the excerpt of a node with its implementations and registrations for one module.
func pluggedPart(module string) string { return "extends:" + canonical.Path(module) }

// pluggedParts returns the excerpts for each module that the node extends. They have no positions.
func pluggedParts(x extensions) map[string]string {
	parts := map[string]*extensions{}
	of := func(module string) *extensions {
		if parts[module] == nil {
			parts[module] = &extensions{}
		}
		return parts[module]
	}
	for _, t := range x.Types {
		if t.Module != "" {
			part := of(t.Module)
			part.Types = append(part.Types, t)
		}
	}
	for _, g := range x.Given {
		if module, _, away := whose(x.module, g.Of); module != x.module && !away {
			g.At, g.Line, g.File, g.Guard = "", 0, "", ""
			part := of(canonical.Path(module))
			part.Given = append(part.Given, g)
		}
	}
	out := make(map[string]string, len(parts))
	for module, part := range parts {
		if p, err := canonical.ParsePath(module); err == nil {
			out[pluggedPart(p)] = encodeExtensions(*part)
		}
	}
	return out
}

// plugged holds the extensions of a module's declarations: implementing types and registrations.
type plugged struct {
	by    map[string][]implementer
	given map[string][]placed
}

// plug computes the extensions of the page's module.
func (p *page) plug() *plugged {
	if p.added != nil {
		return p.added
	}
	p.added = &plugged{map[string][]implementer{}, map[string][]placed{}}
	own := p.extensions()
	if len(own.Points)+len(own.Registries) == 0 {
		return p.added
	}
	for _, x := range append([]extensions{own}, p.graph.Plugged(p.node.Path)...) {
		for _, t := range x.Types {
			if cmp.Or(t.Module, x.module) == p.node.Path {
				t.Module = x.module
				p.added.by[t.Interface] = append(p.added.by[t.Interface], t)
			}
		}
		for _, g := range x.Given {
			if module, name, away := whose(x.module, g.Of); module == p.node.Path && !away {
				p.added.given[name] = append(p.added.given[name], placed{g, x.module})
			}
		}
	}
	for _, list := range p.added.by {
		slices.SortStableFunc(list, func(a, b implementer) int { return rankOf(forTests(a.Module)) - rankOf(forTests(b.Module)) })
	}
	return p.added
}

// manyPlugged bounds the extensions that a symbol's section names: the extension points page has the rest.
const manyPlugged = 5

func (p *page) implementedBy(e *entry) string {
	if !p.extendable(e) {
		return ""
	}
	var names []string
	for _, t := range p.plug().by[e.Name] {
		name := p.pluggedLink(t.Module, t.sign)
		if len(t.As) > 0 {
			name += " (as " + registeredAs(t.As) + ")"
		}
		names = append(names, name)
	}
	return p.tell("Implemented by ", names)
}

func (p *page) registeredHere(e *entry) string {
	if !mayRegister(e) {
		return ""
	}
	given := p.plug().given[e.Name]
	var names []string
	for _, g := range given {
		if g.Name != "" {
			names = append(names, g.Name)
		}
	}
	if len(names) > 0 {
		return fmt.Sprintf("Registered with it: %s. All of them: %s.", registeredAs(names), p.extensionsLink())
	}
	for _, g := range given {
		names = append(names, p.pluggedLink(g.module, g.sign()))
	}
	return p.tell("Registered with it: ", names)
}

func (p *page) registeredUnder(e *entry) string {
	if names := p.registered()[e.Name]; len(names) > 0 {
		return "Registered as " + registeredAs(names) + "."
	}
	return ""
}

// registeredBy returns the names under which each declaration of a module is registered.
func registeredBy(n *node.Node) map[string][]string {
	names := map[string][]string{}
	for _, b := range n.Behaviour {
		if b.Kind == source.Register && b.Name != "" && plugs(n) {
			names[b.ID] = append(names[b.ID], b.Name)
		}
	}
	return names
}

// tell names some things, and links to the page with the others.
func (p *page) tell(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	text := what + list(first(names, manyPlugged)) + "."
	if len(names) > manyPlugged {
		text += " All of them: " + p.extensionsLink() + "."
	}
	return text
}

func (p *page) extensionsLink() string {
	return markdown.Link("extension points", p.to(p.config.Layout.Overview(extensionPage)))
}

// pluggedLink names a symbol of any module as callers write it, or by its module.
func (p *page) pluggedLink(module string, s sign) string {
	name := s.Shown
	if module == p.node.Path && s.Anchor == "" {
		return markdown.Code(name)
	}
	if module != p.node.Path && !s.Typed {
		name = qualified(p.graph, module) + "." + name
	}
	to := p.symbolPage(source.Use{Module: module, Name: s.Name}, s.File, s.Anchor)
	if here, found := strings.CutPrefix(to, p.to(p.path)+"#"); found {
		to = "#" + here
	}
	return markdown.Link(markdown.Code(name), to)
}

// manyNames bounds the registered names in a sentence.
const manyNames = 4

// registeredAs lists registered names, many of them by common prefix.
func registeredAs(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > manyNames {
		names = families(names)
	}
	return list(first(coded(names), manyNames))
}

// families groups names by common prefix: http.handlers.* stands for all that begin with it. The largest group is
// first.
func families(names []string) []string {
	size := map[string]int{}
	of := func(n string) string {
		if at := strings.LastIndexAny(n, "./:"); at > 0 {
			return n[:at+1] + "*"
		}
		return n
	}
	for _, n := range names {
		size[of(n)]++
	}
	var out []string
	told := map[string]bool{}
	for _, n := range names {
		f := of(n)
		if size[f] == 1 {
			f = n
		}
		if !told[f] {
			told[f] = true
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return size[b] - size[a] })
	return out
}

func (p *page) registers() {
	if !plugs(p.node) {
		return
	}
	named := make(map[string]*entry, len(p.entries))
	for _, e := range p.entries {
		named[e.Name] = e
	}
	var rows [][]string
	for _, b := range p.node.Behaviour {
		if b.Kind == source.Register {
			rows = append(rows, p.registration(b, named))
		}
	}
	if len(rows) == 0 {
		return
	}
	p.heading(2, "Registers")
	p.b.WriteString(bounded(listBytes, "More of them: see "+p.nodeLink()+"."+paragraph, []string{"Name", "What", "With", ""}, rows))
}

func (p *page) registration(b node.Behavior, named map[string]*entry) []string {
	lines := ""
	if b.Line > 0 {
		lines = fmt.Sprintf("%d-%d", b.Line, b.Line)
	}
	return []string{markdown.Code(b.Name), p.thing(b.ID, named), p.thing(b.Of, named), markdown.Link("source", p.wayTo(b.File, b.At, lines)) + onlyWith(b.Guard)}
}

// thing names a registered declaration or a registry.
func (p *page) thing(id string, named map[string]*entry) string {
	if id == "" {
		return ""
	}
	module, name, away := whose(p.node.Path, id)
	switch {
	case away:
		return markdown.Code(typedAway(module, name))
	case module != p.node.Path:
		return p.pluggedLink(module, sign{Name: name, Shown: shortRegistry(name), Typed: strings.Count(name, ".") > 1})
	}
	if e := named[name]; e != nil {
		return p.pluggedLink(module, sign{e.Name, p.name(e.Symbol), len(e.As) > 0, e.File, e.anchor})
	}
	return markdown.Code(name)
}
