package golang

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Outcome is the outcome of running a candidate, as the recorder writes it.
type Outcome struct {
	testgen.RunInfo

	Results []Recorded       `json:"r,omitempty"`
	Fault   bool             `json:"e,omitempty"` // the error was not nil
	Panic   string           `json:"p,omitempty"`
	Blocks  []int            `json:"b,omitempty"`
	Killed  []int            `json:"k,omitempty"` // numbers of the mutants that change the outcome
	Kills   []testgen.Mutant `json:"-"`           // those mutants
}

// Recorded is one result.
type Recorded struct {
	Text  *string         `json:"s,omitempty"` // the result of its String method
	Value json.RawMessage `json:"v,omitempty"`
	Type  string          `json:"t,omitempty"` // dynamic type of a value in an interface
}

// Want returns the expected result for an outcome; nil with a reason if it cannot be compared.
func (p *Plan) Want(o *Outcome) (*spec.Want, string) {
	if o.Fault {
		return &spec.Want{Error: true}, ""
	}
	outs := p.Outputs()
	if len(outs) != len(o.Results) {
		return nil, "gives no result that could be compared"
	}
	if len(outs) == 1 && o.Results[0].Text != nil {
		return &spec.Want{StringOf: o.Results[0].Text}, ""
	}
	w := &spec.Want{Values: []spec.Typed{}}
	for i, t := range outs {
		if o.Results[i].Text != nil {
			w.Values = append(w.Values, spec.Typed{Type: stringOf + t.Text, Value: *o.Results[i].Text})
			continue
		}
		if t.Kind != Any && !t.visible() && t.Kind != Reader && t.Kind != Response && !(t.Kind == Pointer && string(o.Results[i].Value) == "null") {
			return nil, "returns " + describe(t) + ", which causal cannot compare"
		}
		raw, err := testgen.Decode(o.Results[i].Value)
		if err != nil {
			return nil, "gives no result that could be compared"
		}
		v, ok := valueOf(t, raw, o.Results[i].Type)
		if !ok {
			return nil, "gives a result that cannot be written down"
		}
		w.Values = append(w.Values, spec.Typed{Type: t.Text, Value: v})
	}
	return w, ""
}

// stringOf is the prefix of the type of a result that is compared by its String, where there are several results.
const stringOf = "string of "

func valueOf(t *Type, raw any, held string) (spec.Value, bool) {
	if t.Kind == Reader {
		return textFrom(raw)
	}
	if raw == nil {
		return nil, t.Kind == Slice || t.Kind == Map || t.Kind == Pointer || t.Kind == Any || t.Kind == Fault
	}
	switch t.Kind {
	case Response:
		return fieldsFrom(raw, func(name string) *Type {
			if name == "status" {
				return &Type{Kind: Int, Bits: 64}
			}
			return &Type{Kind: String}
		})
	case Any:
		inner := dynamic[held]
		if inner == nil {
			return nil, false
		}
		v, ok := valueOf(inner, raw, "")
		if held == "bool" || held == "string" || held == "int" || held == "float64" {
			return v, ok
		}
		return map[string]spec.Value{held: v}, ok
	case Bool:
		b, ok := raw.(bool)
		return b, ok
	case String:
		return textFrom(raw)
	case Int, Uint:
		n, ok := raw.(json.Number)
		if !ok {
			return nil, false
		}
		if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return i, true
		}
		u, err := strconv.ParseUint(n.String(), 10, 64)
		return u, err == nil
	case Float:
		return floatFrom(raw)
	case Slice, Array:
		if text, ok := textFrom(raw); ok && t.Elem.Kind == Uint && t.Elem.Bits == 8 {
			return text, true
		}
		list, ok := raw.([]any)
		if !ok {
			return nil, false
		}
		out := make([]spec.Value, len(list))
		for i := range list {
			if out[i], ok = valueOf(t.Elem, list[i], ""); !ok {
				return nil, false
			}
		}
		return out, true
	case Pointer:
		return valueOf(t.Elem, raw, held)
	case Map:
		return fieldsFrom(raw, func(string) *Type { return t.Elem })
	case Struct:
		return fieldsFrom(raw, func(name string) *Type {
			for _, f := range t.Fields {
				if f.Name == name {
					return f.Type
				}
			}
			return opaque(name)
		})
	}
	return nil, false
}

func fieldsFrom(raw any, of func(name string) *Type) (spec.Value, bool) {
	m, ok := raw.(map[string]any)
	if !ok {
		return nil, false
	}
	out := map[string]spec.Value{}
	for name, e := range m {
		if out[name], ok = valueOf(of(name), e, ""); !ok {
			return nil, false
		}
	}
	return out, true
}

func textFrom(raw any) (spec.Value, bool) {
	switch v := raw.(type) {
	case string:
		return v, true
	case map[string]any:
		if digits, ok := v[hexKey].(string); ok {
			return map[string]spec.Value{hexKey: digits}, true
		}
	}
	return nil, false
}

func floatFrom(raw any) (spec.Value, bool) {
	switch v := raw.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case string:
		switch v {
		case "NaN":
			return math.NaN(), true
		case "+Inf":
			return math.Inf(1), true
		case "-Inf":
			return math.Inf(-1), true
		}
	}
	return nil, false
}

// Said returns the texts among the results, which other functions may read.
func (o *Outcome) Said(symbol string) (out []Said) {
	add := func(text string) {
		if text != "" && len(text) <= longestSeed && utf8.ValidString(text) && !slices.ContainsFunc(out, func(s Said) bool { return s.Text == text }) {
			out = append(out, Said{symbol, text})
		}
	}
	for _, r := range o.Results {
		var text string
		if r.Text != nil {
			add(*r.Text)
		} else if json.Unmarshal(r.Value, &text) == nil {
			add(text)
		}
	}
	return out
}

// Nearest returns the texts most likely to be input of a function, first those from functions of the same type and from
// inverse functions such as MarshalJSON for UnmarshalJSON.
func Nearest(symbol string, said []Said, most int) []Said {
	base, _, _ := strings.Cut(symbol, ".")
	near := func(s Said) (n int) {
		if other, _, _ := strings.Cut(s.Symbol, "."); other == base {
			n++
		}
		if slices.ContainsFunc(testgen.Partners(testgen.LastName(symbol), pairs), func(p testgen.Partner) bool { return p.Name == testgen.LastName(s.Symbol) }) {
			n += 2
		}
		return n
	}
	out := slices.Clone(said)
	slices.SortStableFunc(out, func(a, b Said) int { return near(b) - near(a) })
	return out[:min(len(out), most)]
}

// Thirsty reports whether a function that reads text rejected all its candidates.
func Thirsty(p *Plan, tried []testgen.Run) bool {
	reads := slices.ContainsFunc(p.Params, func(in Param) bool {
		t := in.Type
		return t.Kind == String || t.Kind == Reader || t.Kind == Any || t.Kind == Slice && bytesOf(t)
	})
	return p.Fails && reads && !slices.ContainsFunc(tried, func(r testgen.Run) bool {
		o, _ := r.(*Outcome)
		return o.Made && !o.Fault && o.Panic == "" && o.Ended == ""
	})
}

// Same implements testgen.Run.
func (o *Outcome) Same() string {
	data, err := json.Marshal([]any{o.Results, o.Fault, o.Panic != "", o.Ended})
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(data)
}
