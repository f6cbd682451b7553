package site

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// nasty is code whose pages Prettier would format differently.
var nasty = map[string]string{
	"shapes/shapes.ts": `/** How a chart is drawn. See http://中国.icom.museum and 文档abc for the kinds of charts that there are in this module. */
export type Kind = 'bar' | 'bubble' | 'doughnut' | 'pie' | 'line' | 'polarArea' | 'radar' | 'scatter' | 'heat';

/** What a chart needs. */
export interface Props<T = 'long-name-of-a-first-default' | 'long-name-of-a-second-default' | 'a-third'> {
  kind?: 'attachment-library.labels.not-linked' | 'attachment-library.labels.unused' | T;
  draw: (kind: Kind, at: { x: number; y: number }) => Promise<Array<string>>;
}
`,
	"tools/comment.go":    "package tools\n\n// Deep has a comment inside.\ntype Deep interface {\n\t// Do it. \n\t// \n\t//   - now  \n\tDo(x_y, __z int) (a__b string)\n}\n",
	"store/00__inbox.sql": "CREATE TABLE inbox (id INT);\n", "store/01__delete.sql": "DROP TABLE inbox;\n",
}

// formats are options of Prettier. Pages do not change unless the indent is another one, which the front matter then has.
var formats = []string{
	"",
	"--single-quote",
	"--prose-wrap always",
	"--prose-wrap always --tab-width 4",
	"--prose-wrap never --use-tabs --single-quote",
}

// TestFormatters: pages that Prettier and the usual hooks changed are fresh, and an update leaves them as they are.
func TestFormatters(t *testing.T) {
	long(t)
	tools := &fixture{t, t.TempDir(), ""}
	tools.write("package.json", "{}\n")
	tools.npm(words("prettier2@npm:prettier@2 prettier3@npm:prettier@3"))
	shops := inLanguages(t)
	for name, text := range nasty {
		shops.write(name, text)
	}
	for _, f := range []*fixture{shops, ownDocs(t)} {
		f.run("rm", "-rf", "docs/causal") // an update does not rewrite a page because of its formatting
		f.causal("update")
		f.commit()
		files := f.generated()
		for _, program := range []string{"prettier3/bin/prettier.cjs", "prettier2/bin-prettier.js"} {
			for _, options := range formats {
				args := append([]string{filepath.Join(tools.dir, "node_modules", program), "--no-config", "--ignore-path=none", "--write"}, words(options)...)
				f.run("node", append(args, files...)...)
				if changed := f.run("git", "diff", "--stat", "--", "*.md"); !strings.Contains(options, "-tab") && changed != "" {
					t.Errorf("%s %s changes pages:\n%s", program, options, changed)
				}
				f.trim(files)
				formatted := f.staged()
				f.causal("check")
				f.causal("update")
				if now := f.staged(); now != formatted {
					t.Errorf("after %s %s, an update changes:\n%s", program, options, f.run("git", "diff", "--stat", formatted, now))
				}
				f.run("git", "reset", "--quiet", "--hard")
			}
		}
	}
}

// generated lists the Markdown and YAML that causal wrote.
func (f *fixture) generated() []string {
	f.t.Helper()
	names := strings.Fields(f.run("git", "ls-files", "docs/causal/*.md", ".causal/*.yml"))
	if len(names) < 20 {
		f.t.Fatalf("there are only %d generated files", len(names))
	}
	return names
}

// staged is the tree of all files.
func (f *fixture) staged() string {
	f.t.Helper()
	f.run("git", "add", "--all")
	return strings.TrimSpace(f.run("git", "write-tree"))
}

var lastBlanks = regexp.MustCompile(`(?m)[ \t]+$`)

// trim does the work of the hooks trailing-whitespace and end-of-file-fixer.
func (f *fixture) trim(files []string) {
	f.t.Helper()
	for _, name := range files {
		text := lastBlanks.ReplaceAllString(f.read(filepath.Join(f.dir, name)), "")
		f.write(name, strings.TrimRight(text, "\n")+"\n")
	}
}

// TestNoLineEndsInBlanks: the hooks trailing-whitespace and end-of-file-fixer change nothing.
func TestNoLineEndsInBlanks(t *testing.T) {
	long(t)
	f := inLanguages(t)
	for name, text := range nasty {
		f.write(name, text)
	}
	f.causal("update")
	f.commit()
	f.trim(f.generated())
	if changed := f.run("git", "diff", "--stat"); changed != "" {
		t.Errorf("the hooks change:\n%s", changed)
	}
}

// TestMarkdownlint: with default settings, no rule is broken.
func TestMarkdownlint(t *testing.T) {
	long(t)
	f := ownDocs(t)
	tools := &fixture{t, t.TempDir(), ""}
	tools.write("package.json", "{}\n")
	tools.npm(words("markdownlint-cli2"))
	f.run(filepath.Join(tools.dir, "node_modules", ".bin", "markdownlint-cli2"), "docs/causal/**/*.md")
}
