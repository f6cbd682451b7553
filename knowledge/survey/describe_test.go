package survey

import "testing"

// TestDescription: a manifest describes the module with the main source of its package.
func TestDescription(t *testing.T) {
	t.Parallel()
	const project = "[project]\nname = \"the-shop\"\ndescription = \"Sells things.\"\n"
	const pack = `{"name": "@acme/shop", "description": "Sells things."}`
	for name, c := range map[string]struct {
		files  map[string]string
		module string // that is described
	}{
		"a package":             {map[string]string{"pyproject.toml": project, "the_shop/a.py": "", "tests/t.py": ""}, "the_shop"},
		"below src":             {map[string]string{"pyproject.toml": project, "src/the_shop/a.py": "", "setup.py": ""}, "src/the_shop"},
		"of a workspace":        {map[string]string{"libs/a/pyproject.toml": project, "libs/a/the_shop/a.py": "", "the_shop/b.py": ""}, "libs/a/the_shop"},
		"modules without one":   {map[string]string{"pyproject.toml": project, "shop.py": ""}, "."},
		"a crate":               {map[string]string{"Cargo.toml": "[package]\nname = \"shop\"\ndescription = \"Sells things.\"\n", "src/main.rs": "", "build.rs": ""}, "src"},
		"what is configuration": {map[string]string{"a/package.json": pack, "a/vite.config.ts": "", "a/.lint.js": "", "a/src/x.ts": ""}, "a/src"},
		"beside the manifest":   {map[string]string{"package.json": pack, "index.js": "", "lib/x.js": ""}, "."},
		"in a library":          {map[string]string{"package.json": pack, "lib/x.js": ""}, "lib"},
		"another language":      {map[string]string{"pyproject.toml": project, "src/a.ts": ""}, ""},
		"nothing said":          {map[string]string{"package.json": `{"name": "shop"}`, "src/x.js": ""}, ""},
		"set up by setup.cfg":   {map[string]string{"setup.cfg": "[metadata]\nname = shop\ndescription = Sells things.\n", "shop/a.py": ""}, "shop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := surveyOf(newMemoryTree(c.files), openIndex(t, t.TempDir()))
			if err := s.Observe(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(s.describer.descriptions()) != min(len(c.module), 1) || c.module != "" && s.describer.descriptions()[c.module].Text != "Sells things." {
				t.Errorf("got %v, want %q described", s.describer.descriptions(), c.module)
			}
		})
	}
}
