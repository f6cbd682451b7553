package python

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Type names in specs. Nested values are plain YAML if it has a form for them (None, bool, int, float, str and list),
// else a mapping from the type: {tuple: [1, 2]}, {dict: {"a": 1}}, {bytes: "\x00"}.
const (
	typeNone      = "None"
	typeBool      = "bool"
	typeInt       = "int"
	typeFloat     = "float"
	typeStr       = "str"
	typeBytes     = "bytes"
	typeList      = "list"
	typeTuple     = "tuple"
	typeDict      = "dict"
	typeSet       = "set"
	typeFrozenset = "frozenset"
	// typeDefault marks an omitted argument.
	typeDefault = "default"
)

// deepest limits the nesting of values.
const deepest = 8

func typed(v spec.Value) spec.Typed {
	switch x := v.(type) {
	case nil:
		return spec.Typed{Type: typeNone}
	case bool:
		return spec.Typed{Type: typeBool, Value: v}
	case int64, uint64:
		return spec.Typed{Type: typeInt, Value: v}
	case float64:
		return spec.Typed{Type: typeFloat, Value: v}
	case string:
		return spec.Typed{Type: typeStr, Value: v}
	case []spec.Value:
		return spec.Typed{Type: typeList, Value: v}
	case map[string]spec.Value:
		for tag, inner := range x {
			if len(x) == 1 {
				return spec.Typed{Type: tag, Value: inner}
			}
		}
	}
	return spec.Typed{Type: "object", Value: v}
}

// bare is the inverse of typed: it returns a value that includes its type.
func bare(t spec.Typed) spec.Value {
	switch t.Type {
	case typeNone, typeBool, typeStr, typeList:
		return t.Value
	case typeInt, typeFloat:
		if _, written := t.Value.(string); !written {
			return t.Value
		}
	}
	return map[string]spec.Value{t.Type: t.Value}
}

// write writes a value as Python. A mismatch with the type is an error: spec values must not reach code in any other
// way.
func write(t spec.Typed, depth int) (string, error) {
	wrong := func() (string, error) {
		return "", fmt.Errorf("%s is no value of %s", testgen.Clip(t.String(), 60), testgen.Clip(t.Type, 40))
	}
	if depth > deepest {
		return "", fmt.Errorf("a value nests deeper than %d", deepest)
	}
	switch v := t.Value.(type) {
	case nil:
		if t.Type == typeNone {
			return "None", nil
		}
	case bool:
		if t.Type == typeBool {
			return map[bool]string{true: "True", false: "False"}[v], nil
		}
	case int64:
		if t.Type == typeInt || t.Type == typeFloat {
			return numeral(strconv.FormatInt(v, 10), t.Type), nil
		}
	case uint64:
		if t.Type == typeInt || t.Type == typeFloat {
			return numeral(strconv.FormatUint(v, 10), t.Type), nil
		}
	case float64:
		if t.Type == typeFloat {
			return floatSource(v), nil
		}
	case string:
		switch t.Type {
		case typeStr:
			return quoted(v), nil
		case typeBytes:
			text, ok := spec.QuoteBytes(v)
			if !ok {
				return "", fmt.Errorf("%q has a character that is no byte", v)
			}
			return text, nil
		case typeInt:
			if isInteger(v) {
				return v, nil
			}
		}
	case []spec.Value:
		if t.Type == typeDict {
			return dictSource(v, depth)
		}
		return listSource(t.Type, v, depth)
	case map[string]spec.Value:
		if t.Type == typeDict {
			var pairs []spec.Value
			for _, key := range slices.Sorted(maps.Keys(v)) {
				pairs = append(pairs, []spec.Value{key, v[key]})
			}
			return dictSource(pairs, depth)
		}
	}
	return wrong()
}

func numeral(digits, of string) string {
	if of == typeFloat {
		return digits + ".0"
	}
	return digits
}

const mostDigits = 400

func isInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && len(digits) <= mostDigits && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || digits == "0")
}

func floatSource(f float64) string {
	switch {
	case math.IsNaN(f):
		return `float("nan")`
	case math.IsInf(f, 1):
		return `float("inf")`
	case math.IsInf(f, -1):
		return `float("-inf")`
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if abs := math.Abs(f); abs != 0 && abs < 1e16 && abs >= 1e-4 {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func listSource(of string, list []spec.Value, depth int) (string, error) {
	parts := make([]string, len(list))
	for i, v := range list {
		var err error
		if parts[i], err = write(typed(v), depth+1); err != nil {
			return "", err
		}
	}
	all := strings.Join(parts, ", ")
	switch of {
	case typeList:
		return "[" + all + "]", nil
	case typeTuple:
		if len(parts) == 1 {
			all += ","
		}
		return "(" + all + ")", nil
	case typeSet, typeFrozenset:
		switch {
		case of == typeFrozenset && all == "":
			return "frozenset()", nil
		case of == typeFrozenset:
			return "frozenset({" + all + "})", nil
		case all == "":
			return "set()", nil
		}
		return "{" + all + "}", nil
	}
	return "", fmt.Errorf("a list is no %s", testgen.Clip(of, 40))
}

func dictSource(pairs []spec.Value, depth int) (string, error) {
	parts := make([]string, len(pairs))
	for i, v := range pairs {
		pair, ok := v.([]spec.Value)
		if !ok || len(pair) != 2 {
			return "", fmt.Errorf("a dict is a list of keys with their values, and %s is none", testgen.Clip(typed(v).String(), 60))
		}
		key, err := write(typed(pair[0]), depth+1)
		if err != nil {
			return "", err
		}
		value, err := write(typed(pair[1]), depth+1)
		if err != nil {
			return "", err
		}
		parts[i] = key + ": " + value
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

// quoted writes a str on one line, with the quotes that need fewer escapes.
func quoted(s string) string {
	quote := '"'
	if strings.Contains(s, `"`) && !strings.Contains(s, `'`) {
		quote = '\''
	}
	return spec.Quote(s, quote)
}

type literals struct {
	toks  []token
	names map[string]spec.Value // values of variables
}

func (l *literals) at(n int) token {
	if n < len(l.toks) {
		return l.toks[n]
	}
	return token{kind: tBroken}
}

func (l *literals) isOp(text string) bool { return l.at(0).kind == tOp && l.at(0).text == text }

func (l *literals) take(text string) bool {
	if !l.isOp(text) {
		return false
	}
	l.toks = l.toks[1:]
	return true
}

// literal parses tokens that are exactly one value.
func literal(toks []token, names map[string]spec.Value) (spec.Value, bool) {
	l := &literals{toks, names}
	v, ok := l.value(0)
	return v, ok && len(l.toks) == 0
}

func (l *literals) value(depth int) (spec.Value, bool) {
	if depth > deepest || len(l.toks) == 0 {
		return nil, false
	}
	t := l.at(0)
	switch t.kind {
	case tText, tBytes:
		all := ""
		for ; l.at(0).kind == t.kind; l.toks = l.toks[1:] {
			all += l.at(0).text
		}
		if len(all) > longestText || l.at(0).kind == tOther {
			return nil, false
		}
		if t.kind == tBytes {
			return map[string]spec.Value{typeBytes: all}, true
		}
		return all, true
	case tNumber:
		l.toks = l.toks[1:]
		return numberOf(t.text, "")
	case tWord:
		return l.named(t.text, depth)
	case tOp:
		switch t.text {
		case "-", "+":
			if l.at(1).kind != tNumber {
				return nil, false
			}
			digits := l.at(1).text
			l.toks = l.toks[2:]
			return numberOf(digits, t.text)
		case "(", "[":
			return l.sequence(t.text, depth)
		case "{":
			return l.braces(depth)
		}
	}
	return nil, false
}

// longestText limits the bytes of a literal.
const longestText = 2000

func (l *literals) named(name string, depth int) (spec.Value, bool) {
	if v, ok := map[string]spec.Value{"None": nil, "True": true, "False": false}[name]; ok {
		l.toks = l.toks[1:]
		return v, true
	}
	if v, ok := l.names[name]; ok && l.at(1).text != "(" && l.at(1).text != "." && l.at(1).text != "[" {
		l.toks = l.toks[1:]
		return v, true
	}
	if (name == typeSet || name == typeFrozenset) && l.at(1).text == "(" {
		l.toks = l.toks[2:]
		if l.take(")") {
			return map[string]spec.Value{name: []spec.Value{}}, true
		}
		v, ok := l.value(depth + 1)
		if !ok || !l.take(")") {
			return nil, false
		}
		if inner := typed(v); name == typeFrozenset && inner.Type == typeSet {
			return map[string]spec.Value{name: inner.Value}, true
		}
	}
	return nil, false
}

func numberOf(digits, sign string) (spec.Value, bool) {
	digits = strings.ReplaceAll(digits, "_", "")
	minus := strings.TrimPrefix(sign, "+")
	if n, err := strconv.ParseInt(minus+digits, 0, 64); err == nil {
		return n, true
	}
	if isInteger(minus + digits) {
		return map[string]spec.Value{typeInt: minus + digits}, true
	}
	f, err := strconv.ParseFloat(minus+digits, 64)
	return f, err == nil && !strings.ContainsAny(digits, "xXpP")
}

func (l *literals) sequence(open string, depth int) (spec.Value, bool) {
	l.toks = l.toks[1:]
	shut := map[string]string{"(": ")", "[": "]"}[open]
	out, commas := []spec.Value{}, false
	for !l.take(shut) {
		v, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if l.take(",") {
			commas = true
		} else if !l.isOp(shut) {
			return nil, false
		}
	}
	switch {
	case open == "[":
		return out, true
	case len(out) == 1 && !commas:
		return out[0], true
	}
	return map[string]spec.Value{typeTuple: out}, true
}

func (l *literals) braces(depth int) (spec.Value, bool) {
	l.toks = l.toks[1:]
	var keys, values []spec.Value
	for !l.take("}") {
		k, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		keys = append(keys, k)
		if l.take(":") {
			v, ok := l.value(depth + 1)
			if !ok {
				return nil, false
			}
			values = append(values, v)
		}
		if !l.take(",") && !l.isOp("}") {
			return nil, false
		}
	}
	switch {
	case len(values) == len(keys):
		return dictOf(keys, values), true
	case len(values) > 0:
		return nil, false
	}
	return map[string]spec.Value{typeSet: ordered(keys)}, true
}

// dictOf returns a dict, as a mapping if all keys are texts.
func dictOf(keys, values []spec.Value) spec.Value {
	texts, pairs := map[string]spec.Value{}, []spec.Value{}
	for i, k := range keys {
		pairs = append(pairs, []spec.Value{k, values[i]})
		if s, ok := k.(string); ok {
			texts[s] = values[i]
		}
	}
	if _, taken := texts[spec.CallKey]; len(texts) == len(keys) && !taken { // the key is reserved in specs
		return map[string]spec.Value{typeDict: texts}
	}
	return map[string]spec.Value{typeDict: pairs}
}

// ordered sorts the elements of a set as in specs.
func ordered(list []spec.Value) []spec.Value {
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b spec.Value) int { return cmp.Compare(typed(a).String(), typed(b).String()) })
	if out == nil {
		out = []spec.Value{}
	}
	return out
}
