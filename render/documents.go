package render

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// document is a document, or a section of the README.
type document struct{ title, file, anchor string }

// dir returns the directory under which the document is listed. It is empty for the documents in the first line.
func (d document) dir() string {
	switch {
	case d.title == moreDocuments:
		return d.file
	case path.Dir(d.file) == "." || slices.ContainsFunc(forContributors, func(c document) bool { return c.file == d.file }):
		return ""
	case strings.EqualFold(d.title, path.Base(path.Dir(d.file))): // the README of a directory
		return path.Dir(path.Dir(d.file))
	}
	return path.Dir(d.file)
}

const moreDocuments = "more"

const (
	// mostGuides is how many further documents the entry page links, and mostBeside how many of one directory.
	mostGuides, mostBeside = 40, 8
)

// lookedFor matches documents that most readers look for.
var lookedFor = lazyregexp.New(`^(?:config|configuration|settings|environment|cli|commands?|command line|options|reference|install|installation|setup|usage|getting started|quick ?start|guide|tutorial|faq|architecture|develop|development|deployment|api)$`)

// camelCase matches names whose capitals separate words: "UserGuide".
var camelCase = lazyregexp.New(`\p{Ll}\p{Lu}`)

// manualsIn lists the documents about the use of the project, without translations, tests, examples, and the templates of site
// generators, which have names in brackets.
func manualsIn(f *facts) (out []document) {
	for _, file := range ask(f, survey.FilesFor, survey.ManualList) {
		title := path.Base(file)
		if !manual.IsPage(title) {
			title = strings.TrimSuffix(title, path.Ext(title))
		}
		if !manual.IsPage(title) {
			title = strings.NewReplacer("-", " ", "_", " ").Replace(title)
		}
		if !camelCase.MatchString(title) {
			title = strings.ToLower(title)
		}
		if translated.MatchString(file) || strings.HasPrefix(title, "[") || strings.HasPrefix(title, ".") || supportsTests(file) || source.IsExampleDir(path.Dir(file)) {
			continue
		}
		if isIndex(file) && path.Dir(file) != "." { // of a directory of documents
			title = strings.ToLower(path.Base(path.Dir(file)))
		}
		out = append(out, document{title, file, ""})
	}
	return out
}

// guidesIn lists further documents: the usual ones first, then those nearest to the root. A directory with more of them is
// linked once. It leaves out listed documents.
func guidesIn(f *facts, listed []document) (out []document) {
	all := slices.DeleteFunc(manualsIn(f), func(d document) bool {
		return isIndex(d.file) && strings.Count(d.file, "/") < 2 || slices.ContainsFunc(listed, func(l document) bool { return l.file == d.file })
	})
	rank := func(d document) int {
		if lookedFor.MatchString(strings.ToLower(path.Base(d.title))) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b document) int { return rank(a) - rank(b) })
	beside := map[string]int{}
	for _, d := range all {
		dir := path.Dir(d.file)
		switch beside[dir]++; {
		case beside[dir] > mostBeside+1 && dir != "." || len(out) > mostGuides:
		case beside[dir] > mostBeside && dir != ".", len(out) == mostGuides:
			out = append(out, document{moreDocuments, dir, ""})
		default:
			out = append(out, d)
		}
	}
	return out
}

// forContributors are the usual documents for contributors.
var forContributors = []document{
	{"contributing", "CONTRIBUTING.md", ""}, {"contributing", "CONTRIBUTING.rst", ""}, {"contributing", ".github/CONTRIBUTING.md", ""},
	{"contributing", "docs/CONTRIBUTING.md", ""}, {"contributing", "docs/contributing.md", ""}, {"development", "DEVELOPMENT.md", ""},
	{"development", "docs/development.md", ""}, {"hacking", "HACKING.md", ""}, {"architecture", "ARCHITECTURE.md", ""},
	{"architecture", "docs/ARCHITECTURE.md", ""}, {"architecture", "docs/architecture.md", ""}, {"for coding agents", "AGENTS.md", ""},
	{"documentation", "docs/README.md", ""}, {"documentation", "docs/index.md", ""}, {"documentation", "doc/README.md", ""},
	{"documentation", "docs/index.rst", ""}, {"documentation", "doc/index.rst", ""},
	{"changes", "CHANGELOG.md", ""}, {"changes", "CHANGES.md", ""}, {"changes", "HISTORY.md", ""}, {"changes", "CHANGES.rst", ""},
}

// Documents lists the documents that say how to work on the project.
func Documents(in survey.Reader) (files []string, err error) {
	f := &facts{r: in}
	for _, d := range documentsIn(f) {
		if d.title != "documentation" && d.title != "changes" {
			files = append(files, d.file)
		}
	}
	return files, f.err
}

func documentsIn(f *facts) []document {
	return slices.DeleteFunc(slices.Clone(forContributors), func(d document) bool { return !ask(f, survey.Exists, d.file) })
}

// working matches README headings about working with the project.
var working = lazyregexp.New(`(?i)^(install|installation|installing|getting started|quick ?start|setup|set up|usage|using|running|run|build|building|compiling|development|developing|tests?|testing|configuration|configuring|deploy|deployment|deploying|docker|requirements|prerequisites|documentation|tutorials?|examples?|guides?)\b`)

const mostSections = 6

// readmeSections lists the sections of the README about working with the project.
func readmeSections(readme survey.Readme) (out []document) {
	if !source.IsDocument(readme.Path) {
		return nil
	}
	for _, h := range source.Headings(readme.Path, readme.Content) {
		words := strings.TrimLeftFunc(h.Text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if working.MatchString(words) && h.Level <= 3 && len(words) <= longHeading && len(out) < mostSections && !slices.ContainsFunc(out, func(d document) bool { return d.title == words }) {
			out = append(out, document{words, readme.Path, h.Anchor})
		}
	}
	return out
}

// longHeading is the length from which a heading is a sentence.
const longHeading = 50

// isIndex reports whether a document introduces those of its directory.
func isIndex(file string) bool {
	stem := strings.ToLower(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	return stem == "readme" || strings.TrimPrefix(stem, "_") == "index"
}

// documents links to the documents, by directory.
func (x *indexPage) documents() {
	var dirs []string
	links := map[string][]string{}
	for _, d := range x.project.documents {
		to := x.to(d.file) // of a file, or the directory with the rest
		if d.anchor != "" {
			to += "#" + d.anchor
		}
		dir := d.dir()
		if links[dir] == nil {
			dirs = append(dirs, dir)
		}
		links[dir] = append(links[dir], markdown.Link(markdown.Escape(upper(d.title)), to))
	}
	const title = "**Written by people**"
	var lines []string
	for _, dir := range dirs {
		line := strings.Join(links[dir], " · ")
		if dir != "" {
			line = markdown.Code(canonical.Path(dir)) + ": " + line
		}
		lines = append(lines, line)
	}
	switch len(lines) {
	case 0:
	case 1:
		x.line(title + " · " + lines[0])
	default:
		x.line(title + paragraph + "- " + strings.Join(lines, "\n- "))
	}
}
