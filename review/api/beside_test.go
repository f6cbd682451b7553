package api

import "testing"

// TestBeside: in languages whose files import each other by name, a file of the same directory that imports what is gone is hit.
func TestBeside(t *testing.T) {
	t.Parallel()
	const js = "import {total} from './a.js'\n\nexport const sum = () => total(1)\n"
	ts := files{"package.json": `{"name": "x", "version": "1.0.0", "private": true}`, "src/a.js": "export function total(a) { return a }\n", "src/b.js": js}
	py := files{"svc/__init__.py": "", "svc/util.py": "def total(a):\n    return a\n\n\ndef twice(a):\n    return total(a)\n", "svc/main.py": "from svc.util import total\n\n\ndef run():\n    return total(1)\n"}
	lib := files{"lib/__init__.py": "from .add import add\n__all__ = [\"add\"]\n", "lib/add.py": "def add(a, b):\n    return a + b\n", "app/use.py": "from lib import add\nX = add(1, 2)\n"}
	index := files{"package.json": `{"name": "x", "version": "1.0.0"}`, "src/index.js": "export {\n  total,\n} from './a.js'\n", "src/a.js": "export function total(a) { return a }\n"}
	flat := files{"package.json": `{"name": "l", "version": "2.0.0", "exports": "./src/index.ts"}`, "src/index.ts": "export { add } from \"./add\"\n", "src/add.ts": "export function add(a: number, b: number): number { return a + b }\n", "src/use.ts": "import { add } from \"./add\"\nexport const x = add(1, 2)\n"}
	java := files{"src/main/java/p/Sum.java": "package p;\n\npublic class Sum {\n    public static int add(int a) { return a; }\n}\n", "src/main/java/p/Use.java": "package p;\n\nclass Use {\n    int x() { return Sum.add(1); }\n}\n"}
	rust := files{"Cargo.toml": "[package]\nname = \"l\"\nversion = \"2.0.0\"\n", "src/lib.rs": "pub mod sum;\nmod other;\n", "src/sum.rs": "pub fn add(a: i32) -> i32 { a }\n", "src/other.rs": "use crate::sum::add;\n\nfn x() -> i32 { add(1) }\n"}
	golang := files{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n\nfunc Total() {}\n", "q.go": "package p\n\nfunc q() { Total() }\n"}
	for name, test := range map[string]struct {
		was   files
		edits []edit
		want  []string
	}{
		"renamed":            {ts, []edit{{"src/a.js", "total", "sum"}}, []string{"a.total func removed note src/a.js:1 left -> src/b.js:3"}},
		"renamed everywhere": {ts, []edit{{"src/a.js", "total", "sum"}, {"src/b.js", js, "import {sum} from './a.js'\n\nexport const all = () => sum(1)\n"}}, nil},
		"moved to the user":  {ts, []edit{{"src/a.js", "export function total(a) { return a }", "export {}"}, {"src/b.js", "import {total} from './a.js'", "const total = (a) => a"}}, nil},
		"passed on":          {lib, []edit{{"lib/add.py", "def add", "def plus"}}, []string{"add.add func removed error lib/add.py:1 left -> app/use.py:2 -> lib/__init__.py:1"}},
		"passed on by path":  {lib, []edit{{"lib/add.py", "def add", "def plus"}, {"lib/__init__.py", "from .add", "from lib.add"}}, []string{"add.add func removed error lib/add.py:1 left -> app/use.py:2"}},
		"passed on above":    {lib.edited(t, edit{"all/__init__.py", "", "from lib.add import (\n    add as plus,\n)\n"}), []edit{{"lib/add.py", "def add", "def plus"}}, []string{"add.add func removed error lib/add.py:1 left -> all/__init__.py:1 -> app/use.py:2 -> lib/__init__.py:1"}},
		"perhaps imported":   {lib.edited(t, edit{"lib/x.py", "", "try:\n    from .add import add\nexcept ImportError:\n    add = None\n"}), []edit{{"lib/add.py", "def add", "def plus"}}, []string{"add.add func removed error lib/add.py:1 left -> app/use.py:2 -> lib/__init__.py:1"}},
		"not passed on":      {lib, []edit{{"lib/add.py", "def add", "def plus"}, {"lib/__init__.py", "import add\n", "import plus as add\n"}}, nil},
		"an index":           {index, []edit{{"src/a.js", "total", "sum"}}, []string{"a.total func removed error src/a.js:1 left -> src/index.js:2"}},
		"flat":               {flat, []edit{{"src/add.ts", "b: number)", "b: number, c: number)"}}, []string{"add.add parameter added error src/add.ts:1 -> src/use.ts:2"}},
		"flat, adapted":      {flat, []edit{{"src/add.ts", "b: number)", "b: number, c: number)"}, {"src/use.ts", "2)", "2, 3)"}}, []string{"add.add parameter added error src/add.ts:1"}},
		"python":             {py, []edit{{"svc/util.py", "def total(a)", "def total(a, b)"}}, []string{"util.total parameter added error svc/util.py:1 -> svc/main.py:5"}},
		"java":               {java, []edit{{"src/main/java/p/Sum.java", "int a)", "int a, int b)"}}, []string{"Sum.add parameter added error src/main/java/p/Sum.java:4 -> src/main/java/p/Use.java:4"}},
		"java, removed":      {java, []edit{{"src/main/java/p/Sum.java", "int add(", "int sum("}}, []string{"Sum.add method removed error src/main/java/p/Sum.java:4 left -> src/main/java/p/Use.java:4"}},
		"rust":               {rust, []edit{{"src/sum.rs", "a: i32)", "a: i32, b: i32)"}}, []string{"sum.add parameter added error src/sum.rs:1 -> src/other.rs:3"}},
		"rust, removed":      {rust, []edit{{"src/sum.rs", "fn add", "fn sum"}}, []string{"sum.add func removed error src/sum.rs:1 left -> src/other.rs:3"}},
		"of a package":       {py, []edit{{"svc/util.py", "def total", "def whole"}}, []string{"util.total func removed error svc/util.py:1 left -> svc/main.py:5"}},
		"a compiler tells":   {golang, []edit{{"p.go", "Total", "Whole"}}, []string{"Total function removed error p.go:3 left"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, test.was, test.was.edited(t, test.edits...), test.want...)
		})
	}
}
