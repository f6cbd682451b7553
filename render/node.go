package render

import (
	"cmp"
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
	api, guards := offered(k, r, aliases, told), guardsOf(k)
	n.PublicAPI = slices.Grow(n.PublicAPI, len(api))
	for _, d := range api {
		s := node.Symbol{
			Name: d.Name, Kind: d.Kind, Signature: d.Signature, Type: d.Type, Doc: d.Doc, Overloads: d.Overloads, Deprecated: d.Deprecated,
			From: from(k, d), File: path.Base(d.Path), Guard: guards[d.Name],
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
	// sorted by file, as authors order their code: new symbols in different files do not conflict
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
	n.Implements = implementationsOf(k, implements)
	slices.Sort(n.Tests)
	return n
}

// offered lists the exported declarations of a module, sorted by name, and those in told, under any name of theirs.
func offered(k *survey.Module, r survey.Typing, aliases map[string][]string, told map[string]bool) []*source.Declared {
	var out []*source.Declared
	for i := range k.Declared {
		d := &k.Declared[i]
		_, named := r.Names[d.Name]
		if told[d.Name] && !d.Exported {
			out = append(out, d)
			continue
		}
		if !d.Exported && !named && !r.HandsOn(d) || strings.HasPrefix(d.Symbol.Name, ".") || passedOn(k, d, named) {
			continue
		}
		if (r.Files[d.Path].Ruled || !internal(k, d, aliases)) && !entryPoint(d) && !isAuxiliary(d) {
			out = append(out, d)
		}
	}
	return out
}

// entryPoint reports whether a declaration is the main function of a program, which nothing calls.
func entryPoint(d *source.Declared) bool {
	return d.Name == "main" && d.Kind == source.Func && source.TraitsOfFile(d.Path).Commands && !source.IsHeader(d.Path)
}

// isAuxiliary reports whether an export only serves signatures.
func isAuxiliary(d *source.Declared) bool {
	auxiliary := source.TraitsOfFile(d.Path).Auxiliary
	return auxiliary != nil && auxiliary(d.Symbol)
}

// internal reports whether a declaration is in a file with a private name and no other file of the module
// re-exports it.
func internal(k *survey.Module, d *source.Declared, aliases map[string][]string) bool {
	prefix := strings.TrimSuffix(d.Name, d.Symbol.Name)
	if !source.TraitsOfFile(d.Path).Underscored || !strings.HasPrefix(prefix, "_") {
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

// from returns the module of this repository that declares a re-exported name.
func from(k *survey.Module, d *source.Declared) string {
	if d.Kind != source.Reexport {
		return ""
	}
	for _, t := range k.Table.Forwards[d.Name] {
		return t.Dir
	}
	return ""
}

// passedOn reports whether a declaration only re-exports a name of the same module. Re-exports from elsewhere count if
// callers use that name.
func passedOn(k *survey.Module, d *source.Declared, named bool) bool {
	if d.Kind != source.Reexport {
		return false
	}
	if len(k.Table.Forwards[d.Name]) == 0 {
		return !named || k.Table.Local[d.Name] != ""
	}
	for _, t := range k.Table.Forwards[d.Name] {
		if t.Dir != k.Module.Path || named && t.All { // a whole file is no name
			return false
		}
	}
	return true
}

// aliasesOf returns the shorter names under which the module re-exports its own declarations.
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

// guardsOf returns the conditions of declarations that their signatures do not show: of a block around them, and of the
// only name by which callers know them.
func guardsOf(k *survey.Module) map[string]string {
	out, exported := map[string]string{}, map[string]string{}
	for i := range k.Declared {
		d := &k.Declared[i]
		if d.Kind == source.Reexport && d.Exported {
			for _, t := range k.Table.Forwards[d.Name] {
				for _, name := range t.Names {
					hold(exported, k.Table.Files[t.File]+name.Name, d.Guard)
				}
			}
		}
	}
	for i := range k.Declared {
		d := &k.Declared[i]
		if out[d.Name] = cmp.Or(d.Guard, exported[d.Name]); strings.Contains(d.Signature, out[d.Name]) {
			delete(out, d.Name)
		}
	}
	return out
}

const (
	roleListed = "listed" // in an unsupported language
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
		s.Role = entryRole
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

// nameOf returns the module name in the code, or else the directory.
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

// titleOf returns the name of a module, or for an unnamed src or lib directory the name by which callers import it.
func titleOf(k *survey.Module, r survey.Typing) string {
	if base := path.Base(k.Module.Path); base != "src" && base != "lib" || k.Name() != "" {
		return nameOf(k)
	}
	imports := map[string]bool{}
	for _, t := range r.Names {
		imports[t.Import] = true
	}
	if dir, base := path.Split(k.Module.Path); len(imports) == 0 && base == "lib" && dir != "" {
		return canonical.Path(path.Base(dir) + "/" + base) // one of several directories of an application
	}
	if len(imports) == 0 {
		return nameOf(k)
	}
	all := slices.Sorted(maps.Keys(imports)) // a name sorts before those below it
	if all[0] == "" || slices.ContainsFunc(all, func(i string) bool { return !below(i, all[0]) }) {
		return nameOf(k)
	}
	return path.Base(all[0])
}

// below reports whether an import equals another or is below it.
func below(imported, whole string) bool {
	rest, ok := strings.CutPrefix(imported, whole)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], "/.:"))
}

// unnamedRoot is the title of a root without a name in the code or README.
const unnamedRoot = "Repository root"

// javaLayout matches the source directories of Java build tools.
var javaLayout = lazyregexp.New(`/src/(main|test)/[a-z]+$`)

// dirName returns the name of a directory without trailing generic segments.
func dirName(dir string) string {
	named := javaLayout.ReplaceAllString(dir, "")
	for base := path.Base(named); (base == "src" || base == "lib") && strings.Contains(named, "/"); base = path.Base(named) {
		named = path.Dir(named)
	}
	return path.Base(named)
}

const (
	kindCommand = "command"
	kindTests   = "tests"
	entryRole   = "entry point"
)

// kindOf distinguishes commands from libraries. If files are namespaces, a directory that can be both run and imported
// is a library.
func kindOf(k *survey.Module) string {
	if k.Module.Tests() || unread(k) && underTests.MatchString(withoutPackages(k.Module.Path)) {
		return kindTests
	}
	runs, imported, only := false, slices.ContainsFunc(k.Module.Units, func(u source.Unit) bool { return source.IsHeader(u.Path) }), true
	for _, u := range k.Module.Units {
		if u.File.Test || u.Opaque != "" {
			continue
		}
		stem := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
		t := source.TraitsOf(u.File.Language)
		only = only && u.File.Main && !slices.Contains(t.BuildFiles, path.Base(u.Path))
		switch {
		case u.File.Main && u.File.Package == "main":
			return kindCommand
		case u.File.Main && (stem == "main" || stem == t.Main || t.Commands || strings.HasSuffix(stem, "Application")):
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

// underTests matches test directories.
var underTests = lazyregexp.New(`(^|/)(test|tests)(/|$)`)

// withoutPackages drops the segments of a Java package from a directory: "tests" among them means nothing.
func withoutPackages(dir string) string {
	if at := javaPackages.FindStringIndex(dir); at != nil {
		return dir[:at[1]]
	}
	return dir
}

var javaPackages = lazyregexp.New(`(^|/)src/(main|test)/`)

func unread(k *survey.Module) bool {
	return !slices.ContainsFunc(k.Module.Units, func(u source.Unit) bool { return u.Opaque == "" })
}
