// Package manifest reads the manifests of build tools: tasks, settings, libraries and descriptions. Its TOML reader
// tolerates broken lines.
package manifest

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// maxRepairs bounds the broken lines of a manifest: each needs another parse.
const maxRepairs = 16

const (
	// mostKeys bounds the keys and table headers of a manifest, since the library takes quadratic time. The longest
	// manifests in use have half as many.
	mostKeys = 4096
	// repairedKeys bounds the keys that are parsed again for all repairs together.
	repairedKeys = 8192
)

// Table is a table of a manifest. Its methods return zero values for missing keys and other types, and work on a nil
// Table.
type Table map[string]any

// Read parses a manifest. It skips broken lines, since the file may be in the middle of an edit. If that does not help,
// it parses the text before them: an unterminated string or list may begin a few lines above. A manifest with more than
// mostKeys keys is not read.
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

// countKeys returns an upper bound of the keys and table headers.
func countKeys(content []byte) int {
	keys := bytes.Count(content, []byte{'='})
	for line := range bytes.Lines(content) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte{'['}) {
			keys++
		}
	}
	return keys
}

// read returns the content, or the index of the broken line; broken is -1 without an error.
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

// Text returns the string or boolean under key as text.
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

// Table returns the table under the keys.
func (t Table) Table(keys ...string) Table {
	for _, key := range keys {
		inner, _ := t[key].(map[string]any)
		t = inner
	}
	return t
}

// Tables returns the tables of the array under key.
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

// Texts returns the strings of the array under key.
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

// Keys returns the keys, sorted.
func (t Table) Keys() []string { return slices.Sorted(maps.Keys(t)) }
