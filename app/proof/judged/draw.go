package main

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/render/node"
)

// The kinds of texts.
const (
	purposeKind = "purpose"
	flowKind    = "flow"
)

// drawn is a text of a page that chance chose.
type drawn struct {
	repository, commit string
	module, kind       string
	text               string
	places             []string // where to look: the file that says it, or each step
	verdict            verdict
}

func (d drawn) key() key { return key{d.repository, d.commit, d.module, d.kind, d.text} }

// source is a repository with its texts by kind, in random order.
type source struct {
	repository

	modules, written int // modules, and those with a purpose in an author's words
	texts            map[string][]drawn
}

// flowPlaces is the greatest number of flows of a module. Each place takes part in the shuffle even if it is empty, so a new flow barely
// changes the order.
const flowPlaces = 2

func newSource(r repository, nodes []*node.Node, seed uint64) source {
	nodes = slices.SortedFunc(slices.Values(nodes), func(a, b *node.Node) int { return cmp.Compare(a.Path, b.Path) })
	s := source{repository: r, modules: len(nodes), texts: map[string][]drawn{}}
	for _, n := range nodes {
		if n.Purpose != "" && n.PurposeFrom != node.FromDerived {
			s.written++
		}
	}
	chance := rand.New(rand.NewPCG(seed, seedOf(r.Name))) //nolint:gosec // a draw that others can repeat
	for _, i := range chance.Perm(len(nodes)) {
		if nodes[i].Purpose != "" {
			s.texts[purposeKind] = append(s.texts[purposeKind], purposeOf(r, nodes[i]))
		}
	}
	for _, i := range chance.Perm(len(nodes) * flowPlaces) {
		if flows := flowsOf(r, nodes[i/flowPlaces]); i%flowPlaces < len(flows) {
			s.texts[flowKind] = append(s.texts[flowKind], flows[i%flowPlaces])
		}
	}
	return s
}

// seedOf makes chance begin with something else in each repository.
func seedOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

// draw takes texts of one kind in turns from each source, as long as it has any.
func draw(sources []source, kind string, n int) []drawn {
	var out []drawn
	for turn := 0; ; turn++ {
		more := false
		for _, s := range sources {
			if list := s.texts[kind]; turn < len(list) && len(out) < n {
				out, more = append(out, list[turn]), true
			}
		}
		if !more {
			slices.SortStableFunc(out, func(a, b drawn) int { return strings.Compare(a.repository, b.repository) })
			return out
		}
	}
}

func purposeOf(r repository, n *node.Node) drawn {
	from := n.PurposeFrom
	if n.PurposeFile != "" {
		from = n.PurposeFile
	}
	return drawn{
		repository: r.Name, commit: r.Commit, module: canonical.Path(n.Path), kind: purposeKind,
		text: n.Purpose, places: []string{from},
	}
}

// leastSteps is how many steps a flow has that a page shows, the first of them included.
const leastSteps = 3

func flowsOf(r repository, n *node.Node) []drawn {
	var out []drawn
	for _, s := range n.Flows {
		name, file := s.Name, canonical.Path(path.Join(n.Path, s.File))+":"+s.Lines
		if s.Module != "" {
			name, file = canonical.Path(s.Module)+"#"+s.Name, canonical.Path(s.Module)
		}
		if s.From == "" {
			out = append(out, drawn{
				repository: r.Name, commit: r.Commit, module: canonical.Path(n.Path), kind: flowKind,
				text: name, places: []string{file + " " + name},
			})
			continue
		}
		last := &out[len(out)-1]
		last.text += "; " + s.From + " > " + name
		if s.When != "" {
			last.text += " in " + s.When
		}
		last.places = append(last.places, file+" "+s.From+" > "+name)
	}
	return slices.DeleteFunc(out, func(d drawn) bool { return len(d.places) < leastSteps })
}
