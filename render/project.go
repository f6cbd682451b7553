package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
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
