package frame

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what an Evidence is about.
type Kind string

// The closed set of evidence. In text each is its kind followed by its fields, separated by one space.
const (
	FileKind    Kind = "file"    // file <path> <digest>: the file was read and had that content
	SymbolKind  Kind = "symbol"  // symbol <module> <name> <digest>: the declaration was used
	ListingKind Kind = "listing" // listing <dir> <digest>: the directory had those entries
	AbsentKind  Kind = "absent"  // absent <path>: there was no such file
	TextKind    Kind = "text"    // text <free text>: an observation in words
	FrameKind   Kind = "frame"   // frame <id>: the conclusion of another frame
)

// Evidence is one thing that a conclusion rests on: a raw observation, or the conclusion of another frame.
type Evidence struct {
	Kind   Kind
	Module string // SymbolKind
	Name   string // path, directory, symbol, frame id or free text
	Digest string // FileKind, SymbolKind, ListingKind
}

// File is the evidence that a file was read with that content.
func File(path, digest string) Evidence {
	return Evidence{Kind: FileKind, Name: path, Digest: digest}
}

// Symbol is the evidence that a declaration was used as it was then.
func Symbol(module, name, digest string) Evidence {
	return Evidence{Kind: SymbolKind, Module: module, Name: name, Digest: digest}
}

// Listing is the evidence that a directory was listed.
func Listing(dir, digest string) Evidence {
	return Evidence{Kind: ListingKind, Name: dir, Digest: digest}
}

// Absent is the evidence that a file was looked for and not found.
func Absent(path string) Evidence { return Evidence{Kind: AbsentKind, Name: path} }

// Text is an observation in words, which nothing but a reader can check again.
func Text(text string) Evidence { return Evidence{Kind: TextKind, Name: text} }

// Of is the evidence of another frame's conclusion.
func Of(frameID string) Evidence { return Evidence{Kind: FrameKind, Name: frameID} }

// forms names the fields of each kind, in their order.
var forms = map[Kind][]func(*Evidence) *string{
	FileKind:    {name, digest},
	SymbolKind:  {module, name, digest},
	ListingKind: {name, digest},
	AbsentKind:  {name},
	FrameKind:   {name},
}

func module(e *Evidence) *string { return &e.Module }
func name(e *Evidence) *string   { return &e.Name }
func digest(e *Evidence) *string { return &e.Digest }

// String formats e. A field that is empty or holds spaces, quotes or anything unprintable is written as a Go string
// literal; free text is written as it is.
func (e Evidence) String() string {
	if e.Kind == TextKind {
		return string(TextKind) + " " + e.Name
	}
	b := []byte(e.Kind)
	for _, field := range forms[e.Kind] {
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

// ParseEvidence reads what String wrote. Each evidence has one spelling only, so that equal evidence is equal text.
func ParseEvidence(s string) (Evidence, error) {
	kind, rest, _ := strings.Cut(s, " ")
	e := Evidence{Kind: Kind(kind)}
	if e.Kind == TextKind {
		e.Name = rest
		return e, e.check()
	}
	fields, known := forms[e.Kind]
	if !known {
		return Evidence{}, fmt.Errorf("evidence %q: kind %q is not one of file, symbol, listing, absent, text, frame", s, kind)
	}
	for i, field := range fields {
		value, tail, err := cutField(rest, i == len(fields)-1)
		if err != nil {
			return Evidence{}, fmt.Errorf("evidence %q: field %d of %q: %w", s, i+1, kind, err)
		}
		*field(&e) = value
		rest = tail
	}
	if got := e.String(); got != s {
		return Evidence{}, fmt.Errorf("evidence %q: write %q", s, got)
	}
	return e, e.check()
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

// check refuses evidence that says nothing.
func (e Evidence) check() error {
	switch fields, known := forms[e.Kind]; {
	case e.Kind == TextKind && strings.TrimSpace(e.Name) == "":
		return errors.New("evidence text is empty")
	case e.Kind == TextKind && !utf8.ValidString(e.Name):
		return errors.New("evidence text is not valid UTF-8")
	case e.Kind == TextKind:
		return nil
	case !known:
		return fmt.Errorf("evidence of kind %q is not one of file, symbol, listing, absent, text, frame", e.Kind)
	case e.Name == "":
		return fmt.Errorf("evidence %q has no name", e)
	case e.Digest == "" && len(fields) > 1:
		return fmt.Errorf("evidence %q has no digest", e)
	}
	return nil
}

// key is what the evidence can be looked up by: a path, a directory or a frame; empty for the others.
func (e Evidence) key() string {
	switch e.Kind {
	case FileKind, AbsentKind:
		return pathKey(e.Name)
	case ListingKind:
		return dirKey(e.Name)
	case FrameKind:
		return frameKey(e.Name)
	}
	return ""
}

func pathKey(path string) string { return "path " + path }
func dirKey(dir string) string   { return "dir " + dir }
func frameKey(id string) string  { return "frame " + id }
