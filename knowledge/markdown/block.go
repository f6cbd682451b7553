package markdown

import "strings"

// maxDepth bounds how deep lists and quotes nest; what is deeper is read as text of the deepest level.
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

// block is one piece of a comment, whatever the language it came from.
type block struct {
	kind    blockKind
	text    []inline     // paragraph, label
	lang    string       // codeBlock
	code    string       // codeBlock
	ordered bool         // list
	start   int          // list: the number of its first item, where that is not 1
	loose   bool         // list: blank lines stand between its items
	items   [][]block    // list; quote has one item
	rows    [][][]inline // table, header first
	title   string       // table of members
	members []member     // table, in the place of rows
	aside   bool         // says nothing of what the comment is about
}

type inlineKind int

const (
	plainText inlineKind = iota
	codeText
	strongText
	emphText
	pictureText // what stands for a picture
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

// item makes a list item of a head such as "`x` (`int`)" and what is said about it.
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

// normalise merges neighbours of one kind, makes all white space single spaces and trims both ends.
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

// isNormal reports whether there is nothing for normalise to do: most words pass it more than once on their way.
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
		// Pieces without content stand between nothing: what they separate is one run.
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

// void reports a piece that leaves nothing on the page.
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
