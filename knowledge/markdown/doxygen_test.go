package markdown

import "testing"

func TestCommandsOnTheirOwnLines(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"Adds. \\code x = 1; \\endcode Then.": "Adds.\n\\code\nx = 1;\n\\endcode\nThen.",
		"\\code{.c}\n\\param x\n\\endcode":    "\\code{.c}\n\\param x\n\\endcode",
		"Adds. \\param x the x \\return it":   "Adds.\n\\param x the x\n\\return it",
		"a@code.c and a\\nb \\c x, @param y":  "a@code.c and a\\nb \\c x, @param y",
		"\\verbatim \\code \\endverbatim x":   "\\verbatim\n\\code\n\\endverbatim\nx",
		"  @code\n  x\n  @endcode\n":          "  @code\n  x\n  @endcode\n",
		"\\code{":                             "\\code\n{",
		"":                                    "",
	} {
		if got := ownLines(doc); got != want {
			t.Errorf("%q becomes %q, want %q", doc, got, want)
		}
	}
}
