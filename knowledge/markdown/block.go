package markdown

import "strings"

// maxDepth bounds the nesting of lists and quotes; deeper text is read at the deepest level.
const maxDepth = 6

type blockKind int

const (
	paragraph blockKind = iota
	label               // a heading of the comment, shown bold: it must not change the page's outline
	codeBlock
	list
	quote
	table
)

type block struct {
	kind    blockKind
	text    []inline     // paragraph, label
	lang    string       // codeBlock
	code    string       // codeBlock
	ordered bool         // list
	start   int          // list: number of the first item, 0 for 1
	loose   bool         // list: blank lines separate its items
	items   [][]block    // list; quote has one item
	rows    [][][]inline // table, header first
	title   string       // table of members
	members []member     // table, instead of rows
	aside   bool         // not about the documented symbol
}

type inlineKind int

const (
	plainText inlineKind = iota
	codeText
	strongText
	emphText
	pictureText // replacement for a picture
)

// inline is a run of text of one kind. There is no nesting: emphasis holds plain text only.
type inline struct {
	kind inlineKind
	s    string
}

func text(s string) []inline { return []inline{{plainText, s}} }

func para(in []inline) block { return block{kind: paragraph, text: in} }

func heading(s string) block { return block{kind: label, text: text(s)} }

// labelled puts a bold label before the first paragraph of body: "**Returns:** the sum".
func labelled(name string, body []block) []block {
	head := []inline{{strongText, name + ":"}}
	if len(body) > 0 && body[0].kind == paragraph {
		first := append(append(head, inline{plainText, " "}), body[0].text...)
		return append([]block{para(first)}, body[1:]...)
	}
	return append([]block{para(head)}, body...)
}

// item makes a list item of a head such as "`x` (`int`)" and its description.
func item(head []inline, body []block) []block {
	if len(body) == 0 {
		return []block{para(head)}
	}
	if body[0].kind != paragraph {
		return append([]block{para(head)}, body...)
	}
	if len(head) > 0 {
		head = append(head, inline{plainText, ": "})
	}
	return append([]block{para(append(head, body[0].text...))}, body[1:]...)
}

// normalise merges neighbours of one kind, collapses white space and trims both ends.
func normalise(in []inline) []inline {
	if isNormal(in) {
		return in
	}
	return trimEnds(merge(in))
}

func trimEnds(out []inline) []inline {
	if n := len(out); n > 0 {
		out[0].s = strings.TrimLeft(out[0].s, " ")
		out[n-1].s = strings.TrimRight(out[n-1].s, " ")
	}
	kept := out[:0]
	for _, piece := range out {
		if piece.s != "" {
			kept = append(kept, piece)
		}
	}
	return kept
}

// isNormal reports whether normalise has nothing to do, the usual case because most text passes it repeatedly.
func isNormal(in []inline) bool {
	for i, piece := range in {
		s, marked := piece.s, piece.kind != plainText
		switch {
		case s == "" || !isSqueezed(s),
			(marked || i == 0) && s[0] == ' ',
			(marked || i == len(in)-1) && s[len(s)-1] == ' ',
			i > 0 && piece.kind <= codeText && piece.kind == in[i-1].kind:
			return false
		}
	}
	return true
}

func merge(in []inline) []inline {
	out := make([]inline, 0, len(in))
	for i := 0; i < len(in); {
		start, kind := i, in[i].kind
		// Empty pieces do not separate their neighbours.
		for i++; i < len(in) && (void(in[i]) || in[i].kind == kind && kind <= codeText); i++ {
		}
		s := squeeze(joined(in[start:i]))
		if kind != plainText {
			s = strings.TrimSpace(s)
		}
		if s != "" {
			out = append(out, inline{kind, s})
		}
	}
	return out
}

// void reports a piece without visible content.
func void(piece inline) bool {
	return piece.s == "" || piece.kind != plainText && strings.TrimSpace(piece.s) == ""
}

func rawText(in []inline) string { return joined(normalise(in)) }

func joined(in []inline) string {
	if len(in) == 1 {
		return in[0].s
	}
	var b strings.Builder
	for _, piece := range in {
		if !void(piece) {
			b.WriteString(piece.s)
		}
	}
	return b.String()
}
