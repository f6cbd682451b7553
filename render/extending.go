package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// plugs reports whether the extensions of a module count.
func plugs(n *node.Node) bool {
	return isProduct(Summary{Path: n.Path, Kind: n.Kind}) && !doubles.MatchString(n.Path)
}

// doubles matches directories of test doubles, isDouble types and files of them.
var (
	doubles  = lazyregexp.New(`(?:^|/)(?:__)?(?:mocks?|fakes?)(?:__)?(?:/|$)`)
	isDouble = lazyregexp.New(`^(?:[Mm]ock|[Ff]ake|[Ss]tub|[Ss]py)(?:[A-Z0-9_]|$)|[a-z0-9](?:Mock|Fake|Spy)$|(?:^|[_.-])(?:mock|fake)s?[_.]`)
)

// encodeExtensions returns the text that readExtensions reads, empty without extensions.
func encodeExtensions(x extensions) string {
	if len(x.Points)+len(x.Types)+len(x.Registries)+len(x.Given)+len(x.Brings) == 0 {
		return ""
	}
	return string(mustJSON(x))
}

// extensionsIn returns the extension points of a node.
func extensionsIn(n *node.Node) extensions {
	x := extensions{module: n.Path}
	if !plugs(n) {
		return x
	}
	p := &page{outline: newOutline(n, undivided), entries: entries(n.PublicAPI), part: -1}
	named := make(map[string]point, len(p.entries))
	anchors := p.plainAnchors()
	for _, e := range p.entries {
		one := point{sign: sign{e.Name, p.name(e.Symbol), len(e.As) > 0, e.File, anchors[e.Name]}}
		named[e.Name] = one
		extendable := p.extendable(e)
		if !extendable && !mayRegister(e) {
			continue
		}
		one.Language = p.languageOf(e.Symbol)
		one.About = markdown.Summary(node.Opening(e.Doc), p.markupOf(e.Symbol))
		if !extendable {
			x.Registries = append(x.Registries, one)
			continue
		}
		one.Code = declaredMethods(e, one.Language)
		x.Points = append(x.Points, one)
	}
	x.give(n, named)
	x.Stale = n.Stale != ""
	return x
}

// give adds the extensions that a node's module adds to others. named are the declarations that the node lists.
func (x *extensions) give(n *node.Node, named map[string]point) {
	called := func(name string) sign { // an unlisted declaration has only its name
		return cmp.Or(named[name].sign, sign{Name: name, Shown: name})
	}
	as := map[string][]string{}
	for _, b := range n.Behaviour {
		if b.Kind != source.Register {
			continue
		}
		what := called(b.ID)
		x.Given = append(x.Given, registration{
			Of: b.Of, Name: b.Name, ID: b.ID, Shown: what.Shown, Typed: what.Typed, In: what.File, Anchor: what.Anchor,
			File: canonical.Path(b.File), At: b.At, Line: b.Line, Guard: b.Guard,
		})
		if b.Name != "" {
			as[b.ID] = append(as[b.ID], b.Name)
		}
	}
	for _, i := range n.Implements {
		what := called(i.Type)
		if isDouble.MatchString(lastElement(i.Type)) || isDouble.MatchString(what.File) {
			continue
		}
		x.Types = append(x.Types, implementer{
			sign: what, Module: canonical.Path(i.Module), Interface: i.Interface, As: as[i.Type],
		})
	}
	for _, m := range n.Brings {
		x.Brings = append(x.Brings, canonical.Path(m))
	}
}

// extendable reports whether a type is meant for others to implement or extend.
func (p *page) extendable(e *entry) bool {
	language := p.languageOf(e.Symbol)
	if e.Kind == source.Class && failure.MatchString(e.Name) {
		return false // a class of errors
	}
	return source.Extendable(language, declaredAs(e.Symbol)) ||
		slices.ContainsFunc(e.members, func(m *entry) bool {
			return m.owner == e.Name && source.Abstract(declaredAs(m.Symbol))
		})
}

var failure = lazyregexp.New(`(?:Error|Exception)$`)

// declaredAs converts a symbol for the language rules.
func declaredAs(s *node.Symbol) *source.Symbol {
	return &source.Symbol{Name: s.Name, Kind: s.Kind, Signature: s.Signature, Type: s.Type}
}

func readExtensions(module, text string) (extensions, error) {
	x := extensions{module: module}
	err := json.Unmarshal([]byte(text), &x)
	parse := func(name *string) {
		if err == nil && *name != "" {
			*name, err = canonical.ParsePath(*name)
		}
	}
	for i := range x.Types {
		parse(&x.Types[i].Module)
	}
	for i := range x.Given {
		parse(&x.Given[i].File)
	}
	for i := range x.Brings {
		parse(&x.Brings[i])
	}
	if err != nil {
		return extensions{}, fmt.Errorf("extension points of %s: %w", module, err)
	}
	return x, nil
}
