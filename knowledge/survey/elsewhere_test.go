package survey

import (
	"fmt"
	"maps"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

// TestAnEditElsewhere checks that facts about an unedited module are those of a survey without a cache, and that changes are reported.
func TestAnEditElsewhere(t *testing.T) {
	t.Parallel()
	const f, use = "export function f() {}\n", "import { f } from "
	for _, c := range []struct {
		name  string
		files map[string]string
		edit  map[string]string // "" is gone
		fact  fact.Fact         // that is another
	}{
		{
			"a package's entry comes", map[string]string{"packages/p/package.json": `{"name": "@s/lib"}`, "packages/p/src/impl.ts": f, "web/w.ts": use + `"@s/lib"`},
			map[string]string{"packages/p/src/index.ts": f}, Links("web"),
		},
		{
			"a better entry comes", map[string]string{"packages/p/package.json": `{"name": "@s/lib", "main": "other.js"}`, "packages/p/src/index.ts": f, "web/w.ts": use + `"@s/lib"`},
			map[string]string{"packages/p/other.ts": f}, Links("web"),
		},
		{
			"a file comes that a compiler is told of", map[string]string{"tsconfig.json": `{"compilerOptions": {"paths": {"own": ["ui/x/button"]}}}`, "web/w.ts": use + `"own"`},
			map[string]string{"ui/x/button.ts": f}, Links("web"),
		},
		{
			"a file comes that a package names within", map[string]string{"p/package.json": `{"imports": {"#db": "./src/sql.js"}}`, "p/web/w.ts": use + `"#db"`},
			map[string]string{"p/src/sql.ts": f}, Links("p/web"),
		},
		{"the directory above is one to import", map[string]string{"p/q/w.ts": use + `".."`}, map[string]string{"p/index.ts": f}, Links("p/q")},
		{"two above", map[string]string{"p/q/r/w.ts": use + `"../.."`}, map[string]string{"p/index.ts": f}, Links("p/q/r")},
		{"a package above", map[string]string{"p/q/r.py": "from .. import F\n"}, map[string]string{"p/__init__.py": "def F(): pass\n"}, Links("p/q")},
		{"a package two above", map[string]string{"p/q/r/s.py": "from ... import F\n"}, map[string]string{"p/__init__.py": "def F(): pass\n"}, Links("p/q/r")},
		{
			"the root of a module comes", map[string]string{"nested/go.mod": "module y/core\n", "a/a.go": "package a\n\nimport core \"y/core\"\n\nvar A = core.F()\n"},
			map[string]string{"nested/n.go": "package core\n\nfunc F() int { return 1 }\n"}, Links("a"),
		},
		{
			"the root of a crate comes", map[string]string{
				"my-lib/Cargo.toml": "[package]\nname = \"my-lib\"\nedition = \"2021\"\n", "app/Cargo.toml": "[package]\nname = \"app\"\nedition = \"2021\"\n[dependencies]\nmy-lib = { path = \"../my-lib\" }\n",
				"app/src/main.rs": "use my_lib::f;\n\nfn main() { f() }\n",
			}, map[string]string{"my-lib/src/lib.rs": "pub fn f() {}\n"}, Links("app/src"),
		},
		{
			"a base loses a method that a body may have meant", map[string]string{
				"go.mod": "module x\n", "b/b.go": "package b\n\ntype Base struct{}\n\nfunc (Base) Do() {}\n",
				"a/a.go": "package a\n\nimport \"x/b\"\n\ntype T struct{ b.Base }\n\nfunc Run() { T.Do(T{}) }\n\ntype other struct{}\n\nfunc (other) Do() {}\n",
			}, map[string]string{"b/b.go": "package b\n\ntype Base struct{}\n"}, fact.Of(fact.Bodies, "a", "Run"),
		},
		{"a module loses its language to another", map[string]string{"a/a.py": "x = 1\n"}, map[string]string{"a/b.go": "package a\n", "a/c.go": "package a\n"}, LanguageFact("a")},
		{"a test begins to import", map[string]string{"go.mod": "module x\n", "a/a.go": "package a\n", "b/b_test.go": "package b\n"}, map[string]string{"b/b_test.go": "package b\n\nimport _ \"x/a\"\n"}, ImportersFact("a")},
		{
			"what a flow calls comes to lead out of the program", map[string]string{
				"go.mod": "module x\n", "store/s.go": "package store\n\nfunc Load() { keep() }\n\nfunc Save() { keep() }\n\nfunc keep() {}\n",
				"a/a.go": "package a\n\nimport \"x/store\"\n\nfunc Do() {\n\tstore.Load()\n\tstore.Save()\n}\n",
			}, map[string]string{"store/s.go": "package store\n\nimport \"os\"\n\nfunc Load() { keep() }\n\nfunc Save() { keep() }\n\nfunc keep() { os.WriteFile(\"f\", nil, 0) }\n"}, FlowsFact("a"),
		},
		{
			"a file that is used by one that a flow calls comes to lead out of the program", map[string]string{
				"db/client.ts": "export const client = {};\n", "store/save.ts": "import { client } from '../db/client';\nexport function load() { return client.get(); }\nexport function save() { return client.get(); }\n",
				"a/a.ts": "import { load, save } from '../store/save';\nexport function act() { load(); save(); }\n",
			}, map[string]string{"db/client.ts": "import pg from 'pg';\nexport const client = pg.connect();\n"}, FlowsFact("a"),
		},
		{"what a flow calls comes to be used everywhere", logging(mostUsers), logging(mostUsers + 1), FlowsFact("m1")},
	} {
		b := &bench{index: t.TempDir(), tree: newMemoryTree(c.files)}
		before := b.fresh(t)
		was := digest(t, before, c.fact)
		b.settle(t)
		maps.Copy(b.tree.files, c.edit)
		maps.DeleteFunc(b.tree.files, func(_, text string) bool { return text == "" })
		now, grown := b.fresh(t), b.survey(t)
		if digest(t, now, c.fact) == was {
			t.Errorf("%s: %s is the same", c.name, c.fact)
		}
		t.Log(c.name)
		compare(t, before, now, grown)
	}
}

// logging are modules that do two things each, and log.
func logging(n int) map[string]string {
	files := map[string]string{"go.mod": "module x\n", "log/l.go": "package log\n\nfunc Log() {}\n"}
	for i := range n {
		name := fmt.Sprintf("m%d", i)
		files[name+"/m.go"] = "package " + name + "\n\nimport \"x/log\"\n\nfunc Do() {\n\tone()\n\tlog.Log()\n\ttwo()\n\tthree()\n}\n\n" +
			"// one does.\nfunc one() { v.Do() }\n\n// two does.\nfunc two() { v.Do() }\n\n// three does.\nfunc three() { v.Do() }\n\nvar v any\n"
	}
	return files
}
