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

// mostThrough bounds the chain of functions that pass on a variable's name.
const mostThrough = 4

// environmentReaders are the functions that read the variable whose name they get as an argument.
type environmentReaders struct {
	by     map[string]node.Behavior
	others map[string][]node.Behavior // other variables derived from the name: "*_FILE"
}

// readersOf finds the readers by ID; id maps an element's name to an ID across modules. A function that passes its own
// parameter to a reader is a reader.
func readersOf(all []element, id func(e element, name string) string) environmentReaders {
	out := environmentReaders{map[string]node.Behavior{}, map[string][]node.Behavior{}}
	for range mostThrough {
		found := len(out.by)
		for _, e := range all {
			if own := id(e, e.ID); e.Kind == source.Reads && e.Name != "" && !slices.ContainsFunc(out.others[own], func(o node.Behavior) bool { return o.Name == e.Name }) {
				out.others[own] = append(out.others[own], e.Behavior)
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

// read returns the variable that a call of the function with an ID reads, and those derived from its name.
func (r environmentReaders) read(b node.Behavior, id string) (out []node.Behavior) {
	reader, ok := r.by[id]
	ok = ok && reader.Also == b.Also
	keyed := strings.HasPrefix(b.Of, source.Keys)
	b.Of, b.Also = "", ""
	for _, pattern := range r.others[id] {
		other := b
		if keyed {
			other.Name = source.KeyVariable(b.Name, pattern.Value)
		} else {
			other.Default, other.Usage = "", ""
		}
		if other.Name = strings.Replace(pattern.Name, source.Unknown, other.Name, 1); !strings.ContainsAny(other.Name, ".- ") {
			out = append(out, other)
		}
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

// isListing reports whether an ID is a reader of all variables of a list.
func isListing(id string) bool { return id == source.Whole || strings.HasPrefix(id, source.Listed) }

// settle resolves the environment elements of a module, if its own facts suffice.
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
			known = !listed[b.ID] // the module has the list of variables
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

// environmentOf lists the variables that modules read, also through functions of other modules.
func environmentOf(surfaces []surface) []element {
	var all []element
	texts := map[string]string{}
	for e := range elementsOf(surfaces) {
		if all = append(all, e); e.Kind == source.Holds {
			hold(texts, idOf(e.module, e.ID), e.Default)
		}
	}
	for i := range all {
		if e := &all[i]; e.Kind == source.Env {
			e.Name = source.Fill(e.Name, func(id string) string { return cmp.Or(texts[id], source.Unknown) })
		}
	}
	readers := readersOf(all, func(e element, name string) string { return idOf(e.module, name) })
	var out []element
	computes := map[string]bool{} // modules for the environment that read variables with computed names
	set := map[string]element{}   // by the names that a tool's configuration sets
	for _, e := range all {
		if e.Kind == source.Sets {
			set[e.Name] = e
		}
		if e.Kind == source.Env && e.Name == source.Unknown && forEnvironment.MatchString(e.module) {
			computes[e.module] = true
		}
	}
	for _, e := range all {
		by, is := set[e.Name]
		known := e.Kind == source.Env && (!is || e.file() == by.file())
		switch {
		case known && e.Of != "":
			read := readers.read(e.Behavior, idOf(e.module, e.Of))
			if in, _, other := strings.Cut(e.Of, "#"); other && len(read) == 0 && computes[in] && e.Also == "" {
				read = []node.Behavior{{Kind: e.Kind, Name: e.Name, File: e.File, Line: e.Line, In: e.In}} // a value reads it later
			}
			for _, b := range read {
				out = append(out, element{b, e.module})
			}
		case known:
			out = append(out, e)
		}
	}
	// of one variable in one file, prefer the element with a default
	slices.SortStableFunc(out, func(a, b element) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.file(), b.file()), cmp.Compare(b.Default, a.Default))
	})
	return out
}

// forEnvironment matches modules that hold only what reads variables.
var forEnvironment = lazyregexp.New(`(?:^|/)env(?:ironment|util|vars?)?s?$`)

// toolPlace matches files for building and testing a product, not for running it.
var toolPlace = lazyregexp.New(`(?:^|/)(?:scripts?|hack|\.?ci|\.github|testdata|tests?|tests?[-_][\w-]+|__tests__|testutils?|testservers?|testing|integration[-_]?tests?|fstest|e2e|cypress|playwright|examples?|bench|benchmarks?|docs?|website)/|` +
	toolsOrLibrary + `|(?:^|/)(?:build|magefile)\.go$`)

// toolsOrLibraries matches directories that hold tools in some projects and libraries of the product in others.
var toolsOrLibraries = lazyregexp.New(toolsOrLibrary)

const toolsOrLibrary = `^(?:helpers?|tools?|build|dev|contrib|packaging)/`

// findUsed marks the files in such directories that the product imports.
func (s *surface) findUsed(g *factGraph) {
	if !toolsOrLibraries.MatchString(s.module+"/") || toolPlace.MatchString(s.module[strings.IndexByte(s.module+"/", '/'):]+"/") {
		return
	}
	code, _ := g.Importers(s.module)
	if !slices.ContainsFunc(code, func(m string) bool {
		return !toolPlace.MatchString(m+"/") && !supportsTests(m) && !source.IsExampleDir(m)
	}) {
		return
	}
	s.used = map[string]bool{}
	for _, b := range s.Elements {
		s.used[b.File] = source.TraitsOfFile(b.File).Imported ||
			slices.ContainsFunc(g.Used(s.module), func(name string) bool { return strings.HasPrefix(name, source.Prefix(b.File, true)) })
	}
}

// besideProduct returns a function that reports whether an element is in a file for building and testing.
func besideProduct(surfaces []surface) func(element) bool {
	used := map[string]map[string]bool{}
	for _, s := range surfaces {
		used[s.module] = s.used
	}
	return func(e element) bool {
		return toolPlace.MatchString(e.file()) && !used[e.module][e.File] || e.Guard == "ignore"
	}
}

// partOfTools returns a function that reports whether an element belongs to a build script, a tool, or a test helper.
func partOfTools(surfaces []surface) func(element) bool {
	beside := besideProduct(surfaces)
	return func(e element) bool {
		return beside(e) || survey.IsToolFile(path.Base(e.File)) && !strings.Contains("/"+e.file(), "/src/") || e.Guard == source.AtBuild
	}
}

// operatorVariables lists the variables that not only tools read, toolVariables the others.
func operatorVariables(surfaces []surface) []element { return variables(surfaces, false) }
func toolVariables(surfaces []surface) []element     { return variables(surfaces, true) }

func variables(surfaces []surface, tools bool) []element {
	all, isForTools := environmentOf(surfaces), partOfTools(surfaces)
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
