package node

import (
	"bytes"
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

// content writes the node to an extent. parsePaths decodes its canonical paths.
func (n *Node) content(w *canonical.Writer, e extent) {
	provenance := e == inFile
	w.Text(0, "module", n.Module)
	w.Text(0, "path", canonical.Path(n.Path))
	w.Text(0, "language", n.Language)
	w.Text(0, "kind", n.Kind)
	w.Text(0, "purpose", n.Purpose)
	w.Text(0, "purpose_from", n.PurposeFrom)
	w.Text(0, "purpose_file", n.PurposeFile)
	w.Text(0, "doc", unwrapped(n.Doc, e))
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
		n.PublicAPI[i].record(w, e)
	}
	w.Section(0, "behaviour", len(n.Behaviour))
	for i := range n.Behaviour {
		n.Behaviour[i].record(w, e)
	}
	w.Section(0, "flows", len(n.Flows))
	for _, s := range n.Flows {
		w.Field("flow", s.Flow)
		w.Field("from", s.From)
		w.Field("module", canonical.Path(s.Module))
		w.Field("name", s.Name)
		if w.Field("when", s.When); s.Within > 0 {
			w.Number("within", s.Within)
		}
		if s.More > 0 {
			w.Number("more", s.More)
		}
		w.Field("file", canonical.Path(s.File))
		w.Field("doc", unwrapped(s.Doc, e))
		place(w, provenance, s.At, s.Lines)
		w.Record()
	}
	w.Section(0, "implements", len(n.Implements))
	for _, i := range n.Implements {
		w.Field("type", i.Type)
		w.Field("module", canonical.Path(i.Module))
		w.Field("interface", i.Interface)
		w.Field("guard", i.Guard)
		w.Record()
	}
	w.Section(0, "examples", len(n.Examples))
	for _, x := range n.Examples {
		w.Field("symbol", x.Symbol)
		w.Field("suffix", x.Suffix)
		w.Field("doc", unwrapped(x.Doc, e))
		w.Field("code", x.Code)
		w.Field("output", x.Output)
		w.Field("language", x.Language)
		w.Field("path", canonical.Path(x.Path))
		place(w, provenance, x.At, x.Lines)
		w.Record()
	}
	w.Section(0, "manual", len(n.Manual))
	for _, d := range n.Manual {
		w.Field("symbol", d.Symbol)
		w.Field("path", canonical.Path(d.Path))
		w.Field("anchor", d.Anchor)
		if d.Also {
			w.Flag("also")
		}
		place(w, provenance, d.At, d.Lines)
		w.Record()
	}
	w.Head(0, "sources", len(n.Sources))
	for i := range n.Sources {
		n.Sources[i].record(w)
	}
	prose(w, n.Prose, n.ProseEvidence)
	w.Text(0, "stale", n.Stale)
	w.Text(0, "invalidation_condition", alternatives(n.InvalidationCondition))
	if e == whole {
		w.List(0, "tests", n.Tests)
		optional(w, "outrun", n.Outrun)
	}
}

func (s *Symbol) record(w *canonical.Writer, e extent) {
	w.Field("name", s.Name)
	w.Field("kind", string(s.Kind))
	w.Field("signature", s.Signature)
	if e == whole {
		w.Field("doc", s.Doc)
		for _, o := range s.Overloads {
			w.Field("signature", o.Signature)
			w.Field("doc", o.Doc)
		}
	} else {
		w.Field("doc", strings.Join(strings.Fields(Opening(s.Doc)), " "))
	}
	w.Field("deprecated", s.Deprecated)
	w.Names("as", s.As)
	w.Field("import", s.Import)
	if s.Inside {
		w.Flag("inside")
	}
	w.Names("aliases", s.Aliases)
	w.Field("inherited", s.Inherited)
	w.Field("source", canonical.Path(s.Source))
	w.Field("doc_from", s.DocFrom)
	w.Field("from", canonical.Path(s.From))
	w.Field("guard", s.Guard)
	w.Field("file", canonical.Path(s.File))
	place(w, e == inFile, s.At, s.Lines)
	w.Record()
}

func (b *Behavior) record(w *canonical.Writer, e extent) {
	w.Field("kind", string(b.Kind))
	w.Field("name", b.Name)
	w.Field("file", canonical.Path(b.File))
	w.Field("in", canonical.Path(b.In))
	w.Field("id", b.ID)
	w.Field("of", b.Of)
	w.Field("also", b.Also)
	w.Field("value", b.Value)
	w.Field("default", b.Default)
	w.Field("usage", b.Usage)
	w.Field("guard", b.Guard)
	w.Field("help", b.Help)
	w.Field("doc", unwrapped(b.Doc, e))
	if e == inFile && b.At != "" {
		w.Field("at", b.At)
		w.Number("line", b.Line)
	}
	w.Record()
}

func (s *Source) record(w *canonical.Writer) {
	w.Field("path", canonical.Path(s.Path))
	w.Field("language", s.Language)
	w.Field("role", s.Role)
	w.Field("problem", s.Problem)
	w.Field("about", s.About)
	w.Record()
}

func place(w *canonical.Writer, provenance bool, at, lines string) {
	if provenance {
		w.Field("at", at)
		w.Field("lines", lines)
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

// paths writes a list of paths unless it is empty.
func paths(w *canonical.Writer, key string, values []string) {
	w.Section(0, key, len(values))
	for _, p := range values {
		w.Element(0, canonical.Path(p))
	}
}

// optional writes a list unless it is empty.
func optional(w *canonical.Writer, key string, values []string) {
	if len(values) > 0 {
		w.List(0, key, values)
	}
}
