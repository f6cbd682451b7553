package api

import (
	"maps"
	"slices"
	"strings"
)

// javaType is the head of a class, an interface, an enum or a record.
type javaType struct {
	modifiers []string
	word      string            // class, interface, @interface, enum, record
	variables map[string]string // type parameters, by their erasures
	bases     []string          // what it extends or implements, without type arguments
	head      string            // of a record: behind its name
}

// javaMethod is a method or a constructor. Types are erased, as in the names by which compiled code finds it.
type javaMethod struct {
	text      string
	modifiers []string
	result    string
	types     []string
	written   []string // the types as they are written
	def       bool     // it has a default value, as elements of annotations may
}

// javaModifiers are the words before a declaration.
var javaModifiers = map[string]bool{
	"public": true, "protected": true, "private": true, "static": true, "final": true, "abstract": true, "native": true, "synchronized": true,
	"transient": true, "volatile": true, "strictfp": true, "default": true, "sealed": true, "non-sealed": true,
}

// modified splits the modifiers from a declaration.
func modified(text string) (modifiers []string, rest string) {
	for {
		word, rest, found := strings.Cut(text, " ")
		if !found || !javaModifiers[word] {
			return modifiers, text
		}
		modifiers, text = append(modifiers, word), rest
	}
}

// bare are the lines of a signature behind its annotations, which stand one a line. An annotation type may begin with its own word.
func bare(lines []string) []string {
	for len(lines) > 0 && strings.HasPrefix(lines[0], "@") && !strings.HasPrefix(lines[0], "@interface ") {
		lines = lines[1:]
	}
	return lines
}

// readType reads the signature of a type; variables are those of the types around it.
func readType(signature string, variables map[string]string) (javaType, bool) {
	t := javaType{variables: map[string]string{}}
	maps.Copy(t.variables, variables)
	lines := bare(strings.Split(signature, "\n"))
	if len(lines) == 0 {
		return t, false
	}
	var rest string
	t.modifiers, rest = modified(strings.TrimSuffix(lines[0], " {"))
	word, rest, _ := strings.Cut(rest, " ")
	t.word = word
	name := strings.IndexFunc(rest+" ", func(r rune) bool { return strings.ContainsRune(" <({", r) })
	rest = rest[name:]
	if strings.HasPrefix(rest, "<") {
		end := (scanner{"x" + rest, true}).skip(1) - 1
		if end < 1 || !erasures(rest[1:end-1], t.variables) {
			return t, false
		}
		rest = rest[end:]
	}
	t.head = rest
	var ok bool
	t.bases, ok = javaBases(rest)
	return t, ok && name > 0
}

// erasures adds type parameters to the variables.
func erasures(list string, variables map[string]string) bool {
	parts, ok := (scanner{list, true}).split(",")
	for _, part := range parts {
		words := strings.Fields(part)
		for len(words) > 0 && strings.HasPrefix(words[0], "@") {
			words = words[1:]
		}
		if len(words) == 0 {
			return false
		}
		bound := "Object"
		if _, extends, found := strings.Cut(part, " extends "); found {
			first, _, _, _ := (scanner{extends, true}).cut(" & ")
			bound = erase(first, variables)
		}
		variables[words[0]] = bound
	}
	return ok
}

// javaBases are the types that a head names behind extends and implements.
func javaBases(rest string) (out []string, ok bool) {
	before, after, found, ok := (scanner{rest, true}).cut(" extends ")
	if !ok {
		return nil, false
	}
	if !found {
		before, after = "", rest
	}
	if i := strings.Index(after, " permits "); i >= 0 {
		after = after[:i]
	}
	if !found {
		_, list, there := strings.Cut(before+after, " implements ")
		if !there {
			return nil, true
		}
		after = list
	}
	parts, ok := (scanner{strings.Replace(after, " implements ", ", ", 1), true}).split(",")
	for _, part := range parts {
		name, _, _ := strings.Cut(part, "<")
		words := strings.Fields(name)
		if len(words) == 0 {
			return nil, false
		}
		out = append(out, words[len(words)-1])
	}
	return out, ok
}

// erase is a type without what compiled code does not know of it: type arguments, annotations, where its name comes from.
func erase(typ string, variables map[string]string) string {
	var plain strings.Builder
	depth := 0
	for _, c := range typ {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case depth == 0:
			plain.WriteRune(c)
		}
	}
	words := strings.Fields(plain.String())
	words = slices.DeleteFunc(words, func(w string) bool { return w == "final" || strings.HasPrefix(w, "@") })
	name := strings.Join(words, "")
	end := len(name)
	for end > 0 && (name[end-1] == '[' || name[end-1] == ']' || name[end-1] == '.') {
		end--
	}
	name, dimensions := name[:end], name[end:]
	name = name[strings.LastIndexByte(name, '.')+1:]
	if bound, ok := variables[name]; ok {
		name = bound
	}
	return name + dimensions
}

// readMethods reads the overloads of a method or a constructor; false where one cannot be read.
func readMethods(signature string, variables map[string]string) ([]javaMethod, bool) {
	var out []javaMethod
	lines := strings.Split(signature, "\n")
	for len(lines) > 0 {
		if lines = bare(lines); len(lines) == 0 {
			return nil, false
		}
		m, ok := readMethod(lines[0], variables)
		if !ok {
			return nil, false
		}
		out, lines = append(out, m), lines[1:]
	}
	return out, true
}

func readMethod(text string, around map[string]string) (javaMethod, bool) {
	m := javaMethod{text: text}
	var rest string
	m.modifiers, rest = modified(text)
	variables := around
	if strings.HasPrefix(rest, "<") {
		end := (scanner{"x" + rest, true}).skip(1) - 1
		if end < 1 {
			return m, false
		}
		variables = map[string]string{}
		maps.Copy(variables, around)
		if !erasures(rest[1:end-1], variables) {
			return m, false
		}
		rest = strings.TrimSpace(rest[end:])
	}
	before, parts, after, ok := (scanner{rest, true}).list()
	if !ok || strings.Contains(before, "@") {
		return m, false
	}
	if i := strings.LastIndexByte(before, ' '); i >= 0 {
		m.result = erase(before[:i], variables)
	}
	m.def = strings.Contains(after, " default ")
	for _, part := range parts {
		typ, name, ok := lastWord(part)
		if !ok {
			return m, false
		}
		if name == "this" || strings.HasSuffix(name, ".this") {
			continue
		}
		for strings.HasSuffix(name, "[]") {
			typ, name = typ+"[]", name[:len(name)-2]
		}
		m.types, m.written = append(m.types, erase(typ, variables)), append(m.written, typ)
	}
	return m, true
}

// lastWord splits a parameter into its type and its name.
func lastWord(part string) (typ, name string, ok bool) {
	i := strings.LastIndexByte(part, ' ')
	if i < 0 {
		return "", "", false
	}
	typ = part[:i]
	for strings.HasPrefix(typ, "@") || strings.HasPrefix(typ, "final ") {
		_, rest, found, whole := (scanner{typ, true}).cut(" ")
		if !found || !whole {
			return "", "", false
		}
		typ = rest
	}
	return typ, part[i+1:], typ != ""
}

func (m javaMethod) has(modifier string) bool { return slices.Contains(m.modifiers, modifier) }

func (t javaType) has(modifier string) bool { return slices.Contains(t.modifiers, modifier) }

// same reports whether compiled code that calls one finds the other.
func (m javaMethod) same(other javaMethod) bool {
	return slices.EqualFunc(m.types, other.types, func(a, b string) bool { return arrays(a) == arrays(b) })
}

// arrays spells a parameter that takes any number as what it is to those who were compiled.
func arrays(typ string) string {
	if rest, ok := strings.CutSuffix(typ, "..."); ok {
		return rest + "[]"
	}
	return typ
}

func (m javaMethod) variadic() bool {
	return len(m.types) > 0 && strings.HasSuffix(m.types[len(m.types)-1], "...")
}
