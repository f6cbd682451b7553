package ecma

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden inputs: %v", err)
	}
	for _, name := range files {
		if filepath.Ext(name) == ".json" {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := languageOf(name).Extract(context.Background(), filepath.Base(name), src)
			sourcetest.CheckFile(t, f)
			var out strings.Builder
			encoder := json.NewEncoder(&out)
			encoder.SetEscapeHTML(false)
			encoder.SetIndent("", " ")
			if err := encoder.Encode(f); err != nil {
				t.Fatal(err)
			}
			golden := name + ".json"
			if *update {
				if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != out.String() {
				t.Errorf("differs from %s; go test -update shows how:\n%s", golden, out.String())
			}
		})
	}
}

// TestGoldenInputsAreValid compiles the inputs, because invalid ones prove nothing.
func TestGoldenInputsAreValid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/golden/*.*s*")
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for _, name := range files {
		if filepath.Ext(name) != ".json" && !strings.Contains(name, "broken") {
			inputs = append(inputs, name)
		}
	}
	for _, f := range oracle(t, inputs) {
		if f.Errors > 0 {
			t.Errorf("%s: %d syntax errors", f.File, f.Errors)
		}
	}
}

func symbolsOf(f source.File) map[string]source.Symbol {
	out := map[string]source.Symbol{}
	for _, s := range f.Symbols {
		out[s.Name] = s
	}
	return out
}

// TestHostileInput feeds inputs that are deep, long or repetitive; each must be read in time that grows with its
// size alone.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	const n = 20_000
	inputs := map[string]string{
		"braces": "{", "parens": "(", "templates": "`${", "elements": "<a>", "closers": "}", "angles": "x<", "types": "type A<",
		"namespaces": "namespace a{", "overloads": "function f(a):b;", "variables": "var a=", "classes": "class A{", "casts": "<T>(",
		"patterns": "const {a:", "arrows": "(a)=>", "comments": "/*", "slashes": "/", "decorators": "@a(", "members": "class A{a;b(){}}",
		"conditions": "a?b:", "exports": "export {a as b}; ", "strings": "\"", "generics": "let a:A<", "strange": ")(", "chains": "a.b=",
		"mixed": "class{`${<a b={", "attributes": "<a b=\"'", "docs": "/** @file */", "unions": "type A=|", "calls": ".get(\"/x\",", "routes": "app.route('/x').get(a)",
		"names": "export const a" + strings.Repeat("b", 50) + "=1;", "regexes": "=/[", "closing": "</", "imports": "import {a} from 'x'\n", "private": "#", "escapes": "\\u{",
		"functions": "function f(a=b){c(", "bodies": "a=>{", "results": "(a):b", "choices": "a?(b):c=>", "scopes": "{let a;a;", "selectors": "a.b.c(d)?.e",
		"inferences": "type A=B extends infer C?", "heritages": "class A extends B{c=", "modules": "namespace a{b;", "cases": "case a:", "loops": "for(let a of b)",
		"lone": "@", "switches": "switch(a){case b:", "generic calls": "a<b>(", "labels": "a:", "locals": "var a=a;", "receivers": "this.a.#b.c;",
	}
	for name, unit := range inputs {
		for _, l := range []struct {
			language source.Language
			path     string
		}{{TypeScript, "a.ts"}, {JavaScript, "a.js"}, {TypeScript, "a.tsx"}} {
			src := []byte(strings.Repeat(unit, n))
			f, ok := sourcetest.Hostile(t, l.language, l.path, src)
			if ok && f.Content == "" {
				t.Errorf("%s in %s: no digest", name, l.path)
			}
		}
	}
}

func FuzzExtract(f *testing.F) {
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if src, err := os.ReadFile(name); err == nil && filepath.Ext(name) != ".json" {
			f.Add(filepath.Base(name), src)
		}
	}
	f.Add("a.ts", []byte("export function f() { if (a) { )\nthrow b }\ng() }"))
	f.Add("a.tsx", []byte("const a = <T>(x)</T>; `${<b>{`"))
	f.Add("a.ts", []byte("@"))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		for _, l := range []source.Language{TypeScript, JavaScript} {
			first, _ := sourcetest.Hostile(t, l, name, src)
			costtest.Hold(t, src, func(src []byte) { sourcetest.Hostile(t, l, name, src) })
			sourcetest.CheckFile(t, first)
			checkReferences(t, first, src)
			if second, _ := sourcetest.Hostile(t, l, name, src); first.Content != second.Content || len(first.Symbols) != len(second.Symbols) {
				t.Error("two readings differ")
			}
			if !json.Valid(mustEncode(t, first)) {
				t.Error("not encodable")
			}
		}
	})
}

func mustEncode(t *testing.T, f source.File) []byte {
	t.Helper()
	out, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func BenchmarkExtract(b *testing.B) {
	type input struct {
		name string
		src  []byte
	}
	var inputs []input
	var size int64
	for _, name := range corpus(b) {
		if src, err := os.ReadFile(name); err == nil {
			inputs = append(inputs, input{name, src})
			size += int64(len(src))
		}
	}
	if len(inputs) == 0 {
		b.Skip("no source files found: set CAUSAL_CORPUS=dir:dir")
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, in := range inputs {
			languageOf(in.name).Extract(context.Background(), filepath.Base(in.name), in.src)
		}
	}
}

// TestWhatACommentAtTheTopSpeaksOf: the module, the declaration behind it, or neither, when it is there for tools.
func TestWhatACommentAtTheTopSpeaksOf(t *testing.T) {
	t.Parallel()
	const f = "export function f() {}\n"
	for name, c := range map[string]struct{ src, module, symbol string }{
		"the module, before imports":      {"/** Moves things. */\nimport a from 'a';\n" + f, "Moves things.", ""},
		"the declaration":                 {"/** Moves one. */\n" + f, "", "Moves one."},
		"both":                            {"/** Moves things. */\n/** Moves one. */\n" + f, "Moves things.", "Moves one."},
		"imports of types":                {"/** @import { A } from 'a' */\n/** @import * as B from 'b' */\nimport a from 'a';\n" + f, "", ""},
		"imports of types, then module":   {"/** @import { A } from 'a' */\n/** Moves things. */\nimport a from 'a';\n" + f, "Moves things.", ""},
		"imports of types, then a doc":    {"/** @import { A } from 'a' */\n/** Moves one. */\n" + f, "", "Moves one."},
		"imports of types, then code":     {"/** @import { A } from 'a' */\n" + f, "", ""},
		"a type and what it is for":       {"/**\n * How to move.\n * @typedef {object} Options\n */\nimport a from 'a';\n" + f, "", ""},
		"a type between doc and function": {"/** Moves one. */\n/** @typedef {object} Options */\n" + f, "Moves one.", ""},
		"an environment of tests":         {"/** @jest-environment jsdom */\nimport a from 'a';\n" + f, "", ""},
		"a licence, then the module":      {"/** Copyright A. */\n/** Moves things. */\nimport a from 'a';\n" + f, "Moves things.", ""},
		"a module by its tag":             {"/** @module moves */\n" + f, "@module moves", ""},
		"a description by its tag":        {"/**\n * @author A\n * @description Moves things.\n */\nimport a from 'a';\n" + f, "@author A\n@description Moves things.", ""},
		"a declaration's tags":            {"import a from 'a';\n/** @type {number} */\nexport const f = 1;\n", "", "@type {number}"},
	} {
		file := languageOf("a.js").Extract(context.Background(), "a.js", []byte(c.src))
		if len(file.Symbols) != 1 {
			t.Fatalf("%s: %d symbols", name, len(file.Symbols))
		}
		if file.Doc != c.module || file.Symbols[0].Doc != c.symbol {
			t.Errorf("%s: module %q, want %q; symbol %q, want %q", name, file.Doc, c.module, file.Symbols[0].Doc, c.symbol)
		}
	}
}

// TestDocumentationOfOverloads checks that each overload keeps its documentation.
func TestDocumentationOfOverloads(t *testing.T) {
	t.Parallel()
	f := TypeScript.Extract(context.Background(), "a.ts", []byte(`
/** Reads a text. */
export function read(name: string): string;
/** Reads a number. */
export function read(name: number): number;
export function read(name: any): any { return name }
`))
	s := symbolsOf(f)["read"]
	if len(s.Overloads) != 1 || s.Doc != "Reads a text." || s.Overloads[0].Doc != "Reads a number." || !strings.Contains(s.Signature, s.Overloads[0].Signature) {
		t.Errorf("%q and %q", s.Doc, s.Overloads)
	}
}
