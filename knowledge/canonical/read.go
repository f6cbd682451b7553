package canonical

import (
	"strconv"
	"strings"
)

// Reader takes a document apart that a Writer wrote. It understands that one form and checks little: whoever reads
// something else gets some entries. So encode what was read again, and compare: equal bytes were read right.
type Reader struct{ rest string }

// NewReader returns a Reader of a document.
func NewReader(document string) *Reader { return &Reader{document} }

// Entry is one key or one element of a list.
type Entry struct {
	Column int    // where the key or the element begins; behind the dash when it has one
	Dash   bool   // it opens an element
	Key    string // empty for an element that is a value
	Value  string
	Flow   []string // the values of a list on one line; not nil when there is such a list
}

// Next returns the next entry, and false at the end.
func (r *Reader) Next() (Entry, bool) {
	line, ok := r.line()
	for ok && (line == "" || line[0] == '#') {
		line, ok = r.line()
	}
	if !ok {
		return Entry{}, false
	}
	var e Entry
	text := strings.TrimLeft(line, " ")
	if rest, ok := strings.CutPrefix(text, "- "); ok {
		e.Dash, text = true, rest
	}
	e.Column = len(line) - len(text)
	below := e.Column
	if key, rest, ok := cutKey(text); ok {
		e.Key, text = key, rest
		below += 2
	}
	switch {
	case text == "|-":
		e.Value = r.block(below)
	case strings.HasPrefix(text, "["):
		e.Flow = flow(text[1:])
	default:
		value, _ := unquote(text)
		e.Value = strings.Clone(value) // or each would keep the whole document
	}
	return e, true
}

func (r *Reader) line() (string, bool) {
	if r.rest == "" {
		return "", false
	}
	var line string
	line, r.rest, _ = strings.Cut(r.rest, "\n")
	return line, true
}

// cutKey cuts a key of small letters and underscores off. No value without quotes holds a colon.
func cutKey(text string) (key, rest string, ok bool) {
	for i := range len(text) {
		c := text[i]
		if c == ':' && (i+1 == len(text) || text[i+1] == ' ') {
			return text[:i], strings.TrimPrefix(text[i+1:], " "), true
		}
		if c != '_' && (c < 'a' || c > 'z') {
			break
		}
	}
	return "", text, false
}

// block reads the lines of a literal block.
func (r *Reader) block(indent int) string {
	var b strings.Builder
	for first := true; r.rest != ""; first = false {
		line, rest, _ := strings.Cut(r.rest, "\n")
		if line != "" && (len(line) < indent || strings.Trim(line[:indent], " ") != "") {
			break
		}
		r.rest = rest
		if !first {
			b.WriteByte('\n')
		}
		if line != "" {
			b.WriteString(line[indent:])
		}
	}
	return b.String()
}

// flow reads the values of a list behind its bracket.
func flow(text string) []string {
	out := []string{}
	for more := text != "" && text[0] != ']'; more; {
		var value string
		value, text = unquote(text)
		out = append(out, strings.Clone(value))
		text, more = strings.CutPrefix(text, ", ")
	}
	return out
}

// unquote reads one scalar, and returns what stands behind it.
func unquote(text string) (value, rest string) {
	switch {
	case text == "":
		return "", ""
	case text[0] == '\'':
		value, rest, _ = strings.Cut(text[1:], "'")
		return value, rest
	case text[0] != '"':
		if i := strings.IndexAny(text, ",]"); i >= 0 {
			return text[:i], text[i:]
		}
		return text, ""
	}
	end := strings.IndexAny(text[1:], `"\`) + 1
	if end > 0 && text[end] == '"' {
		return text[1:end], text[end+1:]
	}
	return unescape(text[1:])
}

func unescape(text string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:]
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
			continue
		}
		i++
		switch c := text[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'u':
			end := min(i+5, len(text))
			n, _ := strconv.ParseUint(text[i+1:end], 16, 32)
			b.WriteRune(rune(n))
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
