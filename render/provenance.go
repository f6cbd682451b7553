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
	if was != nil && was.Digest == n.Digest {
		for i := range n.PublicAPI {
			n.PublicAPI[i].At, n.PublicAPI[i].Lines = was.PublicAPI[i].At, was.PublicAPI[i].Lines
		}
		copy(n.Behaviour, was.Behaviour) // equal except for positions
		copy(n.Flows, was.Flows)
		return
	}
	if n.Stale != "" && was != nil {
		return
	}
	placesOfBehavior(k, origin, was, n)
	type key struct{ name, file string }
	before := map[key]*node.Symbol{}
	if was != nil {
		for i := range was.PublicAPI {
			s := &was.PublicAPI[i]
			before[key{s.Name, s.File}] = s
		}
	}
	now := declaredPlaces(k, origin)
	placesOfSteps(now, origin, was, n)
	for _, h := range heirs {
		if !h.doc && origin.Permanent {
			now[h.name()] = declaredPlace{h.of.Path, h.of.Line, h.of.End}
		}
	}
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		if was := before[key{s.Name, s.File}]; was != nil && was.At != "" && reads(was, s) {
			s.At, s.Lines = was.At, was.Lines
			continue
		}
		if d, ok := now[s.Name]; ok && origin.Clean(d.file) {
			s.At, s.Lines = origin.Commit, fmt.Sprintf("%d-%d", d.line, d.end)
		}
	}
}

// reads reports whether a symbol's text is unchanged. It then keeps its position even if its body changed.
func reads(was, now *node.Symbol) bool {
	return was.Signature == now.Signature && node.Opening(was.Doc) == node.Opening(now.Doc) && was.Kind == now.Kind
}

// placesOfBehavior records the commits of behaviour elements, which have their lines already.
func placesOfBehavior(k *survey.Module, origin engine.Origin, was, n *node.Node) {
	before := map[node.Behavior]node.Behavior{}
	if was != nil {
		for _, b := range was.Behaviour {
			before[placeless(b)] = b
		}
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

type declaredPlace struct {
	file      string
	line, end int
}

// declaredPlaces returns the linkable positions of a module's declarations by name.
func declaredPlaces(k *survey.Module, origin engine.Origin) map[string]declaredPlace {
	if !origin.Permanent {
		return nil
	}
	out := make(map[string]declaredPlace, len(k.Declared))
	for i := range k.Declared {
		d := &k.Declared[i]
		out[d.Name] = declaredPlace{d.Path, d.Line, d.End}
	}
	return out
}

// placesOfSteps records the positions of flow steps, as those of symbols.
func placesOfSteps(now map[string]declaredPlace, origin engine.Origin, was, n *node.Node) {
	type key struct{ name, file string }
	before := map[key]node.Step{}
	if was != nil {
		for _, s := range was.Flows {
			before[key{s.Name, s.File}] = s
		}
	}
	for i := range n.Flows {
		s := &n.Flows[i]
		if s.Module != "" {
			continue
		}
		if was := before[key{s.Name, s.File}]; was.At != "" && was.Doc == s.Doc {
			s.At, s.Lines = was.At, was.Lines
		} else if d, ok := now[s.Name]; ok && origin.Clean(d.file) {
			s.At, s.Lines = origin.Commit, fmt.Sprintf("%d-%d", d.line, d.end)
		}
	}
}
