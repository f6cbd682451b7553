package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
)

// Words are the condition words about source.
var Words = []condition.Word{
	{Name: "modified", Params: []string{condition.GlobParam}, Matches: modified},
	{Name: symbolChanged, Params: []string{"module", "name"}, Matches: func(q condition.Question, c fact.Change) bool {
		return c.Fact == fact.Of(fact.Symbols, q.Args[0], q.Args[1])
	}},
	{Name: bodyChanged, Params: []string{"module", "name"}, Matches: func(q condition.Question, c fact.Change) bool {
		return c.Fact == fact.Of(fact.Bodies, q.Args[0], q.Args[1])
	}},
	{Name: interfaceChanged, Params: []string{"module"}, Narrow: narrow, Matches: func(q condition.Question, c fact.Change) bool {
		return c.Fact.Family == fact.Symbols && (q.Args[0] == anything || q.Args[0] == c.Fact.Of)
	}},
}

const (
	symbolChanged    = "symbol_changed"
	bodyChanged      = "body_changed"
	interfaceChanged = "interface_changed"
	// anything is the wildcard for modules in a condition and for names in a use.
	anything = "*"
)

func modified(q condition.Question, c fact.Change) bool {
	switch c.Fact.Family {
	case fact.Files, fact.Blobs, fact.Absences:
		return q.Glob.Match(c.Fact.Name)
	}
	return false
}

func narrow(c fact.Change) (word string, args []string) {
	if c.Fact.Name == anything {
		return interfaceChanged, []string{c.Fact.Of}
	}
	return symbolChanged, []string{c.Fact.Of, c.Fact.Name}
}

// Explain returns the causes of changes in words, with the file. It explains a changed listing by its added sources,
// and changed links by the names that are newly used or no longer used. held is the evidence of the conclusion;
// others looks up the evidence of other conclusions, for changed names of their modules.
func (s *Survey) Explain(held []fact.Observation, changes []fact.Change, others func(family fact.Family, prefix string) []fact.Observation) []condition.Cause {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := &explainer{survey: s, held: held, changes: changes, others: others, told: map[fact.Fact]bool{}}
	for _, c := range changes {
		x.explain(c)
	}
	slices.SortStableFunc(x.out, func(a, b condition.Cause) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(sortKey(a), sortKey(b)))
	})
	return x.out
}

func rank(c condition.Cause) int {
	switch {
	case c.Change.Fact.Family == fact.Files && c.Change.After != "":
		return 0
	case c.Change.Fact.Family == fact.Files:
		return 1
	case c.Change.Fact.Family == fact.Symbols:
		return 2
	}
	return 3
}

func sortKey(c condition.Cause) string { return c.Change.Fact.Of + "\x00" + c.Change.Fact.Name }

type explainer struct {
	survey  *Survey
	held    []fact.Observation
	changes []fact.Change
	others  func(family fact.Family, prefix string) []fact.Observation
	told    map[fact.Fact]bool
	out     []condition.Cause
}

func (x *explainer) add(c fact.Change, file, detail string) {
	if !x.told[c.Fact] {
		x.told[c.Fact] = true
		x.out = append(x.out, condition.Cause{Change: c, File: file, Detail: detail})
	}
}

const (
	changed = "changed"
	isGone  = "is gone"
)

func (x *explainer) explain(c fact.Change) {
	name := c.Fact.Name
	switch c.Fact.Family {
	case fact.Files, fact.Blobs:
		x.add(c, name, what(c))
	case fact.Listings:
		x.listing(c)
	case linkFacts:
		x.links(c)
	case fact.Symbols:
		x.symbol(c)
	case fact.Bodies:
		x.behind(c, x.symbolName(c.Fact.Of, name)+" does something else")
	case fact.Callers, fact.Callees, fact.Implementers:
		x.related(c)
	case listFacts:
		x.add(c, "", "the list of "+fileLists[FileList(name)].what+" "+what(c))
	default:
		x.add(c, "", fmt.Sprintf(phrases[c.Fact.Family], x.survey.moduleName(name))+" "+what(c))
	}
}

// phrases name the facts that need no further explanation.
var phrases = map[fact.Family]string{
	importerFacts: "the list of importers of %s", usageFacts: "the usage of %s", flowFacts: "the control flow of %s", extendFacts: "the list of interfaces of %s", baseFacts: "the list of base types of %s", exampleFacts: "the example of %s", manualFacts: "the documentation of %s", moduleFacts: "the list of modules%.0s", languageFacts: "the language of %s", pathFacts: "%s",
	readmeFacts: "the README of %s", quotedFacts: "the example in the README of %s", settingFacts: "%s in the configuration", fact.Absences: "%s",
	reachedFacts: "the public name of %s", dividedFacts: "the division of pages%.0s", partFacts: "the division of %s", bundleFacts: "the page about %s",
	bundledFacts: "the list of modules on %s", descriptionFacts: "the manifest entry of %s",
}

var relations = map[fact.Family]string{fact.Callers: "the list of references to %s", fact.Callees: "the list of references in %s", fact.Implementers: "the list of implementations of %s"}

// related explains a changed relation. It names no file for callers, because they may be anywhere.
func (x *explainer) related(c fact.Change) {
	name := x.symbolName(c.Fact.Of, c.Fact.Name)
	switch {
	case c.Before == "" || c.After == "":
		x.behind(c, name+" "+what(c))
	case c.Fact.Family == fact.Callees:
		x.behind(c, fmt.Sprintf(relations[c.Fact.Family], name)+" "+changed)
	default:
		x.add(c, "", fmt.Sprintf(relations[c.Fact.Family], name)+" "+changed)
	}
}

// what returns the verb for a change.
func what(c fact.Change) string {
	switch {
	case c.Before == "":
		return "was added"
	case c.After == "":
		return isGone
	}
	return changed
}

// listing explains added sources. Removed ones that were read are separate changes.
func (x *explainer) listing(c fact.Change) {
	module := c.Fact.Name
	held := map[string]bool{}
	for _, o := range x.held {
		if o.Family == fact.Files && moduleOf(o.Name) == module {
			held[o.Name] = true
		}
	}
	told := slices.ContainsFunc(x.changes, func(c fact.Change) bool {
		return c.Fact.Family == fact.Files && c.After == "" && moduleOf(c.Fact.Name) == module
	})
	if len(held) > 0 {
		for _, f := range x.survey.present(module).Files {
			if !held[f.Path] {
				x.add(fact.Change{Fact: fact.New(fact.Files, f.Path), After: string(f.Fingerprint)}, f.Path, "was added")
				told = true
			}
		}
	}
	if !told {
		x.add(c, "", "the files of "+x.survey.moduleName(module)+" are others")
	}
}

func (x *explainer) links(c fact.Change) {
	before := map[fact.Fact]string{}
	for _, o := range x.held {
		if o.Family == fact.Symbols {
			before[o.Fact] = o.Digest
		}
	}
	some := false
	for _, u := range x.survey.present(c.Fact.Name).Uses {
		f := fact.Of(fact.Symbols, u.Module, u.Name)
		if _, was := before[f]; !was && u.Name != "" {
			x.add(fact.Change{Fact: f, After: x.digest(f)}, "", x.symbolName(u.Module, u.Name)+" is used now")
			some = true
		}
		delete(before, f)
	}
	for _, o := range x.held { // of all modules read: a name that one does not use may serve another
		if o.Family == linkFacts {
			for _, u := range x.survey.present(o.Name).Uses {
				delete(before, fact.Of(fact.Symbols, u.Module, u.Name))
			}
		}
	}
	for f, digest := range before {
		x.unused(fact.Change{Fact: f, Before: digest, After: x.digest(f)})
		some = true
	}
	if !some {
		x.add(c, "", "its imports lead elsewhere")
	}
}

func (x *explainer) digest(f fact.Fact) string {
	t, _ := x.survey.table(f.Of)
	return string(t.Digest(f.Name))
}

func (x *explainer) unused(c fact.Change) {
	if c.After == "" {
		x.symbol(c)
		return
	}
	x.add(c, "", x.symbolName(c.Fact.Of, c.Fact.Name)+" is not used any more")
}

func (x *explainer) symbol(c fact.Change) {
	name := x.symbolName(c.Fact.Of, c.Fact.Name)
	switch {
	case c.Fact.Name == anything && c.After != "":
		x.behind(c, "the interface of "+x.survey.moduleName(c.Fact.Of)+" changed")
	case c.After == "":
		x.behind(c, name+" "+isGone)
	default:
		x.behind(c, name+" changed")
	}
}

const mostNamed = 3

// behind adds a cause with the file of the other module that changed: the declaring file if it changed, otherwise the
// first. It names no file of a module that is gone.
func (x *explainer) behind(c fact.Change, what string) {
	files := x.drifted(c.Fact.Of)
	if len(files) == 0 || len(x.survey.present(c.Fact.Of).Files) == 0 {
		x.add(c, "", what)
		return
	}
	first := files[0]
	if file := x.declaring(c.Fact.Of, c.Fact.Name); slices.Contains(files, file) {
		first = file
	}
	others := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return file == first })
	if len(others) >= mostNamed {
		others = []string{fmt.Sprintf("%d more files", len(others))}
	}
	if len(others) > 0 {
		what += " (" + strings.Join(others, ", ") + " changed as well)"
	}
	x.add(c, first, what)
}

// drifted lists the sources of a module that differ from what its dependants saw. If all are up to date, it lists the
// changes since the last run that completed its work.
func (x *explainer) drifted(module string) []string {
	was := map[string]string{}
	for _, o := range x.others(fact.Files, prefixOf(module)) {
		if moduleOf(o.Name) == module {
			was[o.Name] = o.Digest
		}
	}
	var out, gone []string
	some := len(was) > 0
	for _, f := range x.survey.present(module).Files {
		if old, seen := was[f.Path]; some && (!seen || old != string(f.Fingerprint)) {
			out = append(out, f.Path)
		}
		delete(was, f.Path)
	}
	for file := range was {
		gone = append(gone, file)
	}
	slices.Sort(gone)
	if out = append(out, gone...); len(out) > 0 {
		return out
	}
	for file := range x.survey.update.undone.Changes {
		if moduleOf(file) == module && x.survey.isSource(file) {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

// prefixOf returns the common prefix of a module's file paths.
func prefixOf(module string) string {
	if module == "." {
		return ""
	}
	return module + "/"
}

// ModuleName returns the display name of a module: its path, or the package name for the root.
func (s *Survey) ModuleName(module string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moduleName(module)
}

func (s *Survey) moduleName(module string) string {
	if sum := s.modules[module]; module == "." && sum != nil && sum.Name != "" {
		return sum.Name
	}
	return module
}

func (x *explainer) symbolName(module, name string) string {
	return x.survey.moduleName(module) + "." + name
}

func (x *explainer) declaring(module, name string) string {
	if x.survey.modules[module] == nil {
		return ""
	}
	k, err := x.survey.know(context.Background(), module)
	if err != nil {
		return ""
	}
	for i := range k.Declared {
		if k.Declared[i].Name == name {
			return k.Declared[i].Path
		}
	}
	return ""
}
