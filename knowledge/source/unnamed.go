package source

import "slices"

// The kinds of File.Unnamed: code without a declaration at which a flow may start. Only Name, Kind, Line, End, Body and
// Nests are set. The name is the kind, a space, and the base name of the file, the name of the command, or that of the route
// as in its Fact.
const (
	Script Kind = "program" // the statements of a file that runs as a program
	Action Kind = "command" // a function literal that runs a command
	Answer Kind = "route"   // a function literal that handles a route
)

// IsUnnamed reports whether k is a kind of code without a declaration.
func (k Kind) IsUnnamed() bool { return k == Script || k == Action || k == Answer }

// UnnamedName is the name of code without a declaration, in its file.
func UnnamedName(k Kind, of string) string { return string(k) + " " + of }

// WithUnnamed adds the code without a declaration to the declarations of a module. Of several of one name in a module, it
// adds the first.
func (m Module) WithUnnamed(declared []Declared) []Declared {
	out, taken := slices.Clip(declared), map[string]bool{}
	for i := range m.Units {
		u := &m.Units[i]
		for j := range u.File.Unnamed {
			s := &u.File.Unnamed[j]
			if name := Prefix(u.Path, u.File.Scoped) + s.Name; !taken[name] && !u.File.Test {
				taken[name] = true
				out = append(out, Declared{Symbol: s, Name: name, Path: u.Path})
			}
		}
	}
	return out
}

// Flows returns the flows of a module, see [References.Flows].
func Flows(m Module, declared []Declared, resolvers map[string]Resolver, linker Linker) []Flow {
	return NewReferences(m, m.WithUnnamed(declared), resolvers, linker).Flows()
}

// begins reports whether a program begins with the declaration.
func (d *Declared) begins() bool { return d.Kind == Script || last(d.Name) == "main" }
