package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// neighbourhood lists the users, dependencies and external packages of the module. A diagram of it would be a star and
// add nothing.
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

// manyModules bounds the modules of an unfolded sentence.
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

func (p *page) taken(what string, names []string) {
	if len(names) > 0 {
		p.line("%s", run(what+":", coded(names)))
	}
}

// run writes a list that renders as one line but has one element per source line: branches that add modules merge.
func run(lead string, all []string) string {
	shown, more := few(all, listBytes)
	if more > 0 {
		shown = append(slices.Clip(shown), "and others")
	}
	return strings.TrimPrefix(lead+"\n", "\n") + "· " + strings.Join(shown, "\n· ")
}

// moduleLink links to the page of another module by its path, since names are ambiguous. A kept text may name a removed
// module, which is not linked.
func (p *page) moduleLink(module string) string {
	if _, there := p.graph.Title(module); !there {
		return markdown.Escape(canonical.Path(module))
	}
	return markdown.Link(markdown.Escape(label(p.graph, module)), p.pageLink(module))
}

func (p *page) nodeLink() string {
	return markdown.Link("the knowledge node", p.to(p.config.Layout.Node(p.node.Path)))
}
