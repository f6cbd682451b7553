package python

import (
	"slices"

	"github.com/causaldocs/causal/testgen"
)

// origins are those of arguments, most informative first.
var origins = []string{testgen.FromDoc, testgen.FromTest, testgen.FromLiteral, testgen.FromModel, testgen.FromBoundary}

// taste takes documented results first.
var taste = &testgen.Taste{
	Origins: origins,
	Weights: map[string]int{testgen.FromDoc: 30, testgen.FromTest: 24, testgen.FromLiteral: 18, testgen.FromModel: 12, testgen.FromBoundary: 6},
	Errors:  1, Documented: 100, Text: 12, Most: 16, Alone: testgen.MostCases,
	More: []testgen.More{{Most: 3, Fits: func(o *testgen.Option) bool { return !o.Sight.Want.Error }}}, // a second value of a class shows what one may hide
	Sort: func(a, b *testgen.Option) int { return slices.Index(origins, a.From) - slices.Index(origins, b.From) },
}

// Look implements testgen.Plan.
func (*Plan) Look(c *testgen.Call) (see testgen.Sight) {
	o := c.Runs[0].(*Outcome)
	see.Want, see.Raises, see.Reason = o.want()
	see.Breaks = see.Want == nil && o.Raised != "" // invalid input without a documented exception
	see.Silent, see.Shows = see.Breaks, o.Lines
	return see
}
