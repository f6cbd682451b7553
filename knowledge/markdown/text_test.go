package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestTextGolden renders testdata/text/<name>.<language>.txt and compares with the .md beside it.
func TestTextGolden(t *testing.T) {
	t.Parallel()
	docs, err := filepath.Glob("testdata/text/*.txt")
	if err != nil || len(docs) < 7 {
		t.Fatalf("found %d documents: %v", len(docs), err)
	}
	for _, doc := range docs {
		data, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(doc, ".txt")
		lang := strings.TrimPrefix(filepath.Ext(base), ".")
		got := Text(string(data), lang) + "\n"
		if again := Text(strings.ReplaceAll(string(data), "\n", "\r\n"), lang) + "\n"; again != got {
			t.Errorf("%s with CRLF differs", doc)
		}
		if problem := audit(strings.TrimSpace(got)); problem != "" {
			t.Errorf("%s: %s", doc, problem)
		}
		golden := base + ".md"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", doc, got, want)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct{ lang, doc, want string }{
		{"go", "", ""},
		{"go", "Parse reads [Amount] from s_t and *p.", "Parse reads `Amount` from s_t and \\*p."},
		{"go", "Run runs.\n\n\tx := run()\n\nDeprecated: use [Other.Run].", "Run runs.\n\n```go\nx := run()\n```\n\nDeprecated: use `Other.Run`."},
		{"go", "Ask @team/a or a@b.c about #12, GH-3 and o/r#4.", "Ask `@team/a` or `a@b.c` about `#12`, `GH-3` and `o/r#4`."},
		{"go", "See https://x.io/a_b. Or (http://x.io/).", "See https://x.io/a_b. Or (http://x.io/)."},
		{"go", "See https://github.com/o/r/issues/4.", "See `https://github.com/o/r/issues/4`."},
		{"go", "Use {{ x }} and Map[K, V] <b>.", "Use \\{\\{ x }} and Map\\[K, V\\] &lt;b>."},
		{"fortran", "# not a heading\n- one\n- two\n\n---\n1. x", "\\# not a heading\n\n- one\n- two\n\n1. x"},
		{"fortran", "- one\n  - two\n    - three\n\n    more\n- four", "- one\n    - two\n\n        - three\n\n        more\n- four"},
		{"fortran", "a\u202eb\u200bc\x00d\xff", "abcd\uFFFD"},
		{"fortran", "import x from y", "`import` x from y"},
		{"python", "Short.\n\nUsage::\n\n    run(1)\n\nMore.", "Short.\n\nUsage:\n\n```python\nrun(1)\n```\n\nMore."},
		{"python", "Short.\n\n:param x: the x\n:raises ValueError: if bad", "Short.\n\n| Parameter | |\n|---|---|\n| `x` | the x |\n\n**Raises:**\n\n- `ValueError`: if bad"},
		{"python", "Short.\n\n>>> f()\n1\n\nMore.", "Short.\n\n```python\n>>> f()\n1\n```\n\nMore."},
		{"python", "As in [1]_.\n\nReferences\n----------\n.. [1] A. B: A paper.\n   http://x.io/a\n.. [2] More", "As in \\[1\\].\n\n**References:** \\[1\\] A. B: A paper. http://x.io/a\n\n\\[2\\] More"},
		{"python", "A |name| of long|short|line\n\n.. plot::\n\n   >>> draw()\n\n.. legacy:: The old way is slow.", "A name of long\\|short\\|line\n\n```python\n>>> draw()\n```\n\nThe old way is slow."},
		{"go", "View shows.\n\n\t```go\n\tv := View{}\n\t```", "View shows.\n\n```go\nv := View{}\n```"},
		{"python", "Title\n=====\n\ntext", "**Title**\n\ntext"},
		{"typescript", "Does {@link X}.\n@param a - the a\n@returns b", "Does `X`.\n\n| Parameter | |\n|---|---|\n| `a` | the a |\n\n**Returns:** b"},
		{"typescript", "Send.\n\nExamples:\n\n    res.send('<p>html</p>');\n\n    res.end();\n\n@param x - it", "Send.\n\nExamples:\n\n```ts\nres.send('<p>html</p>');\n\nres.end();\n```\n\n| Parameter | |\n|---|---|\n| `x` | it |"},
		{"typescript", "Send.\n\n     Prose that stands in.\n\n- a\n\n      b();\n\n@param x\n\n      y();", "Send.\n\nProse that stands in.\n\n- a\n\n    b();\n\n| Parameter | |\n|---|---|\n| `x` | y(); |"},
		{"typescript", "Set.\n\nExamples:\n\n   // one\n   set({\n     a: 1\n\n   })\n\nMore.\n\n  get({\n\n    b: 1\n  });\n\n  Said.", "Set.\n\nExamples:\n\n```ts\n// one\nset({\n  a: 1\n\n})\n```\n\nMore.\n\n```ts\nget({\n\n  b: 1\n});\n\nSaid.\n```"},
		{"java", "A<style>b { c }</style> d<table><tr><td><h3>e</h3></td></tr></table>", "A d\n\n| |\n|---|\n| e |"},
		{"typescript", "@example\nfoo({a: 1})", "**Example:**\n\n```ts\nfoo({a: 1})\n```"},
		{"typescript", "~~~mermaid\ngraph\n~~~", "```text\ngraph\n```"},
		{"typescript", "```suggestion\nx", "```text\nx\n```"},
		{"java", "<p>A {@code b<c>}.<pre>x\n  y</pre>", "A `b<c>`.\n\n```java\nx\n  y\n```"},
		{"java", "Lists.<ul><li>a<li>b</ul>End.", "Lists.\n\n- a\n- b\n\nEnd."},
		{"rust", "# Errors\n\nSee [`X`].\n\n```\n# hidden\nshown();\n```", "**Errors**\n\nSee `X`.\n\n```rust\nshown();\n```"},
		{"cpp", "\\brief Adds \\p a.\n@param[in] a the a\n\\return sum", "Adds `a`.\n\n| Parameter | |\n|---|---|\n| `a` | the a |\n\n**Returns:** sum"},
		{"typescript", "Less than\n0. Never\n* more.", "Less than 0. Never\n\n- more."},
		{"typescript", "Keys:\n      - a\n        b\n          - c\n      - d\nend", "Keys:\n\n- a b\n    - c\n- d end"},
		{"typescript", "Use\n      ```js\n      f()\n        .g()\n      ```\n      > said\n      # Head", "Use\n\n```js\nf()\n  .g()\n```\n\n> said\n\n**Head**"},
		{"typescript", "a | b\n--|--\nc\\|d | `e`", "| a | b |\n|---|---|\n| c\\|d | `e` |"},
		{"typescript", "std::vector<std::string> of <https://x.io/y> and <a@b.c>", "std::vector&lt;std::string> of https://x.io/y and `a@b.c`"},
		{"typescript", "*a `b` c* ***d*** \\&amp; &amp; &copy;", "a `b` c **d** &amp;amp; & ©"},
		{"typescript", "[a][b] [c] [d](https://x.io \"t\")\n\n[b]: https://x.io/b", "a \\[c\\] d (https://x.io)"},
		{"cpp", "Calls operator[](int) of ![a *b*](c.png).", "Calls operator\\[\\](int) of a b."},
		{"markdown", "3. a\n\n4. b\n- c\n* d", "3. a\n\n4. b\n\n- c\n\n- d"},
		{"markdown", "999999999. a\n1. b", "1. a\n2. b"},
		{"java", "A<ul>\n<li>\n<p> one\n<p>two</li>\n<ul><li><pre>\n  x\n</pre></ul></ul><table><tr>\n <td>c</td><td>d</td></tr></table>",
			"A\n\n- one\n\n    two\n\n    - ```java\n      x\n      ```\n\n| | |\n|---|---|\n| c | d |"},
		{"rust", "[a::B] [`c`] [d e] [f](crate::f) [g][`h`]", "`a::B` `c` \\[d e\\] f `g`"},
		{"markdown", "````\n```\n````", "````\n```\n````"},
		{"markdown", "a <!-- causal:keep x --> b `<!-- causal:keep y -->`", "a b `<! -- causal:keep y -->`"},
		{"markdown", "[t](x.md) ![i](y.png) [w](https://x.io/y) **b** _e_", "t i w (https://x.io/y) **b** *e*"},
	}
	for _, test := range tests {
		if got := Text(test.doc, test.lang); got != test.want {
			t.Errorf("%s: Text(%q)\n got %q\nwant %q", test.lang, test.doc, got, test.want)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 100)
	tests := []struct{ lang, doc, want string }{
		{"go", "Package money holds amounts. More.", "Package money holds amounts."},
		{"go", "Works with e.g. Go v1.2 and J. Smith, i.e. all. More.", "Works with e.g. Go v1.2 and J. Smith, i.e. all."},
		{"go", "list godoc\n@Tags Carts\n@Summary List carts\n@Success 200", "List carts"},
		{"go", "@securityDefinitions.basic BasicAuth\n@BasePath /\n@schemes http https", ""},
		{"go", "Lists, maps etc. Then more.", "Lists, maps etc."},
		{"go", "Lists, maps etc. are read. Then more.", "Lists, maps etc. are read."},
		{"go", "Is it?  Yes.", "Is it?"},
		{"go", "Returns a | b\nover lines\n\nnext", "Returns a \\| b over lines"},
		{"go", "No end", "No end"},
		{"go", long, strings.TrimSpace(strings.Repeat("word ", 39)) + "…"},
		{"go", strings.Repeat("x", 300), strings.Repeat("x", 198) + "…"},
		{"typescript", "Gives `a|b.c d` back. More.", "Gives <code>a&#124;b.c d</code> back."},
		{"typescript", "@returns the sum. More", "**Returns:** the sum."},
		{"python", "\n    Read it.\n\n    More.\n    ", "Read it."},
		{"python", "\nArgs:\n    x: the x. More.\n", ""},
		{"java", "<p>Value of <code>x</code>.\n@return y", "Value of `x`."},
		{"cpp", "@brief Adds. @param x", "Adds."},
		{"rust", "# Title\n\nText here.", "Text here."},
		{"go", "日本語。次。", "日本語。"},
		{"markdown", "[![ci](b.svg)](https://x.io/ci)\n\nSells things.", "Sells things."},
		{"markdown", "![Shop](logo.png)\n\nSells things.", "Sells things."},
		{"markdown", "[Docs](https://x.io/d) | [Chat](https://x.io/c)\n\nSells things.", "Sells things."},
		{"python", "Either :class:`Option`\\s or :class:`Argument`\\ s.", "Either `Option`s or `Argument`s."},
		{"markdown", "Shop 2.9.4 is out!!\n\nSponsor the project here https://x.io\n\nSells things.", "Sells things."},
		{"markdown", "🔥 **NEW:** v4.0 is out!\n\n$ shop run\n\nDocumentation: https://x.io\n\nSells things.", "Sells things."},
		{"markdown", "🚀 Quick start\n\nSells things.", "Sells things."},
		{"markdown", "🚀 Sells things fast.\n\nMore.", "🚀 Sells things fast."},
		{"markdown", "See https://x.io/d", "See https://x.io/d"},
		{"go", "See https://x.io/d\n\n# Head\n\nText.", "See https://x.io/d"},
		{"typescript", "@category Helpers\n@summary Formats it.\n@description\nFormats the date. More.\n@since 2", "Formats it."},
		{"typescript", "@since 2.0", ""},
		{"typescript", "@packageDocumentation\nReads it.", "Reads it."},
	}
	for _, test := range tests {
		if got := Summary(test.doc, test.lang); got != test.want {
			t.Errorf("%s: Summary(%q)\n got %q\nwant %q", test.lang, test.doc, got, test.want)
		}
	}
	if got := Plain("Gives *all* of `a|b` to @user. More.", "typescript"); got != "Gives all of a|b to @user." {
		t.Errorf("Plain gives %q", got)
	}
}

func TestSetting(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"Where it is. If not specified, defaults to\n\"/\"": `Where it is. If not specified, defaults to "/"`,
		"Where it is. More.": "Where it is.",
		"Where it is. It has a port. Defaults to 80. It moves.": "Where it is. Defaults to 80",
		"Where it is. The other one is elsewhere.":              "Where it is.",
	} {
		if got := Setting(doc, "java"); got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

func TestPurpose(t *testing.T) {
	t.Parallel()
	tests := []struct{ lang, doc, want string }{
		{"rust", "Documentation: `../README.md`", ""},
		{"rust", "Documentation: `../README.md`\n\nReads it. More.", "Reads it."},
		{"python", "See https://x.io/d", ""},
		{"go", "Run with:\n\n\tgo run .", ""},
		{"go", "Everything can be read with this:\n\n\tgo run .", "Everything can be read with this…"},
		{"typescript", "@fileoverview Reads it.\n@author A", "Reads it."},
		{"typescript", "@license MIT", ""},
		{"go", "@title Shop API for carts\n@version 1", "Shop API for carts"},
	}
	for _, test := range tests {
		if got := Purpose(test.doc, test.lang); got != test.want {
			t.Errorf("%s: Purpose(%q) = %q, want %q", test.lang, test.doc, got, test.want)
		}
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	slugger := Slugger{}
	tests := []struct{ what, got, want string }{
		{"code", Code("a`b"), "``a`b``"},
		{"code at the ends", Code("`a`"), "`` `a` ``"},
		{"code over lines", Code(" a\n b "), "`a b`"},
		{"no code", Code("  "), ""},
		{"fence", Fence("go", "a\r\n```\nb  \n\n"), "````go\na\n```\nb\n````"},
		{"fence language", Fence("go`x {}", ""), "```go\n```"},
		{"cell", Cell("a|b `c|d` `e` f\\|g\nh"), "a\\|b <code>c&#124;d</code> `e` f\\|g h"},
		{"cell of odd code", Cell("``a`|<b>`` \\`c|d` `e"), "<code>a&#96;&#124;&#60;b></code> \\`c\\|d` `e"},
		{"folded", Folded("- [`f(T<?> a)`](b): \\`<?\n- `<b>` `` `</details> ``"), "- [<code>f(T&#60;?> a)</code>](b): \\`<?\n- `<b>` <code>&#96;&#60;/details></code>"},
		{"escape", Escape("*a* [b](c) <d> {e} f_g _h_ ~i~ j&amp;k"), `\*a\* \[b\](c) &lt;d> \{e} f_g \_h\_ &#126;i&#126; j&amp;amp;k`},
		{"escape alone", Escape("= $ :"), "&#61; `$` :"},
		{"escape at the start", Escape("# a"), `\# a`},
		{"escape a rule", Escape("---"), `\---`},
		{"link", Link("`a`", "b c(d)é.md#e"), "[`a`](b%20c%28d%29%C3%A9.md#e)"},
		{"encoded link", Link("a", "b%20c|d"), "[a](b%20c%7Cd)"},
		{"script link", Link("a", "javascript:x"), "a"},
		{"host link", Link("a", "//x.y"), "a"},
		{"path", Path("a b/c#d?e%f.md"), "a%20b/c%23d%3Fe%25f.md"},
		{"label", MermaidLabel("Foo(\"x\") #1 <T> `y`\n%%{z}"), `"Foo(#quot;x#quot;) #35;1 #lt;T#gt; #96;y#96; #37;#37;{z}"`},
		{"message", MermaidText("a;b: <T>\n[\"x\"] λ-1"), "a#59;b#58; #60;T#62; #91;#34;x#34;#93; λ#45;1"},
		{"empty message", MermaidText(" "), "#32;"},
		{"list label", MermaidLabel("1. x"), `"1#46; x"`},
		{"empty label", MermaidLabel(""), `" "`},
		{"slug", Slug("Über `Größe_x` (日本語) C++ & İ"), "über-größe_x-日本語-c--i̇"},
		{"first", slugger.Slug("A b"), "a-b"},
		{"second", slugger.Slug("a B"), "a-b-1"},
		{"taken", slugger.Slug("A b 1"), "a-b-1-1"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, test.got, test.want)
		}
	}
}

func BenchmarkText(b *testing.B) {
	for _, name := range []string{"sections.python", "tags.typescript", "html.java", "comment.go"} {
		data, err := os.ReadFile("testdata/text/" + name + ".txt")
		if err != nil {
			b.Fatal(err)
		}
		lang := strings.TrimPrefix(filepath.Ext(name), ".")
		b.Run(lang, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				Text(string(data), lang)
			}
		})
	}
}
