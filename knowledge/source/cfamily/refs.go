package cfamily

import (
	"slices"
	"strings"
)

type refs struct {
	*outline
	names []string
}

func (r *refs) add(s span) {
	value := false
	for i := s.From; i < s.To; i++ {
		switch {
		case r.is(i, '='):
			value = true
		case r.is(i, ','), r.is(i, ';'):
			value = false
		case r.name(i):
			qualified := i+2 < s.To && r.is(i+1, opScope) && r.name(i+2)
			if !qualified && !value && r.declared(i, s) {
				continue
			}
			name := []byte(r.spell(i))
			for i+2 < s.To && r.is(i+1, opScope) && r.name(i+2) {
				i += 2
				name = append(append(name, '.'), r.spell(i)...)
			}
			r.names = append(r.names, valid(string(name)))
		}
	}
}

// declared reports whether the name at i is a parameter or member, not a type.
func (r *refs) declared(i int, s span) bool {
	last := i+1 >= s.To
	if i == s.From || !r.typeBefore(i) && !(last && (r.is(i-1, '}') || r.is(i-1, ')'))) {
		return false
	}
	if last {
		return true
	}
	t := r.tokens[i+1]
	return t.kind == punctuation && strings.IndexByte(",)=[;:", t.id) >= 0
}

func (r *refs) sorted(self string) []string {
	slices.Sort(r.names)
	last := self[strings.LastIndexByte(self, '.')+1:]
	list := slices.DeleteFunc(slices.Compact(r.names), func(n string) bool { return n == self || n == last })
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}
