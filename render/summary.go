package render

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// Summary is the line of a module on pages about several modules.
type Summary struct {
	Path     string   `json:"-"`
	Title    string   `json:"title"`
	Language string   `json:"language,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Purpose  string   `json:"purpose,omitempty"`
	Derived  bool     `json:"derived,omitempty"`
	Written  bool     `json:"written,omitempty"` // a model wrote the purpose
	API      bool     `json:"api,omitempty"`     // has exported symbols
	Unread   string   `json:"unread,omitempty"`  // why the node is out of date
	Deps     []string `json:"-"`                 // filled on request
}

func summaryOf(n *node.Node) Summary {
	s := Summary{
		Title: n.Module, Language: n.Language, Kind: n.Kind, Purpose: n.Purpose, Derived: n.PurposeFrom == node.FromDerived,
		API: len(n.PublicAPI) > 0 && slices.ContainsFunc(n.Sources, func(s node.Source) bool { return s.Role != roleReadme && s.Role != roleListed && !forTools(s.Path) }),
	}
	s.Unread = Unread(n)
	if purpose, from, _ := n.Says(); from == node.FromModel {
		s.Purpose, s.Derived, s.Written = strings.ReplaceAll(purpose, "`", ""), false, true
	}
	return s
}

// Unread returns the reason why a node is out of date, or "".
func Unread(n *node.Node) string {
	if n.Stale != "" {
		return n.Stale
	}
	return strings.Join(n.Problems(), "; ")
}

// SummaryOf returns the summary of a module that an engine knows; false without a conclusion.
func SummaryOf(e *engine.Engine, module string) (Summary, bool) {
	text, ok := e.Excerpt(ModuleUnit(module), linePart)
	if !ok {
		return Summary{}, false
	}
	s, err := readSummary(module, text)
	return s, err == nil
}

func (s Summary) encode() string { return string(mustJSON(s)) }

func readSummary(module, text string) (Summary, error) {
	s := Summary{Path: module}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Summary{}, fmt.Errorf("summary of %s: %w", module, err)
	}
	return s, nil
}

// encodePaths returns the text that readPaths reads: paths separated by a character that paths never contain.
func encodePaths(list []string) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(canonical.Path(p) + "\x00")
	}
	return b.String()
}

func readPaths(_, text string) ([]string, error) {
	var out []string
	for p := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		p, err := canonical.ParsePath(p)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// graph gives pages access to the repository's modules and their edges.
type graph interface {
	// Modules lists all modules by path, without dependencies.
	Modules() []Summary
	// Linked lists all modules by path, with dependencies.
	Linked() []Summary
	// Title returns the title of a module; false for an unknown module.
	Title(module string) (string, bool)
	// Parts returns the parts of a large module, Bundle the bundle of a small one.
	Parts(module string) *source.PartIndex
	Bundle(module string) survey.Bundle
	// Importers lists the modules that depend on a module, and those whose tests do, by path.
	Importers(module string) (code, tests []string)
	// Used lists the names of a module that other modules use, the most used first.
	Used(module string) []string
	// Quoted lists the names in code spans of the READMEs of the repository and of a module.
	Quoted(module string) []string
	// Plugged returns the implementations and registrations that users of a module add to it.
	Plugged(module string) []extensions
	// Tested returns the tested symbols of a module.
	Tested(module string) Tested
	// Happened returns the latest log entries of a module.
	Happened(module string) ledger.Happened
}

// facts reads facts. It keeps the first error and reads nothing after it.
type facts struct {
	r   survey.Reader
	err error
}

// ask returns what a function reads about something.
func ask[T, Of any](f *facts, read func(r survey.Reader, of Of) (T, error), of Of) (value T) {
	if f.err == nil {
		value, f.err = read(f.r, of)
	}
	return value
}

func (f *facts) excerpt(unit engine.Unit, part string) string {
	text, _ := ask(f, survey.Reader.Read, engine.ExcerptOf(unit, part)).(string)
	return text
}

// units lists the subjects of the units of a kind.
func (f *facts) units(kind string) []string {
	list, _ := ask(f, survey.Reader.Read, engine.UnitsOf(kind)).([]string)
	return list
}

// blob returns the content of a file, or nil.
func (f *facts) blob(name string) []byte { return ask(f, survey.Blob, name) }

// excerptsOf reads a part of the nodes of modules that have it.
func excerptsOf[T any](f *facts, modules []string, part string, read func(module, text string) (T, error)) (out []T) {
	for _, m := range modules {
		text := f.excerpt(ModuleUnit(m), part)
		if text == "" || f.err != nil {
			continue
		}
		var one T
		if one, f.err = read(m, text); f.err == nil {
			out = append(out, one)
		}
	}
	return out
}

// factGraph implements graph with facts.
type factGraph struct {
	facts
	indexes  *partIndexes
	tested   bool // Config.Tested
	happened bool // Config.Happened
	prose    entryProse
}

func (g *factGraph) paths() []string { return g.units(ModuleKind) }

// Modules implements graph.
func (g *factGraph) Modules() []Summary {
	return excerptsOf(&g.facts, g.paths(), linePart, readSummary)
}

// Linked implements graph.
func (g *factGraph) Linked() []Summary {
	list := g.Modules()
	for i := range list {
		list[i].Deps = g.deps(list[i].Path)
	}
	return list
}

func (g *factGraph) deps(module string) []string {
	return slices.Concat(excerptsOf(&g.facts, []string{module}, depsPart, readPaths)...)
}

func (g *factGraph) Flows(module string) []flow {
	return slices.Concat(excerptsOf(&g.facts, []string{module}, flowPart, readFlows)...)
}

// Title implements graph.
func (g *factGraph) Title(module string) (string, bool) {
	title, ok := ask(&g.facts, survey.Reader.Read, engine.ExcerptOf(ModuleUnit(module), labelPart)).(string)
	return title, ok
}

// Used implements graph.
func (g *factGraph) Used(module string) []string { return ask(&g.facts, survey.UsageOf, module) }

// Quoted implements graph.
func (g *factGraph) Quoted(module string) (out []string) {
	for _, dir := range slices.Compact([]string{".", module}) {
		out = append(out, ask(&g.facts, survey.QuotedOf, dir)...)
	}
	return out
}

// Parts implements graph.
func (g *factGraph) Parts(module string) *source.PartIndex {
	return g.indexes.of(module, ask(&g.facts, survey.PartsOf, module))
}

// partIndexes caches the part indexes of modules for all pages.
type partIndexes struct {
	mu       sync.Mutex
	byModule map[string]*source.PartIndex
}

func (x *partIndexes) of(module string, parts []source.Part) *source.PartIndex {
	if len(parts) == 0 {
		return undivided
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	index := x.byModule[module]
	if index == nil || len(index.Parts) != len(parts) || &index.Parts[0] != &parts[0] { // another run may divide it otherwise
		index = source.NewPartIndex(parts)
		x.byModule[module] = index
	}
	return index
}

var undivided = source.NewPartIndex(nil)

// Bundle implements graph.
func (g *factGraph) Bundle(module string) survey.Bundle {
	return ask(&g.facts, survey.BundleOf, module)
}

// Importers implements graph.
func (g *factGraph) Importers(module string) (code, tests []string) {
	i := ask(&g.facts, survey.ImportersOf, module)
	return i.Code, i.Tests
}

// Plugged implements graph.
func (g *factGraph) Plugged(module string) []extensions {
	code, _ := g.Importers(module)
	return excerptsOf(&g.facts, code, pluggedPart(module), readExtensions)
}

// Tested implements graph.
func (g *factGraph) Tested(module string) Tested {
	if !g.tested {
		return Tested{}
	}
	t, _ := ask(&g.facts, survey.Reader.Read, fact.New(TestedFacts, module)).(Tested)
	return t
}

// Happened implements graph.
func (g *factGraph) Happened(module string) ledger.Happened {
	if !g.happened {
		return ledger.Happened{}
	}
	h, _ := ask(&g.facts, survey.Reader.Read, ledger.HappenedTo(ModuleUnit(module).String())).(ledger.Happened)
	return h
}

// Summaries lists all modules by path, with their dependencies.
func Summaries(r engine.Reader) ([]Summary, error) {
	g := &factGraph{facts: facts{r: r}}
	list := g.Linked()
	return list, g.err
}

// forTools reports whether a file is named after the tool that it configures.
func forTools(file string) bool {
	_, rest, _ := strings.Cut(path.Base(file), ".")
	return strings.Contains("."+rest, ".config.")
}
