package render

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

const (
	// mostRead bounds the modules in the reading order.
	mostRead = 7
	// mostDoors bounds the entry points among them.
	mostDoors = 2
	// namesTold bounds the used names of a module.
	namesTold = 4
)

type reading struct {
	module Summary
	why    string
	begins bool // entry point of a program or library
}

// order returns the reading order of a repository: the library, the entry points, and the modules that connect the
// rest, from the outside in. Helpers that use nothing explain little. A small repository is listed completely. The
// order has no numbers, which would change with every module. Running parts of the system take turns.
func (x system) order(modules []Summary, name string) []reading {
	parts, partOf := x.running(), x.partOf
	product := slices.DeleteFunc(slices.Clone(modules), func(s Summary) bool {
		return !isProduct(s) || s.Kind == "" && !s.API
	})
	names := shortPaths(product)
	users, uses := map[string][]string{}, map[string][]string{}
	for _, m := range product {
		uses[m.Path] = m.Deps
		for _, d := range m.Deps {
			users[d] = append(users[d], m.Path)
		}
	}
	var out []reading
	add := func(m Summary, why string, begins bool, most int) {
		if len(out) < most && !slices.ContainsFunc(out, func(r reading) bool { return r.module.Path == m.Path }) {
			out = append(out, reading{m, why, begins})
		}
	}
	if face, ok := faceOf(product, name); ok && len(x.routes) == 0 { // an application is not imported
		add(face, "imported by others", true, mostRead)
	}
	for _, m := range x.doors(product, name) {
		add(m, "an entry point", true, mostRead)
	}
	answering := x.answering(product)
	for _, part := range parts {
		inside := slices.DeleteFunc(slices.Clone(product), func(m Summary) bool { return partOf(m.Path) != part })
		if slices.ContainsFunc(out, func(r reading) bool { return partOf(r.module.Path) == part }) || len(inside) < fewestInside {
			continue
		}
		m := outermost(inside, uses)
		if m != nil && !slices.ContainsFunc(answering, func(a string) bool { return partOf(a) == part && depthOf(a) < depthOf(m.Path) }) {
			why := "leads to most of the others"
			if len(parts) > 1 {
				why = "leads to most of " + markdown.Code(canonical.Path(part))
			}
			add(*m, why, false, mostRead)
		}
	}
	if len(answering) > 0 && !slices.ContainsFunc(out, func(r reading) bool { return slices.Contains(answering, r.module.Path) }) {
		add(product[slices.IndexFunc(product, func(m Summary) bool { return m.Path == answering[0] })], "answers requests", false, mostRead)
	}
	reached := closure(append(pathsOf(out), answering...), uses)
	connects := func(m Summary) int { return len(users[m.Path]) * (1 + len(m.Deps)) }
	slices.SortStableFunc(product, func(a, b Summary) int {
		return cmp.Or(rankOf(isInner(a.Path))-rankOf(isInner(b.Path)), connects(b)-connects(a))
	})
	begin := len(out)
	if len(parts) > 1 { // in turns
		nth, seen := map[string]int{}, map[string]int{}
		for _, m := range product {
			nth[m.Path] = seen[partOf(m.Path)]
			seen[partOf(m.Path)]++
		}
		slices.SortStableFunc(product, func(a, b Summary) int { return nth[a.Path] - nth[b.Path] })
	}
	for _, round := range []struct {
		inside bool // reachable from the entry points
		most   int
	}{{true, mostRead - mostAside}, {false, mostRead}, {true, mostRead}} {
		for _, m := range product {
			if reached[m.Path] == round.inside && (len(product) <= mostRead || len(users[m.Path]) > 1 && m.Kind == "") {
				add(m, cmp.Or(usedBy(users[m.Path], len(product), names), using(m.Deps, names)), false, round.most)
			}
		}
	}
	outsideIn(out[begin:], users)
	return out
}

// answering lists the modules of the product that register routes, those with the most paths first.
func (x system) answering(product []Summary) (out []string) {
	routes, deps, seen := map[string]int{}, map[string]int{}, map[[2]string]bool{}
	for _, r := range x.routes {
		_, path, _ := strings.Cut(r.Name, " ")
		if at := [2]string{r.module, path}; !seen[at] {
			seen[at] = true
			routes[r.module]++
		}
	}
	for _, m := range product {
		if deps[m.Path] = len(m.Deps); routes[m.Path] > 0 {
			out = append(out, m.Path)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Or(routes[b]-routes[a], deps[b]-deps[a]) })
	return out
}

// fewestInside is the minimum size of a part that has an outermost module.
const fewestInside = 3

// outermost returns the module nearest to the root that reaches a third of a part, the one with the largest reach among
// several; nil if there is none.
func outermost(part []Summary, uses map[string][]string) (best *Summary) {
	inside := map[string]bool{}
	for _, m := range part {
		inside[m.Path] = true
	}
	most := 0
	for i, m := range part {
		n := 0
		for to := range closure([]string{m.Path}, uses) {
			if inside[to] && to != m.Path {
				n++
			}
		}
		nearer := best == nil || depthOf(m.Path) < depthOf(best.Path) || depthOf(m.Path) == depthOf(best.Path) && n > most
		if n >= max(len(part)/3, 1) && nearer {
			best, most = &part[i], n
		}
	}
	return best
}

// mostAside bounds the modules that entry points do not reach, such as those of a frontend.
const mostAside = 2

func pathsOf(list []reading) (out []string) {
	for _, r := range list {
		out = append(out, r.module.Path)
	}
	return out
}

// closure returns the modules reachable by edges, without the start.
func closure(from []string, edges map[string][]string) map[string]bool {
	out := map[string]bool{}
	for todo := from; len(todo) > 0; todo = todo[1:] {
		for _, next := range edges[todo[0]] {
			if !out[next] {
				out[next] = true
				todo = append(todo, next)
			}
		}
	}
	return out
}

// outsideIn sorts modules by how many of the others they reach.
func outsideIn(list []reading, users map[string][]string) {
	leads := map[string]int{}
	for _, r := range list {
		above := closure([]string{r.module.Path}, users)
		for _, o := range list {
			if above[o.module.Path] && o.module.Path != r.module.Path {
				leads[o.module.Path]++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b reading) int { return leads[b.module.Path] - leads[a.module.Path] })
}

// faceOf returns the library with the repository's name, the nearest to the root, or else the library at the root.
func faceOf(product []Summary, name string) (best Summary, found bool) {
	for _, m := range product {
		named := called(m.Title) == called(name)
		if m.Kind == "" && m.API && !isInner(m.Path) && (named && (!found || depthOf(m.Path) < depthOf(best.Path)) || !found && m.Path == "." && m.Title != unnamedRoot) {
			best, found = m, true
		}
	}
	return best, found
}

// version matches version and language suffixes of a project name: "JUnit 4", "Express.js".
var version = lazyregexp.New(`(?:[ -]?v?\d+(?:\.\d+)*|\.js)$`)

// called normalizes a name: no capitals, spaces or dashes.
func called(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, version.ReplaceAllString(name, ""))
}

// besides matches directories beside a product: documentation, scripts, migrations, shared settings of tools.
var besides = lazyregexp.New(`^(?:docs?|website|scripts|extras?|hack|contrib)(?:/|$)|(?:^|/)(?:migrations|alembic)(?:/|$)|(?:^|/)(?:config-(?:eslint|prettier|tailwind)|(?:eslint|prettier|tailwind)-config(?:-[a-z]+)?)$`)

// measuring matches directories of benchmarks and fuzz tests.
var measuring = lazyregexp.New(`(?:^|/)(?:bench|benches|benchmarks?|jmh|fuzz|fuzzing)(?:/|$)`)

// measures reports whether a module has benchmarks or fuzz tests. Deeper below the sources of a product, a directory with
// such a name is a part of the product.
func measures(module string) bool {
	before, after, _ := strings.Cut("/"+module, "/src/")
	dir, _, _ := strings.Cut(after, "/")
	return measuring.MatchString(before + "/" + dir)
}

// isInner reports whether a module is in a directory that is private by its name.
func isInner(module string) bool { return innerDir.MatchString(module) }

var innerDir = lazyregexp.New(`(^|/)(internal|private|impl|detail|_[^/]*)(/|$)`)

func depthOf(module string) int {
	if module == "." {
		return 0
	}
	return 1 + strings.Count(module, "/")
}

// doors lists the main programs: those that the project's files start, the command with the project's name, or else
// the commands nearest to the root.
func (x system) doors(product []Summary, name string) []Summary {
	var begun []Summary
	for _, b := range x.begins {
		for _, m := range product {
			of := b.Path == "" && m.Kind == kindCommand && bare(dirName(m.Path)) == bare(b.Name) ||
				b.Path != "" && (m.Path == path.Dir(b.Path) || m.Path == b.Path || m.Path == b.Path+"/src")
			if of && len(begun) < mostDoors && !slices.ContainsFunc(begun, func(o Summary) bool { return o.Path == m.Path }) {
				begun = append(begun, m)
			}
		}
	}
	if len(begun) > 0 {
		return begun
	}
	list := slices.DeleteFunc(slices.Clone(product), func(m Summary) bool {
		return m.Kind != kindCommand || helping.MatchString(m.Path) || isInner(m.Path) && !strings.Contains("/"+m.Path+"/", "/cmd/")
	})
	named := func(m Summary) bool { return called(m.Title) == called(name) || m.Path == "." }
	slices.SortStableFunc(list, func(a, b Summary) int {
		return cmp.Or(rankOf(named(b))-rankOf(named(a)), depthOf(a.Path)-depthOf(b.Path), len(b.Deps)-len(a.Deps))
	})
	if len(list) > 0 && named(list[0]) {
		return list[:1]
	}
	return list[:min(len(list), mostDoors)]
}

// helping matches directories of programs that help developers.
var helping = lazyregexp.New(`(?:^|/)(?:scripts?|tools?|hack|utils?)(?:/[^/]*)?$`)

// using names the modules that a module without users needs.
func using(deps []string, shown short) string {
	var names []string
	for _, d := range deps[:min(len(deps), namesTold)] {
		names = append(names, markdown.Code(canonical.Path(shown.path(d))))
	}
	if len(names) == 0 {
		return ""
	}
	return "uses " + list(names)
}

// usedBy describes the share of the repository that uses a module.
func usedBy(users []string, all int, shown short) string {
	switch {
	case len(users) == 0:
		return ""
	case len(users)*2 > all && all > mostRead:
		return "most modules use it"
	case len(users)*4 > all && len(users) > 3:
		return "many modules use it"
	}
	if len(users) > 3 {
		return "several modules use it"
	}
	var names []string
	for _, u := range users {
		names = append(names, markdown.Code(canonical.Path(shown.path(u))))
	}
	return "used by " + list(names)
}
