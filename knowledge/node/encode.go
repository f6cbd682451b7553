package node

import (
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// header opens every node file, so that whoever meets one knows what it is.
const header = "# Written by causal. `causal why %s` tells how it is known; `causal update` brings it up to date.\n"

// Encode writes the node in its one canonical form. Sealed first: the digest must be right.
func (n *Node) Encode() []byte {
	w := &writer{}
	w.b.WriteString(strings.Replace(header, "%s", oneWord(n.Path), 1))
	n.content(w, true)
	w.text(0, "digest", string(n.Digest))
	w.keep(0, "last_verified", n.LastVerified)
	w.keep(0, "commit", n.Commit)
	w.keep(0, "frame_id", n.FrameID)
	return []byte(w.b.String())
}

// Seal computes the digest over the content.
func (n *Node) Seal() {
	n.Digest = n.digest()
}

// Intact tells whether the content is what it was when it was sealed.
func (n *Node) Intact() bool { return n.Digest == n.digest() }

func (n *Node) digest() source.Digest {
	w := &writer{}
	n.content(w, false)
	return source.DigestOf(w.b.String())
}

// content writes everything that equal input makes equal; with provenance, also what is kept between its lines.
func (n *Node) content(w *writer, provenance bool) {
	w.text(0, "module", n.Module)
	w.text(0, "path", n.Path)
	w.text(0, "language", n.Language)
	w.text(0, "kind", n.Kind)
	w.text(0, "purpose", n.Purpose)
	w.text(0, "purpose_from", n.PurposeFrom)
	w.text(0, "purpose_file", n.PurposeFile)
	w.text(0, "doc", n.Doc)
	w.list("dependencies", n.Dependencies, true)
	w.list("external", n.External, false)
	w.head("public_api", len(n.PublicAPI))
	for _, s := range n.PublicAPI {
		w.item("name", s.Name)
		w.text(2, "kind", string(s.Kind))
		w.text(2, "signature", s.Signature)
		w.text(2, "doc", s.Doc)
		w.text(2, "deprecated", s.Deprecated)
		w.flow(2, "aliases", s.Aliases)
		w.text(2, "from", s.From)
		w.text(2, "file", s.File)
		w.text(2, "interface", string(s.Interface))
		w.text(2, "content", string(s.Content))
		if provenance {
			w.text(2, "at", s.At)
			w.text(2, "lines", s.Lines)
		}
	}
	w.optional("behaviour", len(n.Behaviour))
	for _, b := range n.Behaviour {
		w.item("kind", string(b.Kind))
		w.text(2, "name", b.Name)
		w.text(2, "file", b.File)
	}
	w.optional("examples", len(n.Examples))
	for _, e := range n.Examples {
		w.item("symbol", e.Symbol)
		w.text(2, "suffix", e.Suffix)
		w.text(2, "doc", e.Doc)
		w.keep(2, "code", e.Code)
		w.text(2, "output", e.Output)
	}
	w.list("tests", n.Tests, false)
	w.head("sources", len(n.Sources))
	for _, s := range n.Sources {
		w.item("path", s.Path)
		if provenance {
			w.text(2, "hash", s.Hash)
		}
		w.text(2, "fingerprint", string(s.Fingerprint))
		w.text(2, "language", s.Language)
		w.text(2, "role", s.Role)
		w.text(2, "problem", s.Problem)
		w.text(2, "about", s.About)
	}
	w.optional("uses", len(n.Uses))
	for _, u := range n.Uses {
		w.item("module", u.Module)
		w.text(2, "name", u.Name)
		w.text(2, "interface", string(u.Interface))
	}
	w.text(0, "interface", string(n.Interface))
	w.text(0, "stale", n.Stale)
	w.text(0, "invalidation_condition", n.InvalidationCondition)
	w.text(0, "generator", n.Generator)
}

type writer struct{ b strings.Builder }

// text writes a key with a value, and nothing when there is no value.
func (w *writer) text(indent int, key, value string) {
	if value != "" {
		w.keep(indent, key, value)
	}
}

// keep writes a key with a value, an empty one too.
func (w *writer) keep(indent int, key, value string) {
	w.b.WriteString("      "[:indent])
	w.b.WriteString(key)
	w.b.WriteString(": ")
	w.scalar(indent+2, value)
	w.b.WriteByte('\n')
}

// item opens an element of a list with its first key.
func (w *writer) item(key, value string) {
	w.b.WriteString("- ")
	w.b.WriteString(key)
	w.b.WriteString(": ")
	w.scalar(4, value)
	w.b.WriteByte('\n')
}

func (w *writer) head(key string, n int) {
	w.b.WriteString(key)
	if n == 0 {
		w.b.WriteString(": []\n")
		return
	}
	w.b.WriteString(":\n")
}

func (w *writer) optional(key string, n int) {
	if n > 0 {
		w.head(key, n)
	}
}

// list writes one value a line: adding one touches one line, and branches merge.
func (w *writer) list(key string, values []string, always bool) {
	if len(values) == 0 && !always {
		return
	}
	w.head(key, len(values))
	for _, v := range values {
		w.b.WriteString("- ")
		w.scalar(2, v)
		w.b.WriteByte('\n')
	}
}

// flow writes a short list on one line, and nothing when it is empty.
func (w *writer) flow(indent int, key string, values []string) {
	if len(values) == 0 {
		return
	}
	w.b.WriteString("      "[:indent] + key + ": [")
	for i, v := range values {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.b.WriteString(Scalar(v))
	}
	w.b.WriteString("]\n")
}

// plain tells the strings that every YAML reader takes for a string without quotes.
func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '.' && c != '/' && c != '-') {
			return false
		}
	}
	return s != "" && !reserved[strings.ToLower(s)]
}

var reserved = map[string]bool{
	"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "null": true, "y": true, "n": true,
}

func (w *writer) scalar(indent int, s string) {
	switch {
	case plain(s):
		w.b.WriteString(s)
	case blockable(s):
		w.b.WriteString("|-")
		for _, line := range strings.Split(s, "\n") {
			w.b.WriteByte('\n')
			if line != "" {
				w.b.WriteString("        "[:indent])
				w.b.WriteString(line)
			}
		}
	case strings.ContainsAny(s, `"\`) && onOneLine(s):
		w.b.WriteByte('\'')
		w.b.WriteString(s)
		w.b.WriteByte('\'')
	default:
		w.quote(s)
	}
}

// onOneLine tells whether s reads back unchanged between single quotes.
func onOneLine(s string) bool {
	for _, r := range s {
		if r == '\'' || !printable(r) {
			return false
		}
	}
	return s != "" && s[0] != ' ' && s[len(s)-1] != ' '
}

// blockable tells whether a text of several lines reads back unchanged from a literal block.
func blockable(s string) bool {
	if !strings.Contains(s, "\n") || s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || s[len(s)-1] == '\n' {
		return false
	}
	for _, line := range strings.Split(s, "\n") {
		if line != "" && strings.TrimSpace(line) == "" {
			return false
		}
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !printable(r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

func printable(r rune) bool {
	switch {
	case r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == utf8.RuneError:
		return false
	case r >= 0xd800 && r < 0xe000 || r == 0xfffe || r == 0xffff:
		return false
	}
	return true
}

// Scalar writes a string as one YAML scalar on one line, for other files that are written by hand of a program.
func Scalar(s string) string {
	if plain(s) {
		return s
	}
	w := &writer{}
	w.quote(s)
	return w.b.String()
}

const hexDigits = "0123456789abcdef"

// quote writes a double-quoted scalar. Invalid UTF-8 becomes U+FFFD: YAML has no bytes.
func (w *writer) quote(s string) {
	w.b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.b.WriteByte('\\')
			w.b.WriteRune(r)
		case r == '\n':
			w.b.WriteString(`\n`)
		case r == '\t':
			w.b.WriteString(`\t`)
		case r == utf8.RuneError || printable(r):
			w.b.WriteRune(r)
		default:
			w.b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				w.b.WriteByte(hexDigits[r>>shift&0xf])
			}
		}
	}
	w.b.WriteByte('"')
}

// oneWord keeps a path from ending the comment it stands in.
func oneWord(s string) string {
	return strings.Map(func(r rune) rune {
		if printable(r) && r != ' ' {
			return r
		}
		return '_'
	}, s)
}
