package typescript

import (
	"slices"
	"strings"
	"testing"
)

func TestReasons(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, code, symbol, want string }{
		{"text in, text out", `export function f(s: string): string { return s }`, "f", ""},
		{"arrow function", `export const f = (s: string, n = 2) => s.repeat(n)`, "f", ""},
		{"static method", `export class A { static f(n: number) { return n } }`, "A.f", ""},
		{"exported below", "function f(n: number) { return n }\nexport { f }", "f", ""},
		{"default", `export default function (n: number) { return n }`, "default", ""},
		{"union of literals", `export function f(m: "a" | "b" | 3) { return m }`, "f", ""},
		{"interface", "interface O { a: string; b?: number }\nexport function f(o: O) { return o.a }", "f", ""},
		{"imported interface", "import type { O } from \"./types\"\nexport function f(o: O) { return o.a }", "f", ""},
		{"optional callback", `export function f(s: string, then?: (s: string) => void) { return s }`, "f", ""},
		{"date that is given", `export function f(d: Date) { return new Date(d.getTime()).toISOString() }`, "f", ""},
		{"local of a global's name", `export function f(s: string) { const location = s; return location }`, "f", ""},
		{"property of a global's name", `export function f(s: string) { return { process: s }.process }`, "f", ""},
		{"module of Node.js that is harmless", "import { inspect } from \"node:util\"\nexport function f(s: string) { return inspect(s) }", "f", ""},
		{"type of a package", "import type { X } from \"pkg\"\nexport function f(s: string): string { const x: X = s; return x }", "f", ""},
		{"constant with a function type", `export const f: (s: string) => number = s => s.length`, "f", ""},
		{"constant with a declared type", "import type { F } from \"./types\"\nexport const f: F = o => o.a", "f", ""},
		{"constant with an unknown type", "import type { X } from \"pkg\"\nexport const f: X = s => s", "f", "is a X"},
		{"value of a package behind a colon", "import { x } from \"pkg\"\nexport function f(s: string) { return { a: x }[s] }", "f", "reaches pkg"},
		{"no type", `export function f(s) { return s }`, "f", "has no type"},
		{"callback", `export function f(g: () => void): number { g(); return 1 }`, "f", "takes a function"},
		{"unknown type", `export function f(x: Elsewhere) { return 1 }`, "f", "causal can make no value"},
		{"nothing returned", `export function f(s: string): void { s.trim() }`, "f", "returns nothing"},
		{"function returned", `export function f(s: string): () => string { return () => s }`, "f", "returns a function"},
		{"generator", `export function* f(s: string) { yield s }`, "f", "generator"},
		{"time", `export function f(s: string) { return s + Date.now() }`, "f", "reaches Date.now"},
		{"new Date", `export function f(s: string) { return s + new Date() }`, "f", "current time"},
		{"chance", `export function f(n: number) { return n * Math.random() }`, "f", "reaches Math.random"},
		{"process", `export function f(s: string) { return process.env[s] }`, "f", "reaches process"},
		{"document", `export function f(s: string) { return document.title + s }`, "f", "reaches document"},
		{"timer", `export async function f(n: number) { await new Promise(r => setTimeout(r, n)); return n }`, "f", "reaches setTimeout"},
		{"files", "import fs from \"node:fs\"\nexport function f(s: string) { return fs.readFileSync(s, \"utf8\") }", "f", "reaches fs"},
		{"package", "import { x } from \"pkg\"\nexport function f(s: string) { return x(s) }", "f", "reaches pkg"},
		{"through another function", "function g() { return Math.random() }\nexport function f(n: number) { return n + g() }", "f", "reaches Math.random"},
		{"through another file", "import { dice } from \"./types\"\nexport function f(n: number) { return n + dice() }", "f", "reaches Math.random"},
		{"state", "let n = 0\nexport function f() { n += 1; return n }", "f", "variable n"},
		{"state in a map", "const seen = new Map<string, number>()\nexport function f(s: string) { seen.set(s, 1); return seen.size }", "f", "variable seen"},
		{"broken", "export function f(s: string) { return s", "f", "does not parse"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := planOf(t, repository{
				"package.json": vitest, "src/index.ts": tt.code,
				"src/types.ts": "export interface O { a: string }\nexport type F = (o: O) => string\nexport function dice() { return Math.random() }\n",
			}, "src", tt.symbol)
			if got := plan.Reason; (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("reason %q, want %q", got, tt.want)
			}
			if tt.want == "" && len(plan.Candidates) == 0 {
				t.Error("there are no calls to try")
			}
		})
	}
}

func TestSymbolsAreNamedAsTheModuleDoes(t *testing.T) {
	t.Parallel()
	m := open(t, repository{
		"package.json": vitest,
		"src/index.ts": "export const a = (n: number) => n\nfunction hidden() {}\nexport declare function ambient(n: number): number\nexport const value = 3",
		"src/slug-text.ts": "export function slug(s: string): string;\nexport function slug(s: string, n: number): string;\nexport function slug(s: string, n?: number) { return s }\n" +
			"export class Money { static of(n: number) { return n }\n  private static secret(n: number) { return n }\n  plain() {} }",
		"src/index.test.ts": "export function helper() {}", "src/object.ts": "function inner(n: number) { return n }\nexport default { inner }", "src/types.d.ts": "export function typed(): void",
		"src/slug-text.causal.test.ts": "// Code generated by causal from .causal/specs/src. DO NOT EDIT.\n",
	}, "src")
	if want := []string{"a", "slug-text.Money.of", "slug-text.slug"}; !slices.Equal(m.Symbols(), want) {
		t.Errorf("symbols %v, want %v", m.Symbols(), want)
	}
}

func TestProject(t *testing.T) {
	t.Parallel()
	code := "import { b } from \"./b\"\nexport function a(n: number) { return b(n) }"
	b := "export function b(n: number) { return n }"
	tests := []struct {
		name             string
		files            repository
		at, file, module string
		version          string
	}{
		{"vitest here", repository{"package.json": vitest, "src/a.ts": code, "src/b.ts": b}, "src", "src/a.causal.test.ts", "./a", "5.x"},
		{"vitest above", repository{"package.json": vitest, "p/package.json": `{"name": "p"}`, "p/a.ts": code, "p/b.ts": b}, "p", "p/a.causal.test.ts", "./a", "5.x"},
		{"no vitest", repository{"package.json": `{"devDependencies": {"typescript": "^4.9.0"}}`, "src/a.ts": code, "src/b.ts": b}, "src", "", "./a", "4.x"},
		{"extensions of what is compiled", repository{"package.json": vitest, "a.ts": strings.ReplaceAll(code, "./b", "./b.js"), "b.ts": b}, ".", "a.causal.test.ts", "./a.js", "5.x"},
		{"extensions of sources", repository{"package.json": vitest, "a.ts": strings.ReplaceAll(code, "./b", "./b.ts"), "b.ts": b}, ".", "a.causal.test.ts", "./a.ts", "5.x"},
		{"two of one stem", repository{"package.json": vitest, "a.ts": b, "a.mts": code, "b.ts": b}, ".", "a.mts.causal.test.ts", "./a.mjs", "5.x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := planOf(t, tt.files, tt.at, "a.a")
			if plan.CodeFile != tt.file || plan.Import != tt.module || plan.Language != tt.version {
				t.Errorf("tests in %q import %q for %s, want %q, %q and %s", plan.CodeFile, plan.Import, plan.Language, tt.file, tt.module, tt.version)
			}
		})
	}
}

func TestLaws(t *testing.T) {
	t.Parallel()
	const both = `"fast-check": "^3.0.0"`
	tests := []struct{ name, needs, code, symbol, want string }{
		{"round trip", "", "export function parseAge(s: string): number { return +s }\nexport function formatAge(n: number): string { return `${n}` }", "formatAge", "roundtrip by parseAge"},
		{"and back", "", "export const encode = (s: string): string => s\nexport const decode = (s: string): string => s", "decode", "roundtrip by encode"},
		{"of methods", "", "export class A { static toText(n: number): string { return `${n}` }\n static fromText(s: string): number { return +s } }", "A.toText", "roundtrip by A.fromText"},
		{"of other types", "", "export function parseAge(s: string): number { return +s }\nexport function formatAge(d: Date): string { return `${d}` }", "formatAge", ""},
		{"an inverse that is left alone", "", "export const encode = (s: string): string => s\nexport const decode = (s: string): string => s + Date.now()", "encode", ""},
		{"idempotent", "", "export function trimLines(s: string): string { return s }", "trimLines", "idempotent by "},
		{"of another type", "", "export function trimLines(s: string): string[] { return [s] }", "trimLines", ""},
		{"any text", both, "export function count(s: string): number { return s.length }", "count", "no_panic by "},
		{"no library for that", "", "export function count(s: string): number { return s.length }", "count", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			needs := `"vitest": "*"`
			if tt.needs != "" {
				needs += ", " + tt.needs
			}
			plan := planOf(t, repository{"package.json": `{"devDependencies": {` + needs + `}}`, "index.ts": tt.code}, ".", tt.symbol)
			var got []string
			for _, l := range plan.Laws {
				got = append(got, string(l.Law)+" by "+l.Inverse)
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("laws %v, want %q", got, tt.want)
			}
		})
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		written, text string
		kind          Kind
	}{
		{"string", "string", Text},
		{"readonly   string[]", "string[]", Array},
		{"Array<string | number>", "(string | number)[]", Array},
		{"'a' | \"b\" | -1 | true", `"a" | "b" | -1 | true`, Union},
		{"[string, n: number]", "[string, number]", Tuple},
		{"{ a: string, b?: number[]; 'c-d': null }", "{ a: string; b?: number[]; c-d: null }", Object},
		{"Record<string, bigint>", "Record<string, bigint>", Dictionary},
		{"{ [key: string]: number }", "Record<string, number>", Dictionary},
		{"Partial<O>", "Partial<O>", Object},
		{"O & { z: string }", "O & { z: string }", Object},
		{"O", "O", Object},
		{"M", "M", Union},
		{"E", "E", Union},
		{"Promise<string>", "Promise<string>", Text},
		{"(a: string) => [number, string]", "function", Callable},
		{"T extends string ? 1 : 2", "T extends string ? 1 : 2", Opaque},
		{"keyof O", "keyof O", Opaque},
		{"Loop", "Loop", Object},
		{"`${number}px`", "`${number}px`", Opaque},
		{"x is string", "boolean", Boolean},
	}
	const declared = "interface Base { b: string }\ninterface O extends Base { a?: number }\ntype M = 'x' | 'y'\nenum E { A, B = 5, C }\ninterface Loop { next?: Loop }\n"
	for _, tt := range tests {
		t.Run(tt.written, func(t *testing.T) {
			t.Parallel()
			f := readFile("a.ts", []byte(declared+"export function f(s: string): "+tt.written+" { return 0 as any }"))
			if f.Problem != "" {
				t.Fatal(f.Problem)
			}
			left := mostNames
			r := &resolver{pkg: &Package{}, file: f, left: &left}
			if got := r.of(f.decls["f"].Headers()[0].Result); got.Text != tt.text || got.Kind != tt.kind {
				t.Errorf("%s of kind %s, want %s of kind %s", got.Text, got.Kind, tt.text, tt.kind)
			}
		})
	}
}
