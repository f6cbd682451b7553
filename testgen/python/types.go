package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Type is the meaning of an annotation.
type Type struct {
	// Kind is the type's name in specs, or any, union or opaque.
	Kind string `json:"k"`
	// Of are the members of a union or tuple, else the element types; for a dict, key and value.
	Of []*Type `json:"o,omitempty"`
	// Values are the only possible values, as of Literal.
	Values []spec.Value `json:"-"`
	Text   string       `json:"s,omitempty"` // source text

	annotation []token
}

const (
	kindAny    = "any"
	kindUnion  = "union"
	kindOpaque = "opaque"
)

var plainTypes = map[string]string{
	"str": typeStr, "Text": typeStr, "AnyStr": typeStr, "LiteralString": typeStr, "int": typeInt, "float": typeFloat, "bool": typeBool, "bytes": typeBytes,
	"None": typeNone, "Any": kindAny, "object": kindAny, "Hashable": kindAny, "SupportsInt": typeInt, "SupportsIndex": typeInt, "SupportsFloat": typeFloat,
	"complex": typeFloat, "Real": typeFloat, "Number": typeFloat, "Integral": typeInt,
	"list": typeList, "List": typeList, "Sequence": typeList, "Iterable": typeList, "Collection": typeList, "MutableSequence": typeList, "Container": typeList,
	"Reversible": typeList, "tuple": typeTuple, "Tuple": typeTuple, "dict": typeDict, "Dict": typeDict, "Mapping": typeDict, "MutableMapping": typeDict,
	"set": typeSet, "Set": typeSet, "AbstractSet": typeSet, "MutableSet": typeSet, "frozenset": typeFrozenset, "FrozenSet": typeFrozenset,
}

type resolver struct {
	aliases map[string][]token // the file's aliases of annotations
	steps   int
}

// mostSteps limits the annotations resolved for one parameter.
const mostSteps = 200

func (r *resolver) resolve(toks []token) *Type {
	if r.steps++; r.steps > mostSteps || len(toks) == 0 {
		return &Type{Kind: kindOpaque}
	}
	if parts := split(toks, "|"); len(parts) > 1 {
		return r.union(parts)
	}
	if toks[0].kind == tText && len(toks) == 1 {
		return r.resolve(tokens(toks[0].text))
	}
	name, at := "", 0
	for at < len(toks) && (toks[at].kind == tWord || toks[at].text == ".") {
		name += toks[at].text
		at++
	}
	base, inner := testgen.LastName(name), [][]token(nil)
	if at < len(toks) {
		if toks[at].text != "[" || !encloses(toks, at) {
			return &Type{Kind: kindOpaque, Text: name}
		}
		inner = split(toks[at+1:len(toks)-1], ",")
	}
	switch {
	case base == "Optional" && len(inner) == 1:
		return r.union(append(inner, []token{{kind: tWord, text: "None"}}))
	case base == "Union" && len(inner) > 0:
		return r.union(inner)
	case (base == "Annotated" || base == "Final" || base == "ClassVar") && len(inner) > 0:
		return r.resolve(inner[0])
	case base == "Literal":
		return literalType(inner)
	case r.aliases[name] != nil:
		return r.resolve(r.aliases[name])
	case plainTypes[base] != "":
		return r.plain(plainTypes[base], inner)
	}
	return &Type{Kind: kindOpaque, Text: name}
}

func (r *resolver) plain(kind string, inner [][]token) *Type {
	t := &Type{Kind: kind}
	for _, one := range inner {
		if len(one) == 1 && one[0].text == "..." {
			t.Kind = typeTuple + "…"
			continue
		}
		t.Of = append(t.Of, r.resolve(one))
	}
	return t
}

func (r *resolver) union(parts [][]token) *Type {
	t := &Type{Kind: kindUnion}
	for _, one := range parts {
		t.Of = append(t.Of, r.resolve(one))
	}
	return t
}

func literalType(inner [][]token) *Type {
	t := &Type{Kind: kindUnion}
	for _, one := range inner {
		if v, ok := literal(one, nil); ok {
			t.Values = append(t.Values, v)
		}
	}
	if len(t.Values) == 0 {
		t.Kind = kindOpaque
	}
	return t
}

// makeable reports whether some value of the type has a literal form.
func (t *Type) makeable() bool {
	switch {
	case t == nil || len(t.Values) > 0:
		return t != nil
	case t.Kind == kindOpaque:
		return false
	case t.Kind == kindUnion:
		return slices.ContainsFunc(t.Of, (*Type).makeable)
	}
	return !slices.ContainsFunc(t.Of, func(e *Type) bool { return !e.makeable() })
}

// takes reports whether the annotation allows a value.
func (t *Type) takes(v spec.Typed) bool {
	if t == nil || t.Kind == kindAny || t.Kind == kindOpaque {
		return true
	}
	if len(t.Values) > 0 {
		return slices.ContainsFunc(t.Values, func(o spec.Value) bool { return typed(o).String() == v.String() })
	}
	switch t.Kind {
	case kindUnion:
		return slices.ContainsFunc(t.Of, func(o *Type) bool { return o.takes(v) })
	case typeFloat:
		return v.Type == typeFloat || v.Type == typeInt || v.Type == typeBool
	case typeInt:
		return v.Type == typeInt || v.Type == typeBool
	case typeTuple + "…":
		return v.Type == typeTuple
	case typeList: // any iterable
		return v.Type == typeList || v.Type == typeTuple || v.Type == typeSet || v.Type == typeFrozenset || v.Type == typeDict || v.Type == typeStr
	}
	return v.Type == t.Kind
}

// String implements fmt.Stringer.
func (t *Type) String() string {
	if t == nil {
		return "anything"
	}
	if t.Kind == kindUnion {
		var parts []string
		for _, o := range t.Of {
			parts = append(parts, o.String())
		}
		return strings.Join(parts, " | ")
	}
	if t.Text != "" {
		return t.Text
	}
	return strings.TrimSuffix(t.Kind, "…")
}
