package source

import (
	"slices"
	"strings"
)

// heritage tells where in the signature of a type its bases stand: behind which words or marks, and which words beside them
// are none.
type heritage struct {
	after   string // each of them one word or mark
	until   string
	without string
	inside  bool // they stand in the brackets behind the name

	// Which members subtypes inherit: one of these words precedes the name, or none of those, and an underscore
	// does not begin it.
	public, private string
	underscores     bool
}

var heritages = map[string]heritage{
	"java":       {after: " extends implements ", until: " permits ", public: " public protected "},
	"typescript": {after: " extends implements ", private: " private "},
	"javascript": {after: " extends implements "},
	"python":     {inside: true, underscores: true},
	"c++":        {after: " : ", without: " public private protected virtual "},
	"rust":       {after: " : ", until: " where = "},
}

// basesOf lists the types that a type rests on, as written and without type arguments. Where a language's reader does not
// tell them apart, the signature does, which has one form however the source is laid out.
func basesOf(language string, s *Symbol) []string {
	h, ok := heritages[language]
	if !ok || s.Bases != nil || !types[s.Kind] || s.Kind == Type { // "extends" in an alias is a condition
		return s.Bases
	}
	head := s.Signature
	if at := strings.Index(head, s.ownName()); at >= 0 {
		head = head[at+len(s.ownName()):]
	}
	if h.inside {
		return arguments(head)
	}
	var out []string
	taking := false
	for _, word := range headWords(head) {
		spaced := " " + word + " "
		switch {
		case strings.Contains(h.after, spaced):
			taking = true
		case strings.Contains(h.until, spaced):
			return out
		case taking && !strings.Contains(h.without, spaced) && isName(word):
			out = append(out, word)
		}
	}
	return out
}

// HandsOn reports whether subtypes inherit a member, also of a type that callers cannot name.
func HandsOn(language string, owner, member *Symbol) bool {
	name := member.ownName()
	if member.Exported || owner.Exported || strings.HasPrefix(name, "#") {
		return member.Exported
	}
	h := heritages[language]
	if h.underscores && strings.HasPrefix(name, "_") {
		return member.Kind == Method && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	}
	head := member.Signature
	if at := strings.LastIndexByte(head[:max(strings.Index(head, name), 0)], '\n'); at >= 0 {
		head = head[at+1:] // behind annotations
	}
	head, _, _ = strings.Cut(head, name)
	spoken := func(words string) bool {
		return slices.ContainsFunc(strings.Fields(head), func(w string) bool { return strings.Contains(words, " "+w+" ") })
	}
	return (h.public == "" || spoken(h.public)) && !spoken(h.private)
}

// ownName is the last element of a symbol's name.
func (s *Symbol) ownName() string { return last(s.Name) }

// headWords splits what stands before the body of a declaration into words and marks, without what is in brackets.
func headWords(text string) []string {
	var out []string
	depth, start := 0, -1
	end := func(i int) {
		if start >= 0 {
			out = append(out, separators.Replace(text[start:i]))
		}
		start = -1
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case strings.IndexByte("(<[", c) >= 0:
			end(i)
			depth++
		case strings.IndexByte(")>]", c) >= 0:
			depth--
		case depth > 0:
		case c == '{' || c == ';' || c == '\n':
			end(i)
			return out
		case c == ':' && (strings.HasPrefix(text[i:], "::") || start >= 0 && text[i-1] == ':'):
		case strings.IndexByte(" ,:=&+", c) >= 0:
			end(i)
			if c == ':' || c == '=' {
				out = append(out, text[i:i+1])
			}
		case start < 0:
			start = i
		}
	}
	end(len(text))
	return out
}

// arguments lists the names in the brackets that a text begins with, behind type parameters, but for those of keywords.
func arguments(text string) []string {
	if strings.HasPrefix(text, "[") {
		text = text[strings.IndexByte(text, ']')+1:]
	}
	if !strings.HasPrefix(text, "(") {
		return nil
	}
	var out []string
	for _, a := range splitOutside(text[1:]) {
		name, _, _ := strings.Cut(a, "[")
		if name = strings.TrimSpace(name); isName(name) {
			out = append(out, name)
		}
	}
	return out
}

// splitOutside splits at the commas outside of brackets, up to the bracket that closes the list.
func splitOutside(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return append(out, text[start:i])
			}
		case ',':
			if depth == 0 {
				out, start = append(out, text[start:i]), i+1
			}
		}
	}
	return append(out, text[start:])
}

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
