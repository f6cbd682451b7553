package node

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// header is the first line of every node file. Files in earlier formats have another one.
const header = "# Written by causal: `causal why` shows the evidence.\n"

// Encode writes the node in canonical form.
func (n *Node) Encode() []byte {
	w := writers.Get().(*canonical.Writer)
	defer writers.Put(w)
	return bytes.Clone(n.encode(w))
}

// writers are reused: the node of a large module has a megabyte, and is written several times.
var writers = sync.Pool{New: func() any { return new(canonical.Writer) }}

// encode writes the node to w and returns w's buffer.
func (n *Node) encode(w *canonical.Writer) []byte {
	w.Reset()
	w.Raw(header)
	n.content(w, inFile)
	return w.Bytes()
}

// Seal computes the digest of the content.
func (n *Node) Seal() { n.Digest = n.digest(placeless) }

// Whole returns the digest of everything that pages show of a newly derived node, including the parts that only the
// source has.
func (n *Node) Whole() source.Digest { return n.digest(whole) }

type extent int

const (
	inFile    extent = iota // the file's content
	placeless               // without positions
	whole                   // without positions, with the parts that only the source has
)

func (n *Node) digest(e extent) source.Digest {
	w := writers.Get().(*canonical.Writer)
	defer writers.Put(w)
	w.Reset()
	n.content(w, e)
	h := source.NewHasher()
	h.AddBytes(w.Bytes())
	return h.Sum()
}

// content writes the node to an extent.
func (n *Node) content(w *canonical.Writer, e extent) {
	write(w, reflect.ValueOf(n).Elem(), e)
	if e == whole {
		w.List(0, "tests", n.Tests)
		w.Section(0, "outrun", len(n.Outrun))
		for _, o := range n.Outrun {
			w.Element(0, o)
		}
	}
}

// unwrapped joins the lines of each paragraph: rewrapping a comment must not change the node. A paragraph with a list,
// code or a table stays unchanged.
func unwrapped(doc string, e extent) string {
	if e == whole {
		return doc
	}
	paragraphs := strings.Split(doc, "\n\n")
	for i, p := range paragraphs {
		prose := true
		for line := range strings.SplitSeq(p, "\n") {
			first, _ := utf8.DecodeRuneInString(line)
			prose = prose && (unicode.IsLetter(first) || unicode.IsDigit(first) && !strings.ContainsAny(line[:min(len(line), 4)], ".)"))
		}
		if prose {
			paragraphs[i] = strings.ReplaceAll(p, "\n", " ")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// longestOpening bounds the bytes of a documentation in a node.
const longestOpening = 200

// Opening returns the first sentence of a documentation as written, or the start of its first paragraph. It is
// idempotent.
func Opening(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	for i := range min(len(first)-1, longestOpening) {
		if first[i] == '.' && (first[i+1] == ' ' || first[i+1] == '\n') && ends(first[:i]) {
			first = first[:i+1]
			break
		}
	}
	if len(first) > longestOpening {
		first = strings.ToValidUTF8(first[:longestOpening], "")
		if i := strings.LastIndexAny(first, " \n"); i > 0 {
			first = first[:i]
		}
	}
	return strings.TrimSpace(first)
}

// ends reports whether a text before a full stop is a complete sentence: not in parentheses, and not an abbreviation
// such as "i.e." or "J. Smith".
func ends(text string) bool {
	word := text[strings.LastIndexAny(text, " \n(")+1:]
	return len(word) > 1 && !strings.Contains(word, ".") && strings.Count(text, "(") <= strings.Count(text, ")")
}

// alternatives writes each alternative of a condition on a separate line: another dependency changes only its line.
func alternatives(condition string) string { return strings.ReplaceAll(condition, ") or ", ")\nor ") }

// oneLine is the inverse of alternatives.
func oneLine(condition string) string { return strings.ReplaceAll(condition, ")\nor ", ") or ") }
