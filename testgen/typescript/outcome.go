package typescript

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Outcome is the outcome of a call, as the recorder writes it.
type Outcome struct {
	testgen.RunInfo

	Value  json.RawMessage `json:"r,omitempty"`
	Odd    string          `json:"n,omitempty"` // why the value has no literal form
	Late   bool            `json:"a,omitempty"` // it returned a promise
	Failed bool            `json:"e,omitempty"`
	Said   string          `json:"p,omitempty"` // the text of the error
	Blocks []string        `json:"b,omitempty"` // reached
	Laws   []bool          `json:"l,omitempty"` // which laws of the plan hold for its arguments; empty if none was tried
}

// crash matches the errors of Node.js for programming mistakes.
var crash = lazyregexp.New(`^(TypeError: (Cannot |Reduce of|Invalid attempt|.* is not (a function|iterable|a constructor|defined|an object))|ReferenceError|RangeError: (Maximum call stack|Invalid array length|Invalid string length)|InternalError)`)

// Crashed reports whether a call failed through a programming mistake.
func (o *Outcome) Crashed() bool { return o.Failed && crash.MatchString(o.Said) }

// Same implements testgen.Run.
func (o *Outcome) Same() string {
	return fmt.Sprint(string(o.Value), o.Odd, o.Failed, o.Ended, o.Late)
}

// Want returns the expected result for an outcome; nil with a reason if it cannot be compared.
func (p *Plan) Want(o *Outcome) (*spec.Want, string) {
	switch {
	case o.Failed:
		return &spec.Want{Error: true}, ""
	case o.Odd != "":
		return nil, o.Odd
	case o.Late != p.Late:
		return nil, "nothing says whether it gives a promise"
	}
	raw, err := testgen.Decode(o.Value)
	if err != nil {
		return nil, "gives no result that could be compared"
	}
	v, ok := forms().Value(raw)
	if !ok {
		return nil, "gives a result that cannot be written down"
	}
	if _, err := code(v, 0); err != nil {
		return nil, "gives a result that cannot be written down"
	}
	return wantOf(v), ""
}

// numberKey is the key of a number that JSON cannot represent.
const numberKey = "$number"

var oddNumbers = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-0": math.Copysign(0, -1)}

func forms() *testgen.Forms {
	f := &testgen.Forms{Number: func(n json.Number) (spec.Value, bool) {
		x, err := n.Float64()
		return number(x), err == nil
	}}
	f.Object = func(m map[string]any) (spec.Value, bool) {
		if name, ok := m[numberKey].(string); ok && len(m) == 1 {
			x, known := oddNumbers[name]
			return x, known
		}
		out, ok := f.Fields(m)
		return out, ok
	}
	return f
}
