package github

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClip(t *testing.T) {
	lines := strings.Repeat("a line of text\n", 100)
	for name, test := range map[string]struct {
		text  string
		limit int
		want  []string // parts, in order; nil: the text as it is
	}{
		"fits exactly":  {lines, len(lines), nil},
		"empty":         {"", 0, nil},
		"lines":         {lines, 500, []string{"a line of text\n\n_… ", " more lines: too long for GitHub._"}},
		"one long line": {strings.Repeat("x", 1000), 500, []string{"xxx\n\n_… 1 more line:"}},
		"open fence":    {"```go\n" + lines, 500, []string{"a line of text\n```\n\n_… "}},
		"closed fence":  {"```go\n```\n" + lines, 500, []string{"a line of text\n\n_… "}},
		"folded":        {"<details><summary>a</summary>\n\n<details>\n" + lines, 500, []string{"text\n\n</details>\n\n</details>\n\n_… "}},
		"folded deeply": {strings.Repeat("<details>\n", 60), 500, []string{"</details>\n\n_… "}},
		"all at once":   {"<details>\n```\n" + lines, 500, []string{"text\n```\n\n</details>\n\n_… "}},
		"wide letters":  {"a" + strings.Repeat("日本語", 300), 500, []string{"\n\n_… 1 more line"}},
	} {
		got := clip(test.text, test.limit)
		if len(got) > test.limit || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes of %d, or half a letter", name, len(got), test.limit)
		}
		if test.want == nil && got != test.text {
			t.Errorf("%s: changed to %q", name, got)
		}
		rest := got
		for _, part := range test.want {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s: %q is not in %q", name, part, got)
			}
			rest = after
		}
	}
}

// TestClipCountsLines checks that the kept lines and the reported number of omitted ones add up.
func TestClipCountsLines(t *testing.T) {
	text := strings.TrimSuffix(strings.Repeat("0123456789\n", 200), "\n")
	got := clip(text, 1000)
	before, _, _ := strings.Cut(got, "\n\n_…")
	kept := strings.Count(before, "\n") + 1
	if want := 72; kept != want || !strings.Contains(got, "_… 128 more lines") {
		t.Errorf("kept %d lines of 200, want %d:\n%s", kept, want, got[len(got)-60:])
	}
}
