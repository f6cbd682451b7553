package golang

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/testgen/spec"
)

// values writes values as Go source and collects the imports and helpers they need.
type values struct {
	plan    *Plan
	imports map[string]string // paths by name
	made    map[string]bool   // types made by a constructor that may fail, which the test wraps
	depth   int
	headed  bool // some request has a header
}

func newValues(p *Plan) *values {
	return &values{plan: p, imports: map[string]string{}, made: map[string]bool{}}
}

// fixed are the types of which a test has one value, which needs no column.
var fixed = map[Kind]struct {
	code, value string
	imports     []string
}{
	Context: {"context.Context", "context.Background()", []string{"context"}},
	Writer:  {"*bytes.Buffer", "new(bytes.Buffer)", []string{"bytes"}},
	Handler: {"http.Handler", nextHandler, []string{"io", "net/http"}},
}

// use imports packages. Those that the code does not name in the end are left out.
func (w *values) use(paths ...string) {
	for _, at := range paths {
		w.imports[path.Base(at)] = at
	}
}

func (w *values) code(t *Type) string {
	if one, ok := fixed[t.Kind]; ok {
		w.use(one.imports...)
		return one.code
	}
	return w.typ(t)
}

// typ returns a type as a test of another package writes it, and imports the packages that it names.
func (w *values) typ(t *Type) string {
	switch {
	case t.Kind == Request:
		w.use("net/http")
	case t.Name != "" && t.Path == "":
		return w.own(t.Name)
	case t.Name != "":
		if name, _, ok := strings.Cut(t.Text, "."); ok {
			w.imports[name] = t.Path
		}
	case t.Kind == Pointer:
		return "*" + w.typ(t.Elem)
	case t.Kind == Slice:
		return "[]" + w.typ(t.Elem)
	case t.Kind == Array:
		return "[" + strconv.Itoa(t.Len) + "]" + w.typ(t.Elem)
	case t.Kind == Map:
		return "map[" + w.typ(t.Key) + "]" + w.typ(t.Elem)
	case t.Kind == Any:
		return "interface{}"
	}
	return strings.TrimSpace(t.Text)
}

func (w *values) own(name string) string {
	w.imports[w.plan.qualifier()] = w.plan.Spec.Pkg
	return w.plan.qualifier() + "." + name
}

// quote uses backquotes for text with quotes or backslashes.
func quote(text string) string {
	if strings.ContainsAny(text, `"\`) && strconv.CanBackquote(text) && utf8.ValidString(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

func misfit(t *Type, v spec.Value) error {
	return fmt.Errorf("%s is no %s", (spec.Typed{Type: t.Text, Value: v}).String(), describe(t))
}

// hexKey is the key of a text that is not UTF-8.
const hexKey = "hex"

// write writes a value. typed adds a conversion if the context does not give its type.
func (w *values) write(t *Type, v spec.Value, typed bool) (string, error) {
	if m, ok := v.(map[string]spec.Value); ok {
		switch {
		case m[spec.CallKey] != nil:
			return w.call(t, m)
		case m[constKey] != nil:
			name, ok := m[constKey].(string)
			if !ok || !identifier(name) || t.Name == "" || t.Path != "" {
				return "", misfit(t, v)
			}
			return w.own(name), nil
		}
	}
	text, err := w.plain(t, v)
	if err == nil && typed && scalar(t) && t.Text != "bool" && t.Text != "string" && t.Text != "int" {
		text = w.code(t) + "(" + text + ")"
	}
	return text, err
}

func scalar(t *Type) bool {
	return t.Kind == Bool || t.Kind == Int || t.Kind == Uint || t.Kind == Float || t.Kind == String
}

func identifier(name string) bool {
	for i, r := range name {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return name != ""
}

func (w *values) plain(t *Type, v spec.Value) (string, error) {
	switch t.Kind {
	case Bool:
		if b, ok := v.(bool); ok {
			return strconv.FormatBool(b), nil
		}
	case String:
		if text, ok := textOf(v); ok {
			return quote(text), nil
		}
	case Int, Uint:
		return integer(t, v)
	case Float:
		return w.float(t, v)
	case Slice, Array:
		return w.list(t, v)
	case Map:
		return w.mapping(t, v)
	case Struct:
		if m, ok := v.(map[string]spec.Value); ok {
			return w.structure(t, m)
		}
	case Pointer:
		if v == nil {
			return "nil", nil
		}
		text, err := w.plain(t.Elem, v)
		return "&" + text, err
	case Reader:
		if text, ok := textOf(v); ok {
			w.imports["strings"] = "strings"
			reader := "strings.NewReader(" + quote(text) + ")"
			if t.Text != "io.Reader" {
				w.imports["io"] = "io"
				reader = "io.NopCloser(" + reader + ")"
			}
			return reader, nil
		}
	case Context, Writer, Handler:
		w.use(fixed[t.Kind].imports...)
		return fixed[t.Kind].value, nil
	case Request:
		if code, ok := w.requestCode(v); ok {
			return code, nil
		}
	case Response:
		if code, ok := responseCode(v); ok {
			return code, nil
		}
	case Fault:
		if text, ok := v.(string); ok {
			w.imports["errors"] = "errors"
			return "errors.New(" + strconv.Quote(text) + ")", nil
		}
		if v == nil {
			return "nil", nil
		}
	case Time:
		if text, ok := v.(string); ok {
			return w.time(t, text)
		}
	case Any:
		return w.any(v)
	}
	return "", misfit(t, v)
}

func (w *values) time(t *Type, text string) (string, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return "", misfit(t, text)
	}
	at = at.UTC()
	w.imports["time"] = "time"
	return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, %d, time.UTC)", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond()), nil
}

// textOf returns a text, which a spec may give as hex.
func textOf(v spec.Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case map[string]spec.Value:
		if digits, ok := v[hexKey].(string); ok && len(v) == 1 {
			data, err := hex.DecodeString(digits)
			return string(data), err == nil
		}
	}
	return "", false
}

func integer(t *Type, v spec.Value) (string, error) {
	if n, ok := v.(int64); ok && t.Text == "rune" && n > 0 && n <= unicode.MaxRune && unicode.IsPrint(rune(n)) {
		return strconv.QuoteRune(rune(n)), nil
	}
	switch n := v.(type) {
	case int64:
		if t.Kind == Uint && n >= 0 && (t.Bits == 64 || n < 1<<t.Bits) || t.Kind == Int && (t.Bits == 64 || n >= -1<<(t.Bits-1) && n < 1<<(t.Bits-1)) {
			return strconv.FormatInt(n, 10), nil
		}
	case uint64:
		if t.Kind == Uint && t.Bits == 64 {
			return strconv.FormatUint(n, 10), nil
		}
	}
	return "", misfit(t, v)
}

func (w *values) float(t *Type, v spec.Value) (string, error) {
	var f float64
	switch n := v.(type) {
	case int64:
		f = float64(n)
	case float64:
		f = n
	default:
		return "", misfit(t, v)
	}
	special := map[bool]string{math.IsNaN(f): "math.NaN()", math.IsInf(f, 1): "math.Inf(1)", math.IsInf(f, -1): "math.Inf(-1)"}[true]
	if special == "" {
		return strconv.FormatFloat(f, 'g', -1, t.Bits), nil
	}
	w.imports["math"] = "math"
	if t.Bits == 32 || t.Name != "" {
		special = w.code(t) + "(" + special + ")"
	}
	return special, nil
}

func (w *values) list(t *Type, v spec.Value) (string, error) {
	if v == nil && t.Kind == Slice {
		return "nil", nil
	}
	if text, ok := textOf(v); ok && t.Kind == Slice && t.Elem.Kind == Uint && t.Elem.Bits == 8 {
		return w.code(t) + "(" + quote(text) + ")", nil
	}
	list, ok := v.([]spec.Value)
	if !ok || t.Kind == Array && len(list) > t.Len {
		return "", misfit(t, v)
	}
	parts := make([]string, len(list))
	if t.Kind == Array && bytesOf(t) && len(list) == t.Len {
		if text, ok := w.sparse(list); ok {
			return w.code(t) + "{" + text + "}", nil
		}
	}
	for i, e := range list {
		var err error
		if parts[i], err = w.write(t.Elem, e, false); err != nil {
			return "", err
		}
		if t.Elem.Kind == Struct || t.Elem.Kind == Pointer {
			parts[i] = strings.TrimPrefix(strings.TrimPrefix(parts[i], "&"), strings.TrimPrefix(w.code(t.Elem), "*"))
		}
	}
	return w.code(t) + "{" + strings.Join(parts, ", ") + "}", nil
}

// sparse writes only the non-zero bytes of an array, if that is shorter.
func (w *values) sparse(list []spec.Value) (string, bool) {
	var parts []string
	for i, e := range list {
		switch n, ok := e.(int64); {
		case !ok || n < 0 || n > 255:
			return "", false
		case n != 0:
			parts = append(parts, fmt.Sprintf("%d: %#02x", i, n))
		}
	}
	return strings.Join(parts, ", "), len(parts) <= len(list)/4
}

func (w *values) mapping(t *Type, v spec.Value) (string, error) {
	if v == nil {
		return "nil", nil
	}
	m, ok := v.(map[string]spec.Value)
	if !ok {
		return "", misfit(t, v)
	}
	parts := []string{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		k, err := w.write(t.Key, keyValue(t.Key, name), false)
		if err != nil {
			return "", err
		}
		e, err := w.write(t.Elem, m[name], false)
		if err != nil {
			return "", err
		}
		parts = append(parts, k+": "+e)
	}
	return w.code(t) + "{" + strings.Join(parts, ", ") + "}", nil
}

// keyValue parses a map key, which a spec has as text.
func keyValue(t *Type, name string) spec.Value {
	switch t.Kind {
	case Int:
		if n, err := strconv.ParseInt(name, 10, 64); err == nil {
			return n
		}
	case Uint:
		if n, err := strconv.ParseUint(name, 10, 64); err == nil {
			if n <= math.MaxInt64 {
				return int64(n)
			}
			return n
		}
	case Bool:
		return name == "true"
	}
	return name
}

func (w *values) structure(t *Type, m map[string]spec.Value) (string, error) {
	parts, known := []string{}, 0
	for _, f := range t.Fields {
		v, ok := m[f.Name]
		if !ok {
			continue
		}
		known++
		text, err := w.write(f.Type, v, false)
		if err != nil {
			return "", err
		}
		parts = append(parts, f.Name+": "+text)
	}
	if known < len(m) {
		return "", misfit(t, m)
	}
	return w.code(t) + "{" + strings.Join(parts, ", ") + "}", nil
}

func (w *values) any(v spec.Value) (string, error) {
	switch v := v.(type) {
	case nil:
		return "nil", nil
	case bool:
		return strconv.FormatBool(v), nil
	case string:
		return strconv.Quote(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case uint64:
		return "uint64(" + strconv.FormatUint(v, 10) + ")", nil
	case float64:
		text, err := w.float(&Type{Kind: Float, Bits: 64, Text: "float64"}, v)
		if err == nil && !strings.ContainsAny(text, ".e(") {
			text += ".0"
		}
		return text, err
	case map[string]spec.Value:
		if len(v) == 1 {
			for name, inner := range v {
				if t, ok := dynamic[name]; ok {
					return w.write(t, inner, true)
				}
			}
		}
	}
	return "", fmt.Errorf("the type of %s is unknown", (spec.Typed{Type: "any", Value: v}).String())
}

// dynamic are the types that a spec can name for a value in an interface.
var dynamic = func() map[string]*Type {
	out := map[string]*Type{}
	for name, t := range basic {
		if scalar(&t) {
			one := t
			one.Text = name
			out[name] = &one
			out["[]"+name] = &Type{Text: "[]" + name, Kind: Slice, Elem: &one}
		}
	}
	return out
}()

// call writes a constructor call. The test wraps a constructor that may fail in a helper.
func (w *values) call(t *Type, m map[string]spec.Value) (string, error) {
	c := w.plan.Constructors[t.Text]
	args, ok := m[spec.ArgsKey].([]spec.Value)
	if c == nil || m[spec.CallKey] != c.Name || !ok || len(args) != len(c.Params) || len(m) != 2 || w.depth > 2 {
		return "", misfit(t, m)
	}
	w.depth++
	defer func() { w.depth-- }()
	parts := make([]string, len(args))
	for i, a := range args {
		arg, ok := a.(spec.Typed)
		if !ok || arg.Type != c.Params[i].Type.Text {
			return "", misfit(t, m)
		}
		var err error
		if parts[i], err = w.write(c.Params[i].Type, arg.Value, false); err != nil {
			return "", err
		}
	}
	list := strings.Join(parts, ", ")
	if c.Variadic {
		list += "..."
	}
	if c.Fails {
		w.made[t.Text] = true
		return wrapper(c.Name) + "(" + list + ")", nil
	}
	return w.own(c.Name) + "(" + list + ")", nil
}

func wrapper(constructor string) string {
	return "must" + strings.ToUpper(constructor[:1]) + constructor[1:]
}
