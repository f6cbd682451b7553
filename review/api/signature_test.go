package api

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
)

var (
	pyMoney = "money/__init__.py"
	pyShop  = files{
		pyMoney:                 "\"\"\"Amounts.\"\"\"\n\n\ndef parse(text: str, strict: bool) -> int:\n    return _digits(text) * 100\n\n\ndef _digits(text):\n    return int(text)\n\n\nclass Amount:\n    kind = 1\n\n    def show(self, sep=\",\"):\n        return sep\n\n\nclass Sum(Amount):\n    def all(self):\n        return 1\n",
		"cart/__init__.py":      "from money import parse\n\n\ndef total(prices):\n    return sum(parse(p, True) for p in prices)\n",
		"money/_own.py":         "def hidden(a):\n    return a\n",
		"money/core.py":         "def core(a):\n    return a\n",
		"tests/test_it.py":      "def helper(a):\n    return a\n",
		"money/generated.proto": "",
	}
	tsMoney = "money/index.ts"
	tsShop  = files{
		"package.json":    "{\"name\": \"shop\", \"version\": \"1.0.0\"}\n",
		tsMoney:           "export * from \"./core\";\nexport { deep as flat } from \"./deep/x\";\n/** Read. */\nexport function parse(text: string, strict: boolean): number {\n  return digits(text) * 100;\n}\n\nfunction digits(text: string): number {\n  return Number.parseInt(text, 10);\n}\n\nexport class Sum extends Base {\n  all(a: Map<string, number>, b?: string): void {}\n}\n",
		"money/core.ts":   "export const core = (a: string): string => a;\n",
		"money/own.ts":    "export function own(a: string): string { return a; }\n\nexport function used(a: string): string { return a; }\n",
		"money/deep/x.ts": "export const deep = 1;\n",
		"cart/index.ts":   "import { parse } from \"../money\";\nimport { used } from \"../money/own\";\n\nexport function total(prices: string[]): number {\n  return prices.reduce((sum, p) => sum + parse(used(p), true), 0);\n}\n",
	}
)

func TestSignatures(t *testing.T) {
	t.Parallel()
	const py, ts = "(text: str, strict: bool)", "(text: string, strict: boolean): number"
	pyWant := func(kind string) []string {
		return []string{"parse " + kind + " error money/__init__.py:4 -> cart/__init__.py:5"}
	}
	tsWant := func(kind string) []string {
		return []string{"parse " + kind + " error money/index.ts:4 -> cart/index.ts:5"}
	}
	for name, test := range map[string]struct {
		shop  files
		edits []edit
		want  []string
	}{
		"py: function removed":           {pyShop, []edit{{pyMoney, "def parse(text: str, strict: bool) -> int:\n    return _digits(text) * 100\n\n\n", ""}}, []string{"parse func removed error money/__init__.py:4 left -> cart/__init__.py:5"}},
		"py: parameter removed":          {pyShop, []edit{{pyMoney, py, "(text: str)"}}, pyWant("parameter removed")},
		"py: parameter added":            {pyShop, []edit{{pyMoney, py, "(text: str, strict: bool, base: int)"}}, pyWant("parameter added")},
		"py: keyword added":              {pyShop, []edit{{pyMoney, py, "(text: str, strict: bool, *, base: int)"}}, pyWant("parameter added")},
		"py: parameter renamed":          {pyShop, []edit{{pyMoney, py, "(text: str, exact: bool)"}}, []string{"parse parameter renamed error money/__init__.py:4"}},
		"py: keyword-only":               {pyShop, []edit{{pyMoney, py, "(text: str, *, strict: bool)"}}, pyWant("parameter made keyword-only")},
		"py: positional-only":            {pyShop, []edit{{pyMoney, py, "(text: str, strict: bool, /)"}}, []string{"parse parameter made positional-only error money/__init__.py:4"}},
		"py: reordered":                  {pyShop, []edit{{pyMoney, py, "(strict: bool, text: str)"}}, pyWant("parameters reordered")},
		"py: inserted":                   {pyShop.edited(t, edit{pyMoney, py, "(text: str, strict: bool = False)"}), []edit{{pyMoney, "(text: str, strict", "(text: str, base: int = 10, strict"}}, pyWant("parameter inserted")},
		"py: inserted by name":           {pyShop.edited(t, edit{pyMoney, py, "(text: str, *, strict: bool = False)"}), []edit{{pyMoney, "*, strict", "base: int = 10, *, strict"}}, nil},
		"py: default removed":            {pyShop, []edit{{pyMoney, "sep=\",\"", "sep"}}, []string{"Amount.show parameter made required error money/__init__.py:15"}},
		"py: method removed":             {pyShop, []edit{{pyMoney, "    def show(self, sep=\",\"):\n        return sep\n", ""}}, []string{"Amount.show method removed error money/__init__.py:15 left"}},
		"py: file of its own":            {pyShop, []edit{{"money/core.py", "core(a)", "core(a, b)"}}, []string{"core.core parameter added error money/core.py:1"}},
		"py: inherited":                  {pyShop, []edit{{pyMoney, "    def all(self):\n        return 1\n", "    pass\n"}}, nil},
		"py: nothing shows it":           {pyShop, []edit{{"money/core.py", "def core(a):\n    return a\n", ""}}, nil},
		"py: a file that nothing shows":  {pyShop, []edit{{path: "money/core.py"}}, nil},
		"py: another one is used":        {pyShop.edited(t, edit{"money/other.py", "", "def core(b):\n    return b\n\n\nCORE = core(1)\n"}), []edit{{"money/core.py", "def core(a):\n    return a\n", ""}}, nil},
		"py: a document shows it":        {pyShop.edited(t, edit{"README.md", "", "Call `core`.\n"}), []edit{{"money/core.py", "def core(a):\n    return a\n", ""}}, []string{"core.core func removed error money/core.py:1 left"}},
		"py: its test went along":        {pyShop.edited(t, edit{"tests/test_core.py", "", "def test_it():\n    assert core(1)\n"}), []edit{{path: "tests/test_core.py"}, {"money/core.py", "def core(a):\n    return a\n", ""}}, []string{"core.core func removed error money/core.py:1 left"}},
		"py: provisional file":           {pyShop.edited(t, edit{"money/core.py", "def core", "\"\"\"Core.\n\nThis module\nis provisional.\n\"\"\"\ndef core"}), []edit{{"money/core.py", "core(a)", "core()"}}, []string{"core.core parameter removed note money/core.py:6"}},
		"py: a part is provisional":      {pyShop.edited(t, edit{"money/core.py", "def core", "\"\"\"Core. Its other half is provisional.\"\"\"\ndef core"}), []edit{{"money/core.py", "core(a)", "core()"}}, []string{"core.core parameter removed error money/core.py:2"}},
		"py: imported for itself":        {pyShop.edited(t, edit{"money/__init__.py", "\"\"\"Amounts.\"\"\"\n", "\"\"\"Amounts.\"\"\"\nfrom .core import core\n\n\ndef twice(a):\n    return core(core(a))\n"}), []edit{{pyMoney, "from .core import core\n", ""}}, nil},
		"py: imported and passed on":     {pyShop.edited(t, edit{"money/__init__.py", "\"\"\"Amounts.\"\"\"\n", "\"\"\"Amounts.\"\"\"\nfrom .core import core\n\n\ndef twice(a):\n    return core(core(a))\n"}, edit{pyMoney, "class Amount", "__all__ += [\"core\"]\n\n\nclass Amount"}), []edit{{pyMoney, "from .core import core\n", ""}}, []string{"core reexport removed error money/__init__.py:2 left"}},
		"py: imported for others":        {pyShop.edited(t, edit{pyMoney, "\"\"\"Amounts.\"\"\"\n", "\"\"\"Amounts.\"\"\"\nfrom .core import core\n"}), []edit{{pyMoney, "from .core import core\n", ""}}, []string{"core reexport removed error money/__init__.py:2 left"}},
		"py: answered for by name":       {pyShop, []edit{{pyMoney, "def parse(text: str, strict: bool) -> int:\n    return _digits(text) * 100\n", "lazily({\"parse\": \"money.core\"})\n"}}, nil},
		"py: experimental class":         {pyShop.edited(t, edit{pyMoney, "class Amount", "@utils.experimental\nclass Amount"}), []edit{{pyMoney, "sep=\",\"", "sep"}}, []string{"Amount.show parameter made required note money/__init__.py:16"}},
		"ts: built from elsewhere":       {tsShop.edited(t, edit{"index.js", "", "export function sum(a) {}\n"}, edit{"other.js", "", "export function other(a) {}\n"}), []edit{{path: "index.js"}, {"package.json", "\"version\"", "\"main\": \"dist/index.js\", \"version\""}, {"source/index.ts", "", "export function sum(a: number) {}\n"}}, nil},
		"ts: built from nowhere":         {tsShop.edited(t, edit{"index.js", "", "export function sum(a) {}\n"}, edit{"other.js", "", "export function other(a) {}\n"}), []edit{{path: "index.js"}}, []string{". file removed error index.js:1 left"}},
		"ts: website":                    {tsShop.edited(t, edit{"website/src/home.ts", "", "export function home(a: string) {}\n"}), []edit{{path: "website/src/home.ts"}}, nil},
		"py: private file":               {pyShop, []edit{{"money/_own.py", "hidden(a)", "hidden(a, b)"}}, nil},
		"py: test":                       {pyShop, []edit{{"tests/test_it.py", "helper(a)", "helper()"}}, nil},
		"py: optional added":             {pyShop, []edit{{pyMoney, py, "(text: str, strict: bool, base: int = 10)"}}, nil},
		"py: optional keyword added":     {pyShop, []edit{{pyMoney, py, "(text: str, strict: bool, *, base: int = 10)"}}, nil},
		"py: takes what is left":         {pyShop, []edit{{pyMoney, py, "(*args, **names)"}}, nil},
		"py: annotations":                {pyShop, []edit{{pyMoney, py, "(text: \"str, or so\", strict: dict[str, int])"}}, nil},
		"py: unknown decorator":          {pyShop, []edit{{pyMoney, "def parse" + py, "@wrapped\ndef parse(text)"}}, nil},
		"py: imported instead":           {pyShop, []edit{{pyMoney, "def parse(text: str, strict: bool) -> int:\n    return _digits(text) * 100\n", "from .core import core as parse\n"}}, nil},
		"py: answered for":               {pyShop, []edit{{pyMoney, "def parse(text: str, strict: bool)", "def __getattr__(name)"}}, nil},
		"py: file becomes a package":     {pyShop, []edit{{path: "money/core.py"}, {"money/core/__init__.py", "", "def core(a):\n    return a\n"}}, nil},
		"ts: function removed":           {tsShop, []edit{{"money/core.ts", "core =", "kernel ="}, {tsMoney, "export * from \"./core\";\n", ""}, {tsMoney, "export function parse", "function parse"}}, []string{"core.core func removed error money/core.ts:1 left", "parse func removed error money/index.ts:4 left -> cart/index.ts:5"}},
		"ts: parameter removed":          {tsShop, []edit{{tsMoney, ts, "(text: string): number"}}, tsWant("parameter removed")},
		"ts: parameter added":            {tsShop, []edit{{tsMoney, ts, "(text: string, strict: boolean, base: number): number"}}, tsWant("parameter added")},
		"ts: parameter retyped":          {tsShop, []edit{{tsMoney, ts, "(text: number, strict: boolean): number"}}, tsWant("parameter retyped")},
		"ts: result retyped":             {tsShop, []edit{{tsMoney, ts, "(text: string, strict: boolean): number | null"}}, tsWant("result retyped")},
		"ts: parameter required":         {tsShop, []edit{{tsMoney, "b?: string", "b: string"}}, []string{"Sum.all parameter made required error money/index.ts:13"}},
		"ts: passed on":                  {tsShop, []edit{{"money/core.ts", "(a: string)", "(a: string, b: string)"}}, []string{"core.core parameter added error money/core.ts:1"}},
		"ts: no longer passed on":        {tsShop, []edit{{tsMoney, "export { deep as flat } from \"./deep/x\";\n", ""}, {tsMoney, "export * from \"./core\";\n", ""}}, []string{"flat reexport removed error money/index.ts:2 left"}},
		"ts: internal and used":          {tsShop, []edit{{"money/own.ts", "used(a: string)", "used(a: string, b: string)"}}, []string{"own.used parameter added note money/own.ts:3 -> cart/index.ts:5"}},
		"ts: internal":                   {tsShop, []edit{{"money/own.ts", "own(a: string)", "own(a: string, b: string)"}}, nil},
		"ts: optional added":             {tsShop, []edit{{tsMoney, ts, "(text: string, strict: boolean, base?: number): number"}}, nil},
		"ts: default added":              {tsShop, []edit{{tsMoney, ts, "(text: string, strict: boolean, base = 10): number"}}, nil},
		"ts: rest added":                 {tsShop, []edit{{tsMoney, ts, "(text: string, ...rest: unknown[]): number"}}, nil},
		"ts: wider":                      {tsShop, []edit{{tsMoney, ts, "(text: string | number, strict: boolean): number"}}, nil},
		"ts: renamed parameter":          {tsShop, []edit{{tsMoney, ts, "(words: string, strict: boolean): number"}}, nil},
		"ts: functions within functions": {tsShop, []edit{{tsMoney, ts, "(text: string, strict: boolean, then?: (a: string, b: Map<string, (c: number) => void>) => void): number"}}, nil},
		"ts: inherited":                  {tsShop, []edit{{tsMoney, "  all(a: Map<string, number>, b?: string): void {}\n", ""}}, nil},
		"ts: types without export":       {tsShop.edited(t, edit{"rates/index.d.ts", "", "export type Rate = number;\nexport type Other = Rate;\n"}), []edit{{"rates/index.d.ts", "export type Rate", "type Rate"}}, nil},
		"ts: unread":                     {tsShop, []edit{{"README.md", "", "# Shop\n"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, test.shop, test.shop.edited(t, test.edits...), test.want...)
		})
	}
}

func TestRenamedParameter(t *testing.T) {
	t.Parallel()
	found, _ := breaks(t, pyShop, pyShop.edited(t, edit{pyMoney, "(text: str, strict: bool)", "(text: str, exact: bool)"}))
	if len(found) != 1 || !strings.Contains(found[0].Message, "renames its parameter strict to exact: calls that name strict fail") {
		t.Errorf("%+v", found)
	}
}

// TestPythonSeveral checks that one finding lists all incompatible changes of a signature.
func TestPythonSeveral(t *testing.T) {
	t.Parallel()
	const lib = "lib/__init__.py"
	was := files{lib: "def run(a, b=1, *, fast=False):\n    return a\n"}
	for _, test := range []struct{ now, kind, message string }{
		{"(a, b, *, quick=False)", "parameter made required", "run requires b now: calls without it fail; and renames its parameter fast to quick: calls that name fast fail"},
		{"(a, b=1, *, quick)", "parameter renamed", "run renames its parameter fast to quick: calls that name fast fail"},
		{"(b=1, *, c)", "parameter removed", "run does not take a any more: calls that give it fail; and does not take fast any more: calls that give it fail; and requires c now: calls without it fail"},
	} {
		found, _ := breaks(t, was, was.edited(t, edit{lib, "(a, b=1, *, fast=False)", test.now}))
		if len(found) != 1 || found[0].Change != test.kind || found[0].Message != test.message {
			t.Errorf("%s: %+v", test.now, found)
		}
	}
}

// TestPythonClasses: fields of records and enums, attributes, bases, and coroutine functions.
func TestPythonClasses(t *testing.T) {
	t.Parallel()
	const lib = "lib/__init__.py"
	was := files{lib: `from dataclasses import dataclass
from enum import Enum

@dataclass
class Point:
    x: int
    y: int = 1

class Color(Enum):
    RED = 1
    BLUE = 2

class Door:
    width = 1
    name: str
    depth = 2

    def open(self):
        return self.depth

class Bad(ValueError):
    pass

def read(path) -> str:
    return path

def later(path):
    return go(path)

class Gate:
    def tall(self):
        return 1

    @property
    def area(self):
        return 2
`}
	for _, test := range []struct{ old, now, want string }{
		{"    x: int\n", "", "Point.x field removed error lib/__init__.py:6 left"},
		{"y: int = 1", "y: int", "Point.y parameter made required error lib/__init__.py:7"},
		{"    y: int = 1", "    z: int\n    y: int = 1", "Point.z parameter added error lib/__init__.py:7"},
		{"    RED = 1\n", "", "Color.RED field removed error lib/__init__.py:10 left"},
		{"    width = 1\n", "", "Door.width field removed error lib/__init__.py:14 left"},
		{"Bad(ValueError)", "Bad(Exception)", "Bad base removed error lib/__init__.py:21"},
		{"def read", "async def read", "read made async error lib/__init__.py:24"},
		{"def later", "async def later", ""}, // it may have returned a coroutine
		{"y: int = 1", "y: int = 1\n    z: list = field(default_factory=lambda: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])", ""},
		{"    x: int\n", "    @property\n    def x(self):\n        return 1\n", ""},
		{"def tall", "@property\n    def tall", "Gate.tall property added error lib/__init__.py:32"},
		{"    @property\n    def area", "    def area", "Gate.area property removed error lib/__init__.py:34"},
		{"    @property\n    def area", "    @cached_property\n    def area", ""},
		{"    depth = 2\n", "", ""},
		{"    name: str\n", "", ""},
		{"Color(Enum)", "Color(Other)", ""},
		{"Bad(ValueError)", "Bad(Worse)", ""},
		{"    width = 1\n", "    def __getattr__(self, name):\n        return 1\n", ""},
	} {
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		expect(t, was, was.edited(t, edit{lib, test.old, test.now}), want...)
	}
}

// TestTypeScriptMembers: members of exported classes, interfaces, object types, enums and unions.
func TestTypeScriptMembers(t *testing.T) {
	t.Parallel()
	const lib = "lib/index.ts"
	was := files{"package.json": "{\"name\": \"lib\", \"version\": \"2.0.0\"}\n", lib: `export interface Options { size: number; name?: string; never?: undefined }
export type Shape = { wide: number; deep?: number };
export interface Result { code: number; text?: string }
export interface Open { a: string; [key: string]: string }
export enum Level { Low, High }
export type Mode = 'fast' | 'slow';
export class Door { open = 1; _own = 2; get width(): number { return 1; } close() {} }
export abstract class Base { shut() {} }
export class Child extends Base { own = 1; }
export function run(o: Options, s: Shape): Result { return null; }
interface Inner { a: string }
`}
	for _, test := range []struct{ old, now, want string }{
		{"size: number; ", "", "Options.size field removed error lib/index.ts:1 left"},
		{"name?: string", "name: string", "Options.name property made required error lib/index.ts:1"},
		{"name?: string", "name?: string; more: boolean", "Options.more property added error lib/index.ts:1"},
		{"wide: number; ", "", "Shape.wide field removed error lib/index.ts:2 left"},
		{"Low, ", "", "Level.Low enum member removed error lib/index.ts:5"},
		{"'fast' | ", "", "Mode union member removed error lib/index.ts:6"},
		{"open = 1; ", "", "Door.open field removed error lib/index.ts:7 left"},
		{"open = 1", "private open = 1", "Door.open visibility narrowed error lib/index.ts:7"},
		{"get width(): number { return 1; } ", "", "Door.width field removed error lib/index.ts:7 left"},
		{"class Door", "abstract class Door", "Door abstract added error lib/index.ts:7"},
		{"shut() {}", "shut() {} abstract lock(): void;", "Base.lock method added error lib/index.ts:8"},
		{"; never?: undefined", "", ""},
		{"name?: string", "name?: string; more?: boolean", ""},
		{"text?: string", "text: string", ""}, // callers only get it
		{"text?: string", "text?: string; more: boolean", ""},
		{"a: string; [", "[", ""},
		{"'fast' | 'slow'", "\"fast\" | \"slow\" | \"best\"", ""},
		{"'fast' | 'slow'", "string", ""},
		{" _own = 2;", "", ""},
		{"own = 1; }", "}", ""},
		{"{ wide: number; deep?: number }", "{ deep?: number } & Wide", ""},
		{"interface Inner { a: string }", "interface Inner { }", ""},
		{"get width(): number { return 1; }", "width = 1;", ""},
	} {
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		expect(t, was, was.edited(t, edit{lib, test.old, test.now}), want...)
	}
}

func TestFits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path, was, now string
		want           bool
	}{
		{"a.ts", "export function f(a: string): number {}", "export function f(a: string, b?: string): number {}", true},
		{"a.ts", "export function f(a: Part<T>): number {}", "export function f(a: Whole): number {}", true},
		{"a.ts", "export function f(a: string): number {}", "export function f(a: string, b: string): number {}", false},
		{"a.py", "def f(a): ...", "def f(a, *, b=1): ...", true},
		{"a.py", "def f(a): ...", "def f(b): ...", false},
		{"a.py", "@wrapped\ndef f(a): ...", "@wrapped\ndef f(a): ...", true},
		{"a.py", "@wrapped\ndef f(a): ...", "@wrapped\ndef f(b): ...", false},
		{"a.go", "package p\n\nfunc f(a int) {}", "package p\n\nfunc f(a int) {}", true},
		{"a.go", "package p\n\nfunc f(a int) {}", "package p\n\nfunc f(a ...int) {}", false},
	} {
		declared := func(text string) *source.Declared {
			for _, l := range languages.All() {
				if slices.Contains(l.Extensions(), path.Ext(test.path)) {
					f := l.Extract(t.Context(), test.path, []byte(text))
					return &source.Declared{Symbol: &f.Symbols[0], Name: "f", Path: test.path}
				}
			}
			return nil
		}
		if got := Fits(declared(test.was), declared(test.now)); got != test.want {
			t.Errorf("%s to %s: %v", test.was, test.now, got)
		}
	}
	if Fits(&source.Declared{Symbol: &source.Symbol{Kind: source.Var}, Path: "a.go"}, &source.Declared{Symbol: &source.Symbol{Kind: source.Var}, Path: "a.go"}) {
		t.Error("a variable is called")
	}
}

// TestBrokenSource: nothing is told of what cannot be read, and that is said.
func TestBrokenSource(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shop files
		edit edit
	}{
		{pyShop, edit{pyMoney, "def parse(text: str, strict: bool)", "def parse((("}},
		{shop, edit{money, "func ParseAmount(text string)", "func ParseAmount((("}},
	} {
		found, skipped := breaks(t, test.shop, test.shop.edited(t, test.edit))
		if len(found) > 0 || len(skipped) != 1 || skipped[0].Path != test.edit.path || !strings.Contains(skipped[0].Reason, "line ") {
			t.Errorf("found %v, skipped %v", found, skipped)
		}
	}
}

func FuzzSignature(f *testing.F) {
	f.Add("def f(a: int = (1, \"x,)\"), *, b)")
	f.Add("f<T extends A>(a: Map<string, () => void>, b = a < c)")
	f.Add("f('''a'''\"")
	f.Fuzz(func(t *testing.T, text string) {
		for _, angles := range []bool{false, true} {
			before, parts, after, ok := scanner{text, angles}.list()
			if ok && len(before)+len(strings.Join(parts, ","))+len(after)+2 > len(text) {
				t.Errorf("%q %q %q", before, parts, after)
			}
		}
	})
}
