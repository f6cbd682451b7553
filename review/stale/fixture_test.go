package stale

import (
	"maps"
	"strings"
	"testing"
)

// files are those of one state of a repository, by path.
type files map[string]string

func (f files) All() map[string]string { return f }

// edit is one of a file: text that is replaced wherever it stands, or with no text the whole file, which goes when it becomes empty.
type edit struct{ path, old, new string }

func (f files) with(t testing.TB, edits ...edit) files {
	t.Helper()
	out := maps.Clone(f)
	for _, e := range edits {
		text := e.new
		if e.old != "" {
			if !strings.Contains(out[e.path], e.old) {
				t.Fatalf("%q is not in %s: %s", e.old, e.path, out[e.path])
			}
			text = strings.ReplaceAll(out[e.path], e.old, e.new)
		}
		if out[e.path] = text; text == "" {
			delete(out, e.path)
		}
	}
	return out
}
