package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
)

// component is a part of a system that is built or started separately: a directory with its own manifest, or a service
// of the compose file.
type component struct {
	dir       string // empty for a service with an image
	service   string
	services  []string // of the directory
	image     string
	about     string // its description in the manifest
	libraries []manifest.Library
	page      bool // the directory has a browser's first page
	installs  bool // a command
	needs     []string

	development bool // a service for development

	modules      []Summary       // of the product, see [project.system]
	runs, serves bool            // they have an entry point, or routes
	offers       bool            // its first module, or the module with the entry point, has an API for others
	leads        map[string]bool // the modules with routes
}

// composeFiles are in order of precedence.
var composeFiles = []string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}

func componentIn(p placeIn) component {
	c := component{dir: p.dir, libraries: manifest.Libraries(p), page: slices.ContainsFunc(manifest.OfFrontend, p.Has)}
	c.installs = slices.ContainsFunc(manifest.Begins(p), func(b manifest.Begin) bool { return b.Command })
	for _, file := range manifest.Describing {
		if content := p.Read(file); content != nil && c.about == "" {
			_, about := manifest.Describe(file, content)
			c.about = purpose(about, "markdown", "")
		}
	}
	return c
}

// deployed adds the services of a compose file to the components that they are built from, or as separate components.
// A service with the image of the project itself, whose name is given, is none. left counts services beyond the limit.
func deployed(list []component, root placeIn, name string) (all []component, left int) {
	file := slices.IndexFunc(composeFiles, root.Has)
	if file < 0 {
		return list, 0
	}
	own := []string{called(name)}
	for _, describing := range manifest.Describing {
		described, _ := manifest.Describe(describing, root.Read(describing))
		own = append(own, called(described))
	}
	for _, s := range manifest.Services(root.Read(composeFiles[file])) {
		i := -1
		for _, dir := range s.Build {
			if i < 0 {
				i = slices.IndexFunc(list, func(c component) bool { return c.dir == dir })
			}
		}
		switch {
		case i >= 0:
			list[i].service = cmp.Or(list[i].service, s.Name)
			list[i].needs = append(list[i].needs, s.Needs...)
			list[i].services = append(list[i].services, s.Name)
		case s.Image == "" || s.Build != nil || slices.Contains(own, called(tagged.ReplaceAllString(path.Base(s.Image), ""))):
		case len(list) < mostServices:
			list = append(list, component{service: s.Name, image: s.Image, needs: s.Needs, development: s.Development})
		default:
			left++
		}
	}
	return list, left
}

// mostServices bounds the listed components.
const mostServices = 40

var tagged = lazyregexp.New(`[:@].*$`)

// system is a repository divided into components.
type system struct {
	components []component
	graph      graph
	routes     []element // of the product
	begins     []manifest.Begin
	parts      map[string]int // components, by directory
}

// system assigns the modules of the product and the routes to the components.
func (p project) system(g graph, routes []element) system {
	x := system{slices.Clone(p.components), g, routes, p.begins, map[string]int{}}
	for i, c := range x.components {
		if c.image == "" {
			x.parts[c.dir] = i
		}
	}
	for _, m := range g.Linked() {
		if i, ok := x.parts[x.partOf(m.Path)]; ok && isProduct(m) {
			c := &x.components[i]
			c.modules, c.runs = append(c.modules, m), c.runs || m.Kind == kindCommand
			c.offers = c.offers || m.API && (m.Path == c.dir || m.Kind == kindCommand)
		}
	}
	for _, r := range routes {
		if i, ok := x.parts[x.partOf(r.module)]; ok {
			c := &x.components[i]
			if c.serves = true; c.leads == nil {
				c.leads = map[string]bool{}
			}
			c.leads[r.module] = true
		}
	}
	return x
}

// parts writes the component table, the development services, and the number of omitted ones.
func (x *indexPage) parts() {
	var list []component
	var development, notes []string
	for _, c := range x.system().told() {
		if c.development {
			development = append(development, markdown.Code(c.service)+" ("+markdown.Code(c.image)+")")
		} else {
			list = append(list, c)
		}
	}
	tabled := x.partTable(list)
	if len(development) > 0 {
		notes = append(notes, "For development: "+strings.Join(development, ", ")+".")
	}
	if x.project.services > 0 {
		notes = append(notes, "The compose file has "+count(x.project.services, "more service")+".")
	}
	if tabled && x.project.unexamined > 0 {
		notes = append(notes, notExamined(x.project.unexamined))
	}
	if len(notes) > 0 {
		x.line(strings.Join(notes, " "))
	}
}

func notExamined(directories int) string {
	if directories == 1 {
		return "One more directory is not examined for projects."
	}
	return fmt.Sprintf("%d more directories are not examined for projects.", directories)
}

// partTable writes the table of components, or a line for a project of one component.
func (x *indexPage) partTable(list []component) bool {
	if len(list) == 1 && list[0].image == "" {
		what := "Built with "
		if role := list[0].role(); role != "" {
			what = upper(role) + " built with "
		}
		x.line(what + strings.Join(list[0].builtWith(), ", "))
		return false
	}
	var rows [][]string
	for _, c := range list {
		name, built := markdown.Code(c.service), markdown.Code(c.image)
		if c.image == "" {
			name = markdown.Link(markdown.Code(canonical.Path(c.dir)), x.dirLink(c.dir))
			if c.dir == "." {
				name = markdown.Link("repository root", x.dirLink(c.dir))
			}
			built = strings.Join(c.builtWith(), ", ")
		}
		c.needs = slices.DeleteFunc(slices.Sorted(slices.Values(c.needs)), func(n string) bool { return slices.Contains(c.services, n) })
		what := c.role()
		if c.about != "" && c.dir != "." {
			what = strings.TrimPrefix(what+": “"+markdown.Escape(c.about)+"”", ": ")
		}
		rows = append(rows, []string{name, what, built, codes(slices.Compact(c.needs))})
	}
	if len(rows) > 1 {
		x.line("## Parts")
		x.b.WriteString(table([]string{"Part", "What it is", "Built with", "Needs"}, rows))
	}
	return len(rows) > 1
}

// told lists the components with a role, or with a description and a known library: running ones first, then the
// others, then services. A single component needs no description. If none has a role, they are parts of a library, and all are listed.
func (x system) told() []component {
	own := 0
	for _, c := range x.components {
		own += 1 - rankOf(c.development)
	}
	whole := false
	left := func(c component) bool {
		switch alone := own == 1; {
		case c.image != "":
			return false
		case !whole && c.role() == "" && (c.about == "" && !alone || len(c.libraries) == 0 && (c.about == "" || c.dir == ".")):
			return true
		default:
			return !alone && len(c.modules) == 0
		}
	}
	list := slices.DeleteFunc(slices.Clone(x.components), left)
	if len(list) > 1 && !slices.ContainsFunc(list, func(c component) bool { return c.role() != "" }) {
		whole = true
		list = slices.DeleteFunc(slices.Clone(x.components), left)
	}
	rank := func(c component) int {
		switch role := c.role(); {
		case c.image != "":
			return 3
		case role == "":
			return 2
		case role == string(manifest.Frontend):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b component) int { return rank(a) - rank(b) })
	return list
}

// role returns the roles that the code confirms: routes make a service, a first page a frontend, entry points a
// program. Without a library for servers, only the root is called a program, and only if other code cannot use it.
func (c component) role() string {
	if c.image != "" {
		return "service"
	}
	has := func(role manifest.Role) bool {
		return slices.ContainsFunc(c.libraries, func(l manifest.Library) bool { return l.Role == role })
	}
	var roles []string
	switch {
	case c.serves && has(manifest.Frontend):
		roles = append(roles, "web application")
	case c.serves:
		roles = append(roles, string(manifest.Server))
	case has(manifest.Frontend) && c.page:
		roles = append(roles, string(manifest.Frontend))
	}
	for _, role := range []manifest.Role{manifest.Worker, manifest.Desktop, manifest.Mobile} {
		if has(role) && (c.serves || c.runs || role != manifest.Worker) {
			roles = append(roles, string(role))
		}
	}
	if c.runs && has(manifest.Terminal) || c.installs {
		roles = append(roles, string(manifest.Terminal))
	}
	if c.runs && len(roles) == 0 && (c.dir == "." && !c.offers || c.dir != "." && has(manifest.Server)) {
		roles = append(roles, "program")
	}
	return strings.Join(roles, ", ")
}

// running lists the directories of the parts that run, services before frontends.
func (x system) running() (out []string) {
	for _, c := range x.told() {
		if c.image == "" && c.role() != "" {
			out = append(out, c.dir)
		}
	}
	return out
}

// partOf returns the directory of a module's component, the deepest one, or "".
func (x system) partOf(module string) string {
	for dir := module; dir != "."; dir = path.Dir(dir) {
		if _, ok := x.parts[dir]; ok {
			return dir
		}
	}
	if _, ok := x.parts["."]; ok {
		return "."
	}
	return ""
}

// builtWith lists the main language of a component, and its libraries.
func (c component) builtWith() (out []string) {
	count, best := map[string]int{}, ""
	for _, m := range c.modules {
		count[m.Language]++
		if c.leads[m.Path] || m.Kind == kindCommand {
			count[m.Language] += len(c.modules) // what runs counts most
		}
	}
	for language, n := range count {
		if n > count[best] || n == count[best] && language < best {
			best = language
		}
	}
	if best != "" {
		out = append(out, LanguageTitle(best))
	}
	var databases []string
	for _, l := range c.libraries {
		switch name := markdown.Escape(l.Name); {
		case l.Role == manifest.Database:
			databases = append(databases, name)
		case !slices.Contains(out, name):
			out = append(out, name)
		}
	}
	if len(databases) > 1 { // the program may store its data in one of them, or in none
		databases[0] = "clients for " + databases[0]
	}
	return append(out, databases...)
}

// isProduct reports whether a module is not a test, an example, documentation or a benchmark.
func isProduct(m Summary) bool {
	return m.Kind != kindTests && !isExample(m) && !supportsTests(m.Path) && !besides.MatchString(m.Path) && !measures(m.Path)
}
