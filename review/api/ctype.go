package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

type cType struct {
	base  string // without qualifiers: "unsigned int", "cJSON"
	depth int    // levels of pointers
	known bool   // whether the type could be parsed
	text  string // as written
}

type cFunction struct {
	result     cType
	parameters []cType
	least      int  // required arguments
	untold     bool // () in C leaves the parameters unspecified
	more       bool // variadic
	template   bool
	deleted    bool
	constant   bool // a const method
	static     bool
	pure       bool
}

// cQualifiers are words of a declaration that do not affect callers.
var cQualifiers = lazy.Set(`const volatile register restrict __restrict __restrict__ struct enum class union typename extern static
	inline virtual explicit constexpr friend mutable __inline __inline__ _Noreturn noexcept typedef`)

var builtin = lazy.Set(`void char short int long float double signed unsigned bool _Bool`)

var (
	cToken = lazyregexp.New(`[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*|\*|&|\[|\.\.\.`)
	// macroCall matches a macro around a type, as in CJSON_PUBLIC(char *).
	macroCall = lazyregexp.New(`^([A-Z_][A-Z0-9_]*)\(([^()]*)\)`)
	capitals  = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)
)

func readCType(text string) cType {
	t := cType{text: text}
	if text == "" || strings.ContainsAny(text, "(<{") {
		return t
	}
	var words []string
	for _, token := range cToken.FindAllString(text, -1) {
		switch {
		case token == "*" || token == "[":
			t.depth++
		case token != "&" && token != "..." && !cQualifiers[token]:
			words = append(words, token)
		}
	}
	t.base, t.known = canonicalType(words), len(words) > 0
	return t
}

// canonicalType normalizes a type: "unsigned int", "int unsigned" and "unsigned" are the same.
func canonicalType(words []string) string {
	// A name in capitals is a macro, unless it is the only name.
	if plain := slices.DeleteFunc(slices.Clone(words), capitals.MatchString); len(plain) > 0 {
		words = plain
	}
	if slices.ContainsFunc(words, func(w string) bool { return !builtin[w] }) {
		return strings.Join(words, " ")
	}
	words = strings.Fields(strings.ReplaceAll(strings.Join(words, " "), "_Bool", "bool"))
	slices.Sort(words)
	if len(words) > 1 || len(words) == 1 && (words[0] == "unsigned" || words[0] == "signed") {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "signed" || w == "int" })
	}
	if len(words) == 1 && words[0] == "unsigned" || len(words) == 0 {
		words = append(words, "int")
	}
	return strings.Join(words, " ")
}

func (t cType) builtinType() bool {
	return t.known && !slices.ContainsFunc(strings.Fields(t.base), func(w string) bool { return !builtin[w] })
}

// width groups builtin types that are passed in the same way.
func (t cType) width() string { return strings.TrimPrefix(t.base, "unsigned ") }

// differs reports whether two types are certainly different. Only names of records are certainly not aliases.
func (t cType) differs(other cType, record func(name string) bool) bool {
	switch {
	case !t.known || !other.known:
		return false
	case t.base == other.base:
		return t.depth != other.depth
	case t.base == "void" && t.depth > 0 || other.base == "void" && other.depth > 0:
		return false
	case t.builtinType() && other.builtinType():
		return t.depth != other.depth || t.width() != other.width()
	case t.builtinType() && record(other.base), other.builtinType() && record(t.base):
		return true
	}
	return record(t.base) && record(other.base)
}

func readFunctions(d *source.Declared) (out []cFunction, ok bool) {
	for _, h := range d.Headers() {
		f := cFunction{template: h.Is("template"), deleted: h.Value == "delete", constant: h.Is("const"), static: h.Is("static"), pure: h.Value == "0"}
		for _, p := range h.Params {
			switch {
			case p.Kind != source.Variadic:
				if f.parameters = append(f.parameters, readCType(p.Type)); !p.Optional {
					f.least = len(f.parameters)
				}
			case p.Type == "":
				f.untold = true
			default:
				f.more = true
			}
		}
		result := h.Result
		if m := macroCall.FindStringSubmatch(result); m != nil {
			result = m[2]
		}
		f.result = readCType(result)
		out = append(out, f)
	}
	return out, len(out) > 0
}

func (f cFunction) takes(n int) bool { return n >= f.least && (f.more || n <= len(f.parameters)) }
