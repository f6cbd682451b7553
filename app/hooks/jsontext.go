package hooks

import (
	"encoding/json"
	"slices"
)

// node is a JSON value with its place in the text that it was read from.
type node struct {
	kind       byte // the first of its bytes
	start, end int
	line       int
	text       string // of a string
	children   []child
}

// child is an item of a list or a member of an object.
type child struct {
	start, end int // with its name
	name       string
	value      *node
}

// member is the value of a key, nil where there is none.
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

// wasEmpty reports whether the first child stands where Install puts one into what was empty before.
func (n *node) wasEmpty() bool { return len(n.children) > 0 && n.children[0].start == n.start+1 }

// insert adds a child behind the last one, at a depth of lines.
func (n *node) insert(text []byte, depth int, s style, added string) []byte {
	at := n.start + 1
	if len(n.children) > 0 {
		at, added = n.children[len(n.children)-1].end, ","+s.line(depth)+added
	}
	return slices.Concat(text[:at], []byte(added), text[at:])
}

// span is a part of the text.
type span struct{ from, to int }

// without is the text that parts are taken out of, none of which is within another.
func without(text []byte, parts []span) []byte {
	slices.SortFunc(parts, func(a, b span) int { return a.from - b.from })
	for _, s := range slices.Backward(parts) {
		text = slices.Concat(text[:s.from], text[s.to:])
	}
	return text
}

// spans are what has to be taken out of the text for some children to be gone, with the commas that belong to them.
func (n *node) spans(gone []int) (out []span) {
	if len(gone) == len(n.children) {
		if n.wasEmpty() {
			return []span{{n.children[0].start, n.children[len(gone)-1].end}}
		}
		return []span{{n.start + 1, n.end - 1}}
	}
	kept := 0 // the first that stays
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

// parser reads a text that is valid JSON.
type parser struct {
	text []byte
	at   int
	line int
}

// next is the next byte that is no white space.
func (p *parser) next() byte {
	for ; ; p.at++ {
		switch p.text[p.at] {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			return p.text[p.at]
		}
	}
}

func (p *parser) value() *node {
	n := &node{kind: p.next(), start: p.at, line: p.line}
	switch n.kind {
	case '{', '[':
		p.children(n)
	case '"':
		for p.at++; p.text[p.at] != '"'; p.at++ {
			if p.text[p.at] == '\\' {
				p.at++
			}
		}
		p.at++
		_ = json.Unmarshal(p.text[n.start:p.at], &n.text) // it is valid
	default:
		for p.at < len(p.text) && !slices.Contains([]byte(" \t\r\n,]}"), p.text[p.at]) {
			p.at++
		}
	}
	n.end = p.at
	return n
}

func (p *parser) children(n *node) {
	for p.at++; ; {
		switch p.next() {
		case ',':
			p.at++
		case '}', ']':
			p.at++
			return
		default:
			v := p.value()
			c := child{start: v.start}
			if n.kind == '{' {
				c.name = v.text
				p.next() // the colon
				p.at++
				v = p.value()
			}
			c.end, c.value = v.end, v
			n.children = append(n.children, c)
		}
	}
}
