package api

import (
	"strings"
	"testing"
)

// TestHits: only uses that were valid and no longer are count as hits.
func TestHits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, was, now, use, want string }{
		{"py", "(a=True, b=None)", "(a=True)", "f(a=False)", ""},
		{"py", "(a=True, b=None)", "(a=True)", "f(a=False, b='x')", "hit"},
		{"py", "(a=True, b=None)", "(a=True)", "f(False, 1)", "hit"},
		{"py", "(a=True, b=None)", "(a=True)", "f(\n    a=1,  # it's one\n    b=(2, 3),\n)", "hit"},
		{"py", "(a=True, b=None)", "(a=True)", "f(**options)", ""},
		{"py", "(a=True, b=None)", "(a=True)", "map(f, range(2))", ""},
		{"py", "(a=True, b=None)", "(a=True)", "f(a == b)", ""},
		{"py", "(a, b)", "(a, c)", "f(1, 2)", ""},
		{"py", "(a, b)", "(a, c)", "f(1, b=2)", "hit"},
		{"py", "(a, b)", "(a, b, /)", "f(a=1, b=2)", "hit"},
		{"py", "(a, b=1)", "(a, *, b=1)", "f(1)", ""},
		{"py", "(a, b=1)", "(a, *, b=1)", "f(1, 2)", "hit"},
		{"py", "(a, b=1)", "(b, a)", "f(b=1, a=2)", ""},
		{"py", "(a, b=1)", "(a, b)", "f(1)", "hit"},
		{"py", "(a, b)", "(b, a)", "f(1, 2)", "hit"},
		{"py", "(*rest)", "(a=1)", "f(1, 2)", "hit"},
		{"py", "(**names)", "(a=1)", "f(a=1)", ""},
		{"ts", "(a: string, b?: number)", "(a: string)", "f('x')", ""},
		{"ts", "(a: string, b?: number)", "(a: string)", "f<string>('x', 2)", "hit"},
		{"ts", "(a: string, b?: number)", "(a: string)", "f(\n  'x', // it's\n  2,\n)", "hit"},
		{"ts", "(a: string, b?: number)", "(a: string)", "f(...all)", ""},
		{"ts", "(a: string, b?: number)", "(a: string)", "[1].map(f)", ""},
		{"ts", "(a: string, b?: number)", "(a: string, b: number)", "f('x')", "hit"},
		{"ts", "(a: string | number)", "(a: string)", "f(1)", "hit"},
		{"ts", "(a: string | number)", "(a: string)", "f('x')", ""},
		{"ts", "(a: string | number)", "(a: string)", "f(x)", ""},
		{"ts", "(a: string)", "(a: number)", "f(x)", "hit"},
	} {
		declare, body, was, call := "def f", ":\n    return 1\n", files{"lib/__init__.py": "", "app/use.py": "from lib import f\n\n" + c.use + "\n"}, "lib/__init__.py"
		if c.language == "ts" {
			declare, body, was, call = "export function f", " { return 1 }\n", files{"app/use.ts": "import { f } from '../lib'\n\n" + c.use + "\n"}, "lib/index.ts"
		}
		was[call] = declare + c.was + body
		found, _ := breaks(t, was, was.edited(t, edit{call, c.was, c.now}))
		got := ""
		for _, f := range found {
			if len(f.Dependants) > 0 && strings.HasPrefix(f.Dependants[0].Path, "app/use.") {
				got = "hit"
			}
		}
		if len(found) != 1 || got != c.want {
			t.Errorf("f%s is f%s, and %q is %q, want %q: %+v", c.was, c.now, c.use, got, c.want, found)
		}
	}
}

// TestPassedOn: declarations of a private file are public if a public file re-exports them.
func TestPassedOn(t *testing.T) {
	t.Parallel()
	project := "[project]\nname = \"lib\"\nversion = \"1.2.0\"\n"
	get := "def get(url, cert=None):\n    return url\n"
	for name, c := range map[string]struct {
		was  files
		path string
		want string
	}{
		"python, by name":          {files{"lib/__init__.py": "from ._api import get\n", "lib/_api.py": get}, "lib/_api.py", "_api.get parameter removed error lib/_api.py:1"},
		"python, all":              {files{"lib/__init__.py": "from ._api import *\n", "lib/_api.py": get}, "lib/_api.py", "_api.get parameter removed error lib/_api.py:1"},
		"python, a directory":      {files{"pyproject.toml": project, "lib/__init__.py": "from ._core import get\n", "lib/_core/__init__.py": "from ._run import get\n", "lib/_core/_run.py": get}, "lib/_core/_run.py", "_run.get parameter removed error lib/_core/_run.py:1"},
		"python, a public file":    {files{"pyproject.toml": project, "lib/__init__.py": "", "lib/api.py": "from ._api import get\n__all__ = ['get']\n", "lib/_api.py": get}, "lib/_api.py", "_api.get parameter removed error lib/_api.py:1"},
		"python, nobody":           {files{"pyproject.toml": project, "lib/__init__.py": "", "lib/_api.py": get}, "lib/_api.py", ""},
		"python, a private name":   {files{"pyproject.toml": project, "lib/__init__.py": "from ._api import get as _get\n", "lib/_api.py": get}, "lib/_api.py", ""},
		"python, a main block":     {files{"lib/__init__.py": "", "lib/a.py": get + "\nif __name__ == \"__main__\":\n    print(get(1))\n"}, "lib/a.py", "a.get parameter removed error lib/a.py:1"},
		"python, the main file":    {files{"lib/__init__.py": "", "lib/__main__.py": get}, "lib/__main__.py", ""},
		"typescript, all":          {files{"package.json": `{"name": "x", "version": "1.0.0", "main": "index.js"}`, "index.ts": "export * from './internal/core'\n", "internal/core.ts": "export function get(url: string, cert?: string): string { return url }\n"}, "internal/core.ts", "core.get parameter removed error internal/core.ts:1"},
		"typescript, nobody":       {files{"package.json": `{"name": "x", "version": "1.0.0", "main": "index.js"}`, "index.ts": "export {}\n", "internal/core.ts": "export function get(url: string, cert?: string): string { return url }\n"}, "internal/core.ts", ""},
		"go, an alias":             {files{"go.mod": "module x\n", "lib/lib.go": "package lib\n\nimport \"x/internal/c\"\n\ntype Client = c.Client\n", "internal/c/c.go": "package c\n\ntype Client struct{}\n\nfunc (Client) Get(url string, cert string) {}\n"}, "internal/c/c.go", "Client.Get parameter removed error internal/c/c.go:5"},
		"go, a variable":           {files{"go.mod": "module x\n", "lib/lib.go": "package lib\n\nimport \"x/internal/c\"\n\nvar Get = c.Get\n", "internal/c/c.go": "package c\n\nfunc Get(url string, cert string) {}\n"}, "internal/c/c.go", "Get parameter removed error internal/c/c.go:3 -> lib/lib.go:5"},
		"go, a name of its own":    {files{"go.mod": "module x\n", "lib/lib.go": "package lib\n\nimport \"x/internal/c\"\n\ntype client = c.Client\n\nvar _ client\n", "internal/c/c.go": "package c\n\ntype Client struct{}\n\nfunc (Client) Get(url string, cert string) {}\n"}, "internal/c/c.go", ""},
		"javascript, a main block": {files{"index.js": "exports.get = function (a) { return a }\nexports.set = 1\nif (require.main === module) { exports.get(1) }\n"}, "index.js", "get func removed error index.js:1 left"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := c.was[c.path]
			now := strings.NewReplacer(", cert=None", "", ", cert?: string", "", ", cert string", "", "exports.get = function (a) { return a }\n", "").Replace(text)
			found, _ := breaks(t, c.was, c.was.edited(t, edit{c.path, text, now}))
			got := ""
			for _, f := range found {
				got += brief(f)
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestAdapted: a use that the change edited is not affected, and the unchanged ones beside it are.
func TestAdapted(t *testing.T) {
	t.Parallel()
	golang := files{"go.mod": "module x\n", "a/a.go": "package a\n\nfunc Do(x int) {}\n", "b/b.go": "package b\n\nimport \"x/a\"\n\nfunc Run() {\n\ta.Do(1)\n\ta.Do(\n\t\t2,\n\t)\n}\n"}
	java := files{"src/p/Use.java": "package p;\npublic class Use {\n  public static int f(int a) { return a; }\n}\n", "src/q/Caller.java": "package q;\nimport p.Use;\npublic class Caller {\n  int g() { return Use.f(1); }\n}\n"}
	do, f := edit{"a/a.go", "x int", "x, y int"}, edit{"src/p/Use.java", "int a)", "int a, int b)"}
	first, second := edit{"b/b.go", "(1)", "(1, 2)"}, edit{"b/b.go", "2,", "2, 3,"}
	const added, use = "Do parameter added error a/a.go:3", "Use.f parameter added error src/p/Use.java:3"
	for name, test := range map[string]struct {
		was   files
		edits []edit
		want  string
	}{
		"none":       {golang, []edit{do}, added + " -> b/b.go:6"},
		"the first":  {golang, []edit{do, first}, added + " -> b/b.go:7"},
		"the second": {golang, []edit{do, second}, added + " -> b/b.go:6"},
		"all":        {golang, []edit{do, first, second}, added + " -> b/b.go:6 adapted"},
		"moved":      {golang, []edit{do, first, second, {"b/b.go", "func Run() {\n", "func Run() {\n\tprintln()\n"}}, added + " -> b/b.go:7 adapted"},
		"java":       {java, []edit{f, {"src/q/Caller.java", "(1)", "(1, 2)"}}, use + " -> src/q/Caller.java:4 adapted"},
		"java, left": {java, []edit{f, {"src/q/Caller.java", "class Caller {", "class Caller { // left"}}, use + " -> src/q/Caller.java:4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, test.was, test.was.edited(t, test.edits...), test.want)
		})
	}
}
