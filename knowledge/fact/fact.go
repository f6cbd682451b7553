// Package fact names what the core can observe, and what was observed: a file with its content, a symbol with its
// interface, what another unit concluded. Evidence is held in this form everywhere: in frames, with units, in what the
// engine remembers. What was read once is compared with what is there now by the same digests.
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

// Family says what a Fact is about, and so who can observe it. Rooms have families of their own; in text an observation is
// its family followed by its fields, separated by one space.
type Family string

// The families that have a meaning of their own here.
const (
	Files        Family = "file"         // file <path> <digest>: the source was read and had that content
	Symbols      Family = "symbol"       // symbol <module> <name> <digest>: the declaration was used
	Bodies       Family = "body"         // body <module> <name> <digest>: what the symbol does, with all that it reaches in its module
	Callers      Family = "callers"      // callers <module> <name> <digest>: what names the symbol
	Callees      Family = "callees"      // callees <module> <name> <digest>: what its code names
	Implementers Family = "implementers" // implementers <module> <name> <digest>: which types implement or extend it

	Listings Family = "listing" // listing <dir> <digest>: the directory had those sources
	Blobs    Family = "blob"    // blob <path> <digest>: the file had exactly these bytes
	Absences Family = "absent"  // absent <path>: there was no such file
	Texts    Family = "text"    // text <free text>: an observation in words
	Frames   Family = "frame"   // frame <id>: the conclusion of another frame

	Conclusions Family = "conclusion" // conclusion <unit> <digest>: what is concluded about the unit
	Excerpts    Family = "excerpt"    // excerpt <unit> <part> <digest>: a named part of what is concluded about it
	Units       Family = "units"      // units <kind> <digest>: which units of a kind there are
	Generators  Family = "generator"  // generator <unit> <versions>: what makes the unit's conclusion
)

// Fact is something that can be observed. It is comparable.
type Fact struct {
	Family Family `json:"family"`
	Of     string `json:"of,omitempty"` // what the thing belongs to, in families that name two: the module of a symbol
	Name   string `json:"name"`         // path, directory, symbol, unit, frame id or free text
}

// Observation is a fact as it was found. It is comparable.
type Observation struct {
	Fact
	Digest string // empty where there was no such thing
}

// Change is a fact that is found otherwise than before. A digest is empty where there was, or is, no such thing.
type Change struct {
	Fact   Fact   `json:"fact,omitzero"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// New is a fact of a family that names one thing.
func New(family Family, name string) Fact { return Fact{Family: family, Name: name} }

// Of is a fact of a family that names a thing and what it belongs to.
func Of(family Family, of, name string) Fact { return Fact{Family: family, Of: of, Name: name} }

// As is the observation that the fact was found with a digest.
func (f Fact) As(digest string) Observation { return Observation{f, digest} }

// File is the observation that a file was read with that content.
func File(path, digest string) Observation { return New(Files, path).As(digest) }

// Symbol is the observation that a declaration was used as it was then.
func Symbol(module, name, digest string) Observation { return Of(Symbols, module, name).As(digest) }

// Listing is the observation that a directory was listed.
func Listing(dir, digest string) Observation { return New(Listings, dir).As(digest) }

// Absent is the observation that a file was looked for and not found.
func Absent(path string) Observation { return New(Absences, path).As("") }

// Text is an observation in words, which nothing but a reader can check again.
func Text(text string) Observation { return New(Texts, text).As("") }

// Frame is the observation of another frame's conclusion.
func Frame(id string) Observation { return New(Frames, id).As("") }

// bare are the families whose observations have no digest, and pairs those whose facts name two things.
var (
	bare  = map[Family]bool{Absences: true, Texts: true, Frames: true}
	pairs = map[Family]bool{Symbols: true, Bodies: true, Callers: true, Callees: true, Implementers: true, Excerpts: true}
)

// nothing is how the digest of what is not there is written.
const nothing = "-"

// String formats f as its observations begin.
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

// String formats o. A field that is empty or holds spaces, quotes or anything unprintable is written as a Go string
// literal; free text is written as it is.
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

// Parse reads what String wrote. Each observation has one spelling only, so that equal evidence is equal text.
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

// Join writes evidence on one line, for ParseAll. Free text is left out: it has no end.
func Join(evidence []Observation) string {
	var b strings.Builder
	for _, o := range evidence {
		if o.Family != Texts {
			b.WriteString(" " + o.String())
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// ParseAll reads what Join wrote.
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

// parseFirst takes the first observation off s.
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

// CutField takes the first field off s, as Field wrote it. The tail begins with the blank behind it.
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

// Field writes a word so that CutField finds its end: as it is, or as a Go string literal.
func Field(word string) string { return string(appendField(nil, word)) }

// Check refuses an observation that says nothing.
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

// isFamily reports whether a word can be a family: lower-case letters.
func isFamily(f Family) bool {
	for _, r := range f {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return f != ""
}

// Digest is a short digest of parts, each framed by its length so that moving a byte from one to the next gives another. The
// digest of no parts is not empty.
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

// Sum is the digest of parts that are framed already: 96 bits of a SHA-256 in 16 characters that need no quotes anywhere.
func Sum(framed []byte) string {
	sum := sha256.Sum256(framed)
	var text [16]byte
	base64.RawURLEncoding.Encode(text[:], sum[:12])
	return string(text[:])
}
