package costtest

import (
	"strings"
	"testing"
)

// failures counts them.
type failures struct {
	testing.TB

	count int
}

func (*failures) Helper()                 {}
func (f *failures) Errorf(string, ...any) { f.count++ }

var kept []byte

// TestHold tells a reader that copies its text from one that does so for every few bytes of it.
func TestHold(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		read func(text []byte)
		want bool
	}{
		"a copy":              {"abc", func(text []byte) { kept = make([]byte, len(text)) }, true},
		"a copy of each rest": {"abc", func(text []byte) { kept = make([]byte, len(text)*len(text)) }, false},
		"too much for each":   {strings.Repeat("a", 4<<10), func(text []byte) { kept = make([]byte, 10_000*len(text)) }, false},
		"nothing":             {"", func([]byte) {}, true},
	} {
		f := &failures{TB: t}
		Hold(f, []byte(c.text), c.read)
		if got := f.count == 0; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
