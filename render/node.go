package render

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// build makes a module's node from its source.
func build(
	k *survey.Module, r survey.Typing, flows []source.Flow, quoted []string, implements []source.Implementation, manual []survey.Manual, heirs []heir, a answer,
) *node.Node {
	n := &node.Node{
		Module: titleOf(k, r), Path: k.Module.Path, Language: k.Module.Language(), Kind: kindOf(k),
		Purpose: a.Purpose, PurposeFrom: a.From, PurposeFile: a.File,
		External: foreign(k.External, spoken(k.Module)), Manual: manuals(manual),
	}
	n.Doc, _ = k.Module.Doc()
	for _, u := range k.Uses {
		n.Dependencies = append(n.Dependencies, u.Module)
		if u.Name == "" {
			n.Brings = append(n.Brings, u.Module)
		}
	}
	n.Dependencies, n.PassesOn = slices.Compact(n.Dependencies), passesOn(k)
	aliases := aliasesOf(k)
	told := describedIn(manual)
	maps.Copy(told, source.Needed(k.Declared, func(d *source.Declared) bool {
		_, named := r.Names[d.Name]
		_, inside := r.Of(d)
		return !inside && (d.Exported || named)
	}))
	api := offered(k, r, aliases, told)
	n.PublicAPI = slices.Grow(n.PublicAPI, len(api))
	for _, d := range api {
		s := node.Symbol{
			Name: d.Name, Kind: d.Kind, Signature: d.Signature, Type: d.Type, Doc: d.Doc, Overloads: d.Overloads, Deprecated: d.Deprecated,
			From: from(k, d), File: path.Base(d.Path),
		}
		var typed source.Typed
		if typed, s.Inside = r.Of(d); len(typed.As) > 0 {
			s.As, s.Import = typed.As, typed.Import
		} else {
			s.Aliases = aliases[d.Name]
		}
		s.Inside = s.Inside && !told[s.Name]
		n.PublicAPI = append(n.PublicAPI, s)
	}
	inherit(n, heirs)
	describe(n, manual)
	// by file, as authors order their code: two new symbols in different files do not meet on the same lines
	slices.SortStableFunc(n.PublicAPI, func(a, b node.Symbol) int { return strings.Compare(a.File, b.File) })
	for _, u := range k.Module.Units {
		addUnit(n, u)
	}
	if k.Readme != nil {
		n.Sources = append(n.Sources, node.Source{
			Path: k.Readme.Path, Role: roleReadme,
		})
	}
	slices.SortFunc(n.Sources, func(a, b node.Source) int { return strings.Compare(a.Path, b.Path) })
	n.Behaviour = behaviorOf(k, implements)
	n.Flows = stepsOf(k, r, flows, quoted)
	n.Implements = implementationsOf(k.Module.Path, implements)
	slices.Sort(n.Tests)
	return n
}

// offered lists what a module declares for others, sorted by name: also what is told of for other reasons, by whatever name callers have
// it.
func offered(k *survey.Module, r survey.Typing, aliases map[string][]string, told map[string]bool) []*source.Declared {
	var out []*source.Declared
	for i := range k.Declared {
		d := &k.Declared[i]
		_, named := r.Names[d.Name]
		if told[d.Name] && !d.Exported {
			out = append(out, d)
			continue
		}
		if !d.Exported && !named || strings.HasPrefix(d.Symbol.Name, ".") || passedOn(k, d, named) {
			continue
		}
		if (r.Files[d.Path].Ruled || !internal(k, d, aliases)) && !entryPoint(d) && !isTypeParameter(d) {
			out = append(out, d)
		}
	}
	return out
}

// entryPoint reports whether a declaration is where a program in C or C++ begins: nobody calls it.
func entryPoint(d *source.Declared) bool {
	return d.Name == "main" && d.Kind == source.Func && strings.HasPrefix(path.Ext(d.Path), ".c")
}

// isTypeParameter reports whether a declaration is a type parameter of Python: it is part of the signatures that use it.
func isTypeParameter(d *source.Declared) bool {
	return d.Doc == "" && strings.Contains(d.Signature, " = ") && typeParameter.MatchString(d.Signature)
}

var typeParameter = lazyregexp.New(`^\w+ = (\w+\.)*(TypeVar|TypeVarTuple|ParamSpec)\(`)

// internal reports whether a declaration stands in a file that Python's people take for internal by its name, and no
// other file of the module passes it on.
func internal(k *survey.Module, d *source.Declared, aliases map[string][]string) bool {
	prefix := strings.TrimSuffix(d.Name, d.Symbol.Name)
	if path.Ext(d.Path) != ".py" || !strings.HasPrefix(prefix, "_") {
		return false
	}
	for _, stars := range k.Table.Stars {
		if slices.ContainsFunc(stars, func(t source.Target) bool { return t.Dir == k.Module.Path && t.File == path.Base(d.Path) }) {
			return false
		}
	}
	top, _, _ := strings.Cut(d.Symbol.Name, ".")
	return len(aliases[prefix+top]) == 0
}

// from is the module of this repository that declares what d passes on.
func from(k *survey.Module, d *source.Declared) string {
	if d.Kind != source.Reexport {
		return ""
	}
	for _, t := range k.Table.Forwards[d.Name] {
		return t.Dir
	}
	return ""
}

// passedOn reports whether a declaration only passes on a name of the same module, which is listed where it is
// declared. What comes from elsewhere counts where callers know it by that name.
func passedOn(k *survey.Module, d *source.Declared, named bool) bool {
	if d.Kind != source.Reexport {
		return false
	}
	if len(k.Table.Forwards[d.Name]) == 0 {
		return !named || k.Table.Local[d.Name] != ""
	}
	for _, t := range k.Table.Forwards[d.Name] {
		if t.Dir != k.Module.Path {
			return false
		}
	}
	return true
}

// aliasesOf maps the declarations of a module to the shorter names under which it passes them on itself.
func aliasesOf(k *survey.Module) map[string][]string {
	out := map[string][]string{}
	for i := range k.Declared {
		d := &k.Declared[i]
		if d.Kind != source.Reexport || !d.Exported {
			continue
		}
		for _, t := range k.Table.Forwards[d.Name] {
			if t.Dir != k.Module.Path {
				continue
			}
			for _, name := range t.Names {
				full := k.Table.Files[t.File] + name.Name
				if full != d.Name && !slices.Contains(out[full], d.Name) {
					out[full] = append(out[full], d.Name)
				}
			}
		}
	}
	return out
}

const (
	roleListed = "listed" // of a file whose language cannot be read
	roleReadme = "readme"
)

func addUnit(n *node.Node, u source.Unit) {
	s := node.Source{
		Path: u.Path, Problem: u.File.Problem, Role: u.Opaque,
	}
	switch {
	case u.File.Test:
		s.Role = "test"
	case u.File.Generated:
		s.Role = "generated"
	case u.File.Main:
		s.Role = "entry point"
	}
	if u.File.Language != n.Language {
		s.Language = u.File.Language
	}
	if strings.HasPrefix(u.Opaque, "no extractor") {
		s.Role = roleListed
	}
	if source.Prefix(u.Path, u.File.Scoped) != "" && !u.File.Test && !source.Licence(u.File.Doc) {
		s.About = purpose(u.File.Doc, u.File.Language, "")
	}
	n.Sources = append(n.Sources, s)
	for _, e := range u.File.Examples {
		n.Examples = append(n.Examples, node.Example{Symbol: e.Symbol, Suffix: e.Suffix, Doc: e.Doc, Code: e.Code, Output: e.Output})
	}
	n.Tests = append(n.Tests, u.File.Tests...)
}

// nameOf is what people call the module: the name that its code declares, or the directory's.
func nameOf(k *survey.Module) string {
	if name := k.Name(); name != "" {
		return name
	}
	if k.Module.Path != "." {
		return canonical.Path(dirName(k.Module.Path))
	}
	if k.Readme != nil && k.Readme.File.Package != "" {
		return markdown.Plain(k.Readme.File.Package, "markdown")
	}
	return unnamedRoot
}

// titleOf is what the module is called: in a directory that is called after what every project has, the name by which callers import
// what is in it.
func titleOf(k *survey.Module, r survey.Typing) string {
	if base := path.Base(k.Module.Path); base != "src" && base != "lib" || k.Name() != "" {
		return nameOf(k)
	}
	imports := map[string]bool{}
	for _, t := range r.Names {
		imports[t.Import] = true
	}
	if len(imports) == 0 {
		return nameOf(k)
	}
	all := slices.Sorted(maps.Keys(imports)) // a name before what lies below it
	if all[0] == "" || slices.ContainsFunc(all, func(i string) bool { return !below(i, all[0]) }) {
		return nameOf(k)
	}
	return path.Base(all[0])
}

// below reports whether an import is another, or of something below it.
func below(imported, whole string) bool {
	rest, ok := strings.CutPrefix(imported, whole)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], "/.:"))
}

// unnamedRoot is what the root is called when neither code nor README names it.
const unnamedRoot = "Repository root"

// javaLayout is where the build tools of the Java world look for sources.
var javaLayout = lazyregexp.New(`/src/(main|test)/[a-z]+$`)

// dirName is the name of a directory, without those below it that are called after what every project has and not
// after what is in them.
func dirName(dir string) string {
	named := javaLayout.ReplaceAllString(dir, "")
	for base := path.Base(named); (base == "src" || base == "lib") && strings.Contains(named, "/"); base = path.Base(named) {
		named = path.Dir(named)
	}
	return path.Base(named)
}

// Kinds of modules that are no libraries.
const (
	kindCommand = "command"
	kindTests   = "tests"
)

// kindOf tells a command from a library. Where every file is a namespace, a directory that can be run and imported is
// a library that can also be run.
func kindOf(k *survey.Module) string {
	if k.Module.Tests() || unread(k) && underTests.MatchString(withoutPackages(k.Module.Path)) {
		return kindTests
	}
	runs, imported, only := false, slices.ContainsFunc(k.Module.Units, isHeader), true
	for _, u := range k.Module.Units {
		if u.File.Test || u.Opaque != "" {
			continue
		}
		stem := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
		only = only && u.File.Main && !buildFiles[path.Base(u.Path)]
		switch {
		case u.File.Main && u.File.Package == "main":
			return kindCommand
		case u.File.Main && (stem == "main" || stem == "__main__" || mainMeansCommand[u.File.Language]):
			runs = true
		case u.File.Scoped && source.Prefix(u.Path, true) == "":
			imported = true
		}
	}
	if (runs || only) && !imported && !unread(k) {
		return kindCommand
	}
	return ""
}

// underTests matches directories that hold what tests need.
var underTests = lazyregexp.New(`(^|/)(test|tests)(/|$)`)

// withoutPackages is a directory without those below it that only spell the name of a Java package: "tests" among them says nothing
// of what is in it.
func withoutPackages(dir string) string {
	if at := javaPackages.FindStringIndex(dir); at != nil {
		return dir[:at[1]]
	}
	return dir
}

var javaPackages = lazyregexp.New(`(^|/)src/(main|test)/`)

// unread reports whether no file of the module could be read.
func unread(k *survey.Module) bool {
	return !slices.ContainsFunc(k.Module.Units, func(u source.Unit) bool { return u.Opaque == "" })
}

// mainMeansCommand are the languages where a file with an entry point is a program of its own.
var mainMeansCommand = map[string]bool{"c": true, "c++": true}

// buildFiles are programs that only the build runs.
var buildFiles = map[string]bool{"build.rs": true, "setup.py": true}

// isHeader reports whether a file is there to be included by others.
func isHeader(u source.Unit) bool {
	return mainMeansCommand[u.File.Language] && strings.HasPrefix(path.Ext(u.Path), ".h")
}
