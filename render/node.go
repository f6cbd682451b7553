package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/node"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/markdown"
)

// build makes a module's node from its source.
func build(in engine.Input, a answer) *node.Node {
	k := in.Known
	n := &node.Node{
		Module: nameOf(k), Path: k.Module.Path, Language: k.Module.Language(), Kind: kindOf(k),
		Purpose: a.Purpose, PurposeFrom: a.From, PurposeFile: a.File,
		External: k.External, Uses: k.Uses, Interface: k.Table.Interface, Generator: in.Generator,
	}
	n.Doc, _ = k.Module.Doc()
	for _, u := range k.Uses {
		n.Dependencies = append(n.Dependencies, u.Module)
	}
	n.Dependencies = slices.Compact(n.Dependencies)
	aliases := aliasesOf(k)
	for _, d := range k.Declared {
		if d.Exported && !passedOn(k, d) && !strings.HasPrefix(d.Symbol.Name, ".") {
			n.PublicAPI = append(n.PublicAPI, node.Symbol{
				Name: d.Name, Kind: d.Kind, Signature: d.Signature, Doc: d.Doc, Deprecated: d.Deprecated,
				File: path.Base(d.Path), Interface: d.Deep, Content: d.Content, Aliases: aliases[d.Name],
			})
		}
	}
	for _, u := range k.Module.Units {
		addUnit(n, u)
	}
	if k.Readme != nil {
		n.Sources = append(n.Sources, node.Source{
			Path: k.Readme.Path, Hash: k.Readme.Hash, Fingerprint: k.Readme.File.Content, Role: "readme",
		})
	}
	slices.SortFunc(n.Sources, func(a, b node.Source) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(n.Behaviour, func(a, b node.Behavior) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
	})
	slices.Sort(n.Tests)
	return n
}

// passedOn tells whether a declaration only passes on a name of the same module, which is listed where it is
// declared.
func passedOn(k *engine.Known, d source.Declared) bool {
	if d.Kind != source.Reexport {
		return false
	}
	for _, t := range k.Table.Forwards[d.Name] {
		if t.Dir != k.Module.Path {
			return false
		}
	}
	return true
}

// aliasesOf maps the declarations of a module to the shorter names under which it passes them on itself.
func aliasesOf(k *engine.Known) map[string][]string {
	out := map[string][]string{}
	for _, d := range k.Declared {
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

func addUnit(n *node.Node, u source.Unit) {
	s := node.Source{Path: u.Path, Hash: u.Hash, Fingerprint: u.File.Content, Problem: u.File.Problem, Role: u.Opaque}
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
		s.Role = "listed"
	}
	if source.Prefix(u.Path, u.File.Scoped) != "" && !u.File.Test {
		s.About = markdown.Plain(u.File.Doc, u.File.Language)
	}
	n.Sources = append(n.Sources, s)
	for _, f := range u.File.Facts {
		n.Behaviour = append(n.Behaviour, node.Behavior{Kind: f.Kind, Name: f.Name, File: path.Base(u.Path)})
	}
	for _, e := range u.File.Examples {
		n.Examples = append(n.Examples, node.Example(e))
	}
	n.Tests = append(n.Tests, u.File.Tests...)
}

// nameOf is what people call the module: the name that its code declares, or the directory's.
func nameOf(k *engine.Known) string {
	for _, u := range k.Module.Units {
		if p := u.File.Package; p != "" && !u.File.Test && p != "main" && !strings.Contains(p, ".") {
			return p
		}
	}
	name := path.Base(k.Module.Path)
	if parent := path.Base(path.Dir(k.Module.Path)); layoutDirs[name] && parent != "." {
		name = parent
	}
	if name == "." {
		return "root"
	}
	return name
}

// layoutDirs are directories that are called after what every project has, not after what is in them.
var layoutDirs = map[string]bool{"src": true, "lib": true}

// Kinds of modules that are no libraries.
const (
	kindCommand = "command"
	kindTests   = "tests"
)

// kindOf tells a command from a library. Where every file is a namespace, a directory that can be run and imported is
// a library that can also be run.
func kindOf(k *engine.Known) string {
	if k.Module.Tests() {
		return kindTests
	}
	runs, imported := false, slices.ContainsFunc(k.Module.Units, isHeader)
	for _, u := range k.Module.Units {
		if u.File.Test {
			continue
		}
		stem := strings.TrimSuffix(path.Base(u.Path), path.Ext(u.Path))
		switch {
		case u.File.Main && u.File.Package == "main":
			return kindCommand
		case u.File.Main && (stem == "main" || stem == "__main__" || mainMeansCommand[u.File.Language]):
			runs = true
		case u.File.Scoped && source.Prefix(u.Path, true) == "":
			imported = true
		}
	}
	if runs && !imported {
		return kindCommand
	}
	return ""
}

// mainMeansCommand are the languages where a file with an entry point is a program of its own.
var mainMeansCommand = map[string]bool{"c": true, "c++": true}

// isHeader tells whether a file is there to be included by others.
func isHeader(u source.Unit) bool {
	return mainMeansCommand[u.File.Language] && strings.HasPrefix(path.Ext(u.Path), ".h")
}

// purpose is the first sentence of a documentation. What only repeats that it is a package of this name is left off:
// "Package money holds amounts." says "Holds amounts."
func purpose(doc, language, name string) string {
	s := markdown.Plain(doc, language)
	if rest, ok := strings.CutPrefix(s, "Package "+name+" "); ok && language == "go" {
		verb, after, _ := strings.Cut(rest, " ")
		switch {
		case verb == "is" && hasArticle(after):
			s = upper(after)
		case strings.HasSuffix(verb, "s") && verb != "is":
			s = upper(rest)
		}
	}
	return s
}

func hasArticle(s string) bool {
	return strings.HasPrefix(s, "a ") || strings.HasPrefix(s, "an ") || strings.HasPrefix(s, "the ")
}

func upper(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// composition says what is in a module nobody described.
func composition(k *engine.Known) string {
	counts := map[source.Kind]int{}
	for _, d := range k.Declared {
		if d.Exported && !strings.Contains(strings.TrimPrefix(d.Name, source.Prefix(d.Path, true)), ".") {
			counts[countedAs[d.Kind]]++
		}
	}
	tests, files := 0, 0
	for _, u := range k.Module.Units {
		tests += len(u.File.Tests)
		if !u.File.Test {
			files++
		}
	}
	language := languageTitle(k.Module.Language())
	what := language + " package"
	switch {
	case kindOf(k) == kindTests:
		return fmt.Sprintf("%s tests: %s in %s.", language, count(tests, "test"), count(len(k.Module.Units), "file"))
	case kindOf(k) == kindCommand:
		what = language + " command"
	case len(counts) == 0:
		return fmt.Sprintf("%s code in %s.", language, count(files, "file"))
	}
	var parts []string
	for _, kind := range []source.Kind{source.Type, source.Func, source.Const, source.Var, source.Macro, source.Namespace} {
		if c := counts[kind]; c > 0 {
			parts = append(parts, count(c, nouns[kind]))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%s in %s.", what, count(files, "file"))
	}
	return fmt.Sprintf("%s with %s.", what, list(parts))
}

// countedAs groups kinds for the composition sentence.
var countedAs = map[source.Kind]source.Kind{
	source.Func: source.Func, source.Method: source.Func, source.Type: source.Type, source.Struct: source.Type,
	source.Class: source.Type, source.Interface: source.Type, source.Trait: source.Type, source.Enum: source.Type,
	source.Record: source.Type, source.Union: source.Type, source.Const: source.Const, source.Var: source.Var,
	source.Field: source.Var, source.Macro: source.Macro, source.Namespace: source.Namespace,
}

var nouns = map[source.Kind]string{
	source.Type: "type", source.Func: "function", source.Const: "constant", source.Var: "variable", source.Macro: "macro",
	source.Namespace: "namespace",
}

func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// languageTitles are the names of languages as people write them, where it is not the name with a capital.
var languageTitles = map[string]string{
	"typescript": "TypeScript", "javascript": "JavaScript", "c++": "C++", "c": "C", "c#": "C#", "f#": "F#", "php": "PHP",
	"sql": "SQL", "make": "Make", "cmake": "CMake", "graphql": "GraphQL", "ocaml": "OCaml", "powershell": "PowerShell",
	"coffeescript": "CoffeeScript", "objective-c": "Objective-C", "protobuf": "Protocol Buffers", "cuda": "CUDA", "vhdl": "VHDL",
}

func languageTitle(name string) string {
	if t, ok := languageTitles[name]; ok {
		return t
	}
	return upper(name)
}

// canKeep tells whether an earlier node holds a text worth keeping when the source cannot be read whole.
func canKeep(n *node.Node) bool {
	return n.Intact() && len(n.PublicAPI) > 0 && (n.Stale != "" || len(n.Problems()) == 0)
}

// keepLast is the node while a file does not parse: the last content that could be read, and why it is not the
// present one.
func keepLast(in engine.Input, now *node.Node, broken source.Unit) *node.Node {
	kept := *in.Previous
	kept.PublicAPI = slices.Clone(in.Previous.PublicAPI)
	kept.Stale = fmt.Sprintf("%s could not be read: %s", broken.Path, broken.File.Problem)
	kept.Sources, kept.Uses, kept.Generator = now.Sources, now.Uses, now.Generator
	kept.InvalidationCondition = now.InvalidationCondition
	return &kept
}

// provenance notes when and where the content was derived. What did not change keeps what was noted of it: a page
// must not change because time went by.
func provenance(in engine.Input, n *node.Node) {
	old := in.Previous
	if old != nil && old.Digest == n.Digest {
		n.Commit, n.LastVerified, n.FrameID = old.Commit, old.LastVerified, old.FrameID
		n.PublicAPI = old.PublicAPI
		return
	}
	n.FrameID = ""
	clean := !slices.ContainsFunc(n.Sources, func(s node.Source) bool { return !in.Clean(s.Path) })
	switch {
	case n.Stale != "" && old != nil:
		n.Commit, n.LastVerified = old.Commit, old.LastVerified
		return
	case sameToReaders(old, n):
		n.Commit, n.LastVerified = old.Commit, old.LastVerified
	case in.Head.ID == "":
		n.Commit, n.LastVerified = "", ""
	default:
		n.Commit, n.LastVerified = "", in.Head.When.UTC().Format("2006-01-02")
		if clean {
			n.Commit = in.Head.ID
		}
	}
	places(in, n)
}

// sameToReaders tells whether a page made from either node would be the same: then it keeps its date.
func sameToReaders(old, n *node.Node) bool {
	if old == nil || old.LastVerified == "" {
		return false
	}
	a, b := *old, *n
	for _, x := range []*node.Node{&a, &b} {
		x.Sources, x.PublicAPI, x.Uses = slices.Clone(x.Sources), slices.Clone(x.PublicAPI), slices.Clone(x.Uses)
		for i := range x.Sources {
			x.Sources[i].Fingerprint = ""
		}
		for i := range x.PublicAPI {
			x.PublicAPI[i].Interface, x.PublicAPI[i].Content = "", ""
		}
		for i := range x.Uses {
			x.Uses[i].Interface = ""
		}
		x.Interface = ""
		x.Seal()
	}
	return a.Digest == b.Digest
}

// places notes where each symbol stands, at a commit that links may lead to. A symbol that did not change keeps its
// place: the link still shows its code.
func places(in engine.Input, n *node.Node) {
	type key struct{ name, file string }
	before := map[key]node.Symbol{}
	if in.Previous != nil {
		for _, s := range in.Previous.PublicAPI {
			before[key{s.Name, s.File}] = s
		}
	}
	lines := map[string]source.Declared{}
	for _, d := range in.Known.Declared {
		lines[d.Name] = d
	}
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		if was, ok := before[key{s.Name, s.File}]; ok && was.Content == s.Content && was.At != "" {
			s.At, s.Lines = was.At, was.Lines
			continue
		}
		d := lines[s.Name]
		if in.Permanent && in.Clean(d.Path) {
			s.At, s.Lines = in.Head.ID, fmt.Sprintf("%d-%d", d.Line, d.End)
		}
	}
}
