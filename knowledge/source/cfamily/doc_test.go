package cfamily

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestStarsOfComments(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]string{
		"/**\n * Adds.\n *\n * **Bold** text\n * * one\n */": "Adds.\n\n**Bold** text\n* one",
		"/*!\n  Items:\n  * one\n  * two\n*/":                "Items:\n* one\n* two",
		"/****************\n * Boxed.\n ****************/":   "Boxed.",
		"/** One line. */":                "One line.",
		"/**\n * Mostly\n   starred\n */": "Mostly\n  starred",
	} {
		f, err := source.Extract(t.Context(), C, "a.c", []byte(comment+"\nint f(int a);\n"))
		if err != nil || len(f.Symbols) != 1 {
			t.Fatalf("%q: %d symbols: %v", comment, len(f.Symbols), err)
		}
		if got := f.Symbols[0].Doc; got != want {
			t.Errorf("%q: got %q, want %q", comment, got, want)
		}
	}
}

func TestGTKDoc(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]string{
		"/**\n * f:\n * @a: (nullable): The name\n *   of it.\n *\n * Adds %TRUE to @a, see #Box.\n *\n * Returns: %0 or less.\n **/": "Adds `TRUE` to `a`, see `Box`.\n\n@param a The name\n  of it.\n@return `0` or less.",
		"/**\n * f - adds 5%\n * @a: the number\n */":                      "adds 5%\n\n@param a the number",
		"/**\n * f() - adds\n *\n * Return: the sum\n * Context: any\n */": "adds\n\n@return the sum\nContext: any",
		"/**\n * f:\n */":                   "",
		"/**\n * g: of another\n */":        "g: of another",
		"/** Adds.\n * @param a: number */": "Adds.\n@param a: number",
	} {
		f, err := source.Extract(t.Context(), C, "a.c", []byte(comment+"\nint f(int a);\n"))
		if err != nil || len(f.Symbols) != 1 {
			t.Fatalf("%q: %d symbols: %v", comment, len(f.Symbols), err)
		}
		if got := f.Symbols[0].Doc; got != want {
			t.Errorf("%q: got %q, want %q", comment, got, want)
		}
	}
}
