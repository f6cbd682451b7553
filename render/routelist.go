package render

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
)

const (
	routesTitle, jobsTitle = "Routes", "Jobs"
	// manyRoutes bounds the routes of one table; directories with at least fewRoutes have a separate table.
	manyRoutes, fewRoutes = 24, 5
	// routeBytes bounds all routes. Beyond it, they are listed without links, then only counted.
	routeBytes = 160 << 10
)

type routeList struct {
	*operatorPage
	shown map[string]string // anchors of handlers by ID
	files map[string]string // and their files in their modules
}

func newRouteList(p *operatorPage, surfaces []surface) *routeList {
	l := &routeList{p, map[string]string{}, map[string]string{}}
	for _, s := range surfaces {
		for name, anchor := range s.Shown {
			l.shown[idOf(s.module, name)] = anchor
		}
		for _, b := range s.Elements {
			if s.Shown[b.ID] != "" {
				l.files[idOf(s.module, b.ID)] = cmp.Or(b.In, b.File)
			}
		}
	}
	return l
}

// sections returns the tables of routes, sorted by path, with headings if there are many.
func (l *routeList) sections(all []element) string {
	groups, names := routeGroups(all)
	room := routeBytes
	var b strings.Builder
	for linked, size := true, room+1; size > room; linked = false {
		b.Reset()
		size = 0
		for i, name := range names {
			text := l.section(name, groups[name], linked)
			size += len(text)
			if size > room && !linked {
				b.WriteString(l.counted(names[i:], groups))
				return b.String()
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// section returns the table of one group. If all routes are in one file, the title names it and the routes link to
// lines.
func (l *routeList) section(title string, routes []element, linked bool) string {
	file := routes[0].file()
	one := title != "" && !slices.ContainsFunc(routes, func(e element) bool { return e.file() != file })
	same := routes[0].Help // of all of them
	for _, e := range routes {
		if e.Help != same {
			same = ""
		}
	}
	var rows [][]string
	for _, e := range routes {
		if e.Help == same {
			e.Help = ""
		}
		name, at, wrappers := markdown.Code(e.Name), "", ""
		switch {
		case !linked:
		case one:
			name = markdown.Link(name, l.place(e))
		default:
			at = l.placeLink(e)
		}
		if e.Also != "" {
			wrappers = codes(strings.Split(e.Also, ", "))
		}
		rows = append(rows, []string{name, l.handler(e, linked), wrappers, at, strings.TrimSpace(markdown.Escape(e.Help) + onlyWith(e.Guard))})
	}
	text := table([]string{"Route", "Handler", "Wrapped by", "Registered in", ""}, rows)
	if same != "" {
		text = "Of each path, " + markdown.Escape(same) + "." + paragraph + text
	}
	if title != "" {
		text = "### " + groupTitle(commonPath(routes)) + paragraph + text
	}
	return text
}

func jobsOf(surfaces []surface) []element {
	var all []element
	beside := besideProduct(surfaces)
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Job && !beside(e) { // a tasks file may belong to Celery
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b element) int {
		return cmp.Or(cmp.Compare(orderOf(a.Name), orderOf(b.Name)), cmp.Compare(a.file(), b.file()))
	})
	return all
}

func (l *routeList) jobs(all []element) [][]string {
	var rows [][]string
	for _, e := range all {
		at := l.placeLink(e)
		rows = append(rows, []string{nameCell(e.Name), markdown.Code(e.Usage), l.handler(e, true), at})
	}
	return rows
}

func commonPath(routes []element) string {
	common := routes[0].file()
	for _, e := range routes {
		for common != "." && common != e.file() && !strings.HasPrefix(e.file(), common+"/") {
			common = path.Dir(common)
		}
	}
	return common
}

func groupTitle(name string) string {
	if name == "." {
		return "Repository root"
	}
	return markdown.Code(canonical.Path(name))
}

// counted returns the number of routes per group that do not fit.
func (l *routeList) counted(names []string, groups map[string][]element) string {
	var rows [][]string
	for _, name := range names {
		rows = append(rows, []string{markdown.Link(groupTitle(name), l.to(name)), strconv.Itoa(len(groups[name]))})
	}
	return "### Other routes\n\nThere are too many routes for one page. Of these files and directories, only their number is shown.\n\n" +
		table([]string{"In", "Routes"}, rows)
}

// handler names a route's handler and links to its section or file.
func (l *routeList) handler(e element, linked bool) string {
	if e.Value == "" {
		return ""
	}
	name := markdown.Code(e.Value)
	module, symbol, away := whose(e.module, e.ID)
	if linked && e.ID != "" && !away {
		to := l.to(path.Join(e.module, cmp.Or(e.In, e.File)))
		id := idOf(module, symbol)
		if anchor := l.shown[id]; anchor != "" || module != e.module {
			to = l.symbolPage(source.Use{Module: module, Name: symbol}, cmp.Or(e.In, l.files[id]), anchor)
		}
		name = markdown.Link(name, to)
	}
	return name
}

// routeGroups sorts routes by path and groups them by file. Small files and directories are merged into their
// directory's group.
func routeGroups(all []element) (groups map[string][]element, names []string) {
	slices.SortStableFunc(all, func(a, b element) int {
		return cmp.Or(cmp.Compare(pathOf(a.Name), pathOf(b.Name)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.file(), b.file()))
	})
	all = slices.CompactFunc(all, func(a, b element) bool {
		return a.Name == b.Name && a.file() == b.file() && a.Value == b.Value && a.Also == b.Also
	})
	if len(all) <= manyRoutes {
		return map[string][]element{"": all}, []string{""}
	}
	count, deepest := map[string]int{}, 0
	for _, e := range all {
		count[e.file()]++
		deepest = max(deepest, strings.Count(e.file(), "/"))
	}
	in := map[string]string{} // the directories that take small groups
	for depth := deepest; depth >= 0; depth-- {
		for name, n := range count {
			if strings.Count(name, "/") == depth && n < fewRoutes && name != "." {
				in[name] = path.Dir(name)
			}
		}
		for name, dir := range in {
			if strings.Count(name, "/") == depth {
				count[dir] += count[name]
				delete(count, name)
			}
		}
	}
	groups = map[string][]element{}
	for _, e := range all {
		name := e.file()
		for in[name] != "" {
			name = in[name]
		}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], e)
	}
	slices.Sort(names)
	return groups, names
}

func pathOf(route string) string { return route[strings.IndexByte(route, ' ')+1:] }
