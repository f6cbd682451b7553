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

	// interfaceGrammars are of declarations that others can use. A 1 is another number in the version before.
	interfaceGrammars = map[string]grammar{
		"go": {wraps: []string{"package a\n"}, known: []string{
			"func F#(a [1]int) {}\n", "type S# struct { A1 int; B [1]int }\n", "type I# interface { M1() }\n", "const C# = 1\n", "var V# [1]int\n", "func (S) M#(a [1]int) {}\n",
			"type A# = struct { X [1]int }\n", "type G#[P any] struct { A P; B [1]P }\n", "type S# struct { S0 }\n", "func F(a [1]int) {}\n", "type T#1 int\n", "type L# []L1\n",
		}},
		"python": {wraps: []string{"", "__all__ = ['f1']\n"}, known: []string{
			"def f#(a1, b=1): pass\n", "class A#:\n  def f(self, a1): pass\n", "class A#(A1): pass\n", "__all__ += ['f#']\n", "f# = f1\n", "from .b import c1\n", "@overload\ndef f(a1): ...\n",
			"def f(a1): pass\n", "class A:\n  a1 = 1\n", "def _f#(a1): pass\n", "try:\n  from .b import f#\nexcept ImportError:\n  f# = None\n", "import a.b1 as c#\n",
		}},
		"javascript": {wraps: []string{""}, known: []string{
			"export function f#(a1) {}\n", "export const c# = 1\n", "export { a1 as b# } from './b'\n", "export * from './b#'\n", "exports.a# = b1\n", "module.exports = { a1 }\n",
			"export class A# { f1() {} }\n", "export default f1\n", "function f(a1) {}\n", "export { f# }\n",
		}},
		"typescript": {wraps: []string{""}, known: []string{
			"export function f#(a1: string): void {}\n", "export function f(a1: string): void\n", "export interface A# { a1: number }\n", "export type T# = T1\n", "export class A# extends A1 { f(a1: string) {} }\n",
			"export enum E# { A1 }\n", "export { a1 as b# } from './b'\n", "export * from './b#'\n", "export const c#: 1 = 1\n", "export namespace n# { export const a1 = 1 }\n", "export abstract class B# { abstract f1(): void }\n",
		}},
		"java": {wraps: []string{"package a;\npublic class B {\n\x00}\n", ""}, known: []string{
			"public void f#(A1 a) {}\n", "public void f(A1 a) {}\n", "public static final int C# = 1;\n", "public int a#, b1;\n", "public interface I# { void f1(); }\n", "public class A# extends A1 {}\n",
			"public enum E# { A1 }\n", "public record R#(int a1) {}\n", "@Beta public void g#(int a1) {}\n", "public <T extends A1> T h#(T a) { return a; }\n", "protected B(int a1) {}\n",
		}},
		"rust": {wraps: []string{"", "pub mod m {\n\x00}\n"}, known: []string{
			"pub fn f#(a: [u8; 1]) {}\n", "pub struct S# { pub a1: u8 }\n", "pub enum E# { A1 }\n", "pub trait T# { fn f1(&self); }\n", "pub use m1::f#;\n", "pub use m#::*;\n", "pub mod m# { pub use super::*; }\n",
			"impl S { pub fn f#(&self, a: [u8; 1]) {} }\n", "pub const C#: u8 = 1;\n", "pub type A# = A1;\n", "impl T1 for S# {}\n", "#[non_exhaustive]\npub struct N#(u8);\n", "pub use self::a1 as b#;\n",
		}},
		"c": {wraps: []string{""}, known: []string{
			"int f#(int a, char b[1]);\n", "struct s# { int a1; };\n", "typedef struct t1 t#;\n", "#define M# 1\n", "enum e# { A1 };\n", "extern int v#[1];\n", "int f(int a1);\n", "typedef int (*cb#)(int a1);\n", "#ifdef A1\nint g#(void);\n#endif\n",
		}},
		"c++": {wraps: []string{"", "namespace n {\n\x00}\n"}, known: []string{
			"int f#(int a, char b1);\n", "class A# : public A1 { public: void f(int a1); virtual int g1() = 0; };\n", "template <class T> T t#(T a1);\n", "using u# = u1;\n", "enum class E# { A1 };\n", "namespace m# { int f1(); }\n",
			"int f(n1 a);\n", "constexpr int c# = 1;\n", "struct S# { int a1; };\n", "class P; class B { public: void f#(P1 a) const; };\n",
		}},
	}
)
