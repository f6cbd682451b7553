package typescript

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// node is code printed on one line if it fits, else with one line for each item.
type node struct {
	text   string // before the items, or all of it if close is empty
	items  []node
	close  string
	spaced bool   // spaces inside the braces
	broken bool   // always one line for each item
	behind string // after close
}

func leaf(text string) node { return node{text: text} }

func (n node) flat() string {
	if n.close == "" {
		return n.text + n.behind
	}
	parts := make([]string, len(n.items))
	for i, item := range n.items {
		parts[i] = item.flat()
	}
	inside := strings.Join(parts, ", ")
	if n.spaced && inside != "" {
		inside = " " + inside + " "
	}
	return n.text + inside + n.close + n.behind
}

func (n node) breaks() bool {
	return n.broken || slices.ContainsFunc(n.items, node.breaks)
}

const width = 80

// print writes a node starting at a column; after is the width of the text that follows it.
func (n node) print(b *strings.Builder, indent, column, after int) {
	flat := n.flat()
	if n.close == "" || len(n.items) == 0 || !n.breaks() && column+utf8.RuneCountInString(flat)+after <= width {
		b.WriteString(flat)
		return
	}
	b.WriteString(n.text)
	pad := "\n" + strings.Repeat(" ", indent+2)
	if n.filled() {
		n.fill(b, indent)
	} else {
		for _, item := range n.items {
			b.WriteString(pad)
			item.print(b, indent+2, indent+2, 1)
			b.WriteByte(',')
		}
	}
	b.WriteString("\n" + strings.Repeat(" ", indent) + n.close + n.behind)
}

var numeral = lazyregexp.New(`^-?[0-9]`)

// filled reports whether it is a list of numbers, which share lines.
func (n node) filled() bool {
	return n.close == "]" && len(n.items) > 1 && !slices.ContainsFunc(n.items, func(i node) bool { return i.close != "" || !numeral.MatchString(i.text) })
}

func (n node) fill(b *strings.Builder, indent int) {
	column := 0
	for _, item := range n.items {
		text := item.text + ","
		if column == 0 || column+1+len(text) > width {
			b.WriteString("\n" + strings.Repeat(" ", indent+2) + text)
			column = indent + 2 + len(text)
		} else {
			b.WriteString(" " + text)
			column += 1 + len(text)
		}
	}
}

// flatCode returns a value as code on one line.
func flatCode(v spec.Value) string {
	n, err := code(v, 0)
	if err != nil {
		return "…"
	}
	return n.flat()
}

func code(v spec.Value, depth int) (node, error) {
	if depth > 2*mostNested {
		return node{}, fmt.Errorf("a value holds others too deeply")
	}
	switch v := v.(type) {
	case nil:
		return leaf("null"), nil
	case bool:
		return leaf(strconv.FormatBool(v)), nil
	case int64:
		return leaf(strconv.FormatInt(v, 10)), nil
	case uint64:
		return leaf(strconv.FormatUint(v, 10)), nil
	case float64:
		return leaf(numeralOf(v)), nil
	case string:
		return leaf(quote(v)), nil
	case []spec.Value:
		return listCode(v, depth)
	case map[string]spec.Value:
		if key := tagged(v); key != "" {
			return taggedCode(key, v[key], depth)
		}
		return objectCode(v, depth)
	}
	return node{}, fmt.Errorf("%s is no value", testgen.OneLine(fmt.Sprint(v), 80))
}

func listCode(list []spec.Value, depth int) (node, error) {
	n := node{text: "[", close: "]"}
	for _, e := range list {
		item, err := code(e, depth+1)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
	}
	n.broken = rowsOf(n.items)
	return n, nil
}

// rowsOf reports whether the items are all lists, or all objects, of several items. They are printed on separate lines.
func rowsOf(items []node) bool {
	return len(items) > 1 && !slices.ContainsFunc(items, func(i node) bool { return len(i.items) < 2 || i.text != items[0].text })
}

func objectCode(m map[string]spec.Value, depth int) (node, error) {
	n := node{text: "{", close: "}", spaced: true}
	quoted := slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(name string) bool { return !identifier.MatchString(name) && !wholeNumber(name) })
	for _, name := range slices.Sorted(maps.Keys(m)) {
		item, err := code(m[name], depth+1)
		if err != nil {
			return n, err
		}
		key := name
		if !identifier.MatchString(name) && (quoted || !wholeNumber(name)) || name == "__proto__" {
			key = quote(name)
		}
		if name == "__proto__" {
			key = "[" + key + "]"
		}
		item.text = key + ": " + item.text
		n.items = append(n.items, item)
	}
	return n, nil
}

func wholeNumber(name string) bool {
	n, err := strconv.ParseUint(name, 10, 31)
	return err == nil && strconv.FormatUint(n, 10) == name
}

var (
	identifier = lazyregexp.New(`^[A-Za-z_$][A-Za-z0-9_$]*$`)
	digits     = lazyregexp.New(`^-?(0|[1-9][0-9]{0,400})$`)
	flags      = lazyregexp.New(`^[dgimsuvy]{0,8}$`)
)

func taggedCode(key string, v spec.Value, depth int) (node, error) {
	text, isText := v.(string)
	list, isList := v.([]spec.Value)
	switch {
	case key == undefinedKey && v == true:
		return leaf("undefined"), nil
	case key == bigintKey && isText && digits.MatchString(text):
		return leaf(text + "n"), nil
	case key == bytesKey && isText:
		if data, err := hex.DecodeString(text); err == nil {
			inner := node{text: "[", close: "]"}
			for _, b := range data {
				inner.items = append(inner.items, leaf(strconv.Itoa(int(b))))
			}
			return wrapped("new Uint8Array(", inner), nil
		}
	case key == dateKey && isText:
		if _, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return leaf("new Date(" + quote(text) + ")"), nil
		}
		if text == "Invalid Date" {
			return leaf("new Date(NaN)"), nil
		}
	case key == regexpKey && len(list) == 2:
		source, ok := list[0].(string)
		letters, also := list[1].(string)
		if ok && also && flags.MatchString(letters) {
			n := node{text: "new RegExp(", close: ")", items: []node{leaf(quote(source))}}
			if letters != "" {
				n.items = append(n.items, leaf(quote(letters)))
			}
			return leaf(n.flat()), nil
		}
	case (key == mapKey || key == setKey) && isList:
		inner, err := listCode(list, depth+1)
		return wrapped(map[string]string{mapKey: "new Map(", setKey: "new Set("}[key], inner), err
	}
	return node{}, fmt.Errorf("%s is no value", testgen.OneLine(spec.Typed{Type: key, Value: v}.String(), 80))
}

func wrapped(call string, inner node) node {
	inner.text, inner.behind = call+inner.text, ")"+inner.behind
	return inner
}

// instant parses a time that does not depend on the time zone.
func instant(text string) (spec.Value, bool) {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02"} {
		if at, err := time.Parse(form, text); err == nil {
			return tag(dateKey, at.UTC().Format("2006-01-02T15:04:05.000Z")), true
		}
	}
	return nil, false
}

func numeralOf(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if mantissa, exponent, ok := strings.Cut(text, "e"); ok {
		n, _ := strconv.Atoi(exponent)
		if n >= -6 && n < 21 {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return mantissa + "e" + strconv.Itoa(n)
	}
	return text
}

// quote prefers the quotes that need fewer escapes.
func quote(s string) string {
	q := '"'
	if strings.Count(s, `"`) > strings.Count(s, `'`) {
		q = '\''
	}
	return disarm.Replace(spec.Escape(s, q, escapes, `\u{%x}`))
}

// disarm escapes text that tools look for anywhere in a file.
var disarm = strings.NewReplacer("@vitest-", `\x40vitest-`, "@jest-", `\x40jest-`, "sourceMappingURL", `source\x4dappingURL`)

var escapes = map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`, '\v': `\v`}
