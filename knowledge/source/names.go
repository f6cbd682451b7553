package source

import (
	"strconv"
	"strings"
)

// NamesDigest covers everything in a file that decides what code names and what types implement, but for its path and for where
// imports lead: for files that have it in common, References and Shapes are the same but for the places. Those of a test count
// for nothing.
func (f *File) NamesDigest() Digest {
	if f.Test {
		return DigestOf("test")
	}
	h := NewHasher()
	h.Add(f.Language)
	for i := range f.Imports {
		imp := &f.Imports[i]
		h.Add(imp.Path)
		h.Add(imp.As)
		h.Add(strconv.FormatBool(imp.All))
		for _, n := range imp.Names {
			h.Add(n.Name + " " + n.As)
		}
	}
	h.Add("declares")
	for i := range f.Symbols {
		s := &f.Symbols[i]
		h.Add(s.Name)
		h.Add(string(s.Kind))
		h.Add(strconv.FormatBool(s.Doc != "")) // of several declarations of one name, the kind is that of one with documentation
		if types[s.Kind] {                     // what it extends is in its signature, where Bases do not say it
			h.Add(s.Signature)
		}
		h.Add(s.Shape)
		h.Add(strings.Join(s.Bases, " "))
		for _, m := range s.Requires {
			h.Add(m.Name + " " + m.Shape)
		}
		addReferences(h, s.Body)
	}
	addReferences(h, f.Body)
	return h.Sum()
}

func addReferences(h *Hasher, list []Reference) {
	h.Add("names")
	for _, r := range list {
		h.Add(r.Name)
		h.Add(string(r.Kind))
		h.Add(strconv.FormatBool(r.Open))
	}
}
