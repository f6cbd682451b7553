package source

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shapes are the types of a module, by their names in it, as far as it takes to see which type implements which interface.
type Shapes map[string]Shape

// Shape is what a type has by itself.
type Shape struct {
	// Interface is set of what others implement by having its Methods.
	Interface bool `json:"i,omitempty"`
	// Named is set where a type says what it implements, and Methods do not matter.
	Named bool `json:"n,omitempty"`
	// Point is set of what is declared for others to implement or extend: an interface, a trait, an abstract class.
	Point bool `json:"p,omitempty"`
	// Declared is set of a type that the module declares. One that it only implements a trait for may be another module's.
	Declared bool `json:"d,omitempty"`
	// Alias is set of another name for the one of its Bases.
	Alias bool `json:"a,omitempty"`
	// Methods are those that it declares itself, or asks for, sorted by name. A name that only its module may use has the
	// module before it. In their shapes, names are those of Use.String.
	Methods []Member `json:"m,omitempty"`
	// Bases are what it extends, implements or embeds. One outside of the repository has its import path for a module, and
	// "!" before it.
	Bases []Use `json:"b,omitempty"`
}

// String is the one spelling of a use within the shape of a method.
func (u Use) String() string { return "$" + u.Module + "#" + u.Name }

// outside marks the import path of what is not of the repository.
const outside = "!"

// NewShapes tells the shapes of the types of a module. The arguments are those of NewReferences.
func NewShapes(m Module, declared []Declared, resolvers map[string]Resolver, linker Linker) Shapes {
	f := newFollower(m, declared, resolvers, linker)
	shapes := Shapes{}
	for i := range m.Units {
		u := &m.Units[i]
		if u.File.Test {
			continue
		}
		f.enter(u)
		for j := range u.File.Symbols {
			f.shape(shapes, &u.File.Symbols[j])
		}
	}
	for name, s := range shapes {
		slices.SortStableFunc(s.Methods, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
		s.Methods = slices.CompactFunc(s.Methods, func(a, b Member) bool { return a.Name == b.Name })
		shapes[name] = s
	}
	return shapes
}

// Base is a type of a module with one of its bases.
type Base struct {
	Type string
	Of   Use
}

// Bases lists the named bases of types, of those in the repository: for each type in the order of the code.
func (s Shapes) Bases() []Base {
	var out []Base
	for _, name := range slices.Sorted(maps.Keys(s)) {
		for _, of := range s[name].Bases {
			if s[name].Named && s[name].Declared && !strings.HasPrefix(of.Module, outside) {
				out = append(out, Base{name, of})
			}
		}
	}
	return out
}

// Extends reports whether a class says that it extends something.
func Extends(s *Symbol) bool {
	return s.Kind == Class && len(basesOf(s)) > 0
}

// shape adds what a symbol says about a type.
func (f *follower) shape(shapes Shapes, s *Symbol) {
	name := f.prefix + s.Name
	if owner, trait, ok := implemented(s.Name); ok {
		of := shapes[f.prefix+owner]
		of.Named, of.Bases = true, append(of.Bases, f.baseUses(trait)...)
		shapes[f.prefix+owner] = of
		return
	}
	switch {
	case types[s.Kind]:
		of := shapes[name]
		of.Named = !f.rules.closed
		of.Interface = s.Kind == Interface && f.rules.closed
		of.Declared = true
		of.Point = of.Point || of.Interface || of.Named && Extendable(f.unit.File.Language, s)
		of.Alias = s.Kind == Type && strings.Contains(s.Signature, s.Name+" = ")
		for _, r := range s.Requires {
			of.Methods = append(of.Methods, f.required(r))
		}
		if f.rules.closed && s.Kind == Type && !of.Alias {
			shapes[name] = of // a type that is defined by another one has none of its methods
			return
		}
		for _, b := range basesOf(s) {
			of.Bases = append(of.Bases, f.scopedUses(parent(s.Name), b)...)
		}
		shapes[name] = of
	case Abstract(s):
		of := shapes[parent(name)]
		of.Point = true
		shapes[parent(name)] = of
	case s.Shape != "":
		of := shapes[parent(name)]
		of.Methods = append(of.Methods, f.required(Member{last(s.Name), s.Shape}))
		shapes[parent(name)] = of
	}
}

// required spells a method as other modules do.
func (f *follower) required(m Member) Member {
	if first, _ := utf8.DecodeRuneInString(m.Name); !unicode.IsUpper(first) {
		m.Name = f.module + "#" + m.Name
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(m.Shape, "$")
		b.WriteString(before)
		if !ok {
			m.Shape = b.String()
			return m
		}
		end := strings.IndexFunc(rest, func(c rune) bool { return c != '.' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if end < 0 {
			end = len(rest)
		}
		uses := f.baseUses(rest[:end])
		b.WriteString(uses[len(uses)-1].String())
		m.Shape = rest[end:]
	}
}

// scopedUses finds what a name of a type means in a namespace or a type, where code in it names the other members without it: what is
// declared in the innermost of these hides the rest.
func (f *follower) scopedUses(scope, name string) []Use {
	for ; scope != "" && f.rules.members; scope = parent(scope) {
		if i, ok := f.lookup(f.prefix, scope+"."+name); ok {
			return []Use{{f.module, f.declared[i].Name}}
		}
		if f.rules.paths != "" {
			continue // its scopes are types, and those are whole in one file
		}
		if found := named(f.through(scope + "." + name)); len(found) > 0 {
			return f.usesOf(found)
		}
	}
	return f.baseUses(name)
}

// baseUses finds what a name of a type means. What nothing tells keeps its name, outside of everything.
func (f *follower) baseUses(name string) []Use {
	if out := f.usesOf(f.base(name)); out != nil {
		return out
	}
	return []Use{{outside, name}}
}

// usesOf are the types that a name leads to.
func (f *follower) usesOf(found []destination) []Use {
	var out []Use
	for _, d := range found {
		switch {
		case d.node >= 0 && d.node < len(f.declared):
			out = append(out, Use{f.module, f.declared[d.node].Name})
		case d.node >= 0 || d.rest != "":
		case d.outside:
			out = append(out, Use{outside + d.away.Module, d.away.Name})
		default:
			out = append(out, d.away)
		}
	}
	return out
}
