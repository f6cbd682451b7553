package ecma

import "path"

// scope is a file, a namespace or an ambient module.
type scope struct {
	end    int // its closing brace
	prefix string
	parent int // index of its symbol, -1 for the file
	// ambient: everything is exported unless an export statement says what is.
	ambient bool
	listed  bool // it has such a statement
}

// localExport is `export { local as outer }`: it exports what is declared anywhere in its scope.
type localExport struct {
	local, outer string
	scope, token int
}

// outline reads the statements of the file and of its namespaces; nesting is kept in a list of open scopes.
func (x *extractor) outline() {
	ambient := isDeclarationFile(x.path)
	x.scopes = append(x.scopes[:0], scope{end: len(x.t), parent: -1, ambient: ambient})
	x.open = append(x.open[:0], 0)
	for i := 0; len(x.open) > 0; {
		x.current = x.open[len(x.open)-1]
		s := x.scopes[x.current]
		if i >= s.end {
			x.open = x.open[:len(x.open)-1]
			i = s.end + 1
			continue
		}
		next := x.statement(i)
		i = max(next, i+1)
	}
	x.resolveExports()
}

func isDeclarationFile(name string) bool {
	base := path.Base(name)
	for _, ending := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if len(base) > len(ending) && base[len(base)-len(ending):] == ending {
			return true
		}
	}
	return false
}

// enter opens the scope whose braces start at open.
func (x *extractor) enter(open int, name string, symbol int) {
	outer := x.scopes[x.current]
	end := int(x.t[open].match)
	x.scopes = append(x.scopes, scope{end: end, prefix: name + ".", parent: symbol, ambient: outer.ambient || x.ambient})
	x.open = append(x.open, len(x.scopes)-1)
}

// resolveExports decides which symbols code outside of the file may name.
func (x *extractor) resolveExports() {
	for _, e := range x.exports {
		i, declared := x.index[x.scopes[e.scope].prefix+e.local]
		if declared {
			s := &x.symbols[i]
			s.Renamed = e.local != e.outer && (!s.own || s.Renamed)
			s.own = true
		}
		if !declared || e.local != e.outer {
			x.current = e.scope
			x.reexport(e.outer, e.local, exportSignature(e.local, e.outer), e.token)
		}
	}
	x.objectMembers()
	for i := range x.symbols {
		s := &x.symbols[i]
		s.Refs = sortedUnique(s.Refs)
		if sc := x.scopes[s.scope]; sc.ambient && !sc.listed && !s.member {
			s.own = true
		}
		// a holder always comes before what it holds
		s.Exported = s.own && (s.parent < 0 || s.parent == i || x.symbols[s.parent].Exported)
	}
}
