package api

import (
	"strings"
	"testing"
)

// tsPackage lets its entries be imported and nothing else.
var tsPackage = files{
	"package.json": `{"name": "shop", "version": "2.1.0", "exports": {"./package.json": "./package.json", ".": {"types": "./dist/index.d.mts", "default": "./dist/index.mjs"}, "./query": ["./dist/query/index.js"]}}`,
	"src/index.ts": "export { parse, type Amount as Sum } from './core.js'\nexport * from './utils'\nimport { kept } from './kept'\nexport { kept }\n",
	"src/core.ts":  "export function parse(a: string): string { return a }\n\nexport type Amount = number\n\nexport function own(a: string): string { return a }\n\nexport class Part { show(a: string): void {} }\n",
	"src/kept.ts":  "export const kept = (a: string): string => a\n",

	"src/utils/index.ts":   "export * from './flat'\n",
	"src/utils/flat.ts":    "export function flat(a: string): string { return a }\n",
	"src/deep/index.ts":    "export * from './deep'\n",
	"src/deep/deep.ts":     "export function deep(a: string): string { return a }\n",
	"src/query/index.ts":   "export const ask = (a: string): string => a\n\nexport { NoInfer as Helper } from './types'\n",
	"src/query/types.ts":   "export type NoInfer<T> = T\n",
	"src/other/types.d.ts": "export type Left = number\n",
}

// TestPublished: where a manifest says what may be imported, nothing else is broken for anybody.
func TestPublished(t *testing.T) {
	t.Parallel()
	const more = "(a: string, b: string)"
	private := files{}
	for name, text := range tsPackage {
		private[name] = strings.Replace(text, `"version"`, `"private": true, "version"`, 1)
	}
	with := func(was, now string) files {
		return tsPackage.edited(t, edit{"package.json", was, now})
	}
	for name, test := range map[string]struct {
		shop  files
		edits []edit
		want  []string
	}{
		"passed on by an entry":          {tsPackage, []edit{{"src/core.ts", "parse(a: string)", "parse" + more}}, []string{"core.parse parameter added error src/core.ts:1"}},
		"passed on by what it passes on": {tsPackage, []edit{{"src/utils/flat.ts", "(a: string)", more}}, []string{"flat.flat parameter added error src/utils/flat.ts:1"}},
		"imported and exported":          {tsPackage, []edit{{"src/kept.ts", "(a: string)", more}}, []string{"kept.kept parameter added error src/kept.ts:1"}},
		"another entry":                  {tsPackage, []edit{{"src/query/index.ts", "(a: string)", more}}, []string{"ask parameter added error src/query/index.ts:1"}},
		"no entry passes it on":          {tsPackage, []edit{{"src/core.ts", "own(a: string)", "own" + more}, {"src/core.ts", "show(a: string)", "show" + more}}, nil},
		"a directory that is no entry":   {tsPackage, []edit{{"src/deep/deep.ts", "(a: string)", more}}, nil},
		"a file of such":                 {tsPackage, []edit{{path: "src/deep/deep.ts"}, {"src/deep/index.ts", "export * from './deep'\n", "export {}\n"}}, nil},
		"comes from elsewhere now":       {tsPackage, []edit{{"src/core.ts", "export type Amount = number\n", ""}, {"src/other/amount.ts", "", "export type Amount = number\n"}, {"src/index.ts", ", type Amount as Sum } from './core.js'", " } from './core.js'\nexport { type Amount as Sum } from './other/amount'"}}, nil},
		"its file was moved":             {tsPackage, []edit{{path: "src/utils/flat.ts"}, {"src/utils/even.ts", "", "export function flat(a: string): string { return a }\n"}, {"src/utils/index.ts", "./flat", "./even"}}, nil},
		"its file is gone":               {tsPackage, []edit{{path: "src/utils/flat.ts"}, {"src/utils/index.ts", "export * from './flat'\n", "export {}\n"}}, []string{"flat file removed error src/utils/flat.ts:1 left"}},
		"a name that was passed on":      {tsPackage, []edit{{"src/query/index.ts", "export { NoInfer as Helper } from './types'\n", ""}, {"src/query/types.ts", "export type NoInfer<T> = T\n", "export {}\n"}}, []string{"Helper reexport removed error src/query/index.ts:3 left"}},
		"published nowhere":              {private, []edit{{"src/core.ts", "parse(a: string)", "parse" + more}}, nil},
		"before 1.0":                     {with("2.1.0", "0.3.0"), []edit{{"src/core.ts", "parse(a: string)", "parse" + more}}, []string{"core.parse parameter added note src/core.ts:1"}},
		"before a release":               {with("2.1.0", "2.1.0-beta.3"), []edit{{"src/core.ts", "parse(a: string)", "parse" + more}}, []string{"core.parse parameter added note src/core.ts:1"}},
		"no version":                     {with("2.1.0", "0.0.0"), []edit{{"src/core.ts", "parse(a: string)", "parse" + more}}, []string{"core.parse parameter added error src/core.ts:1"}},
		"anything can be imported":       {with(`"./query"`, `"./*": "./dist/*.js", "./query"`), []edit{{"src/utils/flat.ts", "(a: string)", more}}, []string{"flat.flat parameter added error src/utils/flat.ts:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, test.shop, test.shop.edited(t, test.edits...), test.want...)
		})
	}
}

// TestUnsettled: a project that says of itself that it may still change is told so as a note.
func TestUnsettled(t *testing.T) {
	t.Parallel()
	broken := edit{pyMoney, "(text: str, strict: bool)", "(text: str)"}
	for manifest, want := range map[string]string{
		"[project]\nversion = \"1.2\"\n": "error", "[project]\nversion = \"0.9.1\"\n": "note", "[tool.poetry]\nversion = \"0.1\"\n": "note",
		"[project]\nclassifiers = [\"Development Status :: 4 - Beta\"]\n": "note", "[project]\nclassifiers = [\"Development Status :: 5 - Production/Stable\"]\n": "error",
		"[project]\nversion = \"0.0.0\"\n": "error",
	} {
		was := pyShop.edited(t, edit{"pyproject.toml", "", manifest})
		expect(t, was, was.edited(t, broken), "parse parameter removed "+want+" money/__init__.py:4 -> cart/__init__.py:5")
	}
}
