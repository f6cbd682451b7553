package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// edge is an import with the data needed to find its uses.
type edge struct {
	source.Import
	end        int // last line
	outer      bool
	module     bool // binds a module, not its names
	local      string
	alias      string          // of a module, "" without `as`
	asItself   bool            // import x as x
	themselves map[string]bool // local names of `from m import x as x`
	rest       []string        // import a.b.c binds a; these are b and c
	used       map[string]bool // members selected from the binding
}

func (x *reader) importStatement(from, to int) {
	s := x.top()
	e := edge{outer: s.place == inModule}
	e.Line, e.end = int(x.toks[from].line), int(x.toks[to-1].line)
	if x.is(from, to, "import") {
		x.importModules(e, from+1, to)
	} else {
		x.importNames(e, from+1, to)
	}
	for i := from; i < to; i++ {
		if x.toks[i].kind != str {
			x.toks[i].kind = imported
		}
	}
}

func (x *reader) dotted(i, to int) (string, int) {
	start := i
	for i < to && (x.toks[i].kind == name || x.is(i, to, ".") || x.is(i, to, "...")) {
		if i > start && x.toks[i].kind == name && x.toks[i-1].kind == name {
			break
		}
		i++
	}
	if i == start {
		return "", i
	}
	if path := x.src[x.toks[start].start:x.toks[i-1].end]; !strings.ContainsAny(path, " \t\\\n\f#") {
		return valid(path), i
	}
	var b strings.Builder
	for j := start; j < i; j++ {
		b.WriteString(x.text(j))
	}
	return valid(b.String()), i
}

func (x *reader) as(i, to int) (string, int) {
	if x.is(i, to, "as") && x.isName(i+1, to) {
		return valid(x.text(i + 1)), i + 2
	}
	return "", i
}

func (x *reader) importModules(e edge, i, to int) {
	if i == to {
		x.problem.Report(int32(e.Line), "expected a module name")
	}
	for i < to {
		one := e
		one.module = true
		one.Path, i = x.dotted(i, to)
		one.alias, i = x.as(i, to)
		if one.Path == "" || i < to && !x.is(i, to, ",") {
			x.problem.Report(int32(e.Line), "expected a module name")
			return
		}
		i++
		one.local, one.asItself = one.alias, one.alias == one.Path
		if one.alias == "" {
			segments := strings.Split(one.Path, ".")
			one.local, one.rest = segments[0], segments[1:]
		}
		x.imports = append(x.imports, one)
	}
}

func (x *reader) importNames(e edge, i, to int) {
	e.Path, i = x.dotted(i, to)
	if e.Path == "" || !x.is(i, to, "import") {
		x.problem.Report(int32(e.Line), "expected 'import'")
		return
	}
	for i++; i < to; i++ {
		switch {
		case x.is(i, to, "*"):
			e.All = true
		case x.isName(i, to):
			n := source.Name{Name: valid(x.text(i))}
			n.As, i = x.as(i+1, to)
			i--
			if n.As == n.Name {
				n.As = ""
				if e.themselves == nil {
					e.themselves = map[string]bool{}
				}
				e.themselves[n.Name] = true
			}
			e.Names = append(e.Names, n)
		}
	}
	x.imports = append(x.imports, e)
}

type binding struct {
	edges  []int  // imports that bind a module to it
	module string // for a name: its module
	member string // for a name: its name in that module
}

// maxEdges bounds the imports with the same local name whose uses are distinguished.
const maxEdges = 64

func (x *reader) bindings() map[string]*binding {
	out := make(map[string]*binding, len(x.imports))
	for i := range x.imports {
		e := &x.imports[i]
		if e.module {
			b := out[e.local]
			if b == nil {
				b = &binding{}
				out[e.local] = b
			}
			b.edges, b.member = append(b.edges, i), ""
			if b.module = e.local; e.alias != "" {
				b.module = e.Path
			}
			continue
		}
		for _, n := range e.Names {
			local := cmp.Or(n.As, n.Name)
			if b := out[local]; b != nil {
				b.module, b.member = e.Path, n.Name
				continue
			}
			out[local] = &binding{module: e.Path, member: n.Name}
		}
	}
	for _, b := range out {
		if len(b.edges) > maxEdges {
			for _, i := range b.edges {
				x.imports[i].All = true
			}
			b.edges = b.edges[:1]
		}
	}
	return out
}

// use records a use of a module binding; chain holds the tokens of the selected members.
func (x *reader) use(b *binding, chain []token) {
	matched := false
	for _, i := range b.edges {
		e := &x.imports[i]
		n := x.agree(e.rest, chain)
		switch {
		case n == len(chain):
			e.All, matched = true, true
		case n == len(e.rest):
			e.reach(x.tokenText(chain[n]))
			matched = true
		}
	}
	if !matched {
		x.reachAbove(b, chain)
	}
}

// reachAbove records the use of a member of a package above the imported module: import a.b.c, then a.x.
func (x *reader) reachAbove(b *binding, chain []token) {
	best, depth := -1, -1
	for _, i := range b.edges {
		if n := x.agree(x.imports[i].rest, chain); n > depth {
			best, depth = i, n
		}
	}
	e := x.imports[best]
	above := edge{Import: source.Import{Line: e.Line, Guard: e.Guard}, module: true, local: e.local, rest: e.rest[:depth]}
	above.Path = strings.Join(append([]string{e.local}, above.rest...), ".")
	above.reach(x.tokenText(chain[depth]))
	b.edges = append(b.edges, len(x.imports))
	x.imports = append(x.imports, above)
}

func (x *reader) agree(path []string, chain []token) int {
	n := 0
	for n < len(path) && n < len(chain) && x.tokenText(chain[n]) == path[n] {
		n++
	}
	return n
}

func (x *reader) tokenText(t token) string { return x.src[t.start:t.end] }

func (e *edge) reach(member string) {
	if e.used == nil {
		e.used = map[string]bool{}
	}
	if !e.used[member] {
		e.used[valid(member)] = true
	}
}

func (x *reader) finalImports() []source.Import {
	if len(x.imports) == 0 {
		return nil
	}
	out := make([]source.Import, 0, len(x.imports))
	for i := range x.imports {
		e := &x.imports[i]
		if e.module && e.alias != e.Path[strings.LastIndexByte(e.Path, '.')+1:] {
			e.As = e.alias
		}
		if e.module && !e.All {
			for member := range e.used {
				e.Names = append(e.Names, source.Name{Name: member})
			}
		}
		slices.SortFunc(e.Names, func(a, b source.Name) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.As, b.As))
		})
		e.Names = slices.Compact(e.Names)
		out = append(out, e.Import)
	}
	slices.SortStableFunc(out, func(a, b source.Import) int { return a.Line - b.Line })
	return out
}
