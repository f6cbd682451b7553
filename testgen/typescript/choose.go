package typescript

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// origins are those of arguments, most informative first.
var origins = []string{testgen.FromDoc, testgen.FromTest, testgen.FromLiteral, testgen.FromModel, testgen.FromBoundary}

var taste = &testgen.Taste{
	Origins: origins,
	Weights: map[string]int{testgen.FromDoc: 15, testgen.FromTest: 12, testgen.FromLiteral: 9, testgen.FromModel: 6, testgen.FromBoundary: 3},
	Errors:  1, Documented: 40, Text: 20, Most: 8, Alone: testgen.MostCases, Tried: true,
	More: []testgen.More{{Most: 3, Fits: func(*testgen.Option) bool { return true }}}, // a second value of a class shows what one may hide
}

// Look implements testgen.Plan.
func (p *Plan) Look(c *testgen.Call) testgen.Sight {
	o := c.Runs[0].(*Outcome)
	if !o.Made {
		return testgen.Sight{Unmade: true, Breaks: o.Failed, Reason: "its arguments cannot be made"}
	}
	see := testgen.Sight{Breaks: o.Failed, Accident: o.Crashed(), Shows: o.Blocks, Holds: o.Laws}
	if see.Want, see.Reason = p.Want(o); see.Want != nil {
		see.Class = classOf(see.Want)
	}
	return see
}

// classOf returns a coarse class of a result, such as an error or an empty list.
func classOf(w *spec.Want) string {
	if w.Error {
		return "error"
	}
	parts := make([]string, len(w.Values))
	for i, v := range w.Values {
		parts[i] = valueClass(v.Value)
	}
	return strings.Join(parts, " ")
}

func valueClass(v spec.Value) string {
	switch x := v.(type) {
	case bool:
		return fmt.Sprint(x)
	case int64:
		return fmt.Sprint("int", x < 0, len(strings.TrimPrefix(strconv.FormatInt(x, 10), "-")))
	case float64:
		return fmt.Sprint("float", x < 0, x != x)
	case string:
		return fmt.Sprint("text", min(len(x)/4, 3), x != strings.ToLower(x), strings.ContainsAny(x, "0123456789"), strings.ContainsFunc(x, odd))
	case []spec.Value:
		return fmt.Sprint("list", min(len(x), 3))
	case map[string]spec.Value:
		return fmt.Sprint("map", min(len(x), 3), tagged(x))
	}
	return "null"
}

func odd(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
