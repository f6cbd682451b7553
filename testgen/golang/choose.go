package golang

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// origins are those of arguments, most informative first.
var origins = []string{testgen.FromDoc, testgen.FromTest, testgen.FromResult, testgen.FromPackage, testgen.FromLiteral, testgen.FromModel, testgen.FromBoundary}

// taste prefers calls that people wrote. An error is worth less: it mostly matters next to successful results.
var taste = &testgen.Taste{
	Origins: origins,
	Weights: map[string]int{
		testgen.FromDoc: 40, testgen.FromTest: 32, testgen.FromResult: 24, testgen.FromPackage: 20, testgen.FromLiteral: 12, testgen.FromModel: 8,
	},
	Errors: 4, Trivial: 6, Text: 8, Most: 40, Alone: 3, Promised: 3, Prunes: true,
	More: []testgen.More{
		{Most: 4, Fits: func(o *testgen.Option) bool { return o.From == testgen.FromDoc }},
		{Most: 2, Fits: func(*testgen.Option) bool { return true }}, // one value alone may hide a behaviour
	},
	Sort: func(a, b *testgen.Option) int {
		switch {
		case a.Sight.Want.Error == b.Sight.Want.Error:
			return cmp.Compare(slices.Index(origins, a.From), slices.Index(origins, b.From))
		case a.Sight.Want.Error:
			return 1
		}
		return -1
	},
}

// Look implements testgen.Plan.
func (p *Plan) Look(c *testgen.Call) testgen.Sight {
	o := c.Runs[0].(*Outcome)
	see := testgen.Sight{Kills: o.Kills, Unmade: !o.Made, Breaks: o.Made && o.Panic != ""}
	for _, b := range o.Blocks {
		see.Shows = append(see.Shows, strconv.Itoa(b))
	}
	panicked := testgen.OneLine(o.Panic, 120)
	switch {
	case see.Unmade:
		see.Reason = "its arguments cannot be made: " + panicked
	case see.Breaks: // values made by a constructor should not cause a panic
		see.Reason, see.Silent = "it panics: "+panicked, !constructed(c.Args) || p.promised()
	default:
		see.Want, see.Reason = p.Want(o)
		see.Silent = p.opaque() // a plan with opaque results reports this already
	}
	return see
}

// opaque reports whether the function has a result that cannot be compared, other than its error.
func (p *Plan) opaque() bool {
	return slices.ContainsFunc(p.Outputs(), func(t *Type) bool { return !t.result() && t.Kind != Any })
}

// promised reports whether the function is documented, or named, to panic.
func (p *Plan) promised() bool {
	return strings.HasPrefix(testgen.LastName(p.Spec.Symbol), "Must") || strings.Contains(p.Doc, "panic")
}

func constructed(args []spec.Typed) bool {
	for _, a := range args {
		if m, ok := a.Value.(map[string]spec.Value); ok && m[spec.CallKey] != nil {
			return true
		}
	}
	return false
}
