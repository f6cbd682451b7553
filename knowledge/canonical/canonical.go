// Package canonical writes YAML in the canonical format of the files below .causal/: equal values give equal bytes,
// each value is on one line if it fits, which helps merging, and every YAML reader reads a string as a string.
package canonical

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer builds one document. The zero value is an empty document. Indents are numbers of blanks; lists have the
// indent of their key.
type Writer struct {
	b      []byte
	fields []field // of the present record
}

// Reset empties the Writer for another document and reuses its buffer.
func (w *Writer) Reset() { w.b = w.b[:0] }

// Bytes returns the document so far. The slice belongs to the Writer.
func (w *Writer) Bytes() []byte { return w.b }

// Raw appends text as it is.
func (w *Writer) Raw(text string) { w.b = append(w.b, text...) }

// Text writes a key with a value, unless the value is empty.
func (w *Writer) Text(indent int, key, value string) {
	if value != "" {
		w.Keep(indent, key, value)
	}
}

// Keep writes a key with a value, even an empty one.
func (w *Writer) Keep(indent int, key, value string) {
	w.Key(indent, key)
	w.Value(indent+2, value)
}

// Value writes a value after its key or dash, in the most readable format. Continuation lines have the given indent.
func (w *Writer) Value(indent int, value string) {
	w.b = append(w.b, ' ')
	w.scalar(indent, value)
	w.b = append(w.b, '\n')
}

// Key writes a plain key; the caller writes its value.
func (w *Writer) Key(indent int, key string) {
	w.indent(indent)
	w.b = append(append(w.b, key...), ':')
}

// longestKey is YAML's limit for a key on the line of its value, in bytes, less the space for quotes and escapes.
const longestKey = 128

// Name writes a key that may be any string; the caller writes its value.
func (w *Writer) Name(indent int, key string) {
	w.indent(indent)
	if len(key) <= longestKey {
		w.Scalar(key)
	} else {
		w.b = append(w.b, "? "...)
		w.Scalar(key)
		w.b = append(w.b, '\n')
		w.indent(indent)
	}
	w.b = append(w.b, ':')
}

// Dash opens an element of a list; the caller writes its value.
func (w *Writer) Dash(indent int) {
	w.indent(indent)
	w.b = append(w.b, '-')
}

// Item opens an element of a list at the left margin with its first key.
func (w *Writer) Item(key, value string) {
	w.Dash(0)
	w.b = append(append(append(w.b, ' '), key...), ':')
	w.Value(4, value)
}

type field struct {
	key, value string
	raw        bool
	list       []string
}

// Field adds a text to the next Record, unless it is empty.
func (w *Writer) Field(key, value string) {
	if value != "" {
		w.fields = append(w.fields, field{key: key, value: value})
	}
}

// Number adds a number to the next Record.
func (w *Writer) Number(key string, n int) {
	w.fields = append(w.fields, field{key: key, value: strconv.Itoa(n), raw: true})
}

// Flag adds a key with the value true to the next Record.
func (w *Writer) Flag(key string) {
	w.fields = append(w.fields, field{key: key, value: "true", raw: true})
}

// Names adds a short list to the next Record, unless it is empty.
func (w *Writer) Names(key string, values []string) {
	if len(values) > 0 {
		w.fields = append(w.fields, field{key: key, list: values})
	}
}

// mostEscaped is the number of line breaks up to which a text is written on the line of its record.
const mostEscaped = 2

// Record writes the fields as an element of a list at the left margin: on two lines, with the first field on the
// first, or with a line for each field if one of them is a longer text. This keeps diffs small and lets branches
// merge that change neighbours, because git needs an unchanged line between two changes.
func (w *Writer) Record() {
	long := slices.ContainsFunc(w.fields, func(f field) bool { return strings.Count(f.value, "\n") > mostEscaped })
	lead, between, end := "- {", ", ", "}\n"
	if long {
		lead, between, end = "- ", "\n  ", "\n"
	}
	w.Raw(lead)
	for i, f := range w.fields {
		switch {
		case i == 1 && !long:
			w.Raw(",\n  ")
		case i > 0:
			w.Raw(between)
		}
		w.Raw(f.key)
		w.Raw(": ")
		switch {
		case f.list != nil:
			w.flow(f.list)
		case f.raw:
			w.Raw(f.value)
		case long:
			w.scalar(4, f.value)
		default:
			w.Scalar(f.value)
		}
	}
	w.Raw(end)
	w.fields = w.fields[:0]
}

// Head writes the key of a list of n elements; the caller writes the elements.
func (w *Writer) Head(indent int, key string, n int) {
	w.Key(indent, key)
	if n == 0 {
		w.b = append(w.b, " []"...)
	}
	w.b = append(w.b, '\n')
}

// Section is like Head, but writes nothing for zero elements.
func (w *Writer) Section(indent int, key string, n int) {
	if n > 0 {
		w.Head(indent, key, n)
	}
}

// List writes one value per line: adding one changes one line, and branches merge.
func (w *Writer) List(indent int, key string, values []string) {
	w.Head(indent, key, len(values))
	for _, v := range values {
		w.Element(indent, v)
	}
}

// Element writes one value of a list.
func (w *Writer) Element(indent int, value string) {
	w.Dash(indent)
	w.Value(indent+2, value)
}

// Flow writes a short list on one line, unless it is empty.
func (w *Writer) Flow(indent int, key string, values []string) {
	if len(values) == 0 {
		return
	}
	w.Key(indent, key)
	w.b = append(w.b, ' ')
	w.flow(values)
	w.b = append(w.b, '\n')
}

func (w *Writer) flow(values []string) {
	w.b = append(w.b, '[')
	for i, v := range values {
		if i > 0 {
			w.b = append(w.b, ", "...)
		}
		w.Scalar(v)
	}
	w.b = append(w.b, ']')
}

func (w *Writer) indent(n int) {
	for range n {
		w.b = append(w.b, ' ')
	}
}

// Scalar writes a string as one scalar on one line.
func (w *Writer) Scalar(s string) {
	switch is := classesOf(s); {
	case plain(s, is):
		w.b = append(w.b, s...)
	case is&escaped != 0 && literal(s, is):
		w.b = append(append(append(w.b, '\''), s...), '\'')
	default:
		w.quote(s, is)
	}
}

// Scalar returns a string as one YAML scalar on one line, for other generated files.
func Scalar(s string) string {
	if plain(s, classesOf(s)) {
		return s
	}
	var w Writer
	w.Scalar(s)
	return string(w.b)
}

func (w *Writer) scalar(indent int, s string) {
	switch is := classesOf(s); {
	case blockable(s, is):
		w.b = append(w.b, "|-"...)
		for line := range strings.SplitSeq(s, "\n") {
			w.b = append(w.b, '\n')
			if line != "" {
				w.indent(indent)
				w.b = append(w.b, line...)
			}
		}
	default:
		w.Scalar(s)
	}
}

const hexDigits = "0123456789abcdef"

// quote writes a double-quoted scalar. Invalid UTF-8 becomes U+FFFD, because YAML has no bytes.
func (w *Writer) quote(s string, is class) {
	w.b = append(w.b, '"')
	if is&(escaped|newline|tab|control|high) == 0 {
		w.b = append(append(w.b, s...), '"')
		return
	}
	previous := ' '
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.b = append(w.b, '\\', byte(r))
		case r == '\n':
			w.b = append(w.b, `\n`...)
		case r == '\t':
			w.b = append(w.b, `\t`...)
		case shows(r, previous):
			w.b = utf8.AppendRune(w.b, r)
		default:
			w.escape(r)
		}
		previous = r
	}
	w.b = append(w.b, '"')
}

func (w *Writer) escape(r rune) {
	shift := 12
	if w.b = append(w.b, `\u`...); r > 0xffff {
		shift, w.b[len(w.b)-1] = 28, 'U'
	}
	for ; shift >= 0; shift -= 4 {
		w.b = append(w.b, hexDigits[r>>shift&0xf])
	}
}
