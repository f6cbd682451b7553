package rust

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// attributesIn yields the tokens inside each attribute.
func (o *outline) attributesIn(i, end int) iter.Seq[span] {
	return func(yield func(span) bool) {
		for i < end {
			if !o.is(i, "#") {
				i = o.after(i)
				continue
			}
			i++
			if o.is(i, "!") {
				i++
			}
			if o.is(i, "[") {
				next := o.after(i)
				if !yield(o.unsafeAttribute(span{From: i + 1, To: next - 1})) {
					return
				}
				i = next
			}
		}
	}
}

func (o *outline) unsafeAttribute(a span) span {
	if o.is(a.From, "unsafe") && o.is(a.From+1, "(") {
		return span{From: a.From + 2, To: int(o.toks[a.From+1].mate)}
	}
	return a
}

func (o *outline) hasAttribute(i, end int, name string) bool {
	for a := range o.attributesIn(i, end) {
		if o.is(a.From, name) {
			return true
		}
	}
	return false
}

// lastSegment returns the last name of the attribute's path: "test" for tokio::test.
func (o *outline) lastSegment(a span) string {
	i := a.From
	for i+2 < a.To && o.is(i+1, "::") {
		i += 2
	}
	return o.name(i)
}

// testAttributes are the last path segments of attributes that mark a test function.
var testAttributes = set("test", "rstest", "bench", "test_case", "quickcheck", "wasm_bindgen_test")

// testOnly reports whether an attribute excludes the item from everything except tests.
func (o *outline) testOnly(i, end int) bool {
	for a := range o.attributesIn(i, end) {
		if o.is(a.From, "cfg") && o.is(a.From+1, "(") && o.impliesTest(a.From+2, int(o.toks[a.From+1].mate), 0) {
			return true
		}
	}
	return o.isTest(i, end)
}

func (o *outline) isTest(i, end int) bool {
	for a := range o.attributesIn(i, end) {
		if testAttributes[o.lastSegment(a)] {
			return true
		}
	}
	return false
}

const maxPredicate = 16

// impliesTest reports whether a cfg predicate holds only in tests.
func (o *outline) impliesTest(i, end, depth int) bool {
	if o.is(i, "test") || o.is(i, "doctest") {
		return o.onlyComma(i+1, end)
	}
	all := o.is(i, "all")
	if !all && !o.is(i, "any") || !o.is(i+1, "(") || depth >= maxPredicate {
		return false
	}
	found, every := false, true
	last := int(o.toks[i+1].mate)
	for j := i + 2; j < last; {
		next := o.to(",", j, last)
		if o.impliesTest(j, next, depth+1) {
			found = true
		} else {
			every = false
		}
		j = next + 1
	}
	return found && (all || every)
}

func (o *outline) onlyComma(i, end int) bool { return i == end || i+1 == end && o.is(i, ",") }

func (o *outline) deprecation(i, end int) string {
	for a := range o.attributesIn(i, end) {
		if !o.is(a.From, "deprecated") {
			continue
		}
		for j := a.From; j < a.To; j++ {
			if o.is(j, "=") && (o.is(j-1, "note") || o.is(j-1, "deprecated")) && o.class(j+1) == text {
				if note := strings.TrimSpace(o.unquote(j + 1)); note != "" {
					return note
				}
			}
		}
		return "deprecated"
	}
	return ""
}

func (o *outline) unquote(i int) string {
	raw := o.text(i)
	first := 0
	for first < len(raw) && raw[first] != '"' {
		first++
	}
	if first == len(raw) {
		return ""
	}
	prefix := raw[:first]
	hashes := 0
	for hashes < len(prefix) && prefix[len(prefix)-1-hashes] == '#' {
		hashes++
	}
	if last := len(raw) - 1 - hashes; last > first {
		raw = raw[first+1 : last]
	} else {
		raw = nil
	}
	for _, c := range prefix {
		if c == 'r' {
			return toValid(string(raw))
		}
	}
	return unescape(string(raw))
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '0': 0, '\\': '\\', '\'': '\'', '"': '"'}

func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return toValid(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == '\n':
			for i+1 < len(s) && byteClass[s[i+1]] <= cLine && byteClass[s[i+1]] >= cSpace {
				i++
			}
		case c == 'x' && i+2 < len(s):
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
			}
			i += 2
		case c == 'u':
			i += unicodeEscape(&b, s[i:])
		default:
			if e, ok := escapes[c]; ok {
				b.WriteByte(e)
			}
		}
	}
	return toValid(b.String())
}

// unicodeEscape decodes s, which starts with "u{", and returns the number of bytes consumed after the first.
func unicodeEscape(b *strings.Builder, s string) int {
	end := strings.IndexByte(s[:min(len(s), 12)], '}')
	if end < 2 {
		return 0
	}
	if n, err := strconv.ParseUint(strings.ReplaceAll(s[2:end], "_", ""), 16, 32); err == nil && n <= utf8.MaxRune {
		b.WriteRune(rune(n))
	}
	return end
}

func toValid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
