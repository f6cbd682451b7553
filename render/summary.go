package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// Summary is what is known of a module in one line, for pages that speak of many.
type Summary struct {
	Path     string   `json:"-"`
	Title    string   `json:"title"`
	Language string   `json:"language,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Purpose  string   `json:"purpose,omitempty"`
	Derived  bool     `json:"derived,omitempty"`
	Written  bool     `json:"written,omitempty"` // a model wrote the purpose
	API      bool     `json:"api,omitempty"`     // it offers something to others
	Unread   string   `json:"unread,omitempty"`  // why not all of it is the present source
	Deps     []string `json:"-"`                 // where it was asked for
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

// Unread says why not all of a node is the present source; empty if it is.
func Unread(n *node.Node) string {
	if n.Stale != "" {
		return n.Stale
	}
	return strings.Join(n.Problems(), "; ")
}

// SummaryOf is the summary of a module that an engine knows; false when nothing is concluded about it.
func SummaryOf(e *engine.Engine, module string) (Summary, bool) {
	text, ok := e.Excerpt(ModuleUnit(module), linePart)
	if !ok {
		return Summary{}, false
	}
	s, err := readSummary(module, text)
	return s, err == nil
}

// encode is the text that readSummary reads.
func (s Summary) encode() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it is texts
	}
	return string(text)
}

func readSummary(module, text string) (Summary, error) {
	s := Summary{Path: module}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return Summary{}, fmt.Errorf("summary of %s: %w", module, err)
	}
	return s, nil
}

// encodePaths is the text that readPaths reads: paths as texts, each with the one character behind it that none has.
func encodePaths(list []string) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(canonical.Path(p) + "\x00")
	}
	return b.String()
}

func readPaths(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
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

// graph is the repository's modules and their edges, as pages see them.
type graph interface {
	// Modules lists all modules by path, without what they depend on.
	Modules() []Summary
	// Linked lists all modules by path, with what they depend on.
	Linked() []Summary
	// Title is what a module is called; false when there is no such module.
	Title(module string) (string, bool)
	// Parts lists the parts that a large module is divided into, Bundle is the one that a small module is in.
	Parts(module string) *source.PartIndex
	Bundle(module string) survey.Bundle
	// Importers lists the modules that depend on a module, and those whose tests do, by path.
	Importers(module string) (code, tests []string)
	// Used lists the names of a module that the code of others uses, those that most of them use first.
	Used(module string) []string
	// Quoted lists the names that the READMEs of the repository and of a module set as code.
	Quoted(module string) []string
	// Plugged is what the modules that use a module add to it: types that implement something of it, and what they register with it.
	Plugged(module string) []extensions
	// Tested is what is tested of a module, and why.
	Tested(module string) Tested
	// Happened is the newest that happened to a module.
	Happened(module string) ledger.Happened
}

// factGraph is the graph as facts have it. The first error stays, and nothing more is read after it.
type factGraph struct {
	r        engine.Reader
	indexes  *partIndexes
	tested   bool // facts say what is tested
	happened bool // facts say what happened
	prose    entryProse
	err      error
}

func (g *factGraph) excerpt(module, part string) (string, bool) {
	if g.err != nil {
		return "", false
	}
	var value any
	value, g.err = g.r.Read(engine.ExcerptOf(ModuleUnit(module), part))
	text, ok := value.(string)
	return text, ok
}

// paths lists the modules.
func (g *factGraph) paths() []string {
	if g.err != nil {
		return nil
	}
	var value any
	value, g.err = g.r.Read(engine.UnitsOf(ModuleKind))
	modules, _ := value.([]string)
	return modules
}

// Modules implements graph.
func (g *factGraph) Modules() []Summary {
	if g.err != nil {
		return nil
	}
	modules := g.paths()
	out := make([]Summary, 0, len(modules))
	for _, m := range modules {
		text, ok := g.excerpt(m, linePart)
		if g.err != nil {
			return nil
		}
		if !ok {
			continue
		}
		var s Summary
		if s, g.err = readSummary(m, text); g.err != nil {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// Linked implements graph.
func (g *factGraph) Linked() []Summary {
	list := g.Modules()
	for i := range list {
		text, _ := g.excerpt(list[i].Path, depsPart)
		if g.err == nil {
			list[i].Deps, g.err = readPaths(text)
		}
	}
	return list
}

// Flows are how the code of a module goes on.
func (g *factGraph) Flows(module string) []flow {
	text, _ := g.excerpt(module, flowPart)
	if text == "" || g.err != nil {
		return nil
	}
	var list []flow
	list, g.err = readFlows(module, text)
	return list
}

// Title implements graph.
func (g *factGraph) Title(module string) (string, bool) { return g.excerpt(module, labelPart) }

// Used implements graph.
func (g *factGraph) Used(module string) []string {
	if g.err != nil {
		return nil
	}
	var names []string
	names, g.err = survey.UsageOf(g.r, module)
	return names
}

// Quoted implements graph.
func (g *factGraph) Quoted(module string) []string {
	var out []string
	for _, dir := range slices.Compact([]string{".", module}) {
		if g.err != nil {
			return nil
		}
		var names []string
		names, g.err = survey.QuotedOf(g.r, dir)
		out = append(out, names...)
	}
	return out
}

// Parts implements graph.
func (g *factGraph) Parts(module string) *source.PartIndex {
	var parts []source.Part
	if g.err == nil {
		parts, g.err = survey.PartsOf(g.r, module)
	}
	return g.indexes.of(module, parts)
}

// partIndexes are the indexes of the parts of modules, for all pages that lead to them.
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
	if g.err != nil {
		return survey.Bundle{}
	}
	var b survey.Bundle
	b, g.err = survey.BundleOf(g.r, module)
	return b
}

// Importers implements graph.
func (g *factGraph) Importers(module string) (code, tests []string) {
	if g.err != nil {
		return nil, nil
	}
	var i survey.Importers
	i, g.err = survey.ImportersOf(g.r, module)
	return i.Code, i.Tests
}

// Summaries lists all modules by path, with their dependencies.
func Summaries(r engine.Reader) ([]Summary, error) {
	g := &factGraph{r: r}
	list := g.Linked()
	return list, g.err
}
