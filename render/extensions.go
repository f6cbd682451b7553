package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

func implementationsOf(k *survey.Module, list []source.Implementation) []node.Implementation {
	module := k.Module.Path
	var out []node.Implementation
	for _, i := range list {
		one := node.Implementation{Type: i.Type, Interface: i.Of.Name}
		if i.Of.Module != module {
			one.Module = i.Of.Module
		}
		out = append(out, one)
	}
	known, types := map[string]int{}, map[string]string{}
	for i, one := range out {
		known[one.Type+"."+lastElement(one.Interface)] = i
	}
	for i := range k.Declared {
		if d := &k.Declared[i]; d.Kind != source.Method {
			hold(types, lastElement(d.Name), d.Name)
		}
	}
	for i := range k.Declared { // Amount.<fmt::Display> is a trait that a type implements
		owner, trait, ok := strings.Cut(strings.TrimSuffix(k.Declared[i].Name, ">"), ".<")
		if owner = types[lastElement(owner)]; !ok || owner == "" || strings.HasPrefix(trait, "!") {
			continue
		}
		plain, _, _ := strings.Cut(trait, "<")
		plain = plain[strings.LastIndexByte(plain, ':')+1:]
		if at, declared := known[owner+"."+plain]; declared {
			out[at].Guard = k.Declared[i].Guard
			continue
		}
		out = append(out, node.Implementation{Type: owner, Interface: trait, Guard: k.Declared[i].Guard})
	}
	slices.SortStableFunc(out, func(a, b node.Implementation) int { return strings.Compare(a.Type, b.Type) })
	return out
}

// extensions holds the extension points of one module, its types' implementations, and its registrations.
type extensions struct {
	module     string
	Points     []point        `json:"points,omitempty"`
	Types      []implementer  `json:"types,omitempty"`
	Registries []point        `json:"registries,omitempty"`
	Given      []registration `json:"given,omitempty"`
	// Brings lists the modules that it imports only for their side effects.
	Brings []string `json:"brings,omitempty"`
	Stale  bool     `json:"stale,omitempty"` // from an earlier version
}

// point is a declaration that others implement or extend.
type point struct {
	sign
	Language string `json:"language"`
	Code     string `json:"code,omitempty"` // its declaration with its methods
	About    string `json:"about,omitempty"`
}

type implementer struct {
	sign
	Module    string `json:"module,omitempty"` // the module that declares the point, if it is another one
	Interface string `json:"interface"`
	// As lists the names that it is registered under.
	As []string `json:"as,omitempty"`
}

// sign names a declaration.
type sign struct {
	Name   string `json:"name"` // in its module
	Shown  string `json:"shown"`
	Typed  bool   `json:"typed,omitempty"` // Shown is the name that callers write, not one within the module
	File   string `json:"file,omitempty"`
	Anchor string `json:"anchor,omitempty"` // of its section
}

func (r registration) sign() sign { return sign{r.ID, r.Shown, r.Typed, r.In, r.Anchor} }

// extensionPart is the excerpt of a node for the extension points page. Examples, tests and stale nodes have none.
const extensionPart = "extensions"

// plainAnchors returns the anchors that are just a symbol's name: those of names that are unambiguous on the page.
func (p *page) plainAnchors() map[string]string {
	taken := map[string]int{}
	for _, heading := range []string{p.node.Module, "Overview", howItWorks, "Public API"} {
		taken[markdown.Slug(heading)]++
	}
	for _, e := range p.entries {
		taken[markdown.Slug(p.name(e.Symbol))]++
	}
	out := map[string]string{}
	for _, e := range p.entries {
		slug := markdown.Slug(p.name(e.Symbol))
		if taken[slug] == 1 && sameEverywhere(slug) && !strings.HasPrefix(slug, ownAnchor) && !e.Inside && p.hasSection(e) {
			out[e.Name] = slug
		}
	}
	return out
}

// pointBytes bounds the declaration of an interface, with its methods.
const pointBytes = 2 << 10

// declaredMethods returns a declaration with its methods, one per line if it does not list them: those that a
// subclass defines.
func declaredMethods(e *entry, language string) string {
	text := e.Signature
	if oneLine(text) || e.Kind != source.Interface {
		for _, m := range e.members {
			if m.owner != e.Name {
				continue
			}
			if source.TraitsOf(language).Virtual && !source.Abstract(declaredAs(m.Symbol)) {
				continue
			}
			if m.Kind == source.Method || m.Kind == source.Func {
				text += "\n    " + headline(m.Signature)
			}
		}
	}
	text, cut := opening(text, pointBytes, "\n")
	if cut {
		text += "\n…"
	}
	return text
}

const (
	// manyImplemented bounds the interfaces that the section of a type names.
	manyImplemented = 12
	// mostImplementers bounds the types that the extension points page lists for one interface.
	mostImplementers = 100
	// extensionBytes bounds the interfaces on that page, and the registrations, which may take half of it.
	extensionBytes = 44 << 10
)

func (p *page) implements(e *entry) string {
	var names []string
	at, _ := slices.BinarySearchFunc(p.node.Implements, e.Name, func(i node.Implementation, name string) int { return strings.Compare(i.Type, name) })
	for ; at < len(p.node.Implements) && p.node.Implements[at].Type == e.Name; at++ {
		i := p.node.Implements[at]
		name := markdown.Code(i.Interface)
		if i.Module != "" {
			name = markdown.Link(markdown.Code(label(p.graph, i.Module)+"."+i.Interface), p.pageLink(i.Module))
		}
		names = append(names, name+onlyWith(i.Guard))
	}
	if len(names) == 0 {
		return ""
	}
	return "Implements " + list(first(names, manyImplemented)) + "."
}

// implemented is an extension point with the types that implement it.
type implemented struct {
	point

	module string
	by     []implementer // Module is the type's module
	others int           // how many other modules have some
}

// leastImplementers is the minimum for a section: an interface with one implementation is a seam, not an extension
// point.
const leastImplementers = 2

// implementedPoints joins points and implementers, those that most other modules implement first.
func implementedPoints(all []extensions) []*implemented {
	byUse := map[source.Use]*implemented{}
	var out []*implemented
	for _, x := range all {
		for _, p := range x.Points {
			one := &implemented{point: p, module: x.module}
			byUse[source.Use{Module: x.module, Name: p.Name}] = one
			out = append(out, one)
		}
	}
	for _, x := range all {
		for _, t := range x.Types {
			of := byUse[source.Use{Module: cmp.Or(t.Module, x.module), Name: t.Interface}]
			if of == nil {
				continue
			}
			if n := len(of.by); x.module != of.module && (n == 0 || of.by[n-1].Module != x.module) {
				of.others++
			}
			t.Module = x.module
			of.by = append(of.by, t)
		}
	}
	for _, p := range out {
		slices.SortStableFunc(p.by, func(a, b implementer) int { return rankOf(forTests(a.Module)) - rankOf(forTests(b.Module)) })
	}
	out = slices.DeleteFunc(out, func(p *implemented) bool { return len(p.by) < leastImplementers })
	slices.SortStableFunc(out, func(a, b *implemented) int { return cmp.Or(b.others-a.others, strings.Compare(a.Shown, b.Shown)) })
	return out
}
