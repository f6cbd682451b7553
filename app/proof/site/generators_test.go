package site

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// generator is a repository with a documentation site. OUT in its command is the output directory.
type generator struct {
	program  string   // the test is skipped without it
	packages []string // of npm
	build    []string
	files    map[string]string
}

// generators are sites whose generator would take pages in docs/causal among its own.
var generators = map[string]generator{
	"MkDocs": {"mkdocs", nil, words("mkdocs build --strict --site-dir OUT"), map[string]string{"mkdocs.yml": "site_name: shop\n", "docs/index.md": "# Shop\n"}},
	"Sphinx": {"sphinx-build", nil, words("sphinx-build -W -b html docs OUT"), map[string]string{
		"docs/conf.py": "project = 'shop'\nextensions = ['myst_parser']\n", "docs/index.md": "# Shop\n",
	}},
	"Sphinx at the root": {"sphinx-build", nil, words("sphinx-build -W -b html . OUT"), map[string]string{
		"conf.py": "project = 'shop'\nextensions = ['myst_parser']\nexclude_patterns = ['.causal*', 'README.md']\n", "index.md": "# Shop\n",
	}},
	"Jekyll":                    {"jekyll", nil, words("jekyll build --destination OUT"), map[string]string{"_config.yml": "title: Shop\n", "index.md": "---\n---\n# Shop\n"}},
	"GitHub Pages in docs":      {"jekyll", nil, words("jekyll build --source docs --destination OUT"), map[string]string{"docs/CNAME": "shop.example.com\n", "docs/index.md": "---\n---\n# Shop\n"}},
	"Hugo":                      {"hugo", nil, words("hugo --panicOnWarning --destination OUT"), hugo},
	"Docusaurus in a directory": {"npm", words("@docusaurus/core@3 @docusaurus/preset-classic@3 react@19 react-dom@19"), words("npx docusaurus build website --out-dir OUT"), docusaurus},
	"VitePress": {"npm", words("vitepress@1"), words("npx vitepress build docs --outDir OUT"), map[string]string{
		"docs/.vitepress/config.mts": "export default {}\n", "docs/index.md": "# Shop\n",
	}},
	"VitePress at the root": {"npm", words("vitepress@1"), words("npx vitepress build . --outDir OUT"), map[string]string{
		".vitepress/config/index.mts": "export default { srcExclude: ['README.md'] }\n", "index.md": "# Shop\n",
	}},
	"Eleventy": {"npm", words("@11ty/eleventy@3"), words("npx eleventy --output=OUT"), map[string]string{
		"eleventy.config.js": "export default function () {}\n", ".eleventyignore": ".causal\n.causal-docs\nREADME.md\n", "index.md": "# Shop\n",
	}},
}

var (
	hugo = map[string]string{
		"hugo.toml": "title = 'Shop'\ncontentDir = 'docs'\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']\n", "docs/_index.md": "# Shop\n",
		"layouts/_default/single.html": "{{ .Content }}\n", "layouts/_default/list.html": "{{ .Content }}\n",
	}
	docusaurus = map[string]string{
		"website/docusaurus.config.js": `export default {
  title: 'Shop', url: 'https://shop.example.com', baseUrl: '/', onBrokenLinks: 'throw',
  presets: [['classic', {docs: {path: '../docs', routeBasePath: '/', sidebarPath: false}, blog: false}]],
};
`,
		"website/package.json": "{}\n", // Docusaurus writes CommonJS to this directory
		"docs/index.md":        "# Shop\n",
	}
)

var words = strings.Fields

// TestSitesStayAsTheyAre checks that causal update does not change the build of an existing site, and that pages in docs/causal would.
func TestSitesStayAsTheyAre(t *testing.T) {
	long(t)
	for name, g := range generators {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // each takes all processors
			f := g.repository(t)
			before := g.built(f)
			if before.failed || len(before.files) == 0 {
				t.Fatalf("the site was not built:\n%s", strings.Join(before.lines, "\n"))
			}
			f.causal("update")
			f.commit()
			if d := before.difference(g.built(f)); d != "" {
				t.Errorf("after causal update: %s", d)
			}
			f.write(".causal/config.yml", "version: 1\ndocs:\n  dir: docs/causal\n")
			f.causal("update")
			f.commit()
			if d := before.difference(g.built(f)); d == "" {
				t.Error("the site leaves pages in docs/causal out: it needs no other place for them")
			}
		})
	}
}

// repository makes a repository with the site, and with Go code.
func (g generator) repository(t *testing.T) *fixture {
	t.Helper()
	if _, err := exec.LookPath(g.program); err != nil {
		t.Skipf("%s is not installed", g.program)
	}
	f := &fixture{t, t.TempDir(), "docs"}
	f.write("go.mod", "module example.com/shop\n")
	f.write("money/money.go", "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n")
	f.write("README.md", "# Shop\n\nSells.\n")
	f.write(".gitignore", "node_modules/\n/.cache/\n.docusaurus/\n.vitepress/cache/\n__pycache__/\n.jekyll-cache/\nresources/\n.hugo_build.lock\npackage*.json\n")
	for name, text := range g.files {
		f.write(name, text)
	}
	if len(g.packages) > 0 {
		f.write("package.json", `{"type": "module", "private": true}`+"\n")
		f.npm(g.packages)
	}
	f.run("git", "init", "--quiet")
	f.commit()
	return f
}

// npm installs packages. It skips the test without a registry.
func (f *fixture) npm(packages []string) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), "npm", append(words("install --silent --no-audit --no-fund --ignore-scripts"), packages...)...)
	cmd.Dir = f.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		f.t.Skipf("npm cannot install %s: %v %.300s", packages, err, out)
	}
}

func (f *fixture) commit() {
	f.t.Helper()
	f.run("git", "add", "--all")
	f.run("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message=Change")
}

// outcome is the output of a build.
type outcome struct {
	failed       bool
	lines, files []string
}

var (
	number = regexp.MustCompile(`\d+(\.\d+)?`)
	digest = regexp.MustCompile(`\.[\w-]{8}\.`) // in the name of a file
)

// built builds the site into an empty directory.
func (g generator) built(f *fixture) outcome {
	f.t.Helper()
	dir := f.t.TempDir()
	args := slices.Clone(g.build)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "OUT", dir)
	}
	cmd := exec.CommandContext(f.t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = f.dir, append(os.Environ(), "CI=1", "NO_COLOR=1", "NO_UPDATE_NOTIFIER=1")
	out, err := cmd.CombinedOutput()
	seen := map[string]bool{}
	for line := range strings.Lines(strings.ReplaceAll(string(out), dir, "OUT")) {
		seen[strings.TrimSpace(number.ReplaceAllString(line, "N"))] = true
	}
	o := outcome{failed: err != nil, lines: slices.Sorted(maps.Keys(seen))}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			o.files = append(o.files, digest.ReplaceAllString(filepath.ToSlash(name), ".N."))
		}
		return err
	}); err != nil {
		f.t.Fatal(err)
	}
	slices.Sort(o.files)
	return o
}

// difference lists the differences between two builds.
func (o outcome) difference(other outcome) string {
	var b strings.Builder
	if o.failed != other.failed {
		b.WriteString("one build fails\n")
	}
	for sign, pair := range map[string][2]outcome{"-": {o, other}, "+": {other, o}} {
		for _, name := range pair[0].files {
			if !slices.Contains(pair[1].files, name) {
				b.WriteString(sign + name + "\n")
			}
		}
	}
	for _, line := range other.lines {
		if !slices.Contains(o.lines, line) {
			b.WriteString("+ " + line + "\n")
		}
	}
	return b.String()
}
