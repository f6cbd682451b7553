package source

import (
	"cmp"
	"slices"
	"strings"
)

// MergeSymbols makes one Symbol of those that share a name: overloads, declarations that differ by platform, a
// declaration and its definition. The first position, every distinct signature and the documentation of each stay;
// the digests cover all. The order of first appearance is kept.
func MergeSymbols(list []Symbol) []Symbol {
	first := make(map[string]int, len(list))
	groups := map[int][]Symbol{}
	out := make([]Symbol, 0, len(list))
	for _, s := range list {
		i, ok := first[s.Name]
		if !ok {
			first[s.Name] = len(out)
			out = append(out, s)
			continue
		}
		groups[i] = append(groups[i], s)
	}
	for i, more := range groups {
		out[i] = merge(out[i], more)
	}
	return out
}

func merge(s Symbol, more []Symbol) Symbol {
	signatures, known := []string{s.Signature}, map[string]bool{s.Signature: true}
	interfaces, contents := []string{string(s.Interface)}, []string{string(s.Content)}
	codes, documented := []string{string(s.code())}, s.Code != ""
	s.Overloads = slices.Clip(s.Overloads) // others hold the symbol as it is
	refs, body, guards := slices.Clone(s.Refs), slices.Clone(s.Body), []string{s.Guard}
	for _, m := range more {
		if !known[m.Signature] {
			known[m.Signature] = true
			signatures, s.Type = append(signatures, m.Signature), s.Type.Join(m.Type)
			s.Document(m)
		}
		interfaces, contents = append(interfaces, string(m.Interface)), append(contents, string(m.Content))
		codes, documented = append(codes, string(m.code())), documented || m.Code != ""
		s.Doc, s.Deprecated = cmp.Or(s.Doc, m.Doc), cmp.Or(s.Deprecated, m.Deprecated)
		s.Exported = s.Exported || m.Exported
		s.Hidden = s.Hidden && m.Hidden
		refs, body, guards = append(refs, m.Refs...), append(body, m.Body...), append(guards, m.Guard)
	}
	s.Signature = strings.Join(signatures, "\n")
	s.Interface, s.Content = digestSet(interfaces), digestSet(contents)
	if s.Code = ""; documented {
		s.Code = digestSet(codes)
	}
	slices.Sort(refs)
	s.Refs = slices.Compact(refs)
	s.Body, s.Guard = SortReferences(body), anyGuard(guards)
	return s
}

// code is the digest of what a declaration does, whatever is said of it.
func (s *Symbol) code() Digest { return cmp.Or(s.Code, s.Content) }

// Overload is what is said of one declaration among several of a name.
type Overload struct {
	Signature string `json:"s"`
	Doc       string `json:"d"`
}

// Document takes up what is said of another declaration of the name, one of another signature. It compares the text with the two
// before it alone, so that many declarations take time in proportion to their number.
func (s *Symbol) Document(o Symbol) {
	said := s.Doc
	if n := len(s.Overloads); n > 0 {
		said = s.Overloads[n-1].Doc
	}
	switch {
	case s.Doc == "":
		s.Doc = o.Doc
	case o.Doc != "" && o.Doc != s.Doc && o.Doc != said:
		s.Overloads = append(s.Overloads, Overload{o.Signature, o.Doc})
	}
	s.Overloads = append(s.Overloads, o.Overloads...)
}

// anyGuard is the constraint of what is there when one of several constraints holds.
func anyGuard(guards []string) string {
	slices.Sort(guards)
	if guards[0] == "" {
		return ""
	}
	return strings.Join(slices.Compact(guards), " || ")
}

// digestSet is independent of order and of repetition.
func digestSet(parts []string) Digest {
	slices.Sort(parts)
	parts = slices.Compact(parts)
	if len(parts) == 1 {
		return Digest(parts[0])
	}
	return DigestOf(parts...)
}
