package render

import (
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
)

// canKeep reports whether an earlier node holds a text worth keeping when the source cannot be read whole.
func canKeep(n *node.Node) bool {
	return n.Intact() && len(n.PublicAPI) > 0 && (n.Stale != "" || len(n.Problems()) == 0)
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

// provenance notes when and where the content was derived. What did not change keeps what was noted of it: a page
// must not change because time went by.
func provenance(in engine.Input, n *node.Node) {
	old := in.Previous
	if old != nil && old.Digest == n.Digest {
		n.Commit, n.LastVerified, n.FrameID = old.Commit, old.LastVerified, old.FrameID
		n.PublicAPI = old.PublicAPI
		return
	}
	n.FrameID = ""
	clean := !slices.ContainsFunc(n.Sources, func(s node.Source) bool { return !in.Clean(s.Path) })
	switch {
	case n.Stale != "" && old != nil:
		n.Commit, n.LastVerified = old.Commit, old.LastVerified
		return
	case sameToReaders(old, n):
		n.Commit, n.LastVerified = old.Commit, old.LastVerified
	case in.Head.ID == "":
		n.Commit, n.LastVerified = "", ""
	default:
		n.Commit, n.LastVerified = "", in.Head.When.UTC().Format("2006-01-02")
		if clean {
			n.Commit = in.Head.ID
		}
	}
	places(in, n)
}

// sameToReaders reports whether a page made from either node would be the same: then it keeps its date.
func sameToReaders(old, n *node.Node) bool {
	if old == nil || old.LastVerified == "" {
		return false
	}
	a, b := *old, *n
	for _, x := range []*node.Node{&a, &b} {
		x.Sources, x.PublicAPI, x.Uses = slices.Clone(x.Sources), slices.Clone(x.PublicAPI), slices.Clone(x.Uses)
		for i := range x.Sources {
			x.Sources[i].Fingerprint = ""
		}
		for i := range x.PublicAPI {
			x.PublicAPI[i].Interface, x.PublicAPI[i].Content = "", ""
		}
		for i := range x.Uses {
			x.Uses[i].Interface = ""
		}
		x.Interface = ""
		x.Seal()
	}
	return a.Digest == b.Digest
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
