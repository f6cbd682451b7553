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

func (s Summary) encode() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
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

// encodePaths returns the text that readPaths reads: paths separated by a character that paths never contain.
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

// factGraph implements graph with facts. It keeps the first error and reads nothing after it.
type factGraph struct {
	r        engine.Reader
	indexes  *partIndexes
	tested   bool // Config.Tested
	happened bool // Config.Happened
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

// forTools reports whether a file is named after the tool that it configures.
func forTools(file string) bool {
	_, rest, _ := strings.Cut(path.Base(file), ".")
	return strings.Contains("."+rest, ".config.")
}
