package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Kind classifies types by the form of their values.
type Kind string

// The kinds. Values of Opaque types have no literal form.
const (
	Text       Kind = "string"
	Number     Kind = "number"
	Boolean    Kind = "boolean"
	BigInt     Kind = "bigint"
	Nothing    Kind = "undefined" // or void
	Null       Kind = "null"
	Literal    Kind = "literal"
	Array      Kind = "array"
	Tuple      Kind = "tuple"
	Object     Kind = "object"
	Dictionary Kind = "record" // an object with arbitrary keys
	Union      Kind = "union"
	Bytes      Kind = "Uint8Array"
	Moment     Kind = "Date"
	Pattern    Kind = "RegExp"
	Any        Kind = "any"
	Callable   Kind = "function"
	Opaque     Kind = "opaque"
)

// Type is a type, with the information needed to write values of it.
type Type struct {
	// Text is the type as in the source, with normalized spacing. Specs name it so.
	Text   string     `json:"t"`
	Kind   Kind       `json:"k"`
	Value  spec.Value `json:"v,omitempty"` // of a literal
	Elem   *Type      `json:"e,omitempty"` // of an array or a dictionary
	Elems  []*Type    `json:"l,omitempty"` // of a tuple or a union
	Fields []Field    `json:"f,omitempty"`
	// Async reports a promise of the type.
	Async bool `json:"a,omitempty"`
	// Foreign reports that Text has names that a test does not know.
	Foreign bool `json:"o,omitempty"`
}

// Field is one property of an object.
type Field struct {
	Name     string `json:"n"`
	Optional bool   `json:"o,omitempty"`
	Type     *Type  `json:"t"`
}

var predeclared = map[string]Kind{
	"string": Text, "number": Number, "boolean": Boolean, "bigint": BigInt, "undefined": Nothing, "void": Nothing, "null": Null, "any": Any, "unknown": Any,
	"Uint8Array": Bytes, "Date": Moment, "RegExp": Pattern, "String": Opaque, "object": Opaque, "symbol": Opaque, "never": Opaque, "Function": Callable,
}

func opaque(text string) *Type { return &Type{Text: text, Kind: Opaque, Foreign: true} }

// deepest limits the nesting of types.
const deepest = 6

// writable reports whether at least some values of the type have a literal form.
func (t *Type) writable() bool {
	switch t.Kind {
	case Opaque, Callable:
		return false
	case Array, Dictionary:
		return t.Elem.writable()
	case Tuple:
		return !slices.ContainsFunc(t.Elems, func(e *Type) bool { return !e.writable() })
	case Union:
		return slices.ContainsFunc(t.Elems, func(e *Type) bool { return e.writable() && e.Kind != Nothing && e.Kind != Null })
	case Object:
		return !t.Async && !slices.ContainsFunc(t.Fields, func(f Field) bool { return !f.Optional && !f.Type.writable() })
	}
	return !t.Async
}

// plain reports whether literals of the type are inferred to have it without an annotation.
func (t *Type) plain() bool {
	switch t.Kind {
	case Text, Number, Boolean, BigInt, Bytes, Moment, Pattern, Any:
		return true
	case Array:
		return t.Elem.plain() && t.Elem.Kind != Any
	}
	return false
}

// holds returns an error if a value is known not to be of the type.
func (t *Type) holds(v spec.Value) error {
	if !t.has(v) {
		return fmt.Errorf("%s is no %s", testgen.OneLine(spec.Typed{Type: t.Text, Value: v}.String(), 100), t.Text)
	}
	return nil
}

func (t *Type) has(v spec.Value) bool {
	switch t.Kind {
	case Any, Opaque, Callable:
		return true
	case Text:
		_, ok := v.(string)
		return ok
	case Number:
		return isNumber(v)
	case Boolean:
		_, ok := v.(bool)
		return ok
	case Null:
		return v == nil
	case Nothing, BigInt, Bytes, Moment, Pattern:
		return kindOf[tagged(v)] == t.Kind
	case Literal:
		return sameValue(t.Value, v)
	case Array:
		list, ok := v.([]spec.Value)
		return ok && !slices.ContainsFunc(list, func(e spec.Value) bool { return !t.Elem.has(e) })
	case Tuple:
		list, ok := v.([]spec.Value)
		return ok && slices.EqualFunc(t.Elems, list, (*Type).has)
	case Union:
		return slices.ContainsFunc(t.Elems, func(e *Type) bool { return e.has(v) })
	}
	m, ok := v.(map[string]spec.Value)
	if !ok || tagged(v) != "" {
		return false
	}
	if t.Kind == Dictionary {
		for _, e := range m {
			if !t.Elem.has(e) {
				return false
			}
		}
		return true
	}
	for _, f := range t.Fields {
		e, set := m[f.Name]
		if !set && !f.Optional || set && !f.Type.has(e) && !(f.Optional && tagged(e) == undefinedKey) {
			return false
		}
	}
	return true
}

func union(list []*Type) *Type {
	var out []*Type
	seen := map[string]bool{}
	for _, t := range list {
		parts := []*Type{t}
		if t.Kind == Union && !t.named() {
			parts = t.Elems
		}
		for _, p := range parts {
			if !seen[p.Text] {
				seen[p.Text] = true
				out = append(out, p)
			}
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return &Type{
		Text: textOfAll(out, " | "), Kind: Union, Elems: out, Foreign: slices.ContainsFunc(out, isForeign),
		Async: slices.ContainsFunc(out, func(t *Type) bool { return t.Async }),
	}
}

// named reports whether the text of a union is the name of an alias.
func (t *Type) named() bool { return t.Foreign && !strings.Contains(t.Text, "|") }
