package workspace

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/render/answers"
	"github.com/causaldocs/causal/render/decisions"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
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

func (a *askable) typed(m Meant) string {
	switch m.Meaning {
	case MeansFile, MeansOverview, MeansPrinciple, MeansRules, MeansDecisions, MeansLog, MeansSpec, MeansAnswer, MeansAnswers, MeansSkill:
		return canonical.Path(m.File)
	case MeansSymbol:
		return a.qualifier(m.Module) + m.Name
	case MeansElement:
		if m.Module == "." {
			return a.layout.Page(m.Module) + "#" + m.Name
		}
		return canonical.Path(m.Module) + "#" + m.Name
	}
	if m.Module == "." {
		return a.layout.Page(m.Module)
	}
	return canonical.Path(m.Module)
}

// qualifier returns the prefix for a symbol's name: the module path, or the title of the root unless it is ambiguous.
func (a *askable) qualifier(module string) string {
	if module != "." {
		return canonical.Path(module) + "."
	}
	if a.rootTitle != "" {
		return a.rootTitle + "."
	}
	return a.layout.Page(module) + "#"
}

// rootTitleOf returns the title of the root, empty if it could also name another module.
func rootTitleOf(modules []Summary) string {
	title := ""
	for _, m := range modules {
		if m.Path == "." {
			title = m.Title
		}
	}
	for _, m := range modules {
		if m.Path != "." && (m.Title == title || path.Base(m.Path) == title || strings.HasPrefix(m.Path, title+"/")) {
			return ""
		}
	}
	return title
}

func (a *askable) describe(m Meant) string {
	switch m.Meaning {
	case MeansSymbol:
		for _, s := range a.node(m.Module).PublicAPI {
			if s.Name == m.Name {
				return kindWord(s.Kind) + " in " + m.File
			}
		}
	case MeansElement:
		return ElementWord(m.Element) + " of " + m.Module
	case MeansModule:
		return strings.TrimSuffix("module: "+a.node(m.Module).Purpose, ": ")
	}
	return string(m.Meaning)
}

func kindWord(k source.Kind) string {
	if k == source.Func {
		return "function"
	}
	return string(k)
}

func (a *askable) choice(m Meant) Choice { return Choice{a.typed(m), a.describe(m)} }

// Principles lists the slugs of the principles, sorted.
func (k *Knowledge) Principles() []string { return k.Engine.Subjects(rules.PrincipleKind) }

// Principle returns a principle; nil if there is none.
func (k *Knowledge) Principle(ctx context.Context, slug string) (*rules.Principle, error) {
	x, ok, err := k.About(ctx, Meant{Meaning: MeansPrinciple, Name: slug})
	if err != nil || !ok || x.Conclusion == nil {
		return nil, err
	}
	p, _ := x.Conclusion.Body.(*rules.Principle)
	return p, nil
}

// About explains a target that is about no module. It returns false if nothing is concluded about it.
func (k *Knowledge) About(ctx context.Context, m Meant) (*engine.Explanation, bool, error) {
	return k.Engine.Explain(ctx, k.workspace.unitOf(m))
}

func (w *Workspace) unitOf(m Meant) engine.Unit {
	switch m.Meaning {
	case MeansPrinciple:
		return rules.Unit(m.Name)
	case MeansRules:
		return rules.PageUnit
	case MeansAnswer:
		return engine.Unit{Kind: answers.Kind, Subject: m.Name}
	case MeansAnswers:
		return answers.PageUnit
	case MeansSkill:
		return engine.Unit{Kind: skills.Kind, Subject: m.Name + strings.TrimPrefix(m.File, w.Layout.Docs)}
	}
	kind, _ := decisions.KindOf(w.Layout, m.File)
	return decisions.Unit(kind)
}

func (a *askable) atPrinciple(name string) (Meant, bool) {
	if name == rules.Page(a.layout) {
		return Meant{Meaning: MeansRules, File: name}, len(a.principles) > 0
	}
	slug, ok := principle.SlugOf(name)
	return Meant{Meaning: MeansPrinciple, Name: slug, File: name}, ok && slices.Contains(a.principles, slug)
}
