package token

import (
	"maps"
	"slices"
)

// Words numbers the distinct words of a file from 0 in order of occurrence, for tables by index.
type Words struct {
	numbers map[string]int32
	list    []string
}

// Number returns the number of a word, and adds it if it is new.
func (w *Words) Number(s string) int32 {
	if n, ok := w.numbers[s]; ok {
		return n
	}
	return w.add(s)
}

// NumberOf is Number for bytes, which are only copied if the word is new.
func (w *Words) NumberOf(b []byte) int32 {
	if n, ok := w.numbers[string(b)]; ok {
		return n
	}
	return w.add(string(b))
}

func (w *Words) add(s string) int32 {
	if w.numbers == nil {
		w.numbers = map[string]int32{}
	}
	n := int32(len(w.list))
	w.numbers[s], w.list = n, append(w.list, s)
	return n
}

// Find returns the number of a word, or -1.
func (w *Words) Find(s string) int32 {
	if n, ok := w.numbers[s]; ok {
		return n
	}
	return -1
}

// FindOf is Find for bytes.
func (w *Words) FindOf(b []byte) int32 {
	if n, ok := w.numbers[string(b)]; ok {
		return n
	}
	return -1
}

// Text returns the word with a number.
func (w *Words) Text(n int32) string { return w.list[n] }

// Spell appends the word with a number.
func (w *Words) Spell(to []byte, n int32) []byte { return append(to, w.list[n]...) }

// Len returns the number of words.
func (w *Words) Len() int { return len(w.list) }

// Clone returns a copy of w.
func (w *Words) Clone() Words { return Words{maps.Clone(w.numbers), slices.Clone(w.list)} }
