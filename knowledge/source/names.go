package source

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// NamesDigest covers everything in a file that affects name resolution and implementations, except its path and the
// targets of imports. Files with equal digests have equal References and Shapes, except positions. Tests have a
// constant digest.
func (f *File) NamesDigest() Digest {
	if f.Test {
		return DigestOf("test")
	}
	return hashed(f.addNames)
}

func (f *File) addNames(h *Hasher) {
	h.Add(f.Language)
	addImports(h, f.Imports)
	h.Add("declares")
	for i := range f.Symbols {
		s := &f.Symbols[i]
		h.Add(s.Name)
		h.Add(string(s.Kind))
		h.Add(strconv.FormatBool(s.Doc != "")) // merging takes the kind of a documented declaration
		if types[s.Kind] {                     // the signature has the base types if Bases is empty
			h.Add(s.Signature)
		}
		addShape(h, s)
		addReferences(h, s.Body)
	}
	addReferences(h, f.Body)
}

func addImports(h *Hasher, list []Import) {
	for i := range list {
		imp := &list[i]
		h.Add(imp.Path)
		h.Add(imp.As)
		h.Add(strconv.FormatBool(imp.All))
		for _, n := range imp.Names {
			h.Add(n.Name + " " + n.As)
		}
	}
}

func addShape(h *Hasher, s *Symbol) {
	h.Add(s.Shape)
	h.Add(strings.Join(s.Bases, " "))
	for _, m := range s.Requires {
		h.Add(m.Name + " " + m.Shape)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		h.Add(name + " " + s.Fields[name])
	}
}

func addReferences(h *Hasher, list []Reference) {
	h.Add("names")
	for _, r := range list {
		h.Add(r.Name)
		h.Add(string(r.Kind))
		h.Add(strconv.FormatBool(r.Open))
	}
}

// ShapesDigest covers everything in a file that affects its types and their implementations, except its path, the
// targets of imports and values named like a mentioned type (see TypesMention). Files with equal digests have equal
// Shapes.
func (f *File) ShapesDigest() Digest {
	if f.Test {
		return DigestOf("test")
	}
	return hashed(f.addShapes)
}

func (f *File) addShapes(h *Hasher) {
	h.Add(f.Language)
	addImports(h, f.Imports)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		_, _, implements := implemented(s.Name)
		if !types[s.Kind] && s.Kind != Reexport && !implements && s.Shape == "" && !Abstract(s) {
			continue
		}
		h.Add(s.Name)
		h.Add(string(s.Kind))
		h.Add(strconv.FormatBool(s.Doc != ""))
		h.Add(s.Signature)
		if s.Kind == Reexport {
			h.Add(strings.Join(s.Refs, " "))
		}
		addShape(h, s)
	}
}

// TypesMention reports whether a file's types may depend on the meaning of a name of the module.
func (f *File) TypesMention(name string) bool {
	name = last(name)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		mentions := func(text string) bool { return strings.Contains(text, name) }
		if mentions(s.Shape) || slices.ContainsFunc(s.Bases, mentions) || slices.ContainsFunc(s.Requires, func(m Member) bool { return mentions(m.Shape) }) ||
			types[s.Kind] && mentions(s.Signature) || strings.Contains(s.Name, "<") && mentions(s.Name) {
			return true
		}
	}
	return false
}
