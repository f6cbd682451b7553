package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// neighbourhood says where the module stands: who uses it, what it uses, and what it takes from other packages. A picture of that would
// be a star, and say no more.
func (p *page) neighbourhood() {
	n := p.node
	packages := imports(n)
	if len(p.importers)+len(n.Dependencies)+len(packages) == 0 {
		return
	}
	p.heading(2, "Dependencies")
	p.modules("Used by", p.importers)
	p.modules("Depends on", n.Dependencies)
	p.taken("From other packages", packages)
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
	if len(names) > manyModules {
		p.line(fold(what+" these modules", run("", names)))
		return
	}
	p.line("%s", run(what+":", names))
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
	p.line("%s", run(what+":", codes))
}

// run is a list that reads as one line, as many elements as there is room for, and that is written with one element on
// each: a module that comes or goes changes its own line, and branches merge.
func run(lead string, all []string) string {
	shown, more := few(all, listBytes)
	if more > 0 {
		shown = append(slices.Clip(shown), "and others")
	}
	return strings.TrimPrefix(lead+"\n", "\n") + "· " + strings.Join(shown, "\n· ")
}

// moduleLink links to another module's page, under its path: several modules may have one name. An old text that is kept
// may name one that has gone.
func (p *page) moduleLink(module string) string {
	if _, there := p.graph.Title(module); !there {
		return markdown.Escape(canonical.Path(module))
	}
	return markdown.Link(markdown.Escape(label(p.graph, module)), p.config.pageLink(p.path, p.graph, module))
}

func (p *page) nodeLink() string {
	return markdown.Link("the knowledge node", relative(p.path, p.config.Layout.Node(p.node.Path)))
}
