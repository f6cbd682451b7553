package api

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// cType is a type of C as far as it can be told from its words.
type cType struct {
	base   string // without qualifiers: "unsigned int", "cJSON"
	depth  int    // how often it is pointed to
	known  bool   // it could be read
	text   string // as written
	name   string // of the parameter or the field
	preset bool   // it has a default value
	pack   bool   // it stands for any number
}

// cFunction is one declaration of a function.
type cFunction struct {
	text       string
	result     cType
	parameters []cType
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

// readCType reads the type of a parameter, a field or a result; of a result nothing names it.
func readCType(text string, named bool) cType {
	t := cType{text: strings.TrimSpace(text)}
	declared, _, preset, ok := (scanner{t.text, true}).cut(" = ")
	if t.preset = preset; !ok {
		return t
	}
	t.text = declared
	if strings.ContainsAny(declared, "(<{:") && !strings.Contains(declared, "::") || strings.ContainsAny(declared, "(<{") {
		t.pack = strings.Contains(declared, "...")
		return t
	}
	var words []string
	for _, token := range cToken.FindAllString(declared, -1) {
		switch {
		case token == "*" || token == "[":
			t.depth++
		case token == "...":
			t.pack = true
		case token == "&" || cQualifiers[token]:
		case named && t.depth > 0 && len(words) > 0 && !strings.HasSuffix(declared, "*"):
			t.name = token
		default:
			words = append(words, token)
		}
	}
	if end := len(words) - 1; named && t.name == "" && end > 0 && !builtin[words[end]] {
		t.name, words = words[end], words[:end]
	}
	t.base, t.known = canonicalType(words), len(words) > 0
	t.text = strings.TrimSpace(strings.TrimSuffix(t.text, t.name))
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
	case !t.known || !other.known || t.pack || other.pack:
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

// readFunctions reads the declarations of a function, which stand one a line; false where one cannot be read.
func readFunctions(signature, name string) ([]cFunction, bool) {
	var out []cFunction
	for line := range strings.SplitSeq(signature, "\n") {
		if strings.HasPrefix(line, "[[") {
			continue
		}
		f, ok := readFunction(line, name)
		if !ok {
			return nil, false
		}
		out = append(out, f)
	}
	return out, len(out) > 0
}

func readFunction(text, name string) (cFunction, bool) {
	f := cFunction{text: text, template: strings.HasPrefix(text, "template ")}
	at := -1
	anyWord(text, name, func(before, after string) bool {
		at = len(before)
		return strings.HasPrefix(after, "(")
	})
	if at < 0 || !strings.HasPrefix(text[at+len(name):], "(") {
		return f, false
	}
	_, parts, after, ok := (scanner{text[at+len(name):], true}).list()
	if !ok {
		return f, false
	}
	for _, part := range parts {
		p := readCType(part, true)
		switch {
		case part == "void" && len(parts) == 1:
		case part == "..." || p.pack:
			f.more = true
		default:
			f.parameters = append(f.parameters, p)
		}
	}
	f.untold = len(parts) == 0
	before := text[:at]
	f.static = hasWord(before, "static")
	f.constant, f.deleted, f.pure = hasWord(after, "const"), strings.HasSuffix(after, "= delete"), strings.HasSuffix(after, "= 0")
	if m := macroCall.FindStringSubmatch(before); m != nil {
		before = m[2]
	}
	if !f.template && !strings.Contains(after, "->") {
		f.result = readCType(before, false)
	}
	return f, true
}

// least and most are how many arguments a function takes.
func (f cFunction) least() int {
	n := slices.IndexFunc(f.parameters, func(p cType) bool { return p.preset })
	if n < 0 {
		return len(f.parameters)
	}
	return n
}

func (f cFunction) takes(n int) bool { return n >= f.least() && (f.more || n <= len(f.parameters)) }
