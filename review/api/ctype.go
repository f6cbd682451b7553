package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// cType is a type of C as far as it can be told from its words.
type cType struct {
	base  string // without qualifiers: "unsigned int", "cJSON"
	depth int    // how often it is pointed to
	known bool   // it could be read
	text  string // as written
}

// cFunction is one declaration of a function.
type cFunction struct {
	result     cType
	parameters []cType
	least      int  // how many arguments it has to be given
	untold     bool // () of C, which says nothing
	more       bool // it takes any number of further arguments
	template   bool
	deleted    bool
	constant   bool // of a method: it changes nothing
	static     bool
	pure       bool
}

// cQualifiers are words of a declaration that change nothing for its callers.
var cQualifiers = map[string]bool{
	"const": true, "volatile": true, "register": true, "restrict": true, "__restrict": true, "__restrict__": true, "struct": true, "enum": true, "class": true,
	"union": true, "typename": true, "extern": true, "static": true, "inline": true, "virtual": true, "explicit": true, "constexpr": true, "friend": true,
	"mutable": true, "__inline": true, "__inline__": true, "_Noreturn": true, "noexcept": true, "typedef": true,
}

// builtin are the words of the types that belong to C itself.
var builtin = map[string]bool{
	"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true, "signed": true, "unsigned": true, "bool": true, "_Bool": true,
}

var (
	cToken = lazyregexp.New(`[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*|\*|&|\[|\.\.\.`)
	// macroCall is a macro around a type, as in CJSON_PUBLIC(char *).
	macroCall = lazyregexp.New(`^([A-Z_][A-Z0-9_]*)\(([^()]*)\)`)
	capitals  = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)
)

// readCType reads the type of a parameter, a field or a result.
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

// canonicalType spells a type in one way: "unsigned int" and "int unsigned" and "unsigned" are one.
func canonicalType(words []string) string {
	// A name in capitals is a macro, unless there is no other one.
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

// builtinType reports whether a type is one of C itself.
func (t cType) builtinType() bool {
	return t.known && !slices.ContainsFunc(strings.Fields(t.base), func(w string) bool { return !builtin[w] })
}

// width is what the machine makes of a builtin type: those of one width are passed alike.
func (t cType) width() string { return strings.TrimPrefix(t.base, "unsigned ") }

// differs reports whether two types certainly are other types. A name may stand for any type, but for those of records.
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

// readFunctions reads the declarations of a function; false where they could not be read.
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

// takes reports whether the function may be given so many arguments.
func (f cFunction) takes(n int) bool { return n >= f.least && (f.more || n <= len(f.parameters)) }
