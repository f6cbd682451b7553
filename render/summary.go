package render

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
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
	Deps     []string `json:"deps,omitempty"`
}

func summaryOf(n *node.Node) Summary {
	return Summary{
		Title: n.Module, Language: n.Language, Kind: n.Kind, Purpose: n.Purpose, Derived: n.PurposeFrom == node.FromDerived, Deps: n.Dependencies,
	}
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
	s.Deps = slices.Clone(s.Deps)
	for i, d := range s.Deps {
		s.Deps[i] = canonical.Path(d) // JSON has no bytes either
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // it is texts and lists of them
	}
	return string(text)
}

func readSummary(module, text string) (Summary, error) {
	s := Summary{Path: module}
	err := json.Unmarshal([]byte(text), &s)
	for i, d := range s.Deps {
		if err == nil {
			s.Deps[i], err = canonical.ParsePath(d)
		}
	}
	if err != nil {
		return Summary{}, fmt.Errorf("summary of %s: %w", module, err)
	}
	return s, nil
}

// graph is the repository's modules and their edges, as pages see them.
type graph interface {
	// Modules lists all modules by path.
	Modules() []Summary
	// Title is what a module is called; false when there is no such module.
	Title(module string) (string, bool)
	// Importers lists the modules that depend on a module, and those whose tests do, by path.
	Importers(module string) (code, tests []string)
}

// factGraph is the graph as facts have it. The first error stays, and nothing more is read after it.
type factGraph struct {
	r   engine.Reader
	err error
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

// Modules implements graph.
func (g *factGraph) Modules() []Summary {
	if g.err != nil {
		return nil
	}
	var value any
	if value, g.err = g.r.Read(engine.UnitsOf(ModuleKind)); g.err != nil {
		return nil
	}
	modules, _ := value.([]string)
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

// Title implements graph.
func (g *factGraph) Title(module string) (string, bool) { return g.excerpt(module, labelPart) }

// Importers implements graph.
func (g *factGraph) Importers(module string) (code, tests []string) {
	if g.err != nil {
		return nil, nil
	}
	var i survey.Importers
	i, g.err = survey.ImportersOf(g.r, module)
	return i.Code, i.Tests
}
