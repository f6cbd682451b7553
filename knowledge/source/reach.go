package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// References holds the resolved references of a module's declarations: to each other, to other modules and out of the
// repository. They are computed on demand; only the Crossings are cached.
type References struct {
	module    string
	declared  []Declared
	byName    map[string]int
	linker    Linker
	handlers  map[int]bool
	effects   []Effect
	ends      map[int]bool
	outlets   map[int][]control.Branch // those of external effects, by declaration
	elsewhere map[string]bool          // files that the usual platform does not build
	runs      []bool                   // see Symbol.runs, by declaration
	// links has the references of each node: the declarations by number, the code outside declarations, then one node
	// per shared member name for open selections.
	links   [][]tie
	graph   digraph
	digests func() []Digest // of everything reachable; computed on first use
	// incoming holds the reverse links; computed on first use.
	incoming func() *incoming
}

type incoming struct {
	from   [][]origin
	common [][]int
}

type origin struct{ node, link int }

func (r *References) reverse() *incoming {
	in := &incoming{from: make([][]origin, len(r.links)), common: make([][]int, len(r.declared))}
	for node, links := range r.links {
		for i, l := range links {
			if l.node >= 0 {
				in.from[l.node] = append(in.from[l.node], origin{node, i})
			}
		}
		if node > len(r.declared) {
			for _, to := range r.graph.edges[node] {
				in.common[to] = append(in.common[to], node)
			}
		}
	}
	return in
}

// Referred is the first reference to one name.
type Referred struct {
	// Module is the module's directory and Name the name there: "*" or "file.*" if it is unknown. With Outside,
	// Module is the import path as written.
	Module  string
	Name    string
	Outside bool
	Kind    RefKind
	// Certain is false for a candidate only: a selection from a value of unknown type, or a member that may be
	// overridden.
	Certain bool
	Path    string // of the referring file
	Line    int
}

// Crossing is a use of another module, reduced to the data for finding callers across modules.
type Crossing struct {
	From string `json:"f,omitempty"` // the referring declaration; empty for code outside declarations
	// Module and Name are as in Referred. Without a Module, it is a selection from a value of unknown type: a member
	// of any module that From's module depends on, directly or indirectly.
	Module  string  `json:"m,omitempty"`
	Name    string  `json:"n"`
	Kind    RefKind `json:"k"`
	Certain bool    `json:"c,omitempty"`
	Path    string  `json:"p"` // of the referring file
	Line    int     `json:"l"`
}

// tie is a reference from a node to another node or another module.
type tie struct {
	node int // -1 for another module
	away Use
	// outside marks a target outside the repository, open a selection of away.Name from a value of any type, and
	// passing a target that is a re-export, a module or a type.
	outside, open, passing bool
	kind                   RefKind
	certain                bool
	line                   int
	order                  int
	branch                 control.Branch
	*referrer
}

// referrer is the code that has references.
type referrer struct {
	path  string
	nests []control.Nest
}

// NewReferences resolves the references of a module. declared is the result of Declarations; linker must also know
// the module itself.
func NewReferences(m Module, declared []Declared, resolvers map[string]Resolver, linker Linker) *References {
	f := newFollower(m, declared, resolvers, linker)
	for _, step := range []func(*Unit){f.rest, f.follow} {
		for i := range m.Units {
			if u := &m.Units[i]; !u.File.Test {
				step(u)
			}
		}
	}
	return f.finish()
}

// Of lists the references of a declaration, sorted; an empty name means code outside declarations.
func (r *References) Of(name string) []Referred {
	from, ok := r.node(name)
	if !ok {
		return nil
	}
	var out []Referred
	for _, l := range r.links[from] {
		one := Referred{l.away.Module, l.away.Name, l.outside, l.kind, l.certain, l.path, l.line}
		switch {
		case l.open:
		case l.node < 0:
			out = append(out, one)
		case l.node < len(r.declared):
			out = append(out, r.toDeclared(one, l.node))
		default:
			for _, to := range r.graph.edges[l.node] {
				out = append(out, r.toDeclared(one, to))
			}
		}
	}
	return SortReferred(out)
}

// Callers lists the module's declarations that reference a declaration; Module and Name are those of the referring
// one.
func (r *References) Callers(name string) []Referred {
	target, ok := r.byName[name]
	if !ok {
		return nil
	}
	var out []Referred
	in := r.incoming()
	for _, to := range append([]int{target}, in.common[target]...) {
		for _, o := range in.from[to] {
			l := r.links[o.node][o.link]
			one := Referred{Module: r.module, Kind: l.kind, Certain: l.certain, Path: l.path, Line: l.line}
			if o.node < len(r.declared) {
				one.Name = r.declared[o.node].Name
			}
			out = append(out, one)
		}
	}
	return SortReferred(out)
}

// Body digests the code, without documentation, of a declaration and everything in its module that it reaches,
// certainly or possibly. It does not follow calls through other modules or callbacks from libraries.
func (r *References) Body(name string) (Digest, bool) {
	i, ok := r.byName[name]
	if !ok {
		return "", false
	}
	return r.digests()[i], true
}

// Reached lists the outside references of a declaration and everything in the module that it reaches, sorted, and the
// names of these declarations, including its own; false if there is no such declaration.
func (r *References) Reached(name string) (outside []Referred, within []string, there bool) {
	first, ok := r.byName[name]
	if !ok {
		return nil, nil, false
	}
	seen, todo := map[int]bool{first: true}, []int{first}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if node < len(r.declared) {
			within = append(within, r.declared[node].Name)
		}
		for _, l := range r.links[node] {
			if l.node < 0 && !l.open {
				outside = append(outside, Referred{l.away.Module, l.away.Name, l.outside, l.kind, l.certain, l.path, l.line})
			}
		}
		for _, to := range r.graph.edges[node] {
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
	slices.Sort(within)
	return SortReferred(outside), within, true
}

// Crossings lists the uses of other modules, sorted.
func (r *References) Crossings() []Crossing {
	var out []Crossing
	for from := range r.links[:len(r.declared)+1] {
		name := ""
		if from < len(r.declared) {
			name = r.declared[from].Name
		}
		for _, l := range r.links[from] {
			if l.node < 0 && !l.outside && l.away.Module != r.module {
				out = append(out, Crossing{name, l.away.Module, l.away.Name, l.kind, l.certain, l.path, l.line})
			}
		}
	}
	slices.SortFunc(out, func(a, b Crossing) int {
		return cmp.Or(strings.Compare(a.Module, b.Module), strings.Compare(a.Name, b.Name), strings.Compare(a.From, b.From),
			strings.Compare(string(a.Kind), string(b.Kind)), falseFirst(b.Certain, a.Certain),
			strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(out, func(a, b Crossing) bool {
		return a.Module == b.Module && a.Name == b.Name && a.From == b.From && a.Kind == b.Kind
	})
}

func (r *References) node(name string) (int, bool) {
	if name == "" {
		return len(r.declared), true
	}
	i, ok := r.byName[name]
	return i, ok
}

func (r *References) toDeclared(one Referred, i int) Referred {
	one.Module, one.Name = r.module, r.declared[i].Name
	return one
}

// SortReferred sorts references by name and removes duplicates, preferring certain and earlier ones.
func SortReferred(list []Referred) []Referred {
	same := func(a, b *Referred) int {
		return cmp.Or(strings.Compare(a.Module, b.Module), strings.Compare(a.Name, b.Name), falseFirst(a.Outside, b.Outside),
			strings.Compare(string(a.Kind), string(b.Kind)))
	}
	slices.SortFunc(list, func(a, b Referred) int {
		return cmp.Or(same(&a, &b), falseFirst(b.Certain, a.Certain), strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(list, func(a, b Referred) bool { return same(&a, &b) == 0 })
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
