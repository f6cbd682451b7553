package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// implementationsOf is what the types of a module implement as its node has it.
func implementationsOf(module string, list []source.Implementation) []node.Implementation {
	var out []node.Implementation
	for _, i := range list {
		one := node.Implementation{Type: i.Type, Interface: i.Of.Name}
		if i.Of.Module != module {
			one.Module = i.Of.Module
		}
		out = append(out, one)
	}
	return out
}

// extensions is what one module declares for others to implement or to register with, what its types implement, and what it registers.
type extensions struct {
	module     string
	Points     []point        `json:"points,omitempty"`
	Types      []implementer  `json:"types,omitempty"`
	Registries []point        `json:"registries,omitempty"`
	Given      []registration `json:"given,omitempty"`
	// Brings are the modules that it imports for nothing but what they do when the program starts.
	Brings []string `json:"brings,omitempty"`
	Stale  bool     `json:"stale,omitempty"` // it is what could be read last
}

// point is a declaration that others implement or extend.
type point struct {
	Name     string `json:"name"`
	Shown    string `json:"shown"`
	Typed    bool   `json:"typed,omitempty"` // Shown is what callers type, and not a name within the module
	Language string `json:"language"`
	Code     string `json:"code,omitempty"` // its declaration with its methods
	About    string `json:"about,omitempty"`
	File     string `json:"file,omitempty"`
	Anchor   string `json:"anchor,omitempty"` // on the page that tells of it
}

// implementer is a type with what it implements.
type implementer struct {
	Name      string `json:"name"`
	Shown     string `json:"shown"`
	Typed     bool   `json:"typed,omitempty"`
	File      string `json:"file,omitempty"`
	Anchor    string `json:"anchor,omitempty"`
	Module    string `json:"module,omitempty"` // that declares the other one, where it is another one
	Interface string `json:"interface"`
	// As are the names that it is registered under.
	As []string `json:"as,omitempty"`
}

// sign is a declaration as pages of others name it.
type sign struct {
	name  string // in its module
	shown string
	typed bool // shown is what callers type, and not a name within the module
	// file declares it, and anchor is that of its section on the page that tells of it.
	file, anchor string
}

func (p point) sign() sign { return sign{p.Name, p.Shown, p.Typed, p.File, p.Anchor} }

func (t implementer) sign() sign { return sign{t.Name, t.Shown, t.Typed, t.File, t.Anchor} }

func (r registration) sign() sign { return sign{r.ID, r.Shown, r.Typed, r.In, r.Anchor} }

// extensionPart is the part of a node that the page of extension points rests on. Examples and tests have none, nor has what could
// not be read again.
const extensionPart = "extensions"

// plainAnchors are the anchors of sections on the page of a module that are nothing but the names of symbols: those of names that
// nothing else on the page could be taken for.
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

// pointBytes is how much of the declaration of an interface, with its methods, the page of extension points shows.
const pointBytes = 2 << 10

// declaredMethods is a declaration with the methods that it has. Where it does not list them itself, each stands in a line below it;
// of a class in C++ those that it has no body for.
func declaredMethods(e *entry, language string) string {
	text := e.Signature
	if oneLine(text) || e.Kind != source.Interface {
		for _, m := range e.members {
			if language == "c++" && !source.Abstract(declaredAs(m.Symbol)) {
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
	// manyImplemented is how many interfaces the section of a type names.
	manyImplemented = 12
	// mostImplementers is how many types the page of extension points lists of one interface.
	mostImplementers = 100
	// extensionBytes is the room for all interfaces on it and for what is registered, which may take half of it: where there are
	// many interfaces, it is what nothing else tells.
	extensionBytes = 44 << 10
)

// implements says what a type implements.
func (p *page) implements(e *entry) string {
	var names []string
	at, _ := slices.BinarySearchFunc(p.node.Implements, e.Name, func(i node.Implementation, name string) int { return strings.Compare(i.Type, name) })
	for ; at < len(p.node.Implements) && p.node.Implements[at].Type == e.Name; at++ {
		i := p.node.Implements[at]
		name := markdown.Code(i.Interface)
		if i.Module != "" {
			name = markdown.Link(markdown.Code(label(p.graph, i.Module)+"."+i.Interface), p.config.pageLink(p.path, p.graph, i.Module))
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	if len(names) > manyImplemented {
		names = append(names[:manyImplemented], "others")
	}
	return "Implements " + list(names) + "."
}

// implemented is an extension point with the types that implement it, by their modules.
type implemented struct {
	point

	module string
	by     []implementer // Module is where each stands
	others int           // how many other modules have some
}

// leastImplementers is how many types make an interface worth a section: one is a type with a seam, and nothing that others extend.
const leastImplementers = 2

// implementedPoints brings points and implementers together, those first that most other modules implement.
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
