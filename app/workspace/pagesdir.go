package workspace

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
)

// BesideSite is the page directory for repositories with a documentation site. In the site's sources, pages would be
// published, and strict builds fail on their links to code. Most generators ignore directories that start with a dot.
const BesideSite = ".causal-docs"

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
	if has("conf.py") && (has("index.rst") || has("index.md")) { // elsewhere conf.py can be any module
		return "conf.py"
	}
	return ""
}

// SiteExclusion returns the configuration change that a site at the root needs if its generator reads dot directories.
func SiteExclusion(mark string) string {
	switch {
	case mark == "conf.py":
		return `add ".causal*" to exclude_patterns in conf.py`
	case strings.Contains(mark, "eleventy") && path.Dir(mark) == ".":
		return "add .causal and " + BesideSite + " to .eleventyignore if the input of Eleventy is the root"
	}
	return ""
}

// placePages sets the page directory unless it is configured, and follows its symbolic links. Existing pages stay in place.
func placePages(c *config.Config, has func(name string) bool, link func(name string) string) {
	defer func() { c.Docs.Dir = followed(c.Docs.Dir, link) }()
	layout, beside := store.Layout{Docs: c.Docs.Dir}, store.Layout{Docs: BesideSite}
	if c.Docs.Line == 0 && !has(layout.Index()) {
		c.Docs.Site = siteMark(has)
		if c.Docs.Site != "" || has(beside.Index()) {
			c.Docs.Dir = BesideSite
		}
	}
	for _, dir := range []string{config.Default().Docs.Dir, BesideSite} {
		if former := (store.Layout{Docs: dir}); dir != c.Docs.Dir && has(former.Index()) && has(former.Guide()) {
			c.Docs.Former = append(c.Docs.Former, dir)
		}
	}
}

// followed returns a directory without symbolic links; link returns the target of a link, or "". git has no files behind a link.
func followed(dir string, link func(name string) string) string {
	const most = 8 // links, which may lead in a circle
	for range most {
		at := ""
		for _, element := range strings.Split(dir, "/") {
			at = path.Join(at, element)
			if target := link(at); target != "" {
				rest := strings.TrimPrefix(dir, at)
				if next := path.Join(path.Dir(at), target) + rest; !path.IsAbs(target) && filepath.IsLocal(next) {
					dir, at = next, ""
				}
				break
			}
		}
		if at != "" {
			break
		}
	}
	return dir
}

// owns reports whether causal generated a file, also for an earlier docs.dir.
func (w *Workspace) owns(file string) bool {
	return w.Layout.Owns(file) || slices.ContainsFunc(w.Config.Docs.Former, func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
}

// refuseSources refuses a configured page directory with sources, because files in it are never read.
func refuseSources(c *config.Config, names []string) error {
	classes := source.NewClassifier(languages.All())
	for _, name := range names {
		if c.Docs.Line > 0 && strings.HasPrefix(name, c.Docs.Dir+"/") && classes.Classify(name).Readable && !store.IsTest(name) && !c.Excluded(name) {
			what := fmt.Sprintf("docs.dir %q contains the source file %s, which would not be read; choose a directory for the pages only, or exclude the file", c.Docs.Dir, name)
			return &config.Error{File: store.Config, Problems: []config.Problem{{Line: c.Docs.Line, What: what}}}
		}
	}
	return nil
}

// SiteHook is the hook that includes the pages in a site written by causal init. It is one of causal's own files: in
// the root it would be a module of the repository.
const SiteHook = store.Top + "/mkdocs_links.py"
