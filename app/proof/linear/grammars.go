package main

// letters joins lists of tokens.
func joined(lists ...[]string) []string {
	var out []string
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

var (
	brackets = []string{"(", ")", "[", "]", "{", "}", "<", ">"}
	blanks   = []string{" ", "\n", "\t"}
	quotes   = []string{`"`, "'", "`", `\`}
	common   = joined(brackets, blanks, quotes, []string{
		"a", "n# ", "1", ",", ";", ":", ".", "=", "+", "-", "*", "/", "&", "|", "!", "?", "@", "#", "//", "/*", "*/", "\x00", "é", "\xff",
	})
)

var grammars = map[string]grammar{
	"go": {
		wraps: []string{"", "package p\n", "package p\nfunc f() {\n", "package p\ntype T struct {\n", "package p\nvar x = "},
		tokens: joined(common, []string{
			":=", "<-", "...", "func ", "func f#() ", "type ", "struct{", "interface{", "const ", "var ", "import ", "package p\n", "go ", "defer ",
			"if ", "for ", "range ", "switch ", "case ", "select ", "return ", "map[", "chan ", "//go:build a\n", "goto ", "a:\n",
		}),
		known: []string{
			"type A# struct { A# }\n", "func (a T) m#() {}\n", "func f#() { f#() }\n", "import a# \"x/#\"\n", "const (\na# = iota\n)\n", "[]*",
			"a.a(", "func(func(", "interface{interface{", "A[A[", "var a#, b# = 1, 2\n", "type T# = *T#\n", "a, ", "a.b.c.d, ", "x := x\n",
			"type I# interface { M#(); I# }\n", "os.Getenv(\"A#\")\n", "// a\n", "/* a */", "if a { } else ", "switch { case a: ", "{{{{",
			"func Example#() { // Output: a\n}\n", "L#: goto L#\n", "a := func() {", "map[string]map[",
			"A# int `env:\"A#\"` // a\n",
		},
	},
	"python": {
		wraps: []string{"", "def f():\n    ", "class A:\n    ", "x = "},
		tokens: joined(common, []string{
			`"""`, "'''", "def f#(", "def ", "class ", "import ", "from a import ", "if ", "else:", "elif ", "for ", "in ", "while ", "try:", "except ", "with ",
			"lambda ", "async ", "await ", "return ", "yield ", "global a#\n", "f\"", "f'{", "r'", "\\\n", "    ", "@a\n", "**", "->", ":=", "match ", "case ", "__all__ ",
			"del ", "not ", "and ", "\f", "\r",
		}),
		known: []string{
			"if a:\n", "class A#(A#): pass\n", "def f#(a=f#): pass\n", "import a#\n", "from .a# import b# as c#\n", "__all__ += ['a#']\n", "a.a.a.", "f'{f\"{", "[a for a in ",
			"lambda: ", "(yield ", "a[b:c, ", "@a(b)\n", "x# = x#\n", "try:\n pass\nexcept a:\n", "a if b else ", "os.environ['A#']\n", " \n  \n   \n", "def f():\n ",
			"class A:\n ", "a = b = ", "*a, ", "overload\n", "@overload\ndef f(): ...\n", "elif a:\n", "parser.add_argument('--a#')\n", "type A# = A#\n", "f'{a!r:{b}}'",
			"if 1:\n  if 1:\n", "'a' 'b' ", "@property\ndef a#(self): return self.b#\n", "from a# import *\n", "del a#\n", "def f(x#): x#\n", "class A#(BViewSet): pass\n",
		},
		product: [][2]string{{"a = b = ", "def f#("}, {"from a# import *\n", "n# "}, {"del a#\n", "import a#\n"}, {"del a#\n", "from a# import *\n"}},
	},
	"javascript": ecmaGrammar,
	"typescript": {
		wraps: joined(ecmaGrammar.wraps, []string{"interface A {\n", "type A = ", "declare namespace a {\n"}),
		tokens: joined(ecmaGrammar.tokens, []string{
			"type ", "interface ", "enum ", "namespace a {", "declare ", "abstract ", "readonly ", "public ", "as ", "is ", "keyof ", "infer ", "extends ", ": ", "<T>", "A<", "?: ",
			"satisfies ", "/// <reference ",
		}),
		known: joined(ecmaGrammar.known, []string{
			"A<A<", "type A# = A#;\n", "interface A# extends A# {}\n", "a?: a;", "<T extends ", "a as any as ", "namespace a.b.c {", "declare module 'a#' {}\n", "@a() b: c;",
			"function f(): void;\n", "a extends b ? c : ", "`${A}`|", "{[a: string]: ", "(a: ", "(a?: b) => ", "abstract class A# {}\n", "import type {A#} from './a'\n", "<a>(", "a<b>(",
			"f<a,", "[a, b?]: ", "enum A# { B# = A# }\n", "readonly ", "get a(): ", "asserts a is ",
			"import {A#} from './a'\n", "class A# { f: A0; g() { this.f.g() } }\n",
		}),
		product: [][2]string{{"import {A#} from './a'\n", "class A# { f: A0; g() { this.f.g() } }\n"}},
	},
	"java": {
		wraps: []string{"", "class A {\n", "class A { void f() {\n", "class A { int x = "},
		tokens: joined(common, []string{
			`"""`, "@A ", "@A(", "@interface ", "class ", "class A# ", "interface ", "enum ", "record ", "extends ", "implements ", "import ", "package ", "public ", "static ", "void ",
			"int ", "new ", "->", "::", "switch ", "case ", "default ", "try ", "catch ", "if ", "else ", "for ", "return ", "throws ", "instanceof ", "...", "A<", ">>", "&", "sealed ", "permits ",
			"yield ", "var ", "this", "super", "\\u0041", "/**",
		}),
		known: []string{
			"A<A<", "@A(@A(", "(A)", "(a)(", "a.b.c.", "import a.b#;\n", "void m#() { m#(); }\n", "int a# = a#;\n", "class A# extends A# {}\n", "new A() {", "a ? b : ", "() -> ", "x -> ", "a::", "enum E# { A#, B# }\n",
			"@A\n", "/** a */ ", "case a -> ", "if (a) else ", "A.B.C x#;\n", "<T extends A & B> ", "[][]", "void f(int a, int b) {}\n", "static { ", "\"a\" + ", "int a#, b#, c#;\n", "void f(A# a) {}\n", "\\u005c", "\\uuuu",
			"record R#(int a#) {}\n", "import static a.b.C.*;\n", "(a < b, c > (", "A<?, ", "switch (a) { case ", "for (;;) ", "label: ", "@GetMapping(\"/a#\")\n", "a instanceof B# c && ",
			"getProperty a; ", "@ConfigurationProperties(\"a\") class A# { boolean isA#; }\n",
		},
		product: [][2]string{{"n# ", "import static a.b.C.*;\n"}, {"a.b.c.", "A<"}},
	},
	"rust": {
		wraps: []string{"", "fn f() {\n", "impl A {\n", "mod m {\n", "struct A {\n", "const X: "},
		tokens: joined(common, []string{
			`r#"`, `r##"`, `"#`, "b\"", "'a ", "'a'", "::", "=>", "->", "..", "#[", "#![", "fn ", "fn f#() ", "struct ", "enum ", "trait ", "impl ", "mod ", "use ", "pub ", "pub(", "where ", "for ", "let ", "match ", "if ", "else ",
			"unsafe ", "async ", "const ", "static ", "type ", "dyn ", "macro_rules! ", "a!", "a!(", "///", "//!", "/**", "$", "extern ", "crate", "self", "Self", "super", "A<", "as ", "move ", "return ", "loop ", "ref ", "mut ",
		}),
		known: []string{
			"x::", "#[", "#[a]", "#[a]\n", "#[cfg(a)] ", "#[cfg(all(", "A<A<", "use a::{", "use a::{b, ", "use a#::b#;\n", "mod a# {}\n", "mod a# { ", "/*/*", "|a| ", "||", "&&", "&'a ", "impl A# for B# {}\n", "fn f#() { f#() }\n",
			"a!{a!{", "if let A(a) = ", "match a { b => ", "a.b.c.", "a::b::c::", "<a as b>::", "where A: ", "struct A#(B#);\n", "'", "b'", "r#a ", "macro_rules! a# { () => {} }\n", "trait A#: A# {}\n", "let a# = a#;\n", "else if a ",
			"#[derive(A#)]\n", "pub use a#::*;\n", "pub(in a::b) ", "extern crate a#;\n", "const A#: B = A#;\n", "dyn A + ", "for<'a> ", "..=", "a as b as ", "if a { } ", "unsafe {", "fn f(", "fn f<", "(a, ", "A { a: ", "type A# = A#;\n",
			"impl<T> A<T> { fn f#(self) { self.f#() } }\n", "async move {", "|", "match x { ", "macro_rules! m { ($a:", "use self::a#::{self, b#};\n", "#[doc = \"a\"]\n",
		},
	},
	"c": cGrammar,
	"c++": {
		wraps: joined(cGrammar.wraps, []string{"class A {\n", "namespace a {\n"}),
		tokens: joined(cGrammar.tokens, []string{
			"class ", "namespace ", "template<", "typename ", "using ", "public:", "virtual ", "operator", "::", "R\"(", "R\"a(", ")\"", "~", "friend ", "new ", "delete ", "auto ", "constexpr ", "noexcept ", "[[", "]]", "->", "concept ", "requires ", "module ", "A<", ">>",
			"try ", "catch(", "throw ", "override ", "this->",
		}),
		known: joined(cGrammar.known, []string{
			"A<A<", "a::", "::a::", "template<class T> ", "template<template<", "class A# : A# {};\n", "namespace a# { ", "namespace a::b {", "using a# = b#;\n", "using namespace a#;\n", "void A#::f#() {}\n", "R\"#(", "operator()(", "[](){", "a<b>::", "~A(", "requires a && ",
			"friend class A#;\n", "A() : a(b), ", "[[a]] ", "class A { class ", "decltype(", "a->b->", "A a{", "constexpr int a# = a#;\n", "enum class A# { B# };\n", "virtual void f#() = 0;\n", "public: ", "a < b < ", "export module a;\n",
		}),
	},
}

var ecmaGrammar = grammar{
	wraps: []string{"", "function f() {\n", "class A {\n", "const x = "},
	tokens: joined(common, []string{
		"${", "=>", "function ", "function f#() ", "class ", "const ", "let ", "var ", "import ", "export ", "from ", "default ", "async ", "await ", "get ", "set ", "static ", "new ", "return ", "if ", "else ", "for ", "of ", "in ", "switch ",
		"case ", "require(", "...", "?.", "<a", "</", "/>", "<>", "<!--", "-->", "yield ", "typeof ", "this.", "super", "#a", "@a ", "@a\n", "try ", "catch ", "do ", "while ", "/**", "with ", "label: ", "%", "enum ", "delete ", "constructor",
	}),
	known: []string{
		"@ ; ", "@a\n", "@a(b) ", "`${", "`${`", "<a b={", "<a><b>", "a.a.a.", "a?.b?.", "(a) => ", "a => ", "async a => ", "function f#() { f#() }\n", "import a# from './a#'\n", "export {a#} from './b#'\n", "export {a#}\n", "export * from './a#'\n",
		"class A# extends A# {}\n", "const a# = a#;\n", "let {a#: {", "let [a, ", "var a#, ", "require('./a#')\n", "module.exports.a# = 1\n", "A.prototype.a# = 1\n", "exports.a# = a#\n", "if (a) ", "else if (a) ", "a ? b : ", "a = b = ", "/a/ ", "/[", "a / b / ", "<a", "(<",
		"new new ", "!", "function (", "class { a() {", "{a: ", "[[[", "({", "for (;;) ", "label: label: ", "describe('a#', () => {", "test('a#', () => {})\n", "/** a */ ", "//# a\n", "import('a#')\n", "export default ", "process.env.A#\n", "static { ", "get a() {", "async *", "...",
		"Object.defineProperty(a, 'b#', ", "export const {a#, b#} = c\n", "var self = this, ", "<a>{", "x<y>(", "a\n++\n", "return\n", "let a# = b# < ", "yield* ", "function* f#() {", "export function f(): void;\n",
		"app.get('/a#', ", "setInterval(a, 1);\n", "(function() {", "}(", "class A { #a; a = ", "{ get ", "async ", "await ", "import ", "export ", "export type ",
	},
}

var cGrammar = grammar{
	wraps: []string{"", "int f() {\n", "struct A {\n", "int x = "},
	tokens: joined(common, []string{
		"#define ", "#define A# ", "#define f(", "#if ", "#ifdef A\n", "#elif ", "#else\n", "#endif\n", "#include ", "#include <", "#undef A\n", "#pragma once\n", "##", "\\\n", "int ", "void ", "char ", "unsigned ", "static ", "extern ", "const ", "struct ", "struct A# ", "union ", "enum ", "typedef ",
		"if ", "else ", "for ", "while ", "do ", "switch ", "case ", "return ", "goto ", "sizeof ", "(*", "...", "extern \"C\" ", "__attribute__((", "/**", "///", "int f#(", "A ", "??/", "L\"", "inline ",
	}),
	known: []string{
		"int a#;\n", "int f#(void) { return f#(); }\n", "#define A# A#\n", "#if A\n", "#if A\n#else\n", "#include \"a#.h\"\n", "typedef struct A# A#;\n", "struct A# { struct A# *a; };\n", "(*(*", "int (*(*", "int a[", "int a, ", "A B C ", "A(B) ", "a.b.c.", "a->b->", "((a)", "(a)(b)", "if (a) else ", "a ? b : ",
		"case a: ", "a: b: ", "enum { A#, B# };\n", "#define f#(a) a\n", "/* a */", "// a \\\n", "\"a\" ", "int f(a, b) int a; ", "= { ", "{ .a = ", "#if (", "#if defined(A) && ", "#elif A\n", "# a\n", "extern \"C\" { ", "__attribute__((a)) ", "void f(int a#) {}\n", "typedef int a#, *", "static inline ",
		"#ifndef A#\n#define A#\n", "struct { ", "union { struct { ", "int *", "const ", "unsigned long ", "#define A \\\n", "MACRO(a) int b#;\n", "MACRO\n", "EXPORT int f#(", "MACRO(a#, b#)\n", "f(f(", "a, ", "#ifdef A#\nint a#;\n#endif\n",
	},
}

var (
	markdownGrammar = grammar{
		wraps: []string{"", "# A\n\n", "```\n", "> ", "- ", "<div>\n"},
		tokens: joined(common, []string{
			"[a](", "![", "](", "][", "[^a]", "**", "_", "__", "~~", "```", "~~~", "<!--", "-->", "<a ", "</a>", "<h1>", "<details>", "<![CDATA[", "<?", "# ", "## ", "---\n", "===\n", "- ", "* ", "1. ", "> ", "| ", "|-|\n", "http://", "&amp;", "&#1;", "    ", "{{", "}}", ":::", "www.", "a@b.c ", "{#a}",
			"\r\n", "[a]: ", "[x] ", "<br>",
		}),
		known: []string{
			"[a](", "[a](b) ", "![", "[![a](", "*a_", "*a **b ", "[[[", "- - - - ", "> > > ", "<a ", "<a\n", "&a;", "`", "` `` ", "[a]: b\n", "[a#]: b\n", "[a#] ", "[a][", "[a](<", "a**b", "_a_ ", "***", "|a", "| a |\n|-|\n", "| a | b |\n", "* a\n  * b\n", "a\n===\n", "# a\n", "## a#\n", "<!-- ", "<!--\n-->\n", "<b><i>", "http://a.b ", "[^#]: a\n",
			"\\\\", "\\[", "![a](b", "[](", "<http://", "[ ", "![]()", "](a", "a  \n", "1. 1. ", "~~~\n", "```a\n", "<div>\n", "<!A", "((", "[a](b 'c", "http://(", "a@", "**a", "</", "<a href='", "[a](b\n", "<a b=\"", "<!-- causal:keep -->\n", "<!-- a -- ",
		},
	}
	rstGrammar = grammar{
		wraps: []string{"", "A\n=\n\n"},
		tokens: joined(common, []string{
			"::", "``", "`a`_", "`a <", ">`_", ".. ", ".. a::\n", "   :a: b\n", ":a:`", "|a|", "**", "*", "_a:", "[#]_", "===\n", "---\n", "~~~\n", "- ", "1. ", "+-+\n", "    ", "__ ", ".. image:: ", ".. _a: b\n", ".. |a| ", ">>> ", "\n\n",
		}),
		known: []string{".. a\n", "`a", "``a", ":a:`b`", "*a", "|a", "a_ ", "- a\n\n  ", "a\n  ", "::\n\n  a\n", ".. note:: a\n   ", "+---+\n|a  |\n", "=== ===\na   b\n", ":param a#: b\n", "[1]_ ", "Args:\n    a#: b\n", "Returns:\n    ", "a\n---\n"},
	}
	pageGrammar = grammar{
		wraps:  joined(markdownGrammar.wraps, []string{"---\na: b\n---\n", "---\n", "```mermaid\nflowchart LR\n"}),
		tokens: joined(markdownGrammar.tokens, []string{"<!-- causal:keep a -->\n", "<!-- /causal:keep -->\n", "```mermaid\n", "[a](#a)", "[a](b.md)", "<a id=\"#\"></a>"}),
		known:  joined(markdownGrammar.known, []string{"[a](#a#)\n", "# a\n[a](#a)\n", "---\n", "<!-- causal:keep k# -->\n<!-- /causal:keep -->\n", "[a](b#.md)\n", "```mermaid\nflowchart LR\na --> b\n```\n", "# a\n\n"}),
	}
	docGrammar = grammar{
		wraps: []string{""},
		tokens: joined(markdownGrammar.tokens, rstGrammar.tokens, []string{
			"@param a ", "@see ", "@return ", "{@link ", "{@code ", "{@", "<p>", "<pre>", "</pre>", "<ul>", "<li>", "</li>", "<code>", "\\param ", "\\brief ", "\\f$", "\\code\n", "\\endcode\n", "@deprecated ", "@example\n", "Deprecated: ", "https://a.b/", "[A.b]", "a. ", "e.g. ", "A ", "Args:\n", "Parameters\n----------\n",
		}),
		known: joined(markdownGrammar.known, rstGrammar.known, []string{
			"{@link {@code ", "<ul><li>", "<p>a", "<pre>\n", "@param a#\n", "@throws A b\n", "\\li a\n", "A. ", "a. b", "i.e. ", "<table><tr><td>", "</p>", "<a href=\"", "<code>a", "{@", "@code\n", "\\f[", "a (", "[a#]\n", "[A#]: a\n", "Summary: ", "<li>a", "<b>", "</b>", "<dl><dt>", "<blockquote>", "~~", "@see <a", "# A\n",
			"  - a\n", "\ta\n", "Note:\n  a\n", ">>> a\n", "1. a\n   1. ", "* * * ", "a\n\n", "<h1>", "<a>", "<!--a-->",
			"`a ``b ", "<a href='http://x.y'>", "{@code ", "> - ", "- + * ", "|a|b\n|-|-\n", ":x:`", "|a ", "x.", "\\f$", "Args:\n  x:\n   ",
		}),
	}
	diagramGrammar = grammar{
		wraps:  []string{"", "flowchart LR\n", "graph TD\n"},
		tokens: joined(common, []string{"flowchart LR\n", "subgraph ", "end\n", "-->", "---", "-- a --", "a[", "a[\"", "\"]", "a(", "a{", "|a|", "%%", "style ", "class ", "classDef ", "click ", ":::", "&", "n#\n", "==>", "-.->"}),
		known:  []string{"a --> b\n", "a# --> b#\n", "subgraph a#\n", "subgraph a\n", "a & ", "a[b] ", "a --> ", "%% a\n", "a((", "a[[", "classDef a# b\n"},
	}
	yamlGrammar = grammar{
		wraps:  []string{"", "path: a\n", "path: a\nsources: ", "a:\n  - "},
		tokens: joined(common, []string{"---\n", "...\n", "a: ", "a#: b\n", "- ", "? ", "&a ", "*a ", "!!a ", "|\n", ">\n", "  ", "<<: ", "%YAML 1.2\n", "~", "null", "path: ", "sources:\n", "- {", "!<", "\"\\u"}),
		known: []string{
			"&a [*a,*a]", "&a# [*a#]\n", "- &a# a\n- *a#\n", "- - ", "[[", "{a: ", "{{", "[a, ", "{a, ", "? ? ", "a: a: ", "- a\n", "a#: &b# c\n", "!!map {", "'a'", "\"a", "# a\n", "a:\n a:\n", "- a: b\n", "|\n a\n", ">\n a\n", "a\n", "<<: *a\n", "&a ", "%a\n", "*a,", "a#: b\n", "[?", "{? a : ", "\n- ", "version: 1\n", "exclude: [a]\n", "uses:\n", "- a: b\n  a: b\n",
		},
	}
	conditionGrammar = grammar{
		wraps:  []string{"", `modified("a") or `},
		tokens: joined(common, []string{" or ", " and ", " not ", `modified("a")`, `modified("`, `symbol_changed("a", "b")`, "**", "not(", "==", "&&", "||", "??", "a.", "let a = ", "{a: ", "#{", "in "}),
		known:  []string{`modified("a") or `, `modified("a") and `, `not modified("a") and `, "(((", "not not ", "a.a.a.", `modified("a#") or `, "(modified(\"a\") or ", "a ? b : ", "[", "{", "a(", "- - ", "let a# = 1; ", "a | b", "..", "**", "1 + "},
	}
	globGrammar = grammar{
		wraps:  []string{""},
		tokens: []string{"a", "*", "**", "?", "/", "[", "]", "[a-z]", "[!", "{", "}", ",", "{a,b}", "\\", ".", " ", "**/", "*a", "é"},
		known:  []string{"**/", "*a", "*/", "**/a/", "a*", "?*", "[a]*", "**/*a", "*a*", "a/"},
	}
	tomlGrammar = grammar{
		wraps:  []string{"", "[package]\nname = ", "[workspace]\nmembers = [", "[tool.setuptools]\n", "[dependencies]\n"},
		tokens: joined(common, []string{"[a]\n", "[[a]]\n", "a# = 1\n", "a.", "a = ", `"""`, "'''", "{a = ", "\\u", "1979-05-27", "true", "[a.b]\n", "[a#]\n", "_", "0x", "inf"}),
		known:  []string{"[[a]]\n", "[a#]\n", "a# = 1\n", "a.a.a.", "[[", "{a = ", "a = [", "[a.", "a = \"", "[a.b.c.d]\n", "\"a\".", "# a\n", "[[a]]\n[a.b]\n", "[a.a#]\n", "members = [\"a#\"]\n", "a#.b = 1\n", "1_", "[\"a#\", ", " [a#]\n", "\t[a.a#]\n"},
	}
	jsonGrammar = grammar{
		wraps:  []string{"", `{"compilerOptions": {"paths": {`, `{"exports": {`, `{"workspaces": [`, `{"name": `},
		tokens: joined(common, []string{`{"a":`, `"a#":1,`, "true", "null", `"a"`, `\u0041`, "-1", "1e9", "/* a */", "// a\n", `"extends":`, `"paths":{`, `"*":`, `"./a#":"./b",`, ",}", ",]"}),
		known:  []string{"[[", `{"a":`, `"a#":["b#"],`, `"./a#":{"import":`, `"./a/*#":"./b/*",`, "// a\n", "/*", `"a\"`, `"packages/*#",`, `"imports":{`, `"a",`, "1", `\\`},
	}
	modGrammar = grammar{
		wraps:  []string{"", "module a\n", "module a\nrequire (\n"},
		tokens: joined(common, []string{"module ", "require ", "replace ", "=>", "v1.0.0", "go 1.26\n", "(\n", ")\n", "// indirect\n", "exclude ", "retract ", "tool ", "a.b/c# "}),
		known:  []string{"require a.b/c# v1.0.0\n", "replace a# => ./b#\n", "module a\n", "( ", "// a\n", "/* a */", "retract [v1, v2]\n", "require (\n", "`a`", "\"a"},
	}
	iniGrammar = grammar{
		wraps:  []string{"", "[options]\npackage_dir =\n"},
		tokens: joined(common, []string{"[a]\n", "a = b\n", "[options]\n", "package_dir =\n", "    = src\n", "    a# = b\n", ";"}),
		known:  []string{"[options]\n", "    a# = b\n", "a#=b\n", "[a\n", "  a\n", "\n\n"},
	}
)
