package markdown

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// constructs are what comments of each language are made of, with a word of its own in the place of each %s.
var constructs = map[string][]string{
	"go": {
		"%s %s.", "# %s", "See [%s] and [%s.%s].", "\t%s()\n\t\t%s()", "  - %s\n  - %s", "- %s\n- %s `%s`", "```go\n%s()\n```", "~~~\n%s\n~~~",
		"| %s | %s |\n|---|---|\n| %s | %s |", "[%s](https://x.io/%s) and **%s** `%s`", "x[%s][%s] is %s**%s", "## %s", "1. %s\n2. %s",
		"[%s](x.md)", "Use `[%s]` of %s.", "\t```go\n\t%s()\n\t```",
	},
	"python": {
		"%s %s.", "%s\n----", ":class:`%s` and ``%s`` *%s*", "%s::\n\n    %s()\n      %s", ":param %s: %s\n    %s", ":type %s: %s", ":raises %s: %s",
		"Args:\n    %s (int): %s\n        %s\n    %s: %s", "Returns:\n    %s: %s", "Raises:\n    %s: %s", "Parameters\n----------\n%s : %s\n    %s",
		".. note:: %s\n    %s", ".. versionadded:: 1.0 %s", ".. deprecated:: 1.0\n    %s", ".. code-block:: python\n\n    %s()", ">>> %s()\n%s",
		".. attribute:: %s\n    :type: %s\n\n    %s", "====  ====\n%s    %s\n====  ====\n%s    %s\n====  ====", "+---+----+\n| %s | %s |\n+---+----+",
		"- %s\n- %s\n\n  %s", "| %s\n| %s", "# %s", "```py\n%s\n```", "!!! tip \"%s\"\n    %s", "`%s <https://x.io/%s>`_ |%s|", ":%s: %s",
		".. [%s] %s\n   %s", "See [%s]_ of %s",
	},
	"rust": {
		"%s %s.", "# %s", "[`%s`] [`%s::%s`](crate::x) [%s][`x`] [%s]", "```\n%s();\n```", "```no_run\n%s\n```", "    %s()", "- %s\n- %s\n\n  %s",
		"| %s | %s |\n|---|---|\n| %s | %s |", "> %s", "**%s** *%s* `%s`", "# Errors\n\n%s",
	},
	"typescript": {
		"%s %s.", "{@link %s} {@link x | %s}", "- %s\n- %s", "```ts\n%s()\n```", "<p>%s</p><ul><li>%s</li></ul>", "<T> %s<%s>", "@param {%s} [%s=%s] - %s",
		"@param %s %s\n  %s", "@returns {%s} %s", "@throws {%s} %s", "@throws %s %s", "@example\n  %s()\n    .%s()", "@example <caption>%s</caption>\n%s()",
		"@summary %s", "@description\n%s", "@category %s", "@deprecated %s", "@since %s", "@see %s", "@template %s %s", "@unheard %s", "@packageDocumentation\n%s",
	},
	"java": {
		"%s %s.", "<p>%s", "<ul><li>%s<li>%s</ul>", "<pre>%s();\n  %s</pre>", "<code>%s</code> {@code %s<T>} {@link %s#%s} {@literal %s}",
		"<table><tr><th>%s</th><th>%s</th></tr><tr><td>%s</td><td>%s</td></tr></table>", "<b>%s</b> <i>%s</i> &lt;%s&gt;", "@param %s %s\n  %s",
		"@param <T> %s", "@return %s", "@throws %s %s", "@see %s", "@since %s", "{@return %s}", "<h2>%s</h2>", "<dl><dt>%s<dd>%s</dl>", "<a href=\"https://x.io\">%s</a>",
	},
	"cpp": {
		"%s %s.", "\\brief %s", "@param[in] %s %s", "\\return %s", "\\code\n%s();\n\\endcode", "%s \\code %s \\endcode %s", "\\c %s \\ref %s \\b %s",
		"- %s\n- %s", "\\note %s", "\\throws %s %s", "\\retval %s %s", "\\li %s", "\\par %s\n%s", "\\tparam %s %s", "\\f$ %s \\f$", "%s \\param %s %s",
		"2**%s and 3**%s", "operator[](%s)",
	},
}

// TestWordsAreKept makes comments of what each language has, with words that do not come twice, and looks for each of them.
func TestWordsAreKept(t *testing.T) {
	t.Parallel()
	for lang, parts := range constructs {
		rapid.Check(t, func(t *rapid.T) {
			n := 0
			var doc []string
			for _, part := range rapid.SliceOfN(rapid.SampledFrom(parts), 1, 6).Draw(t, "parts") {
				var words []any
				for range strings.Count(part, "%s") {
					words = append(words, fmt.Sprintf("word%02d", n))
					n++
				}
				doc = append(doc, fmt.Sprintf(part, words...))
			}
			whole := strings.Join(doc, "\n\n")
			page := Text(whole, lang)
			for i := range n {
				if w := fmt.Sprintf("word%02d", i); !strings.Contains(page, w) {
					t.Fatalf("%s: %s is gone\ndoc:\n%s\npage:\n%s", lang, w, whole, page)
				}
			}
		})
	}
}
