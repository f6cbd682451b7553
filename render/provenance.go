package render

import (
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
)

// canKeep reports whether an earlier node, one that a frame concluded, holds a text worth keeping when the source cannot be read whole.
func canKeep(n *node.Node) bool {
	return n.FrameID != "" && len(n.PublicAPI) > 0 && (n.Stale != "" || len(n.Problems()) == 0)
}

// keepLast is the node while a file does not parse: the last content that could be read, and why it is not the
// present one.
func keepLast(in engine.Input, now *node.Node, broken source.Unit) *node.Node {
	kept := *in.Previous
	kept.PublicAPI = slices.Clone(in.Previous.PublicAPI)
	kept.Stale = fmt.Sprintf("%s could not be read: %s", broken.Path, broken.File.Problem)
	kept.Sources, kept.Uses, kept.Generator = now.Sources, now.Uses, now.Generator
	kept.InvalidationCondition = now.InvalidationCondition
	return &kept
}

// provenance notes where the content stands and in which frame it was concluded. What did not change keeps what was noted
// of it: a page must not change because time went by.
func provenance(in engine.Input, n *node.Node) {
	old := in.Previous
	if old != nil && old.Digest == n.Digest {
		n.FrameID = old.FrameID
		for i := range n.PublicAPI {
			n.PublicAPI[i].At, n.PublicAPI[i].Lines = old.PublicAPI[i].At, old.PublicAPI[i].Lines
		}
		return
	}
	n.FrameID = ""
	if n.Stale == "" || old == nil {
		places(in, n)
	}
}

// places notes where each symbol stands, at a commit that links may lead to. A symbol that did not change keeps its
// place: the link still shows its code.
func places(in engine.Input, n *node.Node) {
	type key struct{ name, file string }
	before := map[key]*node.Symbol{}
	if in.Previous != nil {
		for i := range in.Previous.PublicAPI {
			s := &in.Previous.PublicAPI[i]
			before[key{s.Name, s.File}] = s
		}
	}
	now := declaredPlaces(in)
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		if was := before[key{s.Name, s.File}]; was != nil && was.Content == s.Content && was.At != "" {
			s.At, s.Lines = was.At, was.Lines
			continue
		}
		d := now[s.Name]
		if in.Permanent && in.Clean(d.file) {
			s.At, s.Lines = in.Head.ID, fmt.Sprintf("%d-%d", d.line, d.end)
		}
	}
}

type declaredPlace struct {
	file      string
	line, end int
}

// declaredPlaces are the places of a module's declarations by name, where links may lead to them.
func declaredPlaces(in engine.Input) map[string]declaredPlace {
	if !in.Permanent {
		return nil
	}
	out := make(map[string]declaredPlace, len(in.Known.Declared))
	for i := range in.Known.Declared {
		d := &in.Known.Declared[i]
		out[d.Name] = declaredPlace{d.Path, d.Line, d.End}
	}
	return out
}
