package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/markdown"
)

// entry is a symbol with the members that belong to it.
type entry struct {
	node.Symbol
	members []node.Symbol
	slug    string
}

// entries groups members under their types. A member whose type is not listed stands by itself.
func entries(api []node.Symbol) []*entry {
	owners := map[string]*entry{}
	var out []*entry
	for _, s := range api {
		if owner := ownerOf(owners, s.Name); owner != nil {
			owner.members = append(owner.members, s)
			continue
		}
		e := &entry{Symbol: s}
		out = append(out, e)
		if holdsMembers[s.Kind] {
			owners[s.Name] = e
		}
	}
	return out
}

var holdsMembers = map[source.Kind]bool{
	source.Type: true, source.Struct: true, source.Class: true, source.Interface: true, source.Trait: true, source.Enum: true,
	source.Record: true, source.Union: true,
}

func ownerOf(owners map[string]*entry, name string) *entry {
	for {
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return nil
		}
		name = name[:i]
		if e := owners[name]; e != nil {
			return e
		}
	}
}

func (p *page) api() {
	list := entries(p.node.PublicAPI)
	if len(list) == 0 {
		return
	}
	p.heading(2, "Public API")
	slices.SortStableFunc(list, func(a, b *entry) int { return groupRank(a) - groupRank(b) })
	shown := list[:min(len(list), manySymbols)]
	for _, e := range shown {
		if p.hasSection(e) {
			e.slug = p.slugs.Slug(e.Name)
		}
	}
	for start := 0; start < len(shown); {
		end := start + 1
		for end < len(shown) && groupRank(shown[end]) == groupRank(shown[start]) {
			end++
		}
		p.table(groups[groupRank(shown[start])], shown[start:end])
		start = end
	}
	if more := len(list) - len(shown); more > 0 {
		p.line("%d more are in %s.", more, markdown.Link("the knowledge node", relative(p.path(), p.config.Layout.Node(p.node.Path))))
	}
	for _, e := range shown {
		if p.hasSection(e) {
			p.symbol(e)
		}
	}
}

// groups are the parts of an API, in the order in which readers look for them.
var groups = []group{
	{"type", []source.Kind{
		source.Type, source.Struct, source.Class, source.Interface, source.Trait, source.Enum, source.Record, source.Union, source.Namespace,
	}},
	{"function", []source.Kind{source.Func, source.Method}},
	{"constant", []source.Kind{source.Const}},
	{"variable", []source.Kind{source.Var, source.Field}},
	{"macro", []source.Kind{source.Macro}},
	{"re-export", []source.Kind{source.Reexport}},
}

type group struct {
	noun  string
	kinds []source.Kind
}

func groupRank(e *entry) int {
	return slices.IndexFunc(groups, func(g group) bool { return slices.Contains(g.kinds, e.Kind) })
}

// manyValues is how many constants, variables or macros a page shows without being asked to unfold them.
const manyValues = 30

// table lists one group of symbols. A long list of values is folded: who looks for one of them searches.
func (p *page) table(g group, list []*entry) {
	var b strings.Builder
	b.WriteString("| " + upper(g.noun) + " | What it is |\n|---|---|\n")
	for _, e := range list {
		b.WriteString("| " + p.symbolCell(e) + " | " + p.aboutCell(e.Symbol) + " |\n")
	}
	if len(list) > manyValues && g.noun != "type" && g.noun != "function" {
		p.line("<details><summary>%s</summary>\n\n%s\n</details>", count(len(list), g.noun), b.String())
		return
	}
	p.b.WriteString(b.String() + "\n")
}

// hasSection tells whether a symbol gets a section of its own. A value whose one line says it all does not.
func (p *page) hasSection(e *entry) bool {
	switch {
	case e.Kind == source.Reexport || p.detail == tableOnly:
		return false
	case e.Kind == source.Const, e.Kind == source.Var, e.Kind == source.Field, e.Kind == source.Macro:
		return strings.Contains(strings.TrimSpace(e.Doc), "\n\n") && p.detail == everything
	}
	return true
}

func (p *page) symbolCell(e *entry) string {
	code := markdown.Cell(markdown.Code(e.Name))
	if p.detail == tableOnly && (e.Kind == source.Func || e.Kind == source.Method) {
		first, _, _ := strings.Cut(e.Signature, "\n")
		code = markdown.Cell(markdown.Code(shorten(first)))
	}
	switch {
	case e.slug != "":
		return "[" + code + "](#" + e.slug + ")"
	default:
		return markdown.Link(code, p.sourceLink(e.Symbol))
	}
}

// aboutCell is the first sentence of a symbol's documentation, and a constant's value.
func (p *page) aboutCell(s node.Symbol) string {
	text := markdown.Summary(s.Doc, p.languageOf(s))
	if s.Deprecated != "" {
		text = strings.TrimSpace("**Deprecated.** " + text)
	}
	if _, value, ok := strings.Cut(s.Signature, " = "); ok && s.Kind == source.Const && !strings.Contains(value, "\n") {
		text = strings.TrimSpace(text + " " + markdown.Code(strings.TrimSuffix(value, ";")))
	}
	if s.Kind == source.Reexport {
		text = strings.TrimSpace(text + " passed on from " + markdown.Code(s.Signature))
	}
	if text == "" {
		text = "*not documented*"
	}
	if len(s.Aliases) > 0 {
		names := make([]string, len(s.Aliases))
		for i, a := range s.Aliases {
			names[i] = markdown.Code(a)
		}
		text += " Also as " + strings.Join(names, ", ") + "."
	}
	return markdown.Cell(text)
}

// languageOf is the language of the file that a symbol stands in.
func (p *page) languageOf(s node.Symbol) string {
	name := path.Join(p.node.Path, s.File)
	for _, f := range p.node.Sources {
		if f.Path == name && f.Language != "" {
			return f.Language
		}
	}
	return p.node.Language
}

func (p *page) sourceLink(s node.Symbol) string {
	return p.config.fileLink(p.path(), path.Join(p.node.Path, s.File), s.At, s.Lines)
}

func (p *page) symbol(e *entry) {
	p.line("### %s", markdown.Code(e.Name))
	language := p.languageOf(e.Symbol)
	p.line("%s", markdown.Fence(language, e.Signature))
	if e.Deprecated != "" {
		p.line("**Deprecated.** %s", markdown.Escape(e.Deprecated))
	}
	doc := ""
	if p.detail > everything {
		doc = markdown.Summary(e.Doc, language)
	} else {
		doc = markdown.Text(e.Doc, language)
	}
	if doc == "" {
		doc = "*Not documented.*"
	}
	p.line("%s", doc)
	p.line("%s", markdown.Link("Source", p.sourceLink(e.Symbol)))
	if p.detail == everything {
		for _, x := range p.node.Examples {
			if x.Symbol == e.Name && x.Code != "" {
				p.example(x)
			}
		}
	}
	p.members(e)
}

func (p *page) members(e *entry) {
	if e.Kind == source.Interface && strings.Contains(e.Signature, "\n") {
		// the signature lists them already: only what is said of them is news
		e.members = slices.DeleteFunc(slices.Clone(e.members), func(m node.Symbol) bool { return m.Doc == "" })
	}
	if len(e.members) == 0 {
		return
	}
	p.b.WriteString(fmt.Sprintf("<details><summary>%s</summary>\n\n| Member | |\n|---|---|\n", count(len(e.members), "member")))
	for _, m := range e.members {
		signature := m.Signature
		if first, _, more := strings.Cut(signature, "\n"); more {
			signature = first + " …"
		}
		p.b.WriteString("| " + markdown.Cell(markdown.Link(markdown.Code(shorten(signature)), p.sourceLink(m))) + " | " + p.aboutCell(m) + " |\n")
	}
	p.b.WriteString("\n</details>\n\n")
}

// shorten keeps a signature that stands in a table to a length that can be read there.
func shorten(s string) string {
	r := []rune(s)
	if len(r) <= 160 {
		return s
	}
	return string(r[:159]) + "…"
}
