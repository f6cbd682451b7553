package render

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

// extensionsPageOf returns the generated part of the extension points page.
func extensionsPageOf(c Config, g *factGraph) string {
	all := excerptsOf(&g.facts, g.paths(), extensionPart, readExtensions)
	entries := entryPointsOf(&g.facts)
	if providers := providersOf(&g.facts); len(providers) > 0 {
		all = provide(all, newClasses(&g.facts, g.paths()), providers)
	}
	return renderExtensions(c, g, all, entries)
}

// renderExtensions returns the extension points page, empty without any.
func renderExtensions(c Config, g *factGraph, all []extensions, entries []packageEntry) string {
	points, registries := implementedPoints(all), registriesOf(all)
	if len(points)+len(registries)+len(entries) == 0 {
		return ""
	}
	var stale []string
	for _, x := range all {
		if x.Stale {
			stale = append(stale, markdown.Code(canonical.Path(x.module)))
		}
	}
	p := &operatorPage{sheet: newSheet(c, g, c.Layout.Overview(extensionPage))}
	p.front("Extension points", "Extension points", "Interfaces of the code with their implementations, and registries with their entries. Test doubles are left out.", stale)
	p.b.WriteString(p.atAGlance(points, registries))
	filled := append(p.registries(registries), p.entryPoints(g.paths(), entries)...)
	if len(filled) > 0 {
		filled[0] = "## Registries\n\nEntries that the code registers at start or at installation.\n\n" + filled[0]
	}
	filled, moreFilled := few(append(filled, p.brought(all)), extensionBytes/2)
	var sections []string
	for _, x := range points {
		sections = append(sections, p.extension(x))
	}
	shown, more := few(sections, extensionBytes-lengths(filled))
	p.b.WriteString(strings.Join(append(shown, filled...), ""))
	if more+moreFilled > 0 {
		p.b.WriteString("More are listed on the module pages.\n")
	}
	return p.text()
}

func (p *operatorPage) extension(x *implemented) string {
	text := "## " + p.symbolLink(x.module, x.sign) + paragraph
	if x.About != "" {
		text += x.About + paragraph
	}
	text += markdown.Fence(x.Language, x.Code) + paragraph + "Implemented by:\n\n"
	for i, t := range x.by {
		if i == mostImplementers {
			text += "- others\n"
			break
		}
		text += "- " + p.symbolLink(t.Module, t.sign)
		if len(t.As) > 0 {
			text += ", registered as " + registeredAs(t.As)
		}
		text += "\n"
	}
	return text + "\n"
}

// symbolLink names a symbol as callers write it, or by its module, and links to its documentation.
func (p *operatorPage) symbolLink(module string, s sign) string {
	to := p.symbolPage(source.Use{Module: module, Name: s.Name}, s.File, s.Anchor)
	name := s.Shown
	if !s.Typed {
		name = qualified(p.graph, module) + "." + name
	}
	return markdown.Link(markdown.Code(name), to)
}

// qualified returns the qualifier of a module's names: its path, or the package.
func qualified(g graph, module string) string {
	for _, t := range source.AllTraits() {
		if _, inside, ok := strings.Cut("/"+module, "/"+t.Root+"/"); ok && inside != "" && t.Root != "" {
			return canonical.Path(strings.ReplaceAll(inside, "/", "."))
		}
	}
	return label(g, module)
}
