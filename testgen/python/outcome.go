package python

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

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
	var raw any
	d := json.NewDecoder(strings.NewReader(string(o.Value)))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, "", "it gives no result that could be compared"
	}
	v, ok := valueFrom(raw, 0)
	if !ok {
		return nil, "", "it gives a result that cannot be written down"
	}
	t := typed(v)
	if _, err := write(t, 0); err != nil {
		return nil, "", err.Error()
	}
	return &spec.Want{Values: []spec.Typed{t}}, "", ""
}

func valueFrom(raw any, depth int) (spec.Value, bool) {
	if depth > 2*deepest {
		return nil, false
	}
	switch v := raw.(type) {
	case nil, bool, string:
		return v, true
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n, true
		}
		f, err := v.Float64()
		return f, err == nil
	case []any:
		out := make([]spec.Value, len(v))
		for i := range v {
			var ok bool
			if out[i], ok = valueFrom(v[i], depth+1); !ok {
				return nil, false
			}
		}
		return out, true
	case map[string]any:
		for tag, inner := range v {
			if len(v) == 1 {
				return taggedFrom(tag, inner, depth)
			}
		}
	}
	return nil, false
}

var infinite = map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1)}

func taggedFrom(tag string, raw any, depth int) (spec.Value, bool) {
	if texts, ok := raw.(map[string]any); ok && tag == typeDict {
		out := map[string]spec.Value{}
		for name, one := range texts {
			if out[name], ok = valueFrom(one, depth+1); !ok {
				return nil, false
			}
		}
		return map[string]spec.Value{tag: out}, true
	}
	if f, ok := infinite[fmt.Sprint(raw)]; ok && tag == typeFloat {
		return f, true
	}
	inner, ok := valueFrom(raw, depth+1)
	if list, isList := inner.([]spec.Value); isList && (tag == typeSet || tag == typeFrozenset) {
		inner = ordered(list)
	}
	return map[string]spec.Value{tag: inner}, ok
}
