package source

import (
	"slices"
	"strings"
)

// basesOf lists the types that a type rests on, without type arguments.
func basesOf(s *Symbol) []string {
	if s.Bases != nil || !types[s.Kind] || s.Kind == Type {
		return s.Bases
	}
	var out []string
	for _, h := range s.Headers() {
		for _, base := range h.Bases {
			if at := strings.IndexAny(base, "<[("); at >= 0 {
				base = base[:at]
			}
			base = separators.Replace(base[strings.LastIndexByte(base, ' ')+1:]) // behind annotations
			if isName(base) {
				out = append(out, base)
			}
		}
	}
	return out
}

// visibility says which members subtypes inherit: those with one of some modifiers, or without one.
type visibility struct{ public, private []string }

var visibilities = map[string]visibility{"java": {public: []string{"public", "protected"}}, "typescript": {private: []string{"private"}}}

// HandsOn reports whether subtypes inherit a member, also of a type that callers cannot name.
func HandsOn(language string, owner, member *Symbol) bool {
	name := member.ownName()
	if member.Exported || owner.Exported || strings.HasPrefix(name, "#") {
		return member.Exported
	}
	if language == "python" && strings.HasPrefix(name, "_") {
		return member.Kind == Method && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	}
	has := func(modifiers []string) bool {
		return slices.ContainsFunc(member.Headers(), func(h Header) bool { return slices.ContainsFunc(modifiers, h.Is) })
	}
	v := visibilities[language]
	return (v.public == nil || has(v.public)) && !has(v.private)
}

// ownName is the last element of a symbol's name.
func (s *Symbol) ownName() string { return last(s.Name) }

// isName reports whether a word is a name, dotted or not.
func isName(word string) bool {
	for i := range len(word) {
		c := word[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
		if !letter && (i == 0 || c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return word != ""
}

// implemented splits the name of a symbol that stands for what a type implements, as Rust has them: Unit.<fmt::Display>.
func implemented(name string) (owner, trait string, ok bool) {
	owner, trait, ok = strings.Cut(name, ".<")
	trait = strings.TrimSuffix(trait, ">")
	if at := strings.IndexByte(trait, '<'); at >= 0 {
		trait = trait[:at]
	}
	return owner, separators.Replace(trait), ok
}
