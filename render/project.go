package render

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// project lists the tasks of a repository, its components, where they begin, and its documents for contributors.
type project struct {
	tasks      []placedTask
	components []component
	documents  []document
	begins     []manifest.Begin
	unexamined int  // directories in which no project was looked for
	services   int  // of the compose file that are not listed
	rooted     bool // a file at the root says where programs begin
}

type placedTask struct {
	manifest.Task
	dir string
}

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
	// mostPlaced bounds the directories with listed tasks, in addition to the root.
	mostPlaced = 4
	// mostParts bounds the directories with their own project.
	mostParts = 24
)

// placeIn reads a directory of the repository through facts.
type placeIn struct {
	*facts
	dir   string
	hides func(name string) bool // files that are not read; may be nil
}

func (p placeIn) Read(name string) []byte {
	if p.hides != nil && p.hides(path.Join(p.dir, name)) {
		return nil
	}
	return p.blob(path.Join(p.dir, name))
}

func (p placeIn) Has(name string) bool { return ask(p.facts, survey.Exists, path.Join(p.dir, name)) }

func (p placeIn) Sources(dir string) (out []string) {
	modules := ask(p.facts, func(r survey.Reader, _ string) ([]string, error) { return survey.Modules(r) }, "")
	for _, m := range modules {
		if path.Dir(m) == path.Join(p.dir, dir) {
			out = append(out, path.Base(m))
		}
	}
	return out
}

// Tasks lists the tasks of the project at the root of the repository, except those in hidden files.
func Tasks(in survey.Reader, hides func(name string) bool) ([]manifest.Task, error) {
	f := &facts{r: in}
	list := manifest.Tasks(placeIn{f, ".", hides})
	return list, f.err
}

// projectOf reads the tasks of the repository and of parts with their own manifest, and the documents for contributors.
func projectOf(f *facts, modules []Summary, readme survey.Readme, name string) (p project) {
	var root []manifest.Task
	var workspace, builds bool
	var places []placeIn
	places, p.unexamined = placesIn(f, modules)
	for i, place := range places {
		tasks := manifest.Under(root, manifest.Tasks(place), depthOf(place.dir))
		if place.dir == "." {
			root, workspace, builds = tasks, manifest.InstallsAll(place), manifest.BuildsAll(place)
		}
		c := componentIn(place)
		p.components = append(p.components, c)
		if place.dir == "." || !p.rooted {
			p.begin(place)
		}
		for _, t := range tasks {
			same := func(o placedTask) bool {
				return o.dir == "." && o.Run == t.Run && o.Does == t.Does && (t.Purpose != "install" || workspace)
			}
			if builds && place.dir != "." && t.OfWorkspace() {
				continue
			}
			covered := func(o placedTask) bool { // by the root, which runs the tasks of all packages
				return o.dir == "." && o.Purpose == t.Purpose && o.File == t.File && t.Purpose != "run" && t.Purpose != "install" && (ofWorkspace.MatchString(o.Does) || strings.Contains(o.Does, path.Base(place.dir)+":"))
			}
			listed := !slices.ContainsFunc(p.tasks, covered) && i <= mostPlaced && (depthOf(place.dir) == 1 || c.libraries != nil) && !slices.ContainsFunc(p.tasks, same) // the root repeats the tasks of a workspace
			if place.dir == "." || listed {
				p.tasks = append(p.tasks, placedTask{t, place.dir})
			}
		}
	}
	slices.SortStableFunc(p.tasks, func(a, b placedTask) int {
		return slices.Index(manifest.Purposes, a.Purpose) - slices.Index(manifest.Purposes, b.Purpose)
	})
	p.components, p.services = deployed(p.components, places[0], name)
	p.documents = append(readmeSections(readme), slices.CompactFunc(documentsIn(f), func(a, b document) bool { return a.title == b.title })...)
	p.documents = append(p.documents, guidesIn(f, p.documents)...)
	return p
}

// ofWorkspace matches commands that run a task of all packages.
var ofWorkspace = lazyregexp.New(`\b(?:turbo|nx|lerna|wsrun|moon|workspaces?)\b|(?:^|\s)(?:-r|--recursive|--workspaces)(?:\s|$)`)

// placesIn lists the project directories, the root first, and counts the skipped ones.
func placesIn(f *facts, modules []Summary) (out []placeIn, unexamined int) {
	out = []placeIn{{f, ".", nil}}
	dirs := partsOf(modules)
	for i, dir := range dirs {
		if i == mostLooked || len(out) > mostParts {
			return out, len(dirs) - i
		}
		if place := (placeIn{f, dir, nil}); slices.ContainsFunc(manifest.WithBuild, place.Has) {
			out = append(out, place)
		}
	}
	return out, 0
}

// ownTasks lists the tasks that only this project has, and counts the directories that are not examined.
func ownTasks(f *facts, paths []string) (out []placedTask, unexamined int) {
	var modules []Summary
	for _, p := range paths {
		modules = append(modules, Summary{Path: p})
	}
	places, unexamined := placesIn(f, modules)
	root := manifest.Tasks(places[0])
	for _, place := range places {
		for _, t := range manifest.Under(root, manifest.Own(place), depthOf(place.dir)) {
			out = append(out, placedTask{t, place.dir})
		}
	}
	return out, unexamined
}

// begin adds where the programs of a directory begin.
func (p *project) begin(place placeIn) {
	for _, b := range manifest.Begins(place) {
		if b.Path != "" {
			b.Path = path.Join(place.dir, b.Path)
		}
		p.begins, p.rooted = append(p.begins, b), p.rooted || place.dir == "." && b.Path != ""
	}
}

const (
	// mostGuides is how many further documents the entry page links, and mostBeside how many of one directory.
	mostGuides, mostBeside = 40, 8
)

// lookedFor matches documents that most readers look for.
var lookedFor = lazyregexp.New(`^(?:config|configuration|settings|environment|cli|commands?|command line|options|reference|install|installation|setup|usage|getting started|quick ?start|guide|tutorial|faq|architecture|develop|development|deployment|api)$`)

// camelCase matches names whose capitals separate words: "UserGuide".
var camelCase = lazyregexp.New(`\p{Ll}\p{Lu}`)

// guidesIn lists further documents: the usual ones first, then those nearest to the root. A directory with more of them is
// linked once. It leaves out listed documents, and the templates of site generators, which have names in brackets.
func guidesIn(f *facts, listed []document) (out []document) {
	var all []document
	for _, file := range ask(f, survey.FilesFor, survey.ManualList) {
		title := strings.NewReplacer("-", " ", "_", " ").Replace(strings.TrimSuffix(path.Base(file), path.Ext(file)))
		if !camelCase.MatchString(title) {
			title = strings.ToLower(title)
		}
		known := func(d document) bool { return d.file == file }
		switch first := title == "readme" || title == "index"; {
		case first && strings.Count(file, "/") < 2, translated.MatchString(file), strings.HasPrefix(title, "["), supportsTests(file), source.IsExampleDir(path.Dir(file)), slices.ContainsFunc(listed, known):
			continue
		case first: // of a directory of documents
			title = strings.ToLower(path.Base(path.Dir(file)))
		}
		all = append(all, document{title, file, ""})
	}
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

// partsOf lists the directories with modules of the product down to the second level, the top ones first.
func partsOf(modules []Summary) (dirs []string) {
	for _, m := range modules {
		if !isProduct(m) {
			continue
		}
		parts := strings.Split(m.Path, "/")
		dirs = append(dirs, parts[0])
		if len(parts) > 1 {
			dirs = append(dirs, parts[0]+"/"+parts[1])
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(depthOf(a)-depthOf(b), cmp.Compare(a, b)) })
	return slices.DeleteFunc(slices.Compact(dirs), func(dir string) bool { return dir == "." || innerDir.MatchString(dir) })
}

// mostLooked bounds the directories in which manifests are looked up.
const mostLooked = 40

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

var heading = lazyregexp.New(`^#{1,3} +(.+?)[ #]*$`)

const mostSections = 6

func readmeSections(readme survey.Readme) (out []document) {
	if path.Ext(readme.Path) != ".md" {
		return nil
	}
	fence, slugs := false, markdown.Slugger{}
	for line := range strings.Lines(string(readme.Content)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence = !fence
		}
		m := heading.FindStringSubmatch(line)
		if fence || m == nil {
			continue
		}
		title := markdown.Plain(m[1], "markdown")
		words := strings.TrimLeftFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		slug := slugs.Slug(title)
		if working.MatchString(words) && len(words) <= longHeading && len(out) < mostSections && !slices.ContainsFunc(out, func(d document) bool { return d.title == words }) {
			out = append(out, document{words, readme.Path, slug})
		}
	}
	return out
}

// longHeading is the length from which a heading is a sentence.
const longHeading = 50

// command returns the command that runs the task from the root.
func (t placedTask) command() string {
	if t.dir == "." {
		return t.Run
	}
	return "cd " + shellWord(t.dir) + " && " + t.Run
}

// runs names the main command of the task.
func (t placedTask) runs() string {
	switch {
	case t.Does == "":
		return ""
	case t.More == 0:
		return markdown.Code(t.Does)
	}
	return markdown.Code(t.Does) + " and " + count(t.More, "more command")
}

// place links to the file of the task.
func (t placedTask) place(page string) string {
	file := path.Join(t.dir, t.File)
	return markdown.Link(markdown.Code(file), relative(page, file))
}

// RunHeading is above the commands of the entry page.
const RunHeading = "## Run it"

// runIt shows how to install, run, build, test and check the project, and links to the documents.
func (x *indexPage) runIt() {
	if len(x.project.tasks) > 0 {
		x.line(RunHeading)
		var rows [][]string
		for _, t := range x.project.tasks {
			cell := markdown.Code(t.command())
			if t.Does != "" {
				cell += " (" + t.runs() + ")"
			} else if t.Starts != "" {
				cell += " (starts " + markdown.Escape(t.Starts) + ")"
			}
			rows = append(rows, []string{t.Purpose, cell, t.place(x.path)})
		}
		x.b.WriteString(table([]string{"To", "Run", "Found in"}, rows))
	}
	x.documents()
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
