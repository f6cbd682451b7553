package python

import (
	"cmp"
	"slices"
	"strings"
)

// ranked is a word with its first bytes, which distinguish most words.
type ranked struct {
	head uint64
	word int32
}

func (w *walker) alphabetical(list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(w.words.Text(a.word), w.words.Text(b.word))
	})
}
