package plain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/app/plain"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

func TestLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, line, lines string }{
		{"", "", ""},
		{"docs/a b.md", "docs/a b.md", "docs/a b.md"},
		{"a\nb\r\nc\rd", "a b c d", "a\nb\nc\nd"},
		{"a\tb", "a b", "a\tb"},
		{"a\u2028b\u0085c", "a b c", "a\nb\nc"},
		{"\x1b[31mred", "?[31mred", "?[31mred"},
		{"a\xffb\xe2\x82", `a\xffb\xe2\x82`, `a\xffb\xe2\x82`},
		{"exe.\u202etxt", "exe.?txt", "exe.?txt"},
		{"a\u200db", "a?b", "a?b"},
		{"\U0001f469\u200d\U0001f469", "\U0001f469\u200d\U0001f469", "\U0001f469\u200d\U0001f469"},
		{"ünï", "ünï", "ünï"},
	} {
		if got := plain.Line(c.text, 100); got != c.line {
			t.Errorf("the line of %q is %q, want %q", c.text, got, c.line)
		}
		if got := plain.Text(c.text, 100); got != c.lines {
			t.Errorf("the text of %q is %q, want %q", c.text, got, c.lines)
		}
	}
}

func TestInCommit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"internal/auth/token.go": "internal/auth/token.go",
		"app/[slug]/page.tsx":    "app/[slug]/page.tsx",
		"packages/@octo/team":    "packages/@ octo/team",
		"fixes #12":              "fixes # 12",
		"gh-3":                   "gh- 3",
		"C# and F#":              "C# and F#",
		"[skip ci] [no-ci]":      "(skip ci) (no-ci)",
		"***NO_CI***":            "** *NO_CI** *",
		"https://example.com/1":  "https:/ /example.com/1",
	} {
		if got := plain.InCommit(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestLineHolds: whatever a text is, what is shown is bounded, valid, on one line, and shown the same when it is shown again.
func TestLineHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		most := rapid.IntRange(3, 60).Draw(t, "most")
		line := plain.Line(text, most)
		if len(line) > most || !utf8.ValidString(line) || strings.ContainsAny(line, "\n\r\u2028\u2029\u0085") || plain.Line(line, most) != line {
			t.Fatalf("%q of at most %d bytes is %q", text, most, line)
		}
		if again := plain.Text(plain.Text(text, most), most); again != plain.Text(text, most) || len(again) > most {
			t.Fatalf("%q of at most %d bytes is %q", text, most, again)
		}
	})
}
