package typescript

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen/spec"
)

// The keys of values without a YAML form. A mapping with one of them as its only key represents such a value.
const (
	undefinedKey = "$undefined" // true
	bigintKey    = "$bigint"    // its digits
	bytesKey     = "$bytes"     // bytes of a Uint8Array, in hex
	dateKey      = "$date"      // ISO 8601, in UTC
	regexpKey    = "$regexp"    // [source, flags]
	mapKey       = "$map"       // a list of pairs
	setKey       = "$set"       // a list
)

// kindOf names the kinds of these values.
var kindOf = map[string]Kind{undefinedKey: Nothing, bigintKey: BigInt, bytesKey: Bytes, dateKey: Moment, regexpKey: Pattern, mapKey: "Map", setKey: "Set"}

func tag(key string, v spec.Value) map[string]spec.Value { return map[string]spec.Value{key: v} }

func undefined() spec.Value { return tag(undefinedKey, true) }

// tagged returns the key of a value represented by a mapping; empty for other values.
func tagged(v spec.Value) string {
	if m, ok := v.(map[string]spec.Value); ok && len(m) == 1 {
		for key := range m {
			if strings.HasPrefix(key, "$") {
				return key
			}
		}
	}
	return ""
}

func isNumber(v spec.Value) bool {
	switch v.(type) {
	case int64, uint64, float64:
		return true
	}
	return false
}

func sameValue(a, b spec.Value) bool {
	return spec.Typed{Type: "x", Value: a}.String() == spec.Typed{Type: "x", Value: b}.String()
}

// mostNested limits the nesting of literals.
const mostNested = 12

// literal parses the literal at a token and returns the index of the next token.
func literal(t []ecma.Token, i int) (v spec.Value, next int, ok bool) {
	l := literals{t: t, i: i}
	v, ok = l.value(0)
	return v, l.i, ok
}

// valueOf returns the value of a literal.
func valueOf(code string) (spec.Value, bool) {
	t, ok := tokensOf(code)
	v, next, is := literal(t, 0)
	return v, ok && is && next == len(t)
}

// startOf returns the value of the literal that an expression begins with.
func startOf(code string) (spec.Value, bool) {
	t, _ := tokensOf(code)
	v, _, ok := literal(t, 0)
	return v, ok
}

type literals struct {
	t []ecma.Token
	i int
	// moved reports that the properties of an object are not sorted as in specs.
	moved bool
}

func (l *literals) is(text string) bool { return l.i < len(l.t) && isToken(l.t[l.i], text) }

func (l *literals) value(depth int) (spec.Value, bool) {
	if l.i >= len(l.t) || depth > mostNested {
		return nil, false
	}
	t := l.t[l.i]
	l.i++
	switch t.Kind {
	case ecma.String, ecma.Template:
		return textOf(t)
	case ecma.Number:
		return numberOf(t.Text)
	case ecma.Regexp:
		if end := strings.LastIndexByte(t.Text, '/'); end > 0 && flags.MatchString(t.Text[end+1:]) {
			return tag(regexpKey, []spec.Value{t.Text[1:end], t.Text[end+1:]}), true
		}
	case ecma.Word:
		return l.word(t.Text, depth)
	case ecma.Punct:
		switch t.Text {
		case "-":
			v, ok := l.value(depth + 1)
			return negative(v), ok && (isNumber(v) || tagged(v) == bigintKey)
		case "+":
			v, ok := l.value(depth + 1)
			return v, ok && isNumber(v)
		case "[":
			return l.list(depth)
		case "{":
			return l.object(depth)
		}
	}
	return nil, false
}

func (l *literals) word(word string, depth int) (spec.Value, bool) {
	switch word {
	case "true", "false":
		return word == "true", true
	case "null":
		return nil, true
	case "undefined":
		return undefined(), true
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "new":
		return l.made(depth)
	}
	return nil, false
}

// made parses new Date("…") and new Uint8Array([…]).
func (l *literals) made(depth int) (spec.Value, bool) {
	if l.i+1 >= len(l.t) || !isToken(l.t[l.i+1], "(") {
		return nil, false
	}
	name := l.t[l.i].Text
	l.i += 2
	if l.is(")") {
		return nil, false
	}
	v, ok := l.value(depth + 1)
	if !ok || !l.is(")") {
		return nil, false
	}
	l.i++
	switch name {
	case "Date":
		if text, isText := v.(string); isText {
			return instant(text)
		}
	case "Uint8Array":
		list, isList := v.([]spec.Value)
		if !isList {
			return nil, false
		}
		var b strings.Builder
		for _, e := range list {
			n, isInt := e.(int64)
			if !isInt || n < 0 || n > 255 {
				return nil, false
			}
			b.WriteString(strconv.FormatInt(n+256, 16)[1:])
		}
		return tag(bytesKey, b.String()), true
	}
	return nil, false
}

func (l *literals) list(depth int) (spec.Value, bool) {
	out := []spec.Value{}
	for !l.is("]") {
		v, ok := l.value(depth + 1)
		if !ok {
			return nil, false
		}
		if out = append(out, v); l.is(",") {
			l.i++
		} else if !l.is("]") {
			return nil, false
		}
	}
	l.i++
	return out, true
}

func (l *literals) object(depth int) (spec.Value, bool) {
	out, before := map[string]spec.Value{}, ""
	for !l.is("}") {
		if l.i+1 >= len(l.t) || !isToken(l.t[l.i+1], ":") {
			return nil, false
		}
		name := l.t[l.i].Text
		switch l.t[l.i].Kind {
		case ecma.String:
			text, ok := textOf(l.t[l.i])
			if name = text; !ok {
				return nil, false
			}
		case ecma.Word, ecma.Number:
		default:
			return nil, false
		}
		l.moved, before = l.moved || name < before, name
		l.i += 2
		v, ok := l.value(depth + 1)
		if !ok || name == "__proto__" {
			return nil, false
		}
		if out[name] = v; l.is(",") {
			l.i++
		} else if !l.is("}") {
			return nil, false
		}
	}
	l.i++
	return out, len(out) != 1 || tagged(out) == ""
}

func negative(v spec.Value) spec.Value {
	switch v := v.(type) {
	case int64:
		if v == 0 {
			return math.Copysign(0, -1)
		}
		return -v
	case float64:
		return -v
	case map[string]spec.Value:
		if digits, ok := v[bigintKey].(string); ok {
			return tag(bigintKey, "-"+digits)
		}
	}
	return v
}

func numberOf(text string) (spec.Value, bool) {
	text = strings.ReplaceAll(text, "_", "")
	if digits, ok := strings.CutSuffix(text, "n"); ok {
		n, err := strconv.ParseInt(digits, 0, 64)
		return tag(bigintKey, strconv.FormatInt(n, 10)), err == nil
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && n <= largestInteger && (len(text) < 2 || text[0] != '0' || strings.ContainsAny(text[1:2], "xXbBoO")) {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return number(f), err == nil && !strings.HasPrefix(text, "0x")
}

const largestInteger = 1<<53 - 1

// number returns integers as int64.
func number(f float64) spec.Value {
	if f == math.Trunc(f) && math.Abs(f) <= largestInteger && (f != 0 || !math.Signbit(f)) {
		return int64(f)
	}
	return f
}

func textOf(t ecma.Token) (string, bool) {
	if len(t.Text) < 2 || t.Text[0] != t.Text[len(t.Text)-1] || t.Kind != ecma.String && t.Kind != ecma.Template || !utf8.ValidString(t.Text) {
		return "", false
	}
	text := sequence.ReplaceAllStringFunc(t.Text[1:len(t.Text)-1], unescape)
	return text, !strings.Contains(text, invalid)
}

// sequence matches an escape sequence, or the two of a surrogate pair.
var sequence = lazyregexp.New(`(?s)\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,8}\}|x[0-9a-fA-F]{2}|0[0-9]?|.|$)`)

var simpleEscapes = map[string]string{"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\x00", "\n": ""}

// invalid stands for an invalid escape sequence or an unpaired surrogate.
const invalid = string(utf8.RuneError)

func unescape(escaped string) string {
	s := escaped[1:]
	text, simple := simpleEscapes[s]
	switch {
	case simple:
		return text
	case s == "" || s == "u" || s == "x" || s[0] >= '0' && s[0] <= '9':
		return invalid
	case s[0] != 'u' && s[0] != 'x':
		return s
	}
	first, second, paired := strings.Cut(s[1:], `\u`)
	n, err := strconv.ParseUint(strings.Trim(first, "{}"), 16, 32)
	if low, wrong := strconv.ParseUint(second, 16, 32); paired && wrong == nil {
		return string(utf16.DecodeRune(rune(n), rune(low)))
	}
	if err != nil || n > utf8.MaxRune {
		return invalid
	}
	return string(rune(n))
}
