package source

import (
	"cmp"
	"slices"
	"strings"
)

// References are where the names lead that the declarations of one module use: to each other, into other modules of the
// repository, and out of it. They are made when somebody asks and kept by nobody: what there is to remember of a module
// are its Crossings.
type References struct {
	module   string
	declared []Declared
	byName   map[string]int
	linker   Linker
	handlers map[int]bool // the declarations that routes lead to
	effects  []Effect     // of what each declaration uses itself
	ends     map[int]bool // the functions that end the program
	// links are those of each node. The nodes are the declarations by their numbers, then the code outside of them, then
	// one for each name that members have in common, which an open selection leads to.
	links   [][]tie
	graph   digraph
	digests func() []Digest // of what each declaration reaches, once somebody asks for one
	// incoming is links the other way round, once somebody asks for callers.
	incoming func() *incoming
}

// incoming are the references that lead to each node, and the nodes of the names that each declaration has in common with others.
type incoming struct {
	from   [][]origin
	common [][]int
}

// origin is where a reference is: its node, and which of its links it is.
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

// Referred is one thing that code names, with the first place.
type Referred struct {
	// Module is the directory of the module in the repository, and Name what its declarations call it there: "*" or
	// "file.*" where it cannot be told. With Outside, Module is the import path as written.
	Module  string
	Name    string
	Outside bool
	Kind    RefKind
	// Certain is false of what may be meant: any member of the name that is selected, where the type is not known, or where
	// it may be overridden.
	Certain bool
	Path    string // of the file that names it
	Line    int
}

// Crossing is a use of another module of the repository, as little of it as has to be remembered to find the callers of a
// declaration across modules.
type Crossing struct {
	From string `json:"f,omitempty"` // the declaration that uses it; empty for code outside of declarations
	// Module and Name are as in Referred. Without a Module, a member of that name is selected from a value whose type is not
	// known: it may be one of any module that From's rests on, however far.
	Module  string  `json:"m,omitempty"`
	Name    string  `json:"n"`
	Kind    RefKind `json:"k"`
	Certain bool    `json:"c,omitempty"`
	Path    string  `json:"p"` // of the file that uses it
	Line    int     `json:"l"`
}

// tie is one reference of a node: to another node, or else to something of another module.
type tie struct {
	node int // -1 when it is none of this module
	away Use
	// outside is set of what is not of the repository; open of the selection of away.Name from a value of any type; passing of what
	// the other module only passes on, or is a module itself, or a type.
	outside, open, passing bool
	kind                   RefKind
	certain                bool
	path                   string
	line                   int
	order                  int
	apart                  bool // from the course of what it is a reference of
}

// NewReferences follows what the declarations of a module, as its Declarations lists them, and the code around them name.
// Where imports lead is asked of the resolvers by language and of the linker, which has to know the module itself as well.
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

// Of lists what a declaration names, sorted; of the code outside of declarations with an empty name.
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

// Callers lists the declarations of the module that name a declaration of it, in the same form: Module and Name are those of
// the one that names it.
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

// Body digests what a declaration does, whatever is said of it, and everything in its module that it reaches through what code names,
// certainly or possibly. What reaches it through other modules, and what a library calls back, is not seen.
func (r *References) Body(name string) (Digest, bool) {
	i, ok := r.byName[name]
	if !ok {
		return "", false
	}
	return r.digests()[i], true
}

// Reached lists what a declaration, and everything in its module that it reaches as Body has it, names outside of the module, sorted; and
// the declarations that are reached, itself among them, by name. False when there is no such declaration.
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

// Crossings lists the uses of other modules of the repository, sorted.
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

// toDeclared makes a reference lead to a declaration of the module.
func (r *References) toDeclared(one Referred, i int) Referred {
	one.Module, one.Name = r.module, r.declared[i].Name
	return one
}

// SortReferred sorts what is referred to by name, and keeps of equals the one that is certain, or stands first.
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
