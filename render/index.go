package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// indexPage writes the entry page: the purpose of the repository, a reading order, and its structure.
type indexPage struct {
	sheet
	intro   introduction
	project project
	divided *system
	prose   entryProse
	spare   []Overview // the existing ones
	// usage lists the names of a module that others use, the most used first.
	usage  func(module string) []string
	flows  func(module string) []flow
	routes []element // of the product
	// points is the start of the extension point table.
	points string
}

// system is computed once per page.
func (x *indexPage) system() system {
	if x.divided == nil {
		sys := x.project.system(x.graph, x.routes)
		x.divided = &sys
	}
	return *x.divided
}

func (x *indexPage) render() string {
	modules := x.graph.Linked()
	name, about, file := x.intro.of(x.config, x.graph)
	x.b.WriteString(x.config.head("Repository", name))
	x.line("# " + markdown.Escape(name))
	if about != "" {
		from := markdown.Link(markdown.Escape(path.Base(file)), x.to(file))
		x.line(markdown.Escape(about) + " <sub>from " + from + "</sub>")
	}
	x.line("**Start here** · " + strings.Join(x.ways(), " · "))
	if len(modules) == 0 {
		x.line(noSource)
	}
	x.overview()
	x.parts()
	x.runIt()
	order := x.system().order(modules, name)
	x.reading(order, about)
	x.flow(order)
	x.request()
	if fence := picture(modules); fence != "" {
		x.line("## How it is built")
		x.line(fence)
		x.line("Arrows point from a module to its dependencies; indirect dependencies are omitted.")
	}
	if x.points != "" {
		x.line("## Extension points")
		x.line(strings.TrimSpace(x.points))
		x.line("All of them, with their implementations: " + markdown.Link("extension points", x.to(x.config.Layout.Overview(extensionPage))) + ".")
	}
	return x.text()
}

// ways links to the other pages about the repository.
func (x *indexPage) ways() []string {
	var out []string
	for _, o := range x.spare {
		out = append(out, markdown.Link(o.Subject, x.to(o.Path))+": "+o.About)
	}
	for _, o := range x.config.Others {
		out = append(out, markdown.Link(markdown.Escape(o.Title), x.to(o.Path))+": "+markdown.Escape(o.About))
	}
	return append(out, markdown.Link("all modules", x.to(x.config.Layout.ModuleList())))
}

func (x *indexPage) reading(list []reading, about string) {
	if len(list) == 0 {
		return
	}
	x.line("## Read in this order")
	var rows [][]string
	names := shortPaths(x.graph.Linked())
	for _, r := range list {
		m := r.module
		link := markdown.Link(markdown.Code(label(x.graph, names.path(m.Path))), x.pageLink(m.Path))
		why := r.why
		switch names := strings.Join(x.mostUsed(m.Path), ", "); {
		case names == "":
		case strings.HasSuffix(why, "use it"), strings.HasPrefix(why, "used by"), strings.HasPrefix(why, "imported by"):
			why += ": " + names
		default:
			why = strings.TrimPrefix(why+"; others use "+names, "; ")
		}
		if m.Purpose == about { // said at the top
			m.Purpose = ""
		}
		rows = append(rows, []string{link, purposeLine(m), why})
	}
	x.b.WriteString(table([]string{"Module", "Purpose", "Reason"}, rows))
	if slices.ContainsFunc(list, func(r reading) bool { return r.module.Written }) {
		x.line("<sub>" + byModelList + "</sub>")
	}
}

// fewestFlowSteps is the minimum number of steps for a flow on the entry page.
const fewestFlowSteps = 4

// flow shows a flow of the main program, or else the README's example of the library.
func (x *indexPage) flow(order []reading) {
	order = slices.Clone(order)
	slices.SortStableFunc(order, func(a, b reading) int { return x.runs(b) - x.runs(a) })
	w, names := flowWriter{config: x.config, graph: x.graph, page: x.path}, shortPaths(x.graph.Linked())
	shown := false
	var others []string
	for _, r := range order {
		list := x.flows(r.module.Path)
		main, begins := x.mainOf(r.module.Path, list)
		if main == nil || x.handles(r.module.Path, main.Steps[0].Name) {
			continue // request shows these
		}
		steps := w.treeOf(main, x.flowFrom)
		switch {
		case steps.each(func(*flowStep) {}) < fewestFlowSteps:
		case !shown && r.begins && !script.MatchString(path.Join(r.module.Path, main.Steps[0].File)) && (begins || slices.Contains(source.Quoted(x.intro.readme.Content), lastElement(main.Steps[0].Name))):
			shown = true
			x.line("## How it works")
			x.b.WriteString(w.text(steps))
		case len(list[0].Steps) > fewestShown && x.graph.Bundle(r.module.Path).Name == "": // its page shows the flow
			page, _, _ := strings.Cut(x.pageLink(r.module.Path), "#")
			others = append(others, markdown.Link(markdown.Code(label(x.graph, names.path(r.module.Path))), page+"#"+markdown.Slug(howItWorks)))
		}
	}
	shown = shown || x.command()
	if len(others) > 0 {
		what := "The steps of other functions are on the pages of "
		if shown {
			what = "See also the flows of "
		}
		x.line(what + list(others) + ".")
	}
}

// mainOf returns the flow with which a module begins on the entry page: that of the file with which the project begins, or
// else the first one; nil if there is none. It reports whether a program begins with the flow.
func (x *indexPage) mainOf(module string, list []flow) (main *flow, begins bool) {
	for i := range list {
		if start := list[i].Steps[0]; startKind(start.Name) == source.Script && x.beginsIn(module, start) && x.length(&list[i]) >= fewestFlowSteps {
			return &list[i], true
		}
	}
	if len(list) == 0 {
		return nil, false
	}
	return &list[0], mainNames[lastElement(list[0].Steps[0].Name)]
}

// beginsIn reports whether the project begins with the file of a step.
func (x *indexPage) beginsIn(module string, s node.Step) bool {
	file := path.Join(module, s.File)
	return slices.ContainsFunc(x.project.begins, func(b manifest.Begin) bool { return b.Path == file })
}

// command shows the flow of the command that is the program itself, or that starts what goes on, and reports whether there is
// one.
func (x *indexPage) command() bool {
	name, _, _ := x.intro.of(x.config, x.graph)
	var best *flow
	most := 0
	for _, m := range x.graph.Linked() {
		for _, f := range x.flows(m.Path) {
			start := f.Steps[0]
			if startKind(start.Name) != source.Action || !isProduct(m) || script.MatchString(path.Join(m.Path, start.File)) || x.length(&f) < fewestFlowSteps {
				continue
			}
			rank, shown := 0, called(shownStart(start.Name))
			switch stem, _, _ := strings.Cut(start.File, "."); {
			case shown == called(name), shown == called(stem) && x.beginsIn(m.Path, start):
				rank = 2
			case mainNames[shown] || mainCommands[shown]:
				rank = 1
			}
			if rank > most {
				best, most = &f, rank
			}
		}
	}
	if best == nil {
		return false
	}
	w := flowWriter{config: x.config, graph: x.graph, page: x.path}
	x.line("## How it works")
	x.line("From the command " + markdown.Code(shownStart(best.Steps[0].Name)) + ":")
	x.b.WriteString(w.text(w.treeOf(best, x.flowFrom)))
	return true
}

// mainCommands are usual names of the command that starts the program.
var mainCommands = map[string]bool{"start": true, "server": true, "web": true, "daemon": true}

// length returns the number of steps of a flow with those of other modules that continue it.
func (x *indexPage) length(f *flow) int {
	return flowWriter{config: x.config, graph: x.graph, page: x.path}.treeOf(f, x.flowFrom).each(func(*flowStep) {})
}

// script matches the paths of programs that build or release another one.
var script = lazyregexp.New(`(?i)(?:^|/)(?:build|release|scripts?|ci|hack|deploy)(?:[/._-]|$)`)

func (x *indexPage) handles(module, name string) bool {
	return slices.ContainsFunc(x.routes, func(r element) bool { return r.ID != "" && idOf(r.module, r.ID) == idOf(module, name) })
}

// sideRoute matches the paths of routes that are not what an application is for.
var sideRoute = lazyregexp.New(`(?i)(?:^|[^a-z])(?:health\w*|setup|install|webauthn|credentials?|passkeys?|storage|uploads?|onboarding|images?|avatars?|icons?|logos?|qr\w*|ping|ready|live|status|version|metrics|debug|static|assets|favicon|robots|(?:log|sign)-?(?:in|out|up)|` +
	`webhooks?|config|\w*settings?|preferences|admin|demo|examples?|samples?|\w*avatar\w*|verify|verification|auth|authenticate|authorize|oidc|oauth2?|sso|saml|tokens?|sessions?|passwords?|two-factor|[2m]fa|totp|register|captcha|recover\w*|reset|forgot)(?:[^a-z]|$)`)

// request shows the flow of one route handler. It prefers a central feature, then a handler that modifies data, then one
// with several paths, then the group of routes with most routes, then a handler that begins with a certain call, then one
// that calls many modules.
func (x *indexPage) request() {
	w := flowWriter{config: x.config, graph: x.graph, page: x.path}
	var best *flowStep
	var route element
	var most []int
	groups := map[string]int{}
	handled := map[string]map[string]bool{} // the paths of each handler
	for _, r := range x.routes {
		groups[routeGroup(r.Name)]++
		_, rest, _ := strings.Cut(r.Name, "/")
		id := idOf(r.module, r.ID)
		if handled[id] == nil {
			handled[id] = map[string]bool{}
		}
		handled[id][rest] = true
	}
	for _, r := range x.routes {
		paths := len(handled[idOf(r.module, r.ID)])
		if !strings.Contains(r.Name, "/") || paths > mostHandled || r.Guard != "" {
			continue // its path is computed, it is not known which function the handler calls, or few programs have it
		}
		module, name := r.module, r.ID
		if away, in, ok := strings.Cut(r.ID, "#"); ok {
			module, name = away, in
		}
		f := x.flowFrom(module, name)
		if method, _, of := strings.Cut(r.Name, " "); f == nil && of { // of a class
			f = x.flowFrom(module, name+"."+strings.ToLower(method))
		}
		if f == nil {
			continue
		}
		steps, modules := w.treeOf(f, x.flowFrom), map[string]bool{}
		n := steps.each(func(s *flowStep) { modules[s.Module] = true })
		certain := 0 // a flow that begins with a condition says little
		if len(steps.below) > 0 && steps.below[0].When == "" {
			certain = 1
		}
		worth := []int{routeRank(r.Name), paths, groups[routeGroup(r.Name)], certain, len(modules), n}
		if n >= fewestFlowSteps && slices.Compare(worth, most) > 0 {
			best, route, most = steps, r, worth
		}
	}
	if best != nil {
		x.line("## A request")
		unsure := ""
		if route.Help != "" {
			unsure = " (" + markdown.Escape(route.Help) + ")"
		}
		x.line("From the handler of " + markdown.Code(route.Name) + unsure + ":")
		x.b.WriteString(w.text(best))
	}
}

// mostHandled is the number of paths of one handler; a function of more paths passes requests on.
const mostHandled = 4

// routeGroup returns the first element of a route's path that names something.
func routeGroup(name string) string {
	_, path, _ := strings.Cut(name, "/")
	for element := range strings.SplitSeq(path, "/") {
		if element != "" && !strings.ContainsAny(element[:1], ":{<[*") && !beforeGroups.MatchString(element) {
			return element
		}
	}
	return ""
}

// beforeGroups matches elements at the start of the paths of most routes.
var beforeGroups = lazyregexp.New(`^(?:api|rest|v\d+|…)$`)

func (x *indexPage) flowFrom(module, entry string) *flow {
	list := x.flows(module)
	for i := range list {
		if list[i].Steps[0].Name == entry {
			return &list[i]
		}
	}
	return nil
}

// runs returns 1 for the module of a program, and 2 if its main function calls other modules, as a sort key.
func (x *indexPage) runs(r reading) int {
	main, begins := x.mainOf(r.module.Path, x.flows(r.module.Path))
	begins = begins && r.begins
	switch {
	case begins && main.leaves():
		return 2
	case begins || r.module.Kind == kindCommand:
		return 1
	}
	return 0
}

func (x *indexPage) mostUsed(module string) []string {
	var out []string
	for _, name := range x.usage(module) {
		name = name[strings.LastIndexByte(name, '.')+1:] // the same name may be used through two qualifiers
		if code := markdown.Code(name); name != "default" && len(out) < namesTold && !slices.Contains(out, code) {
			out = append(out, code)
		}
	}
	return out
}

// purposeLine returns the purpose of a module, in italics if it is derived.
func purposeLine(m Summary) string {
	about := markdown.Escape(m.Purpose)
	return marked(m, about)
}

// marked marks an escaped purpose that no person wrote.
func marked(m Summary, about string) string {
	switch {
	case m.Written:
		return about + " " + byModel
	case m.Derived && about != "":
		return "*" + about + "*"
	}
	return about
}
