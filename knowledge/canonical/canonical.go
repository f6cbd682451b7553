// Package canonical writes YAML in the one form that the files below .causal/ have: the same values give the same bytes,
// one value stands on one line where it fits so that branches merge, and every YAML reader takes a string for a string.
package canonical

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer builds one document. The zero value is an empty one. Indents are numbers of blanks; lists stand at the indent of
// their key.
type Writer struct {
	b      []byte
	fields []field // of the record that is written
}

// Reset empties the Writer for another document. The bytes of the one before are written over.
func (w *Writer) Reset() { w.b = w.b[:0] }

// Bytes is the document so far. They belong to the Writer.
func (w *Writer) Bytes() []byte { return w.b }

// Raw appends text as it is.
func (w *Writer) Raw(text string) { w.b = append(w.b, text...) }

// Text writes a key with a value, and nothing when there is no value.
func (w *Writer) Text(indent int, key, value string) {
	if value != "" {
		w.Keep(indent, key, value)
	}
}

// Keep writes a key with a value, an empty one too.
func (w *Writer) Keep(indent int, key, value string) {
	w.Key(indent, key)
	w.Value(indent+2, value)
}

// Value writes a value behind its key or dash, in the form that reads best. Lines below that stand at the indent.
func (w *Writer) Value(indent int, value string) {
	w.b = append(w.b, ' ')
	w.scalar(indent, value)
	w.b = append(w.b, '\n')
}

// Key writes a key that is a plain word, whose value the caller writes behind it.
func (w *Writer) Key(indent int, key string) {
	w.indent(indent)
	w.b = append(append(w.b, key...), ':')
}

// longestKey is how many bytes YAML allows a key on the line of its value, less what quotes and escapes may add.
const longestKey = 128

// Name writes a key that may be any string, whose value the caller writes behind it.
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

// Dash opens an element of a list, whose value the caller writes behind it.
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

// field is a field of a record: a text, a list, or a value that is written as it is.
type field struct {
	key, value string
	raw        bool
	list       []string
}

// Field adds a text to the record that the next Record writes; an empty one is left out.
func (w *Writer) Field(key, value string) {
	if value != "" {
		w.fields = append(w.fields, field{key: key, value: value})
	}
}

// Number adds a number to it.
func (w *Writer) Number(key string, n int) {
	w.fields = append(w.fields, field{key: key, value: strconv.Itoa(n), raw: true})
}

// Flag adds a key that is true.
func (w *Writer) Flag(key string) {
	w.fields = append(w.fields, field{key: key, value: "true", raw: true})
}

// Names adds a short list to it; an empty one is left out.
func (w *Writer) Names(key string, values []string) {
	if len(values) > 0 {
		w.fields = append(w.fields, field{key: key, list: values})
	}
}

// mostEscaped is the number of line breaks up to which a text is written on the line of its record.
const mostEscaped = 2

// Record writes the fields as an element of a list at the left margin: on two lines, the first of which has the first field only, or
// with a line for each field if one of them is a longer text. So diffs are small, and branches merge that change neighbours: git needs a
// line between two changes that stays the same.
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

// Head writes the key of a list of n elements, whose lines the caller writes behind it.
func (w *Writer) Head(indent int, key string, n int) {
	w.Key(indent, key)
	if n == 0 {
		w.b = append(w.b, " []"...)
	}
	w.b = append(w.b, '\n')
}

// Section is like Head, and writes nothing when there are no elements.
func (w *Writer) Section(indent int, key string, n int) {
	if n > 0 {
		w.Head(indent, key, n)
	}
}

// List writes one value a line: adding one touches one line, and branches merge.
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

// Flow writes a short list on one line, and nothing when it is empty.
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

// Scalar is a string as one YAML scalar on one line, for other files that a program writes.
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

// quote writes a double-quoted scalar. Invalid UTF-8 becomes U+FFFD: YAML has no bytes.
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

// escape writes a character by its number.
func (w *Writer) escape(r rune) {
	shift := 12
	if w.b = append(w.b, `\u`...); r > 0xffff {
		shift, w.b[len(w.b)-1] = 28, 'U'
	}
	for ; shift >= 0; shift -= 4 {
		w.b = append(w.b, hexDigits[r>>shift&0xf])
	}
}
