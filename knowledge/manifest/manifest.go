// Package manifest reads the manifests of build tools that are written in TOML, as far as they can be read.
package manifest

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// maxRepairs bounds how many broken lines are left out of a manifest: each asks for reading it again.
const maxRepairs = 16

const (
	// mostKeys is how many keys and headers of tables a manifest may have. The library compares each new one with those
	// beside it, so that its time grows with the square of their number; the longest manifests in use have half as many.
	mostKeys = 4096
	// repairedKeys bounds the keys that are read again for all repairs together.
	repairedKeys = 8192
)

// Table is a table of a manifest. Nothing can be asked of it that fails: what is not there, or is of another kind, is
// empty. The methods work on the nil Table as well.
type Table map[string]any

// Read reads a manifest. Lines that are broken are left out, as somebody may be in the middle of writing them. Where
// that does not help, what is in front of them is read: a text or a list without an end may have begun a few lines above.
// One with more than mostKeys keys is not read.
func Read(content []byte) Table {
	keys := countKeys(content)
	if keys > mostKeys {
		return nil
	}
	repairs := min(maxRepairs, 1+repairedKeys/(keys+1))
	lines := bytes.SplitAfter(content, []byte{'\n'})
	first := -1
	for range repairs {
		t, broken := read(bytes.Join(lines, nil))
		if broken < 0 {
			return t
		}
		if first < 0 {
			first = min(broken, len(lines))
		}
		if broken >= len(lines) || len(bytes.TrimSpace(lines[broken])) == 0 {
			break
		}
		lines[broken] = []byte{'\n'}
	}
	for cut := first; cut > max(first-repairs, 0); cut-- {
		if t, broken := read(bytes.Join(lines[:cut], nil)); broken < 0 {
			return t
		}
	}
	return nil
}

// countKeys counts what may be a key or the header of a table, within texts as well.
func countKeys(content []byte) int {
	keys := bytes.Count(content, []byte{'='})
	for line := range bytes.Lines(content) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte{'['}) {
			keys++
		}
	}
	return keys
}

// read returns the content, or the index of the line that is broken; -1 without one.
func read(content []byte) (t Table, broken int) {
	err := toml.Unmarshal(content, &t)
	var at *toml.DecodeError
	switch {
	case err == nil:
		return t, -1
	case errors.As(err, &at):
		row, _ := at.Position()
		return nil, max(row-1, 0)
	}
	return nil, 0
}

// Text is the string under key; also of what is written without quotes, false and true.
func (t Table) Text(key string) string {
	switch v := t[key].(type) {
	case string:
		return v
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// Table is the table under the keys.
func (t Table) Table(keys ...string) Table {
	for _, key := range keys {
		inner, _ := t[key].(map[string]any)
		t = inner
	}
	return t
}

// Tables are the tables of the array under key.
func (t Table) Tables(key string) []Table {
	list, _ := t[key].([]any)
	var out []Table
	for _, v := range list {
		if inner, ok := v.(map[string]any); ok {
			out = append(out, inner)
		}
	}
	return out
}

// Texts are the strings of the array under key.
func (t Table) Texts(key string) []string {
	list, _ := t[key].([]any)
	var out []string
	for _, v := range list {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// Keys are the keys, sorted.
func (t Table) Keys() []string { return slices.Sorted(maps.Keys(t)) }
