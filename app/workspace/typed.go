package workspace

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
)

// typed is what can be typed, anywhere in the repository, to mean one thing and nothing else.
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

// qualifier is what stands before the name of a module's symbol: its path, and for the root its title, unless another
// module could be meant.
func (a *askable) qualifier(module string) string {
	if module != "." {
		return canonical.Path(module) + "."
	}
	if a.rootTitle != "" {
		return a.rootTitle + "."
	}
	return a.layout.Page(module) + "#"
}

// rootTitleOf is the title of the root when no other module could be meant by it, else empty.
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

// describe says what a thing is, in a few words.
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
		return "module: " + a.node(m.Module).Purpose
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
