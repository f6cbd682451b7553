package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// mostThrough is how many functions may hand the name of a variable on to each other.
const mostThrough = 4

// environmentReaders are the functions that read the variable whose name they are given.
type environmentReaders struct {
	by     map[string]node.Behavior
	others map[string][]string // what else they read by the same name: "*_FILE"
}

// readersOf finds them by ID among elements, which id tells the IDs of all modules of. A function that calls one with its own
// parameter is one itself.
func readersOf(all []element, id func(e element, name string) string) environmentReaders {
	out := environmentReaders{map[string]node.Behavior{}, map[string][]string{}}
	for range mostThrough {
		found := len(out.by)
		for _, e := range all {
			if own := id(e, e.ID); e.Kind == source.Reads && e.Name != "" && !slices.Contains(out.others[own], e.Name) {
				out.others[own] = append(out.others[own], e.Name)
			}
			if e.Kind != source.Reads || e.Name != "" {
				continue
			}
			through, ok := out.by[id(e, e.Of)]
			if own := id(e, e.ID); e.Of == "" || ok {
				b := e.Behavior
				b.Default, b.Usage = cmp.Or(b.Default, through.Default), cmp.Or(b.Usage, through.Usage)
				if was, known := out.by[own]; !known || was.Value == "" && b.Value != "" {
					out.by[own] = b
				}
			}
		}
		if len(out.by) == found {
			break
		}
	}
	return out
}

// read is a variable that a function with an ID is given the name of, and what else that reads by it; none where that function reads none.
func (r environmentReaders) read(b node.Behavior, id string) (out []node.Behavior) {
	reader, ok := r.by[id]
	ok = ok && reader.Also == b.Also
	b.Of, b.Also = "", ""
	for _, name := range r.others[id] {
		other := b
		other.Name, other.Default, other.Usage = strings.Replace(name, source.Unknown, b.Name, 1), "", ""
		out = append(out, other)
	}
	if !ok {
		return out
	}
	if reader.Value != source.Fallback && !isListing(id) {
		b.Default, b.Usage = "", reader.Usage
	}
	if b.Default = cmp.Or(b.Default, reader.Default); b.Default != "" {
		b.Usage = ""
	}
	return append(out, b)
}

// isListing reports whether an ID is of a reader of all variables of a list.
func isListing(id string) bool { return id == source.Whole || strings.HasPrefix(id, source.Listed) }

// settle decides which elements of a module's environment are ones, as far as the module itself tells.
func settle(all []node.Behavior) []node.Behavior {
	here := func(_ element, name string) string { return name }
	elements := make([]element, len(all))
	for i, b := range all {
		elements[i] = element{Behavior: b}
	}
	readers := readersOf(elements, here)
	listed := map[string]bool{}
	for _, b := range all {
		listed[b.Of] = true
	}
	var out []node.Behavior
	for _, b := range all {
		outside, known := strings.Contains(b.Of, "#"), true
		switch {
		case b.Kind == source.Reads && isListing(b.ID):
			known = !listed[b.ID] // the variables are in a list of the module
			b.Kind, b.Name, b.ID = source.Env, source.Unknown, ""
		case b.Of == "" || outside:
		case b.Kind == source.Env:
			out = append(out, readers.read(b, b.Of)...)
			known = false
		case b.Kind == source.Reads:
			_, known = readers.by[b.ID]
			known = known || b.Name != ""
		}
		if known {
			out = append(out, b)
		}
	}
	return out
}

// environmentOf are the variables that modules read, also through functions of each other.
func environmentOf(surfaces []surface) []element {
	var all []element
	for _, s := range surfaces {
		for _, b := range s.Elements {
			all = append(all, element{b, s.module})
		}
	}
	readers := readersOf(all, func(e element, name string) string { return idOf(e.module, name) })
	var out []element
	set := map[string]element{} // by the names that the configuration of a tool sets
	for _, e := range all {
		if e.Kind == source.Sets {
			set[e.Name] = e
		}
	}
	for _, e := range all {
		by, is := set[e.Name]
		known := e.Kind == source.Env && (!is || e.file() == by.file())
		switch {
		case known && e.Of != "":
			for _, b := range readers.read(e.Behavior, idOf(e.module, e.Of)) {
				out = append(out, element{b, e.module})
			}
		case known:
			out = append(out, e)
		}
	}
	// of the same variable in the same file, the one with a default tells more
	slices.SortStableFunc(out, func(a, b element) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.file(), b.file()), cmp.Compare(b.Default, a.Default))
	})
	return out
}

// toolPlace matches files that are there for those who build and test a product, not for those who run it.
var toolPlace = lazyregexp.New(`(?:^|/)(?:scripts?|hack|\.?ci|\.github|testdata|tests?|tests?[-_][\w-]+|__tests__|testutils?|testservers?|testing|integration[-_]?tests?|fstest|e2e|cypress|playwright|examples?|bench|benchmarks?|docs?|website)/|` +
	`^(?:helpers?|tools?|build|dev|contrib|packaging)/|(?:^|/)(?:build|magefile)\.go$`)

// isForTools reports whether an element is one of a build script, a tool, or a helper of tests.
func isForTools(e element) bool {
	return toolPlace.MatchString(e.file()) || survey.IsToolFile(path.Base(e.File)) && !strings.Contains("/"+e.file(), "/src/") || e.Guard == "ignore"
}

// operatorVariables and toolVariables are the variables that something else than tools reads, and the others.
func operatorVariables(surfaces []surface) []element { return variables(surfaces, false) }
func toolVariables(surfaces []surface) []element     { return variables(surfaces, true) }

func variables(surfaces []surface, tools bool) []element {
	all := environmentOf(surfaces)
	operated := map[string]bool{}
	for _, e := range all {
		operated[e.Name] = operated[e.Name] || !isForTools(e)
	}
	return slices.DeleteFunc(all, func(e element) bool {
		if e.Name == source.Unknown {
			return isForTools(e) != tools
		}
		return operated[e.Name] == tools
	})
}
