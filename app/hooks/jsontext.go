package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
)

// node is a JSON value with its position in the source text.
type node struct {
	kind       byte // its first byte
	start, end int
	line       int
	text       string // value of a string
	children   []child
}

// child is a list item or an object member.
type child struct {
	start, end int // including the name
	name       string
	value      *node
}

func (n *node) member(name string) *node {
	if n.kind != '{' {
		return nil
	}
	for _, c := range n.children {
		if c.name == name {
			return c.value
		}
	}
	return nil
}

// wasEmpty reports whether the first child directly follows the bracket, as Install writes it into an empty list or
// object.
func (n *node) wasEmpty() bool { return len(n.children) > 0 && n.children[0].start == n.start+1 }

// insert appends a child after the last one.
func (n *node) insert(text []byte, depth int, s style, added string) []byte {
	at := n.start + 1
	if len(n.children) > 0 {
		at, added = n.children[len(n.children)-1].end, ","+s.line(depth)+added
	}
	return slices.Concat(text[:at], []byte(added), text[at:])
}

type span struct{ from, to int }

// without removes non-overlapping parts.
func without(text []byte, parts []span) []byte {
	slices.SortFunc(parts, func(a, b span) int { return a.from - b.from })
	for _, s := range slices.Backward(parts) {
		text = slices.Concat(text[:s.from], text[s.to:])
	}
	return text
}

// spans returns the parts of the text to remove for some children, including commas.
func (n *node) spans(gone []int) (out []span) {
	if len(gone) == len(n.children) {
		if n.wasEmpty() {
			return []span{{n.children[0].start, n.children[len(gone)-1].end}}
		}
		return []span{{n.start + 1, n.end - 1}}
	}
	kept := 0 // first remaining child
	for slices.Contains(gone, kept) {
		kept++
	}
	for _, i := range gone {
		if i < kept {
			out = append(out, span{n.children[i].start, n.children[i+1].start})
		} else {
			out = append(out, span{n.children[i-1].end, n.children[i].end})
		}
	}
	return out
}

// parser parses valid JSON.
type parser struct {
	text     []byte
	tokens   *json.Decoder
	at, line int // of the last value
}

func (p *parser) value() *node {
	n := &node{start: int(p.tokens.InputOffset())}
	for bytes.IndexByte([]byte(" \t\r\n,:"), p.text[n.start]) >= 0 {
		n.start++
	}
	p.line += bytes.Count(p.text[p.at:n.start], []byte("\n"))
	n.kind, n.line, p.at = p.text[n.start], p.line, n.start
	token, _ := p.tokens.Token()
	n.text, _ = token.(string)
	if _, opens := token.(json.Delim); opens {
		for p.tokens.More() {
			v := p.value()
			c := child{start: v.start}
			if n.kind == '{' {
				c.name, v = v.text, p.value()
			}
			c.end, c.value = v.end, v
			n.children = append(n.children, c)
		}
		_, _ = p.tokens.Token() // the end
	}
	n.end = int(p.tokens.InputOffset())
	return n
}
