package survey

import (
	"path"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// A sketch is a file whose parts come in several versions: an edit takes another version of one part. The first version of a
// part is mostly that it is not there.
type sketch [][]string

// pool holds the files of a drawn tree.
var pool = map[string]sketch{
	"go.mod":              {{"module x\n", "module z\n", ""}, {"", "\ngo 1.26\n"}},
	"nested/go.mod":       {{"module y/core\n", "module x/core\n"}},
	"main.go":             goSketch("x", `import "x/a"`, `import "y/core"`),
	"a/a.go":              goSketch("a", `import "x/b"`, `import . "x/b/deep"`, `import _ "y/core"`),
	"a/more.go":           goSketch("a", `import core "y/core"`, `import "fmt"`),
	"a/a_test.go":         goSketch("a", `import "x/b"`, `import "testing"`),
	"b/b.go":              goSketch("b", `import "x"`, `import "y/core/deep"`),
	"b/deep/deep.go":      goSketch("deep", `import "x/a"`),
	"nested/core.go":      goSketch("core", `import "x/a"`, `import "y/core/deep"`),
	"nested/deep/deep.go": goSketch("deep", `import "x/b"`),
	"skip/skip.go":        goSketch("skip", `import "x/a"`),

	"package.json":             {{"{}", `{"name": "shop", "workspaces": ["packages/*"]}`, "{"}},
	"tsconfig.json":            {{"{}", `{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["web/*"], "own": ["web/ui/index.ts"]}}}`}},
	"packages/p/package.json":  {{`{"name": "@s/lib", "main": "dist/index.js"}`, `{"name": "@s/lib", "main": "other.js"}`, `{"name": "lib", "description": "Sells."}`}},
	"packages/p/src/index.ts":  tsSketch(`import {f} from "@/ui/button"`, `export * from "./impl"`),
	"packages/p/src/impl.ts":   tsSketch(`import {f} from "."`, `import {T} from "../other"`),
	"packages/p/other.ts":      tsSketch(`export {f as g} from "./src"`),
	"web/index.ts":             tsSketch(`export * from "./ui"`, `import lib from "@s/lib"`),
	"web/ui/index.ts":          tsSketch(`import {f} from ".."`, `export {f} from "./button"`),
	"web/ui/button.ts":         tsSketch(`import * as lib from "lib"`, `import {f, T} from "@s/lib"`),
	"web/ui/button.test.ts":    tsSketch(`import {f} from "./button"`, `import {g} from "own"`),
	"web/ui/button/index.ts":   tsSketch(`import {T} from "own"`, `import "../../index.js"`),
	"web/plain.js":             tsSketch(`import {f} from "./ui/button.js"`),
	"web/index.js":             tsSketch(`const ui = require("./ui")`),
	"pyproject.toml":           {{"[project]\nname = \"shop\"\n", "[project]\nname = \"py\"\ndescription = \"Sells.\"\n", "[project\n"}},
	"tools/pyproject.toml":     {{"[project]\nname = \"tools\"\n"}},
	"py/__init__.py":           pySketch("from .m import *", "from py.sub import F as G"),
	"py/m.py":                  pySketch("from py import sub", "import helper", "from . import n"),
	"py/n.py":                  pySketch("from .m import F", "from .sub.deep import *"),
	"py/sub/__init__.py":       pySketch("from .deep import F, T", "__all__ = [\"F\"]"),
	"py/sub/deep.py":           pySketch("from .. import F", "from ..m import T"),
	"py/sub/test_deep.py":      pySketch("from py.sub import deep", "from ..n import F"),
	"src/helper.py":            pySketch("import py.sub.deep", "from py import *"),
	"tools/helper.py":          pySketch("from py import m"),
	"tools/src/tool.py":        pySketch("import helper", "from tool import F"),
	"helper/__init__.py":       pySketch("from . import part"),
	"jv/module-info.java":      {{"module m { exports com.x.m; exports money; }\n", "module m { exports com.x.n; }\n", "module m {}\n"}},
	"jv/com/x/m/M.java":        javaSketch("com.x.m", "M", "import com.x.n.N", "import com.x.n.*"),
	"jv/com/x/m/Part.java":     javaSketch("com.x.m", "Part"),
	"jv/com/x/n/N.java":        javaSketch("com.x.n", "N", "import static com.x.m.M.f", "import com.x.o.*"),
	"jv/com/x/o/M.java":        javaSketch("com.x.o", "M", "import com.x.m.Part"),
	"jv/money/M.java":          javaSketch("money", "M", "import com.x.m.Part"),
	"m/META-INF/services/x.M":  {{"com.x.m.Part\n", "com.x.n.N\n"}},
	".env.example":             {{"A=1\n", "B=2\n"}},
	"cc/compose.yml":           {{"services: {}\n"}},
	"rs/p/Cargo.toml":          {{"[package]\nname = \"p\"\nedition = \"2021\"\n", "[package]\nname = \"q\"\nedition = \"2021\"\ndescription = \"Sells.\"\n"}},
	"rs/q/Cargo.toml":          {{"[package]\nname = \"use-p\"\nedition = \"2021\"\n[dependencies]\np = { path = \"../p\" }\n"}},
	"rs/p/src/lib.rs":          rustSketch("pub mod m", "pub use m::f"),
	"rs/p/src/m.rs":            rustSketch("use crate::m::deep::{f, T}", "pub mod deep"),
	"rs/p/src/m/deep.rs":       rustSketch("use crate::f"),
	"rs/q/src/main.rs":         rustSketch("use p::m::*", "mod m", "use p::{f as g, m}"),
	"rs/q/src/m/mod.rs":        rustSketch("use p::m::deep"),
	"cc/CMakeLists.txt":        {{"install(FILES a.h)\n", "install(DIRECTORY sub)\n"}},
	"cc/Makefile":              {{"install:\n\tcp a.h $(INCLUDEDIR)\n", "install:\n\tcp sub/*.h $(INCLUDEDIR)/sub\n"}},
	"cc/a.h":                   cSketch(`#include "sub/b.h"`),
	"cc/a.cc":                  cSketch(`#include "a.h"`, `#include "b.h"`),
	"cc/sub/b.h":               cSketch(`#include "../a.h"`),
	"README.md":                readmeSketch,
	"README.txt":               readmeSketch,
	"a/README.md":              readmeSketch,
	"b/README":                 readmeSketch,
	"b/readme.rst":             readmeSketch,
	"py/README.md":             readmeSketch,
	"docs/guide.md":            guideSketch,
	"docs/more.rst":            {{"", "Text.\n\n"}, {".. code-block:: python\n\n   from py import F\n   F()\n", ".. code-block:: python\n\n   import py\n   py.m.F(1, 2)\n", "::\n\n   F()\n"}},
	"docs/api.rst":             manualSketch,
	"docs/manual/api.rst":      manualSketch,
	"a/examples/main.go":       goSketch("main", `import "x/a"`, `import "y/core"`),
	"web/examples/use.ts":      tsSketch(`import {f} from "../ui"`, `import {f, T} from "@s/lib"`),
	"py/tests/test_use.py":     pySketch("from py import F", "import py.sub.deep as deep"),
	"skip/README.md":           readmeSketch,
	"own/page.md":              readmeSketch,
	"own/own.go":               goSketch("own"),
	"b/run.sh":                 {{"echo 1\n", "echo 2\n"}},
	"a":                        readmeSketch, // a file where there is a directory otherwise
	"py":                       readmeSketch,
	"b/deep":                   readmeSketch,
	"web/ui":                   readmeSketch,
	"a/a.go/b.go":              goSketch("odd"),
	"b/data.bin":               {{"\x00\x01", "\x00\x02"}},
	"b/large.go":               {{"package b\n", "package b\n\nfunc Large() {}\n// " + strings.Repeat("x", 5<<10) + "\n"}},
	"vendor/v/v.go":            goSketch("v"),
	"b/testdata/t.go":          goSketch("t"),
	"a/strange name.go":        goSketch("a"),
	"py/sub/\xff.py":           pySketch(),
	"packages/p/src/index.tsx": tsSketch(`import {f} from "./index"`),
}

var paths = sortedKeys(pool)

func sortedKeys(files map[string]sketch) []string {
	var out []string
	for p := range files {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

var readmeSketch = sketch{{"# Shop\n\nSells things.\n", "# Shop\n\nSells   things.\n", "# Store\n\nSells things.\n", ""}}

// manualSketch documents symbols of the others.
var manualSketch = sketch{
	{"", ".. module:: py.m\n\n", ".. currentmodule:: py\n\n"},
	{"", ".. function:: F\n\n   Is F.\n\n", ".. function:: F(n)\n\n   Is F of n.\n\n", ".. function:: py.n.F\n\n   Is F.\n\n"},
	{"", ".. class:: T\n\n   Is T.\n\n   .. method:: run()\n\n      Runs.\n\n", ".. class:: S\n\n   .. method:: go()\n\n      Goes.\n\n"},
	{"", ".. function:: f\n\n   Is f.\n\n.. data:: C\n\n   Is C.\n\n", ".. c:function:: int f(int n)\n\n   Is f.\n\n", ".. js:function:: f()\n\n   Is f.\n"},
}

// guideSketch has a piece of code for each language.
var guideSketch = sketch{
	{"# Guide\n\n", "# Guide\n\nText.\n\n"},
	{"", "```go\nimport \"x/a\"\n\na.F(1)\n```\n\n", "```go\na.F(2)\n```\n", "```go\nimport \"y/core\"\n\ncore.F(3)\n```\n"},
	{"", "```python\nfrom py import F\n\nF(1)\n```\n", "```py\npy.F(2)\npy.n.T(1)\n```\n"},
	{"", "```ts\nimport {f, T} from \"@s/lib\"\n\nnew T(f(1))\n```\n", "```js\nconst lib = require(\"lib\")\nlib.f(2)\n```\n"},
	{"", "```rust\nuse p::m::f;\nf(1);\n```\n", "```rust\nT::go(1)\n```\n", "```c\n#include \"a.h\"\nf(1);\n```\n", "```java\nM.f(1);\n```\n"},
}

func goSketch(name string, imports ...string) sketch {
	s := sketch{
		{"", "// Package " + name + " is here.\n", "//go:build linux\n\n"},
		{"package " + name + "\n\n", "package main\n\n", "package " + name + "\n"},
	}
	for _, i := range imports {
		s = append(s, []string{"", i + "\n"})
	}
	return append(s, sketch{
		{"", "func F() int { return one() }\n", "// comment\n\nfunc F()  int {\n\treturn one() // here\n}\n", "func F() int { return 2 }\n", "func F(n int) T { return T{} }\n"},
		{"", "func one() int { return 1 }\n", "func one() int { return 3 }\n", "func one() int64 { return G() }\n"},
		{"", "type T struct{ N int }\n", "type T struct{ b.T }\n", "type T interface{ Do() }\n", "type T = core.T\n", "type T struct{ deep.T; *core.T }\n"},
		{"", "func (t T) Do() { t.Run() }\n", "func (T) Do() { one() }\n", "func (*T) do() {}\n"},
		{"", "func (T) Run() { core.F() }\n", "type other struct{}\n\nfunc (other) Run() {}\n\nfunc (other) Do() {}\n"},
		{"", "func use() { a.F(1) }\n", "func use() {\n\tcore.F(2)\n\ta.T{}.Do()\n}\n"},
		{"", "const C = 1\n", "const C = 2\n", "var C = b.F()\n", "var C, D = a.F(), F()\n"},
		{"", "func G() { b.F(); a.F() }\n", "func G() { var t deep.T; t.Do() }\n", "func G( {\n"},
	}...)
}

func tsSketch(imports ...string) sketch {
	s := sketch{{"", "/** @packageDocumentation\n * Here. */\n", "// here\n"}}
	for _, i := range imports {
		s = append(s, []string{"", i + ";\n"})
	}
	return append(s, sketch{
		{"", "export function f() { return one(); }\n", "export function f(n: number) { return one() }\n", "export function f()  {\n  return one();\n}\n", "export const f = 1;\n"},
		{"", "function one() { return 1; }\n", "function one() { return lib.f(); }\n", "function one() { return 2; }\n"},
		{"", "export class T { run() { return f(); } }\n", "export interface T { a: string }\n", "export class T extends lib.T { run() { this.go(); } }\n"},
		{"", "export class S extends T { go() {} }\n", "export type S = T | string;\n"},
		{"", "f(1);\n", "lib.f(2);\nnew T(3);\n"},
		{"", "export default f;\n", "export { one };\n", "export function (\n"},
	}...)
}

func pySketch(imports ...string) sketch {
	s := sketch{{"", "\"\"\"Here.\"\"\"\n", "# here\n"}}
	for _, i := range imports {
		s = append(s, []string{"", i + "\n"})
	}
	return append(s, sketch{
		{"", "def F():\n    return _one()\n", "def F():\n    # here\n    return  _one()\n", "def F(n: int):\n    return T()\n", "F = 1\n"},
		{"", "def _one():\n    return 1\n", "def _one():\n    return m.F()\n", "def _one():\n    return 2\n"},
		{"", "class T:\n    def run(self):\n        return F()\n", "class T(m.T):\n    def run(self):\n        self.go()\n", "class T: pass\n"},
		{"", "F(1)\n", "deep.F(2)\n\ndef test_f():\n    assert T(3) == F(4)\n"},
		{"", "class S(T):\n    def go(self):\n        pass\n", "__all__ = [\"F\", \"m\"]\n", "def (\n"},
	}...)
}

func javaSketch(pkg, name string, imports ...string) sketch {
	s := sketch{{"", "package " + pkg + ";\n"}}
	for _, i := range imports {
		s = append(s, []string{"", i + ";\n"})
	}
	return append(s, sketch{
		{"class " + name + " {\n", "/** Here. */\npublic class " + name + " extends N {\n", "public interface " + name + " {\n", "public class " + name + " extends com.x.n.N implements Part {\n"},
		{"", "  public static int f() { return com.x.n.N.f(); }\n", "  static int f() { return M.f() + g(); }\n", "  static int f() { return 1; }\n"},
		{"", "  void go(M m) { m.go(null); f(); }\n", "  void go(money.M m) { m.go(money.M.f()); }\n", "  public void go(com.x.o.M m) { Part.f(); com.x.m.Part.go(m); }\n", "  static int g() { return f(); }\n"},
		{"}\n", "  static class Inner { void go() { f(); } }\n}\n", ""},
	}...)
}

func rustSketch(uses ...string) sketch {
	s := sketch{{"", "//! Here.\n"}}
	for _, u := range uses {
		s = append(s, []string{"", u + ";\n"})
	}
	return append(s, sketch{
		{"", "pub fn f() -> u8 { one() }\n", "pub fn f() -> u8 { m::f() }\n", "fn f() { p::m::f(); crate::m::deep::one(); g() }\n"},
		{"", "fn one() -> u8 { 1 }\n", "pub fn one() -> u8 { 2 }\n", "pub fn one(t: T) -> u8 { t.go() }\n"},
		{"", "pub struct T;\n", "pub trait T { fn go(&self); }\n", "/// Here.\npub struct T { pub n: m::T }\n"},
		{"", "impl T { pub fn go(&self) { self.run(); f() } }\n", "pub struct S;\n\nimpl T for S { fn go(&self) { one(); } }\n", "impl crate::m::deep::T for T { fn go(&self) {} }\n"},
		{"", "mod inner { pub fn f() { super::f() } }\n", "pub const C: u8 = m::C;\n", "fn (\n"},
	}...)
}

func cSketch(includes ...string) sketch {
	s := sketch{{"", "// here\n"}}
	for _, i := range includes {
		s = append(s, []string{"", i + "\n"})
	}
	return append(s, sketch{
		{"", "int f();\n", "int f() { return one(); }\n", "int f(int n) { return f() + g(); }\n"},
		{"", "class T { public: int go(); };\n", "class S : public T { int go() { return f(); } };\n", "struct T { int n; };\n"},
		{"", "int T::go() { return f(); }\n", "int g() { T t; return t.go(); }\n", "#define g 1\n"},
	}...)
}

// drawnTree is a tree whose files are sketches, each with the versions of its parts.
type drawnTree struct {
	*memoryTree

	versions map[string][]int
}

func drawTree(t *rapid.T) *drawnTree {
	d := &drawnTree{newMemoryTree(map[string]string{}), map[string][]int{}}
	there := rapid.SliceOfNDistinct(rapid.SampledFrom(paths), 8, len(paths), rapid.ID[string]).Draw(t, "files")
	for _, p := range there {
		d.add(t, p)
	}
	return d
}

// add draws all of a file.
func (d *drawnTree) add(t *rapid.T, p string) {
	versions := make([]int, len(pool[p]))
	for i, part := range pool[p] {
		versions[i] = rapid.IntRange(0, len(part)-1).Draw(t, p)
	}
	d.put(p, p, versions)
}

// put adds a file with the content of another, and removes files that conflict with it.
func (d *drawnTree) put(name, from string, versions []int) {
	for _, files := range []map[string]string{d.files, d.links} {
		for other := range files {
			if strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
				d.remove(other)
			}
		}
	}
	d.remove(name)
	var text strings.Builder
	for i, part := range pool[from] {
		text.WriteString(part[versions[i]])
	}
	d.files[name], d.versions[name] = text.String(), versions
}

func (d *drawnTree) remove(name string) {
	delete(d.files, name)
	delete(d.links, name)
	delete(d.versions, name)
}

// edit changes one thing.
func (d *drawnTree) edit(t *rapid.T) {
	p := rapid.SampledFrom(paths).Draw(t, "path")
	versions, there := d.versions[p]
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case !there || kind == 0:
		d.add(t, p)
	case kind == 1:
		d.remove(p)
	case kind == 2:
		d.move(t, p, versions)
	case kind == 3:
		text := d.files[p]
		d.remove(p)
		d.links[p] = text
	default:
		versions = slices.Clone(versions)
		part := rapid.IntRange(0, len(versions)-1).Draw(t, "part")
		versions[part] = rapid.IntRange(0, len(pool[p][part])-1).Draw(t, "version")
		d.put(p, p, versions)
	}
}

// move moves a file to where another of its kind may be.
func (d *drawnTree) move(t *rapid.T, p string, versions []int) {
	var alike []string
	for _, other := range paths {
		if len(pool[other]) == len(pool[p]) && path.Ext(other) == path.Ext(p) {
			alike = append(alike, other)
		}
	}
	to := rapid.SampledFrom(alike).Draw(t, "to")
	if fits(pool[to], versions) {
		d.remove(p)
		d.put(to, p, versions)
	}
}

func fits(s sketch, versions []int) bool {
	for i, part := range s {
		if versions[i] >= len(part) {
			return false
		}
	}
	return true
}
