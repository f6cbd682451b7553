package render

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
)

const (
	// mostRead is how many modules a newcomer is sent to.
	mostRead = 7
	// mostDoors is how many of these are where a run begins.
	mostDoors = 2
	// namesTold is how many of a module's names are told to be what others use of it.
	namesTold = 4
)

// reading is a module that a newcomer should read, and why.
type reading struct {
	module Summary
	why    string
	begins bool // a run, or the use of the library, begins there
}

// readingOrder is what to read of a repository first, and in which order: what others import of it, where a run begins, and then what
// connects the rest, from the outside to the inside. A helper that everything uses and that uses nothing explains little. All of a small
// repository is there. It counts nothing, for a number would change with every module. The parts of a system that run take turns.
func (x system) order(modules []Summary, name string) []reading {
	parts, partOf := x.running(), x.partOf
	product := slices.DeleteFunc(slices.Clone(modules), func(s Summary) bool {
		return !isProduct(s) || s.Kind == "" && !s.API
	})
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
	if face, ok := faceOf(product, name); ok {
		add(face, "imported by others", true, mostRead)
	}
	for _, m := range doors(product, name) {
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
	slices.SortStableFunc(product, func(a, b Summary) int { return cmp.Or(inner(a.Path)-inner(b.Path), connects(b)-connects(a)) })
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
		inside bool // what the entry points lead to
		most   int
	}{{true, mostRead - mostAside}, {false, mostRead}, {true, mostRead}} {
		for _, m := range product {
			if reached[m.Path] == round.inside && (len(product) <= mostRead || len(users[m.Path]) > 1 && m.Kind == "") {
				add(m, usedBy(users[m.Path], len(product)), false, round.most)
			}
		}
	}
	outsideIn(out[begin:], users)
	return out
}

// answering are the modules of the product that register routes, those with most routes first.
func (x system) answering(product []Summary) (out []string) {
	routes, deps := map[string]int{}, map[string]int{}
	for _, r := range x.routes {
		routes[r.module]++
	}
	for _, m := range product {
		if deps[m.Path] = len(m.Deps); routes[m.Path] > 0 {
			out = append(out, m.Path)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Or(routes[b]-routes[a], deps[b]-deps[a]) })
	return out
}

// fewestInside is how many modules a part has at least of which one leads to the others.
const fewestInside = 3

// outermost is the module nearest to the root that leads to a third of a part, the one that leads to most of several; nil if there is
// none.
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

// mostAside is how many modules are listed that the entry points do not lead to, such as those of a frontend.
const mostAside = 2

func pathsOf(list []reading) (out []string) {
	for _, r := range list {
		out = append(out, r.module.Path)
	}
	return out
}

// closure lists all modules that can be reached from some by edges, without these.
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

// outsideIn sorts modules by how many of the others they lead to.
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

// faceOf is the library that carries the repository's name, the nearest to the root, or else the library at the root.
func faceOf(product []Summary, name string) (best Summary, found bool) {
	for _, m := range product {
		named := called(m.Title) == called(name)
		if m.Kind == "" && m.API && inner(m.Path) == 0 && (named && (!found || depthOf(m.Path) < depthOf(best.Path)) || !found && m.Path == "." && m.Title != unnamedRoot) {
			best, found = m, true
		}
	}
	return best, found
}

// version matches what stands behind the name of a project and is no part of what its code is called: "JUnit 4", "Express.js".
var version = lazyregexp.New(`(?:[ -]?v?\d+(?:\.\d+)*|\.js)$`)

// called is a name as code and people both write it, without capitals, spaces and dashes.
func called(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, version.ReplaceAllString(name, ""))
}

// besides matches directories of what stands beside a product: what makes its documentation, or helps those who work on it.
var besides = lazyregexp.New(`^(?:docs?|website|scripts)(?:/|$)|(?:^|/)(?:migrations|alembic)(?:/|$)`)

// measuring matches directories of what measures a product or looks for faults of it.
var measuring = lazyregexp.New(`(?:^|/)(?:bench|benches|benchmarks?|jmh|fuzz|fuzzing)(?:/|$)`)

// innerDir matches directories that are not for others by their name.
var innerDir = lazyregexp.New(`(^|/)(internal|private|impl|detail|_[^/]*)(/|$)`)

// inner is 1 for a module that is not for others by its name, and 0 for any else: what is for others comes first.
func inner(module string) int {
	if innerDir.MatchString(module) {
		return 1
	}
	return 0
}

func depthOf(module string) int {
	if module == "." {
		return 0
	}
	return 1 + strings.Count(module, "/")
}

// doors are the commands by which people run what is in the repository: those that use most of it.
func doors(product []Summary, name string) []Summary {
	list := slices.DeleteFunc(slices.Clone(product), func(m Summary) bool { return m.Kind != kindCommand })
	named := func(m Summary) int {
		if called(m.Title) == called(name) || m.Path == "." {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b Summary) int {
		return cmp.Or(named(a)-named(b), depthOf(a.Path)-depthOf(b.Path), len(b.Deps)-len(a.Deps))
	})
	if len(list) > 0 && named(list[0]) == 0 {
		return list[:1]
	}
	return list[:min(len(list), mostDoors)]
}

// usedBy says in words how much of the repository uses a module.
func usedBy(users []string, all int) string {
	switch {
	case len(users) == 0:
		return ""
	case len(users)*2 > all && all > mostRead:
		return "most modules use it"
	case len(users)*4 > all && len(users) > 3:
		return "many modules use it"
	}
	var names []string
	for _, u := range users[:min(len(users), 3)] {
		names = append(names, markdown.Code(canonical.Path(u)))
	}
	if len(users) > 3 {
		names = append(names, "others")
	}
	return "used by " + list(names)
}
