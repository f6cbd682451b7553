package testgen

import (
	"bytes"
	"encoding/json"

	"github.com/causaldocs/causal/testgen/spec"
)

// Decode reads a result that a recorder wrote as JSON, with numbers as they are written.
func Decode(data []byte) (raw any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&raw)
	return raw, err
}

// Forms says how results of a language become values; false for one that has no literal form.
type Forms struct {
	Number func(n json.Number) (spec.Value, bool)
	Object func(m map[string]any) (spec.Value, bool)
}

// Value returns decoded JSON as a value.
func (f *Forms) Value(raw any) (spec.Value, bool) {
	switch v := raw.(type) {
	case json.Number:
		return f.Number(v)
	case []any:
		out := make([]spec.Value, len(v))
		for i := range v {
			var ok bool
			if out[i], ok = f.Value(v[i]); !ok {
				return nil, false
			}
		}
		return out, true
	case map[string]any:
		return f.Object(v)
	}
	return raw, true
}

// Fields returns the values of an object.
func (f *Forms) Fields(m map[string]any) (map[string]spec.Value, bool) {
	out := map[string]spec.Value{}
	for name, raw := range m {
		var ok bool
		if out[name], ok = f.Value(raw); !ok {
			return nil, false
		}
	}
	return out, true
}
