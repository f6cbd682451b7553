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
// repository is there. It counts nothing, for a number would change with every module.
func readingOrder(modules []Summary, name string) []reading {
	product := slices.DeleteFunc(slices.Clone(modules), func(s Summary) bool {
		return s.Kind == kindTests || isExample(s) || s.Kind == "" && !s.API || besides.MatchString(s.Path) || measuring.MatchString(s.Path)
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
	reached := closure(pathsOf(out), uses)
	connects := func(m Summary) int { return len(users[m.Path]) * (1 + len(m.Deps)) }
	slices.SortStableFunc(product, func(a, b Summary) int { return cmp.Or(inner(a.Path)-inner(b.Path), connects(b)-connects(a)) })
	begin := len(out)
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
var besides = lazyregexp.New(`^(?:docs?|website|scripts)(?:/|$)`)

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
