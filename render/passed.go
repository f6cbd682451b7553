package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/survey"
)

// passesOn lists the modules all of whose names a module passes on, by files that are namespaces: what a header includes is not its own. What
// one file of several passes on is not all of a module.
func passesOn(k *survey.Module) []string {
	var out []string
	for _, u := range k.Module.Units {
		prefix, scoped := k.Table.Files[path.Base(u.Path)]
		if !scoped || u.File.Test {
			continue
		}
		for _, star := range k.Table.Stars[prefix] {
			if stem, _, _ := strings.Cut(star.File, "."); star.Dir != k.Module.Path && speaks[stem] {
				out = append(out, star.Dir)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// speaks has the files that speak for their directory, by their names without endings.
var speaks = map[string]bool{"index": true, "__init__": true, "mod": true, "lib": true}

// passed names the modules whose names callers also get from this one.
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
			name = markdown.Link(name, p.config.pageLink(p.path, p.graph, m))
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
