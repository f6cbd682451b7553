package spec

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// quick parses the subset of YAML that Encode writes, much faster than the library: each run reads all specs. Anything
// else is left to the library.
type quick struct {
	text string
	at   int
	odd  bool // it is not in that subset
}

// quickly parses a spec; nil if it is not in the form that Encode writes.
func quickly(data []byte) *yaml.Node {
	q := &quick{text: string(data)}
	root := &yaml.Node{Kind: yaml.MappingNode}
	for !q.odd && q.at < len(q.text) {
		if q.text[q.at] == '#' {
			_, rest, _ := strings.Cut(q.text[q.at:], "\n")
			q.at = len(q.text) - len(rest)
			continue
		}
		name := q.key()
		var value *yaml.Node
		if q.take("\n") {
			value = &yaml.Node{Kind: yaml.SequenceNode}
			for q.take("  - ") {
				value.Content = append(value.Content, q.value(0))
				q.need("\n")
			}
			q.odd = q.odd || len(value.Content) == 0
		} else {
			q.need(" ")
			value = q.value(0)
			q.need("\n")
		}
		q.add(root, name, value)
	}
	if q.odd {
		return nil
	}
	return root
}

func (q *quick) take(text string) bool {
	if q.odd || !strings.HasPrefix(q.text[q.at:], text) {
		return false
	}
	q.at += len(text)
	return true
}

func (q *quick) need(text string) { q.odd = !q.take(text) || q.odd }

const (
	// Limits above what specs need. The library handles larger files.
	deepestQuick = 12
	mostKeys     = 32
)

func (q *quick) add(to *yaml.Node, name, value *yaml.Node) {
	for i := 0; i < len(to.Content); i += 2 {
		q.odd = q.odd || to.Content[i].Value == name.Value
	}
	q.odd = q.odd || len(to.Content) >= 2*mostKeys
	to.Content = append(to.Content, name, value)
}

func (q *quick) key() *yaml.Node {
	n := q.scalar()
	q.odd = q.odd || n.Tag != "!!str"
	q.need(":")
	return n
}

func (q *quick) value(depth int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	end, entry := "]", func() { n.Content = append(n.Content, q.value(depth+1)) }
	switch {
	case depth > deepestQuick:
		q.odd = true
		return n
	case q.take("{"):
		n.Kind, end, entry = yaml.MappingNode, "}", func() {
			name := q.key()
			q.need(" ")
			q.add(n, name, q.value(depth+1))
		}
	case !q.take("["):
		return q.scalar()
	}
	for first := true; !q.odd && !q.take(end); first = false {
		if !first {
			q.need(", ")
		}
		entry()
	}
	return n
}

func (q *quick) scalar() *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
	if q.take(`"`) {
		n.Style, n.Value = yaml.DoubleQuotedStyle, q.quoted()
		return n
	}
	rest := q.text[q.at:]
	end := strings.IndexFunc(rest, func(r rune) bool { return !plainBytes[byte(r)] || r >= utf8.RuneSelf })
	if end <= 0 {
		q.odd = true
		return n
	}
	n.Value = rest[:end]
	q.at += end
	if n.Tag = tagOf(n.Value); n.Tag == "" {
		q.odd = true
	}
	return n
}

// plainBytes may occur in unquoted words.
var plainBytes = func() (table [256]bool) {
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-") {
		table[c] = true
	}
	return table
}()

var (
	whole    = lazyregexp.New(`^-?(0|[1-9][0-9]{0,19})$`)
	fraction = lazyregexp.New(`^-?[0-9]{1,40}(\.[0-9]{1,40}(e[+-][0-9]{2,3})?|e[+-][0-9]{2,3})$`)
)

// tagOf returns the YAML tag of an unquoted word; empty to leave it to the library.
func tagOf(word string) string {
	switch c := word[0] | 0x20; {
	case word == "null":
		return "!!null"
	case word == "true" || word == "false":
		return "!!bool"
	case reserved[strings.ToLower(word)]:
		return ""
	case c >= 'a' && c <= 'z':
		return "!!str"
	case whole.MatchString(word) && fits(word):
		return "!!int"
	case fraction.MatchString(word):
		return "!!float"
	}
	return ""
}

func fits(number string) bool {
	_, signed := strconv.ParseInt(number, 10, 64)
	_, unsigned := strconv.ParseUint(number, 10, 64)
	return signed == nil || unsigned == nil
}

var escapes = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (q *quick) quoted() string {
	rest := q.text[q.at:]
	end := strings.IndexAny(rest, "\"\\\n")
	if end >= 0 && rest[end] == '"' && q.printable(rest[:end]) { // the common case, without escapes
		q.at += end + 1
		return rest[:end]
	}
	var b strings.Builder
	for !q.odd && !q.take(`"`) {
		rest = q.text[q.at:]
		if end = strings.IndexAny(rest, "\"\\\n"); end < 0 || rest[end] == '\n' {
			q.odd = true
			break
		}
		q.odd = q.odd || !q.printable(rest[:end])
		b.WriteString(rest[:end])
		if q.at += end; rest[end] == '\\' {
			q.escape(&b)
		}
	}
	return b.String()
}

func (q *quick) printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) || r == utf8.RuneError })
}

var plainEscapes = map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 't': '\t', 'r': '\r'}

func (q *quick) escape(b *strings.Builder) {
	rest := q.text[q.at:]
	if len(rest) < 2 {
		q.odd = true
		return
	}
	if c, ok := plainEscapes[rest[1]]; ok {
		b.WriteByte(c)
		q.at += 2
		return
	}
	digits := escapes[rest[1]]
	if digits == 0 || len(rest) < 2+digits {
		q.odd = true
		return
	}
	r, err := strconv.ParseUint(rest[2:2+digits], 16, 31)
	if err != nil || !utf8.ValidRune(rune(r)) || slices.Contains([]uint64{0xfeff, 0xfffe, 0xffff}, r) { //nolint:gosec // it has 31 bits
		q.odd = true
		return
	}
	b.WriteRune(rune(r)) //nolint:gosec // as above
	q.at += 2 + digits
}
