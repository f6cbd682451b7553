// Package fact names what the core can observe, and what it observed: a file and its content, a symbol and its
// interface, the conclusion of another unit. Frames, units and the engine's cache hold evidence in this form, and
// compare it with the current state by digest.
package fact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Family is a kind of fact, which determines its provider. Plugins have families of their own. In text, an
// observation is its family followed by its fields, separated by one space.
type Family string

// The families that are defined here.
const (
	Files        Family = "file"         // file <path> <digest>: the source was read and had this content
	Symbols      Family = "symbol"       // symbol <module> <name> <digest>: the declaration was used
	Bodies       Family = "body"         // body <module> <name> <digest>: the code of the symbol and all that it reaches in its module
	Callers      Family = "callers"      // callers <module> <name> <digest>: references to the symbol
	Callees      Family = "callees"      // callees <module> <name> <digest>: references in its code
	Implementers Family = "implementers" // implementers <module> <name> <digest>: types that implement or extend it

	Listings Family = "listing" // listing <dir> <digest>: the directory had those sources
	Blobs    Family = "blob"    // blob <path> <digest>: the file had exactly these bytes
	Absences Family = "absent"  // absent <path>: there was no such file
	Texts    Family = "text"    // text <free text>: an observation in words
	Frames   Family = "frame"   // frame <id>: the conclusion of another frame

	Conclusions Family = "conclusion" // conclusion <unit> <digest>: the conclusion about the unit
	Excerpts    Family = "excerpt"    // excerpt <unit> <part> <digest>: a named part of the conclusion about it
	Units       Family = "units"      // units <kind> <digest>: the units of a kind
	Generators  Family = "generator"  // generator <unit> <versions>: the generator of the unit's conclusion
)

// Fact is something observable. It is comparable.
type Fact struct {
	Family Family `json:"family"`
	Of     string `json:"of,omitempty"` // owner, such as the module of a symbol
	Name   string `json:"name"`         // path, directory, symbol, unit, frame ID or free text
}

// Observation is a fact with its digest at some time. It is comparable.
type Observation struct {
	Fact
	Digest string // empty if it did not exist
}

// Change is a fact whose digest changed. A digest is empty if the fact did not, or does not, exist.
type Change struct {
	Fact   Fact   `json:"fact,omitzero"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// New returns a fact of a family without owners.
func New(family Family, name string) Fact { return Fact{Family: family, Name: name} }

// Of returns a fact of a family with owners.
func Of(family Family, of, name string) Fact { return Fact{Family: family, Of: of, Name: name} }

// As returns the observation of the fact with a digest.
func (f Fact) As(digest string) Observation { return Observation{f, digest} }

// File returns the observation that a file had this content.
func File(path, digest string) Observation { return New(Files, path).As(digest) }

// Symbol returns the observation that a declaration was used.
func Symbol(module, name, digest string) Observation { return Of(Symbols, module, name).As(digest) }

// Listing returns the observation that a directory was listed.
func Listing(dir, digest string) Observation { return New(Listings, dir).As(digest) }

// Absent returns the observation that a file did not exist.
func Absent(path string) Observation { return New(Absences, path).As("") }

// Text returns an observation in words, which cannot be checked automatically.
func Text(text string) Observation { return New(Texts, text).As("") }

// Frame returns the observation of another frame's conclusion.
func Frame(id string) Observation { return New(Frames, id).As("") }

// bare families have observations without a digest; facts of the families in pairs have an owner.
var (
	bare  = map[Family]bool{Absences: true, Texts: true, Frames: true}
	pairs = map[Family]bool{Symbols: true, Bodies: true, Callers: true, Callees: true, Implementers: true, Excerpts: true}
)

// nothing stands for an empty digest.
const nothing = "-"

// String formats the fact, without a digest.
func (f Fact) String() string {
	if f.Family == Texts {
		return string(Texts) + " " + f.Name
	}
	b := append(make([]byte, 0, len(f.Family)+len(f.Of)+len(f.Name)+2), f.Family...)
	if pairs[f.Family] {
		b = appendField(append(b, ' '), f.Of)
	}
	return string(appendField(append(b, ' '), f.Name))
}

// String formats o. A field that is empty or contains spaces, quotes or unprintable characters is a Go string
// literal; free text is unchanged.
func (o Observation) String() string {
	if bare[o.Family] {
		return o.Fact.String()
	}
	if o.Digest == "" {
		return o.Fact.String() + " " + nothing
	}
	return string(appendField([]byte(o.Fact.String()+" "), o.Digest))
}

func appendField(b []byte, field string) []byte {
	if plain(field) {
		return append(b, field...)
	}
	return strconv.AppendQuote(b, field)
}

func plain(field string) bool {
	if field == "" || !utf8.ValidString(field) {
		return false
	}
	for _, r := range field {
		if r == '"' || r == ' ' || r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Parse parses the output of String. Each observation has exactly one spelling, so equal evidence is equal text.
func Parse(s string) (Observation, error) {
	if text, ok := strings.CutPrefix(s, string(Texts)+" "); ok {
		o := Text(text)
		return o, o.Check()
	}
	o, tail, err := parseFirst(s)
	switch {
	case err != nil:
		return Observation{}, err
	case len(o.String()) != len(s)-len(tail) || s[:len(s)-len(tail)] != o.String():
		return Observation{}, fmt.Errorf("observation %q: write %q", s, o)
	case tail != "":
		return Observation{}, fmt.Errorf("observation %q: too many fields; put a field with spaces in quotes", s)
	}
	return o, nil
}

// Join formats evidence as one line for ParseAll, without free text, which has no end mark.
func Join(evidence []Observation) string {
	var b strings.Builder
	for _, o := range evidence {
		if o.Family != Texts {
			b.WriteString(" " + o.String())
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// ParseAll parses the output of Join.
func ParseAll(line string) ([]Observation, error) {
	var out []Observation
	for line != "" {
		o, tail, err := parseFirst(line)
		if err != nil {
			return nil, err
		}
		out, line = append(out, o), strings.TrimPrefix(tail, " ")
	}
	return out, nil
}

// parseFirst parses the first observation of s.
func parseFirst(s string) (o Observation, tail string, err error) {
	family, rest, _ := strings.Cut(s, " ")
	o.Family = Family(family)
	fields := []*string{&o.Name}
	if pairs[o.Family] {
		fields = []*string{&o.Of, &o.Name}
	}
	if !bare[o.Family] {
		fields = append(fields, &o.Digest)
	}
	tail = rest
	for i, field := range fields {
		if *field, tail, err = CutField(strings.TrimPrefix(tail, " ")); err != nil {
			return Observation{}, "", fmt.Errorf("observation %q: field %d: %w", s, i+1, err)
		}
	}
	if o.Digest == nothing {
		o.Digest = ""
	}
	return o, tail, o.Check()
}

// CutField parses the first field of s. tail begins with the space after it.
func CutField(s string) (field, tail string, err error) {
	if s == "" {
		return "", "", errors.New("it is missing")
	}
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexByte(s, ' ')
		if end < 0 {
			end = len(s)
		}
		return s[:end], s[end:], nil
	}
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", errors.New("unclosed quotes")
	}
	if field, err = strconv.Unquote(prefix); err != nil {
		return "", "", err
	}
	return field, s[len(prefix):], nil
}

// Field formats a word for CutField: unchanged, or as a Go string literal.
func Field(word string) string { return string(appendField(nil, word)) }

// Check returns an error for an incomplete observation.
func (o Observation) Check() error {
	switch {
	case !isFamily(o.Family):
		return fmt.Errorf("observation %q: %q is no family of facts, which are words like file or symbol", o.Name, o.Family)
	case o.Family == Texts && strings.TrimSpace(o.Name) == "":
		return errors.New("the text is empty")
	case o.Family == Texts && !utf8.ValidString(o.Name):
		return errors.New("the text is not valid UTF-8")
	case o.Name == "":
		return fmt.Errorf("observation %q has no name", o.Fact)
	case o.Digest == nothing || bare[o.Family] && o.Digest != "":
		return fmt.Errorf("observation %q cannot have the digest %q", o.Fact, o.Digest)
	}
	return nil
}

// isFamily reports whether a word has the form of a family: lower-case letters.
func isFamily(f Family) bool {
	for _, r := range f {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return f != ""
}

// Digest returns a short digest of parts. Each part is framed by its length, so moving a byte to the next part
// changes it. The digest of no parts is not empty.
func Digest(parts ...string) string {
	var short [512]byte
	framed, size := short[:0], 0
	for _, p := range parts {
		size += len(p) + binary.MaxVarintLen64
	}
	if size > len(short) {
		framed = make([]byte, 0, size)
	}
	for _, p := range parts {
		framed = append(binary.AppendUvarint(framed, uint64(len(p))), p...)
	}
	return Sum(framed)
}

// Sum returns the digest of framed parts: 96 bits of a SHA-256 as 16 characters that need no quotes.
func Sum(framed []byte) string {
	sum := sha256.Sum256(framed)
	var text [16]byte
	base64.RawURLEncoding.Encode(text[:], sum[:12])
	return string(text[:])
}
