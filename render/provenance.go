package render

import (
	"fmt"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// canKeep reports whether an earlier node has content worth keeping while the source cannot be read.
func canKeep(previous *engine.Conclusion) (*node.Node, bool) {
	n := nodeOf(previous)
	if n == nil || previous.Damaged != "" {
		return nil, false
	}
	return n, len(n.PublicAPI) > 0 && (n.Stale != "" || len(n.Problems()) == 0)
}

// keepLast returns the last readable node, with the reason, while a file does not parse.
func keepLast(was, now *node.Node, broken source.Unit) *node.Node {
	kept := *was
	kept.PublicAPI = slices.Clone(was.PublicAPI)
	kept.Stale = fmt.Sprintf("%s could not be read: %s", canonical.Path(broken.Path), broken.File.Problem)
	kept.Sources, kept.Brings, kept.Flows = now.Sources, now.Brings, keepFlows(was, now)
	kept.Implements, kept.Examples, kept.Manual = now.Implements, keepExamples(was, now), now.Manual
	kept.InvalidationCondition = now.InvalidationCondition
	return &kept
}

// places records the positions of symbols and behaviour at a linkable commit. An unchanged symbol keeps its position,
// since the link still shows its code. An unchanged node keeps all: a page must not change over time.
func places(k *survey.Module, heirs []heir, origin engine.Origin, was, n *node.Node) {
	if was.Digest == n.Digest {
		for i := range n.PublicAPI {
			n.PublicAPI[i].At, n.PublicAPI[i].Lines = was.PublicAPI[i].At, was.PublicAPI[i].Lines
		}
		copy(n.Behaviour, was.Behaviour) // equal except for positions
		copy(n.Flows, was.Flows)
		return
	}
	if n.Stale != "" {
		return
	}
	placesOfBehavior(k, origin, was, n)
	now := map[string]place{}
	for _, d := range k.Module.WithUnnamed(k.Declared) {
		now[d.Name] = place{d.Path, d.Line, d.End}
	}
	keepPlaces(origin, was.Flows, n.Flows, func(s *node.Step) (any, *string, *string, place) {
		if s.Module != "" {
			return nil, &s.At, &s.Lines, place{}
		}
		return [3]string{s.Name, s.File, s.Doc}, &s.At, &s.Lines, now[s.Name]
	})
	for _, h := range heirs {
		if !h.doc {
			now[h.name()] = place{h.of.Path, h.of.Line, h.of.End}
		}
	}
	keepPlaces(origin, was.PublicAPI, n.PublicAPI, func(s *node.Symbol) (any, *string, *string, place) {
		// a symbol with an unchanged text keeps its position even if its body changed
		return [5]string{s.Name, s.File, s.Signature, node.Opening(s.Doc), string(s.Kind)}, &s.At, &s.Lines, now[s.Name]
	})
}

// place is a position in the sources; the zero value is none.
type place struct {
	file      string
	line, end int
}

// keepPlaces gives elements the positions of equal earlier ones, and others their positions at the commit, if links can lead
// there. of returns what identifies an element with its text, its stored position, and where it is.
func keepPlaces[T any](origin engine.Origin, was, now []T, of func(x *T) (key any, at, lines *string, is place)) {
	before := make(map[any]*T, len(was))
	for i := range was {
		key, _, _, _ := of(&was[i])
		before[key] = &was[i]
	}
	for i := range now {
		key, at, lines, is := of(&now[i])
		if old := before[key]; key != nil && old != nil {
			if _, oldAt, oldLines, _ := of(old); *oldAt != "" {
				*at, *lines = *oldAt, *oldLines
				continue
			}
		}
		if is.file != "" && origin.Permanent && origin.Clean(is.file) {
			*at, *lines = origin.Commit, fmt.Sprintf("%d-%d", is.line, is.end)
		}
	}
}

// placesOfBehavior records the commits of behaviour elements, which have their lines already.
func placesOfBehavior(k *survey.Module, origin engine.Origin, was, n *node.Node) {
	before := map[node.Behavior]node.Behavior{}
	for _, b := range was.Behaviour {
		before[placeless(b)] = b
	}
	for i := range n.Behaviour {
		b := &n.Behaviour[i]
		switch old := before[placeless(*b)]; {
		case old.At != "":
			*b = old
		case origin.Permanent && origin.Clean(path.Join(k.Module.Path, b.File)):
			b.At = origin.Commit
		default:
			b.Line = 0
		}
	}
}

func placeless(b node.Behavior) node.Behavior {
	b.At, b.Line = "", 0
	return b
}
