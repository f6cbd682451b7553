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

// Meaning is what kind of thing a target means.
type Meaning string

// What can be asked about.
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

// meansPage is what the pages mean that are told from the log, by their kinds.
var meansPage = map[string]Meaning{decisions.Kind: MeansDecisions, decisions.LogKind: MeansLog}

// Meant is the one thing that a target means.
type Meant struct {
	Meaning Meaning
	Module  string          // by path; empty for an overview, and for a file that belongs to none
	File    string          // from the root
	Name    string          // of a symbol as its node has it, of an element, or of a principle
	Element source.FactKind // of an element
	// Also is what else is called so, as it can be typed.
	Also []string
}

// same reports whether two targets mean the same thing.
func (m Meant) same(other Meant) bool {
	return m.Meaning == other.Meaning && m.Module == other.Module && m.File == other.File && m.Name == other.Name && m.Element == other.Element
}

func symbolOf(n *node.Node, s *node.Symbol) Meant {
	return Meant{Meaning: MeansSymbol, Module: n.Path, Name: s.Name, File: path.Join(n.Path, s.File)}
}

func elementOf(n *node.Node, b node.Behavior) Meant {
	return Meant{Meaning: MeansElement, Module: n.Path, Name: b.Name, Element: b.Kind}
}

// Published are the names that users of a module have for a symbol: its own comes first, then those that it is passed on
// under, and what is left of its own without the file, where files are namespaces.
func Published(s *node.Symbol) []string {
	out := slices.Concat([]string{s.Name}, s.As, s.Aliases)
	prefix := source.Prefix(s.File, namespaces[path.Ext(s.File)])
	if bare, ok := strings.CutPrefix(s.Name, prefix); ok && bare != s.Name && bare != "" {
		out = append(out, bare)
	}
	return out
}

// namespaces are the extensions of those files that are namespaces.
var namespaces = func() map[string]bool {
	out := map[string]bool{}
	for _, l := range languages.All() {
		for _, ext := range l.Extensions() {
			out[ext] = slices.Contains([]string{"python", "typescript", "javascript", "rust"}, l.Name())
		}
	}
	return out
}()

// elementWords are what elements of the behaviour surface are called on pages.
var elementWords = map[source.FactKind]string{
	source.Env: "environment variable", source.Flag: "flag", source.Route: "route", source.Job: "job", source.Exit: "exit code", source.Command: "command",
	source.Register: "registration", source.Data: "table",
}

// ElementWord is what people call an element of a kind.
func ElementWord(kind source.FactKind) string { return elementWords[kind] }

// calls reports whether people who write text mean the element: a flag has one dash or two, a route may stand without its
// method, and an exit code would be a bare number without saying what it is.
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

// sourceNamed reports whether people call a source so: by its name, or by the end of its path.
func sourceNamed(text string, s node.Source) bool {
	return text != "" && (text == path.Base(s.Path) || strings.HasSuffix(s.Path, "/"+text))
}
