package main

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
)

// reader is a reader of untrusted text, with its grammar.
type reader struct {
	grammar

	read func(text string) error
}

// grammar generates texts of one kind.
type grammar struct {
	// wraps surround a text: the part before, and after a NUL the part behind.
	wraps []string
	// tokens are combined in any order. A # becomes a different number each time.
	tokens []string
	// known are texts that were slow in some reader, or that fill lookup tables.
	known []string
	// product are pairs of texts whose elements were once looked up in each other.
	product [][2]string
}

// always is a reader that takes every text.
func always(read func(text string)) func(string) error {
	return func(text string) error {
		read(text)
		return nil
	}
}

// readers are the ways in by name.
var readers = allReaders()

func allReaders() map[string]*reader {
	out := map[string]*reader{
		"readme.md":      {markdownGrammar, always(func(text string) { source.Readme("README.md", []byte(text)) })},
		"readme.rst":     {rstGrammar, always(func(text string) { source.Readme("README.rst", []byte(text)) })},
		"quoted":         {markdownGrammar, always(func(text string) { source.Quoted([]byte(text)) })},
		"page":           {pageGrammar, always(readPage)},
		"run of README":  {markdownGrammar, readRun("README.md", "", "")},
		"run of doc":     {docGrammar, readRun("a/a.go", "/*\n", "*/\npackage a\n")},
		"run of docs":    {docGrammar, readRun("b/b.py", "class A:\n  r\"\"\"\n", "\n\"\"\"\n")},
		"run of page":    {pageGrammar, readRun("docs/modules/a.md", "---\ngenerated:\n  by: causal/docs-1\n---\n", "")},
		"diagram":        {diagramGrammar, always(func(text string) { _ = pagecheck.Diagram(text) })},
		"node":           {yamlGrammar, always(func(text string) { _, _ = node.Decode([]byte(text)) })},
		"session":        {yamlGrammar, always(func(text string) { _, _ = session.Decode([]byte(text)) })},
		"configuration":  {yamlGrammar, always(func(text string) { _, _ = config.Parse("causal.yaml", []byte(text)) })},
		"condition":      {conditionGrammar, readCondition()},
		"glob":           {globGrammar, always(readGlob)},
		"manifest":       {tomlGrammar, always(func(text string) { manifest.Read([]byte(text)).Keys() })},
		"package.json":   {jsonGrammar, readManifest("typescript", "package.json")},
		"tsconfig.json":  {jsonGrammar, readManifest("typescript", "tsconfig.json")},
		"go.mod":         {modGrammar, readManifest("go", "go.mod")},
		"Cargo.toml":     {tomlGrammar, readManifest("rust", "Cargo.toml")},
		"pyproject.toml": {tomlGrammar, readManifest("python", "pyproject.toml")},
		"setup.cfg":      {iniGrammar, readManifest("python", "setup.cfg")},
		"setup.py":       {grammars["python"], readManifest("python", "setup.py")},
	}
	for _, l := range languages.All() {
		out[l.Name()] = &reader{grammars[l.Name()], readSource(l)}
		if l.Name() != "javascript" && l.Name() != "c++" { // as typescript and c
			out["doc of "+l.Name()] = &reader{docGrammar, readDoc(l.Name())}
		}
	}
	out["doc"] = &reader{docGrammar, readDoc("")}
	maps.Copy(out, reviewReaders())
	maps.Copy(out, operatorReaders())
	return out
}

// project is a repository with one manifest and one file of each language.
type project struct{ name, manifest string }

func (p project) Has(name string) bool             { return name == p.name || path.Dir(name) == "p" }
func (p project) HasDir(dir string) bool           { return dir == "p" || dir == "." }
func (p project) Sources(language string) []string { return []string{"p/a" + extension(language)} }
func (p project) Manifests(base string) []string {
	if base != p.name {
		return nil
	}
	return []string{base}
}
func (p project) Read(name string) ([]byte, bool) { return []byte(p.manifest), name == p.name }

func extension(language string) string {
	return byName(language).Extensions()[0]
}

func byName(language string) source.Language {
	all := languages.All()
	return all[slices.IndexFunc(all, func(l source.Language) bool { return l.Name() == language })]
}

// readManifest asks a language where imports lead in a repository with one manifest.
func readManifest(language, name string) func(string) error {
	l := byName(language)
	return always(func(text string) {
		r := l.Resolver(project{name, text})
		for _, p := range []string{"./b", "a", "a/b/c", "crate::a::b", "a.b.c"} {
			r.Resolve("p/a"+extension(language), source.Import{Path: p, Names: []source.Name{{Name: "x"}}})
		}
		if a, ok := r.(source.Aliaser); ok {
			a.Aliases("p/a" + extension(language))
		}
	})
}

// readSource extracts a file and computes everything that depends on it, except pages.
func readSource(l source.Language) func(string) error {
	name := "p/a" + l.Extensions()[0]
	resolvers := map[string]source.Resolver{l.Name(): l.Resolver(project{})}
	return func(text string) error {
		f, err := source.Extract(context.Background(), l, name, []byte(text))
		if err != nil {
			return err
		}
		m := source.Module{Path: "p", Units: []source.Unit{{Path: name, File: f}}}
		declared := m.Declarations()
		table := source.NewTable(m, declared, resolvers)
		linker := source.Linker{Table: func(module string) (source.Table, bool) { return table, module == "p" }}
		r := source.NewReferences(m, declared, resolvers, linker)
		r.Crossings()
		for i := range declared[:min(len(declared), few)] {
			r.Of(declared[i].Name)
			r.Callers(declared[i].Name)
		}
		source.NewShapes(m, declared, resolvers, linker)
		var targets []source.Target
		for _, imp := range f.Imports {
			targets = append(targets, resolvers[l.Name()].Resolve(name, imp)...)
		}
		linker.Uses("p", targets)
		return nil
	}
}

// few is the number of queried declarations.
const few = 3

func readDoc(language string) func(string) error {
	return always(func(text string) {
		d := markdown.Read(text, language)
		d.Text()
		d.Summary()
		markdown.Plain(text, language)
		markdown.Purpose(text, language)
	})
}

func readPage(text string) {
	pagecheck.Check([]pagecheck.Page{{Path: "docs/a.md", Content: []byte(text)}}, func(string) bool { return true })
}

func readCondition() func(string) error {
	v := condition.NewVocabulary(survey.Words...)
	return always(func(text string) {
		if c, err := v.Parse(text); err == nil {
			_ = c.String()
		}
	})
}

// readGlob matches a pattern and a path that are one text each.
func readGlob(text string) {
	pattern, name, ok := strings.Cut(text, " ")
	if !ok {
		name = strings.Repeat("a/", len(text)/2)
	}
	if g, err := condition.ParseGlob(pattern); err == nil {
		g.Match(name)
	}
}
