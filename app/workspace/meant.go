package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/render/node"
)

// Meaning is the kind of thing that a target names.
type Meaning string

// The kinds of targets.
const (
	MeansOverview  Meaning = "overview"
	MeansModule    Meaning = "module"
	MeansFile      Meaning = "file"
	MeansSymbol    Meaning = "symbol"
	MeansElement   Meaning = "element" // of the behaviour surface: a variable, a flag, a route, an exit code
	MeansPrinciple Meaning = "principle"
	MeansRules     Meaning = "page of principles"
	MeansDecisions Meaning = "page of decisions"
	MeansLog       Meaning = "page of the log"
	MeansSpec      Meaning = "spec"
	MeansAnswer    Meaning = "answer"
	MeansAnswers   Meaning = "page of answers"
	MeansSkill     Meaning = "page of a skill"
)

var meansPage = map[string]Meaning{decisions.Kind: MeansDecisions, decisions.LogKind: MeansLog}

// Meant is a resolved target.
type Meant struct {
	Meaning Meaning
	Module  string          // path; empty for an overview, and for a file outside of all modules
	File    string          // relative to the root
	Name    string          // of a symbol (as in its node), an element or a principle
	Element source.FactKind // of an element
	// Also lists other things of the same name, as targets.
	Also []string
}

func (m Meant) same(other Meant) bool {
	return m.Meaning == other.Meaning && m.Module == other.Module && m.File == other.File && m.Name == other.Name && m.Element == other.Element
}

func symbolOf(n *node.Node, s *node.Symbol) Meant {
	return Meant{Meaning: MeansSymbol, Module: n.Path, Name: s.Name, File: path.Join(n.Path, s.File)}
}

func elementOf(n *node.Node, b node.Behavior) Meant {
	return Meant{Meaning: MeansElement, Module: n.Path, Name: b.Name, Element: b.Kind}
}

// Published returns the names under which users of a module know a symbol: its own, then its re-exports and aliases,
// then its name without the file prefix in languages whose files are namespaces.
func Published(s *node.Symbol) []string {
	out := slices.Concat([]string{s.Name}, s.As, s.Aliases)
	prefix := source.Prefix(s.File, namespaces[path.Ext(s.File)])
	if bare, ok := strings.CutPrefix(s.Name, prefix); ok && bare != s.Name && bare != "" {
		out = append(out, bare)
	}
	return out
}

var namespaces = func() map[string]bool {
	out := map[string]bool{}
	for _, l := range languages.All() {
		for _, ext := range l.Extensions() {
			out[ext] = slices.Contains([]string{"python", "typescript", "javascript", "rust"}, l.Name())
		}
	}
	return out
}()

var elementWords = map[source.FactKind]string{
	source.Env: "environment variable", source.Flag: "flag", source.Route: "route", source.Job: "job", source.Exit: "exit code", source.Command: "command",
	source.Register: "registration", source.Data: "table",
}

// ElementWord returns the display word for a kind of element.
func ElementWord(kind source.FactKind) string { return elementWords[kind] }

// calls reports whether a text names the element: a flag may have one dash or two, a route needs no method, and an exit
// code needs a word before the number.
func calls(text string, b node.Behavior) bool {
	switch b.Kind {
	case source.Flag:
		return strings.HasPrefix(text, "-") && strings.TrimLeft(text, "-") == strings.TrimLeft(b.Name, "-")
	case source.Route:
		_, place, ok := strings.Cut(b.Name, " ")
		return text == b.Name || ok && text == place
	case source.Exit:
		return text == "exit "+b.Name || text == ElementWord(b.Kind)+" "+b.Name
	}
	return text == b.Name
}

// sourceNamed reports whether a text is the base name of a source or a suffix of its path.
func sourceNamed(text string, s node.Source) bool {
	return text != "" && (text == path.Base(s.Path) || strings.HasSuffix(s.Path, "/"+text))
}
