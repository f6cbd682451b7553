package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// passesOn lists the modules that this one re-exports completely, through files that are namespaces. Included headers do
// not count, nor do re-exports of a file other than the index of its directory.
func passesOn(k *survey.Module) []string {
	var out []string
	for _, u := range k.Module.Units {
		prefix, scoped := k.Table.Files[path.Base(u.Path)]
		if !scoped || u.File.Test {
			continue
		}
		for _, star := range k.Table.Stars[prefix] {
			if stem, _, _ := strings.Cut(star.File, "."); star.Dir != k.Module.Path && source.IsHead(stem) {
				out = append(out, star.Dir)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// passed names the modules that this one re-exports.
func (p *page) passed() {
	modules := p.node.PassesOn
	if len(modules) == 0 {
		return
	}
	names, room := make([]string, 0, len(modules)), listBytes
	for _, m := range modules {
		name := markdown.Escape(title(p.graph, m))
		if room -= len(name); room < 0 {
			names = append(names, "and others")
			break
		}
		if _, there := p.graph.Title(m); there {
			name = markdown.Link(name, p.pageLink(m))
		}
		names = append(names, name)
	}
	const lead = "Callers also get all that these modules export"
	list := "· " + strings.Join(names, "\n· ")
	if len(modules) > manyModules {
		p.line("%s", fold(lead, list))
		return
	}
	p.line("%s:\n%s", lead, list)
}
