package spec

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// String returns a value with its type in spec syntax.
func (t Typed) String() string { return "{" + key(t.Type) + ": " + flow(t.Value) + "}" }

// String returns a result in spec syntax; empty for nil.
func (w *Want) String() string {
	switch {
	case w == nil:
		return ""
	case w.Error:
		return "{error: true}"
	case w.StringOf != nil:
		return "{string_of: " + quoted(*w.StringOf) + "}"
	case len(w.Values) == 1:
		return w.Values[0].String()
	}
	return "{results: " + list(w.Values) + "}"
}

// Text returns a result for reports: the value without its type, or the word error.
func (w *Want) Text() string {
	switch {
	case w == nil:
		return "nothing"
	case w.Error:
		return "error"
	case w.StringOf != nil:
		return *w.StringOf
	}
	parts := make([]string, len(w.Values))
	for i, v := range w.Values {
		parts[i] = plainText(v.Value)
		if v.Type == bytesType {
			parts[i] = called(v)
		}
	}
	if len(parts) == 0 {
		return NoError
	}
	return strings.Join(parts, ", ")
}

// NoError is the text of the result of a function that returns only an error, and returned none.
const NoError = "no error"

// The types of bytes, given as one character for each, and of an argument that a call omits. Some languages have them.
const (
	bytesType   = "bytes"
	omittedType = "default"
)

// QuoteBytes writes bytes that are given as one character for each. It returns false if a character is no byte.
func QuoteBytes(s string) (string, bool) {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r > 0xff:
			return "", false
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\x%02x`, r)
		}
	}
	return `b"` + b.String() + `"`, true
}

func plainText(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	return flow(v)
}

func words(texts []string) string { return flowList(texts, canonical.Scalar) }

func list(values []Typed) string { return flowList(values, Typed.String) }

func flowList[T any](list []T, text func(T) string) string {
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = text(list[i])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func key(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == "" && !strings.ContainsAny(name[:1], "0123456789.") && !reserved[strings.ToLower(name)] {
		return name
	}
	return quoted(name)
}

// reserved are words that some YAML parsers do not read as text.
var reserved = map[string]bool{"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

func quoted(s string) string { return Quote(s, '"') }

// Quote returns a text in quotes, with the escapes that YAML and Python share.
func Quote(s string, quote rune) string {
	return Escape(s, quote, map[rune]string{'\n': `\n`, '\t': `\t`, '\r': `\r`}, `\U%08x`)
}

// Escape returns a text in quotes, with some short escapes. wide is the format of a rune of more than 16 bits.
func Escape(s string, quote rune, short map[rune]string, wide string) string {
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range s {
		text, isShort := short[r]
		switch {
		case isShort:
			b.WriteString(text)
		case r == quote || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, wide, r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}

func flow(v Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return number(v)
	case string:
		return quoted(v)
	case Typed:
		return v.String()
	case []Value:
		return flowList(v, flow)
	case map[string]Value:
		parts := make([]string, 0, len(v))
		for _, name := range slices.SortedFunc(maps.Keys(v), compareKeys) {
			parts = append(parts, key(name)+": "+flow(v[name]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("%q", fmt.Sprint(v))
}

// KeyOf returns a text of arguments that is equal for equal ones.
func KeyOf(args []Typed) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteString(a.String())
	}
	return b.String()
}

func compareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(b2i(b == CallKey), b2i(a == CallKey)), strings.Compare(a, b))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// number writes a float that is parsed as one again.
func number(f float64) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

const header = "# Why something is tested, and with which cases; `causal testgen` derives the code from it. Edit rationale, why and want as you like,\n" +
	"# and add cases with `by: human`: that is kept.\n"

// Encode writes a spec in canonical form, with one line for each case.
func (s *Spec) Encode() []byte {
	var w canonical.Writer
	w.Raw(header)
	w.Keep(0, "schema", Schema)
	w.Raw("target: {lang: " + s.Target.Lang + ", pkg: " + canonical.Scalar(s.Target.Pkg) + ", symbol: " + canonical.Scalar(s.Target.Symbol) + "}\n")
	w.Text(0, "frame_id", s.FrameID)
	w.Keep(0, "status", string(s.Status))
	w.Raw("rationale: " + quoted(s.Rationale) + "\n")
	w.Raw("provenance: {generator: " + canonical.Scalar(s.Provenance.Generator) + ", seeds: " + words(s.Provenance.Seeds) + ", llm: " + canonical.Scalar(s.Provenance.LLM) + wrote(s.Provenance.Wrote) + "}\n")
	w.Raw("depends_on: " + s.DependsOn.text(s.Target.Lang) + "\n")
	if s.Fell != nil {
		w.Raw("invalidated: {because: " + quoted(s.Fell.Because) + ", file: " + quoted(s.Fell.File) + ", session: " + quoted(s.Fell.Session) + "}\n")
	}
	if s.Observed != (Depends{}) {
		w.Raw("observed: " + s.Observed.text(s.Target.Lang) + "\n")
	}
	w.Raw("invalidation_condition: " + quoted(s.Condition) + "\n")
	if len(s.Cases) == 0 {
		w.Raw("cases: []\n")
	} else {
		w.Raw("cases:\n")
	}
	for i := range s.Cases {
		w.Raw("  - " + s.Cases[i].String() + "\n")
	}
	w.Raw("evidence: " + s.Evidence.text() + "\n")
	return w.Bytes()
}

func wrote(marks []string) string {
	if len(marks) == 0 {
		return ""
	}
	return ", wrote: " + words(marks)
}

func (d Depends) text(lang string) string {
	return "{iface: " + quoted(d.Interface) + ", body_closure: " + quoted(d.Body) + ", " + lang + ": " + quoted(d.Language) + "}"
}

func (e Evidence) text() string {
	fields := []string{"runs: " + strconv.Itoa(e.Runs), "coverage_added: " + strconv.Itoa(e.Coverage), "mutants_killed: " + words(e.Killed)}
	if e.Verified != "" {
		fields = append(fields, "verified: "+quoted(e.Verified))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// String returns a case as one spec line.
func (c *Case) String() string {
	fields := []string{"id: " + canonical.Scalar(c.ID), "law: " + string(c.Law), "why: " + quoted(c.Why)}
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, name+": "+value)
		}
	}
	if c.By != "" {
		add("by", canonical.Scalar(c.By))
	}
	if len(c.Over) > 0 {
		add("over", words(c.Over))
	} else {
		add("args", list(c.Args))
	}
	if c.Inverse != "" {
		add("inverse", canonical.Scalar(c.Inverse))
	}
	add("want", c.Want.String())
	if c.Raises != "" {
		add("raises", canonical.Scalar(c.Raises))
	}
	add("became", c.Became.String())
	if c.Quarantined != "" {
		add("quarantined", quoted(c.Quarantined))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// ArgsText returns the arguments of a case as code, receiver first; empty for a case over others.
func ArgsText(c *Case) string {
	parts := make([]string, len(c.Args))
	for i, a := range c.Args {
		parts[i] = called(a)
	}
	return strings.Join(parts, ", ")
}

// ArgsYAML returns the arguments of a case in spec syntax.
func ArgsYAML(c *Case) string { return list(c.Args) }

func called(v Value) string {
	if t, ok := v.(Typed); ok {
		v = t.Value
		if text, isText := v.(string); isText && t.Type == bytesType {
			if quoted, ok := QuoteBytes(text); ok {
				return quoted
			}
		} else if t.Type == omittedType {
			return "…"
		}
	}
	made, _ := v.(map[string]Value)
	name, ok := made[CallKey].(string)
	if !ok {
		return flow(v)
	}
	args, _ := made[ArgsKey].([]Value)
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = called(a)
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// CallText returns the call of a case as code: Parse("1-"), a method with its receiver first.
func CallText(symbol string, c *Case) string {
	args := ArgsText(c)
	if len(c.Over) > 0 {
		args = string(c.Law) + " over " + strings.Join(c.Over, " ")
	}
	return symbol + "(" + args + ")"
}
