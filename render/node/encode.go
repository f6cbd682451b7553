package node

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// header opens every node file, so that whoever meets one knows what it is.
const header = "# Written by causal: `causal why` shows the evidence.\n"

// Encode writes the node in its one canonical form.
func (n *Node) Encode() []byte {
	w := writers.Get().(*canonical.Writer)
	defer writers.Put(w)
	return bytes.Clone(n.encode(w))
}

// writers are used again: a large module's node has a megabyte, and is written several times.
var writers = sync.Pool{New: func() any { return new(canonical.Writer) }}

// encode writes the node over what w holds, and returns that.
func (n *Node) encode(w *canonical.Writer) []byte {
	w.Reset()
	w.Raw(header)
	n.content(w, inFile)
	return w.Bytes()
}

// Seal computes the digest over the content.
func (n *Node) Seal() { n.Digest = n.digest(placeless) }

// Whole is the digest over everything that pages show of a node that was just derived: also what the source alone holds.
func (n *Node) Whole() source.Digest { return n.digest(whole) }

// extent is how much of a node is written.
type extent int

const (
	inFile    extent = iota // what the file holds
	placeless               // without the places of symbols
	whole                   // without places, and with what the source alone holds
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

// content writes the node to an extent. What it writes by canonical.Path, parsePaths reads.
func (n *Node) content(w *canonical.Writer, e extent) {
	provenance := e == inFile
	w.Text(0, "module", n.Module)
	w.Text(0, "path", canonical.Path(n.Path))
	w.Text(0, "language", n.Language)
	w.Text(0, "kind", n.Kind)
	w.Text(0, "purpose", n.Purpose)
	w.Text(0, "purpose_from", n.PurposeFrom)
	w.Text(0, "purpose_file", n.PurposeFile)
	w.Text(0, "doc", n.Doc)
	w.Text(0, "manifest", canonical.Path(n.Manifest))
	w.Text(0, "described", n.Described)
	w.Head(0, "dependencies", len(n.Dependencies))
	for _, d := range n.Dependencies {
		w.Element(0, canonical.Path(d))
	}
	paths(w, "passes_on", n.PassesOn)
	optional(w, "external", n.External)
	paths(w, "brings", n.Brings)
	w.Head(0, "public_api", len(n.PublicAPI))
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		w.Item("name", s.Name)
		w.Text(2, "kind", string(s.Kind))
		w.Text(2, "signature", s.Signature)
		if e == whole {
			w.Text(2, "doc", s.Doc)
			for _, o := range s.Overloads {
				w.Text(2, "signature", o.Signature)
				w.Text(2, "doc", o.Doc)
			}
		} else {
			w.Text(2, "doc", Opening(s.Doc))
		}
		w.Text(2, "deprecated", s.Deprecated)
		w.Flow(2, "as", s.As)
		w.Text(2, "import", s.Import)
		if s.Inside {
			w.Raw("  inside: true\n")
		}
		w.Flow(2, "aliases", s.Aliases)
		w.Text(2, "from", canonical.Path(s.From))
		w.Text(2, "file", canonical.Path(s.File))
		if provenance {
			w.Text(2, "at", s.At)
			w.Text(2, "lines", s.Lines)
		}
	}
	w.Section(0, "behaviour", len(n.Behaviour))
	for _, b := range n.Behaviour {
		w.Item("kind", string(b.Kind))
		w.Text(2, "name", b.Name)
		w.Text(2, "file", canonical.Path(b.File))
		w.Text(2, "id", b.ID)
		w.Text(2, "of", b.Of)
		w.Text(2, "also", b.Also)
		w.Text(2, "value", b.Value)
		w.Text(2, "default", b.Default)
		w.Text(2, "usage", b.Usage)
		w.Text(2, "guard", b.Guard)
		w.Text(2, "help", b.Help)
		w.Text(2, "doc", b.Doc)
		if provenance && b.At != "" {
			w.Text(2, "at", b.At)
			w.Key(2, "line") // a number has no quotes
			w.Raw(" " + strconv.Itoa(b.Line) + "\n")
		}
	}
	w.Section(0, "flows", len(n.Flows))
	for _, s := range n.Flows {
		w.Item("flow", s.Flow)
		w.Text(2, "from", s.From)
		w.Text(2, "module", canonical.Path(s.Module))
		w.Text(2, "name", s.Name)
		w.Text(2, "file", canonical.Path(s.File))
		w.Text(2, "doc", s.Doc)
		if provenance {
			w.Text(2, "at", s.At)
			w.Text(2, "lines", s.Lines)
		}
	}
	w.Section(0, "implements", len(n.Implements))
	for _, i := range n.Implements {
		w.Item("type", i.Type)
		w.Text(2, "module", canonical.Path(i.Module))
		w.Text(2, "interface", i.Interface)
	}
	w.Section(0, "examples", len(n.Examples))
	for _, e := range n.Examples {
		w.Item("symbol", e.Symbol)
		w.Text(2, "suffix", e.Suffix)
		w.Text(2, "doc", e.Doc)
		w.Keep(2, "code", e.Code)
		w.Text(2, "output", e.Output)
		w.Text(2, "language", e.Language)
		w.Text(2, "path", canonical.Path(e.Path))
		if provenance {
			w.Text(2, "at", e.At)
			w.Text(2, "lines", e.Lines)
		}
	}
	w.Section(0, "manual", len(n.Manual))
	for _, d := range n.Manual {
		w.Item("symbol", d.Symbol)
		w.Text(2, "path", canonical.Path(d.Path))
		if provenance {
			w.Text(2, "at", d.At)
			w.Text(2, "lines", d.Lines)
		}
	}
	w.Head(0, "sources", len(n.Sources))
	for _, s := range n.Sources {
		w.Item("path", canonical.Path(s.Path))
		w.Text(2, "language", s.Language)
		w.Text(2, "role", s.Role)
		w.Text(2, "problem", s.Problem)
		w.Text(2, "about", s.About)
	}
	w.Text(0, "stale", n.Stale)
	w.Text(0, "invalidation_condition", alternatives(n.InvalidationCondition))
	if e == whole {
		w.List(0, "tests", n.Tests)
	}
}

// longestOpening is how many bytes of a documentation a node keeps.
const longestOpening = 200

// Opening is the first sentence of a documentation as it is written, or as much of its first paragraph as there is room
// for. The opening of an opening is itself.
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

// ends reports whether a text that goes on with a full stop ends there as a sentence: not within parentheses, and not with what is
// shortened, as in "i.e." or "J. Smith".
func ends(text string) bool {
	word := text[strings.LastIndexAny(text, " \n(")+1:]
	return len(word) > 1 && !strings.Contains(word, ".") && strings.Count(text, "(") <= strings.Count(text, ")")
}

// alternatives puts each alternative of a condition on a line of its own: what a module rests on more changes that line.
func alternatives(condition string) string { return strings.ReplaceAll(condition, ") or ", ")\nor ") }

// oneLine is the canonical spelling of what alternatives wrote.
func oneLine(condition string) string { return strings.ReplaceAll(condition, ")\nor ", ") or ") }

// paths writes a list of paths, and nothing when it is empty.
func paths(w *canonical.Writer, key string, values []string) {
	w.Section(0, key, len(values))
	for _, p := range values {
		w.Element(0, canonical.Path(p))
	}
}

// optional writes a list, and nothing when it is empty.
func optional(w *canonical.Writer, key string, values []string) {
	if len(values) > 0 {
		w.List(0, key, values)
	}
}
