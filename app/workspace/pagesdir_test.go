package workspace_test

import (
	"slices"
	"testing"

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
