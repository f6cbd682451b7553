package python

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Outcome is the outcome of a call, as the recorder writes it.
type Outcome struct {
	testgen.RunInfo

	Value  json.RawMessage `json:"v,omitempty"` // a result with a literal form
	Text   *string         `json:"s,omitempty"` // str of any other result
	Odd    string          `json:"o,omitempty"` // why the result cannot be compared
	Raised string          `json:"e,omitempty"` // class of the exception
	Refuse bool            `json:"r,omitempty"` // the exception rejects the arguments
	// Unimported is the reason if importing the module failed.
	Unimported string `json:"i,omitempty"`

	Lines []string `json:"l,omitempty"` // reached
}

// Same implements testgen.Run.
func (o *Outcome) Same() string {
	text := ""
	if o.Text != nil {
		text = strconv.Quote(*o.Text)
	}
	return fmt.Sprint(string(o.Value), text, o.Odd, o.Raised, o.Refuse, o.Ended)
}

// want returns the expected result and exception for an outcome, or the reason why it cannot be compared.
func (o *Outcome) want() (w *spec.Want, raises, reason string) {
	switch {
	case o.Raised != "" && o.Refuse:
		return &spec.Want{Error: true}, o.Raised, ""
	case o.Raised != "":
		return nil, "", "it raises " + testgen.Clip(o.Raised, 80) + ", which does not say that it was given something wrong"
	case o.Odd != "":
		return nil, "", testgen.Clip(o.Odd, 200)
	case o.Text != nil:
		return &spec.Want{StringOf: o.Text}, "", ""
	}
	raw, err := testgen.Decode(o.Value)
	if err != nil {
		return nil, "", "it gives no result that could be compared"
	}
	v, ok := forms().Value(raw)
	if !ok {
		return nil, "", "it gives a result that cannot be written down"
	}
	t := typed(v)
	if _, err := write(t, 0); err != nil {
		return nil, "", err.Error()
	}
	return &spec.Want{Values: []spec.Typed{t}}, "", ""
}

var infinite = map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1)}

// forms reads results in which an object has the type of a value as its only key.
func forms() *testgen.Forms {
	f := &testgen.Forms{Number: func(n json.Number) (spec.Value, bool) {
		if i, err := n.Int64(); err == nil {
			return i, true
		}
		x, err := n.Float64()
		return x, err == nil
	}}
	f.Object = func(m map[string]any) (spec.Value, bool) {
		for tag, raw := range m {
			if len(m) > 1 {
				break
			}
			if texts, ok := raw.(map[string]any); ok && tag == typeDict {
				out, ok := f.Fields(texts)
				return map[string]spec.Value{tag: out}, ok
			}
			if x, ok := infinite[fmt.Sprint(raw)]; ok && tag == typeFloat {
				return x, true
			}
			inner, ok := f.Value(raw)
			if list, isList := inner.([]spec.Value); isList && (tag == typeSet || tag == typeFrozenset) {
				inner = ordered(list)
			}
			return map[string]spec.Value{tag: inner}, ok
		}
		return nil, false
	}
	return f
}
