// Package fact names what the core can observe, and what was observed: a file with its content, a symbol with its
// interface. Frames hold what they rest on in this form, conditions are explained with it, and what was read once is
// compared with what is there now by the same digests everywhere.
package fact

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Family says what a Fact is about, and so who can observe it.
type Family string

// The closed set of families. In text an observation is its family followed by its fields, separated by one space.
const (
	Files    Family = "file"    // file <path> <digest>: the file was read and had that content
	Symbols  Family = "symbol"  // symbol <module> <name> <digest>: the declaration was used
	Listings Family = "listing" // listing <dir> <digest>: the directory had those entries
	Absences Family = "absent"  // absent <path>: there was no such file
	Texts    Family = "text"    // text <free text>: an observation in words
	Frames   Family = "frame"   // frame <id>: the conclusion of another frame
)

// Fact is something that can be observed. It is comparable.
type Fact struct {
	Family Family `json:"family"`
	Module string `json:"module,omitempty"` // of a symbol
	Name   string `json:"name"`             // path, directory, symbol, frame id or free text
}

// Observation is a fact as it was found. It is comparable.
type Observation struct {
	Fact
	Digest string // of files, symbols and listings
}

// Change is a fact that is found otherwise than before. A digest is empty where there was, or is, no such thing.
type Change struct {
	Fact   Fact   `json:"fact,omitzero"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// File is the observation that a file was read with that content.
func File(path, digest string) Observation {
	return Observation{Fact{Family: Files, Name: path}, digest}
}

// Symbol is the observation that a declaration was used as it was then.
func Symbol(module, name, digest string) Observation {
	return Observation{Fact{Symbols, module, name}, digest}
}

// Listing is the observation that a directory was listed.
func Listing(dir, digest string) Observation {
	return Observation{Fact{Family: Listings, Name: dir}, digest}
}

// Absent is the observation that a file was looked for and not found.
func Absent(path string) Observation { return Observation{Fact: Fact{Family: Absences, Name: path}} }

// Text is an observation in words, which nothing but a reader can check again.
func Text(text string) Observation { return Observation{Fact: Fact{Family: Texts, Name: text}} }

// Frame is the observation of another frame's conclusion.
func Frame(id string) Observation { return Observation{Fact: Fact{Family: Frames, Name: id}} }

// forms names the fields of each kind, in their order.
var forms = map[Family][]func(*Observation) *string{
	Files:    {name, digest},
	Symbols:  {module, name, digest},
	Listings: {name, digest},
	Absences: {name},
	Frames:   {name},
}

func module(e *Observation) *string { return &e.Module }
func name(e *Observation) *string   { return &e.Name }
func digest(e *Observation) *string { return &e.Digest }

// String formats e. A field that is empty or holds spaces, quotes or anything unprintable is written as a Go string
// literal; free text is written as it is.
func (e Observation) String() string {
	if e.Family == Texts {
		return string(Texts) + " " + e.Name
	}
	b := []byte(e.Family)
	for _, field := range forms[e.Family] {
		b = append(b, ' ')
		b = appendField(b, *field(&e))
	}
	return string(b)
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

// Parse reads what String wrote. Each evidence has one spelling only, so that equal evidence is equal text.
func Parse(s string) (Observation, error) {
	kind, rest, _ := strings.Cut(s, " ")
	e := Observation{Fact: Fact{Family: Family(kind)}}
	if e.Family == Texts {
		e.Name = rest
		return e, e.Check()
	}
	fields, known := forms[e.Family]
	if !known {
		return Observation{}, fmt.Errorf("observation %q: kind %q is not one of file, symbol, listing, absent, text, frame", s, kind)
	}
	for i, field := range fields {
		value, tail, err := cutField(rest, i == len(fields)-1)
		if err != nil {
			return Observation{}, fmt.Errorf("observation %q: field %d of %q: %w", s, i+1, kind, err)
		}
		*field(&e) = value
		rest = tail
	}
	if got := e.String(); got != s {
		return Observation{}, fmt.Errorf("observation %q: write %q", s, got)
	}
	return e, e.Check()
}

// cutField takes the first field off s. The last one must leave nothing.
func cutField(s string, last bool) (field, tail string, err error) {
	quoted := strings.HasPrefix(s, `"`)
	end := strings.IndexByte(s, ' ')
	if quoted {
		prefix, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", errors.New("unclosed quotes")
		}
		end = len(prefix)
	}
	if end < 0 || end == len(s) {
		end = len(s)
	} else if last {
		return "", "", errors.New("too many fields; put a field with spaces in quotes")
	}
	field, tail = s[:end], s[end:]
	if !last && tail == "" {
		return "", "", errors.New("fields are missing")
	}
	if quoted {
		if field, err = strconv.Unquote(field); err != nil {
			return "", "", err
		}
	}
	return field, strings.TrimPrefix(tail, " "), nil
}

// Check refuses an observation that says nothing.
func (e Observation) Check() error {
	switch fields, known := forms[e.Family]; {
	case e.Family == Texts && strings.TrimSpace(e.Name) == "":
		return errors.New("the text is empty")
	case e.Family == Texts && !utf8.ValidString(e.Name):
		return errors.New("the text is not valid UTF-8")
	case e.Family == Texts:
		return nil
	case !known:
		return fmt.Errorf("observation of kind %q is not one of file, symbol, listing, absent, text, frame", e.Family)
	case e.Name == "":
		return fmt.Errorf("observation %q has no name", e)
	case e.Digest == "" && len(fields) > 1:
		return fmt.Errorf("observation %q has no digest", e)
	}
	return nil
}
