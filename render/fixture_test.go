package render

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

var update = flag.Bool("update", false, "write golden files anew")

const headID = "4c1f0aa4c1f0aa4c1f0aa4c1f0aa4c1f0aa4c1f0"

// repo is an in-memory repository, with the facts of the core and the conclusions of the plugin.
var layout = store.Layout{Docs: "docs/causal"}

type repo struct {
	t         testing.TB
	known     map[string]*survey.Module
	entries   []source.Entry
	published map[source.Place]source.Reached
	tests     map[string][]string // modules that the tests of a module use
	previous  map[string]*node.Node
	head      survey.Commit
	dirty     map[string]bool
	local     bool // links to the head will not keep working
	files     *memory
	readme    string            // of the root
	texts     map[string]string // of all files
	flows     func(module string) []source.Flow
	examples  map[string][]survey.Example // by module
	manual    map[string][]survey.Manual
	described map[string]survey.Description
	shapes    map[string]source.Shapes
	config    Config
}

// newRepo reads files, by path, through the extractors of their languages.
func newRepo(t testing.TB, files map[string]string) *repo {
	t.Helper()
	r := &repo{
		t: t, known: map[string]*survey.Module{}, tests: map[string][]string{}, previous: map[string]*node.Node{}, files: &memory{data: map[string][]byte{}},
		head:   survey.Commit{ID: headID, When: time.Date(2026, 2, 18, 23, 0, 0, 0, time.UTC)},
		config: Config{Layout: layout, Repository: "https://example.com/acme/shop", FrontMatter: true},
	}
	r.read(files)
	return r
}

// read replaces the repository's files.
func (r *repo) read(files map[string]string) {
	all := languages.All()
	classes := source.NewClassifier(all)
	clear(r.known)
	r.texts = files
	for _, name := range slices.Sorted(maps.Keys(files)) {
		class := classes.Classify(name)
		if class.Language == "" && !class.Readme {
			continue
		}
		k := r.known[path.Dir(name)]
		if k == nil {
			k = &survey.Module{Module: source.Module{Path: path.Dir(name)}}
			r.known[path.Dir(name)] = k
		}
		u := source.Unit{Path: name, Hash: string(source.DigestOf(files[name]))}
		switch {
		case class.Readme:
			u.File = source.Readme(name, []byte(files[name]))
			k.Readme = &u
			continue
		case class.Readable:
			u.File = classes.Language(name).Extract(context.Background(), name, []byte(files[name]))
		default:
			u.Opaque, u.File = "no extractor for "+class.Language, source.File{Language: class.Language}
		}
		k.Module.Units = append(k.Module.Units, u)
	}
	maps.DeleteFunc(r.known, func(_ string, k *survey.Module) bool { return len(k.Module.Units) == 0 })
	r.link(sourcetest.Project{Files: files, Languages: all}, all)
}

func (r *repo) link(p source.Project, all []source.Language) {
	resolvers := map[string]source.Resolver{}
	for _, l := range all {
		resolvers[l.Name()] = l.Resolver(p)
	}
	for _, k := range r.known {
		k.Declared = k.Module.Declarations()
		k.Table = source.NewTable(k.Module, k.Declared, resolvers)
		if doc, _ := k.Module.Doc(); doc != "" {
			k.Readme = nil
		}
	}
	linker := source.Linker{Table: func(m string) (source.Table, bool) {
		if k := r.known[m]; k != nil {
			return k.Table, true
		}
		return source.Table{}, false
	}}
	r.entries, r.published = nil, map[source.Place]source.Reached{}
	for _, l := range all {
		if found, ok := resolvers[l.Name()].(source.Publisher); ok {
			r.entries = append(r.entries, found.Published()...)
		}
	}
	slices.SortFunc(r.entries, source.CompareEntries)
	r.entries = slices.Compact(r.entries)
	r.published = linker.Published(r.entries)
	r.flows = func(module string) []source.Flow {
		k := r.known[module]
		return source.Flows(k.Module, k.Declared, resolvers, linker)
	}
	r.shapes = map[string]source.Shapes{}
	for m, k := range r.known {
		r.shapes[m] = source.NewShapes(k.Module, k.Declared, resolvers, linker)
	}
	for m, k := range r.known {
		var code, tests []source.Target
		external := map[string]bool{}
		for _, u := range k.Module.Units {
			for _, imp := range u.File.Imports {
				switch found := resolvers[u.File.Language].Resolve(u.Path, imp); {
				case u.File.Test:
					tests = append(tests, found...)
				case len(found) > 0:
					code = append(code, found...)
				case !strings.HasPrefix(imp.Path, "."):
					external[imp.Path] = true
				}
			}
		}
		k.External = slices.Sorted(maps.Keys(external))
		for _, u := range linker.Uses(m, code) {
			k.Uses = append(k.Uses, source.Use{Module: u.Module, Name: u.Name})
		}
		for _, u := range linker.Uses(m, tests) {
			if !slices.Contains(r.tests[m], u.Module) {
				r.tests[m] = append(r.tests[m], u.Module)
			}
		}
	}
}

// Read implements engine.Reader, as a survey and an engine would answer.
func (r *repo) Read(f fact.Fact) (any, error) {
	switch f.Family {
	case fact.Listings:
		return r.known[f.Name], nil
	case fact.Conclusions:
		return &Module{Node: r.previous[strings.TrimPrefix(f.Name, ModuleKind+"/")]}, nil
	case fact.Excerpts:
		n := r.previous[strings.TrimPrefix(f.Of, ModuleKind+"/")]
		if n == nil {
			return nil, nil
		}
		return conclusionOf(n).Excerpts[f.Name], nil
	case fact.Units:
		return slices.Sorted(maps.Keys(r.previous)), nil
	}
	switch f {
	case survey.FlowsFact(f.Name):
		return r.flows(f.Name), nil
	case survey.ImplementsFact(f.Name):
		return r.implements(f.Name), nil
	case survey.BasesFact(f.Name):
		return r.shapes[f.Name].Bases(), nil
	case survey.ExamplesFact(f.Name):
		return r.examples[f.Name], nil
	case survey.ManualFact(f.Name):
		return r.manual[f.Name], nil
	case survey.DescriptionFact(f.Name):
		return r.described[f.Name], nil
	case survey.ReadmeFact("."):
		return survey.Readme{Path: "README.md", Content: []byte(r.readme)}, nil
	case survey.UsageFact(f.Name), survey.QuotedFact(f.Name):
		return []string(nil), nil
	case survey.ImportersFact(f.Name):
		code, tests := r.graph().Importers(f.Name)
		return survey.Importers{Code: code, Tests: tests}, nil
	case survey.ListFact(survey.FileList(f.Name)):
		return slices.DeleteFunc(slices.Sorted(maps.Keys(r.texts)), func(name string) bool { return !survey.FileList(f.Name).Has(name) }), nil
	case survey.SettingFact(f.Name):
		return survey.Settings(r.config.Repository, r.config.FrontMatter)[f.Name], nil
	case survey.PublishedFact(f.Name):
		ruled := slices.ContainsFunc(r.entries, func(e source.Entry) bool { return e.Root == "." || strings.HasPrefix(f.Name, e.Root+"/") })
		return survey.Publication{Ruled: ruled, Names: r.published[source.Place{Dir: path.Dir(f.Name), File: path.Base(f.Name)}]}, nil
	case survey.BlobFact(f.Name):
		if survey.ServiceList.Has(f.Name) || survey.SchemaList.Has(f.Name) || survey.SettingsList.Has(f.Name) || survey.DeployList.Has(f.Name) || path.Ext(f.Name) == ".yml" || survey.ManualList.Has(f.Name) || survey.SampleList.Has(f.Name) {
			return []byte(r.texts[f.Name]), nil
		}
		return []byte(nil), nil
	case survey.PathFact(f.Name):
		if _, there := r.texts[f.Name]; !there && path.Ext(f.Name) == ".java" {
			return "", nil
		}
	case survey.PartsFact(f.Name):
		return []source.Part(nil), nil
	case survey.BundleFact(f.Name):
		return survey.Bundle{}, nil
	}
	return "there", nil
}

// implements lists the interfaces that the types of a module implement.
func (r *repo) implements(module string) []source.Implementation {
	var others []string
	for _, u := range r.known[module].Uses {
		others = append(others, u.Module)
	}
	kin := source.Kinship{Shapes: func(m string) (source.Shapes, bool) { s, ok := r.shapes[m]; return s, ok }}
	return kin.Implemented(module, slices.Compact(others), func(source.Use) bool { return true })
}

// plugin is the plugin over the repository.
func (r *repo) plugin() *Docs {
	return New(r.config, r.files, nil, func(string) bool { return false })
}

// conclude evaluates a unit with the plugin's methods. previous is the stored conclusion.
func (r *repo) conclude(d *Docs, u engine.Unit, previous *engine.Conclusion) engine.Conclusion {
	r.t.Helper()
	in := engine.Input{
		Reader: r, Unit: u, Previous: previous, Generator: "docs/1 test/1 none",
		Origin: engine.Origin{Commit: r.head.ID, When: r.head.When, Permanent: !r.local, Clean: func(p string) bool { return !r.dirty[p] }},
	}
	slice, err := d.TransformInput(in, engine.CoreContext{})
	if err != nil {
		r.t.Fatal(err)
	}
	raw, err := d.Draft(slice)
	if err != nil {
		r.t.Fatal(err)
	}
	c, err := d.ParseOutput(raw, in, frame.Frame{ID: "f", ContextSlice: slice})
	if err != nil {
		r.t.Fatal(err)
	}
	c.Unit = u
	return c
}

// nodes concludes every module through the plugin's own methods, and remembers the result.
func (r *repo) nodes() map[string]*node.Node {
	r.t.Helper()
	d := r.plugin()
	out := map[string]*node.Node{}
	for _, m := range slices.Sorted(maps.Keys(r.known)) {
		var previous *engine.Conclusion
		if n := r.previous[m]; n != nil {
			before := conclusionOf(n)
			previous = &before
			previous.Frame = "s-1/f"
		}
		c := r.conclude(d, ModuleUnit(m), previous)
		if err := d.Store(c, frame.Frame{}); err != nil {
			r.t.Fatal(err)
		}
		out[m] = c.Body.(*Module).Node
	}
	r.previous = out
	return out
}

// graph is what pages know of their neighbours.
func (r *repo) graph() *fakeGraph {
	g := &fakeGraph{code: map[string][]string{}, tests: map[string][]string{}, nodes: r.previous}
	for _, m := range slices.Sorted(maps.Keys(r.previous)) {
		n := r.previous[m]
		s := summaryOf(n)
		s.Path, s.Deps = m, n.Dependencies
		g.list = append(g.list, s)
		for _, d := range n.Dependencies {
			g.code[d] = append(g.code[d], m)
		}
		for _, d := range r.tests[m] {
			g.tests[d] = append(g.tests[d], m)
		}
	}
	return g
}

type fakeGraph struct {
	list        []Summary
	code, tests map[string][]string
	// used names of modules, and quoted names in READMEs
	used   map[string][]string
	quoted []string

	parts   map[string][]source.Part
	bundles map[string]survey.Bundle
	nodes   map[string]*node.Node
	tested  map[string]Tested
	events  map[string]ledger.Happened
}

func (g *fakeGraph) Happened(module string) ledger.Happened { return g.events[module] }

func (g *fakeGraph) Tested(module string) Tested { return g.tested[module] }

func (g *fakeGraph) Plugged(module string) []extensions {
	var out []extensions
	for _, m := range g.code[module] {
		if text := conclusionOf(g.nodes[m]).Excerpts[pluggedPart(module)]; text != "" {
			x, err := readExtensions(m, text)
			if err != nil {
				panic(err)
			}
			out = append(out, x)
		}
	}
	return out
}

func (g *fakeGraph) Used(module string) []string { return g.used[module] }

func (g *fakeGraph) Parts(module string) *source.PartIndex {
	return source.NewPartIndex(g.parts[module])
}

func (g *fakeGraph) Bundle(module string) survey.Bundle { return g.bundles[module] }

func (g *fakeGraph) Quoted(string) []string { return g.quoted }

func (g *fakeGraph) Modules() []Summary { return slices.Clone(g.list) }

func (g *fakeGraph) Linked() []Summary { return slices.Clone(g.list) }

func (g *fakeGraph) Title(module string) (string, bool) {
	for _, s := range g.list {
		if s.Path == module {
			return s.Title, true
		}
	}
	return "", false
}

func (g *fakeGraph) Importers(module string) (code, tests []string) {
	return g.code[module], g.tests[module]
}

// memory is a Files without a disk.
type memory struct {
	mu   sync.Mutex
	data map[string][]byte
}

func (m *memory) Read(name string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.data[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return slices.Clone(data), nil
}

func (m *memory) Write(name string, data []byte) (changed bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	changed = string(m.data[name]) != string(data)
	m.data[name] = slices.Clone(data)
	return changed, nil
}

func (m *memory) Remove(name, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.data, name)
	return nil
}

func (m *memory) Below(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := slices.Sorted(maps.Keys(m.data))
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, dir+"/") }), nil
}

// filesIn reads a directory of testdata.
func filesIn(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(path.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update):\n%s", name, got)
	}
}

// pageUnit is the page of a module.
func pageUnit(module string) engine.Unit {
	return engine.Unit{Kind: PageKind, Subject: topic{module: module}.subject()}
}

// pageOf is the page of a module.
func pageOf(c Config, n *node.Node, g graph, parts []source.Part) string {
	return renderPage(c, newOutline(n, source.NewPartIndex(parts)), g)
}
