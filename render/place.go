package render

import (
	"strings"

	"github.com/causaldocs/causal/render/markdown"
)

// neighbourhood says where the module stands: who uses it, what it uses, and what it takes from elsewhere.
func (p *page) neighbourhood() {
	n := p.node
	packages, standard := imports(n)
	if len(p.importers)+len(n.Dependencies)+len(packages)+len(standard) == 0 {
		return
	}
	p.heading(2, "Where it stands")
	if len(p.importers)+len(n.Dependencies) > 0 {
		p.line(neighbours(p.graph, n.Path, p.importers, n.Dependencies))
	}
	p.modules("Used by", p.importers)
	p.modules("Depends on", n.Dependencies)
	p.taken("From other packages", packages)
	p.taken("From the standard library", standard)
}

// manyModules is how many modules a sentence names before it is folded.
const manyModules = 40

func (p *page) modules(what string, modules []string) {
	if len(modules) == 0 {
		return
	}
	names := make([]string, 0, len(modules))
	for _, m := range modules {
		names = append(names, p.moduleLink(m))
	}
	text := sentence(names)
	if len(names) > manyModules {
		p.line(fold(what+" "+count(len(names), "module"), text))
		return
	}
	p.line("%s %s.", what, text)
}

// taken lists what is imported.
func (p *page) taken(what string, names []string) {
	if len(names) == 0 {
		return
	}
	codes := make([]string, 0, len(names))
	for _, e := range names {
		codes = append(codes, markdown.Code(e))
	}
	p.line("%s: %s.", what, sentence(codes))
}

// sentence joins the elements of a list, as many as there is room for.
func sentence(all []string) string {
	shown, more := few(all, listBytes)
	text := strings.Join(shown, ", ")
	if more > 0 {
		text += " and " + count(more, "other")
	}
	return text
}

// moduleLink links to another module's page, under its path: several modules may have one name. An old text that is kept
// may name one that has gone.
func (p *page) moduleLink(module string) string {
	if _, there := p.graph.Summary(module); !there {
		return markdown.Escape(module)
	}
	return markdown.Link(markdown.Escape(label(p.graph, module)), relative(p.path, p.config.Layout.Page(module)))
}

func (p *page) nodeLink() string {
	return markdown.Link("the knowledge node", relative(p.path, p.config.Layout.Node(p.node.Path)))
}
