package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/render/node"
)

func (a *askable) within(at Meant, anchor string) (Meant, bool) {
	if at.Module == "" {
		return at, at.Meaning == MeansOverview
	}
	n := a.node(at.Module)
	var other []*node.Symbol
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		switch {
		case at.File != "" && path.Join(n.Path, s.File) != at.File:
		case s.Name == anchor:
			return symbolOf(n, s), true
		case slices.ContainsFunc(Published(s), func(name string) bool { return name == anchor || markdown.Slug(name) == anchor }):
			other = append(other, s)
		}
	}
	for _, said := range []func(node.Behavior) bool{
		func(b node.Behavior) bool { return b.Name == anchor }, func(b node.Behavior) bool { return calls(anchor, b) },
	} {
		if i := slices.IndexFunc(n.Behaviour, said); i >= 0 {
			return elementOf(n, n.Behaviour[i]), true
		}
	}
	if len(other) == 1 {
		return symbolOf(n, other[0]), true
	}
	return a.heading(n, anchor)
}

func (a *askable) heading(n *node.Node, anchor string) (Meant, bool) {
	var numbered markdown.Slugger
	for line := range strings.Lines(string(a.read(a.layout.Page(n.Path)))) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		own := ""
		if rest, ok := strings.CutPrefix(title, `<a id="`); ok {
			own, title, _ = strings.Cut(rest, `"></a>`)
		}
		title = strings.Trim(title, " \r\n`")
		if slug := numbered.Slug(title); anchor != slug && anchor != own {
			continue
		}
		for i := range n.PublicAPI {
			if s := &n.PublicAPI[i]; slices.Contains(Published(s), title) {
				return symbolOf(n, s), true
			}
		}
		return Meant{Meaning: MeansModule, Module: n.Path}, true
	}
	return Meant{}, false
}
