package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/store"
)

// BesideSite is where pages go in a repository that has a documentation site. In its sources they would be published, and strict builds
// fail on their links to code. Most generators leave out directories that begin with a dot.
const BesideSite = ".causal-docs"

// siteMarks are the files by which a repository is known to have a site, and the directories where they are looked for.
var siteMarks = []struct{ in, names []string }{
	{words(". docs doc website site documentation docs/source doc/source docs/src"), words(`mkdocs.yml mkdocs.yaml zensical.toml
		docusaurus.config.js docusaurus.config.ts docusaurus.config.mjs docusaurus.config.cjs docusaurus.config.mts _config.yml _config.yaml
		.vitepress/config.js .vitepress/config.ts .vitepress/config.mjs .vitepress/config.mts .vitepress/config/index.js
		.vitepress/config/index.ts .vitepress/config/index.mts .vuepress/config.js .vuepress/config.ts hugo.toml hugo.yaml hugo.json
		antora.yml antora-playbook.yml book.toml`)},
	{words("docs doc docs/source doc/source"), words(`conf.py config.toml astro.config.mjs astro.config.ts astro.config.js SUMMARY.md
		_sidebar.md index.html .nojekyll`)},
	{words(". docs"), words("CNAME .eleventy.js eleventy.config.js eleventy.config.mjs eleventy.config.cjs eleventy.config.ts")},
}

var words = strings.Fields

// siteMark returns the first file that marks a site, or "".
func siteMark(has func(name string) bool) string {
	for _, m := range siteMarks {
		for _, dir := range m.in {
			at := slices.IndexFunc(m.names, func(name string) bool {
				return has(path.Join(dir, name)) && !(strings.HasPrefix(name, "mkdocs.") && has(SiteHook))
			})
			if at >= 0 {
				return path.Join(dir, m.names[at])
			}
		}
	}
	if has("conf.py") && (has("index.rst") || has("index.md")) { // elsewhere conf.py is any module
		return "conf.py"
	}
	return ""
}

// SiteExclusion says what a site at the root needs in its configuration if its generator reads directories that begin with a dot.
func SiteExclusion(mark string) string {
	switch {
	case mark == "conf.py":
		return `add ".causal*" to exclude_patterns in conf.py`
	case strings.Contains(mark, "eleventy") && path.Dir(mark) == ".":
		return "add .causal and " + BesideSite + " to .eleventyignore if the input of Eleventy is the root"
	}
	return ""
}

// placePages decides where pages go if the configuration does not say. Where pages are, they stay.
func placePages(c *config.Config, has func(name string) bool) {
	layout, beside := store.Layout{Docs: c.Docs.Dir}, store.Layout{Docs: BesideSite}
	if c.Docs.Given || has(layout.Index()) {
		return
	}
	c.Docs.Site = siteMark(has)
	if c.Docs.Site != "" || has(beside.Index()) {
		c.Docs.Dir = BesideSite
	}
}

// SiteHook is the file by which a site that causal init writes takes the pages in. It is among causal's own files: in the root it would
// be a module of the repository.
const SiteHook = store.Top + "/mkdocs_links.py"
