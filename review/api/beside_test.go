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
		"of a package":       {py, []edit{{"svc/util.py", "def total", "def whole"}}, []string{"util.total func removed error svc/util.py:1 left -> svc/main.py:5"}},
		"a compiler tells":   {golang, []edit{{"p.go", "Total", "Whole"}}, []string{"Total function removed error p.go:3 left"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, test.was, test.was.edited(t, test.edits...), test.want...)
		})
	}
}
