package ecma

import "github.com/causaldocs/causal/knowledge/lazyregexp"

// scope is a file, a namespace or an ambient module.
type scope struct {
	end    int // its closing brace
	prefix string
	parent int // index of its symbol, -1 for the file
	// everything is exported unless an export statement lists the exports
	ambient bool
	listed  bool // has such a statement
}

// localExport is `export { local as outer }`, which may export any declaration in its scope.
type localExport struct {
	local, outer string
	scope, token int
}

// outline reads the statements of the file and its namespaces, with an explicit stack of scopes.
func (x *extractor) outline() {
	ambient := declarationFile.MatchString(x.path)
	x.scopes, x.open = []scope{{end: len(x.t), parent: -1, ambient: ambient}}, []int{0}
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

var declarationFile = lazyregexp.New(`[^/]\.d\.[cm]?ts$`)

func (x *extractor) enter(open int, name string, symbol int) {
	outer := x.scopes[x.current]
	end := int(x.t[open].match)
	x.scopes = append(x.scopes, scope{end: end, prefix: name + ".", parent: symbol, ambient: outer.ambient || x.ambient})
	x.open = append(x.open, len(x.scopes)-1)
}

// resolveExports determines which symbols are visible outside the file.
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
	x.resolveInstances()
	for i := range x.symbols {
		s := &x.symbols[i]
		if sc := x.scopes[s.scope]; sc.ambient && !sc.listed && !s.member {
			s.own = true
		}
		// holders precede their members
		s.Exported = s.own && !isComponent(x.path) && (s.parent < 0 || s.parent == i || x.symbols[s.parent].Exported)
	}
}
