package cfamily

import (
	"context"
	"strings"
	"testing"
)

// TestCommentsBelowPrototypes: a header that documents prototypes below them is read so, and others are not.
func TestCommentsBelowPrototypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"below", "a.h", "/* basic functions */\n\nint a(void);\n/*\n     Does a.\n*/\n\nAPI int b(int x,\n  int y);\n/* Does b. */\n\nint c(void);\n#endif\n", "a: Does a.; b: Does b.; c: "},
		{"marked", "a.h", "int a(void);\n/** Does a. */\n\nint b(void);\n/** Does b. */\n\nint c(void);\n", "a: Does a.; b: Does b.; c: "},
		{"above", "a.h", "/* Does a. */\nint a(void);\n/* Does b. */\nint b(void);\n", "a: Does a.; b: Does b."},
		{"above, with the heads of sections", "a.h", "/* Does a. */\nint a(void);\n/* Section */\n\n/* Does b. */\nint b(void);\n/* Section */\n\n/* Does c. */\nint c(void);\n", "a: Does a.; b: Does b.; c: Does c."},
		{"one alone", "a.h", "int a(void);\n/* Section */\n\nint b(void);\n", "a: ; b: "},
		{"no header", "a.c", "int a(void);\n/* Does a. */\n\nint b(void);\n/* Does b. */\n\n", "a: ; b: "},
	} {
		var got []string
		for _, s := range C.Extract(context.Background(), c.file, []byte(c.text)).Symbols {
			got = append(got, s.Name+": "+s.Doc)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, strings.Join(got, "; "), c.want)
		}
	}
}
