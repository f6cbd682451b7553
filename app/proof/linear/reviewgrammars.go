package main

const aResult = `{"ruleId":"a#","level":"warning","message":{"text":"a# {0}"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a#.go"},"region":{"startLine":1}}}]},`

var (
	logGrammar = grammar{
		wraps: []string{
			`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"results":[` + "\x00" + `{"message":{"text":"a"}}]}]}`, "",
			`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a","rules":[` + "\x00" + `{"id":"a"}]}},"results":[]}]}`,
			`{"version":"2.1.0","runs":[{"results":[{"message":{"text":"` + "\x00" + `"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":1}}}]}]}]}`,
			`{"version":"2.1.0","runs":[{"results":[{"message":{"text":"a"},"locations":[{"physicalLocation":{"region":{"startLine":1},"artifactLocation":{"uri":"` + "\x00" + `"}}}]}]}]}`,
		},
		tokens: joined(jsonGrammar.tokens, []string{
			aResult, `{"id":"a#"},`, `{"message":`, `"text":"`, `{0}`, `{#}`, "{{", "}}", "[a](#)", `\\`, "%41", "../", "file://", `"uriBaseId":"a#",`, `"tags":["a#"],`, `"locations":[`,
		}),
		known: []string{
			aResult, `{"id":"a#","messageStrings":{"a#":{"text":"b"}}},`, `{"message":`, `"text":"a",`, "{0}", "{#}", "{{", "}}", "[a](#)", "[a](", `\\[`, "%41", "%", "../", "./", "a/", "[[", `"a#":1,`,
			`{"ruleId":"a#","message":{"id":"b#"}},`, `{"suppressions":[{"kind":"inSource"}]},`, `{"locations":[]},`, `{"codeFlows":[{"threadFlows":[]}]},`, "\n", " ",
		},
	}
	lineGrammar = grammar{
		wraps:  []string{"", "func f() {\n"},
		tokens: joined(common, []string{"a1\n", "n#\n", "n# 1\n", "func f#() {\n", "}\n", "def f#():\n", "    ", "\r\n", "class A# {\n", "// a\n"}),
		known: []string{
			"a\n", "1\n", "2\n", "1\n2\n", "n#\n", "n# 1\n", "n#\n1\n", "\n", " \n", "  a\n", "}\n", "{\n", "func f#() {\n", "def f#():\n  a1\n", "class A:\n ", "a ", "a(", "\"", "`", "/*", "1\na\n1\nb\n", "\t", "\r",
			"func f#() {\n\ta1 := 1\n}\n", "f1(f2(", "f(a1, \"b\")\n",
		},
	}
	principleGrammar = grammar{
		wraps: []string{"principle: a\nstatus: active\n", "", "principle: a\nstatus: active\nevidence:\n"},
		tokens: joined(yamlGrammar.tokens, []string{
			"evidence:\n", "- {key: a#}\n", "- key: a#\n", "<<<<<<< a\n", "=======\n", ">>>>>>> b\n", "check:\n  pattern: p-a\n", "rule: |\n", "  a\n", "why: a\n",
		}),
		known: []string{
			"<<<<<<< a\n", "<<<<<<< a\nx#: 1\n=======\nx#: 2\n>>>>>>> b\n", "=======\n", "k#: a\n", "# a\n", "- key: a#\n", "evidence:\n", "\n", "&a# ", "*a ", "a: [", "a: {", "k#: |\n  a\n", "? ", "- - ", "\"a", "<<: {",
		},
	}
	staleGrammar = grammar{
		wraps:  markdownGrammar.wraps,
		tokens: joined(markdownGrammar.tokens, []string{"`GoneAway`", "`GoneAway()`", "`a.GoneAway`", "GoneAway ", "```go\n", "--gone ", "$ "}),
		known: joined(markdownGrammar.known, []string{
			"`GoneAway` ", "`GoneAway()`\n", "`a.GoneAway`, ", "GoneAway ", "GoneAway.", "GoneAway-", "```go\nGoneAway()\n```\n", "    GoneAway()\n", "`GoneAway", "# GoneAway\n\n", "`a#.GoneAway` was removed. ",
			"- `GoneAway`\n", "| `GoneAway` |\n", "`a GoneAway`", "a.GoneAway(", "no longer `GoneAway`. ",
		}),
	}
	commentGrammars = map[string]grammar{
		"go": {
			wraps:  []string{"package a\n"},
			tokens: joined(common, []string{"// Gone# is.\nfunc Gone#(was int) {}\n", "// Gone was.\n", "func Gone#(was, gone int) {}\n", "/* a */\n", "type Gone# struct {\n", "}\n"}),
			known: []string{
				"// Gone# is.\nfunc Gone#(was int) {}\n", "// Gone#.\n", "// was\n", "func Gone#(was int) {}\n", "func Gone#(was, gone#, ", "type Gone# int\n", "// F# takes was and gone.\nfunc F#(was, gone int) {}\n", "func F(",
				"// F#: was, was, was\nfunc F#(was int) {}\n", "var Gone# = 1\n", "/* Gone was */\n",
			},
		},
		"python": {
			wraps:  []string{""},
			tokens: joined(common, []string{"def f#(was, gone):\n  \"\"\"Args:\n    was: a\n  \"\"\"\n", ":param was: a\n", "\"\"\"", "# Gone\n", "class Gone#:\n"}),
			known: []string{
				"def f#(was, gone):\n  \"\"\"Args:\n    was: a\n    gone: b\n  \"\"\"\n", "def f#(was):\n  \"\"\"\n  :param was: a\n  \"\"\"\n", "# Gone#\ndef Gone#(): pass\n", "class Gone#:\n  \"\"\"Gone#.\"\"\"\n",
				"def f(was, gone#, ", "def f#(was=(", "def f(was):\n  \"\"\"Parameters\n  ----------\n  was : int\n  \"\"\"\n", "\"\"\"Gone ", "# was\n",
			},
		},
		"typescript": {
			wraps:  []string{""},
			tokens: joined(common, []string{"/** @param was a */\nexport function f#(was: A) {}\n", "@param was a\n", "/**", "// Gone\n", "class Gone# {\n"}),
			known: []string{
				"/** @param was a */\nexport function f#(was: A) {}\n", "/**\n * @param was a\n * @param gone b\n */\nfunction f#(was, gone) {}\n", "/** Gone#. */\nclass Gone# {}\n", "function f(was, gone#, ", "/** was ", " * @param was\n",
				"// Gone#\nconst Gone# = 1\n", "function f#(was = (", "function f#({was, gone}) {}\n", "/** {@link Gone#} */\n",
			},
		},
		"java": {
			wraps:  []string{"class A {\n"},
			tokens: joined(common, []string{"/** @param was a */\nvoid f#(int was) {}\n", "@param was a\n", "/**", "// Gone\n", "class Gone# {\n"}),
			known: []string{
				"/** @param was a */\nvoid f#(int was) {}\n", "/**\n * @param was a\n * @param gone b\n */\nvoid f#(int was, int gone) {}\n", "/** Gone#. */\nclass Gone# {}\n", "void f(int was, int gone#, ", "/** was ", " * @param was\n",
				"void f#(A<B> was) {}\n", "@A(\"was\") void f#(int was) {}\n",
			},
		},
	}
)
