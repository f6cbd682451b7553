package source

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shapes maps the types of a module by name to the data for finding implementations.
type Shapes map[string]Shape

// Shape describes one type.
type Shape struct {
	// Interface marks a type that others implement by having its Methods.
	Interface bool `json:"i,omitempty"`
	// Named marks a type with declared implementations; Methods do not matter.
	Named bool `json:"n,omitempty"`
	// Point marks a type meant to be implemented or extended: an interface, a trait, an abstract class.
	Point bool `json:"p,omitempty"`
	// Declared marks a type that the module declares. Otherwise the module only implements a trait for it.
	Declared bool `json:"d,omitempty"`
	// Alias marks an alias of the only base.
	Alias bool `json:"a,omitempty"`
	// Methods are the type's own or required methods, sorted by name. Unexported names are prefixed with the module.
	// Names in method shapes have the form of Use.String.
	Methods []Member `json:"m,omitempty"`
	// Bases are extended, implemented or embedded types. A type outside the repository has "!" and its import path as
	// module.
	Bases []Use `json:"b,omitempty"`
}

// String returns the form of a use in a method's shape.
func (u Use) String() string { return "$" + u.Module + "#" + u.Name }

const outside = "!"

// NewShapes returns the shapes of a module's types. The arguments are those of NewReferences.
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

// Base is a base type of a module's type.
type Base struct {
	Type string
	Of   Use
}

// Bases lists the declared bases in the repository, by type in name order and by base in code order.
func (s Shapes) Bases() []Base {
	var out []Base
	for _, name := range slices.Sorted(maps.Keys(s)) {
		for _, of := range s[name].Bases {
			if s[name].Declared && !strings.HasPrefix(of.Module, outside) {
				out = append(out, Base{name, of})
			}
		}
	}
	return out
}

// Extends reports whether a type has a declared base whose members it inherits.
func Extends(s *Symbol) bool {
	return (s.Kind == Class || s.Kind == Interface || s.Bases != nil && types[s.Kind]) && len(basesOf(s)) > 0
}

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
		of.Named = !f.rules.Closed
		of.Interface = s.Kind == Interface && f.rules.Closed
		of.Declared = true
		of.Point = of.Point || of.Interface || of.Named && Extendable(f.unit.File.Language, s)
		of.Alias = s.Kind == Type && strings.Contains(s.Signature, s.Name+" = ")
		for _, r := range s.Requires {
			of.Methods = append(of.Methods, f.required(r))
		}
		if f.rules.Closed && s.Kind == Type && !of.Alias {
			shapes[name] = of
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

// required converts a method to the module-independent form.
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

// scopedUses resolves a type name in a namespace or type whose code can name other members without a selector: the
// innermost declaration shadows the rest.
func (f *follower) scopedUses(scope, name string) []Use {
	for ; scope != "" && f.rules.Members; scope = parent(scope) {
		if i, ok := f.lookup(f.prefix, scope+"."+name); ok {
			return []Use{{f.module, f.declared[i].Name}}
		}
		if f.rules.Paths != "" {
			continue
		}
		if found := named(f.through(scope + "." + name)); len(found) > 0 {
			return f.usesOf(found)
		}
	}
	return f.baseUses(name)
}

func (f *follower) baseUses(name string) []Use {
	if out := f.usesOf(f.base(name)); out != nil {
		return out
	}
	return []Use{{outside, name}}
}

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
