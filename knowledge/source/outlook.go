package source

import (
	"path"
	"strings"
)

// Outlook resolves references from outside code to the declarations of a module.
type Outlook struct{ *follower }

// Seen is a certain reference from outside code to a declaration, given by its number.
type Seen struct {
	Declared int
	Reference
	// End is the last line of the name's scope; 0 for the end of the file.
	End int
}

// NewOutlook returns the Outlook of a module. declared is the result of Declarations; resolvers and linker are as in
// NewReferences.
func NewOutlook(m Module, declared []Declared, resolvers map[string]Resolver, linker Linker) Outlook {
	return Outlook{newFollower(m, declared, resolvers, linker)}
}

// Names lists the certain references of a file to the module, through imports or the language's implicit scope. The
// file's own declarations shadow names.
func (o Outlook) Names(u *Unit) []Seen {
	o.enter(u)
	own := map[string]bool{}
	for i := range u.File.Symbols {
		own[first(u.File.Symbols[i].Name)] = true
	}
	var out []Seen
	see := func(list []Reference, end int) {
		for _, r := range list {
			if r.Open || own[first(r.Name)] {
				continue
			}
			for _, i := range o.meant(u, beginning(r.Name)) {
				out = append(out, Seen{i, r, end})
			}
		}
	}
	for i := range u.File.Symbols {
		see(u.File.Symbols[i].Body, u.File.Symbols[i].End)
	}
	see(u.File.Body, 0)
	return out
}

// References returns all references of the file, inside and outside declarations.
func (f *File) References() []Reference {
	var out []Reference
	for i := range f.Symbols {
		out = append(out, f.Symbols[i].Body...)
	}
	return append(out, f.Body...)
}

func (o Outlook) meant(u *Unit, name string) []int {
	if !u.File.Scoped && !o.rules.Modules && path.Dir(u.Path) == o.module {
		if i, rest, ok := o.within("", name); ok {
			return o.selected(i, rest)
		}
	}
	var out []int
	for _, d := range o.through(name) {
		if d.certain && !d.outside && d.node >= 0 && d.node < len(o.declared) {
			out = append(out, o.selected(d.node, d.rest)...)
		}
	}
	return out
}

func (o Outlook) selected(i int, rest string) []int {
	if rest == "" {
		return []int{i}
	}
	if member, ok := o.lookup(o.declared[i].Name+".", first(rest)); ok {
		return []int{member}
	}
	return nil
}

// Looks reports whether imports of a file lead to the module, directly or through re-exports.
func (o Outlook) Looks(u *Unit) bool {
	r := o.resolvers[u.File.Language]
	if r == nil {
		return false
	}
	left := mostPassed
	for i := range u.File.Imports {
		for _, use := range o.linker.uses("", r.Resolve(u.Path, u.File.Imports[i]), &left) {
			if use.Module == o.module {
				return true
			}
		}
	}
	return !u.File.Scoped && !TraitsOf(u.File.Language).Resolution.Modules && path.Dir(u.Path) == o.module
}

// Binds returns the import that binds the first element of a name, and the name in the imported module's terms:
// without the first element if the import binds the whole module.
func (f *File) Binds(name string) (imp *Import, member string, whole, ok bool) {
	local, rest, _ := strings.Cut(name, ".")
	for i := range f.Imports {
		imp := &f.Imports[i]
		for _, n := range imp.Names {
			if imp.As == "" && (n.As == local || n.As == "" && n.Name == local) {
				return imp, strings.TrimSuffix(n.Name+"."+rest, "."), false, true
			}
		}
		bound := imp.As
		if bound == "" {
			bound = imp.Path[strings.LastIndexAny(imp.Path, "/.:")+1:]
		}
		if bound == local {
			return imp, rest, true, true
		}
	}
	return nil, name, false, false
}
