package golang

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// constructor returns the cheapest function of the package that makes values of a type, takes only plain values itself,
// and is deterministic.
func (p *Package) constructor(t *Type) *Constructor {
	if p.constructors == nil {
		p.constructors = p.findConstructors()
	}
	return p.constructors[t.Text]
}

func (p *Package) findConstructors() map[string]*Constructor {
	out := map[string]*Constructor{}
	for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
		f := p.funcs[name]
		if f.decl.Recv != nil || !ast.IsExported(name) || f.decl.Type.TypeParams != nil || f.limited != "" || strings.HasPrefix(name, "Must") {
			continue
		}
		r := &resolver{of: p, args: map[string]*Type{}}
		s := signatureOf(p, f, r)
		if len(s.Results) != 1 || r.err != nil || s.Results[0].Path != "" || !s.Results[0].nameable() || s.Results[0].visible() {
			continue
		}
		if s.Results[0].Kind != Pointer && s.Results[0].Name == "" || s.Results[0].Kind == Handler {
			continue
		}
		if slices.ContainsFunc(s.Params, func(in Param) bool {
			return !in.Type.visible() && in.Type.Kind != Reader && in.Type.Kind != Context && !(in.Type.Kind == Struct && open(in.Type) && in.Type.nameable())
		}) {
			continue
		}
		if _, reason, _, err := p.follow(name); err != nil || reason != "" {
			continue
		}
		c := &Constructor{name, s}
		if best := out[s.Results[0].Text]; best == nil || rank(c) < rank(best) {
			out[s.Results[0].Text] = c
		}
	}
	return out
}

// rank prefers New and Parse, and constructors of one input over those without any, which always return the same.
func rank(c *Constructor) int {
	n := 2 * len(c.Params)
	if len(c.Params) == 0 {
		n = 5
	}
	if !strings.HasPrefix(c.Name, "New") && !strings.HasPrefix(c.Name, "Parse") {
		n++
	}
	return n
}
