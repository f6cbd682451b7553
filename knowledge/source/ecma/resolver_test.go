package ecma

import (
	"path"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

func monorepo() sourcetest.Project {
	return sourcetest.Project{
		Languages: []source.Language{TypeScript, JavaScript},
		Files: map[string]string{
			"package.json":       `{"name": "root", "workspaces": ["packages/*"]}`,
			"tsconfig.base.json": `{"compilerOptions": {"paths": {"~core/*": ["packages/core/src/*"],},}}`,
			"tsconfig.json": `{ // the editor's
				"extends": "./tsconfig.base", /* inherited */ }`,

			"packages/core/package.json": `{"name": "@shop/core", "main": "dist/index.js", "exports": {
				".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}, "./money": "./dist/money.js", "./util/*": "./dist/util/*.js"},
				"imports": {"#log": "./src/log.ts"}}`,
			"packages/core/src/index.ts":       "",
			"packages/core/src/money.ts":       "",
			"packages/core/src/log.ts":         "",
			"packages/core/src/util/text.ts":   "",
			"packages/core/src/types.d.ts":     "",
			"packages/core/src/both.ts":        "",
			"packages/core/src/both.js":        "",
			"packages/core/src/view/index.tsx": "",

			"packages/web/package.json":  `{"name": "web", "module": "es/main.js"}`,
			"packages/web/tsconfig.json": `{"extends": ["../../tsconfig.base.json"], "compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["*"], "settings": ["config/settings.ts"]}}}`,
			"packages/web/src/main.jsx":  "", "packages/web/src/config/settings.ts": "", "packages/web/src/pages/home.mts": "",

			"packages/ambiguous/package.json": `{"name": "ambiguous", "main": "dist/a.js", "module": "dist/b.js"}`,
			"packages/ambiguous/src/a.ts":     "", "packages/ambiguous/src/b.ts": "",

			"packages/one/package.json": `{"name": "twice"}`, "packages/one/index.js": "",
			"packages/two/package.json": `{"name": "twice"}`, "packages/two/index.js": "",

			"packages/kit/tsconfig.json":    `{"extends": "./.svelte-kit/tsconfig.json"}`,
			"packages/kit/src/lib/money.ts": "", "packages/kit/src/lib/index.ts": "",

			"test/fixtures/react/package.json": `{"name": "react", "main": "index.js"}`, "test/fixtures/react/index.js": "",
			"broken/package.json": `{`, "broken/tsconfig.json": `{"extends": "./tsconfig.json", "compilerOptions": 1`,
			"lib/tool.cjs": "", "lib/style.css": "",
		},
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	r := TypeScript.Resolver(monorepo())
	tests := []struct{ name, from, spec, want string }{
		{"sibling", "packages/core/src/index.ts", "./money", "packages/core/src/money.ts"},
		{"built ending", "packages/core/src/index.ts", "./money.js", "packages/core/src/money.ts"},
		{"declaration file", "packages/core/src/index.ts", "./types", "packages/core/src/types.d.ts"},
		{"source before output", "packages/core/src/index.ts", "./both.js", "packages/core/src/both.ts"},
		{"literal file from javascript", "packages/core/src/x.js", "./both.js", "packages/core/src/both.js"},
		{"directory", "packages/core/src/index.ts", "./view", "packages/core/src/view/index.tsx"},
		{"own directory", "packages/core/src/money.ts", ".", "packages/core/src/index.ts"},
		{"parent", "packages/core/src/view/index.tsx", "../log.js", "packages/core/src/log.ts"},
		{"parent directory", "packages/core/src/view/index.tsx", "..", "packages/core/src/index.ts"},
		{"package directory", "x.js", "./packages/core", "packages/core/src/index.ts"},
		{"other ending", "lib/a.js", "./tool.cjs", "lib/tool.cjs"},
		{"query", "packages/core/src/index.ts", "./money?raw", "packages/core/src/money.ts"},
		{"not source", "lib/a.js", "./style.css", ""},
		{"absent", "lib/a.js", "./none", ""},
		{"above the root", "lib/a.js", "../../lib/tool.cjs", ""},
		{"builtin", "lib/a.js", "node:fs", ""},
		{"foreign package", "lib/a.js", "lodash", ""},
		{"what a framework generates", "packages/kit/src/routes/+page.ts", "$lib/money", "packages/kit/src/lib/money.ts"},
		{"the directory that it names", "packages/kit/src/routes/+page.ts", "$lib", "packages/kit/src/lib/index.ts"},
		{"workspace package", "packages/web/src/main.jsx", "@shop/core", "packages/core/src/index.ts"},
		{"exported sub path", "packages/web/src/main.jsx", "@shop/core/money", "packages/core/src/money.ts"},
		{"exported pattern", "packages/web/src/main.jsx", "@shop/core/util/text", "packages/core/src/util/text.ts"},
		{"sub path to source", "packages/web/src/main.jsx", "@shop/core/src/log", "packages/core/src/log.ts"},
		{"no such sub path", "packages/web/src/main.jsx", "@shop/core/none", ""},
		{"scope alone", "packages/web/src/main.jsx", "@shop", ""},
		{"module field", "x.ts", "web", "packages/web/src/main.jsx"},
		{"ambiguous output", "x.ts", "ambiguous", ""},
		{"name of two packages", "x.ts", "twice", ""},
		{"fixture package", "x.ts", "react", ""},
		{"inherited paths", "lib/a.ts", "~core/money", "packages/core/src/money.ts"},
		{"paths with base", "packages/web/src/main.jsx", "@/pages/home", "packages/web/src/pages/home.mts"},
		{"exact path", "packages/web/src/main.jsx", "settings", "packages/web/src/config/settings.ts"},
		{"base url", "packages/web/src/main.jsx", "pages/home", "packages/web/src/pages/home.mts"},
		{"own paths replace inherited ones", "packages/web/src/main.jsx", "~core/money", ""},
		{"package imports", "packages/core/src/view/index.tsx", "#log", "packages/core/src/log.ts"},
		{"unknown package import", "packages/core/src/view/index.tsx", "#none", ""},
		{"broken configuration", "broken/a.ts", "web", "packages/web/src/main.jsx"},
		{"empty", "lib/a.ts", "", ""},
		{"dots", "lib/a.ts", "...", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			imp := source.Import{Path: tt.spec, Names: []source.Name{{Name: "x", As: "y"}}}
			got := ""
			targets := r.Resolve(tt.from, imp)
			if len(targets) > 0 {
				got = path.Join(targets[0].Dir, targets[0].File)
				if len(targets) != 1 || targets[0].All || len(targets[0].Names) != 1 || targets[0].Names[0] != imp.Names[0] {
					t.Errorf("targets %+v", targets)
				}
			}
			if got != tt.want {
				t.Errorf("%q from %s leads to %q, want %q", tt.spec, tt.from, got, tt.want)
			}
		})
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("lib/a.ts", "./x", `{"compilerOptions": {"paths": {"*": ["*"]}}}`)
	f.Add("a.ts", "core/*", `{"exports": {"./*": {"default": ["./dist/*.js"]}}, "name": "core"}`)
	f.Fuzz(func(t *testing.T, from, spec, manifest string) {
		p := monorepo()
		p.Files["lib/package.json"], p.Files["lib/tsconfig.json"] = manifest, manifest
		for _, target := range JavaScript.Resolver(p).Resolve(from, source.Import{Path: spec}) {
			if !p.Has(path.Join(target.Dir, target.File)) {
				t.Errorf("%q leads to %v, which is not there", spec, target)
			}
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	r := TypeScript.Resolver(monorepo())
	for b.Loop() {
		r.Resolve("packages/web/src/main.jsx", source.Import{Path: "@shop/core/util/text"})
	}
}
