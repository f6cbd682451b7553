package source

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
			base = separators.Replace(base[strings.LastIndexByte(base, ' ')+1:])
			if isName(base) {
				out = append(out, base)
			}
		}
	}
	return out
}

// HandsOn reports whether subtypes inherit a member. The type may be one that callers cannot name.
func HandsOn(language string, owner, member *Symbol) bool {
	name := member.ownName()
	if member.Exported || owner.Exported || strings.HasPrefix(name, "#") {
		return member.Exported
	}
	t := TraitsOf(language)
	if t.Underscored && strings.HasPrefix(name, "_") {
		return member.Kind == Method && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	}
	if t.Capitals {
		first, _ := utf8.DecodeRuneInString(name)
		return unicode.IsUpper(first)
	}
	has := func(modifiers []string) bool {
		return slices.ContainsFunc(member.Headers(), func(h Header) bool { return slices.ContainsFunc(modifiers, h.Is) })
	}
	return (t.Public == nil || has(t.Public)) && !has(t.Private)
}

func (s *Symbol) ownName() string { return last(s.Name) }

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

// implemented splits the name of a Rust trait implementation: Unit.<fmt::Display>.
func implemented(name string) (owner, trait string, ok bool) {
	owner, trait, ok = strings.Cut(name, ".<")
	trait = strings.TrimSuffix(trait, ">")
	if at := strings.IndexByte(trait, '<'); at >= 0 {
		trait = trait[:at]
	}
	return owner, separators.Replace(trait), ok
}
