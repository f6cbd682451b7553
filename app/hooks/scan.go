package hooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// mostMembers is how many members of an object are looked at; what agents send has some twenty.
	mostMembers = 64
	// longestKey is how many bytes the name of one may have.
	longestKey = 256
)

// value is the JSON text of a value, or its beginning where it is cut.
type value struct {
	text []byte
	cut  bool
}

// members reads the members of a JSON object from a stream: of each value no more than keep bytes, whatever its length, and in any
// order. What could be read before an error is returned with it. It ends behind the object, and does not wait for more.
func members(in io.Reader, keep int) (map[string]value, error) {
	s := scanner{in: bufio.NewReaderSize(in, 32<<10)}
	out := map[string]value{}
	if c, err := s.next(); err != nil || c != '{' {
		return out, errors.Join(errors.New("it does not begin as a JSON object"), err)
	}
	for {
		c, err := s.next()
		switch {
		case err != nil:
			return out, fmt.Errorf("the object has no end: %w", err)
		case c == '}':
			return out, nil
		case c == ',':
			continue
		case c != '"':
			return out, fmt.Errorf("%q is not a name", c)
		}
		name, err := s.value('"', longestKey)
		if err != nil {
			return out, fmt.Errorf("a name has no end: %w", err)
		}
		if c, err = s.next(); err != nil || c != ':' {
			return out, errors.Join(fmt.Errorf("no colon behind %.40q", name.text), err)
		}
		if c, err = s.next(); err != nil {
			return out, fmt.Errorf("%.40q has no value: %w", name.text, err)
		}
		v, err := s.value(c, keep)
		if key := name.string(); !name.cut && len(out) < mostMembers {
			out[key] = v
		}
		if err != nil {
			return out, fmt.Errorf("the value of %.40q has no end: %w", name.text, err)
		}
	}
}

// scanner reads JSON a byte at a time. It does not recurse, and looks at nothing twice.
type scanner struct{ in *bufio.Reader }

// next is the next byte that is no white space.
func (s scanner) next() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // or the mark of UTF-8
		default:
			return c, nil
		}
	}
}

// value reads the value that begins with a byte. One that the stream ends in is cut.
func (s scanner) value(first byte, keep int) (v value, err error) {
	add := func(c byte) {
		if len(v.text) < keep {
			v.text = append(v.text, c)
		} else {
			v.cut = true
		}
	}
	depth, quoted, escaped := 0, false, false
	for c := first; ; {
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']' || c == ',') && depth == 0:
			return v, s.in.UnreadByte()
		case c == '}' || c == ']':
			depth--
		}
		add(c)
		if depth == 0 && !quoted && (c == '"' || c == '}' || c == ']') {
			return v, nil
		}
		if c, err = s.in.ReadByte(); err != nil {
			v.cut = true
			return v, err
		}
	}
}

// string is the text of a string, as far as it is there, and empty for any other value.
func (v value) string() string {
	if len(v.text) == 0 || v.text[0] != '"' {
		return ""
	}
	var s string
	if !v.cut {
		_ = json.Unmarshal(v.text, &s)
		return s
	}
	for drop := 0; drop <= 6 && drop < len(v.text); drop++ { // half an escape may be at the end
		if json.Unmarshal(append(bytes.Clone(v.text[:len(v.text)-drop]), '"'), &s) == nil {
			return strings.TrimRight(s, "\uFFFD")
		}
	}
	return ""
}

// members are those of an object, as far as they are there.
func (v value) members(keep int) map[string]value {
	out, _ := members(bytes.NewReader(v.text), keep)
	return out
}

// plain is any value as a text for people: of an object or a list the JSON text.
func (v value) plain() string {
	if len(v.text) > 0 && v.text[0] == '"' {
		return v.string()
	}
	return strings.TrimSpace(string(v.text))
}
