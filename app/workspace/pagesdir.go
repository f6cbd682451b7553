package workspace

import (
	"slices"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/store"
)

// BesideSite is where pages go in a repository that makes a site of its documents: the site would publish pages among its own, and
// strict builds fail on links from them to code. The generators of sites leave out directories that begin with a dot.
const BesideSite = ".causal-docs"

// siteMarks are the files that tell that a repository makes a site.
var siteMarks = []string{
	"mkdocs.yml", "mkdocs.yaml", "docs/mkdocs.yml",
	"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs",
	"website/docusaurus.config.js", "website/docusaurus.config.ts", "docs/docusaurus.config.js", "docs/docusaurus.config.ts",
	"docs/conf.py", "docs/source/conf.py", "doc/conf.py", "doc/source/conf.py",
	"_config.yml", "docs/_config.yml",
	"docs/.vitepress/config.js", "docs/.vitepress/config.ts", "docs/.vitepress/config.mts", "docs/.vitepress/config.mjs", ".vitepress/config.ts", ".vitepress/config.js",
	"hugo.toml", "hugo.yaml", "hugo.json", "docs/hugo.toml", "docs/config.toml",
	"antora.yml", "docs/antora.yml", "antora-playbook.yml",
	"book.toml", "docs/book.toml", "docs/astro.config.mjs", "docs/SUMMARY.md",
}

// placePages decides where pages go if the configuration does not say. Where pages are, they stay.
func placePages(c *config.Config, has func(name string) bool) {
	layout := store.Layout{Docs: c.Docs.Dir}
	if c.Docs.Given || has(layout.Index()) {
		return
	}
	at := slices.IndexFunc(siteMarks, func(name string) bool {
		return has(name) && !(slices.Contains([]string{"mkdocs.yml", "mkdocs.yaml"}, name) && has(SiteHook))
	})
	if beside := (store.Layout{Docs: BesideSite}); at < 0 && !has(beside.Index()) {
		return
	}
	c.Docs.Dir = BesideSite
	if at >= 0 {
		c.Docs.Site = siteMarks[at]
	}
}

// SiteHook is the file by which a site that causal init writes takes the pages in. It is among causal's own files: in the root it would
// be a module of the repository.
const SiteHook = store.Top + "/mkdocs_links.py"
