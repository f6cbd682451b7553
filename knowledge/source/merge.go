package source

import (
	"cmp"
	"slices"
	"strings"
)

// MergeSymbols merges symbols with the same name: overloads, platform variants, a declaration and its definition. It
// keeps the first position, the order of first appearance, each distinct signature and its documentation; the digests
// cover all.
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
	s.Overloads = slices.Clip(s.Overloads) // other symbols share the slice
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

func (s *Symbol) code() Digest { return cmp.Or(s.Code, s.Content) }

// Overload is the documentation of one of several declarations with the same name.
type Overload struct {
	Signature string `json:"s"`
	Doc       string `json:"d"`
}

// Document adds the documentation of another signature with the same name. It compares the text only with the
// previous two, which keeps the time linear.
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

func anyGuard(guards []string) string {
	slices.Sort(guards)
	if guards[0] == "" {
		return ""
	}
	return strings.Join(slices.Compact(guards), " || ")
}

func digestSet(parts []string) Digest {
	slices.Sort(parts)
	parts = slices.Compact(parts)
	if len(parts) == 1 {
		return Digest(parts[0])
	}
	return DigestOf(parts...)
}
