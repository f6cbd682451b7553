package markdown

import "testing"

// TestPythonLiterals: what authors write in docstrings without a mark of reStructuredText keeps its lines.
func TestPythonLiterals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, doc, want string }{
		{"lazy line of an item", "Does.\n\n* **url** - *(optional)* The address that\nall requests go to.\n* **b** - Another.", "Does.\n\n- **url** - *(optional)* The address that all requests go to.\n- **b** - Another."},
		{"what an item does not go on with", "* one\n\nA paragraph.", "- one\n\nA paragraph."},
		{"reference links", "See [Timeouts][0] and [the site][].\n\n[0]: /advanced/timeouts\n[the site]: https://example.com/a", "See Timeouts and the site (https://example.com/a)."},
		{"a reference without definition", "See [Timeouts][0].", `See \[Timeouts\]\[0\].`},
		{"code of an item", "* item one\n\n      code in it\n\n* two", "- item one\n\n    ```python\n    code in it\n    ```\n\n- two"},
		{"statements", "A URL.\n\nurl = httpx.URL(\"https://jo@example.com:1/a#b\")\n\nassert url.scheme == \"https\"\nassert url.host == \"x\"\n\nAnd more.",
			"A URL.\n\n```python\nurl = httpx.URL(\"https://jo@example.com:1/a#b\")\n\nassert url.scheme == \"https\"\nassert url.host == \"x\"\n```\n\nAnd more."},
		{"a call over lines", "client.get(\n    \"/\",\n    timeout=1,\n)", "```python\nclient.get(\n    \"/\",\n    timeout=1,\n)\n```"},
		{"a drawing", "The parts:\n\n   https://user@host:80/path\n[scheme]   [  user  ] [host]\n           [  info  ] [port]", "The parts:\n\n```text\n   https://user@host:80/path\n[scheme]   [  user  ] [host]\n           [  info  ] [port]\n```"},
		{"an indented example", "For example:\n\n    shop.open(name)\n    x = 1\n\nDone.", "For example:\n\n```python\nshop.open(name)\nx = 1\n```\n\nDone."},
		{"indented prose", "Note this:\n\n    The value = 1 is what callers of it get.\n", "Note this:\n\nThe value = 1 is what callers of it get."},
		{"prose with two blanks", "One sentence.  Two sentences.\nAnd more.  Yes.", "One sentence. Two sentences. And more. Yes."},
		{"prose that begins like a statement", "import of goods is what this does", "`import` of goods is what this does"},
		{"an assignment in a sentence", "x = 1 is the default.", "x = 1 is the default."},
		{"doctest", ">>> f()\n1", "```python\n>>> f()\n1\n```"},
	} {
		if got := Text(c.doc, "python"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
