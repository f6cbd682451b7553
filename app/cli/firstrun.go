package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render"
)

// isFirst reports whether the run created the entry page.
func (p *place) isFirst() bool {
	before, written := p.Files.Changed()[p.Layout.Index()]
	return written && before == nil
}

func (p *place) firstText(r *report.Update) string {
	var b strings.Builder
	plain.Add(&b, "documented %s on %s; start with %s\n",
		summary.Count(len(r.Updated)+r.Unchanged, "module"), summary.Count(len(r.PagesWritten), "page"), p.Layout.Index())
	if c := r.Coverage; c != nil {
		plain.Add(&b, "read      %s\n", countsOf(c.Read))
		if len(c.Unread) > 0 {
			plain.Add(&b, "not read  %s\n", countsOf(c.Unread))
		}
		if language := mostlyUnread(c); language != "" {
			plain.Add(&b, "note      most of the code is %s, which causal does not read: its pages only list the files\n", language)
		}
	}
	addPartial(&b, r)
	addTests(&b, r.Tests, "written")
	own := p.Layout.Docs
	if exists(filepath.Join(p.Repo.Root(), store.Top)) {
		own += " and " + store.Top
	}
	plain.Add(&b, "next      commit %s; causal check then reports pages that are out of date\n", own)
	return b.String()
}

// mostlyUnread returns the language that causal does not read if it has more files than all languages that it reads.
func mostlyUnread(c *survey.Coverage) string {
	read, most, language := 0, 0, ""
	for _, f := range c.Read {
		if f.By == survey.ByLanguage {
			read += f.Files
		}
	}
	for _, f := range c.Unread {
		if f.By == survey.ByLanguage && f.Files > most {
			most, language = f.Files, render.LanguageTitle(f.Name)
		}
	}
	if most <= read {
		return ""
	}
	return language
}

var prettierFiles = []string{
	".prettierrc", ".prettierrc.json", ".prettierrc.yml", ".prettierrc.yaml", ".prettierrc.js", ".prettierrc.mjs", ".prettierrc.cjs",
	"prettier.config.js", "prettier.config.mjs", "prettier.config.cjs", "prettier.config.ts",
}

// readSmall reads a user's file. A missing, large or irregular file counts as empty.
func readSmall(file string) []byte {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > hooks.LargestSettings {
		return nil
	}
	data, _ := os.ReadFile(file)
	return data
}

// tellPrettier recommends an exclusion of .causal in a repository that uses Prettier. Prettier does not change pages.
func (p *place) tellPrettier() {
	read := func(name string) string { return string(readSmall(filepath.Join(p.Repo.Root(), name))) }
	uses := strings.Contains(read("package.json"), `"prettier"`) || slices.ContainsFunc(prettierFiles, func(name string) bool { return read(name) != "" })
	if uses && !strings.Contains(read(".prettierignore"), store.Top) {
		_, _ = plain.Fprintf(p.world.Err, "Prettier would reformat the files of causal: add %s to .prettierignore\n", store.Top)
	}
}

const mostCounted = 8

func countsOf(counts []survey.FileCount) string {
	var parts []string
	rest := 0
	for i, c := range counts {
		if i < mostCounted {
			parts = append(parts, fmt.Sprintf("%d %s", c.Files, kindOfFiles(c)))
		} else {
			rest += c.Files
		}
	}
	if rest > 0 {
		parts = append(parts, summary.Count(rest, "other"))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func kindOfFiles(c survey.FileCount) string {
	switch {
	case c.By == survey.ByLanguage:
		return render.LanguageTitle(c.Name)
	case c.By == survey.ByReason && c.Files > 1:
		return fmt.Sprintf("%s (such as %s)", c.Name, c.Example)
	case c.By == survey.ByReason:
		return fmt.Sprintf("%s (%s)", c.Name, c.Example)
	case c.Files == 1 && c.By == survey.ByType && c.Name[0] != '.':
		return strings.TrimSuffix(c.Name, "s")
	}
	return c.Name
}

func (p *place) tellFormer() {
	for _, dir := range p.Config.Docs.Former {
		_, _ = plain.Fprintf(p.world.Err, "%s has pages of an earlier docs.dir, which are not updated; remove them: git rm -r %s\n", dir, dir)
	}
}

func (p *place) tellSite() {
	site := p.Config.Docs.Site
	if site == "" {
		return
	}
	_, _ = plain.Fprintf(p.world.Err, "pages are in %s, outside the site of %s; set docs.dir in .causal/config.yml to move them\n", p.Layout.Docs, site)
	if more := workspace.SiteExclusion(site); more != "" {
		_, _ = plain.Fprintf(p.world.Err, "the site would publish them: %s\n", more)
	}
}
