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
	// mostMembers bounds the members of an object; agents send about twenty.
	mostMembers = 64
	longestKey  = 256
)

// value is the JSON text of a value, possibly truncated.
type value struct {
	text []byte
	cut  bool
}

// members reads the members of a JSON object from a stream, in any order and at most keep bytes of each value. It
// returns all members that precede an error. It stops at the end of the object, without waiting for more input.
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

// scanner reads JSON byte by byte, without recursion.
type scanner struct{ in *bufio.Reader }

// next skips white space.
func (s scanner) next() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // and the byte order mark
		default:
			return c, nil
		}
	}
}

// value reads the value that starts with first; it is truncated if the stream ends.
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

// string returns the available part of a string; empty for other types.
func (v value) string() string {
	if len(v.text) == 0 || v.text[0] != '"' {
		return ""
	}
	var s string
	if !v.cut {
		_ = json.Unmarshal(v.text, &s)
		return s
	}
	for drop := 0; drop <= 6 && drop < len(v.text); drop++ { // the text may end within an escape
		if json.Unmarshal(append(bytes.Clone(v.text[:len(v.text)-drop]), '"'), &s) == nil {
			return strings.TrimRight(s, "\uFFFD")
		}
	}
	return ""
}

// members returns the available members of an object.
func (v value) members(keep int) map[string]value {
	out, _ := members(bytes.NewReader(v.text), keep)
	return out
}

// plain returns a string's text, or the JSON text of another value.
func (v value) plain() string {
	if len(v.text) > 0 && v.text[0] == '"' {
		return v.string()
	}
	return strings.TrimSpace(string(v.text))
}
