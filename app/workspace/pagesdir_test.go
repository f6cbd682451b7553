package workspace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/workspace"
)

func TestSiteMark(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"no site", []string{"README.md", "conf.py", "docs/guide.md", "index.html"}, ""},
		{"MkDocs", []string{"docs/index.md", "mkdocs.yml"}, "mkdocs.yml"},
		{"the site that causal init writes", []string{"mkdocs.yml", workspace.SiteHook}, ""},
		{"Docusaurus in a directory", []string{"website/docusaurus.config.ts"}, "website/docusaurus.config.ts"},
		{"VitePress with a directory of configuration", []string{"docs/.vitepress/config/index.ts"}, "docs/.vitepress/config/index.ts"},
		{"VitePress at the root", []string{".vitepress/config.mts"}, ".vitepress/config.mts"},
		{"Sphinx", []string{"docs/source/conf.py"}, "docs/source/conf.py"},
		{"Sphinx at the root", []string{"conf.py", "index.rst"}, "conf.py"},
		{"Jekyll", []string{"_config.yml"}, "_config.yml"},
		{"GitHub Pages from docs", []string{"docs/CNAME", "docs/index.md"}, "docs/CNAME"},
		{"Hugo", []string{"hugo.toml"}, "hugo.toml"},
		{"Antora", []string{"docs/antora.yml"}, "docs/antora.yml"},
		{"Starlight", []string{"docs/astro.config.mjs"}, "docs/astro.config.mjs"},
		{"an application with Astro", []string{"astro.config.mjs"}, ""},
		{"Eleventy", []string{"eleventy.config.js"}, "eleventy.config.js"},
		{"Docsify", []string{"docs/_sidebar.md"}, "docs/_sidebar.md"},
		{"mdBook", []string{"docs/book.toml"}, "docs/book.toml"},
	} {
		if got := workspace.SiteMark(func(name string) bool { return slices.Contains(c.files, name) }); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestConfiguredDirectory checks which other directories have pages of causal, and which directories are refused.
func TestConfiguredDirectory(t *testing.T) {
	t.Parallel()
	pages := []string{"docs/causal/index.md", "docs/causal/llms.txt"}
	for name, c := range map[string]struct {
		config string
		files  []string
		former []string
		refuse string
	}{
		"the default":              {"", pages, nil, ""},
		"another directory":        {"docs: {dir: docs/new}\n", append(pages, "docs/new/index.md"), []string{"docs/causal"}, ""},
		"a directory of people":    {"docs: {dir: docs/new}\n", []string{"docs/causal/index.md"}, nil, ""},
		"a module":                 {"version: 1\ndocs:\n  dir: money\n", []string{"money/money.go"}, nil, `:3: docs.dir "money" contains the source file money/money.go`},
		"above a module":           {"docs: {dir: pkg}\n", []string{"pkg/a/b/x.py"}, nil, "pkg/a/b/x.py"},
		"an excluded source":       {"docs: {dir: pages}\nexclude: [\"pages/**\"]\n", []string{"pages/theme.js"}, nil, ""},
		"documents":                {"docs: {dir: pages}\n", []string{"pages/note.md", "pages/logo.png"}, nil, ""},
		"a name that begins alike": {"docs: {dir: money}\n", []string{"moneybag/x.go"}, nil, ""},
		"a source in the default":  {"", append(pages, "docs/causal/theme.js"), nil, ""},
	} {
		found, err := config.Parse("c.yml", []byte(c.config))
		if err != nil {
			t.Fatal(err)
		}
		workspace.PlacePages(found, func(name string) bool { return slices.Contains(c.files, name) }, func(string) string { return "" })
		if !slices.Equal(found.Docs.Former, c.former) {
			t.Errorf("%s: former directories %q", name, found.Docs.Former)
		}
		err = workspace.RefuseSources(found, c.files)
		if (err != nil) != (c.refuse != "") || err != nil && !strings.Contains(err.Error(), c.refuse) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
