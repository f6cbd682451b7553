package source

import (
	"fmt"
	"strings"
	"testing"
)

func TestSnippets(t *testing.T) {
	t.Parallel()
	long := "```go\n" + strings.Repeat("x()\n", longestSnippet+1) + "```\n"
	for _, c := range []struct{ name, file, text, want string }{
		{"a fence", "README.md", "# A\n\n```go\nf()\n```\n", "go 4-4 f()"},
		{"in a list", "README.md", "- a\n\n  ```py title=\"x\"\n  if a:\n      f()\n  ```\n", "python 4-5 if a:|    f()"},
		{"no language", "README.md", "```\nf()\n```\n", ""},
		{"another language", "README.md", "```sh\nf\n```\n", ""},
		{"attributes of Rust", "README.md", "```rust,no_run\nf();\n```\n", "rust 2-2 f();"},
		{"what does not compile", "README.md", "```rust,compile_fail\nf();\n```\n", ""},
		{"a longer fence", "README.md", "````js\n```\n````\n", "javascript 2-2 ```"},
		{"without an end", "README.md", "```js\nf()\n", "javascript 2-2 f()"},
		{"too long", "README.md", long, ""},
		{"MyST", "docs/a.md", "```{code-block} python\nf()\n```\n", "python 2-2 f()"},
		{"a directive within", "docs/a.md", "```{eval-rst}\n.. click:example::\n\n    f()\n```\n", "python 4-4 f()"},
		{"reStructuredText", "docs/a.rst", "Text.\n\n.. code-block:: python\n   :caption: A\n\n   a()\n\n   b()\n\nEnd.\n", "python 6-8 a()||b()"},
		{"a literal block", "docs/a.rst", "Text::\n\n    a()\n", ""},
	} {
		var got []string
		for _, s := range Snippets(c.file, []byte(c.text)) {
			got = append(got, fmt.Sprintf("%s %d-%d %s", s.Language, s.Line, s.End, strings.ReplaceAll(s.Code, "\n", "|")))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestIsDocument(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"README.md": true, "a/readme.rst": true, "docs/a/guide.md": true, "Doc/library.rst": true, "guide.md": true, "LICENSE.md": false, "a/guide.md": false, "docs/CHANGELOG.md": false,
		"docs/release-notes.md": false, "vendor/a/README.md": false, "docs/conf.py": false,
	} {
		if IsDocument(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

func TestFileOfASnippet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, code, want string }{
		{"go", "import (\n\t\"a\"\n)\n\na.F()", "package snippet\nimport (\n\t\"a\"\n)\n\nfunc _() {\n\na.F()\n}\n"},
		{"go", "package a\n", "package a\n"},
		{"rust", "use a::{\n  B,\n};\nB::new();", "use a::{\n  B,\n};\n\nfn main() {\nB::new();\n}\n"},
		{"rust", "fn main() {}", "fn main() {}"},
		{"c", "#include <a.h>\nf();", "#include <a.h>\n\nvoid snippet(void) {\nf();\n}\n"},
		{"python", ">>> f()\n1\n>>> def g():\n...     pass", "f()\n\ndef g():\n    pass"},
		{"javascript", "f()", "f()"},
	} {
		if got := (Snippet{Language: c.language, Code: c.code}).File(); got != c.want {
			t.Errorf("%s: %q, want %q", c.language, got, c.want)
		}
	}
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, language, text string
		line                 int
		want                 string
	}{
		{"a line", "python", "def f():\n    x = g(1)\n    h()", 2, "2-2 x = g(1)"},
		{"brackets", "python", "x = g(\n    1,\n    h(2),\n)\n", 3, "1-4 x = g(|    1,|    h(2),|)"},
		{"a decorator", "python", "@g(1)\ndef f(): pass", 1, "1-1 @g(1)"},
		{"what opens a block", "python", "with g(1) as a:\n    pass", 1, ""},
		{"brackets in a string", "python", "x = '('\ny = g(1)\n", 2, "2-2 y = g(1)"},
		{"a string over lines", "python", "x = \"\"\"\n(\n\"\"\"\ny = g(1)", 4, "4-4 y = g(1)"},
		{"within a callback", "javascript", "it('a', () => {\n  expect(g(1)).toBe(2)\n})", 2, "2-2 expect(g(1)).toBe(2)"},
		{"within an object", "javascript", "f({\n  a: g(1),\n})", 2, "1-3 f({|  a: g(1),|})"},
		{"a chain", "javascript", "const a = g(1)\n  .then(b)\nc()", 2, "1-2 const a = g(1)|  .then(b)"},
		{"a comment", "javascript", "// (\ng(1);\n", 2, "2-2 g(1);"},
		{"in a comment", "python", "# g(1)\n", 1, ""},
		{"until the semicolon", "java", "a();\nint x = g(1) +\n    2;\n", 2, "2-3 int x = g(1) +|    2;"},
		{"a lifetime", "rust", "fn f<'a>() {\n    g('(');\n}", 2, "2-2 g('(');"},
		{"no end", "rust", "{\n    g(1)\n}", 2, ""},
		{"a literal of Go", "go", "x := T{\n\tA: g(1),\n}\ny()", 2, "1-3 x := T{|\tA: g(1),|}"},
		{"a condition", "go", "if g(1) {\n}\n", 1, ""},
		{"a statement that goes on", "java", strings.Repeat("a(\n", 20) + strings.Repeat(")", 20) + ";", 10, ""},
		{"a line that is not there", "go", "g()", 9, ""},
	} {
		got := ""
		if code, from, to, ok := NewStatements(c.text, c.language).At(c.line); ok {
			got = fmt.Sprintf("%d-%d %s", from, to, strings.ReplaceAll(code, "\n", "|"))
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
